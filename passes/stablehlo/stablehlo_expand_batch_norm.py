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

from collections.abc import Callable, Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder

BatchNormOp = stablehlo.BatchNormGradOp | stablehlo.BatchNormInferenceOp | stablehlo.BatchNormTrainingOp


class Batch:
    """The operand of a batch normalisation: its dimensions other than that of the features are the batch."""

    def __init__(self, op: BatchNormOp, operands: Sequence[Tensor]) -> None:
        self._element_type: Attribute = operands[0].element_type
        self.operands = [operand.widened() for operand in operands]
        self.operand = self.operands[0]
        self.epsilon = op.epsilon.value.data
        self.feature = op.feature_index.value.data
        self.dims = [dim for dim in range(self.operand.rank) if dim != self.feature]

    def spread(self, per_feature: Tensor) -> Tensor:
        """A value per feature, for every element."""
        return per_feature.broadcast(self.operand.shape, [self.feature])

    def sum(self, x: Tensor) -> Tensor:
        """The sum of each feature."""
        return x.sum(self.dims)

    def mean(self, total: Tensor) -> Tensor:
        """A sum of each feature by the number of elements."""
        return total / prod(self.operand.shape[dim] for dim in self.dims)

    def reciprocal_deviation(self, variance: Tensor) -> Tensor:
        return (variance + self.epsilon).rsqrt()

    def normalized(self, centred: Tensor, variance: Tensor, scale: Tensor, offset: Tensor) -> Tensor:
        return centred * self.spread(self.reciprocal_deviation(variance) * scale) + self.spread(offset)

    def results(self, *values: Tensor) -> list[Tensor]:
        """`values` in the element type of the op."""
        return [value.convert(self._element_type) for value in values]


def inference(batch: Batch) -> list[Tensor]:
    operand, scale, offset, mean, variance = batch.operands
    return batch.results(batch.normalized(operand - batch.spread(mean), variance, scale, offset))


def training(batch: Batch) -> list[Tensor]:
    operand, scale, offset = batch.operands
    mean = batch.mean(batch.sum(operand))
    centred = operand - batch.spread(mean)
    variance = batch.mean(batch.sum(centred * centred))
    return batch.results(batch.normalized(centred, variance, scale, offset), mean, variance)


def grad(batch: Batch) -> list[Tensor]:
    """With r the reciprocal deviation and n = (x - mean) r: the gradient of x is
    scale r (g - mean(g) - n mean(g n)), that of scale is sum(g n), that of offset is sum(g).
    """
    operand, scale, mean, variance, gradient = batch.operands
    deviation = batch.reciprocal_deviation(variance)
    normalized = (operand - batch.spread(mean)) * batch.spread(deviation)
    grad_offset = batch.sum(gradient)
    grad_scale = batch.sum(gradient * normalized)
    centred = gradient - batch.spread(batch.mean(grad_offset))
    grad_operand = (centred - normalized * batch.spread(batch.mean(grad_scale))) * batch.spread(scale * deviation)
    return batch.results(grad_operand, grad_scale, grad_offset)


FORMULAS: dict[type[BatchNormOp], Callable[[Batch], list[Tensor]]] = {
    stablehlo.BatchNormGradOp: grad,
    stablehlo.BatchNormInferenceOp: inference,
    stablehlo.BatchNormTrainingOp: training,
}
"""Op type to results."""


def _expanded(op: BatchNormOp, builder: TensorBuilder) -> list[Tensor]:
    return FORMULAS[type(op)](Batch(op, builder.wrap(*op.operands)))


class StablehloExpandBatchNormPass(ExpansionPass):
    """Replace batch normalisations. See the module's documentation."""

    name = "stablehlo-expand-batch-norm"

    EXPANDED: ClassVar = dict.fromkeys(FORMULAS, _expanded)
