"""Calls of functions that XLA or JAX define. A call may also say its rule itself (`sdy.sharding_rule`)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, shape_or_empty
from .elementwise import pointwise
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule

Call = stablehlo.CustomCallOp
REPLICATED = FactorKind.NEED_REPLICATION


def _eigh(op: Call) -> ShardingRule:
    """Eigenvectors as the operand, eigenvalues as its last dimension."""
    rank, shape = len(shape_of(op.inputs[0])), shape_of(op.inputs[0])
    builder = RuleBuilder(op)
    builder.pointwise(shape[:-2])
    builder.add(shape[-2], [rank - 2], [rank - 2, None])
    builder.add(shape[-1], [rank - 1], [rank - 1, rank - 2])
    return builder.rule()


def _factorization(op: Call) -> ShardingRule:
    """The batch is split; the matrices are whole."""
    batch = min(len(shape_or_empty(value)) for value in (*op.operands, *op.results))
    batch = min(batch, len(shape_of(op.inputs[0])) - 2)
    builder = RuleBuilder(op)
    builder.pointwise(shape_of(op.inputs[0])[:batch])
    counts = len(op.operands), len(op.results)
    for number, value in enumerate((*op.operands, *op.results)):
        for dim in range(batch, len(shape_or_empty(value))):
            dims = [dim if other == number else None for other in range(sum(counts))]
            builder.add(shape_of(value)[dim], dims[: counts[0]], dims[counts[0] :], REPLICATED)
    return builder.rule()


def _qr(op: Call) -> ShardingRule:
    shape = shape_of(op.inputs[0])
    rank = len(shape)
    builder = RuleBuilder(op)
    builder.pointwise(shape[:-2])
    for dim in (rank - 2, rank - 1):
        builder.add(shape[dim], [dim], [dim, None], REPLICATED)
    builder.add(shape_of(op.results[1])[rank - 2], [None], [None, rank - 2], REPLICATED)
    return builder.rule()


def _householder_product(op: Call) -> ShardingRule:
    shape = shape_of(op.inputs[0])
    rank = len(shape)
    builder = RuleBuilder(op)
    builder.pointwise(shape[:-2])
    for dim in (rank - 2, rank - 1):
        builder.add(shape[dim], [dim, None], [dim], REPLICATED)
    builder.add(shape_of(op.inputs[1])[rank - 2], [None, rank - 2], [None], REPLICATED)
    return builder.rule()


def _top_k(op: Call) -> ShardingRule:
    builder = RuleBuilder(op)
    for dim, (size, kept) in enumerate(zip(shape_of(op.inputs[0]), shape_of(op.results[0]), strict=True)):
        if size == kept:
            builder.add_everywhere(dim, size)
        else:
            builder.add_everywhere(dim, size, REPLICATED, is_blocked=True)
    return builder.rule()


def _approximate_top_k(op: Call) -> ShardingRule:
    """`inputs, an initial value for each -> the greatest along a dimension`"""
    count = len(op.results)
    initial, nowhere = [None] * (len(op.operands) - count), [None] * count
    builder = RuleBuilder(op)
    for dim, (size, kept) in enumerate(zip(shape_of(op.inputs[0]), shape_of(op.results[0]), strict=True)):
        if size == kept:
            builder.add_everywhere(dim, size)
        else:
            builder.add(size, [*[dim] * count, *initial], nowhere)
            builder.add(kept, [*nowhere, *initial], [dim] * count, REPLICATED, is_blocked=True)
    return builder.rule()


def _combine_halves(op: Call) -> ShardingRule | None:
    """The state of a generator of random bits stays whole."""
    if not any(isinstance(use.operation, stablehlo.RngBitGeneratorOp) for use in op.results[0].uses):
        return pointwise(op)
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.results[0])):
        builder.add_everywhere(dim, size, REPLICATED, is_blocked=True)
    return builder.rule()


POINTWISE = (
    "Cholesky",
    "CompactWyHelper",
    "InspectSharding",
    "InvertDiagBlocksLowerTriangular",
    "InvertDiagBlocksUpperTriangular",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "X64SplitHigh",
    "X64SplitLow",
    "annotate_device_placement",
    "mhlo.erf",
)
"""Targets whose results have the shape of their operands, and are split as these."""

RULES: dict[str, Callable[[Call], ShardingRule | None]] = {
    **dict.fromkeys(POINTWISE, pointwise),
    "ApproxTopK": _approximate_top_k,
    "Eigh": _eigh,
    "PartialReduce": _approximate_top_k,
    "ProductOfElementaryHouseholderReflectors": _householder_product,
    "Qr": _qr,
    "QrDecompositionBlock": _qr,
    "X64Combine": _combine_halves,
    "mhlo.topk": _top_k,
}
"""By target. Source: openxla/shardy, op_sharding_rule_registry.cc."""

_LAPACK = re.compile(r"lapack_[sdcz](?!gtsv)[a-z0-9]+_ffi|LuDecomposition")


@sharding_rule(stablehlo.CustomCallOp)
def custom_call(op: Call) -> ShardingRule | None:
    """None for a target that is not known: whether it can be split only its author knows."""
    target = op.call_target_name.data
    if (maker := RULES.get(target)) is not None:
        return maker(op)
    return _factorization(op) if _LAPACK.fullmatch(target) and op.inputs else None
