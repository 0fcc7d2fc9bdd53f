"""Batch normalisation: statistics of a feature are over all other dimensions."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.normalization import BatchNormOp
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.BatchNormInferenceOp)
def inference(op: BatchNormOp) -> ShardingRule:
    return _by_features(op, FactorKind.PASS_THROUGH)


@sharding_rule(stablehlo.BatchNormTrainingOp, stablehlo.BatchNormGradOp)
def with_statistics(op: BatchNormOp) -> ShardingRule:
    """Before `stablehlo-expand-batch-norm` has made reductions of the statistics, they need all of a feature."""
    return _by_features(op, FactorKind.NEED_REPLICATION)


def _by_features(op: BatchNormOp, other_dims: FactorKind) -> ShardingRule:
    feature, rank = op.feature_index.value.data, len(shape_of(op.operands[0]))
    builder = RuleBuilder(op)

    def of_tensor(dim: int, shape: tuple[int, ...]) -> Dim:
        """Tensors of features have the one dimension."""
        if len(shape) == rank and rank != 1:
            return dim
        return 0 if dim == feature else None

    for dim, size in enumerate(shape_of(op.operands[0])):
        operands = [of_tensor(dim, tuple(shape_of(value))) for value in op.operands]
        results = [of_tensor(dim, tuple(shape_of(value))) for value in op.results]
        builder.add(size, operands, results, FactorKind.PASS_THROUGH if dim == feature else other_dims)
    return builder.rule()
