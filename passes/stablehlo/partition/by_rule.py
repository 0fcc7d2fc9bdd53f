"""Ops that are the same op on local parts: of what their sharding rule (`ir/sharding_rules`) passes through.

So are elementwise ops, transposes, reshapes, batches of factorisations and of systems, and the collectives that the
program itself has, which exchange parts as they are where each group is of devices with the same part. A rule in the
program counts for calls, which is how those of unknown functions are divided. All other dimensions are whole.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.chlo.calls import TOP_K, largest_taken
from ....dialects.chlo.library import TopKOp
from ....ir.sharding_rules import rule_of, rule_of_kind
from .devices import replicated
from .effects import is_without_effects
from .factors import Rule, factors_of, partition, rule_for
from .largest import largest_of_lines
from .site import Handler, Site
from .whole import whole


def by_rule(site: Site) -> None:
    """The op on local types, split as far as its rule passes dimensions through."""
    found = rule_of_kind(site.op)
    if found is None or not is_without_effects(site.op):
        whole(site)
    elif not isinstance(site.op, TopKOp):
        partition(site, factors_of(found))
    elif not largest_of_lines(site, site.op.k.value.data):
        partition(site, _with_whole_lines(factors_of(found)))


def _custom_call(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CustomCallOp)
    rule, target = rule_of(op) if is_without_effects(op) else None, op.call_target_name.data
    if rule is None or (target in MIXING and not rule.is_custom):
        whole(site)
    elif (count := largest_taken(op)) is None or not largest_of_lines(site, count):
        partition(site, _with_whole_lines(factors_of(rule)) if target == TOP_K else factors_of(rule))


MIXING = frozenset(
    {
        "ApproxTopK",
        "Cholesky",
        "CompactWyHelper",
        "Eigh",
        "InvertDiagBlocksLowerTriangular",
        "InvertDiagBlocksUpperTriangular",
        "PartialReduce",
    }
)
"""Calls that mix elements along dimensions that their rules pass through: these say how shardings spread, not more."""


def _with_whole_lines(rule: Rule) -> Rule:
    """Nothing is selected from parts of the last dimension, even if all of it is kept."""
    return rule._replace(whole=rule.whole | {factor for dims in rule.operands for factor in dims[-1]})


def _broadcast(site: Site) -> None:
    """Dimensions that the operand does not have are made in parts, too."""
    rule = rule_for(site.op)
    of_operands = {factor for dims in rule.operands for factors in dims for factor in factors}
    partition(site, rule._replace(whole=rule.whole & of_operands))


def _collective(site: Site) -> None:
    """The dimensions that it joins or takes apart are whole."""
    partition(site, rule_for(site.op))


def _id(site: Site) -> None:
    """Each device its own."""
    site.define(0, replicated(0), site.emit((), (replicated(0),))[0])


BY_RULE: dict[type[Operation], Handler] = {
    **dict.fromkeys(
        (
            stablehlo.BatchNormGradOp,
            stablehlo.BatchNormInferenceOp,
            stablehlo.BatchNormTrainingOp,
            stablehlo.BitcastConvertOp,
            stablehlo.CholeskyOp,
            stablehlo.MapOp,
            stablehlo.ReshapeOp,
            stablehlo.TransposeOp,
            stablehlo.TriangularSolveOp,
        ),
        by_rule,
    ),
    **dict.fromkeys(
        (
            stablehlo.AllGatherOp,
            stablehlo.AllReduceOp,
            stablehlo.AllToAllOp,
            stablehlo.CollectiveBroadcastOp,
            stablehlo.CollectivePermuteOp,
            stablehlo.CrossReplicaSumOp,
            stablehlo.ReduceScatterOp,
        ),
        _collective,
    ),
    stablehlo.BroadcastInDimOp: _broadcast,
    stablehlo.CustomCallOp: _custom_call,
    stablehlo.PartitionIdOp: _id,
    stablehlo.ReplicaIdOp: _id,
}
"""Op type to handler."""
