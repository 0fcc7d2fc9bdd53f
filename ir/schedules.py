"""Whether a schedule does what its kernel says: every point once, no value before it is there.

The rules are sufficient, not necessary, and stated on the accesses of the ops (affine in their dimensions):

* *Points.* The loops around a `compute` are used by its indices, each once, and the places of an op that are computed
  are boxes that do not overlap and leave nothing out; of a fill, what another op overwrites may be left out.
* *Order.* An op that touches what another one writes stands behind it, and inside the loops that both have in common
  both touch the same elements in the same trip: some index of the buffer tells the trip.
* *Threads.* In a `parallel` loop no two trips write the same element, and there is none in another one.
* *Memory.* What is kept per trip is written in the trip in which it is read, and nobody else uses it.

The second rule is the one of loop fusion (Wolfe, "High Performance Compilers for Parallel Computing", 1996, chapter 9)
without distances: only dependences within a trip are allowed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod
from typing import NoReturn

from ..dialects.schedule.syntax import heading
from ..dialects.schedule.tree import (
    FOR,
    PARALLEL,
    TILE,
    TRANSPOSE,
    UNROLL,
    VECTOR,
    Compute,
    Digit,
    Index,
    Keep,
    Loop,
    Node,
    Parts,
    Range,
    Stage,
    Start,
    Tree,
)
from ..errors import InvalidProgramError
from .affine import AffineSum, Atom, Division, divide


class ScheduleError(InvalidProgramError):
    """A schedule that does not do what its kernel says, or that does it too late."""


def refuse(node: Node | None, message: str) -> NoReturn:
    """Raises `ScheduleError`, which names the line of the schedule."""
    if node is None:
        raise ScheduleError(f"schedule: {message}")
    place = None if node.place is None else f"{node.place.line}:{node.place.column}"
    raise ScheduleError(f"schedule: '{heading(node)}': {message}", location=place)


@dataclass(frozen=True)
class Values:
    """The values of a loop's variable: `count` of them from `start` on, `step` apart; the last step is only `rest` if
    that is not 0.
    """

    start: int
    step: int
    count: int
    rest: int = 0
    covered: int = 0
    """The steps that overlapping values cover, where they are fewer than those of all trips."""

    @property
    def last(self) -> int:
        return self.start + (self.count - 1) * self.step


def values_of(loops: Sequence[Loop]) -> dict[str, Values]:
    """What the variables of `loops`, outermost first, run through. The variable of a loop over blocks, inside of which
    another one runs through the block, is left out: that one takes all values.
    """
    known: dict[str, Values] = {}
    for loop in loops:
        for range in loop.ranges:
            if range.name in known:
                refuse(loop, f"there is a loop '{range.name}' around it")
            known[range.name] = _values(loop, range, known)
    return {name: values for name, values in known.items() if values.count != 0}


def _values_at(compute: Compute, loops: Sequence[Loop]) -> dict[str, Values]:
    """The same around `compute`, which may be in a last trip only."""
    values = values_of(loops)
    if compute.after:
        if compute.after not in values:
            refuse(compute, f"there is no loop '{compute.after}' around it")
        values[compute.after] = Values(values[compute.after].last, 1, 1)
    return values


def _values(loop: Loop, range: Range, known: dict[str, Values]) -> Values:
    if range.trips is not None:
        start, stop, step = range.start.constant, range.stop[0].constant, range.step
        if not range.trips:
            refuse(loop, f"'{range.name}' takes no value")
        if loop.kind == TILE:
            # A step is a vector of the tile, which holds every value.
            step = 1
        elif range.overlapping:
            if start or stop < step:
                refuse(loop, f"'{range.name}' goes from 0 to {step} at least, where its steps overlap")
            return Values(0, step, range.trips, covered=stop)
        return Values(start, step, -(-(stop - start) // step), (stop - start) % step)
    name = next(iter(range.start.loops()), "")
    block = known.get(name)
    if block is None or range.start != Index((Digit(name),)) or range.step != 1:
        refuse(loop, "the ends of a loop are numbers, or those of a block 'c to min(c + size, end)' of a loop 'c'")
    if loop.kind != FOR or not block.count:
        refuse(loop, f"a block of '{name}' is a loop 'for', and one only")
    ends = {stop.constant for stop in range.stop if not stop.digits}
    sizes = {stop.constant for stop in range.stop if stop.digits == (Digit(name),)}
    if sizes != {block.step} or len(ends) > 1 or len(ends) + len(sizes) != len(range.stop):
        refuse(loop, f"a block of '{name}' ends at {name} + {block.step}, or earlier at a number")
    end = ends.pop() if ends else block.last + block.step
    if end - block.last != (block.rest or block.step):
        refuse(loop, f"'{name}' goes to {block.last + (block.rest or block.step)}, not to {end}")
    known[name] = Values(block.start, block.step, 0)
    return Values(block.start, 1, end - block.start)


Box = tuple[tuple[int, int], ...]
"""Start and end of every dimension."""


def boxes_of(compute: Compute, loops: Sequence[Loop], extents: Sequence[int]) -> list[Box]:
    """The points of an op of `extents` that `compute`, inside of `loops`, computes, each once."""
    if len(compute.at) != len(extents):
        refuse(compute, f"{compute.op} has {len(extents)} dimensions, not {len(compute.at)}")
    values, at = _with_digits(_values_at(compute, loops), compute.at)
    unused = {name for name, each in values.items() if each.count > 1}
    box: list[tuple[int, int] | None] = [None] * len(extents)
    digits: dict[str | Index, list[tuple[Digit, int]]] = {}
    for dim, index in enumerate(at):
        if any(map(_is_divided, index.digits)):
            if len(index.digits) != 1 or index.digits[0].factor != 1:
                refuse(compute, f"dimension {dim}: a quotient or remainder stands alone")
            (digit,) = index.digits
            digits.setdefault(digit.of, []).append((digit, dim))
        else:
            box[dim] = _interval(compute, index, values, unused, f"dimension {dim}")
    several: list[list[Box]] = []
    places: list[int] = []
    for of, found in digits.items():
        dims = _dims_of_digits(compute, found, extents)
        whole = of if isinstance(of, Index) else Index((Digit(of),))
        start, end = _interval(compute, whole, values, unused, "a quotient")
        several.append(_cut(start, end, [extents[dim] for dim in dims]))
        places += dims
    if unused:
        refuse(compute, f"the loop '{min(unused)}' around it would compute it several times")
    result: list[Box] = []
    for parts in product(*several):
        full = list(box)
        for dim, (start, end) in zip(places, (each for part in parts for each in part), strict=True):
            full[dim] = start + at[dim].constant, end + at[dim].constant
        result.append(tuple(each if each is not None else (0, 0) for each in full))
    for each in result:
        for dim, ((start, end), extent) in enumerate(zip(each, extents, strict=True)):
            if start < 0 or end > extent:
                refuse(compute, f"dimension {dim} goes from 0 to {extent}, not from {start} to {end}")
    return result


def _is_divided(digit: Digit) -> bool:
    return digit.divisor != 1 or digit.modulus != 0


def _with_digits(values: Mapping[str, Values], at: tuple[Index, ...]) -> tuple[dict[str, Values], tuple[Index, ...]]:
    """The values and indices with two loops in the place of one, of which a quotient and the remainder are in sums."""
    sums = [index for index in at if len(index.digits) > 1]
    sums += [digit.of for index in at for digit in index.digits if isinstance(digit.of, Index)]
    divided = {digit.of for index in sums for digit in index.digits if _is_divided(digit)}
    found = dict(values)

    def replaced(index: Index, name: str, size: int) -> Index:
        digits: list[Digit] = []
        for digit in index.digits:
            if isinstance(digit.of, Index):
                digits.append(replace(digit, of=replaced(digit.of, name, size)))
            elif digit.of == name and digit.modulus == size and digit.divisor == 1:
                digits.append(replace(digit, of=f"{name} mod {size}", modulus=0))
            elif digit.of == name and digit.divisor % size == 0:
                digits.append(replace(digit, of=f"{name} floordiv {size}", divisor=digit.divisor // size))
            else:
                digits.append(digit)
        return Index(tuple(digits), index.constant)

    for name in (name for name in divided if isinstance(name, str) and name in values):
        each = values[name]
        sizes = {
            digit.modulus for index in (*at, *sums) for digit in index.digits if digit.of == name and digit.divisor == 1
        }
        size = min(sizes - {0}, default=0)
        if size and each.step == 1 and not each.start and each.count % size == 0 and not each.rest:
            at = tuple(replaced(index, name, size) for index in at)
            del found[name]
            found[f"{name} mod {size}"] = Values(0, 1, size)
            found[f"{name} floordiv {size}"] = Values(0, 1, each.count // size)
    return found, at


def _interval(
    compute: Compute, index: Index, values: Mapping[str, Values], unused: set[str], what: str
) -> tuple[int, int]:
    """Start and end of the numbers that `index` is, each once; its loops are no longer in `unused`."""
    start, strides = index.constant, list[tuple[int, int, int]]()
    for digit in index.digits:
        if not isinstance(digit.of, str) or digit.divisor != 1 or digit.modulus:
            refuse(compute, f"{what}: a quotient or remainder in a sum")
        if digit.of not in values:
            refuse(compute, f"there is no loop '{digit.of}' around it")
        each = values[digit.of]
        if each.rest:
            refuse(
                compute,
                f"{what}: the last step of the loop '{digit.of}' is {each.rest} instead of {each.step}:"
                " another loop does the rest, or a loop over blocks, 'c to min(c + size, end)'",
            )
        start += digit.factor * each.start
        if each.count > 1:
            if digit.of not in unused:
                refuse(compute, f"the loop '{digit.of}' is used twice")
            unused.remove(digit.of)
            strides.append((digit.factor * each.step, each.count, digit.factor * each.covered))
    size = 1
    for stride, count, covered in sorted(strides):
        if stride != size:
            refuse(compute, f"{what} is not every index once: steps of {stride} where {size} are covered")
        size = covered or size * count
    return start, start + size


def _dims_of_digits(compute: Compute, digits: list[tuple[Digit, int]], extents: Sequence[int]) -> list[int]:
    """The dimensions that are the digits of one number, the most significant one first."""
    digits.sort(key=lambda each: each[0].divisor)
    size = 1
    for number, (digit, dim) in enumerate(digits):
        last = number == len(digits) - 1
        if digit.divisor != size or (digit.modulus != extents[dim] and not (last and not digit.modulus)):
            refuse(compute, f"dimension {dim}: expected the quotient by {size} and the remainder by {extents[dim]}")
        size *= extents[dim]
    return [dim for _, dim in reversed(digits)]


def _cut(start: int, end: int, extents: Sequence[int]) -> list[Box]:
    """The numbers from `start` to `end`, digits of which are bounded by `extents`, as boxes."""
    inner = prod(extents[1:])
    if len(extents) == 1:
        return [((start, end),)]
    first, last = -(-start // inner), end // inner
    if first > last:
        return [((last, last + 1), *rest) for rest in _cut(start - last * inner, end - last * inner, extents[1:])]
    found: list[Box] = []
    if start < first * inner:
        found += [((first - 1, first), *rest) for rest in _cut(start - (first - 1) * inner, inner, extents[1:])]
    if first < last:
        found.append(((first, last), *((0, extent) for extent in extents[1:])))
    if last * inner < end:
        found += [((last, last + 1), *rest) for rest in _cut(0, end - last * inner, extents[1:])]
    return found


def volume(box: Box) -> int:
    return prod(end - start for start, end in box)


def overlap(left: Box, right: Box) -> bool:
    """Whether two boxes have a point in common; those without dimensions are one point."""
    return all(a < d and c < b for (a, b), (c, d) in zip(left, right, strict=True))


def common(left: Box, right: Box) -> Box:
    """What is in both boxes."""
    ends = ((max(a, c), min(b, d)) for (a, b), (c, d) in zip(left, right, strict=True))
    return tuple((start, max(start, end)) for start, end in ends)


def union_volume(boxes: Sequence[Box]) -> int:
    """The number of points in any of the boxes."""
    if not boxes:
        return 0
    if not boxes[0]:
        return 1
    ends = sorted({end for box in boxes for end in box[0]})
    total = 0
    for start, end in pairwise(ends):
        inside = [box[1:] for box in boxes if box[0][0] <= start and end <= box[0][1]]
        total += (end - start) * union_volume(inside)
    return total


def pairs(items: Sequence[Box]) -> Iterator[tuple[Box, Box]]:
    for number, item in enumerate(items):
        for other in items[number + 1 :]:
            yield item, other


# Order


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

    def index_of(value: AffineSum) -> Index:
        total = Index((), value.const)
        for atom, factor in value.terms.items():
            if isinstance(atom, int):
                total = total + at[atom] * factor
            elif isinstance(atom, Division):
                inner = index_of(atom.lhs)
                total = total + inner.divided(*((1, atom.divisor) if atom.remainder else (atom.divisor,))) * factor
            else:
                others[atom] = factor
        return total.joined()

    return sum_of(index_of(value), values, extents) + AffineSum(others)


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
    known: set[int] = set()
    changed = True
    while changed:
        changed = False
        for p, q in zip(one, other, strict=True):
            for counter in _pinned_by(p, q, left, right, common, known):
                known.add(counter)
                changed = True
    return known


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
    for p, q in zip(one, other, strict=True):
        a, b = p.bounds(left.counts), q.bounds(right.counts)
        if a is not None and b is not None and (a[1] < b[0] or b[1] < a[0]):
            return True
    return False


def check(tree: Tree, ops: Sequence[Facts], private: Mapping[str, Hashable]) -> None:
    """Raises `ScheduleError` unless `tree` does what `ops` say, in their order. `private` are the buffers that nobody
    but `ops` uses, by the name of the op that writes them.
    """
    _check_nesting(tree)
    leaves, folded = _leaves(tree, ops)
    _check_points(tree, ops, leaves, folded)
    for number, first in enumerate(ops):
        for second in ops[number:]:
            for mine, theirs in product(first.touches, second.touches):
                if mine.buffer == theirs.buffer and (mine.writes or theirs.writes):
                    _check_pair(leaves[first.name], mine, leaves[second.name], theirs, first is second)
    _check_memory(tree, ops, leaves, private)


def _check_nesting(tree: Tree) -> None:
    for node, loops in tree.walk():
        if isinstance(node, Loop) and node.kind == PARALLEL and any(loop.kind == PARALLEL for loop in loops):
            refuse(node, "there is a parallel loop around it")
        if isinstance(node, Loop) and not node.body:
            refuse(node, "nothing is in it")
        if loops and loops[-1].kind in (UNROLL, TRANSPOSE, VECTOR, TILE) and not isinstance(node, Compute):
            refuse(node, f"only ops may stand in a loop of the kind '{loops[-1].kind}'")
        if isinstance(node, Loop) and node.kind == VECTOR:
            if len(node.ranges) > 1 or node.side < 2 or node.side & (node.side - 1):
                refuse(node, "a vector has a power of two of elements of one loop, two at least")


def _leaves(tree: Tree, ops: Sequence[Facts]) -> tuple[dict[str, list[Leaf]], dict[str, str]]:
    leaves: dict[str, list[Leaf]] = {op.name: [] for op in ops}
    extents = {op.name: op.extents for op in ops}
    folded: dict[str, str] = {}
    for order, (node, loops) in enumerate(tree.walk()):
        name = node.op if isinstance(node, Compute | Start) else None
        if name is not None and name not in leaves:
            refuse(node, f"the kernel has no op '{name}'; it has {', '.join(leaves)}")
        if isinstance(node, Compute):
            leaves[node.op].append(leaf_of(node, loops, order, extents[node.op]))
        elif isinstance(node, Start):
            if node.fill not in leaves or not next(op.is_fill for op in ops if op.name == node.fill):
                refuse(node, f"'{node.fill}' is no fill of the kernel")
            _check_start(node, ops)
            folded[node.fill] = node.op
    return leaves, folded


def _check_start(node: Start, ops: Sequence[Facts]) -> None:
    """Whether an op adds to every element of what a fill writes, before any other op touches it."""
    names = [op.name for op in ops]
    fill, op = ops[names.index(node.fill)], ops[names.index(node.op)]
    (target,) = (touch for touch in fill.touches if touch.writes)
    mine = [touch for touch in op.touches if touch.buffer == target.buffer]
    if len(mine) != 2 or {touch.writes for touch in mine} != {True, False} or mine[0].flat != mine[1].flat:
        refuse(node, f"'{node.op}' adds nothing to what '{node.fill}' writes")
    between = ops[names.index(node.fill) + 1 : names.index(node.op)]
    if names.index(node.fill) > names.index(node.op) or any(
        touch.buffer == target.buffer for other in between for touch in other.touches
    ):
        refuse(node, f"'{node.op}' is not the first that uses what '{node.fill}' writes")
    size = 1
    for dim, stride in sorted(mine[0].flat.terms.items(), key=lambda term: term[1]):
        if not isinstance(dim, int) or stride != size:
            break
        size *= op.extents[dim]
    if size != prod(fill.extents) or mine[0].flat.const:
        refuse(node, f"'{node.op}' does not add to all that '{node.fill}' writes")


def _check_points(
    tree: Tree, ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]], folded: Mapping[str, str]
) -> None:
    copies = {node.operand for node, _ in tree.walk() if isinstance(node, Stage)}
    for op in ops:
        if op.name in folded:
            if leaves[op.name]:
                refuse(leaves[op.name][0].node, f"'{folded[op.name]}' starts from it")
            continue
        if op.part_of:
            _check_parts(op, leaves[op.name])
            continue
        parts = [other.name for other in ops if other.part_of == op.name]
        boxes = [(leaf, box) for name in (op.name, *parts) for leaf in leaves[name] for box in leaf.boxes]
        for number, (leaf, box) in enumerate(boxes):
            if any(overlap(box, other) for _, other in boxes[:number]):
                refuse(leaf.node, "computes points that another line computes")
        missing = prod(op.extents) - sum(volume(box) for _, box in boxes)
        if (
            missing
            and op.name not in copies
            and not (op.is_fill and _is_overwritten(op, [box for _, box in boxes], ops, leaves))
        ):
            where = leaves[op.name][0].node if leaves[op.name] else None
            refuse(where, f"{missing} of the {prod(op.extents)} points of '{op.name}' are not computed")


def _is_overwritten(fill: Facts, boxes: list[Box], ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]]) -> bool:
    """Whether what `boxes` leave of a fill is overwritten by an op that does not read it."""
    (target,) = (touch for touch in fill.touches if touch.writes)
    for op in ops:
        mine = [touch for touch in op.touches if touch.buffer == target.buffer]
        if op is fill or not mine or not all(touch.writes for touch in mine):
            continue
        for touch in mine:
            boxes = [*boxes, *_images(touch, leaves[op.name])]
        break
    return union_volume(boxes) == prod(fill.extents)


def _check_parts(op: Facts, leaves: Sequence[Leaf]) -> None:
    """Whether the partial sums of `op` lie in their buffers, and fill them."""
    for touch in op.touches:
        if touch.writes and touch.shape and touch.indices:
            boxes = _images(touch, leaves)
            sizes = " x ".join(map(str, touch.shape))
            ends = [(end, size) for box in boxes for (_, end), size in zip(box, touch.shape, strict=True)]
            if any(end > size for end, size in ends):
                refuse(leaves[0].node, f"there are only {sizes} partial sums")
            if union_volume(boxes) != prod(touch.shape):
                refuse(leaves[0].node if leaves else None, f"not all {sizes} partial sums of '{op.name}' are used")


def _images(touch: Touch, leaves: Sequence[Leaf]) -> list[Box]:
    """The boxes of a buffer that `leaves` go to all elements of, where these are known."""
    found = [image(touch.indices, box) for leaf in leaves for box in leaf.boxes] if touch.indices else []
    return [each for each in found if each is not None]


def image(indices: Sequence[AffineSum], box: Box) -> Box | None:
    """The elements at `indices` where the dimensions are in `box`, None where they are not known to be a box."""
    used = [dim for index in indices for dim in index.dims()]
    ends = [each for index in indices if (each := _image(index, box)) is not None]
    return tuple(ends) if len(ends) == len(indices) and len(used) == len(set(used)) else None


def _image(index: AffineSum, box: Box) -> tuple[int, int] | None:
    """Start and end of the values of an index in a box, None where some may be left out."""
    strides: list[tuple[int, int]] = []
    start = index.const
    for atom, factor in index.terms.items():
        if isinstance(atom, int):
            ends: tuple[int, int] | None = box[atom]
        else:
            ends = _image(atom.lhs, box) if isinstance(atom, Division) else None
            if ends is not None and isinstance(atom, Division):
                ends = _divided(ends, atom)
        if ends is None or factor < 0:
            return None
        start += ends[0] * factor
        if ends[1] - ends[0] > 1:
            strides.append((factor, ends[1] - ends[0]))
    size = 1
    for stride, count in sorted(strides):
        if stride > size:
            return None
        size += stride * (count - 1)
    return start, start + size


def _divided(ends: tuple[int, int], division: Division) -> tuple[int, int] | None:
    """Of all numbers from a start to an end, the quotients or remainders."""
    first, last = ends[0] // division.divisor, (ends[1] - 1) // division.divisor
    if not division.remainder:
        return first, last + 1
    if ends[1] - ends[0] >= division.divisor:
        return 0, division.divisor
    start = ends[0] - first * division.divisor
    return (start, start + ends[1] - ends[0]) if first == last else None


def _check_pair(before: Sequence[Leaf], mine: Touch, behind: Sequence[Leaf], theirs: Touch, same: bool) -> None:
    """Whether what `before` touches is complete where `behind` touches it."""
    for left, right in product(before, behind):
        if are_apart(left, mine, right, theirs):
            continue
        common = common_loops(left, right)
        ranges = sum(len(loop.ranges) for loop in common)
        if same:
            if left is right:
                _check_threads(left, mine, theirs)
            continue
        if left.order > right.order:
            refuse(right.node, f"needs what '{left.node.op}' does, and stands before it")
        told = pinned(left, mine, right, theirs, ranges)
        for number in range(ranges):
            if left.counts[number] > 1 and number not in told and left.names[number] != right.node.after:
                refuse(
                    right.node,
                    f"the loop '{left.names[number]}' is around it and '{left.node.op}', which touch the same elements"
                    " in different trips",
                )


def _check_threads(leaf: Leaf, mine: Touch, theirs: Touch) -> None:
    if not (mine.writes or theirs.writes):
        return
    ranges = sum(len(loop.ranges) for loop in leaf.loops)
    told: set[int] | None = None
    number = 0
    for loop in leaf.loops:
        for range in loop.ranges:
            if loop.kind == PARALLEL and leaf.counts[number] > 1:
                told = pinned(leaf, mine, leaf, theirs, ranges) if told is None else told
                if number not in told:
                    refuse(loop, f"'{leaf.node.op}' writes the same elements in several trips of '{range.name}'")
            number += 1


def _check_memory(
    tree: Tree, ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]], private: Mapping[str, Hashable]
) -> None:
    kept: set[Hashable] = set()
    stages: dict[str, list[tuple[Stage, tuple[Loop, ...]]]] = {}
    for node, loops in tree.walk():
        if isinstance(node, Stage):
            stages.setdefault(node.operand, []).append((node, loops))
            continue
        for name in kept_by(node):
            if name not in private:
                if isinstance(node, Keep):
                    refuse(node, f"'{name}' writes no buffer that only this kernel uses")
                continue
            if private[name] in kept:
                refuse(node, "it is kept already")
            kept.add(private[name])
            for op in ops:
                touches = [touch for touch in op.touches if touch.buffer == private[name]]
                for leaf in leaves[op.name] if touches else ():
                    if leaf.loops[: len(loops)] != loops:
                        refuse(leaf.node, f"'{name}' is kept in loops that it is not in")
    for name, places in stages.items():
        _check_stages(places, private[name], ops, leaves)


def kept_by(node: Node) -> tuple[str, ...]:
    """The ops that write to what a node keeps."""
    if isinstance(node, Keep):
        return (node.buffer,)
    if isinstance(node, Parts):
        return f"{node.sum}.parts", f"{node.sum}.errors"
    return (node.operand,) if isinstance(node, Stage) else ()


def _check_stages(
    places: Sequence[tuple[Stage, tuple[Loop, ...]]],
    buffer: Hashable,
    ops: Sequence[Facts],
    leaves: Mapping[str, Sequence[Leaf]],
) -> None:
    """Whether what is read in the loops of small buffers is copied there, no two elements of a trip to one place."""
    (node, _), *others = places
    held = {loop for index in node.at for loop in index.loops()}
    (read,) = (touch for op in ops if op.name == node.operand for touch in op.touches if not touch.writes)
    for other, around in others:
        if other.at != node.at or any(around[: len(each)] == each for _, each in places if each is not around):
            refuse(other, "it is staged already")
    used = [(touch, leaf) for op in ops for touch in op.touches if touch.buffer == buffer for leaf in leaves[op.name]]
    for touch, leaf in used:
        found = [each for _, each in places if leaf.loops[: len(each)] == each]
        if not found and touch.writes:
            refuse(leaf.node, f"'{node.operand}' is staged in loops that it is not in")
        for loops in found:
            around = sum(len(loop.ranges) for loop in loops)
            for dim in (dim for dim in read.flat.dims() if f"d{dim}" not in held):
                if any(counter >= around for counter in leaf.at[dim].dims()):
                    refuse(leaf.node, f"'{node.operand}' has no place for the elements along dimension {dim}")
            copies = [each for other, each in used if other.writes and each.loops[: len(loops)] == loops]
            both = [common(one, two) for each in copies for one, two in product(leaf.boxes, each.boxes)]
            if sum(map(volume, both)) != sum(map(volume, leaf.boxes)):
                refuse(leaf.node, f"not all of what it reads is copied by '{node.operand}' in these loops")
