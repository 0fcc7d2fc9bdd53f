"""Calls of functions that XLA or JAX define. A call may also say its rule itself (`sdy.sharding_rule`)."""

from __future__ import annotations

import re

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import Maker, RuleBuilder, shape_or_empty, sharding_rule
from .elementwise import pointwise
from .reduction import top_k
from .rule import FactorKind

Call = stablehlo.CustomCallOp
REPLICATED = FactorKind.NEED_REPLICATION


def _eigh(op: Call, rule: RuleBuilder) -> None:
    """Eigenvectors as the operand, eigenvalues as its last dimension."""
    rank, shape = len(shape_of(op.inputs[0])), shape_of(op.inputs[0])
    rule.pointwise(shape[:-2])
    rule.add(shape[-2], [rank - 2], [rank - 2, None])
    rule.add(shape[-1], [rank - 1], [rank - 1, rank - 2])


def _factorization(op: Call, rule: RuleBuilder) -> None:
    """The batch is split; the matrices are whole."""
    batch = min(len(shape_or_empty(value)) for value in (*op.operands, *op.results))
    batch = min(batch, len(shape_of(op.inputs[0])) - 2)
    rule.pointwise(shape_of(op.inputs[0])[:batch])
    counts = len(op.operands), len(op.results)
    for number, value in enumerate((*op.operands, *op.results)):
        for dim in range(batch, len(shape_or_empty(value))):
            dims = [dim if other == number else None for other in range(sum(counts))]
            rule.add(shape_of(value)[dim], dims[: counts[0]], dims[counts[0] :], REPLICATED)


def _qr(op: Call, rule: RuleBuilder) -> None:
    shape = shape_of(op.inputs[0])
    rank = len(shape)
    rule.pointwise(shape[:-2])
    for dim in (rank - 2, rank - 1):
        rule.add(shape[dim], [dim], [dim, None], REPLICATED)
    rule.add(shape_of(op.results[1])[rank - 2], [None], [None, rank - 2], REPLICATED)


def _householder_product(op: Call, rule: RuleBuilder) -> None:
    shape = shape_of(op.inputs[0])
    rank = len(shape)
    rule.pointwise(shape[:-2])
    for dim in (rank - 2, rank - 1):
        rule.add(shape[dim], [dim, None], [dim], REPLICATED)
    rule.add(shape_of(op.inputs[1])[rank - 2], [None, rank - 2], [None], REPLICATED)


def _approximate_top_k(op: Call, rule: RuleBuilder) -> None:
    """`inputs, an initial value for each -> the greatest along a dimension`"""
    count = len(op.results)
    initial, nowhere = [None] * (len(op.operands) - count), [None] * count
    for dim, (size, kept) in enumerate(zip(shape_of(op.inputs[0]), shape_of(op.results[0]), strict=True)):
        if size == kept:
            rule.add_everywhere(dim, size)
        else:
            rule.add(size, [*[dim] * count, *initial], nowhere)
            rule.add(kept, [*nowhere, *initial], [dim] * count, REPLICATED, is_blocked=True)


def _each_by_itself(op: Call, rule: RuleBuilder) -> None:
    """There are no results, and operands are split as they come."""
    for number, value in enumerate(op.operands):
        for dim, size in enumerate(shape_or_empty(value)):
            rule.add(size, [dim if other == number else None for other in range(len(op.operands))], [])


def _combine_halves(op: Call, rule: RuleBuilder) -> None:
    """The state of a generator of random bits stays whole."""
    feeds_generator = any(isinstance(use.operation, stablehlo.RngBitGeneratorOp) for use in op.results[0].uses)
    rule.with_whole(shape_of(op.results[0]), lambda _: feeds_generator)


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

RULES: dict[str, Maker] = {
    **dict.fromkeys(POINTWISE, pointwise),
    "ApproxTopK": _approximate_top_k,
    "Eigh": _eigh,
    "PartialReduce": _approximate_top_k,
    "ProductOfElementaryHouseholderReflectors": _householder_product,
    "Qr": _qr,
    "QrDecompositionBlock": _qr,
    "X64Combine": _combine_halves,
    "control_dep": _each_by_itself,
    "dce_sink": _each_by_itself,
    "mhlo.topk": top_k,
}
"""By target. Source: openxla/shardy, op_sharding_rule_registry.cc."""

_LAPACK = re.compile(r"lapack_[sdcz](?!gtsv)[a-z0-9]+_ffi|LuDecomposition")


@sharding_rule(stablehlo.CustomCallOp)
def custom_call(op: Call, rule: RuleBuilder) -> bool | None:
    """None for a target that is not known: whether it can be split only its author knows."""
    target = op.call_target_name.data
    maker = RULES.get(target)
    if maker is None and not (_LAPACK.fullmatch(target) and op.inputs):
        return False
    return (maker or _factorization)(op, rule)
