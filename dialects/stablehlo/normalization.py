"""Batch normalisation."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .bounds import inferred_type
from .element_types import ElementKind, FloatTensor, TensorOf
from .property_types import I64Property
from .shapes import (
    compatible_dims,
    compatible_element_types,
    compatible_types,
    element_type_of,
    shape_of,
    show,
    violation,
)

Value = SSAValue | Operation

FeatureTensor = TensorOf(
    ElementKind.FLOAT | ElementKind.QUANTIZED, "a tensor of rank 1 of floating-point or quantised type", rank=1
)


def _feature_type(operand: SSAValue, feature_index: int) -> Attribute:
    return inferred_type(element_type_of(operand), lambda shape: [shape[feature_index]], operand)


class BatchNormOp(IRDLOperation, ABC):
    """Normalises each feature of `operand`; features are numbered along dimension `feature_index`."""

    epsilon = prop_def(FloatAttr)
    feature_index = prop_def(I64Property)

    traits = traits_def(Pure())

    @staticmethod
    def config(epsilon: float, feature_index: int) -> dict[str, Attribute]:
        return {
            "epsilon": FloatAttr(epsilon, f32),
            "feature_index": IntegerAttr(feature_index, i64),
        }

    def verify_batch_norm(
        self, features: dict[str, SSAValue], wholes: dict[str, SSAValue], constraints: dict[str, str]
    ) -> None:
        """`features` have one element per feature, `wholes` have the type of the operand."""
        operand = self.operands[0]
        shape, index = shape_of(operand), self.feature_index.value.data
        if not 0 <= index < len(shape):
            violation(self, "C1", f"feature_index {index} exceeds the rank {len(shape)}")
        values = (*self.operands, *self.results)
        if not all(compatible_element_types(element_type_of(value), element_type_of(operand)) for value in values):
            violation(self, "C2", f"expected one element type, got {show(v.type for v in values)}")
        for name, value in features.items():
            if not compatible_dims(shape_of(value)[0], shape[index]):
                violation(
                    self,
                    constraints[name],
                    f"{name} of type {value.type} for {shape[index]} features",
                )
        for name, value in wholes.items():
            if not compatible_types(operand.type, value.type):
                violation(
                    self,
                    constraints[name],
                    f"{name} of type {value.type} for an operand of type {operand.type}",
                )


@irdl_op_definition
class BatchNormTrainingOp(BatchNormOp):
    """Normalises each feature with mean and variance of the batch, which it also returns, then scales and shifts.

    `operand`, `output`: one type; `scale`, `offset`, `batch_mean`, `batch_var`: rank 1, one element per feature.
    `feature_index` numbers the dimension of features; float or quantised elements. Specification:
    `batch_norm_training`.
    """

    name = "stablehlo.batch_norm_training"

    operand = operand_def(FloatTensor)
    scale = operand_def(FeatureTensor)
    offset = operand_def(FeatureTensor)
    output = result_def(FloatTensor)
    batch_mean = result_def(FeatureTensor)
    batch_var = result_def(FeatureTensor)

    def __init__(self, operand: Value, scale: Value, offset: Value, epsilon: float, feature_index: int):
        operand = SSAValue.get(operand)
        feature = _feature_type(operand, feature_index)
        super().__init__(
            operands=[operand, scale, offset],
            result_types=[operand.type, feature, feature],
            properties=self.config(epsilon, feature_index),
        )

    def verify_(self) -> None:
        self.verify_batch_norm(
            {
                "scale": self.scale,
                "offset": self.offset,
                "batch_mean": self.batch_mean,
                "batch_var": self.batch_var,
            },
            {"output": self.output},
            {"scale": "C3", "offset": "C4", "batch_mean": "C5", "batch_var": "C6", "output": "C7"},
        )


@irdl_op_definition
class BatchNormInferenceOp(BatchNormOp):
    """Normalises each feature with the mean and variance given, then scales and shifts.

    `operand`, `result`: one type; `scale`, `offset`, `mean`, `variance`: rank 1, one element per feature.
    `feature_index` numbers the dimension of features; float or quantised elements. Specification:
    `batch_norm_inference`.
    """

    name = "stablehlo.batch_norm_inference"

    operand = operand_def(FloatTensor)
    scale = operand_def(FeatureTensor)
    offset = operand_def(FeatureTensor)
    mean = operand_def(FeatureTensor)
    variance = operand_def(FeatureTensor)
    result = result_def(FloatTensor)

    def __init__(
        self,
        operand: Value,
        scale: Value,
        offset: Value,
        mean: Value,
        variance: Value,
        epsilon: float,
        feature_index: int,
    ):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand, scale, offset, mean, variance],
            result_types=[operand.type],
            properties=self.config(epsilon, feature_index),
        )

    def verify_(self) -> None:
        self.verify_batch_norm(
            {
                "scale": self.scale,
                "offset": self.offset,
                "mean": self.mean,
                "variance": self.variance,
            },
            {"result": self.result},
            {"scale": "C3", "offset": "C4", "mean": "C5", "variance": "C6", "result": "C7"},
        )


@irdl_op_definition
class BatchNormGradOp(BatchNormOp):
    """The gradients of `batch_norm_training` by operand, scale and offset.

    `operand`, `grad_output`, `grad_operand`: one type; `scale`, `mean`, `variance`, `grad_scale`, `grad_offset`: rank
    1, one element per feature. `feature_index` numbers the dimension of features; float or quantised elements.
    Specification: `batch_norm_grad`.
    """

    name = "stablehlo.batch_norm_grad"

    operand = operand_def(FloatTensor)
    scale = operand_def(FeatureTensor)
    mean = operand_def(FeatureTensor)
    variance = operand_def(FeatureTensor)
    grad_output = operand_def(FloatTensor)
    grad_operand = result_def(FloatTensor)
    grad_scale = result_def(FeatureTensor)
    grad_offset = result_def(FeatureTensor)

    def __init__(
        self,
        operand: Value,
        scale: Value,
        mean: Value,
        variance: Value,
        grad_output: Value,
        epsilon: float,
        feature_index: int,
    ):
        operand = SSAValue.get(operand)
        feature = _feature_type(operand, feature_index)
        super().__init__(
            operands=[operand, scale, mean, variance, grad_output],
            result_types=[operand.type, feature, feature],
            properties=self.config(epsilon, feature_index),
        )

    def verify_(self) -> None:
        self.verify_batch_norm(
            {
                "scale": self.scale,
                "mean": self.mean,
                "variance": self.variance,
                "grad_scale": self.grad_scale,
                "grad_offset": self.grad_offset,
            },
            {"grad_output": self.grad_output, "grad_operand": self.grad_operand},
            {
                "scale": "C5",
                "mean": "C4",
                "variance": "C4",
                "grad_scale": "C4",
                "grad_offset": "C4",
                "grad_output": "C3",
                "grad_operand": "C3",
            },
        )
