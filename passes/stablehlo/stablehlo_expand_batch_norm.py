"""`stablehlo-expand-batch-norm`: batch normalisation becomes sums over the batch and elementwise arithmetic.

`batch_norm_inference`, `batch_norm_training` and `batch_norm_grad`, by the formulas of the specification with what
depends on the feature alone computed once per feature. The variance is the mean of squared distances from the mean (two
passes over the operand), not the difference of two large numbers. 16-bit floats are computed in f32.

Needs: static shapes. Leaves: none of these ops. As everywhere in the specification of these ops, a batch without
elements gives NaN.

    %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance)
        <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, tensor<4xf32>, ...) -> tensor<8x4xf32>

becomes

    %0 = stablehlo.add %variance, %epsilon : tensor<4xf32>
    %1 = stablehlo.rsqrt %0 : tensor<4xf32>
    %2 = stablehlo.multiply %1, %scale : tensor<4xf32>
    %3 = stablehlo.subtract %x, broadcast(%mean) : tensor<8x4xf32>
    %4 = stablehlo.multiply %3, broadcast(%2) : tensor<8x4xf32>
    %5 = stablehlo.add %4, broadcast(%offset) : tensor<8x4xf32>

The idea is that of XLA's BatchNormExpander and IREE's UnfuseBatchNorm.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

from ...dialects import stablehlo
from .expansion import ExpansionPass
from .tensor_builder import Tensor, TensorBuilder

BatchNormOp = stablehlo.BatchNormGradOp | stablehlo.BatchNormInferenceOp | stablehlo.BatchNormTrainingOp


class _Batch:
    """The operand of a batch normalisation: its dimensions other than that of the features are the batch."""

    def __init__(self, op: BatchNormOp, builder: TensorBuilder) -> None:
        self.operands = [operand.widened() for operand in builder.wrap(*op.operands)]
        self.operand = self.operands[0]
        self.epsilon = op.epsilon.value.data
        self._feature = op.feature_index.value.data
        self._dims = [dim for dim in range(self.operand.rank) if dim != self._feature]
        self.count = prod(self.operand.shape[dim] for dim in self._dims)
        self._element_type = builder.wrap(op.operands[0])[0].element_type

    def spread(self, per_feature: Tensor) -> Tensor:
        """A value per feature, for every element."""
        return per_feature.broadcast(self.operand.shape, [self._feature])

    def sum(self, x: Tensor) -> Tensor:
        """The sum of each feature."""
        return x.sum(self._dims)

    def reciprocal_deviation(self, variance: Tensor) -> Tensor:
        return (variance + self.epsilon).rsqrt()

    def normalized(self, centred: Tensor, variance: Tensor, scale: Tensor, offset: Tensor) -> Tensor:
        return centred * self.spread(self.reciprocal_deviation(variance) * scale) + self.spread(offset)

    def results(self, *values: Tensor) -> list[Tensor]:
        """`values` in the element type of the op."""
        return [value.convert(self._element_type) for value in values]


def inference(op: stablehlo.BatchNormInferenceOp, builder: TensorBuilder) -> list[Tensor]:
    batch = _Batch(op, builder)
    operand, scale, offset, mean, variance = batch.operands
    return batch.results(batch.normalized(operand - batch.spread(mean), variance, scale, offset))


def training(op: stablehlo.BatchNormTrainingOp, builder: TensorBuilder) -> list[Tensor]:
    batch = _Batch(op, builder)
    operand, scale, offset = batch.operands
    mean = batch.sum(operand) / batch.count
    centred = operand - batch.spread(mean)
    variance = batch.sum(centred * centred) / batch.count
    return batch.results(batch.normalized(centred, variance, scale, offset), mean, variance)


def grad(op: stablehlo.BatchNormGradOp, builder: TensorBuilder) -> list[Tensor]:
    """With r the reciprocal deviation and n = (x - mean) r: the gradient of x is
    scale r (g - mean(g) - n mean(g n)), that of scale is sum(g n), that of offset is sum(g).
    """
    batch = _Batch(op, builder)
    operand, scale, mean, variance, gradient = batch.operands
    deviation = batch.reciprocal_deviation(variance)
    normalized = (operand - batch.spread(mean)) * batch.spread(deviation)
    grad_offset = batch.sum(gradient)
    grad_scale = batch.sum(gradient * normalized)
    centred = gradient - batch.spread(grad_offset / batch.count)
    grad_operand = (centred - normalized * batch.spread(grad_scale / batch.count)) * batch.spread(scale * deviation)
    return batch.results(grad_operand, grad_scale, grad_offset)


class StablehloExpandBatchNormPass(ExpansionPass):
    """Replace batch normalisations. See the module's documentation."""

    name = "stablehlo-expand-batch-norm"

    EXPANDED: ClassVar = {
        stablehlo.BatchNormGradOp: grad,
        stablehlo.BatchNormInferenceOp: inference,
        stablehlo.BatchNormTrainingOp: training,
    }
