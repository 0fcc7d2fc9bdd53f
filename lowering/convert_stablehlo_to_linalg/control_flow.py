"""`while`, `if` and `case` as scf on tensors, and functions.

Values of the enclosing region that a branch captures stay captured. Predicates are read by
`tensor.extract %p[]`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, Region

from ...dialects import stablehlo, xrt
from ...dialects.editing import walk
from ...dialects.shared_attributes import i64_array
from .attributes import INDEX, signless
from .builder import Lowered, Lowering, Scalar
from .effects import EFFECTS

LowerBlock: TypeAlias = Callable[[Lowering, Block], Sequence[Lowered]]
"""Lowers the ops of a block into the current block and returns what its terminator passes on."""


CALLS = frozenset((*EFFECTS, stablehlo.CustomCallOp))
"""Ops that may call the runtime."""


def calling_ops(function: func.FuncOp) -> set[Operation]:
    """The ops in `function` that may call the runtime, and all that such ops are in."""
    found: set[Operation] = set()
    for op in walk(function):
        if type(op) in CALLS:
            around: Operation | None = op
            while around is not None and around not in found:
                found.add(around)
                around = around.parent_op()
    return found


class ControlFlow:
    """Lowerings of ops with regions of tensors; `lower_block` is the walk of the pass."""

    def __init__(self, lower_block: LowerBlock):
        self.lower_block = lower_block

    def lowerings(self) -> dict[type[Operation], Any]:
        """Op type to lowering."""
        return {
            stablehlo.CaseOp: self.lower_case,
            stablehlo.IfOp: self.lower_if,
            stablehlo.WhileOp: self.lower_while,
            func.CallOp: lower_call,
        }

    def _yielding(self, ctx: Lowering, region: Region) -> Region:
        """A branch without arguments that ends in `scf.yield`."""
        block = Block()
        with ctx.into(block):
            results = self.lower_block(ctx, region.block)
            ctx.emit(scf.YieldOp, [ctx.materialize(result) for result in results])
        return Region(block)

    def lower_if(self, ctx: Lowering, op: stablehlo.IfOp) -> Sequence[Lowered]:
        """`scf.if`."""
        condition = ctx.rank0(op.operands[0])
        regions = [self._yielding(ctx, region) for region in op.regions]
        types = [signless(result.type) for result in op.results]
        return ctx.emit(scf.IfOp, (condition,), types, regions=regions)

    def lower_case(self, ctx: Lowering, op: stablehlo.CaseOp) -> Sequence[Lowered]:
        """`scf.index_switch`; the last branch is the default, taken for every index out of range
        too.
        """
        index = ctx.scalar(arith.IndexCastOp, (ctx.rank0(op.operands[0]),), INDEX)
        *cases, default = [self._yielding(ctx, region) for region in op.regions]
        numbers = i64_array(*range(len(cases)))
        types = [signless(result.type) for result in op.results]
        return ctx.emit(scf.IndexSwitchOp, (index,), types, {"cases": numbers}, (default, *cases))

    def lower_while(self, ctx: Lowering, op: stablehlo.WhileOp) -> Sequence[Lowered]:
        """`scf.while`: the condition in the first region, the body in the second."""
        state = [ctx.tensor(operand) for operand in op.operands]
        types = [value.type for value in state]
        before, after = Block(arg_types=types), Block(arg_types=types)
        condition, body = op.regions
        for block, region in ((before, condition), (after, body)):
            for old, new in zip(region.block.args, block.args, strict=True):
                ctx.bind(old, new)
        with ctx.into(before):
            (predicate,) = self.lower_block(ctx, condition.block)
            flag = ctx.scalar_of(predicate)
            if op in ctx.calling:
                flag = _unless_failed(ctx, flag)
            ctx.emit(scf.ConditionOp, (flag, *before.args))
        with ctx.into(after):
            results = self.lower_block(ctx, body.block)
            ctx.emit(scf.YieldOp, [ctx.materialize(result) for result in results])
        return ctx.emit(scf.WhileOp, state, types, regions=(Region(before), Region(after)))


def _unless_failed(ctx: Lowering, flag: Scalar) -> Scalar:
    """`flag`, but false after a call of the runtime has failed: the values it did not compute may never end a loop."""
    (failed,) = ctx.emit(xrt.HasFailedOp, (), (i1,))
    succeeded = ctx.scalar(arith.XOrIOp, (failed, ctx.constant(i1, 1)), i1)
    return ctx.scalar(arith.AndIOp, (flag, succeeded), i1)


def lower_call(ctx: Lowering, op: func.CallOp) -> Sequence[Lowered]:
    """The call with signless types."""
    return ctx.emit(
        func.CallOp,
        [ctx.tensor(operand) for operand in op.operands],
        [signless(result.type) for result in op.results],
        op.properties,
    )
