"""Matrix products and convolutions (StableHLO specification, `dot_general`, `convolution`)."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .arrays import Array, is_complex, is_float
from .data_movement import pad_array
from .elementwise import convert_to
from .registry import Call, reference


def _accumulation_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Floats accumulate in float64 so that the reference does not depend on the order of summation."""
    if is_complex(dtype):
        return np.dtype(np.complex128)
    if is_float(dtype):
        return np.dtype(np.float64)
    return np.dtype(np.int64) if dtype == np.bool_ else dtype


def _product(
    subscripts: list[int],
    lhs: Array,
    rhs_subscripts: list[int],
    rhs: Array,
    out: list[int],
    dtype: np.dtype[Any],
) -> Array:
    wide = _accumulation_dtype(dtype)
    product = cast(
        Array,
        np.einsum(lhs.astype(wide), subscripts, rhs.astype(wide), rhs_subscripts, out, optimize=True),
    )
    return convert_to(np.asarray(product), dtype)


@reference("stablehlo.dot_general")
def dot_general(call: Call, lhs: Array, rhs: Array) -> Array:
    numbers = call.get("dot_dimension_numbers")
    return contract(
        lhs,
        rhs,
        (numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions),
        (numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions),
        call.result()[1],
    )


def contract(
    lhs: Array,
    rhs: Array,
    batching: tuple[tuple[int, ...], tuple[int, ...]],
    contracting: tuple[tuple[int, ...], tuple[int, ...]],
    dtype: np.dtype[Any],
) -> Array:
    """The product with result dimensions batch, lhs free, rhs free."""
    left = list(range(lhs.ndim))
    right = [lhs.ndim + d for d in range(rhs.ndim)]
    for l, r in (*zip(*batching, strict=True), *zip(*contracting, strict=True)):
        right[r] = left[l]
    out = [left[d] for d in batching[0]]
    out += [left[d] for d in range(lhs.ndim) if d not in batching[0] and d not in contracting[0]]
    out += [right[d] for d in range(rhs.ndim) if d not in batching[1] and d not in contracting[1]]
    return _product(left, lhs, right, rhs, out, dtype)


@reference("stablehlo.dot")
def dot(call: Call, lhs: Array, rhs: Array) -> Array:
    return contract(lhs, rhs, ((), ()), ((lhs.ndim - 1,), (0,)), call.result()[1])


@reference("stablehlo.convolution")
def convolution(call: Call, lhs: Array, rhs: Array) -> Array:
    """One matrix product per position of the window."""
    numbers = call.get("dimension_numbers")
    spatial = len(numbers.input_spatial_dimensions)
    shape, dtype = call.result()
    ones = (1,) * spatial
    strides = call.ints("window_strides", ones)
    lhs_dilation, rhs_dilation = call.ints("lhs_dilation", ones), call.ints("rhs_dilation", ones)
    padding = call.array("padding", np.zeros((spatial, 2), np.int64))
    reversal = call.attribute("window_reversal")
    groups, batch_groups = call.int("feature_group_count", 1), call.int("batch_group_count", 1)

    image = lhs.transpose(
        (
            numbers.input_batch_dimension,
            *numbers.input_spatial_dimensions,
            numbers.input_feature_dimension,
        )
    )
    kernel = rhs.transpose(
        (
            *numbers.kernel_spatial_dimensions,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )
    )
    if reversal is not None:
        flipped = call.ints("window_reversal")
        kernel = np.flip(kernel, [d for d in range(spatial) if flipped[d]])
    image = pad_array(
        image,
        np.zeros((), lhs.dtype),
        (0, *(int(p) for p in padding[:, 0]), 0),
        (0, *(int(p) for p in padding[:, 1]), 0),
        (0, *(d - 1 for d in lhs_dilation), 0),
    )
    out_spatial = tuple(shape[d] for d in numbers.output_spatial_dimensions)
    out_features = shape[numbers.output_feature_dimension]
    batch = shape[numbers.output_batch_dimension]
    wide = _accumulation_dtype(dtype)
    total = np.zeros((batch, *out_spatial, out_features), wide)
    count = groups * batch_groups
    per_group = out_features // count if count else 0
    for group in range(count):
        features = slice(group * per_group, (group + 1) * per_group)
        inputs = image
        if groups > 1:
            size = image.shape[-1] // groups
            inputs = image[..., group * size : (group + 1) * size]
        elif batch_groups > 1:
            inputs = image[group * batch : (group + 1) * batch]
        for position in np.ndindex(kernel.shape[:spatial]):
            window = inputs[
                (
                    slice(None),
                    *(
                        slice(k * d, k * d + (n - 1) * s + 1, s) if n else slice(0, 0)
                        for k, d, n, s in zip(position, rhs_dilation, out_spatial, strides, strict=True)
                    ),
                )
            ]
            total[..., features] += window.astype(wide) @ kernel[position][:, features].astype(wide)
    result = np.empty(shape, dtype)
    order = (
        numbers.output_batch_dimension,
        *numbers.output_spatial_dimensions,
        numbers.output_feature_dimension,
    )
    result.transpose(order)[...] = convert_to(total, dtype)
    return result
