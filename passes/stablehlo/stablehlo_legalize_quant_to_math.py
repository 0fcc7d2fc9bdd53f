"""`stablehlo-legalize-quant-to-math`: quantised tensors become the integers they store, and arithmetic on them.

A tensor of `!quant.uniform<i8:f32, s:z>` is a tensor of `i8` from here on, and every op becomes what the reference
interpreter says it means (`reference/quantization.py`):

- An op that moves elements, or whose region computes, works on the stored integers; so do functions and their callers.
- Any other op dequantises its operands, computes with real numbers and quantises its results.
- A `dot_general`, `convolution` and the like whose result is quantised computes in f64: its sums are then the same in
  any order but for the rarest of cases, while errors of f32 would show where a sum lies halfway between integers.
- To dequantise is `(stored - zero_point) * scale`, to quantise `round(x / scale)`, clamped, plus the zero point.
  Integers are of 32 bits in between, for storage of 32 bits of 64: nothing overflows, and conversions saturate.

Needs: static shapes where an op computes. Leaves: StableHLO without quantised types. A module that has none costs one
look at its types.

    %0 = stablehlo.add %a, %b : tensor<4x!quant.uniform<i8:f32, 0.5:1>>

becomes

    %0 = stablehlo.convert %a : (tensor<4xi8>) -> tensor<4xi32>
    %1 = stablehlo.subtract %0, %one : tensor<4xi32>
    %2 = stablehlo.convert %1 : (tensor<4xi32>) -> tensor<4xf32>
    %3 = stablehlo.multiply %2, %scale : tensor<4xf32>
    ...                                                                       # the same for %b
    %8 = stablehlo.add %3, %7 : tensor<4xf32>
    %9 = stablehlo.divide %8, %scale : tensor<4xf32>
    %10 = stablehlo.round_nearest_even %9 : tensor<4xf32>
    %11 = stablehlo.convert %10 : (tensor<4xf32>) -> tensor<4xi32>
    %12 = stablehlo.clamp %low, %11, %high : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %13 = stablehlo.add %12, %one : tensor<4xi32>
    %14 = stablehlo.convert %13 : (tensor<4xi32>) -> tensor<4xi8>

StableHLO's pass of this name does the same with integer arithmetic in places.

Not a pattern pass: the types of functions, regions and values change together.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TupleType
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ...dialects.quant import UniformQuantizedType
from ...dialects.stablehlo.shapes import is_tensor, with_element_type
from .census import census


class StablehloLegalizeQuantToMathPass(ModulePass):
    """Replace quantised types and what computes with them. See the module's documentation."""

    name = "stablehlo-legalize-quant-to-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises `UnsupportedError` for dynamic shapes where an op computes."""
        if any(storage_type(type) is not None for type in census(op).types):
            from .quantized_arithmetic import legalize

            legalize(op)


def storage_type(type: Attribute) -> Attribute | None:
    """The type of the stored integers; None where nothing in `type` is quantised."""
    if is_tensor(type):
        element = type.element_type
        return with_element_type(type, element.storage_type) if isinstance(element, UniformQuantizedType) else None
    if isinstance(type, TupleType):
        stored = [storage_type(element) for element in type.types.data]
        if any(element is not None for element in stored):
            types = tuple(new or old for new, old in zip(stored, type.types.data, strict=True))
            return TupleType(cast(Any, types))
    return None
