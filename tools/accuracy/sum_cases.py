"""Sums of many terms: programs, their arguments and the exact results.

A case is a program of one op or few, arguments, and the exact results. An error is counted in units of the last place
(2^-24 for f32, 2^-53 for f64, relative) of the sum of the absolute values of the terms, which is what the error of any
order of summation is bounded by (Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14, 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

DTYPES: dict[str, type[np.floating[Any]]] = {"f32": np.float32, "f64": np.float64}
WIDER: dict[str, type[np.floating[Any]]] = {"f32": np.float64, "f64": np.longdouble}
"""What exact results are computed in, by pairs: some 29 and 11 bits more."""

UNIT = {"f32": 2.0**-24, "f64": 2.0**-53}

COMPARED = 16
"""How many rows and columns of a product are compared."""

SIGNS = ("positive", "signed")
"""Terms of one sign, whose roundings add up, and of both."""


@dataclass(frozen=True)
class SumCase:
    """One program: `text` in StableHLO, and the shapes of its arguments."""

    name: str
    count: int
    """The number of terms."""
    type: str
    text: str
    shapes: tuple[tuple[int, ...], ...]
    exact: Callable[..., Array]
    """The exact results: of arguments in the wider type."""
    compared: int | None = None
    """How many results of each dimension `exact` gives, the first ones; all if None."""

    def arguments(self, sign: str, seed: int) -> list[Array]:
        """Random terms."""
        random = np.random.default_rng(seed)
        low = -1.0 if sign == "signed" else 0.1
        return [random.uniform(low, 1.0, shape).astype(DTYPES[self.type]) for shape in self.shapes]


def distance(case: SumCase, arguments: Sequence[Array], got: Sequence[Array]) -> list[Array]:
    """The errors of each of the results `got`, in units of the sum of the absolute terms."""
    wider = [argument.astype(WIDER[case.type]) for argument in arguments]
    exact, size = case.exact(*wider), case.exact(*map(np.abs, wider))
    units = size * UNIT[case.type]
    part = (slice(case.compared),) * exact.ndim
    return [(np.abs(each[part].astype(WIDER[case.type]) - exact) / units).astype(np.float64).ravel() for each in got]


# The programs


def _tensor(shape: Sequence[int], type: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{type}>"


def reduction(type: str, name: str, shape: tuple[int, ...], dims: tuple[int, ...]) -> SumCase:
    """The sum along `dims`."""
    kept = [size for dim, size in enumerate(shape) if dim not in dims]
    operand, result = _tensor(shape, type), _tensor(kept, type)
    text = f"""
func.func @main(%x: {operand}) -> {result} {{
  %zero = stablehlo.constant dense<0.0> : tensor<{type}>
  %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = {list(dims)} :
    ({operand}, tensor<{type}>) -> {result}
  return %r : {result}
}}"""
    count = int(np.prod([shape[dim] for dim in dims]))

    def exact(x: Array) -> Array:
        return _sum(x, dims)

    return SumCase(name, count, type, text, (shape,), exact)


def _sum(x: Array, dims: Sequence[int]) -> Array:
    """By pairs: NumPy does so along the last dimension."""
    kept = [dim for dim in range(x.ndim) if dim not in dims]
    moved = np.ascontiguousarray(x.transpose([*kept, *dims]))
    return moved.reshape([*(x.shape[dim] for dim in kept), -1]).sum(-1)


def contraction(
    type: str, name: str, lhs: tuple[int, ...], rhs: tuple[int, ...], dims: tuple[int, int], batch: bool = False
) -> SumCase:
    """A `dot_general` over the dimensions `dims`, the first of both a batch dimension if `batch`."""
    shared = [0] if batch else []
    result = [lhs[dim] for dim in shared]
    result += [size for dim, size in enumerate(lhs) if dim != dims[0] and dim not in shared]
    result += [size for dim, size in enumerate(rhs) if dim != dims[1] and dim not in shared]
    left, right, out = _tensor(lhs, type), _tensor(rhs, type), _tensor(result, type)
    batching = "batching_dims = [0] x [0], " if batch else ""
    text = f"""
func.func @main(%x: {left}, %y: {right}) -> {out} {{
  %r = stablehlo.dot_general %x, %y, {batching}contracting_dims = [{dims[0]}] x [{dims[1]}],
    precision = [DEFAULT, DEFAULT] : ({left}, {right}) -> {out}
  return %r : {out}
}}"""

    def exact(x: Array, y: Array) -> Array:
        x, y = (np.moveaxis(array, dim, -1) for array, dim in zip((x, y), dims, strict=True))
        x, y = x[(slice(COMPARED),) * (x.ndim - 1)], y[(slice(COMPARED),) * (y.ndim - 1)]
        if batch:
            return np.stack([_products(a, b) for a, b in zip(x, y, strict=True)])
        return _products(x, y)

    return SumCase(name, lhs[dims[0]], type, text, (lhs, rhs), exact, COMPARED)


def _products(x: Array, y: Array) -> Array:
    """The sums by pairs of the products of all rows with all rows."""
    rows = [[(a * b).sum() for b in y.reshape(-1, y.shape[-1])] for a in x.reshape(-1, x.shape[-1])]
    return np.array(rows).reshape([*x.shape[:-1], *y.shape[:-1]])


def window(type: str, name: str, size: int, length: int, rows: int) -> SumCase:
    """Sums over windows of `length` elements, from `size` elements of each of `rows`."""
    operand, result = _tensor((rows, size), type), _tensor((rows, size - length + 1), type)
    text = f"""
func.func @main(%x: {operand}) -> {result} {{
  %zero = stablehlo.constant dense<0.0> : tensor<{type}>
  %r = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 1, {length}>}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
    %s = stablehlo.add %a, %b : tensor<{type}>
    stablehlo.return %s : tensor<{type}>
  }}) : ({operand}, tensor<{type}>) -> {result}
  return %r : {result}
}}"""

    def exact(x: Array) -> Array:
        windows = np.lib.stride_tricks.sliding_window_view(x, length, -1)
        return np.stack([np.ascontiguousarray(part).sum(-1) for part in windows])

    return SumCase(name, length, type, text, ((rows, size),), exact)


def cumulative(type: str, name: str, size: int, rows: int) -> SumCase:
    """All leading sums of rows, as JAX writes them for the CPU: one window with as much padding."""
    operand = _tensor((rows, size), type)
    text = f"""
func.func @main(%x: {operand}) -> {operand} {{
  %zero = stablehlo.constant dense<0.0> : tensor<{type}>
  %r = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 1, {size}>,
      padding = dense<[[0, 0], [{size - 1}, 0]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
    %s = stablehlo.add %a, %b : tensor<{type}>
    stablehlo.return %s : tensor<{type}>
  }}) : ({operand}, tensor<{type}>) -> {operand}
  return %r : {operand}
}}"""

    def exact(x: Array) -> Array:
        return np.cumsum(x.astype(np.longdouble), -1)

    return SumCase(name, size, type, text, ((rows, size),), exact)


def convolution(type: str, name: str, image: tuple[int, int, int], kernel: tuple[int, int], features: int) -> SumCase:
    """A convolution of one image (height, width, channels) without padding."""
    height, width, channels = image
    operand, weights = _tensor((1, *image), type), _tensor((*kernel, channels, features), type)
    rows, columns = height - kernel[0] + 1, width - kernel[1] + 1
    result = _tensor((1, rows, columns, features), type)
    text = f"""
func.func @main(%x: {operand}, %w: {weights}) -> {result} {{
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({operand}, {weights}) -> {result}
  return %r : {result}
}}"""

    def exact(x: Array, w: Array) -> Array:
        windows = np.lib.stride_tricks.sliding_window_view(x[0], kernel, (0, 1))  # y, x, c, i, j
        rows_of = windows.transpose(0, 1, 3, 4, 2).reshape(-1, kernel[0] * kernel[1] * channels)
        return _products(rows_of, w.reshape(-1, features).T).reshape(1, rows, columns, features)

    return SumCase(
        name, kernel[0] * kernel[1] * channels, type, text, ((1, *image), (*kernel, channels, features)), exact
    )


def squares(type: str, name: str, rows: int, size: int) -> SumCase:
    """Sums of products that are elementwise ops of the program: what fuses into a reduction."""
    operand, result = _tensor((rows, size), type), _tensor((rows,), type)
    text = f"""
func.func @main(%x: {operand}, %y: {operand}) -> {result} {{
  %zero = stablehlo.constant dense<0.0> : tensor<{type}>
  %p = stablehlo.multiply %x, %y : {operand}
  %r = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] :
    ({operand}, tensor<{type}>) -> {result}
  return %r : {result}
}}"""

    def exact(x: Array, y: Array) -> Array:
        return (x * y).sum(-1)

    return SumCase(name, size, type, text, ((rows, size), (rows, size)), exact)


def cases(type: str) -> Iterator[SumCase]:
    """All there are, in `type`."""
    for count in (100, 1000, 10_000, 100_000, 1_000_000, 10_000_000):
        yield reduction(type, "all elements", (count,), (0,))
        rows = max(1, min(16, 2_000_000 // count))
        yield reduction(type, f"rows, of {rows}", (rows, count), (1,))
        if count <= 1_000_000:
            yield reduction(type, "columns, of 3", (count, 3), (0,))
            yield squares(type, f"products, of {min(rows, 4)}", min(rows, 4), count)
        if count <= 100_000:
            yield reduction(type, "columns, of 64", (count, 64), (0,))
            yield reduction(type, "columns, of 300", (count, 300), (0,))
        side = round(count ** (1 / 2))
        if 10 <= side <= 1000:
            yield reduction(type, "first and last dimension", (side, 16, side), (0, 2))
            yield reduction(type, "first two dimensions", (side, side, 16), (0, 1))
    for count in (100, 1000, 8192, 100_000, 1_000_000):
        yield contraction(type, "vector by vector", (count,), (count,), (0, 0))
        if count <= 100_000 or type == "f32":
            yield contraction(type, "matrix by vector", (32, count), (count,), (1, 0))
            yield contraction(type, "vector by matrix", (count,), (count, 32), (0, 0))
            yield contraction(type, "1 row by 64 columns", (1, count), (count, 64), (1, 0))
            yield contraction(type, "4 rows by 64 columns", (4, count), (count, 64), (1, 0))
        if count <= 100_000:
            yield contraction(type, "64 by 64", (64, count), (count, 64), (1, 0))
            yield contraction(type, "64 by 64, transposed left", (count, 64), (count, 64), (0, 0))
            yield contraction(type, "64 by 64, transposed right", (64, count), (64, count), (1, 1))
            yield contraction(type, "3 of 20 by 20", (3, 20, count), (3, count, 20), (2, 1), batch=True)
            yield contraction(type, "6 by 9", (6, count), (count, 9), (1, 0))
        if count <= 8192:
            yield contraction(type, "256 by 256", (256, count), (count, 256), (1, 0))
    for length in (10, 100, 1000, 10_000):
        yield window(type, "windows of a row", length + 200, length, 4)
    for size in (1000, 100_000):
        yield cumulative(type, "leading sums", size, 4)
    for channels in (16, 256, 1024):
        yield convolution(type, "convolution 3x3", (10, 10, channels), (3, 3), 32)
    for side in (56, 112):
        yield convolution(type, "kernel gradient", (side + 2, side + 2, 4), (side, side), 16)
