"""The buffers of a loop's carried values, and which of them holds which value in the next iteration.

The loop carries pointers to them. A value that is computed in another buffer than the one its predecessor was in takes
that buffer's place: two values that change places, or one that cannot be computed where the last one is read, cost no
copy. Values of a few elements have a buffer of their own all the time (`Memory.worth_changing_places`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import prod

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...decisions.model import CostModel
from ...decisions.search import CARRIED_BUFFERS
from ...dialects.editing import replace_uses
from ...dialects.element_sizes import element_bytes
from ...ir import structured
from .types import alloc

Move = tuple[SSAValue, SSAValue]
"""A copy: from, to."""


def _may_change_places(buffer: SSAValue, model: CostModel) -> bool:
    elements = prod(structured.shape_of(buffer))
    return model.memory.worth_changing_places(elements * element_bytes(structured.element_type(buffer)))


@dataclass
class CarriedBuffers:
    """The pointers that an `scf.while` carries: one for each carried value, then the spare ones.

    `first[i]` is the buffer before the loop; `before` and `after` are the blocks of its regions, of which it becomes
    argument `i`.
    """

    first: list[SSAValue]
    model: CostModel
    before: Block = field(init=False)
    after: Block = field(init=False)
    allocations: list[Operation] = field(default_factory=list[Operation])
    """Those of the spare buffers, for which there is no better place than before the loop."""

    def __post_init__(self) -> None:
        types = [buffer.type for buffer in self.first]
        self.before, self.after = Block(arg_types=types), Block(arg_types=types)

    def candidates(self, number: int) -> Iterator[SSAValue]:
        """Where the body may compute the next value `number`, the best place first: where the last one is, where
        another of its type is, a new buffer. Whoever takes one of them has seen that it is free."""
        own = self.after.args[number]
        yield own
        if not _may_change_places(own, self.model):
            return
        others = (other for other in self.after.args if other.type == own.type and other is not own)
        yield from islice(others, CARRIED_BUFFERS)
        spare = alloc(own.type)
        self.allocations.append(spare)
        self.first.append(spare.memref)
        self.before.insert_arg(own.type, len(self.before.args))
        yield self.after.insert_arg(own.type, len(self.after.args))

    def advance(self, roots: Sequence[SSAValue], sources: Sequence[SSAValue]) -> tuple[list[SSAValue], list[Move]]:
        """The pointers of the next iteration, and what has to be copied at the end of the body, all at once.

        The next value `i` is in `sources[i]`, which is `roots[i]` or a view of it.
        """
        arguments = self.after.args
        following: dict[int, SSAValue] = {i: root for i, root in enumerate(roots) if root is arguments[i]}
        taken = set(following.values())
        for i, root in enumerate(roots):
            if i in following or root not in arguments or root in taken or root.type != arguments[i].type:
                continue
            if _may_change_places(root, self.model):
                following[i] = root
                taken.add(root)
        moves: list[Move] = []
        for i, source in enumerate(sources):
            if i not in following:
                following[i] = self._free(i, taken, roots)
                taken.add(following[i])
                moves.append((source, following[i]))
        for i in range(len(sources), len(arguments)):
            following[i] = self._free(i, taken, ())
            taken.add(following[i])
        return [following[i] for i in range(len(arguments))], moves

    def _free(self, number: int, taken: set[SSAValue], read: Sequence[SSAValue]) -> SSAValue:
        """A pointer of the type of number `number` that is not `taken`, if possible not one to what is still `read`."""
        own = self.after.args[number]
        if own not in taken and not _may_change_places(own, self.model):
            return own
        free = [a for a in (own, *self.after.args) if a.type == own.type and a not in taken]
        return next((a for a in free if a not in read), free[0])

    def kept(self, following: Sequence[SSAValue]) -> list[int]:
        """The numbers of the pointers that change; the others are `following` themselves."""
        return [number for number, argument in enumerate(self.after.args) if following[number] is not argument]

    def unchanging(self, kept: Sequence[int]) -> Iterator[tuple[BlockArgument, SSAValue]]:
        """The arguments of both blocks for pointers that are not `kept`, with the buffers they are before the loop."""
        for number in set(range(len(self.first))).difference(kept):
            yield self.before.args[number], self.first[number]
            yield self.after.args[number], self.first[number]


def drop_arguments(unchanging: Iterable[tuple[BlockArgument, SSAValue]]) -> None:
    """Erases arguments of loops that are the same buffer all the time, which takes their place. Outer loops come first,
    so that each use is changed once however many loops are in each other."""
    buffers: dict[SSAValue, SSAValue] = {}
    for argument, first in unchanging:
        buffers[argument] = buffer = buffers.get(first, first)
        replace_uses(argument, buffer)
    for argument in buffers:
        assert isinstance(argument, BlockArgument)
        argument.block.erase_arg(argument)
