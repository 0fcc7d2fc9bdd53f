"""Functions of complex numbers: accuracy against extended precision, special values against the reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from complex_numpy import Array, evaluate
from xdsl.dialects import complex
from xdsl.ir import Operation
from xdsl_xla.passes.loops.complex_functions import FUNCTIONS, IN_OWN_PRECISION
from xdsl_xla.reference import complex_functions as reference

EXACT: dict[type[Operation], Callable[..., Any]] = {
    complex.AbsOp: np.abs,
    complex.AngleOp: np.angle,
    complex.CosOp: np.cos,
    complex.DivOp: np.divide,
    complex.ExpOp: np.exp,
    complex.Expm1Op: lambda z: _parts(
        np.expm1(z.real) * np.cos(z.imag) - 2 * np.sin(z.imag / 2) ** 2, np.exp(z.real) * np.sin(z.imag)
    ),
    complex.LogOp: lambda z: _parts(_log_magnitude(z, (z.real - 1) * (z.real + 1) + z.imag * z.imag), np.angle(z)),
    complex.Log1pOp: lambda z: _parts(
        _log_magnitude(1 + z, 2 * z.real + (z.real * z.real + z.imag * z.imag)), np.angle(1 + z)
    ),
    complex.RsqrtOp: lambda z: 1 / np.sqrt(z),
    complex.SignOp: lambda z: z / np.abs(z),
    complex.SinOp: np.sin,
    complex.SqrtOp: np.sqrt,
    complex.TanOp: np.tan,
    complex.TanhOp: np.tanh,
}
"""The same in extended precision, 64 bits instead of 53."""

SPECIAL: dict[type[Operation], Callable[..., Array]] = {
    complex.AbsOp: np.abs,
    complex.CosOp: np.cos,
    complex.ExpOp: np.exp,
    complex.Expm1Op: reference.exponential_minus_one_complex,
    complex.LogOp: np.log,
    complex.Log1pOp: reference.log_plus_one_complex,
    complex.RsqrtOp: lambda z: _conjugate_like(reference.reciprocal_square_root_complex(z), z),
    complex.SignOp: reference.sign_complex,
    complex.SinOp: np.sin,
    complex.SqrtOp: np.sqrt,
    complex.TanOp: np.tan,
    complex.TanhOp: np.tanh,
}
"""Functions that follow Annex G: the C library's, through NumPy, and the reference's."""

BOUNDED = (complex.CosOp, complex.ExpOp, complex.Expm1Op, complex.SinOp, complex.TanOp, complex.TanhOp)
"""Their operands are kept from overflowing."""


def _parts(real: Array, imag: Array) -> Array:
    result = np.empty(real.shape, np.clongdouble)
    result.real, result.imag = real, imag
    return result


def _conjugate_like(result: Array, z: Array) -> Array:
    """`result` with the sign of its imaginary part opposite to that of `z`, also where it is zero."""
    signed = result.copy()
    signed.imag = np.copysign(result.imag, -z.imag)
    return signed


def _log_magnitude(z: Array, excess: Array) -> Array:
    """log |z|, `excess` being |z|**2 - 1."""
    return np.where(np.abs(np.abs(z) - 1) < 0.5, np.log1p(excess) / 2, np.log(np.abs(z)))


def _random(function: type[Operation], dtype: Any, count: int, seed: int) -> Array:
    """Parts of all magnitudes, close to one another and far apart; and points near the unit circle."""
    random = np.random.default_rng(seed)
    widest = 60 if dtype == np.complex64 else 500
    span = (-20.0, 4.0) if function in BOUNDED else (-float(widest), float(widest))
    values = np.empty(3 * count, dtype)
    for part in (values.real, values.imag):
        near = random.uniform(-3, 3, count)
        far = random.uniform(*span, count)
        part[: 2 * count] = np.exp2(np.concatenate([near, far])) * random.choice([-1, 1], 2 * count)
    angle = random.uniform(-np.pi, np.pi, count)
    distance = 1 + np.exp2(random.uniform(-12, -1, count)) * random.choice([-1, 1], count)
    values[2 * count :] = np.exp(1j * angle) * distance
    return values - 1 if function is complex.Log1pOp else values


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", EXACT, ids=lambda function: function.name)
def test_accuracy(function: type[Operation], dtype: Any, fused: bool) -> None:
    """What is computed in double precision is rounded once to single; all else within 4 units of the magnitude."""
    operands = [_random(function, dtype, 2000, seed=1)]
    if function is complex.DivOp:
        operands.append(np.random.default_rng(2).permutation(operands[0]))
    result = evaluate(FUNCTIONS[function], fused, *operands)
    with np.errstate(all="ignore"):
        exact = EXACT[function](*(operand.astype(np.clongdouble) for operand in operands))
    bits = np.finfo(dtype).nmant
    finite = np.isfinite(result) & (np.abs(exact) > np.finfo(dtype).tiny)
    assert finite.sum() > 3000
    error = np.abs(result.astype(np.clongdouble) - exact)[finite] / np.abs(exact)[finite]
    is_wide = dtype == np.complex64 and FUNCTIONS[function] not in IN_OWN_PRECISION
    assert float(error.max()) * 2.0**bits < (0.8 if is_wide else 4.0)


PARTS = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, np.inf, -np.inf, np.nan]


def _grid() -> Array:
    x, y = np.meshgrid(PARTS, PARTS)
    values = np.empty(x.size, np.complex128)
    values.real, values.imag = x.ravel(), y.ravel()
    return values


def _assert_same(result: Array, expected: Array, signs: Array) -> None:
    """Equal up to rounding, infinities and NaN included, with the same sign where `signs` says so."""
    pairs = (
        [(result.real, expected.real), (result.imag, expected.imag)]
        if np.iscomplexobj(result)
        else [(result, expected)]
    )
    for got, wanted in pairs:
        np.testing.assert_allclose(
            np.where(signs, got, np.abs(got)),
            np.where(signs, wanted, np.abs(wanted)),
            rtol=45 * np.finfo(result.dtype).eps,
        )
        known = ~np.isnan(wanted) & signs
        np.testing.assert_array_equal(np.signbit(got[known]), np.signbit(wanted[known]))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", SPECIAL, ids=lambda function: function.name)
def test_special_values(function: type[Operation], dtype: Any) -> None:
    values = _grid().astype(dtype)
    with np.errstate(all="ignore"):
        expected = SPECIAL[function](values)
    # Annex G leaves many signs open where the operand is not finite.
    _assert_same(evaluate(FUNCTIONS[function], True, values), expected, np.isfinite(values))


def test_division_of_special_values() -> None:
    values = _grid()
    lhs, rhs = np.repeat(values, len(values)), np.tile(values, len(values))
    with np.errstate(all="ignore"):
        expected = reference.divide_complex(lhs, rhs)
    for fused in (True, False):
        result = evaluate(FUNCTIONS[complex.DivOp], fused, lhs, rhs)
        for got, wanted in ((result.real, expected.real), (result.imag, expected.imag)):
            np.testing.assert_allclose(got, wanted, rtol=1e-15)


def test_extreme_magnitudes_of_single_precision() -> None:
    for scale in (np.finfo(np.float32).max / 8, 1e-30, np.finfo(np.float32).smallest_subnormal * 1024):
        z = (np.array([complex_of(3, 4)]) * float(scale)).astype(np.complex64)
        np.testing.assert_allclose(evaluate(FUNCTIONS[complex.AbsOp], True, z), 5 * scale, rtol=3e-7)
        root = evaluate(FUNCTIONS[complex.SqrtOp], True, z)
        np.testing.assert_allclose(root, complex_of(2, 1) * np.sqrt(scale), rtol=3e-7)


def test_extreme_magnitudes() -> None:
    """Nothing overflows or vanishes on the way to a result in range."""
    largest, least = np.finfo(np.float64).max, 5e-324
    for scale in (largest / 8, 1e-300, least * 1024):
        z = np.array([complex_of(3, 4)]) * scale
        np.testing.assert_allclose(evaluate(FUNCTIONS[complex.AbsOp], True, z), 5 * scale, rtol=1e-15)
        np.testing.assert_allclose(evaluate(FUNCTIONS[complex.DivOp], True, z, z), 1, rtol=1e-15)
        np.testing.assert_allclose(evaluate(FUNCTIONS[complex.SignOp], True, z), 0.6 + 0.8j, rtol=1e-15)
        root = evaluate(FUNCTIONS[complex.SqrtOp], True, z)
        np.testing.assert_allclose(root, complex_of(2, 1) * np.sqrt(scale), rtol=1e-15)
        log = evaluate(FUNCTIONS[complex.LogOp], True, z)
        np.testing.assert_allclose(log.real, np.log(5) + np.log(scale), rtol=1e-15)
    z = np.array([complex_of(745, np.pi / 2)])
    np.testing.assert_allclose(
        evaluate(FUNCTIONS[complex.ExpOp], True, z).real, np.exp(700) * (np.exp(45) * np.cos(np.pi / 2))
    )


def complex_of(real: float, imag: float) -> np.complex128:
    return np.complex128(real) + 1j * np.complex128(imag)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_power(dtype: Any) -> None:
    random = np.random.default_rng(3)
    base, exponent = (random.normal(size=1000) + 1j * random.normal(size=1000) for _ in range(2))
    base, exponent = base.astype(dtype), exponent.astype(dtype)
    result = evaluate(FUNCTIONS[complex.PowOp], True, base, exponent)
    with np.errstate(all="ignore"):
        exact = np.exp(exponent.astype(np.clongdouble) * np.log(base.astype(np.clongdouble)))
    # The exponent of the exponential is up to some tens, and so is what its rounding error grows by.
    limit = 0.8 if dtype == np.complex64 else 50.0
    assert float(np.max(np.abs(result - exact) / np.abs(exact))) * 2.0 ** np.finfo(dtype).nmant < limit
    special = evaluate(FUNCTIONS[complex.PowOp], True, np.array([0, 0, 0, 2], dtype), np.array([0, 2, -1, 0], dtype))
    np.testing.assert_array_equal(special[[0, 1, 3]], [1, 0, 1])
    assert np.isnan(special[2])
