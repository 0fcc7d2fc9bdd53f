"""Ops whose shapes are values, and sizes of dimensions (StableHLO specification, `dynamic_*`, `*_dimension_size`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..dialects.limits import LARGEST_STEP
from ..dialects.stablehlo import shape_rules
from ..dialects.stablehlo.slicing import padded_shape
from ..errors import InvalidProgramError
from .arrays import Array
from .contraction import convolve
from .custom_calls import backend_options, custom_call_target
from .data_movement import broadcast_to, iota_array, pad_array
from .indexing import gather_slices
from .registry import Call, reference


def _ints(value: Array) -> tuple[int, ...]:
    return tuple(int(v) for v in value.reshape(-1))


def _check(call: Call, holds: bool, rule: str, *sizes: Sequence[int]) -> None:
    if not holds:
        raise InvalidProgramError(shape_rules.broken(call.op.name, rule, *sizes), call.op)


@custom_call_target("shape_violation")
def violated(call: Call, *sizes: Array) -> tuple[()]:
    """The error that compiled programs raise where such a check does not hold."""
    values = iter(sizes)
    options = backend_options(call)
    place = str(options.get("location", ""))
    try:
        op, rule, lengths = (str(options[name]) for name in ("op", "rule", "lengths"))
        given = [_ints(next(values)) if length != "0" else () for length in lengths.split(",")]
        message = shape_rules.broken(op, rule, *given)
    except (LookupError, RuntimeError, StopIteration, ValueError) as error:
        rule = f"'{call.op.name}' op: @shape_violation of {len(sizes)} operands with the options {options}"
        raise InvalidProgramError(rule, call.op) from error
    raise InvalidProgramError(message, location=place or None)


@reference("stablehlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(call: Call, operand: Array, output_dimensions: Array) -> Array:
    dimensions, shape = call.ints("broadcast_dimensions"), _ints(output_dimensions)
    fits = all(n in (1, shape[d]) for n, d in zip(operand.shape, dimensions, strict=True))
    is_shape = all(n >= 0 for n in shape)
    _check(call, fits and is_shape, shape_rules.BROADCAST, operand.shape, shape, dimensions)
    call.require_shape(shape)
    return broadcast_to(operand, dimensions, shape)


@reference("stablehlo.dynamic_conv")
def dynamic_conv(call: Call, lhs: Array, rhs: Array, padding: Array) -> Array:
    return convolve(call, lhs, rhs, padding)


@reference("stablehlo.dynamic_gather")
def dynamic_gather(call: Call, operand: Array, start_indices: Array, slice_sizes: Array) -> Array:
    sizes = _ints(slice_sizes)
    fits = all(0 <= k <= n for k, n in zip(sizes, operand.shape, strict=True))
    _check(call, fits, shape_rules.GATHER, sizes, operand.shape)
    return gather_slices(call.get("dimension_numbers"), sizes, operand, start_indices)


@reference("stablehlo.dynamic_iota")
def dynamic_iota(call: Call, output_shape: Array) -> Array:
    shape = _ints(output_shape)
    _check(call, all(n >= 0 for n in shape), shape_rules.IOTA, shape)
    call.require_shape(shape)
    return iota_array(shape, call.result()[1], call.int("iota_dimension"))


@reference("stablehlo.dynamic_pad")
def dynamic_pad(call: Call, operand: Array, padding_value: Array, low: Array, high: Array, interior: Array) -> Array:
    spread = _ints(interior)
    _check(call, all(i >= 0 for i in spread), shape_rules.PAD, spread)
    edges = _ints(low), _ints(high)
    for name, amounts in zip(shape_rules.PADDING, (*edges, spread), strict=True):
        _check(call, all(abs(n) <= LARGEST_STEP for n in amounts), shape_rules.largest_step(name), amounts)
    call.require_shape(tuple(max(0, size) for size in padded_shape(operand.shape, *edges, spread)))
    return pad_array(operand, padding_value, *edges, spread)


@reference("stablehlo.dynamic_reshape")
def dynamic_reshape(call: Call, operand: Array, output_shape: Array) -> Array:
    shape = _ints(output_shape)
    fits = all(n >= 0 for n in shape) and prod(shape) == operand.size
    _check(call, fits, shape_rules.RESHAPE, (operand.size,), shape)
    return operand.reshape(shape)


@reference("stablehlo.real_dynamic_slice")
def real_dynamic_slice(call: Call, operand: Array, start: Array, limit: Array, strides: Array) -> Array:
    ranges = _ints(start), _ints(limit), _ints(strides)
    bounds = list(zip(*ranges, operand.shape, strict=True))
    inside = all(0 <= s <= l <= n and step > 0 for s, l, step, n in bounds)
    _check(call, inside, shape_rules.SLICE, *ranges, operand.shape)
    return operand[tuple(slice(s, l, step) for s, l, step, _ in bounds)]


@reference("stablehlo.get_dimension_size")
def get_dimension_size(call: Call, operand: Array) -> Array:
    return np.array(operand.shape[call.int("dimension")], np.int32)


@reference("stablehlo.set_dimension_size")
def set_dimension_size(call: Call, operand: Array, size: Array) -> Array:
    """The first `size` elements of the dimension; more than there are cannot be had."""
    dimension, wanted = call.int("dimension"), int(size)
    bound = operand.shape[dimension]
    _check(call, 0 <= wanted <= bound, f"size {wanted} of a dimension of bound {bound}")
    return operand[tuple(slice(wanted if d == dimension else None) for d in range(operand.ndim))]


@custom_call_target("SliceToDynamic")
def slice_to_dynamic(call: Call, operand: Array, *sizes: Array) -> Array:
    """The first elements along each dimension; written by XLA's own passes, as `PadToStatic` is."""
    return operand[tuple(slice(max(0, int(size))) for size in sizes)]


@custom_call_target("PadToStatic")
def pad_to_static(call: Call, operand: Array) -> tuple[Array, ...]:
    """The operand with padding up to its bound, and its sizes."""
    if len(call.op.results) != 1 + operand.ndim:
        raise InvalidProgramError(f"expected the padded tensor and {operand.ndim} sizes as results", call.op)
    padded = np.zeros(*call.result(0))
    padded[tuple(map(slice, operand.shape))] = operand
    return padded, *(np.array(size, call.result(1 + dim)[1]) for dim, size in enumerate(operand.shape))
