"""Ops that are the same op on parts of what they treat independently: batches of factorisations and of systems.

What is independent is what their sharding rule passes through (`ir/sharding_rules`); a rule in the program counts too,
which is how calls of unknown functions are divided. All other dimensions are whole.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.chlo.library import TopKOp
from ....ir.sharding_rules import FactorKind, ShardingRule, rule_of
from .effects import is_without_effects
from .factors import Rule, partition
from .site import Handler, Site
from .whole import whole


def by_rule(site: Site) -> None:
    """The op on local types, split as far as its rule passes dimensions through."""
    op = site.op
    rule = rule_of(op) if is_without_effects(op) else None
    target = op.call_target_name.data if isinstance(op, stablehlo.CustomCallOp) else ""
    if rule is None or (target in MIXING and not rule.is_custom):
        whole(site)
    elif isinstance(op, TopKOp) or target == TOP_K:
        partition(site, _with_whole_lines(passed_through(rule)))
    else:
        partition(site, passed_through(rule))


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

TOP_K = "mhlo.topk"


def _with_whole_lines(rule: Rule) -> Rule:
    """Nothing is selected from parts of the last dimension, even if all of it is kept."""
    return rule._replace(whole=rule.whole | {factor for dims in rule.operands for factor in dims[-1]})


def passed_through(rule: ShardingRule) -> Rule:
    """The rule with all factors whole but those that each result has a part of from that of an operand."""
    kept = {index for index, factor in enumerate(rule.factors) if factor.kind is FactorKind.PASS_THROUGH}
    kept &= {factor for dims in rule.operands for factors in dims for factor in factors}
    for dims in rule.results:
        kept &= {factor for factors in dims for factor in factors}
    return Rule(
        tuple(factor.size for factor in rule.factors),
        rule.operands,
        rule.results,
        frozenset(range(len(rule.factors))) - kept,
    )


BY_RULE: dict[type[Operation], Handler] = {
    op: by_rule
    for op in (
        TopKOp,
        stablehlo.BatchNormGradOp,
        stablehlo.BatchNormInferenceOp,
        stablehlo.BatchNormTrainingOp,
        stablehlo.CholeskyOp,
        stablehlo.CustomCallOp,
        stablehlo.TriangularSolveOp,
    )
}
"""Op type to handler."""
