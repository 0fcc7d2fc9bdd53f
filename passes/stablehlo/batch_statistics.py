"""Batch normalisation as arithmetic on tensors: one description for static sizes and for those that have a bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...ir.tensor_builder import Tensor

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
