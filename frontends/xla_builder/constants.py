"""Constants as C++ writes them, by their rank or like another value.

Source: XLA's `xla_builder.h` (ConstantR0 and so on) and `lib/constants.h`.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ...runtime.fitting_numbers import natural_array
from .arguments import Array, Value
from .bounded_sizes import of_one_size
from .core import XlaBuilder, XlaOp, require
from .elementwise import expand_dimensions
from .operators import operation
from .shapes import ArrayShape, ElementType, PrimitiveType, Shape


def _constant(builder: XlaBuilder, name: str, value: Any, rank: int, element_type: PrimitiveType | None) -> XlaOp:
    require(not isinstance(value, XlaOp), name, f"expected numbers, got {value!r}")
    found = natural_array(value).ndim
    require(found == rank, name, f"expected numbers of rank {rank}, got an array of rank {found}")
    return builder.literal(value, element_type, name)


@operation("ConstantR0", takes_builder=True)
def constant_r0(builder: XlaBuilder, value: Value, element_type: ElementType | None = None) -> XlaOp:
    """`ConstantR0`: a scalar."""
    return _constant(builder, "value", value, 0, element_type)


@operation("ConstantR1", takes_builder=True)
def constant_r1(builder: XlaBuilder, values: Value, element_type: ElementType | None = None) -> XlaOp:
    """`ConstantR1`: a vector."""
    return _constant(builder, "values", values, 1, element_type)


@operation("ConstantR2", takes_builder=True)
def constant_r2(builder: XlaBuilder, values: Value, element_type: ElementType | None = None) -> XlaOp:
    """`ConstantR2`: a matrix."""
    return _constant(builder, "values", values, 2, element_type)


@operation("ConstantR3FromArray3D", takes_builder=True)
def constant_r3(builder: XlaBuilder, values: Value, element_type: ElementType | None = None) -> XlaOp:
    """`ConstantR3FromArray3D`: an array of three dimensions."""
    return _constant(builder, "values", values, 3, element_type)


@operation("ConstantR4FromArray4D", takes_builder=True)
def constant_r4(builder: XlaBuilder, values: Value, element_type: ElementType | None = None) -> XlaOp:
    """`ConstantR4FromArray4D`: an array of four dimensions."""
    return _constant(builder, "values", values, 4, element_type)


@operation("Zero", takes_builder=True)
def zero(builder: XlaBuilder, type: ElementType) -> XlaOp:
    """`Zero`: the scalar 0."""
    return builder.literal(0, type, "type")


@operation("One", takes_builder=True)
def one(builder: XlaBuilder, type: ElementType) -> XlaOp:
    """`One`: the scalar 1."""
    return builder.literal(1, type, "type")


@operation("MinValue", takes_builder=True)
def min_value(builder: XlaBuilder, type: ElementType) -> XlaOp:
    """`MinValue`: the least number of a type, -infinity where it has that: where a maximum begins."""
    return builder.literal(_extreme(type, -1), type, "type")


@operation("MaxValue", takes_builder=True)
def max_value(builder: XlaBuilder, type: ElementType) -> XlaOp:
    """`MaxValue`: the greatest number of a type, infinity where it has that: where a minimum begins."""
    return builder.literal(_extreme(type, 1), type, "type")


def _extreme(element_type: PrimitiveType, sign: int) -> Any:
    import ml_dtypes

    require(not element_type.is_complex, "type", f"expected a type with an order, got {element_type.value}")
    if element_type is PrimitiveType.PRED:
        return sign > 0
    if not element_type.is_floating_point:
        limits: Any = ml_dtypes.iinfo(element_type.dtype)
        return int(limits.max if sign > 0 else limits.min)
    with np.errstate(all="ignore"):
        infinity = np.asarray(sign * np.inf).astype(element_type.dtype)
    if np.isinf(infinity.astype(np.float64)):
        return infinity
    finite = cast(Any, ml_dtypes).finfo(element_type.dtype)
    return np.asarray(finite.max if sign > 0 else finite.min, element_type.dtype)


@operation("Zeros", takes_builder=True)
def zeros(builder: XlaBuilder, shape: ArrayShape) -> XlaOp:
    """`Zeros`: an array of zeros."""
    require(shape.is_static, "shape", f"expected sizes that are known, got {shape}")
    return expand_dimensions(builder.literal(0, shape.element_type, "shape"), (), shape.dimensions)


@operation("FullLike")
def full_like(prototype: Array, value: Value) -> XlaOp:
    """`FullLike`: the number `value` in the element type and the sizes of another array."""
    require(not isinstance(value, XlaOp), "value", f"expected a number, got {value!r}")
    return _filled(prototype, "value", value)


@operation("ZerosLike")
def zeros_like(prototype: Array) -> XlaOp:
    """`ZerosLike`: zeros in the element type and the sizes of another array."""
    return _filled(prototype, "prototype", 0)


@operation("OnesLike")
def ones_like(prototype: Array) -> XlaOp:
    """`OnesLike`: ones in the element type and the sizes of another array."""
    return _filled(prototype, "prototype", 1)


def _filled(prototype: XlaOp, argument: str, value: Any) -> XlaOp:
    scalar = prototype.builder.wrap(value, prototype, argument)
    require(scalar.shape.rank == 0, argument, f"expected a number, got an array {scalar.shape}")
    return of_one_size([expand_dimensions(scalar, (), prototype.shape.dimensions), prototype])[0]


@operation("ScalarLike")
def scalar_like(prototype: Array, value: Value) -> XlaOp:
    """`ScalarLike`: a number in the element type of another array."""
    scalar = prototype.builder.wrap(value, Shape(prototype.shape.element_type), "value")
    require(scalar.shape.rank == 0, "value", f"expected a number, got an array {scalar.shape}")
    return scalar
