"""Floats of several precisions in one instruction, where StableHLO has one.

XLA's passes leave such instructions behind, `f32[2] add(bf16[2] x, f32[2] y)`: they compute in the widest type among
operands and result, and a computation in that of its parameters (openxla/xla, `ShapeInference`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, BFloat16Type, Float16Type, TensorType, f32
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.elementwise_binary import BinaryOp
from ....dialects.stablehlo.elementwise_unary import UnaryOp

if TYPE_CHECKING:
    from .site import Site

_MOVING: tuple[type[Operation], ...] = (
    stablehlo.BroadcastInDimOp,
    stablehlo.ConcatenateOp,
    stablehlo.DynamicSliceOp,
    stablehlo.DynamicUpdateSliceOp,
    stablehlo.PadOp,
    stablehlo.ReshapeOp,
    stablehlo.ReverseOp,
    stablehlo.SliceOp,
    stablehlo.TransposeOp,
)
_CHOOSING: tuple[type[Operation], ...] = (stablehlo.ClampOp, stablehlo.SelectOp)
_COMBINING: tuple[type[Operation], ...] = (
    stablehlo.AllReduceOp,
    stablehlo.ReduceOp,
    stablehlo.ReduceScatterOp,
    stablehlo.ReduceWindowOp,
    stablehlo.ScatterOp,
)
"""Ops whose region says in which type they compute."""


def _element(value: SSAValue | Attribute) -> Attribute | None:
    type = value.type if isinstance(value, SSAValue) else value
    return cast("TensorType[Attribute]", type).element_type if isinstance(type, TensorType) else None


def _floats(values: Iterable[SSAValue | Attribute]) -> set[AnyFloat]:
    return {element for value in values if isinstance(element := _element(value), AnyFloat)}


def widest(floats: set[AnyFloat]) -> AnyFloat:
    """The one of most bits; 32 bits where two differ that have as many, as `bf16` and `f16`."""
    most = max(float_type.bitwidth for float_type in floats)
    widest = [float_type for float_type in floats if float_type.bitwidth == most]
    if len(widest) > 1 and all(isinstance(each, BFloat16Type | Float16Type) for each in widest):
        return f32
    return widest[0]


def computed_in(
    op_type: type[Operation], operands: Sequence[SSAValue], results: Sequence[Attribute], regions: Sequence[Region]
) -> AnyFloat | None:
    """The type of floats that an op of these operands and results computes in, if there are several among them."""
    if issubclass(op_type, BinaryOp) or op_type in (*_CHOOSING, *_MOVING):
        floats = _floats((*operands, *results))
    elif op_type is stablehlo.CompareOp:
        floats = _floats(operands)
    elif issubclass(op_type, UnaryOp) and op_type is not stablehlo.ConvertOp:
        floats = _floats((*operands, *results))
        if _floats(operands) and not _floats(results):
            return None
    elif op_type in _COMBINING:
        return _of_region(operands, results, regions)
    else:
        return None
    return widest(floats) if len(floats) > 1 else None


def _of_region(
    operands: Sequence[SSAValue], results: Sequence[Attribute], regions: Sequence[Region]
) -> AnyFloat | None:
    """That of a computation whose result is not of the type that the text gives, or whose operands differ."""
    inside = _floats(regions[0].block.args)
    if len(inside) != 1 or len(_floats((*operands, *results, *regions[0].block.args))) == 1:
        return None
    (own,) = inside
    is_promotion = len(_floats(operands)) <= 1 and _floats(results) == inside
    return None if is_promotion or any(each.bitwidth > own.bitwidth for each in _floats(operands)) else own


def converted(site: Site, values: Iterable[SSAValue], element: AnyFloat) -> list[SSAValue]:
    """The values, those of other floats converted."""
    return [
        site.create(stablehlo.ConvertOp, [value], [with_element(value.type, element)]).results[0]
        if isinstance(found := _element(value), AnyFloat) and found != element
        else value
        for value in values
    ]


def with_element(type: Attribute, element: AnyFloat) -> Attribute:
    """The type with other floats; one of something else as it is."""
    if not isinstance(_element(type), AnyFloat):
        return type
    tensor = cast("TensorType[Attribute]", type)
    return TensorType(element, tensor.get_shape(), tensor.encoding)
