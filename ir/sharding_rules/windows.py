"""Reductions over windows, and their counterpart that scatters to the element a window selected."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.windows import padding_pairs, values_or
from .builder import RuleBuilder, sharding_rule
from .rule import FactorKind


@sharding_rule(stablehlo.ReduceWindowOp)
def reduce_window(op: stablehlo.ReduceWindowOp, rule: RuleBuilder) -> None:
    """A dimension is split by the places of the window; a window of more than one element reads neighbours."""
    count, initial = len(op.inputs), [None] * len(op.init_values)
    for dim, size in enumerate(shape_of(op.results[0])):
        kind = FactorKind.PASS_THROUGH if _is_trivial(op, dim) else FactorKind.PERMUTATION
        rule.add(size, [*[dim] * count, *initial], [dim] * count, kind)


@sharding_rule(stablehlo.SelectAndScatterOp)
def select_and_scatter(op: stablehlo.SelectAndScatterOp, rule: RuleBuilder) -> None:
    """Operand and result are split by elements; the places of the window are gathered where it has several elements."""
    for dim, size in enumerate(shape_of(op.result)):
        if _is_trivial(op, dim):
            rule.add(size, [dim, dim, None], [dim])
            continue
        rule.add(shape_of(op.source)[dim], [None, dim, None], [None], FactorKind.NEED_REPLICATION)
        rule.add(size, [dim, None, None], [dim], FactorKind.PERMUTATION)


def _is_trivial(op: stablehlo.ReduceWindowOp | stablehlo.SelectAndScatterOp, dim: int) -> bool:
    """Whether the window has one element in `dim`, and visits each in turn."""
    rank = len(shape_of(op.results[0]))
    window, strides = (values_or(attr, 1, rank)[dim] for attr in (op.window_dimensions, op.window_strides))
    dilation = values_or(op.base_dilations, 1, rank)[dim] if isinstance(op, stablehlo.ReduceWindowOp) else 1
    return window == strides == dilation == 1 and padding_pairs(op.padding, rank)[dim] == (0, 0)
