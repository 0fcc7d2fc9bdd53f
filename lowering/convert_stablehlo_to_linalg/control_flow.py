"""`while`, `if` and `case` as scf on tensors, and functions. Predicates are read by `tensor.extract %p[]`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import locating, stablehlo, xrt
from ...dialects.editing import new_block, new_region, walk
from ...dialects.shared_attributes import cached_by_identity, i64_array
from ...dialects.stablehlo.attributes import FutureType
from ...ir.purity import is_pure
from .arithmetic import Number
from .attributes import AnyTensor, signless, unsupported
from .builder import Lowered, Lowering
from .effects import EFFECTS, values_of

CALLS = frozenset((*EFFECTS, stablehlo.CustomCallOp))
"""Ops that may call the runtime."""


def _calling_ops(root: Operation) -> set[Operation]:
    """The ops in `root` that may call the runtime, and all that such ops are in."""
    found: set[Operation] = set()
    for op in walk(root):
        if type(op) in CALLS:
            around: Operation | None = op
            while around is not None and around not in found:
                found.add(around)
                around = around.parent_op()
    return found


_RETURNS = (stablehlo.ReturnOp, func.ReturnOp)


def lower_block(ctx: Lowering, block: Block) -> Sequence[Lowered]:
    """Lower the ops of `block` into the current block; what its terminator passes on."""
    for op in block.ops:
        ctx.location = op.location
        if locating.is_on:
            locating.at(op)
        if op.__class__ in _RETURNS:
            return [ctx.lowered(operand) for operand in op.operands]
        handler = ctx.handlers.get(op.__class__)
        if handler is None:
            raise unsupported(op, "no lowering to linalg")
        results = values_of(op.results)
        empty = bool(results)
        for result in results:
            check_static(op, result.type)
            empty = empty and _has_no_element(result.type)
        handle = _lower_to_nothing if empty and is_pure(op) else handler
        for result, lowered in zip(results, handle(ctx, op), strict=True):
            ctx.bind(result, lowered)
    raise AssertionError("a block ends with a return")


def _lower_to_nothing(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """Tensors without elements."""
    return [ctx.empty(cast("AnyTensor", signless(result.type))) for result in op.results]


def check_static(op: Operation, type: Attribute) -> None:
    """Raises `UnsupportedError` for a type that has no lowered form."""
    if (problem := _problem(type)) is not None:
        raise unsupported(op, problem)


@cached_by_identity
def _has_no_element(type: Attribute) -> bool:
    return isinstance(type, TensorType) and 0 in type.get_shape()


@cached_by_identity
def _problem(type: Attribute) -> str | None:
    if isinstance(type, TensorType):
        dynamic = DYNAMIC_INDEX in type.get_shape()
        return f"{type} has a dynamic dimension; run refine-shapes first" if dynamic else None
    return None if isinstance(type, FutureType) else f"no lowering for values of type {type}"


def emit_while(
    ctx: Lowering,
    state: Sequence[SSAValue],
    condition: Callable[[Sequence[SSAValue]], SSAValue],
    body: Callable[[Sequence[SSAValue]], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """`scf.while` of what these emit for a state."""
    types = [value.type for value in state]
    before, after = new_block(types), new_block(types)
    with ctx.into(before):
        ctx.emit(scf.ConditionOp, (condition(before.args), *before.args))
    with ctx.into(after):
        ctx.emit(scf.YieldOp, body(after.args))
    return ctx.emit(scf.WhileOp, state, types, regions=(new_region(before), new_region(after)))


def emit_branches(
    ctx: Lowering,
    op: stablehlo.IfOp | stablehlo.CaseOp,
    choice: Number,
    computation: Callable[[Region], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """`scf.if` or `scf.index_switch` of what `computation` emits for each region.

    The last branch of a `case` is the default, taken for every index out of range too.
    """
    if isinstance(op, stablehlo.CaseOp):
        choice = choice.as_index()
    types, branches = list[Attribute](), list[Region]()
    for region in op.regions:
        with ctx.into(new_block()) as branch:
            results = computation(region)
            ctx.emit(scf.YieldOp, results)
        types = [result.type for result in results]
        branches.append(new_region(branch))
    *cases, default = branches
    if isinstance(op, stablehlo.IfOp):
        return ctx.emit(scf.IfOp, (choice.value,), types, regions=(*cases, default))
    numbers = {"cases": i64_array(*range(len(cases)))}
    return ctx.emit(scf.IndexSwitchOp, (choice.value,), types, numbers, (default, *cases))


def _region(ctx: Lowering, region: Region, args: Sequence[SSAValue] = ()) -> Sequence[Lowered]:
    """What `region` returns for `args`. Values of the enclosing region that it captures stay captured."""
    for old, new in zip(region.block.args, args, strict=True):
        ctx.bind(old, new)
    return lower_block(ctx, region.block)


def lower_branches(ctx: Lowering, op: stablehlo.IfOp | stablehlo.CaseOp) -> Sequence[Lowered]:
    """scf on tensors."""
    choice = ctx.number(op.operands[0])
    return emit_branches(ctx, op, choice, lambda region: [ctx.materialize(value) for value in _region(ctx, region)])


def lower_while(ctx: Lowering, op: stablehlo.WhileOp) -> Sequence[Lowered]:
    """scf on tensors. After a call of the runtime has failed a loop ends: the values that were not computed might never
    end it.
    """
    outer = ctx.calling
    ctx.calling = calling = _calling_ops(op) if outer is None else outer

    def condition(args: Sequence[SSAValue]) -> SSAValue:
        goes_on = ctx.scalar_of(*_region(ctx, op.cond, args))
        if op in calling:
            (failed,) = ctx.emit(xrt.HasFailedOp, (), (i1,))
            goes_on &= Number(ctx, failed) ^ 1
        return goes_on.value

    def body(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
        return [ctx.materialize(value) for value in _region(ctx, op.body, args)]

    results = emit_while(ctx, [ctx.tensor(value) for value in op.operands], condition, body)
    ctx.calling = outer
    return results


def lower_call(ctx: Lowering, op: func.CallOp) -> Sequence[Lowered]:
    """The call with signless types."""
    return ctx.emit(
        func.CallOp,
        [ctx.tensor(operand) for operand in op.operands],
        [signless(result.type) for result in op.results],
        op.properties,
    )
