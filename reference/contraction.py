"""Matrix products and convolutions (StableHLO specification, `dot_general`, `convolution`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from .arrays import Array, bit_width, is_complex, is_float
from .conversion import convert_to
from .data_movement import pad_array
from .registry import Call, reference
from .windows import window_positions, window_slice


def _accumulation_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Floats accumulate in float64 so that the reference does not depend on the order of summation."""
    if is_complex(dtype):
        return np.dtype(np.complex128)
    if is_float(dtype):
        return np.dtype(np.float64)
    return np.dtype(np.int64) if bit_width(dtype) < 8 else dtype


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
    """The last dimension of `lhs` with the first of `rhs`."""
    return contract(lhs, rhs, ((), ()), ((lhs.ndim - 1,), (0,)), call.result()[1])


def _labels(text: str, rank: int) -> list[str]:
    """The dimensions an einsum operand names; `...` stands for those not named, aligned at the end."""
    before, dots, after = text.strip().partition("...")
    unnamed = rank - len(before) - len(after)
    ellipsis = [f"...{unnamed - i}" for i in range(unnamed)] if dots else []
    return [*before, *ellipsis, *after]


@reference("stablehlo.einsum", "stablehlo.unary_einsum")
def einsum(call: Call, *operands: Array) -> Array:
    """Sums over the labels that the result does not have."""
    inputs, _, output = call.string("einsum_config").replace(" ", "").partition("->")
    names = [_labels(text, o.ndim) for text, o in zip(inputs.split(","), operands, strict=True)]
    unnamed = sorted({n for labels in names for n in labels if n.startswith("...")}, reverse=True)
    before, dots, after = output.partition("...")
    result = [*before, *(unnamed if dots else ()), *after]
    number = {name: i for i, name in enumerate(dict.fromkeys(n for labels in names for n in labels))}
    wide = _accumulation_dtype(call.result()[1])
    arguments: list[Any] = []
    for operand, labels in zip(operands, names, strict=True):
        arguments += [operand.astype(wide), [number[n] for n in labels]]
    product = cast(Array, np.einsum(*arguments, [number[n] for n in result]))
    return convert_to(np.asarray(product), call.result()[1])


@reference("stablehlo.convolution")
def convolution(call: Call, lhs: Array, rhs: Array) -> Array:
    """One matrix product per position of the window."""
    spatial = len(call.get("dimension_numbers").input_spatial_dimensions)
    return convolve(call, lhs, rhs, call.array("padding", np.zeros((spatial, 2), np.int64)))


def _between_elements(shape: Sequence[int], low: Sequence[int], dilation: Sequence[int]) -> Array:
    """Which places of a dilated and padded image are not where its elements are, or would be if it went on."""
    between: Array = np.zeros(shape, np.bool_)
    for dim, (size, start, step) in enumerate(zip(shape, low, dilation, strict=True)):
        off: Array = (np.arange(size) - start) % step != 0
        between = between | off.reshape(-1, *(1,) * (len(shape) - 1 - dim))
    return between


def convolve(call: Call, lhs: Array, rhs: Array, padding: Array) -> Array:
    """The convolution of `call` with `padding`.

    Places between those that the dilation of `lhs` gives to its elements, in the padding too, take no part in sums.
    """
    numbers = call.get("dimension_numbers")
    spatial = len(numbers.input_spatial_dimensions)
    ones = (1,) * spatial
    strides = call.ints("window_strides", ones)
    lhs_dilation, rhs_dilation = call.ints("lhs_dilation", ones), call.ints("rhs_dilation", ones)
    groups, batch_groups = call.int("feature_group_count", 1), call.int("batch_group_count", 1)

    image = lhs.transpose(
        (numbers.input_batch_dimension, *numbers.input_spatial_dimensions, numbers.input_feature_dimension)
    )
    kernel = rhs.transpose(
        (
            *numbers.kernel_spatial_dimensions,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )
    )
    flipped = call.ints("window_reversal", (0,) * spatial)
    kernel = np.flip(kernel, tuple(d for d in range(spatial) if flipped[d]))
    image = pad_array(
        image,
        np.zeros((), lhs.dtype),
        (0, *(int(p) for p in padding[:, 0]), 0),
        (0, *(int(p) for p in padding[:, 1]), 0),
        (0, *(d - 1 for d in lhs_dilation), 0),
    )
    between = None
    if any(d > 1 for d in lhs_dilation):
        between = _between_elements(image.shape[1:-1], [int(low) for low in padding[:, 0]], lhs_dilation)
    window, dtype = kernel.shape[:spatial], call.result()[1]
    out_spatial = window_positions(image.shape[1:-1], window, strides, rhs_dilation)
    batch, out_features = image.shape[0] // batch_groups, kernel.shape[-1]
    wide = _accumulation_dtype(dtype)
    total = np.zeros((batch, *out_spatial, out_features), wide)
    count = groups * batch_groups
    per_group, inputs_per_group = out_features // count, image.shape[-1] // groups
    for group in range(count):
        features = slice(group * per_group, (group + 1) * per_group)
        inputs = image
        if groups > 1:
            inputs = image[..., group * inputs_per_group : (group + 1) * inputs_per_group]
        elif batch_groups > 1:
            inputs = image[group * batch : (group + 1) * batch]
        for position in np.ndindex(window):
            place = window_slice(position, rhs_dilation, strides, out_spatial)
            term = inputs[(slice(None), *place)].astype(wide) @ kernel[position][:, features].astype(wide)
            total[..., features] += term if between is None else np.where(between[place][..., None], 0, term)
    order = (
        numbers.output_batch_dimension,
        *numbers.output_spatial_dimensions,
        numbers.output_feature_dimension,
    )
    return convert_to(total, dtype).transpose(np.argsort(order))
