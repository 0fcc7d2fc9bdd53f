"""Reductions over windows, and their counterpart that scatters to the element a window selected."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.windows import padding_pairs, values_or
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.ReduceWindowOp)
def reduce_window(op: stablehlo.ReduceWindowOp) -> ShardingRule:
    """A dimension is split by the places of the window; a window of more than one element reads neighbours."""
    count, initial = len(op.inputs), [None] * len(op.init_values)
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.results[0])):
        kind = FactorKind.PASS_THROUGH if _is_trivial(op, dim) else FactorKind.PERMUTATION
        builder.add(size, [*[dim] * count, *initial], [dim] * count, kind)
    return builder.rule()


@sharding_rule(stablehlo.SelectAndScatterOp)
def select_and_scatter(op: stablehlo.SelectAndScatterOp) -> ShardingRule:
    """Operand and result are split by elements; the places of the window are gathered where it has several elements."""
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.result)):
        if _is_trivial(op, dim):
            builder.add(size, [dim, dim, None], [dim])
            continue
        builder.add(shape_of(op.source)[dim], [None, dim, None], [None], FactorKind.NEED_REPLICATION)
        builder.add(size, [dim, None, None], [dim], FactorKind.PERMUTATION)
    return builder.rule()


def _is_trivial(op: stablehlo.ReduceWindowOp | stablehlo.SelectAndScatterOp, dim: int) -> bool:
    """Whether the window has one element in `dim`, and visits each in turn."""
    rank = len(shape_of(op.results[0]))
    window, strides = (values_or(attr, 1, rank)[dim] for attr in (op.window_dimensions, op.window_strides))
    dilation = values_or(op.base_dilations, 1, rank)[dim] if isinstance(op, stablehlo.ReduceWindowOp) else 1
    return window == strides == dilation == 1 and padding_pairs(op.padding, rank)[dim] == (0, 0)
