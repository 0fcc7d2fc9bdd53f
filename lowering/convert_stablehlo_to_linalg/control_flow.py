"""`while`, `if` and `case` as scf on tensors, and functions.

Values of the enclosing region that a branch captures stay captured. Predicates are read by
`tensor.extract %p[]`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, Region

from ...dialects import stablehlo, xrt
from ...dialects.editing import walk
from ...dialects.shared_attributes import i64_array
from ...dialects.stablehlo.attributes import FutureType
from .attributes import INDEX, signless, unsupported
from .builder import Lowered, Lowering, Scalar
from .effects import EFFECTS, values_of

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


def lower_block(ctx: Lowering, block: Block) -> Sequence[Lowered]:
    """Lower the ops of `block` into the current block; what its terminator passes on."""
    for op in block.ops:
        ctx.location = op.location
        if isinstance(op, stablehlo.ReturnOp | func.ReturnOp):
            return [ctx.lowered(operand) for operand in op.operands]
        handler = ctx.handlers.get(type(op))
        if handler is None:
            raise unsupported(op, "no lowering to linalg")
        results = values_of(op.results)
        for result in results:
            check_static(op, result.type)
        for result, lowered in zip(results, handler(ctx, op), strict=True):
            ctx.bind(result, lowered)
    raise AssertionError("a block ends with a return")


def check_static(op: Operation, type: Attribute) -> None:
    """Raises `UnsupportedError` for a type that has no lowered form."""
    if isinstance(type, TensorType):
        if DYNAMIC_INDEX in type.get_shape():
            raise unsupported(op, f"{type} has a dynamic dimension; run refine-shapes first")
    elif not isinstance(type, FutureType):
        raise unsupported(op, f"no lowering for values of type {type}")


def _yielding(ctx: Lowering, region: Region) -> Region:
    """A branch without arguments that ends in `scf.yield`."""
    block = Block()
    with ctx.into(block):
        results = lower_block(ctx, region.block)
        ctx.emit(scf.YieldOp, [ctx.materialize(result) for result in results])
    return Region(block)


def lower_if(ctx: Lowering, op: stablehlo.IfOp) -> Sequence[Lowered]:
    """`scf.if`."""
    condition = ctx.rank0(op.operands[0])
    regions = [_yielding(ctx, region) for region in op.regions]
    types = [signless(result.type) for result in op.results]
    return ctx.emit(scf.IfOp, (condition,), types, regions=regions)


def lower_case(ctx: Lowering, op: stablehlo.CaseOp) -> Sequence[Lowered]:
    """`scf.index_switch`; the last branch is the default, taken for every index out of range
    too.
    """
    index = ctx.scalar(arith.IndexCastOp, (ctx.rank0(op.operands[0]),), INDEX)
    *cases, default = [_yielding(ctx, region) for region in op.regions]
    numbers = i64_array(*range(len(cases)))
    types = [signless(result.type) for result in op.results]
    return ctx.emit(scf.IndexSwitchOp, (index,), types, {"cases": numbers}, (default, *cases))


def lower_while(ctx: Lowering, op: stablehlo.WhileOp) -> Sequence[Lowered]:
    """`scf.while`: the condition in the first region, the body in the second."""
    state = [ctx.tensor(operand) for operand in op.operands]
    types = [value.type for value in state]
    before, after = Block(arg_types=types), Block(arg_types=types)
    condition, body = op.regions
    for block, region in ((before, condition), (after, body)):
        for old, new in zip(region.block.args, block.args, strict=True):
            ctx.bind(old, new)
    with ctx.into(before):
        (predicate,) = lower_block(ctx, condition.block)
        flag = ctx.scalar_of(predicate)
        if op in ctx.calling:
            flag = _unless_failed(ctx, flag)
        ctx.emit(scf.ConditionOp, (flag, *before.args))
    with ctx.into(after):
        results = lower_block(ctx, body.block)
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


CONTROL_FLOW = {
    stablehlo.CaseOp: lower_case,
    stablehlo.IfOp: lower_if,
    stablehlo.WhileOp: lower_while,
    func.CallOp: lower_call,
}
"""Op type to lowering."""
