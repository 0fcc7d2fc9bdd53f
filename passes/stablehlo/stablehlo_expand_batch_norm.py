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

from typing import ClassVar

from ...dialects import stablehlo
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from .batch_statistics import FORMULAS, Batch, BatchNormOp


def _expanded(op: BatchNormOp, builder: TensorBuilder) -> list[Tensor]:
    return FORMULAS[type(op)](Batch(op, builder.wrap(*op.operands)))


class StablehloExpandBatchNormPass(ExpansionPass):
    """Replace batch normalisations. See the module's documentation."""

    name = "stablehlo-expand-batch-norm"

    EXPANDED: ClassVar = {
        stablehlo.BatchNormGradOp: _expanded,
        stablehlo.BatchNormInferenceOp: _expanded,
        stablehlo.BatchNormTrainingOp: _expanded,
    }
