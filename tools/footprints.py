"""How much memory loops touch: the distinct elements behind the affine accesses of a nest.

An index is a sum of counters (`ir.affine`). Each counter takes as many values as its loop has trips, so the sum takes
at most the product of these, and at most all places between its least and its greatest value. The footprint of an
access is the product over its dimensions. That of a buffer is the sum over its accesses, no more than the box around
them and no more than the buffer. An index of which nothing is known takes a value a trip, any place of its dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, prod
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from ..ir.affine import AffineSum, Atom, Division, Variable
from ..ir.loops import LOOPS
from .loop_counters import counter_of, trips_of

UNKNOWN = 1 << 60
"""In place of a number of values, elements or bytes: from here on they are not known."""

MOST_TRIED = 4096
"""Values of a counter of which each is tried."""


class Access(NamedTuple):
    """A read or a write of part of a buffer."""

    buffer: SSAValue
    """Behind the view `memory`."""
    memory: SSAValue
    shape: tuple[int, ...]
    element_bytes: int
    writes: bool
    indices: tuple[AffineSum, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    """Of the last index, which other places are accessed with it: so many, so far apart, for each of those before."""
    whole: int | None = None
    """Bytes, of an access that is not one of elements at `indices`."""


class _Range(NamedTuple):
    """The values of an index: `number` of them between `low` and `low + span`, behind a part that does not change."""

    fixed: AffineSum
    low: int
    span: int
    number: int


_ANYWHERE = -1
"""The span of an index that may be anything."""


class Region:
    """A loop or a function, and which values change in it."""

    def __init__(self, root: Operation):
        self.root = root
        self._values: dict[SSAValue, int | None] = {}

    def values_of(self, value: SSAValue) -> int | None:
        """How many values `value` takes at most; None if unknown."""
        if value not in self._values:
            counter = counter_of(value)
            self._values[value] = counter.trips if counter and self._changes(value) else self._runs(value)
        return self._values[value]

    def _changes(self, value: SSAValue) -> bool:
        op = value.owner.parent_op()
        while op is not None and op is not self.root:
            op = op.parent_op()
        return op is not None

    def _runs(self, value: SSAValue) -> int | None:
        """How often `value` is computed: 1 if outside."""
        if not self._changes(value) or (isinstance(value.owner, Block) and value.owner.parent_op() is None):
            return 1
        total, op = 1, value.owner.parent_op()
        while op is not None:
            if op.__class__ in LOOPS:
                trips = trips_of(op)
                if trips is None:
                    return None
                total *= trips
            if op is self.root:
                break
            op = op.parent_op()
        return total

    def is_fixed(self, atom: Atom) -> bool:
        if isinstance(atom, Division):
            return all(self.is_fixed(variable) for variable in atom.lhs.variables())
        if isinstance(atom, int) or not self._changes(atom):
            return True
        return isinstance(atom.owner, Block) and isinstance(atom.owner.parent_op(), func.FuncOp)

    def normal(self, total: AffineSum) -> AffineSum:
        """Counters that change become what they start with and a number of steps, which the counter stands for."""
        result = AffineSum({}, total.const)
        for atom, coefficient in total.terms.items():
            if isinstance(atom, Division):
                atom = Division(self.normal(atom.lhs), atom.divisor, atom.remainder)
                result = result + AffineSum({atom: coefficient})
                continue
            counter = None if isinstance(atom, int) or self.is_fixed(atom) else counter_of(atom)
            if counter is None or counter.trips is None:
                result = result + AffineSum({atom: coefficient})
            else:
                steps = self.normal(counter.lower) + AffineSum({atom: counter.step})
                result = result + steps * coefficient
        return result

    def range_of(self, total: AffineSum, places: Sequence[tuple[int, int]] = ()) -> _Range:
        """The values of a normal sum, each with the `places` from there on, as of an `Access`."""
        fixed: dict[Atom, int] = {}
        terms = [(distance, number) for distance, number in places if number > 1]
        together = prod(number for _, number in terms)
        low = total.const
        divided = self._divided_and_whole(total)
        for part, number in divided.values():
            values = [_value_at(part, n) for n in range(number)]
            low += min(values)
            unit = gcd(*(value - values[0] for value in values)) or 1
            terms.append((unit, (max(values) - min(values)) // unit + 1))
        for atom, coefficient in total.terms.items():
            if not divided.keys().isdisjoint(AffineSum({atom: 1}).variables()):
                continue
            if self.is_fixed(atom):
                fixed[atom] = coefficient
                continue
            first, number = self._atom_range(atom)
            if number is None:
                return _Range(AffineSum({}), 0, _ANYWHERE, self._combinations(total) * together)
            low += first * coefficient + min(0, coefficient) * max(number - 1, 0)
            terms.append((abs(coefficient), number))
        span, count = _span_and_count(terms)
        return _Range(AffineSum(fixed), low, span, min(count, self._combinations(total) * together))

    def _divided_and_whole(self, total: AffineSum) -> dict[Variable, tuple[AffineSum, int]]:
        """The parts of a sum that only depend on one counter, which is divided in one atom and stands in another too,
        with the number of its values: blocks of which the last begin earlier. All values are tried.
        """
        found: dict[Variable, tuple[AffineSum, int]] = {}
        for division in total.divisions():
            variables = division.lhs.variables()
            variable = next(iter(variables), 0)
            if len(variables) != 1 or isinstance(variable, int) or self.is_fixed(variable):
                continue
            part = {atom: c for atom, c in total.terms.items() if variable in AffineSum({atom: 1}).variables()}
            number = self.values_of(variable)
            alone = all(AffineSum({atom: 1}).variables() == variables for atom in part)
            if alone and len(part) > 1 and number and number <= MOST_TRIED and counter_of(variable) is not None:
                found[variable] = AffineSum(part), number
        return found

    def _combinations(self, total: AffineSum) -> int:
        changing = [variable for variable in total.variables() if not self.is_fixed(variable)]
        values = [self.values_of(variable) for variable in changing if not isinstance(variable, int)]
        known = [number for number in values if number is not None]
        return prod(known) if len(known) == len(values) else UNKNOWN

    def _atom_range(self, atom: Atom) -> tuple[int, int | None]:
        """The least value of an atom, and how many values it takes."""
        if isinstance(atom, int):
            return 0, 1
        if not isinstance(atom, Division):
            known = counter_of(atom) is not None
            return 0, self.values_of(atom) if known else None
        inner, divisor = self.range_of(atom.lhs), atom.divisor
        if inner.span == _ANYWHERE:
            return 0, divisor if atom.remainder else None
        first, last = inner.low // divisor, (inner.low + inner.span - 1) // divisor
        if not atom.remainder:
            return first, last - first + 1 + bool(inner.fixed.terms)
        if first == last and not inner.fixed.terms:
            return inner.low % divisor, inner.span
        return 0, min(divisor, inner.span)


def _value_at(total: AffineSum, number: int) -> int:
    """The value of a sum of one counter, and of divisions of it, where the counter is `number`."""
    value = total.const
    for atom, coefficient in total.terms.items():
        if isinstance(atom, Division):
            quotient, remainder = divmod(_value_at(atom.lhs, number), atom.divisor)
            value += coefficient * (remainder if atom.remainder else quotient)
        else:
            value += coefficient * number
    return value


def _span_and_count(terms: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The places from the least to the greatest value of a sum of counters, and how many values it takes at most, from
    pairs of a coefficient and a number of values.
    """
    if any(number == 0 for _, number in terms):
        return 0, 0
    unit = gcd(*(coefficient for coefficient, number in terms if number > 1)) or 1
    span, count = 1, 1
    for coefficient, number in sorted(terms):
        span += coefficient * (number - 1)
        count = min(count * number, (span - 1) // unit + 1)
    return span, count


def footprint(accesses: Iterable[Access], region: Region) -> dict[SSAValue, int]:
    """The bytes of each buffer that `accesses` touch while `region` runs once."""
    boxes: dict[SSAValue, dict[tuple[SSAValue, tuple[AffineSum, ...]], set[tuple[_Range, ...]]]] = {}
    shapes: dict[SSAValue, tuple[tuple[int, ...], int]] = {}
    touched: dict[SSAValue, int] = {}
    for access in accesses:
        if access.whole is not None:
            touched[access.buffer] = max(touched.get(access.buffer, 0), access.whole)
            continue
        places = [()] * (len(access.indices) - 1) + [access.places]
        box = tuple(
            region.range_of(region.normal(index), each) for index, each in zip(access.indices, places, strict=False)
        )
        key = access.memory, tuple(each.fixed for each in box)
        boxes.setdefault(access.buffer, {}).setdefault(key, set()).add(box)
        shapes[access.memory] = access.shape, access.element_bytes
    for buffer, groups in boxes.items():
        total = sum(_volume(group, shapes[key[0]][0]) * shapes[key[0]][1] for key, group in groups.items())
        limit = max((prod(shape) * size for shape, size in (shapes[key[0]] for key in groups)), default=0)
        touched[buffer] = max(touched.get(buffer, 0), min(total, limit))
    return touched


def _volume(boxes: set[tuple[_Range, ...]], shape: Sequence[int]) -> int:
    """The number of elements in boxes with the same fixed parts: of each, and no more than in one around them."""
    total = sum(prod(min(each.number, extent) for each, extent in zip(box, shape, strict=True)) for box in boxes)
    around = 1
    for dim, extent in enumerate(shape):
        ranges = [box[dim] for box in boxes]
        if any(each.span == _ANYWHERE for each in ranges):
            around *= extent
        else:
            low, high = min(each.low for each in ranges), max(each.low + each.span for each in ranges)
            around *= min(high - low, extent)
    return min(total, around)
