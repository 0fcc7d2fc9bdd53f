"""Names of values that stay from pass to pass, so that two levels differ only where something has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.editing import walk


class Names:
    """The name of each value on the level at hand. A value keeps the name that it had on the last level; a new one is
    called what the program calls it, what the value was called whose place it takes, or by the first free number.
    Names are unique in each op that stands directly in the module.
    """

    def __init__(self) -> None:
        self.of: dict[SSAValue, str] = {}
        """By value, without the `%`."""

    def assign(self, module: Operation, sources: Mapping[Operation, Sequence[Operation]]) -> None:
        """Names the values of `module`. `sources` are the ops, of the last level, that new ops have been made of."""
        inherited = _inherited(self.of, sources)
        known: dict[SSAValue, str] = {}
        for op in (inner for region in module.regions for block in region.blocks for inner in block.ops):
            values = list(_values(op))
            taken: set[str] = set()
            for value in values:
                name = self.of.get(value)
                if name is not None and name not in taken:
                    known[value] = name
                    taken.add(name)
            number = 0
            for value in values:
                if value in known:
                    continue
                name = _unique(value.name_hint, taken) if value.name_hint else inherited.get(value)
                if name is None or name in taken:
                    while (name := str(number)) in taken:
                        number += 1
                known[value] = name
                taken.add(name)
        self.of = known


def _inherited(names: Mapping[SSAValue, str], sources: Mapping[Operation, Sequence[Operation]]) -> dict[SSAValue, str]:
    """For each result of a new op the name of the result of the op that it takes the place of, if it is one."""
    found: dict[SSAValue, str] = {}
    for op, made_of in sources.items():
        if made_of and len(made_of[0].results) == len(op.results):
            for new, old in zip(op.results, made_of[0].results, strict=True):
                if (name := names.get(old)) is not None:
                    found[new] = name
    return found


def _unique(hint: str, taken: set[str]) -> str:
    name, number = hint, 0
    while name in taken:
        number += 1
        name = f"{hint}_{number}"
    return name


def _values(root: Operation) -> Iterator[SSAValue]:
    for op in walk(root):
        yield from op.results
        for region in op.regions:
            for block in _blocks(region):
                yield from block.args


def _blocks(region: Region) -> Iterator[Block]:
    block = region.first_block
    while block is not None:
        yield block
        block = block.next_block
