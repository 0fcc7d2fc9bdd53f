"""What formulas of elementary and special functions are made of, besides the operators of `Tensor`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import UNIT
from ...dialects.xrt_names import CONTRACT
from ...ir.tensors import Tensor


def _function(op_type: type[Operation]) -> Callable[[Tensor], Tensor]:
    return lambda x: x.apply(op_type)


exp = _function(stablehlo.ExpOp)
expm1 = _function(stablehlo.Expm1Op)
log = _function(stablehlo.LogOp)
log1p = _function(stablehlo.Log1pOp)
sqrt = Tensor.sqrt
floor = _function(stablehlo.FloorOp)
tan = _function(stablehlo.TanOp)
select = Tensor.select
"""`select(predicate, on_true, on_false)`"""


def is_single(x: Tensor) -> bool:
    """Whether the elements are `f32`; formulas have coefficients for that and for `f64`."""
    return isinstance(x.element_type, Float32Type)


def at_least_single(x: Tensor) -> Tensor:
    """`x` as `f32` unless it is `f32` or `f64`."""
    return x if isinstance(x.element_type, Float64Type) else x.widened()


def polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """Horner's scheme; coefficients from the constant one upwards.

    Its steps may be rounded once (`xrt.contract`): their errors are bounded for either.
    """
    *lower, result = coefficients
    while lower:
        result = multiply_add(x, result, lower.pop())
    return result if isinstance(result, Tensor) else x.number(result)


def multiply_add(x: Tensor, y: Tensor | float, z: Tensor | float) -> Tensor:
    """`x * y + z`, which may be rounded once (`xrt.contract`)."""
    product = x * y
    result = product + z
    for step in (product, result):
        cast(Operation, step.value.owner).attributes[CONTRACT] = UNIT
    return result


def bits(x: Tensor) -> Tensor:
    """The bits of floats as signed integers."""
    return x.bitcast(IntegerType(element_bits(x.element_type)))


def with_sign_of(magnitude: Tensor, sign: Tensor) -> Tensor:
    """`magnitude`, which is not negative, with the sign of `sign`."""
    sign_bit = bits(sign) & -(1 << (element_bits(magnitude.element_type) - 1))
    return (bits(magnitude) | sign_bit).bitcast(magnitude.element_type)


def upper_half(x: Tensor) -> Tensor:
    """`x` with the lower half of its significand zero, so that products of two of them are exact."""
    return (bits(x) & -(1 << (12 if is_single(x) else 27))).bitcast(x.element_type)


def product_error(x: Tensor, y: Tensor, product: Tensor) -> Tensor:
    """What rounding took away from `product`, which is `x * y` (T. Dekker, 1971)."""
    x_upper, y_upper = upper_half(x), upper_half(y)
    x_lower, y_lower = x - x_upper, y - y_upper
    return ((x_upper * y_upper - product) + x_upper * y_lower + x_lower * y_upper) + x_lower * y_lower
