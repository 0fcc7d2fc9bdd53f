"""Which points of an op a `compute` of a schedule computes, as boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod

from ..dialects.schedule.tree import (
    CHAIN,
    DOT,
    FOR,
    TILE,
    Compute,
    Digit,
    Index,
    Loop,
    Range,
)
from .affine import AffineSum, Division
from .schedule_errors import refuse


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
    if loop.kind not in (FOR, CHAIN) or not block.count:
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

MOST_INTERVALS = 64
"""How many runs of indices with others between them one line may compute."""


def boxes_of(compute: Compute, loops: Sequence[Loop], extents: Sequence[int]) -> list[Box]:
    """The points of an op of `extents` that `compute`, inside of `loops`, computes, each once."""
    if len(compute.at) != len(extents):
        refuse(compute, f"{compute.op} has {len(extents)} dimensions, not {len(compute.at)}")
    values, at = _with_digits(*_with_whole_sums(compute, _values_at(compute, loops)))
    unused = {name for name, each in values.items() if each.count > 1}
    plain: dict[int, list[tuple[int, int]]] = {}
    digits: dict[str | Index, list[tuple[Digit, int]]] = {}
    padding = _padding(loops)

    def inside(interval: tuple[int, int], index: Index, extent: int) -> tuple[int, int]:
        """The values of `index` without those that a `dot` takes for zero."""
        start, end = interval
        past = sum(padding.get(name, 0) for name in index.loops())
        return start, extent if extent < end <= extent + past else end

    for dim, index in enumerate(at):
        if any(map(_is_divided, index.digits)):
            if len(index.digits) != 1 or index.digits[0].factor != 1:
                refuse(compute, f"dimension {dim}: a quotient or remainder stands alone")
            (digit,) = index.digits
            digits.setdefault(digit.of, []).append((digit, dim))
        else:
            intervals = _intervals(compute, index, values, unused, f"dimension {dim}")
            plain[dim] = [inside(interval, index, extents[dim]) for interval in intervals]
    several: list[list[Box]] = []
    places: list[int] = []
    for of, found in digits.items():
        dims, sizes = _dims_of_digits(compute, found, extents)
        whole = of if isinstance(of, Index) else Index((Digit(of),))
        intervals = _intervals(compute, whole, values, unused, "a quotient")
        ranges = [inside(each, whole, prod(sizes)) for each in intervals]
        if found[-1][0].modulus and any(end > prod(sizes) for _, end in ranges):
            refuse(compute, f"dimension {dims[0]}: a remainder that begins again")
        several.append([box for each in ranges for box in _cut(*each, sizes)])
        places += dims
    if unused:
        refuse(compute, f"the loop '{min(unused)}' around it would compute it several times")
    result: list[Box] = []
    for parts in product(*several):
        moved = {dim: at[dim].constant for dim in places}
        joined = zip(places, (each for part in parts for each in part), strict=True)
        found_there = {dim: [(start + moved[dim], end + moved[dim])] for dim, (start, end) in joined}
        result += product(*({**plain, **found_there}[dim] for dim in range(len(extents))))
    for each in result:
        for dim, ((start, end), extent) in enumerate(zip(each, extents, strict=True)):
            if start < 0 or end > extent:
                refuse(compute, f"dimension {dim} goes from 0 to {extent}, not from {start} to {end}")
    return result


def _padding(loops: Sequence[Loop]) -> dict[str, int]:
    """How many steps past the end of a dimension words may go, by the variable that walks a word."""
    return {range.name: range.end - 1 for loop in loops if loop.kind == DOT for range in loop.ranges}


def _is_divided(digit: Digit) -> bool:
    return digit.divisor != 1 or digit.modulus != 0


def _with_whole_sums(compute: Compute, values: Mapping[str, Values]) -> tuple[dict[str, Values], tuple[Index, ...]]:
    """The values and indices with one loop in the place of those of a sum of which quotients are in sums."""
    at, found = compute.at, dict(values)
    digits = [digit for index in at for digit in index.digits]
    sums = {digit.of for index in at if len(index.digits) > 1 for digit in index.digits if _is_divided(digit)}
    for whole in (each for each in sums if isinstance(each, Index)):
        names = whole.loops()
        if any(names & digit.loops() for digit in digits if digit.of != whole) or not names <= found.keys():
            continue
        several = {name for name in names if found[name].count > 1}
        ((start, end), *others) = _intervals(compute, whole, found, several, "a quotient")
        if others:
            continue
        name = " + ".join(sorted(names))
        found = {each: of for each, of in found.items() if each not in names} | {name: Values(start, 1, end - start)}
        at = tuple(
            replace(index, digits=tuple(replace(each, of=name) if each.of == whole else each for each in index.digits))
            for index in at
        )
    return found, at


def _with_digits(values: Mapping[str, Values], at: tuple[Index, ...]) -> tuple[dict[str, Values], tuple[Index, ...]]:
    """The values and indices with several loops in the place of one, of which quotients and remainders are in sums."""
    divided = {digit.of for index in _sums(at) for digit in index.digits if _is_divided(digit)}
    found = dict(values)
    names = [name for name in divided if isinstance(name, str) and name in values]
    for name in names:
        each = found[name]
        sizes = {
            digit.modulus
            for index in (*at, *_sums(at))
            for digit in index.digits
            if digit.of == name and digit.divisor == 1
        }
        size = min(sizes - {0}, default=0)
        if size and each.step == 1 and not each.start and each.count % size == 0 and not each.rest:
            at = tuple(_in_two(index, name, size) for index in at)
            del found[name]
            found[f"{name} mod {size}"] = Values(0, 1, size)
            found[f"{name} floordiv {size}"] = Values(0, 1, each.count // size)
            names.append(f"{name} floordiv {size}")
    return found, at


def _in_two(index: Index, name: str, size: int) -> Index:
    """`index` where two loops, of which the inner one has `size` trips, are in the place of the loop `name`."""
    digits: list[Digit] = []
    for digit in index.digits:
        if isinstance(digit.of, Index):
            digits.append(replace(digit, of=_in_two(digit.of, name, size)))
        elif digit.of == name and digit.modulus == size and digit.divisor == 1:
            digits.append(replace(digit, of=f"{name} mod {size}", modulus=0))
        elif digit.of == name and digit.divisor % size == 0:
            digits.append(replace(digit, of=f"{name} floordiv {size}", divisor=digit.divisor // size))
        else:
            digits.append(digit)
    return Index(tuple(digits), index.constant)


def _sums(at: Sequence[Index]) -> list[Index]:
    """The sums of digits in indices."""
    inside = [digit.of for index in at for digit in index.digits if isinstance(digit.of, Index)]
    return [*(index for index in at if len(index.digits) > 1), *inside]


def _intervals(
    compute: Compute, index: Index, values: Mapping[str, Values], unused: set[str], what: str
) -> list[tuple[int, int]]:
    """Starts and ends of the numbers that `index` is, each once; its loops are no longer in `unused`."""
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
    starts, size = [start], 1
    for stride, count, covered in sorted(strides):
        if stride == size and len(starts) == 1:
            size = covered or size * count
        elif stride < starts[-1] - start + size or covered or count * len(starts) > MOST_INTERVALS:
            refuse(compute, f"{what} is not every index once: steps of {stride} where {size} are covered")
        else:
            starts = [number * stride + each for number in range(count) for each in starts]
    return [(each, each + size) for each in starts]


def _dims_of_digits(
    compute: Compute, digits: list[tuple[Digit, int]], extents: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The dimensions that are the digits of one number, the most significant one first, and how many values they take:
    all of them, or some from the first one on."""
    digits.sort(key=lambda each: each[0].divisor)
    sizes, size = list[int](), 1
    for number, (digit, dim) in enumerate(digits):
        last = number == len(digits) - 1
        if digit.divisor != size or (digit.modulus > extents[dim] if digit.modulus else not last):
            refuse(compute, f"dimension {dim}: expected the quotient by {size} and the remainder by {extents[dim]}")
        sizes.append(digit.modulus or extents[dim])
        size *= sizes[-1]
    return [dim for _, dim in reversed(digits)], sizes[::-1]


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


def image(indices: Sequence[AffineSum], box: Box) -> Box | None:
    """The elements at `indices` where the dimensions are in `box`, None where they are not known to be a box."""
    used = Counter(dim for index in indices for dim in index.dims())
    ends = [each for index in indices if (each := _image(index, box)) is not None]
    apart = all(count == 1 or _are_digits(indices, dim, box) for dim, count in used.items())
    return tuple(ends) if len(ends) == len(indices) and apart else None


def _are_digits(indices: Sequence[AffineSum], dim: int, box: Box) -> bool:
    """Whether what `indices` have of a dimension are quotient and remainder of a number, all by all."""
    found = [atom for index in indices for atom in index.terms if dim in AffineSum({atom: 1}).dims()]
    divisions = [atom for atom in found if isinstance(atom, Division)]
    if len(found) != 2 or len(divisions) != 2:
        return False
    one, other = divisions
    ends = _image(one.lhs, box)
    return (
        one._replace(remainder=not one.remainder) == other
        and ends is not None
        and all(end % one.divisor == 0 for end in ends)
    )


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
