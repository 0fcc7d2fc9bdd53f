"""Batch normalisation: statistics of a feature are over all other dimensions."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.normalization import BatchNormOp
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder, sharding_rule, whole_if


@sharding_rule(stablehlo.BatchNormInferenceOp, stablehlo.BatchNormTrainingOp, stablehlo.BatchNormGradOp)
def batch_norm(op: BatchNormOp, rule: RuleBuilder) -> None:
    """Before `stablehlo-expand-batch-norm` has made reductions of the statistics, they need all of a feature."""
    has_statistics = not isinstance(op, stablehlo.BatchNormInferenceOp)
    feature, rank = op.feature_index.value.data, len(shape_of(op.operands[0]))

    def of_tensor(dim: int, shape: tuple[int, ...]) -> Dim:
        """Tensors of features have the one dimension."""
        if len(shape) == rank and rank != 1:
            return dim
        return 0 if dim == feature else None

    for dim, size in enumerate(shape_of(op.operands[0])):
        operands = [of_tensor(dim, tuple(shape_of(value))) for value in op.operands]
        results = [of_tensor(dim, tuple(shape_of(value))) for value in op.results]
        rule.add(size, operands, results, whole_if(has_statistics and dim != feature))
