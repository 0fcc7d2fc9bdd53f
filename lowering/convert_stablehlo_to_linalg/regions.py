"""Computations given as regions over tensors of one element, inlined on scalars.

Control flow inside them is scf on scalars. What computes with more than one element is not lowered here:
`stablehlo-expand-computations` has made loops of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

from xdsl.dialects import arith, complex, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stablehlo
from ...dialects.shared_attributes import i64_array
from .attributes import INDEX, element_of, ints, scalar_attribute, shape_of, signless, splat_value, unsupported
from .builder import Lowering
from .elementwise import SCALAR_RULES, scalar_rule
from .indices import clamped
from .scalars import REASSOCIATE

Scalars: TypeAlias = Sequence[SSAValue]


def inline(ctx: Lowering, region: Region, args: Scalars, reassociate: bool = False) -> Scalars:
    """Emit the computation of `region` on scalars and return what it returns.

    With `reassociate`, float additions and multiplications of two arguments whose result is
    returned may be reassociated: those are the combiners of a reduction.
    """
    return _Inlining(ctx, reassociate).computation(region, args)


class _Inlining:
    """The scalars that the values of a region, and of those inside it, have become."""

    def __init__(self, ctx: Lowering, reassociate: bool):
        self.ctx = ctx
        self.reassociate = reassociate
        self.scalars: dict[SSAValue, SSAValue] = {}

    def computation(self, region: Region, args: Scalars) -> Scalars:
        """What `region` returns for `args`, emitted into the current block."""
        block = region.block
        self.scalars.update(zip(block.args, args, strict=True))
        for op in block.ops:
            if isinstance(op, stablehlo.ReturnOp):
                return self.of(op.operands)
            self.ctx.location = op.location
            self.scalars.update(zip(op.results, self._results(op, block), strict=True))
        raise AssertionError("a region ends with stablehlo.return")

    def scalar(self, value: SSAValue) -> SSAValue:
        """The scalar that `value` has become; a value from outside the computation is read here."""
        known = self.scalars.get(value)
        if known is not None:
            return known
        lowered = self.ctx.lowered(value)
        if isinstance(lowered, SSAValue):
            return self.ctx.extract(lowered, [0] * len(shape_of(lowered)))
        return self.ctx.attribute_constant(lowered.value)

    def of(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """`scalar` of each value."""
        return [self.scalar(value) for value in values]

    def _results(self, op: Operation, block: Block) -> Scalars:
        handler = HANDLERS.get(type(op))
        if type(op) not in SCALAR_RULES and handler is None:
            raise unsupported(op, "no lowering inside a computation on scalars")
        read = () if handler is _Inlining.element else op.operands
        if any(prod(shape_of(value)) != 1 for value in (*read, *op.results)):
            raise unsupported(op, "only tensors of one element inside a computation on scalars")
        if handler is not None:
            return handler(self, op)
        result = scalar_rule(op)(self.ctx, op, self.of(op.operands))
        if self.reassociate and _is_combiner(op, block):
            _allow_reassociation(result)
        return (result,)

    # Handlers

    def constant(self, op: stablehlo.ConstantOp) -> Scalars:
        value = splat_value(op.value)  # pyright: ignore
        if value is None:
            raise unsupported(op, "no such constant inside a computation on scalars")
        return (self.ctx.attribute_constant(value),)

    def nothing(self, op: Operation) -> Scalars:
        """Ops that do nothing to tensors of one element."""
        return self.of(op.operands[: len(op.results)])

    def zero(self, op: Operation) -> Scalars:
        """`iota` of one element."""
        type = signless(element_of(op.results[0]))
        return (self.ctx.attribute_constant(scalar_attribute(type, 0)),)

    def bits(self, op: stablehlo.BitcastConvertOp) -> Scalars:
        (value,), type = self.of(op.operands), signless(element_of(op.results[0]))
        return (value if value.type == type else self.ctx.scalar(arith.BitcastOp, (value,), type),)

    def element(self, op: stablehlo.SliceOp | stablehlo.DynamicSliceOp) -> Scalars:
        """One element of a tensor from outside the computation, or of one element."""
        ctx, (source, *starts) = self.ctx, op.operands
        if source in self.scalars:
            return (self.scalars[source],)
        tensor = ctx.tensor(source)
        if isinstance(op, stablehlo.SliceOp):
            return (ctx.extract(tensor, ints(op.start_indices)),)
        bounds = zip(starts, shape_of(tensor), strict=True)
        return (ctx.extract(tensor, [clamped(ctx, self.scalar(s), element_of(s), size - 1) for s, size in bounds]),)

    def reduction(self, op: stablehlo.ReduceOp) -> Scalars:
        """The initial values combined with one element each."""
        if any(element_of(r) != element_of(i) for r, i in zip(op.results, op.inputs, strict=True)):
            raise unsupported(op, "no conversion inside a computation on scalars")
        return self.computation(op.body, [*self.of(op.init_values), *self.of(op.inputs)])

    def mapped(self, op: stablehlo.MapOp) -> Scalars:
        return self.computation(op.computation, self.of(op.inputs))

    def _branch(self, region: Region) -> Region:
        block = Block()
        with self.ctx.into(block):
            self.ctx.emit(scf.YieldOp, self.computation(region, ()))
        return Region(block)

    def if_(self, op: stablehlo.IfOp) -> Scalars:
        types = [signless(element_of(result)) for result in op.results]
        branches = [self._branch(region) for region in op.regions]
        return self.ctx.emit(scf.IfOp, (self.scalar(op.operands[0]),), types, regions=branches)

    def case(self, op: stablehlo.CaseOp) -> Scalars:
        """The last branch is the default, taken for every index out of range too."""
        types = [signless(element_of(result)) for result in op.results]
        index = self.ctx.scalar(arith.IndexCastOp, (self.scalar(op.operands[0]),), INDEX)
        *cases, default = [self._branch(region) for region in op.regions]
        numbers = i64_array(*range(len(cases)))
        return self.ctx.emit(scf.IndexSwitchOp, (index,), types, {"cases": numbers}, (default, *cases))

    def while_(self, op: stablehlo.WhileOp) -> Scalars:
        ctx, state = self.ctx, self.of(op.operands)
        types = [value.type for value in state]
        before, after = Block(arg_types=types), Block(arg_types=types)
        condition, body = op.regions
        with ctx.into(before):
            (flag,) = self.computation(condition, before.args)
            ctx.emit(scf.ConditionOp, (flag, *before.args))
        with ctx.into(after):
            ctx.emit(scf.YieldOp, self.computation(body, after.args))
        return ctx.emit(scf.WhileOp, state, types, regions=(Region(before), Region(after)))


HANDLERS: dict[type[Operation], Callable[[_Inlining, Any], Scalars]] = {
    stablehlo.BitcastConvertOp: _Inlining.bits,
    stablehlo.CaseOp: _Inlining.case,
    stablehlo.ConstantOp: _Inlining.constant,
    stablehlo.DynamicSliceOp: _Inlining.element,
    stablehlo.IfOp: _Inlining.if_,
    stablehlo.IotaOp: _Inlining.zero,
    stablehlo.MapOp: _Inlining.mapped,
    stablehlo.ReduceOp: _Inlining.reduction,
    stablehlo.SliceOp: _Inlining.element,
    stablehlo.WhileOp: _Inlining.while_,
    **dict.fromkeys(
        (
            stablehlo.BroadcastInDimOp,
            stablehlo.BroadcastOp,
            stablehlo.OptimizationBarrierOp,
            stablehlo.ReshapeOp,
            stablehlo.ReverseOp,
            stablehlo.TransposeOp,
        ),
        _Inlining.nothing,
    ),
}
"""Op type to what it does on scalars, for the ops that are not elementwise."""


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
