"""The schedule of a kernel, from the nests that were chosen for it.

Every nest knows how the dimensions of its ops became its loops (`Nest.trail`). Read backwards that is where a
`compute` stands: `split` by 64 makes dimension 0 `i + j` with `i` in steps of 64, `merge` makes two dimensions the
quotient and the remainder of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from ...dialects.records import changed
from ...dialects.schedule.tree import (
    FOR,
    PARALLEL,
    TRANSPOSE,
    UNROLL,
    Compute,
    Digit,
    Index,
    Keep,
    Loop,
    Node,
    Range,
    Start,
    Tree,
    counted,
    variable,
)
from ...ir.affine import AffineSum, dimension
from .derived_ops import dim_name
from .nest import Block, Change, Nest

LETTERS = "ijklmnpqrstuvwxyz"


def tree_of(
    nests: Sequence[Nest], kept: Sequence[str], starts: Sequence[tuple[str, str]], handed_on: Sequence[str]
) -> Tree:
    """The schedule of a kernel that is computed by `nests`, in order. `kept`: the buffers of which there is one row;
    `starts`: ops and the fills that they start from; `handed_on`: the buffers of one element that stay in registers.
    """
    keep = tuple(map(Keep, kept))
    nodes = _all_nodes(nests, (), keep)
    return Tree((*(Start(op, fill) for op, fill in starts), *map(Keep, handed_on), *nodes), checked=True)


def _all_nodes(
    nests: Sequence[Nest],
    around: tuple[str, ...],
    keep: tuple[Node, ...] = (),
    outside: Mapping[str, int] | None = None,
) -> list[Node]:
    """The nodes of nests side by side. Fills of two edges of a buffer share their loops."""
    found: list[Node] = []
    for before, nest in zip((None, *nests), nests, strict=False):
        nodes = _nodes_of(nest, around, keep, outside)
        if before is not None and before.ops == nest.ops and _is_fill(before) and _is_fill(nest):
            nodes = _joined(found.pop(), nodes[0])
        found += nodes
    return found


def _is_fill(nest: Nest) -> bool:
    return bool(nest.outputs) and nest.body.is_copy and not nest.reads and not nest.before


def _joined(first: Node, second: Node) -> tuple[Node, ...]:
    """Two nodes as one where their loops are the same."""
    if (
        isinstance(first, Loop)
        and isinstance(second, Loop)
        and (first.kind, first.ranges) == (second.kind, second.ranges)
    ):
        body = [*first.body[:-1], *_joined(first.body[-1], second.body[0])]
        return (changed(first, body=tuple(body)),)
    return first, second


def _nodes_of(
    nest: Nest, around: tuple[str, ...], keep: tuple[Node, ...] = (), outside: Mapping[str, int] | None = None
) -> tuple[Node, ...]:
    """The nodes of a nest inside of loops, of which its rows are and which have the steps `outside`."""
    if nest.declared:
        return nest.declared
    assert nest.rows == len(around) and bool(nest.outputs) <= bool(nest.ops)
    count = len(nest.extents)
    names = [*around, *_names(around, count - len(around))]
    at = places(nest)
    steps = {**(outside or {}), **_steps(nest)}
    at = tuple(_renamed(index, names, steps, nest.blocks) for index in at)
    body: tuple[Node, ...] = tuple(Compute(name, at) for name in nest.ops) if nest.outputs else ()
    inner, kind = count - nest.unrolled, TRANSPOSE if nest.transposed else UNROLL
    if nest.unrolled:
        body = (Loop(kind, _ranges(nest, names, steps, range(inner, count)), body, nest.transposed),)
    marked = nest.rows + nest.parallel
    for level in reversed(range(nest.rows, inner + 1)):
        parts = [part for part in nest.before if part.rows == level]
        assert not parts or not nest.rows < level < marked
        known = {dim: step for dim, step in steps.items() if int(dim) < level}
        inside = tuple(_all_nodes(parts, tuple(names[:level]), (), known))
        if level == inner and not nest.outputs:
            inside = (*keep, *inside)
        body = (*inside, *body)
        if level > marked:
            body = (Loop(FOR, _ranges(nest, names, steps, range(level - 1, level)), body),)
        elif level == marked and nest.parallel:
            body = (Loop(PARALLEL, _ranges(nest, names, steps, range(nest.rows, marked)), body),)
    return body


def _names(taken: Sequence[str], count: int) -> list[str]:
    free = [letter for letter in LETTERS if letter not in taken]
    return free[:count] if count <= len(free) else [*free, *(f"i{at}" for at in range(count - len(free)))]


def _ranges(nest: Nest, names: Sequence[str], steps: Mapping[str, int], dims: Iterable[int]) -> tuple[Range, ...]:
    found: list[Range] = []
    blocks = {block.dim: block for block in nest.blocks}
    for dim in dims:
        step = steps.get(_dim(dim), 1)
        if (block := blocks.get(dim)) is not None:
            start = variable(names[block.counter])
            ends = (start + Index((), nest.extents[dim]), Index((), block.end))
            found.append(Range(names[dim], start, ends))
        else:
            end = next((block.end for block in nest.blocks if block.counter == dim), nest.extents[dim] * step)
            found.append(counted(names[dim], end, step))
    return tuple(found)


# Places


def _dim(dim: int) -> str:
    """The name of a dimension before loops have theirs."""
    return str(dim)


def places(nest: Nest) -> tuple[Index, ...]:
    """The dimensions of the ops of a nest in terms of its own."""
    first = nest.trail[0].extents if nest.trail else nest.extents
    found = [variable(_dim(dim)) for dim in range(len(first))]
    for change in nest.trail:
        values = _values(change)
        found = [index.replaced(values.__getitem__) for index in found]
    return tuple(found)


def origins(nest: Nest) -> tuple[Index, ...]:
    """The dimensions of a nest in terms of those of its ops, of which they are all points."""
    first = nest.trail[0].extents if nest.trail else nest.extents
    found = [variable(dim_name(dim)) for dim in range(len(first))]
    for change, extents in nest.steps():
        made = dict[int, Index]()
        for old, index in enumerate(found):
            value = change.values.get(old, dimension(old))
            for dim, factor in value.terms.items():
                assert isinstance(dim, int)
                larger = [other for other in value.terms.values() if other > factor]
                made[dim] = (index + Index((), -value.const)).divided(factor, min(larger) // factor if larger else 0)
        if change.merged:
            outer, inner = _merged(change)
            (dim,) = change.values[inner].dims()
            made[dim] = found[outer] * change.extents[inner] + found[inner]
        found = [made[dim] for dim in range(len(extents))]
    return tuple(found)


def _merged(change: Change) -> tuple[int, int]:
    """The dimensions that were merged, the outer one first."""
    outer, inner = sorted(change.merged, key=lambda dim: bool(change.values[dim].terms))
    return outer, inner


def _values(change: Change) -> dict[str, Index]:
    values = {
        _dim(dim): _index(change.values[dim]) if dim in change.values else variable(_dim(dim))
        for dim in range(len(change.extents))
    }
    if change.merged:
        outer, inner = _merged(change)
        whole, extent = values[_dim(inner)], change.extents[inner]
        values[_dim(outer)], values[_dim(inner)] = whole.divided(extent), whole.divided(1, extent)
    return values


def _index(value: AffineSum) -> Index:
    digits: list[Digit] = []
    for atom, factor in value.terms.items():
        assert isinstance(atom, int)
        digits.append(Digit(_dim(atom), factor))
    return Index(tuple(digits), value.const)


def _steps(nest: Nest) -> dict[str, int]:
    """The loops of a nest that it and those ahead only use times a number, and that number: it is the step."""
    factors: dict[str, set[int]] = {}
    for part in (part for part in nest.walk() if part.outputs):
        inside = range(nest.rows, len(nest.extents) if part is nest else part.rows)
        for index in places(part):
            for digit in _variables(index):
                if int(cast(str, digit.of)) in inside:
                    plain = digit.divisor == 1 and not digit.modulus
                    factors.setdefault(cast(str, digit.of), set()).add(digit.factor if plain else 1)
    return {dim: next(iter(found)) for dim, found in factors.items() if len(found) == 1 and min(found) > 1}


def _variables(index: Index) -> Iterator[Digit]:
    """The digits of variables in an index, and in those that it has quotients of."""
    for digit in index.digits:
        if isinstance(digit.of, str):
            yield digit
        else:
            yield from _variables(digit.of)


def _renamed(index: Index, names: Sequence[str], steps: Mapping[str, int], blocks: Sequence[Block]) -> Index:
    """`index` in terms of the variables of loops, that of a loop through a block being the sum with the one around."""
    digits: list[Digit] = []
    counters = {_dim(block.counter) for block in blocks if any(digit.of == _dim(block.dim) for digit in index.digits)}
    for digit in index.digits:
        if isinstance(digit.of, Index):
            digits.append(changed(digit, of=_renamed(digit.of, names, steps, blocks)))
        elif digit.of not in counters:
            digits.append(changed(digit, of=names[int(digit.of)], factor=digit.factor // steps.get(digit.of, 1)))
    return Index(tuple(digits), index.constant)
