"""Passes that are wrong on purpose, each in one way that compilers are wrong in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl_xla.dialects import stablehlo
from xdsl_xla.dialects.dense import pack_element, splat_attribute, splat_bytes
from xdsl_xla.dialects.stablehlo.attributes import ComparisonDirection


def replace(op: Operation, new: Operation) -> None:
    """Put one op in the place of another."""
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.detach()
    op.erase()


def forward(op: Operation, value: Any) -> None:
    """Let a value stand for the result of an op."""
    op.results[0].replace_all_uses_with(value)
    op.detach()
    op.erase()


class BrokenPass(ModulePass):
    """Changes every op of some types in a wrong way."""

    change: ClassVar[Callable[[Any], None]]
    types: ClassVar[tuple[type[Operation], ...]]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, self.types) and inner.parent is not None:
                type(self).change(inner)


class WrongFoldPass(BrokenPass):
    """x * 2 becomes x: two is taken for one."""

    name = "broken-wrong-fold"
    types = (stablehlo.MulOp,)

    @staticmethod
    def change(op: Any) -> None:
        for operand, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            owner = operand.owner
            while isinstance(owner, stablehlo.BroadcastInDimOp | stablehlo.ReshapeOp):
                owner = owner.operands[0].owner
            if isinstance(owner, stablehlo.ConstantOp) and splat_bytes(owner.value) is not None:
                return forward(op, other)


class DroppedNegationPass(BrokenPass):
    """-x becomes x."""

    name = "broken-dropped-negation"
    types = (stablehlo.NegOp,)

    @staticmethod
    def change(op: Any) -> None:
        forward(op, op.operands[0])


class OffByOneSlicePass(BrokenPass):
    """A slice begins one element too early."""

    name = "broken-off-by-one-slice"
    types = (stablehlo.SliceOp,)

    @staticmethod
    def change(op: Any) -> None:
        starts, limits, strides = (
            list(value.get_values()) for value in (op.start_indices, op.limit_indices, op.strides)
        )
        for dim, start in enumerate(starts):
            if start > 0:
                starts[dim], limits[dim] = start - 1, limits[dim] - 1
                return replace(op, stablehlo.SliceOp(op.operands[0], starts, limits, strides))


class NanUnsafeMaxPass(BrokenPass):
    """max(a, b) becomes a > b ? a : b, which is b where a is NaN."""

    name = "broken-nan-unsafe-max"
    types = (stablehlo.MaxOp,)

    @staticmethod
    def change(op: Any) -> None:
        greater = stablehlo.CompareOp(op.lhs, op.rhs, ComparisonDirection.GT)
        op.parent.insert_op_before(greater, op)
        replace(op, stablehlo.SelectOp(greater.results[0], op.lhs, op.rhs))


class WrongInitPass(BrokenPass):
    """A reduction starts from one."""

    name = "broken-wrong-init"
    types = (stablehlo.ReduceOp,)

    @staticmethod
    def change(op: Any) -> None:
        count = len(op.results)
        for index in range(count, 2 * count):
            type = op.operands[index].type
            one = stablehlo.ConstantOp(splat_attribute(type, pack_element(type.element_type, 1)))
            op.parent.insert_op_before(one, op)
            op.operands[index] = one.results[0]


class AliasingUpdatePass(BrokenPass):
    """What a program writes to a copy, to leave the original to later reads, goes to the original."""

    name = "broken-aliasing-update"
    types = (memref.CopyOp,)

    @staticmethod
    def change(op: Any) -> None:
        source, target = op.source, op.destination
        if isinstance(target.owner, memref.AllocOp) and isinstance(source.owner, memref.AllocOp):
            allocation = target.owner
            op.detach()
            op.erase()
            forward(allocation, source)


class SwappedSubtractPass(BrokenPass):
    """a - b becomes b - a."""

    name = "broken-swapped-subtract"
    types = (stablehlo.SubtractOp,)

    @staticmethod
    def change(op: Any) -> None:
        op.operands = [op.rhs, op.lhs]


class LostConversionPass(BrokenPass):
    """A value that is narrowed and widened again keeps the digits that the narrow type does not have."""

    name = "broken-lost-conversion"
    types = (stablehlo.ConvertOp,)

    @staticmethod
    def change(op: Any) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, stablehlo.ConvertOp) and inner.operands[0].type == op.results[0].type:
            forward(op, inner.operands[0])


class WrongClampPass(BrokenPass):
    """The bounds of a clamp are exchanged."""

    name = "broken-wrong-clamp"
    types = (stablehlo.ClampOp,)

    @staticmethod
    def change(op: Any) -> None:
        low, value, high = op.operands
        if low.type == high.type:
            op.operands = [high, value, low]


class ReorderedEffectPass(BrokenPass):
    """Of two outfeeds one after the other the second one comes first."""

    name = "broken-reordered-effect"
    types = (stablehlo.OutfeedOp,)

    @staticmethod
    def change(op: Any) -> None:
        before = op.operands[-1].owner
        if isinstance(before, stablehlo.OutfeedOp) and len(before.operands) == len(op.operands):
            values = list(before.operands[:-1]), list(op.operands[:-1])
            before.detach()
            op.parent.insert_op_before(before, op)
            before.operands = [*values[1], before.operands[-1]]
            op.operands = [*values[0], op.operands[-1]]


class CrashingPass(BrokenPass):
    """Does not expect products of batches."""

    name = "broken-crashing"
    types = (stablehlo.DotGeneralOp,)

    @staticmethod
    def change(op: Any) -> None:
        if op.dot_dimension_numbers.lhs_batching_dimensions:
            raise IndexError("no batches, please")


class InvalidIrPass(BrokenPass):
    """Leaves a transpose whose type is not that of its result."""

    name = "broken-invalid-ir"
    types = (stablehlo.TransposeOp,)

    @staticmethod
    def change(op: Any) -> None:
        op.results[0]._type = op.operands[0].type


class LastPass(BrokenPass):
    """a * b becomes a * a in the last dialect."""

    name = "broken-last"
    types = (llvm.FMulOp,)

    @staticmethod
    def change(op: Any) -> None:
        op.operands = [op.lhs, op.lhs]
