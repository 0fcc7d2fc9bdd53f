"""Which trips of the loops of a schedule touch the same elements of a buffer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ..dialects.schedule.tree import (
    TILE,
    Compute,
    Index,
    Loop,
)
from .affine import AffineSum, Atom, Division, divide
from .schedule_points import Box, boxes_of


@dataclass(frozen=True)
class Touch:
    """An access of an op to a buffer, in terms of its dimensions: `indices`, None where these are not known, and the
    number of the element, `flat`.
    """

    buffer: Hashable
    indices: tuple[AffineSum, ...] | None
    flat: AffineSum
    writes: bool
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class Facts:
    """What a schedule has to respect of an op: in the order of the kernel."""

    name: str
    extents: tuple[int, ...]
    reduction: tuple[bool, ...]
    touches: tuple[Touch, ...]
    is_fill: bool = False
    part_of: str = ""
    """The op of which it does some points, into a buffer which is to be full in the end."""
    in_order: bool = False
    """Whether it reduces by what may not be done in another order."""
    in_chains: bool = False
    """Whether it is a sum that may be formed in chains without tiles around them."""
    has_methods: bool = False
    """Whether there are several ways to compute a point."""
    inputs: Mapping[int, Hashable] = field(default_factory=dict[int, Hashable])
    """The buffers behind its inputs, by the numbers of these."""


@dataclass(frozen=True)
class Leaf:
    """A `compute` in its loops. Counters of trips are numbered from the outside in, by the order of ranges."""

    node: Compute
    loops: tuple[Loop, ...]
    order: int
    names: tuple[str, ...]
    counts: tuple[int, ...]
    at: tuple[AffineSum, ...]
    counters: Mapping[str, AffineSum]
    boxes: tuple[Box, ...]
    """The points that it computes."""

    def indices(self, touch: Touch) -> tuple[AffineSum, ...] | None:
        """Where the buffer is touched, in terms of counters."""
        if touch.indices is None:
            return None
        values = (*touch.indices, touch.flat)
        return tuple(value_at(value, self.node.at, self.counters, self.counts) for value in values)


def leaf_of(node: Compute, loops: tuple[Loop, ...], order: int, extents: tuple[int, ...]) -> Leaf:
    """`node`, of an op of `extents`, with its indices in terms of counters of trips."""
    boxes = tuple(boxes_of(node, loops, extents))
    ranges = {range.name: range for loop in loops for range in loop.ranges}
    tile = {range.name for loop in loops if loop.kind == TILE for range in loop.ranges}
    counters: dict[str, AffineSum] = {}
    counts: list[int] = []
    for number, (name, range) in enumerate(ranges.items()):
        block, step, trips = next(iter(range.start.loops()), None), range.step, range.trips or 1
        if name in tile:
            step, trips = 1, range.end
        counts.append(ranges[block].step if block is not None else trips)
        start = counters[block] if block is not None else AffineSum({}, range.start.constant)
        if name == node.after:
            start, counts[-1] = start + (trips - 1) * step, 1
        counters[name] = start + AffineSum({number: step} if counts[-1] > 1 else {})
    at = tuple(sum_of(index, counters, counts) for index in node.at)
    return Leaf(node, loops, order, tuple(ranges), tuple(counts), at, counters, boxes)


def sum_of(index: Index, values: Mapping[str, AffineSum], extents: Sequence[int]) -> AffineSum:
    """An index where the variables of loops have `values`, in terms of dimensions of `extents`."""
    total = AffineSum({}, index.constant)
    for digit in index.digits:
        whole = values[digit.of] if isinstance(digit.of, str) else sum_of(digit.of, values, extents)
        if digit.divisor != 1:
            whole = divide(whole, Division(whole, digit.divisor, False), extents)
        if digit.modulus:
            whole = divide(whole, Division(whole, digit.modulus, True), extents)
        total = total + whole * digit.factor
    return total.join_divisions()


def value_at(
    value: AffineSum, at: Sequence[Index], values: Mapping[str, AffineSum], extents: Sequence[int]
) -> AffineSum:
    """What is `value` in terms of the dimensions of an op, where these are `at`."""
    others: dict[Atom, int] = {}
    return sum_of(_index_of(value, at, others), values, extents) + AffineSum(others)


def _index_of(value: AffineSum, at: Sequence[Index], others: dict[Atom, int]) -> Index:
    """What of `value` is in terms of dimensions, which are `at`; `others` receives the rest."""
    total = Index((), value.const)
    for atom, factor in value.terms.items():
        if isinstance(atom, int):
            total = total + at[atom] * factor
        elif isinstance(atom, Division):
            inner = _index_of(atom.lhs, at, others)
            total = total + inner.divided(*((1, atom.divisor) if atom.remainder else (atom.divisor,))) * factor
        else:
            others[atom] = factor
    return total.joined()


def common_loops(left: Leaf, right: Leaf) -> tuple[Loop, ...]:
    """The loops that both are in."""
    found: list[Loop] = []
    for first, second in zip(left.loops, right.loops, strict=False):
        if first is not second:
            break
        found.append(first)
    return tuple(found)


def pinned(left: Leaf, first: Touch, right: Leaf, second: Touch, common: int) -> set[int]:
    """Those of the first `common` counters that are equal where both touch the same element."""
    one, other = left.indices(first), right.indices(second)
    if one is None or other is None or len(one) != len(other):
        return set()
    pairs = _pairs(one, other)
    known: set[int] = set()
    changed = True
    while changed:
        changed = False
        for p, q in pairs:
            for counter in _pinned_by(p, q, left, right, common, known):
                known.add(counter)
                changed = True
    return known


def _pairs(one: Sequence[AffineSum], other: Sequence[AffineSum]) -> list[tuple[AffineSum, AffineSum]]:
    """What is equal where two touches are of the same element: their indices, of which the last is the place in memory;
    that without what the others say already; and what several indices are the digits of."""
    *indices, place = zip(one, other, strict=True)
    return [*indices, place, _without(indices, *place), *_numbers(indices)]


def _numbers(indices: Iterable[tuple[AffineSum, AffineSum]]) -> list[tuple[AffineSum, AffineSum]]:
    """What `indices` are the digits of: `i` where they are `i floordiv 2` and `i mod 2`."""
    digits = [pair for pair in indices if pair[0].divisions()]
    while True:
        for high, low in permutations(digits, 2):
            number = _joined(high, low)
            if number is not None:
                digits = [pair for pair in digits if pair is not high and pair is not low] + [number]
                break
        else:
            return digits


def _joined(high: tuple[AffineSum, AffineSum], low: tuple[AffineSum, AffineSum]) -> tuple[AffineSum, AffineSum] | None:
    """The pair of numbers that have these digits; None if there is none."""
    apart = len(high[0].divisions()) + len(low[0].divisions())
    for division in low[0].divisions():
        if division.remainder:
            p, q = ((one * division.divisor + other).join_divisions() for one, other in zip(high, low, strict=True))
            if len(p.divisions()) < apart:
                return p, q
    return None


def _without(indices: Iterable[tuple[AffineSum, AffineSum]], p: AffineSum, q: AffineSum) -> tuple[AffineSum, AffineSum]:
    """`p` and `q`, equal where all pairs of `indices` are, without the multiples of these that are in both."""
    for one, other in indices:
        factor = _factor(one, p)
        if factor and factor == _factor(other, q):
            p, q = p + one * -factor, q + other * -factor
    return p, q


def _factor(index: AffineSum, whole: AffineSum) -> int:
    """How often all terms of `index` are in those of `whole`; 0 where not all are as often, or there are none."""
    factors = {divmod(whole.terms.get(atom, 0), coefficient) for atom, coefficient in index.terms.items()}
    if len(factors) != 1:
        return 0
    ((factor, remainder),) = factors
    return 0 if remainder else factor


def _pinned_by(p: AffineSum, q: AffineSum, left: Leaf, right: Leaf, common: int, known: set[int]) -> list[int]:
    free = [n for n in range(common) if n not in known and left.counts[n] > 1]
    if any(n in division.lhs.dims() for index in (p, q) for division in index.divisions() for n in free):
        return []
    steps = {n: p.terms.get(n, 0) for n in free}
    if any(q.terms.get(n, 0) != step for n, step in steps.items()):
        return []
    shared = {n for n in known if p.terms.get(n, 0) == q.terms.get(n, 0)}
    rest = [
        AffineSum({atom: c for atom, c in index.terms.items() if atom not in shared and atom not in steps}, index.const)
        for index in (p, q)
    ]
    low, high = rest[0].bounds(left.counts), rest[1].bounds(right.counts)
    if low is None or high is None:
        return []
    reach = max(abs(low[1] - high[0]), abs(low[0] - high[1]))
    order = sorted((n for n in free if steps[n]), key=lambda n: abs(steps[n]))
    found: list[int] = []
    for place in reversed(range(len(order))):
        smaller = sum(abs(steps[n]) * (left.counts[n] - 1) for n in order[:place])
        if reach + smaller >= abs(steps[order[place]]):
            break
        found.append(order[place])
    return found


def are_apart(left: Leaf, first: Touch, right: Leaf, second: Touch) -> bool:
    """Whether the two certainly touch no element in common."""
    one, other = left.indices(first), right.indices(second)
    if one is None or other is None:
        return False
    for p, q in _pairs(one, other):
        a, b = p.bounds(left.counts), q.bounds(right.counts)
        if a is not None and b is not None and (a[1] < b[0] or b[1] < a[0]):
            return True
    return False


def reduced_places(leaf: Leaf, op: Facts) -> tuple[int, int] | None:
    """The first and last point that `op` reduces for an element there, numbered with the last dimension fastest; None
    unless its loops go through these in order."""
    place, size = AffineSum({}), 1
    for dim in reversed(range(len(op.extents))):
        if op.reduction[dim]:
            place, size = place + leaf.at[dim] * size, size * op.extents[dim]
    place = place.join_divisions()
    inside = 0
    for counter in reversed(range(len(leaf.counts))):
        step = place.terms.get(counter, 0)
        if step < 0 or (step and step <= inside):
            return None
        inside += step * (leaf.counts[counter] - 1)
    return None if place.divisions() else (place.const, place.const + inside)
