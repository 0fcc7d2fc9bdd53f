"""Fourier transforms, compiled and after the expansion by the reference, against NumPy in double precision."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl_xla import compile
from xdsl_xla.decisions import fourier_tables
from xdsl_xla.decisions.fourier import Fourier
from xdsl_xla.decisions.model import CostModel
from xdsl_xla.dialects import stablehlo
from xdsl_xla.passes.stablehlo.stablehlo_expand_fft import StablehloExpandFftPass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = NDArray[Any]

NUMPY = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}


def program(kind: str, shape: Sequence[int], lengths: Sequence[int], bits: int) -> tuple[str, tuple[int, ...]]:
    """The text of a transform of a result or operand of `shape`, and the shape of its operand."""
    real, half = f"f{bits}", (*shape[:-1], shape[-1] // 2 + 1 if shape[-1] else 0)
    operand = half if kind == "IRFFT" else tuple(shape)
    result = half if kind == "RFFT" else tuple(shape)
    types = [
        f"tensor<{'x'.join(map(str, s))}x{real if is_real else f'complex<{real}>'}>"
        for s, is_real in ((operand, kind == "RFFT"), (result, kind == "IRFFT"))
    ]
    text = f"""
    func.func @main(%x: {types[0]}) -> {types[1]} {{
      %0 = stablehlo.fft %x, type = {kind}, length = [{", ".join(map(str, lengths))}] : ({types[0]}) -> {types[1]}
      return %0 : {types[1]}
    }}"""
    return text, operand


def operand(kind: str, shape: Sequence[int], bits: int) -> Array:
    rng = np.random.default_rng(prod(shape))
    x = rng.normal(size=shape)
    if kind == "RFFT":
        return x.astype(f"f{bits // 8}")
    return (x + 1j * rng.normal(size=shape)).astype(f"c{bits // 4}")


def expected(kind: str, x: Array, lengths: Sequence[int]) -> Array:
    wide = x.astype(np.float64 if x.dtype.kind == "f" else np.complex128)
    return NUMPY[kind](wide, lengths, range(x.ndim - len(lengths), x.ndim))


def assert_close(result: Array, wanted: Array, bits: int, points: int) -> None:
    """Each factor of the length adds some roundings, relative to the whole signal."""
    assert result.shape == wanted.shape
    assert result.dtype.itemsize == bits // 8 * (2 if wanted.dtype.kind == "c" else 1)
    error = np.linalg.norm(result - wanted) / max(float(np.linalg.norm(wanted)), 1e-30)
    assert error < (2 + log2(max(points, 1))) * float(np.finfo(f"f{bits // 8}").eps), error


LENGTHS = [17, 19, 31, 34, 51, 97, 127, 136, 257, 263, 323, 527, 1020]


@pytest.mark.parametrize("kind", NUMPY)
@pytest.mark.parametrize("length", LENGTHS)
def test_lengths(kind: str, length: int) -> None:
    """The expansion in double precision; 257 and 263 are primes beyond the largest matrix: transforms are longer."""
    assert fourier_tables.stage_radices(length) is None
    text, shape = program(kind, (2, length), [length], 64)
    module = parse_module(text)
    StablehloExpandFftPass().apply(Context(), module)
    verify_module(module)
    left = [op for op in module.walk() if isinstance(op, stablehlo.FftOp)]
    assert len(left) == (2 if Fourier().radices(length) is None else 0)
    assert all(fourier_tables.stage_radices(op.lengths[0]) is not None for op in left)
    x = operand(kind, shape, 64)
    (result,) = run(module, "main", [x])
    assert_close(result, expected(kind, x, [length]), 64, length)


@pytest.mark.sample(30)
@pytest.mark.parametrize("kind", NUMPY)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((7,), 1),
        ((3, 16), 1),
        ((5, 6), 2),
        ((2, 4, 9), 2),
        ((4, 6, 10), 3),
        ((2, 3, 5, 7, 8), 3),
        ((521,), 1),
        ((3, 17, 12), 2),
        ((2, 131, 12), 2),
        ((5, 4 * 131), 2),
        ((2, 2000), 1),
        ((17, 1), 1),
        ((19, 2), 1),
        ((1, 300), 1),
        ((33, 30), 1),
        ((21, 77), 1),
        ((18, 13), 1),
        ((20, 9), 2),
        ((3, 4096), 1),
        ((9, 4096), 1),
        ((2, 4097 * 2), 1),
    ],
)
def test_native(kind: str, bits: int, shape: tuple[int, ...], axes: int) -> None:
    lengths = shape[len(shape) - axes :]
    text, shape = program(kind, shape, lengths, bits)
    x = operand(kind, shape, bits)
    (result,) = compile(text)(x)
    assert_close(result, expected(kind, x, lengths), bits, prod(lengths))


@pytest.mark.parametrize("kind", NUMPY)
@pytest.mark.parametrize(("shape", "lengths"), [((0, 4), [4]), ((3, 0), [0]), ((1, 1, 1), [1, 1, 1])])
def test_degenerate(kind: str, shape: tuple[int, ...], lengths: list[int]) -> None:
    text, shape = program(kind, shape, lengths, 32)
    x = operand(kind, shape, 32)
    (result,) = compile(text)(x)
    if x.size:
        assert_close(result, expected(kind, x, lengths), 32, 1)
    else:
        assert result.size == 0


def test_imaginary_parts_a_real_signal_cannot_have_are_ignored() -> None:
    text, _ = program("IRFFT", (8,), [8], 64)
    x = np.zeros(5, np.complex128)
    x[0], x[4] = 1 + 5j, 2 + 7j
    (result,) = compile(text)(x)
    np.testing.assert_allclose(result, np.fft.irfft(x, 8), atol=1e-15)


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", NUMPY)
@pytest.mark.parametrize("vector_bits", [128, 256, 512])
def test_vectors_and_threads(kind: str, vector_bits: int) -> None:
    """Vectors of any width, and lines that are no multiple of it, on several threads."""
    text, shape = program(kind, (601, 6, 120), [6, 120], 32)
    x = operand(kind, shape, 32)
    wanted = expected(kind, x, [6, 120])
    for threads in (1, 3):
        (result,) = compile(text, threads=threads, vector_bits=vector_bits)(x)
        assert_close(result, wanted, 32, 720)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 26, 64, 360, 1000, 1001, 2048])
def test_stages(length: int) -> None:
    """Every factor has straight-line code, and the table is as long as the stages need."""
    factors = fourier_tables.stage_radices(length)
    assert factors is not None
    assert prod(factors) == length
    assert set(factors) <= {1, *fourier_tables.STAGE_RADICES}
    needed = sum(prod(factors[i + 1 :]) * (factors[i] - 1) for i in range(len(factors) - 1))
    assert fourier_tables.stage_roots(factors).shape == (max(1, needed), 2)


@pytest.mark.parametrize("length", [1, 2, 3, 8, 12, 360, 1024, 12345])
def test_roots_of_unity(length: int) -> None:
    """Exact where they are simple, and within a unit of the last place of what 64-bit mantissas give."""
    k = np.arange(-length, 2 * length)
    roots = fourier_tables.roots(k, length, 1)
    angle = 2 * np.longdouble("3.14159265358979323846264338327950288") * (k % length) / np.longdouble(length)
    np.testing.assert_allclose(roots.real, np.cos(angle).astype(float), rtol=0, atol=1.2e-16)
    np.testing.assert_allclose(roots.imag, np.sin(angle).astype(float), rtol=0, atol=1.2e-16)
    if length % 4 == 0:
        assert roots[length + length // 4] == 1j


@pytest.mark.parametrize("length", range(1, 300))
def test_radices(length: int) -> None:
    radices = Fourier().radices(length)
    if radices is None:
        primes = [p for p in range(2, length + 1) if length % p == 0 and all(p % q for q in range(2, p))]
        assert max(primes) > Fourier().largest_matrix
    else:
        assert prod(radices) == length


class Halving(Fourier):
    """Transforms every real signal of even length by one of half the length."""

    def worth_half_length(self, length: int) -> bool:
        return length % 2 == 0


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(("shape", "rank"), [((3, 4), 1), ((2,), 1), ((5, 26), 1), ((2, 6, 16), 2), ((1, 600), 1)])
def test_real_signals_in_half_the_length(shape: tuple[int, ...], rank: int, bits: int) -> None:
    text, _ = program("RFFT", shape, shape[-rank:], bits)
    x = operand("RFFT", shape, bits)
    (result,) = compile(text, threads=1, cost_model=CostModel(fourier=Halving()))(x)
    assert_close(result, expected("RFFT", x, shape[-rank:]), bits, prod(shape[-rank:]))


@pytest.mark.parametrize("threads", [1, 2])
def test_long_real_signals(threads: int) -> None:
    for shape in ((9, 4096), (2, 3000), (8194,)):
        text, _ = program("RFFT", shape, shape[-1:], 32)
        x = operand("RFFT", shape, 32)
        (result,) = compile(text, threads=threads)(x)
        assert_close(result, expected("RFFT", x, shape[-1:]), 32, shape[-1])
