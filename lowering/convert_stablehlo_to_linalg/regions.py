"""Computations given as regions over rank-0 tensors, inlined on scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, complex
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stablehlo
from .attributes import element_of, is_complex, signless, splat_value, unsupported
from .builder import Lowering
from .elementwise import SCALAR_RULES, scalar_rule
from .scalars import REASSOCIATE

_IDENTITIES = (
    stablehlo.BroadcastInDimOp,
    stablehlo.ReshapeOp,
    stablehlo.TransposeOp,
    stablehlo.OptimizationBarrierOp,
)
"""Ops that do nothing to a tensor of rank 0."""


def inline(ctx: Lowering, region: Region, args: Sequence[SSAValue], reassociate: bool = False) -> Sequence[SSAValue]:
    """Emit the computation of `region` on scalars and return what it returns.

    With `reassociate`, float additions and multiplications of two arguments whose result is
    returned may be reassociated: those are the combiners of a reduction.
    """
    block = region.block
    scalars: dict[SSAValue, SSAValue] = dict(zip(block.args, args, strict=True))

    def scalar(value: SSAValue) -> SSAValue:
        known = scalars.get(value)
        return ctx.rank0(value) if known is None else known

    for op in block.ops:
        if isinstance(op, stablehlo.ReturnOp):
            return [scalar(value) for value in op.operands]
        if any(_rank(value) for value in (*op.operands, *op.results)):
            raise unsupported(op, "only tensors of rank 0 inside a computation on scalars")
        ctx.location = op.location
        if type(op) in SCALAR_RULES:
            result = scalar_rule(op)(ctx, op, [scalar(value) for value in op.operands])
            if reassociate and _is_combiner(op, block):
                _allow_reassociation(result)
            scalars[op.results[0]] = result
        elif isinstance(op, stablehlo.ConstantOp):
            value = splat_value(op.value)  # pyright: ignore
            if value is None:
                raise unsupported(op, "no such constant inside a computation on scalars")
            scalars[op.results[0]] = ctx.attribute_constant(value)
        elif isinstance(op, _IDENTITIES):
            for value, result in zip(op.operands, op.results, strict=True):
                scalars[result] = scalar(value)
        elif isinstance(op, stablehlo.BitcastConvertOp):
            scalars[op.results[0]] = _bitcast(ctx, op, scalar(op.operand))
        else:
            raise unsupported(op, "no lowering inside a computation on scalars")
    raise AssertionError("a region ends with stablehlo.return")


def _bitcast(ctx: Lowering, op: stablehlo.BitcastConvertOp, value: SSAValue) -> SSAValue:
    """Of numbers that are not complex; elements of rank 0 have the same width."""
    result = signless(element_of(op.result))
    if value.type == result:
        return value
    if is_complex(element_of(op.operand)) or is_complex(result):
        raise unsupported(op, "no lowering inside a computation on scalars")
    return ctx.scalar(arith.BitcastOp, (value,), result)


def _rank(value: SSAValue) -> int:
    type: Any = value.type
    return len(type.shape.data)


def _is_combiner(op: Operation, block: Block) -> bool:
    return (
        isinstance(op, stablehlo.AddOp | stablehlo.MulOp)
        and all(operand.owner is block for operand in op.operands)
        and all(isinstance(use.operation, stablehlo.ReturnOp) for use in op.results[0].uses)
    )


def _allow_reassociation(value: SSAValue) -> None:
    op = value.owner
    if isinstance(op, arith.AddfOp | arith.MulfOp | complex.AddOp):
        op.properties["fastmath"] = REASSOCIATE


def only_op(region: Region) -> Operation | None:
    """The op of a region `(a, b) -> op(a, b)` whose operands are its two arguments in any order, if
    it is one.
    """
    block = region.block
    first = block.first_op
    if first is None or len(block.args) != 2 or len(first.operands) != 2:
        return None
    returns = first.next_op
    if not isinstance(returns, stablehlo.ReturnOp) or tuple(returns.operands) != first.results:
        return None
    return first if set(first.operands) == set(block.args) else None
