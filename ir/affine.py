"""The algebra of affine indices: sums `c0 + c1 * atom1 + ...`, the form in which strides can be read off.

An atom is a variable, which is a dimension of a map or a nest (an `int`) or an SSA index value, or a division `(sum)
floordiv n`, `(sum) mod n` that does not simplify. Extents bound the variables, so divisions left by composed reshapes
mostly disappear: `(d0 * 8 + d1) floordiv 8` with `d1 < 8` is `d0`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)


class Division(NamedTuple):
    """`lhs floordiv divisor`, or `lhs mod divisor` where `remainder` is set."""

    lhs: AffineSum
    divisor: int
    remainder: bool


Variable: TypeAlias = int | SSAValue
Atom: TypeAlias = Variable | Division


class NotLinear(Exception):
    """An index is no linear function of what it is asked about."""


class AffineSum:
    """An immutable sum `const + sum(coefficient * atom)`; no coefficient is zero."""

    __slots__ = ("_divided", "_hash", "const", "terms")

    def __init__(self, terms: dict[Atom, int], const: int = 0):
        self.terms = terms
        self.const = const
        self._hash: int | None = None
        self._divided: set[Variable] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AffineSum) and self.const == other.const and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.const, frozenset(self.terms.items())))
        return self._hash

    def __repr__(self) -> str:
        return f"AffineSum({self.terms}, {self.const})"

    def __add__(self, other: AffineSum | int) -> AffineSum:
        if isinstance(other, int):
            return AffineSum(self.terms, self.const + other) if other else self
        terms = dict(self.terms)
        _accumulate(terms, other, 1)
        return AffineSum(terms, self.const + other.const)

    def __mul__(self, factor: int) -> AffineSum:
        if factor == 1:
            return self
        if factor == 0:
            return ZERO
        return AffineSum({a: c * factor for a, c in self.terms.items()}, self.const * factor)

    def variables(self) -> set[Variable]:
        """What the value depends on."""
        found: set[Variable] = set()
        for atom in self.terms:
            if isinstance(atom, Division):
                found |= atom.lhs.variables()
            else:
                found.add(atom)
        return found

    def dims(self) -> set[int]:
        """The dimensions the value depends on."""
        return {variable for variable in self.variables() if isinstance(variable, int)}

    def divisions(self) -> list[Division]:
        """The division atoms."""
        return [atom for atom in self.terms if isinstance(atom, Division)]

    def stride(self, variable: Variable) -> int | None:
        """How the value grows with a variable; None where that is not constant."""
        if self._divided is None:
            self._divided = set().union(*(division.lhs.variables() for division in self.divisions()))
        return None if variable in self._divided else self.terms.get(variable, 0)

    def slope(self, slopes: Sequence[int]) -> int:
        """How the value grows where each dimension grows by its one of `slopes`. Raises `NotLinear`."""
        total = 0
        for atom, coefficient in self.terms.items():
            if isinstance(atom, int):
                total += coefficient * slopes[atom]
            elif isinstance(atom, Division) and any(slopes[dim] for dim in atom.lhs.dims()):
                raise NotLinear
        return total

    def divisor(self, divisors: Sequence[int]) -> int:
        """A number that divides the value, for those that divide the dimensions."""
        found = self.const
        for atom, coefficient in self.terms.items():
            found = gcd(found, coefficient * (divisors[atom] if isinstance(atom, int) else 1))
        return found

    def expression(self, operand: Callable[[Variable], AffineExpr | int]) -> AffineExpr:
        """The expression of an affine map, each variable being what `operand` says."""
        const = self.const
        result: AffineExpr | None = None
        for atom, coefficient in self.terms.items():
            if isinstance(atom, Division):
                kind = AffineBinaryOpKind.Mod if atom.remainder else AffineBinaryOpKind.FloorDiv
                term = AffineExpr.binary(kind, atom.lhs.expression(operand), AffineConstantExpr(atom.divisor))
            else:
                term = operand(atom)
                if isinstance(term, int):
                    const += term * coefficient
                    continue
            if coefficient != 1:
                term = term * coefficient
            result = term if result is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, result, term)
        if result is None:
            return AffineConstantExpr(const)
        return result + const if const else result

    def bounds(self, extents: Sequence[int]) -> tuple[int, int] | None:
        """Least and greatest value while every dimension stays inside its extent; None if unknown."""
        low = high = self.const
        for atom, coefficient in self.terms.items():
            if isinstance(atom, int):
                if atom >= len(extents):
                    return None
                first, last = 0, max(extents[atom] - 1, 0)
            elif isinstance(atom, Division):
                inner = atom.lhs.bounds(extents)
                if atom.remainder:
                    first, last = 0, atom.divisor - 1
                elif inner is None:
                    return None
                else:
                    first, last = inner[0] // atom.divisor, inner[1] // atom.divisor
            else:
                return None
            if coefficient < 0:
                first, last = last, first
            low += coefficient * first
            high += coefficient * last
        return low, high

    def substitute(self, values: Mapping[int, AffineSum], extents: Sequence[int]) -> AffineSum:
        """The sum with dimensions replaced by `values` (dimensions not in it stay); `extents` bound the new ones."""
        terms: dict[Atom, int] = {}
        const, divides = self.const, False
        for atom, coefficient in self.terms.items():
            if isinstance(atom, Division):
                value = divide(atom.lhs.substitute(values, extents), atom, extents)
            else:
                value = values.get(cast(int, atom)) or dimension(atom)
            divides = divides or any(isinstance(inner, Division) for inner in value.terms)
            _accumulate(terms, value, coefficient)
            const += value.const * coefficient
        result = AffineSum(terms, const)
        return result.join_divisions() if divides else result

    def join_divisions(self) -> AffineSum:
        """Replaces `c * n * (e floordiv n) + c * (e mod n)` by `c * e`: the round trip of a reshape."""
        for atom in self.divisions():
            if not atom.remainder:
                continue
            quotient = quotient_of(atom.lhs, atom.divisor)
            coefficient = self.terms.get(atom)
            if coefficient is not None and self.terms.get(quotient) == coefficient * atom.divisor:
                terms = {a: c for a, c in self.terms.items() if a not in (atom, quotient)}
                joined = AffineSum(terms, self.const) + atom.lhs * coefficient
                return joined.join_divisions()
        return self


def _accumulate(terms: dict[Atom, int], value: AffineSum, factor: int) -> None:
    """Adds `value * factor`, but for its constant, to `terms`."""
    for atom, coefficient in value.terms.items():
        total = terms.get(atom, 0) + coefficient * factor
        if total:
            terms[atom] = total
        else:
            del terms[atom]


ZERO = AffineSum({})


def dimension(dim: Variable) -> AffineSum:
    """The value of a variable."""
    return AffineSum({dim: 1})


def divide(lhs: AffineSum, like: Division, extents: Sequence[int]) -> AffineSum:
    """`lhs` divided as in `like`: multiples of the divisor go in front, a rest known to be smaller disappears."""
    divisor = like.divisor
    multiple = {a: c for a, c in lhs.terms.items() if c % divisor == 0}
    rest = AffineSum({a: c for a, c in lhs.terms.items() if c % divisor != 0}, lhs.const % divisor)
    if _is_within(rest, divisor, extents):
        quotient, remainder = ZERO, rest
    else:
        # (16 i + j) floordiv 64 is i floordiv 4 where j is less than 16.
        for unit in sorted({gcd(c, divisor) for c in rest.terms.values()} - {1}, reverse=True):
            units = AffineSum({a: c // unit for a, c in rest.terms.items() if c % unit == 0}, rest.const // unit)
            small = AffineSum({a: c for a, c in rest.terms.items() if c % unit != 0}, rest.const % unit)
            if _is_within(small, unit, extents):
                quotient = AffineSum({quotient_of(units, divisor // unit): 1})
                remainder = AffineSum({Division(units, divisor // unit, True): unit}) + small
                break
        else:
            quotient = AffineSum({quotient_of(rest, divisor): 1})
            remainder = AffineSum({Division(rest, divisor, True): 1})
    if like.remainder:
        return remainder
    return AffineSum({a: c // divisor for a, c in multiple.items()}, lhs.const // divisor) + quotient


def _is_within(value: AffineSum, end: int, extents: Sequence[int]) -> bool:
    bounds = value.bounds(extents)
    return bounds is not None and bounds[0] >= 0 and bounds[1] < end


def quotient_of(lhs: AffineSum, divisor: int) -> Division:
    """`lhs floordiv divisor`; with a quotient in `lhs` as one division: (4 i + j floordiv 5) floordiv 20 is
    (20 i + j) floordiv 100.
    """
    inner = lhs.divisions()
    if len(inner) == 1 and not inner[0].remainder and lhs.terms[inner[0]] == 1:
        (atom,) = inner
        others = AffineSum({a: c for a, c in lhs.terms.items() if a != atom}, lhs.const)
        return Division(others * atom.divisor + atom.lhs, atom.divisor * divisor, False)
    return Division(lhs, divisor, False)


def from_expr(
    expr: AffineExpr, dims: Sequence[AffineSum], extents: Sequence[int] = (), symbols: Sequence[AffineSum] = ()
) -> AffineSum:
    """The sum for `expr`, whose dimension `i` has the value `dims[i]`; `extents` bound the variables of these. Raises
    `NotLinear` for products of variables and divisions by others than positive constants.
    """
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineConstantExpr):
        return AffineSum({}, expr.value)
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    assert isinstance(expr, AffineBinaryOpExpr)
    lhs = from_expr(expr.lhs, dims, extents, symbols)
    rhs = from_expr(expr.rhs, dims, extents, symbols)
    if expr.kind is AffineBinaryOpKind.Add:
        return (lhs + rhs).join_divisions()
    if rhs.terms and (lhs.terms or expr.kind is not AffineBinaryOpKind.Mul):
        raise NotLinear
    if expr.kind is AffineBinaryOpKind.Mul:
        return lhs * rhs.const if not rhs.terms else rhs * lhs.const
    if rhs.const < 1:
        raise NotLinear
    if expr.kind is AffineBinaryOpKind.CeilDiv:
        return divide(lhs + (rhs.const - 1), Division(ZERO, rhs.const, False), extents)
    remainder = expr.kind is AffineBinaryOpKind.Mod
    return divide(lhs, Division(ZERO, rhs.const, remainder), extents)


@lru_cache(1 << 12)
def sums_of(map: AffineMap) -> tuple[AffineSum, ...]:
    """The results of `map` over its dimensions, behind which its symbols are numbered. Raises `NotLinear`."""
    variables = [dimension(position) for position in range(map.num_dims + map.num_symbols)]
    dims, symbols = variables[: map.num_dims], variables[map.num_dims :]
    return tuple(from_expr(expr, dims, (), symbols) for expr in map.results)


def linearize(indices: Sequence[AffineSum], shape: Sequence[int]) -> AffineSum:
    """The row-major element offset of `indices` in a dense array of `shape`."""
    total = ZERO
    stride = 1
    for index, extent in zip(reversed(indices), reversed(shape), strict=True):
        total = total + index * stride
        stride *= extent
    return total.join_divisions()
