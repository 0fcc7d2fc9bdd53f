"""Computations given as regions over tensors of one element, inlined on scalars.

Control flow inside them is scf on scalars. What computes with more than one element is not lowered here:
`stablehlo-expand-computations` has made loops of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from xdsl.dialects import arith, complex
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import locating, stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .arithmetic import REASSOCIATE, Number
from .attributes import (
    element_of,
    signless,
    splat_number,
    unsupported,
)
from .builder import Lowering, Scalars
from .control_flow import emit_branches, emit_while
from .elementwise import SCALAR_RULES, scalar
from .indices import clamped


def inline(ctx: Lowering, region: Region, args: Scalars, reassociate: bool = False) -> list[Number]:
    """Emit the computation of `region` on scalars and return what it returns.

    With `reassociate`, float additions and multiplications of two arguments whose result is
    returned may be reassociated: those are the combiners of a reduction.
    """
    results = _Inlining(ctx, reassociate).computation(region, [arg.value for arg in args])
    assert region.block.last_op is not None
    types = map(element_of, region.block.last_op.operands)
    return [Number(ctx, value, type) for value, type in zip(results, types, strict=True)]


class _Inlining:
    """The scalars that the values of a region, and of those inside it, have become."""

    def __init__(self, ctx: Lowering, reassociate: bool):
        self.ctx = ctx
        self.reassociate = reassociate
        self.scalars: dict[SSAValue, SSAValue] = {}

    def computation(self, region: Region, args: Sequence[SSAValue]) -> list[SSAValue]:
        """What `region` returns for `args`, emitted into the current block."""
        block = region.block
        self.scalars.update(zip(block.args, args, strict=True))
        for op in block.ops:
            if isinstance(op, stablehlo.ReturnOp):
                return self.values(op.operands)
            self.ctx.location = op.location
            if locating.is_on:
                locating.at(op)
            self.scalars.update(zip(op.results, self._results(op, block), strict=True))
        raise AssertionError("a region ends with stablehlo.return")

    def scalar(self, value: SSAValue) -> Number:
        """The scalar that `value` has become; a value from outside the computation is read here."""
        known = self.scalars.get(value)
        return self.ctx.number(value) if known is None else Number(self.ctx, known, element_of(value))

    def values(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """`scalar` of each."""
        return [self.scalar(value).value for value in values]

    def _results(self, op: Operation, block: Block) -> Sequence[SSAValue]:
        handler = HANDLERS.get(type(op))
        if type(op) not in SCALAR_RULES and handler is None:
            raise unsupported(op, "no lowering inside a computation on scalars")
        read = () if handler is _Inlining.element else op.operands
        if any(prod(shape_of(value)) != 1 for value in (*read, *op.results)):
            raise unsupported(op, "only tensors of one element inside a computation on scalars")
        if handler is not None:
            return handler(self, op)
        result = scalar(op, [self.scalar(operand) for operand in op.operands]).value
        if self.reassociate and _is_combiner(op, block) and isinstance(result.owner, _REASSOCIATED):
            result.owner.properties.update(REASSOCIATE)
        return (result,)

    # Handlers

    def constant(self, op: stablehlo.ConstantOp) -> Sequence[SSAValue]:
        number = splat_number(op.value)  # pyright: ignore
        if number is None:
            raise unsupported(op, "no such constant inside a computation on scalars")
        return (self.ctx.constant(signless(element_of(op.results[0])), number),)

    def nothing(self, op: Operation) -> Sequence[SSAValue]:
        """Ops that do nothing to tensors of one element."""
        return self.values(op.operands[: len(op.results)])

    def zero(self, op: Operation) -> Sequence[SSAValue]:
        """`iota` of one element."""
        return (self.ctx.constant(signless(element_of(op.results[0])), 0),)

    def bits(self, op: stablehlo.BitcastConvertOp) -> Sequence[SSAValue]:
        return (self.scalar(op.operands[0]).bitcast(element_of(op.results[0])).value,)

    def element(self, op: stablehlo.SliceOp | stablehlo.DynamicSliceOp) -> Sequence[SSAValue]:
        """One element of a tensor from outside the computation, or of one element."""
        source, *starts = op.operands
        if source in self.scalars:
            return (self.scalars[source],)
        array = self.ctx.array(source)
        if isinstance(op, stablehlo.SliceOp):
            return (array[op.start_indices.get_values()].value,)
        bounds = zip(starts, array.shape, strict=True)
        return (array[[clamped(self.scalar(start), size - 1) for start, size in bounds]].value,)

    def reduction(self, op: stablehlo.ReduceOp) -> Sequence[SSAValue]:
        """The initial values combined with one element each."""
        if any(element_of(r) != element_of(i) for r, i in zip(op.results, op.inputs, strict=True)):
            raise unsupported(op, "no conversion inside a computation on scalars")
        return self.computation(op.body, self.values((*op.init_values, *op.inputs)))

    def branches(self, op: stablehlo.IfOp | stablehlo.CaseOp) -> Sequence[SSAValue]:
        return emit_branches(self.ctx, op, self.scalar(op.operands[0]), lambda region: self.computation(region, ()))

    def loop(self, op: stablehlo.WhileOp) -> Sequence[SSAValue]:
        body = partial(self.computation, op.body)
        return emit_while(self.ctx, self.values(op.operands), lambda args: self.computation(op.cond, args)[0], body)

    def mapped(self, op: stablehlo.MapOp) -> Sequence[SSAValue]:
        return self.computation(op.computation, self.values(op.inputs))


HANDLERS: dict[type[Operation], Callable[[_Inlining, Any], Sequence[SSAValue]]] = {
    stablehlo.BitcastConvertOp: _Inlining.bits,
    stablehlo.CaseOp: _Inlining.branches,
    stablehlo.ConstantOp: _Inlining.constant,
    stablehlo.DynamicSliceOp: _Inlining.element,
    stablehlo.IfOp: _Inlining.branches,
    stablehlo.IotaOp: _Inlining.zero,
    stablehlo.MapOp: _Inlining.mapped,
    stablehlo.ReduceOp: _Inlining.reduction,
    stablehlo.SliceOp: _Inlining.element,
    stablehlo.WhileOp: _Inlining.loop,
    **dict.fromkeys(
        (
            stablehlo.BroadcastInDimOp,
            stablehlo.OptimizationBarrierOp,
            stablehlo.ReshapeOp,
            stablehlo.ReverseOp,
            stablehlo.TransposeOp,
        ),
        _Inlining.nothing,
    ),
}
"""Op type to what it does on scalars, for the ops that are not elementwise."""

_REASSOCIATED = (arith.AddfOp, arith.MulfOp, complex.AddOp)


def _is_combiner(op: Operation, block: Block) -> bool:
    return (
        isinstance(op, stablehlo.AddOp | stablehlo.MulOp)
        and all(operand.owner is block for operand in op.operands)
        and all(isinstance(use.operation, stablehlo.ReturnOp) for use in op.results[0].uses)
    )
