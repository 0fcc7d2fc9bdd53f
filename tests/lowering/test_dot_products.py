"""Products of factors of 8 and 16 bits against exact results: odd sizes, layouts, batches, strides, what follows."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl_xla.decisions.target import host

BFLOAT = ml_dtypes.bfloat16
TYPES: dict[str, Any] = {
    "bf16": BFLOAT,
    "i8": np.int8,
    "ui8": np.uint8,
    "i16": np.int16,
    "f32": np.float32,
    "i32": np.int32,
}
KINDS = [
    ("bf16", "bf16", "f32"),
    ("bf16", "bf16", "bf16"),
    ("i8", "i8", "i32"),
    ("ui8", "i8", "i32"),
    ("i8", "ui8", "i32"),
    ("ui8", "ui8", "i32"),
    ("i16", "i16", "i32"),
]
SIZES = [(64, 64, 64), (33, 129, 47), (65, 66, 67), (40, 1023, 48), (17, 512, 80)]

random_numbers = np.random.default_rng(0)


def draw(shape: tuple[int, ...], type: str) -> NDArray[Any]:
    """Small whole floats, whose sums are exact, and all integers, the least of all in front."""
    if type == "bf16":
        return random_numbers.integers(-8, 9, shape).astype(BFLOAT)
    limits = np.iinfo(TYPES[type])
    found = random_numbers.integers(limits.min, limits.max + 1, shape).astype(TYPES[type])
    found.flat[:5] = limits.min
    return found


def rounded(exact: NDArray[Any], type: str) -> NDArray[Any]:
    """Exact results as those of `type`: integers modulo a power of two."""
    return exact.astype(np.float32).astype(TYPES[type]) if type in ("f32", "bf16") else exact.astype(TYPES[type])


def wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float64 if array.dtype == BFLOAT else np.int64)


@pytest.mark.sample(30)
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", KINDS, ids="-".join)
@pytest.mark.parametrize("transposed", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_products(sizes: tuple[int, int, int], kind: tuple[str, str, str], transposed: tuple[int, int]) -> None:
    rows, steps, columns = sizes
    left, right, out = kind
    lhs = draw((steps, rows) if transposed[0] else (rows, steps), left)
    rhs = draw((columns, steps) if transposed[1] else (steps, columns), right)
    a, b = ("x".join(map(str, array.shape)) for array in (lhs, rhs))
    types = f"(tensor<{a}x{left}>, tensor<{b}x{right}>) -> tensor<{rows}x{columns}x{out}>"
    text = f"""
func.func @main(%x: tensor<{a}x{left}>, %y: tensor<{b}x{right}>) -> tensor<{rows}x{columns}x{out}> {{
  %z = stablehlo.dot_general %x, %y, contracting_dims = [{1 - transposed[0]}] x [{transposed[1]}] : {types}
  return %z : tensor<{rows}x{columns}x{out}>
}}"""
    exact = (wide(lhs).T if transposed[0] else wide(lhs)) @ (wide(rhs).T if transposed[1] else wide(rhs))
    for threads in (1, 2):
        (result,) = xdsl_xla.compile(text, threads=threads)(lhs, rhs)
        np.testing.assert_array_equal(np.asarray(result), rounded(exact, out))


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2], KINDS[5]], ids="-".join)
def test_batched_and_finished(kind: tuple[str, str, str]) -> None:
    """Heads between rows and steps, as in attention, and a bias."""
    left, right, out = kind
    lhs, rhs, bias = draw((2, 40, 3, 34), left), draw((2, 48, 3, 34), right), draw((48,), "i8").astype(TYPES[out])
    types = f"(tensor<2x40x3x34x{left}>, tensor<2x48x3x34x{right}>) -> tensor<2x3x40x48x{out}>"
    text = f"""
func.func @main(%x: tensor<2x40x3x34x{left}>, %y: tensor<2x48x3x34x{right}>, %b: tensor<48x{out}>) -> tensor<2x3x40x48x{out}> {{
  %z = stablehlo.dot_general %x, %y, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : {types}
  %w = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<48x{out}>) -> tensor<2x3x40x48x{out}>
  %s = stablehlo.add %z, %w : tensor<2x3x40x48x{out}>
  return %s : tensor<2x3x40x48x{out}>
}}"""  # noqa: E501
    exact = np.einsum("aibk,ajbk->abij", wide(lhs), wide(rhs)) + wide(bias)
    (result,) = xdsl_xla.compile(text)(lhs, rhs, bias)
    np.testing.assert_array_equal(np.asarray(result), rounded(exact, out))


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2], KINDS[5]], ids="-".join)
@pytest.mark.parametrize("channels", [3, 16, 33])
@pytest.mark.parametrize("stride", [1, 2])
def test_convolutions(kind: tuple[str, str, str], channels: int, stride: int) -> None:
    left, right, out = kind
    image, kernel = draw((2, 13, 15, channels), left), draw((3, 3, channels, 32), right)
    places = [(size - 3) // stride + 1 for size in (13, 15)]
    result_type = f"tensor<2x{places[0]}x{places[1]}x32x{out}>"
    operands = f"tensor<2x13x15x{channels}x{left}>", f"tensor<3x3x{channels}x32x{right}>"
    text = f"""
func.func @main(%x: {operands[0]}, %y: {operands[1]}) -> {result_type} {{
  %z = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [{stride}, {stride}], pad = [[0, 0], [0, 0]]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({", ".join(operands)}) -> {result_type}
  return %z : {result_type}
}}"""
    windows = np.lib.stride_tricks.sliding_window_view(wide(image), (3, 3), (1, 2))[:, ::stride, ::stride]
    exact = np.einsum("nhwcyx,yxco->nhwo", windows, wide(kernel))
    (result,) = xdsl_xla.compile(text)(image, kernel)
    np.testing.assert_array_equal(np.asarray(result), rounded(exact, out))


def test_numbers_that_are_none() -> None:
    """What is not finite stays where it is: what fills words up does not meet it."""
    lhs, rhs = draw((48, 65), "bf16"), draw((65, 48), "bf16")
    lhs[3, 64], rhs[64, 5] = np.inf, np.nan
    text = """
func.func @main(%x: tensor<48x65xbf16>, %y: tensor<65x48xbf16>) -> tensor<48x48xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<48x65xbf16>, tensor<65x48xbf16>) -> tensor<48x48xf32>
  return %z : tensor<48x48xf32>
}"""  # noqa: E501
    (result,) = xdsl_xla.compile(text)(lhs, rhs)
    with np.errstate(invalid="ignore"):
        exact = lhs.astype(np.float32) @ rhs.astype(np.float32)
    np.testing.assert_array_equal(np.asarray(result), exact)


@pytest.mark.skipif("vdpbf16ps" not in host().dot_products, reason="a CPU with AVX-512 BF16")
def test_rounding() -> None:
    """Sums of arbitrary numbers are as close to the exact ones as those of a chain of `f32` additions."""
    lhs, rhs = (random_numbers.standard_normal(shape).astype(BFLOAT) for shape in ((64, 2048), (2048, 64)))
    text = """
func.func @main(%x: tensor<64x2048xbf16>, %y: tensor<2048x64xbf16>) -> tensor<64x64xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x2048xbf16>, tensor<2048x64xbf16>) -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}"""  # noqa: E501
    (result,) = xdsl_xla.compile(text)(lhs, rhs)
    exact = lhs.astype(np.float64) @ rhs.astype(np.float64)
    scale = np.abs(lhs.astype(np.float64)) @ np.abs(rhs.astype(np.float64))
    assert np.max(np.abs(np.asarray(result) - exact) / scale) < 2**-20


def test_subnormal_numbers() -> None:
    """Of products of bf16 they may be zero: instructions that add two of them have no other mode."""
    lhs = np.full((48, 128), 2.0**-130, np.float32).astype(BFLOAT)
    rhs = np.full((128, 48), 2.0**10, np.float32).astype(BFLOAT)
    text = """
func.func @main(%x: tensor<48x128xbf16>, %y: tensor<128x48xbf16>) -> tensor<48x48xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<48x128xbf16>, tensor<128x48xbf16>) -> tensor<48x48xf32>
  return %z : tensor<48x48xf32>
}"""  # noqa: E501
    (result,) = xdsl_xla.compile(text)(lhs, rhs)
    assert set(np.asarray(result).flat) in ({np.float32(0)}, {np.float32(2.0**-113)})
