"""`stablehlo-expand-map`: `map` with an elementwise body becomes this body on whole tensors.

Each op of the body, which computes with tensors of rank 0, is created again for the shape of the inputs; constants
become splats, and scalars from outside the body are broadcast.

Needs: static shapes. Leaves: `map` with a body that has other ops than elementwise ones and constants.

    %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

becomes

    %0 = stablehlo.multiply %x, %y : tensor<4xf32>

XLA's MapInliner does the same with the computations of HLO.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.chlo.special_functions import UnaryOp as ChloUnaryOp
from ...dialects.dense import splat_attribute, splat_bytes
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.elementwise_unary import UnaryOp
from ...dialects.stablehlo.shapes import element_type_of
from .expansion import ExpansionPass
from .tensor_builder import Tensor, TensorBuilder

ELEMENTWISE: frozenset[type[Operation]] = frozenset(
    (
        *(op for op in stablehlo.OPS if issubclass(op, UnaryOp | BinaryOp)),
        *(op for op in chlo.OPS if issubclass(op, ChloUnaryOp)),
        stablehlo.ClampOp,
        stablehlo.CompareOp,
        stablehlo.ComplexOp,
        stablehlo.IsFiniteOp,
        stablehlo.ReducePrecisionOp,
        stablehlo.SelectOp,
    )
)
"""Ops that on tensors of any shape do what they do on scalars."""


def map_(op: stablehlo.MapOp, builder: TensorBuilder) -> Tensor | None:
    *body, end = op.computation.block.ops
    if any(type(nested) not in ELEMENTWISE and not isinstance(nested, stablehlo.ConstantOp) for nested in body):
        return None
    inputs = builder.wrap(*op.inputs)
    shape = inputs[0].shape
    whole: dict[SSAValue, Tensor] = dict(zip(op.computation.block.args, inputs, strict=True))

    def at_full_shape(value: SSAValue) -> Tensor:
        if value not in whole:
            whole[value] = builder.wrap(value)[0].broadcast(shape, ())
        return whole[value]

    for nested in body:
        properties = nested.properties
        types = [TensorType(element_type_of(result), shape) for result in nested.results]
        if isinstance(nested, stablehlo.ConstantOp):
            properties = {"value": splat_attribute(types[0], cast(Any, splat_bytes(nested.value)))}
        operands = [at_full_shape(operand) for operand in nested.operands]
        results = builder.emit(type(nested), operands, types, properties)
        whole.update(zip(nested.results, results, strict=True))
    return at_full_shape(end.operands[0])


class StablehloExpandMapPass(ExpansionPass):
    """Replace maps. See the module's documentation."""

    name = "stablehlo-expand-map"

    EXPANDED: ClassVar = {stablehlo.MapOp: map_}
