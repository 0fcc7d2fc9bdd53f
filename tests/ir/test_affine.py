"""The algebra of affine indices: numbers in, answers out."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineDimExpr, AffineExpr, AffineMap
from xdsl_xla.ir.affine import ZERO, AffineSum, Division, NotLinear, dimension, divide, from_expr, linearize, sums_of

D0, D1 = AffineExpr.dimension(0), AffineExpr.dimension(1)
X, Y = dimension(0), dimension(1)


def sum_of(expr: AffineExpr, *extents: int) -> AffineSum:
    return from_expr(expr, [X, Y], extents)


@pytest.mark.parametrize(
    ("expr", "terms", "const"),
    [
        (AffineExpr.constant(7), {}, 7),
        (D0 * 3 + D1 - 4, {0: 3, 1: 1}, -4),
        ((D0 + 1) * 6 - D0 * 6, {}, 6),
        ((D0 * 8 + D1) // 8, {0: 1}, 0),
        ((D0 * 8 + D1) % 8, {1: 1}, 0),
        ((D0 // 4) * 4 + D0 % 4, {0: 1}, 0),
        (D1 % 16, {1: 1}, 0),
    ],
)
def test_sums_of_variables_within_their_extents(expr: AffineExpr, terms: dict[int, int], const: int) -> None:
    found = sum_of(expr, 10, 8)
    assert (found.terms, found.const) == (terms, const)


@pytest.mark.parametrize(
    "expr", [D0 * 3 + 1, (D0 * 5 + D1 * 2 - 3) // 4, (D0 - D1) % 3 + D1, D0.ceil_div(3) * 2, ((D0 + D1) // 2) % 3]
)
def test_a_sum_has_the_value_of_its_expression(expr: AffineExpr) -> None:
    found = sum_of(expr, 5, 7)
    again = found.expression(lambda variable: AffineDimExpr(variable))  # type: ignore[arg-type]
    values: list[int] = []
    for point in product(range(5), range(7)):
        value = expr.eval(point, ())
        values.append(value)
        assert value == again.eval(point, ())
    bounds = found.bounds((5, 7))
    assert bounds is not None and bounds[0] <= min(values) and max(values) <= bounds[1]


def test_without_extents_divisions_stay() -> None:
    assert sum_of((D0 * 8 + D1) // 8).divisions() == [Division(Y, 8, False)]
    assert sum_of(D0 // 8).bounds(()) is None


@pytest.mark.parametrize(
    "expr",
    [
        AffineBinaryOpExpr(AffineBinaryOpKind.Mul, D0, D1),
        AffineBinaryOpExpr(AffineBinaryOpKind.FloorDiv, D0, D1),
        AffineBinaryOpExpr(AffineBinaryOpKind.Mod, D0, AffineExpr.constant(0)),
    ],
)
def test_what_is_no_sum(expr: AffineExpr) -> None:
    with pytest.raises(NotLinear):
        sum_of(expr, 4, 4)


def test_strides() -> None:
    index = sum_of(D0 * 6 + D1 // 2)
    assert index.stride(0) == 6
    assert index.stride(1) is None


@pytest.mark.parametrize(("slopes", "expected"), [((1, 0), 6), ((-2, 0), -12), ((0, 0), 0)])
def test_slopes(slopes: tuple[int, int], expected: int) -> None:
    assert sum_of(D0 * 6 + D1 // 2).slope(slopes) == expected


def test_a_quotient_has_no_slope() -> None:
    with pytest.raises(NotLinear):
        sum_of(D0 * 6 + D1 // 2).slope((1, 1))


@pytest.mark.parametrize(
    ("expr", "divisors", "expected"),
    [(D0 * 12 + D1 * 8, (1, 1), 4), (D0 + 6, (0, 1), 6), (D0 * 4 + D1 // 2, (4, 8), 1), (D0 + D1, (8, 12), 4)],
)
def test_divisors(expr: AffineExpr, divisors: tuple[int, int], expected: int) -> None:
    assert sum_of(expr).divisor(divisors) == expected


def test_row_major_places() -> None:
    assert linearize([X, Y, ZERO + 2], (4, 5, 6)) == X * 30 + Y * 6 + 2
    assert linearize([sum_of(D0 // 8), sum_of(D0 % 8)], (3, 8)) == X


def test_symbols_are_numbered_behind_dimensions() -> None:
    map = AffineMap(1, 1, (D0 * 2 + AffineExpr.symbol(0), D0))
    assert sums_of(map) == (X * 2 + Y, X)


def test_substitution_composes() -> None:
    outer = sum_of(D0 // 4)
    assert outer.substitute({0: X * 4 + Y}, (9, 4)) == X


def test_digits_of_a_sum_of_loops_are_joined() -> None:
    """`60 i + k` in digits of 3, 20 and 5 is itself again, wherever its terms are divided already."""
    whole, extents = AffineSum({0: 60, 1: 1}), (5, 60)
    high = divide(whole, Division(whole, 100, False), extents)
    middle = divide(divide(whole, Division(whole, 5, False), extents), Division(whole, 20, True), extents)
    low = divide(whole, Division(whole, 5, True), extents)
    assert (high * 100 + middle * 5 + low).join_divisions() == whole


@pytest.mark.parametrize("divisor", [4, 6, 10, 64])
def test_quotients_and_remainders_are_those_of_the_numbers(divisor: int) -> None:
    whole, extents = AffineSum({0: 16, 1: 1}, 3), (9, 13)
    for remainder in (False, True):
        value = divide(whole, Division(whole, divisor, remainder), extents)
        for i, j in product(*map(range, extents)):
            number = 16 * i + j + 3
            assert evaluated(value, (i, j)) == (number % divisor if remainder else number // divisor)


def evaluated(value: AffineSum, point: tuple[int, ...]) -> int:
    total = value.const
    for atom, factor in value.terms.items():
        if isinstance(atom, Division):
            inner = evaluated(atom.lhs, point)
            total += factor * (inner % atom.divisor if atom.remainder else inner // atom.divisor)
        else:
            assert isinstance(atom, int)
            total += factor * point[atom]
    return total
