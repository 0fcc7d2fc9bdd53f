"""Ops that move data (StableHLO specification, sections of those names)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.utils.exceptions import VerifyException

from ..dialects.limits import LARGEST_SIZE
from ..dialects.stablehlo.bounds import bounds_of, greatest_shape, reshaped_dims
from ..dialects.stablehlo.shape_rules import BROADCAST_IN_DIM, broken
from ..errors import InvalidProgramError
from .arrays import Array, dense_array, narrow, shape_and_dtype
from .registry import Call, reference


@reference("stablehlo.constant", "sdy.constant")
def constant(call: Call) -> Array:
    return dense_array(call.get("value"))


@reference("arith.constant")
def constant_of_arith(call: Call) -> Array:
    """Other compilers leave it in programs, constants of tensors as well as those of scalars."""
    type, value = call.op.results[0].type, call.get("value")
    if isinstance(type, TensorType):
        return dense_array(value)
    return np.array(value.value.data, shape_and_dtype(TensorType(type, ()))[1])


@reference("tensor.cast")
def cast(call: Call, operand: Array) -> Array:
    """The same elements; the type says more or less about the shape."""
    return operand


@reference("stablehlo.iota")
def iota(call: Call) -> Array:
    return iota_array(*call.result(), call.int("iota_dimension"))


def iota_array(shape: tuple[int, ...], dtype: np.dtype[Any], dimension: int) -> Array:
    """Elements are their index along `dimension`."""
    if 0 in shape:
        return np.zeros(shape, dtype)
    if prod(shape) > LARGEST_SIZE // 8:
        raise MemoryError(f"an array of {prod(shape)} elements")
    values = narrow(np.arange(shape[dimension]), dtype)
    return np.broadcast_to(values.reshape([-1 if d == dimension else 1 for d in range(len(shape))]), shape)


@reference("stablehlo.broadcast_in_dim")
def broadcast_in_dim(call: Call, operand: Array) -> Array:
    """A dimension of unknown size is as long as that of the operand."""
    dimensions, shape = call.ints("broadcast_dimensions"), list(call.result()[0])
    for dimension, size in zip(dimensions, operand.shape, strict=True):
        if shape[dimension] == DYNAMIC_INDEX:
            shape[dimension] = size
    if any(size not in (1, shape[d]) for size, d in zip(operand.shape, dimensions, strict=True)):
        message = broken(call.op.name, BROADCAST_IN_DIM, operand.shape, shape, dimensions)
        raise InvalidProgramError(message, call.op)
    return broadcast_to(operand, dimensions, tuple(shape))


def broadcast_to(operand: Array, dimensions: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """Dimension i of `operand` becomes dimension `dimensions[i]`."""
    order = np.argsort(dimensions, kind="stable")
    aligned = [1] * len(shape)
    for axis in order:
        aligned[dimensions[axis]] = operand.shape[axis]
    return np.broadcast_to(operand.transpose(order).reshape(aligned), shape)


@reference("stablehlo.broadcast")
def broadcast(call: Call, operand: Array) -> Array:
    """New dimensions come first."""
    return np.broadcast_to(operand, call.result()[0])


@reference("stablehlo.reshape")
def reshape(call: Call, operand: Array) -> Array:
    """A dimension of bounded size is as long as those say that it is made of; another open one takes what is left."""
    shape = list(call.result()[0])
    unknown = {dim for dim, size in enumerate(shape) if size == DYNAMIC_INDEX}
    source, target = greatest_shape(call.op.operands[0]), greatest_shape(call.op.results[0])
    followed = _followed(call, source, target) if unknown else {}
    if unknown and unknown == set(followed):
        for dim, origins in followed.items():
            shape[dim] = target[dim] // prod(source[d] for d in origins) * prod(operand.shape[d] for d in origins)
    elif len(unknown) == 1:
        rest = prod(size for size in shape if size != DYNAMIC_INDEX)
        shape[unknown.pop()] = operand.size // rest if rest else 0
    if prod(shape) != operand.size or DYNAMIC_INDEX in shape:
        rule = f"{operand.size} elements do not fill shape {tuple(shape)}"
        raise InvalidProgramError(f"'{call.op.name}' op: {rule}", call.op)
    return operand.reshape(shape)


def _followed(call: Call, source: tuple[int, ...], target: tuple[int, ...]) -> dict[int, list[int]]:
    if DYNAMIC_INDEX in (*source, *target) or prod(source) != prod(target):
        return {}
    try:
        return reshaped_dims(source, bounds_of(call.op.operands[0].type), target)
    except VerifyException:
        return {}


@reference("stablehlo.transpose")
def transpose(call: Call, operand: Array) -> Array:
    return operand.transpose(call.ints("permutation"))


@reference("stablehlo.reverse")
def reverse(call: Call, operand: Array) -> Array:
    return np.flip(operand, call.ints("dimensions"))


@reference("stablehlo.slice")
def slice_(call: Call, operand: Array) -> Array:
    bounds = zip(call.ints("start_indices"), call.ints("limit_indices"), call.ints("strides"), strict=True)
    return operand[tuple(slice(start, limit, stride) for start, limit, stride in bounds)]


@reference("stablehlo.concatenate")
def concatenate(call: Call, *operands: Array) -> Array:
    return np.concatenate(operands, call.int("dimension"))


def pad_array(
    operand: Array,
    value: Array,
    low: tuple[int, ...],
    high: tuple[int, ...],
    interior: tuple[int, ...],
) -> Array:
    """Padding with `value`; negative `low` and `high` cut elements off, of the padding at the other end too."""
    shape: list[int] = []
    targets: list[slice] = []
    sources: list[slice] = []
    for size, before, after, between in zip(operand.shape, low, high, interior, strict=True):
        step = between + 1
        extent = (size - 1) * step + 1 if size else 0
        length = max(0, before + extent + after)
        first = max(0, -(before // step))
        end = max(first, min(size, (length - 1 - before) // step + 1))
        shape.append(length)
        sources.append(slice(first, end))
        targets.append(slice(before + first * step, before + (end - 1) * step + 1, step) if end > first else slice(0))
    padded = np.full(shape, value, operand.dtype)
    padded[tuple(targets)] = operand[tuple(sources)]
    return padded


@reference("stablehlo.pad")
def pad(call: Call, operand: Array, padding_value: Array) -> Array:
    return pad_array(
        operand,
        padding_value,
        call.ints("edge_padding_low"),
        call.ints("edge_padding_high"),
        call.ints("interior_padding"),
    )
