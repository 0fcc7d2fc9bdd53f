"""`while`, `if` and `case` as scf on tensors, and functions. Predicates are read by `tensor.extract %p[]`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stablehlo, xrt
from ...dialects.editing import new_block, new_region, walk
from ...dialects.shared_attributes import cached_by_identity, i64_array
from ...dialects.stablehlo.attributes import FutureType
from .arithmetic import Number
from .attributes import signless, unsupported
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
        if op.__class__ in _RETURNS:
            return [ctx.lowered(operand) for operand in op.operands]
        handler = ctx.handlers.get(op.__class__)
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
    if (problem := _problem(type)) is not None:
        raise unsupported(op, problem)


@cached_by_identity
def _problem(type: Attribute) -> str | None:
    if isinstance(type, TensorType):
        dynamic = DYNAMIC_INDEX in type.get_shape()
        return f"{type} has a dynamic dimension; run refine-shapes first" if dynamic else None
    return None if isinstance(type, FutureType) else f"no lowering for values of type {type}"


class ControlFlow(ABC):
    """`scf.if`, `scf.index_switch` and `scf.while` of computations on what StableHLO values have become."""

    def __init__(self, ctx: Lowering):
        self.ctx = ctx

    @abstractmethod
    def computation(self, region: Region, args: Sequence[SSAValue]) -> list[SSAValue]:
        """What `region` returns for `args`, emitted into the current block."""

    @abstractmethod
    def scalar(self, value: SSAValue) -> Number:
        """The scalar in a value of one element."""

    @abstractmethod
    def value(self, value: SSAValue) -> SSAValue:
        """What a value has become."""

    def values(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """`value` of each."""
        return [self.value(value) for value in values]

    def condition(self, op: stablehlo.WhileOp, args: Sequence[SSAValue]) -> SSAValue:
        """Whether a loop goes on."""
        return self.computation(op.cond, args)[0]

    def lower(self, op: stablehlo.IfOp | stablehlo.CaseOp | stablehlo.WhileOp) -> Sequence[SSAValue]:
        """The last branch of a `case` is the default, taken for every index out of range too."""
        ctx = self.ctx
        if isinstance(op, stablehlo.WhileOp):
            state = self.values(op.operands)
            types = [value.type for value in state]
            before, after = new_block(types), new_block(types)
            with ctx.into(before):
                ctx.emit(scf.ConditionOp, (self.condition(op, before.args), *before.args))
            with ctx.into(after):
                ctx.emit(scf.YieldOp, self.computation(op.body, after.args))
            return ctx.emit(scf.WhileOp, state, types, regions=(new_region(before), new_region(after)))
        choice = self.scalar(op.operands[0])
        if isinstance(op, stablehlo.CaseOp):
            choice = choice.as_index()
        types, branches = list[Attribute](), list[Region]()
        for region in op.regions:
            with ctx.into(new_block()) as branch:
                results = self.computation(region, ())
                ctx.emit(scf.YieldOp, results)
            types = [result.type for result in results]
            branches.append(new_region(branch))
        *cases, default = branches
        if isinstance(op, stablehlo.IfOp):
            return ctx.emit(scf.IfOp, (choice.value,), types, regions=(*cases, default))
        numbers = {"cases": i64_array(*range(len(cases)))}
        return ctx.emit(scf.IndexSwitchOp, (choice.value,), types, numbers, (default, *cases))


class _OfTensors(ControlFlow):
    """Values of the enclosing region that a branch captures stay captured."""

    def computation(self, region: Region, args: Sequence[SSAValue]) -> list[SSAValue]:
        return [self.ctx.materialize(value) for value in self._lowered(region, args)]

    def _lowered(self, region: Region, args: Sequence[SSAValue]) -> Sequence[Lowered]:
        for old, new in zip(region.block.args, args, strict=True):
            self.ctx.bind(old, new)
        return lower_block(self.ctx, region.block)

    def scalar(self, value: SSAValue) -> Number:
        return self.ctx.number(value)

    def value(self, value: SSAValue) -> SSAValue:
        return self.ctx.tensor(value)

    def condition(self, op: stablehlo.WhileOp, args: Sequence[SSAValue]) -> SSAValue:
        """False after a call of the runtime has failed: the values it did not compute may never end a loop."""
        ctx = self.ctx
        goes_on = ctx.scalar_of(*self._lowered(op.cond, args))
        if ctx.calling is not None and op in ctx.calling:
            (failed,) = ctx.emit(xrt.HasFailedOp, (), (i1,))
            goes_on &= Number(ctx, failed) ^ 1
        return goes_on.value


def lower_control_flow(ctx: Lowering, op: stablehlo.IfOp | stablehlo.CaseOp | stablehlo.WhileOp) -> Sequence[Lowered]:
    """scf on tensors."""
    outer = ctx.calling
    if outer is None and isinstance(op, stablehlo.WhileOp):
        ctx.calling = _calling_ops(op)
    results = _OfTensors(ctx).lower(op)
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
