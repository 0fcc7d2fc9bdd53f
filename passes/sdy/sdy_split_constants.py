"""`sdy-split-constants`: every reader of a constant has one of its own.

A constant costs nothing to make again, and each device can make its part. If two ops read the same one, how the first
is split would decide about the second. So each op that is no constant itself gets copies of what constants it reads are
made of: constants, iotas, and what is computed from these alone by elementwise ops, broadcasts, reshapes and slices.
The same holds for broadcasts of scalars. Scalars themselves are shared: they cannot be split.

Needs: nothing. Leaves: no tensor of rank 1 or more that is constant and has two readers. `stablehlo-simplify` finds
equal ones again once programs are local.

    %c = stablehlo.constant dense<1.0> : tensor<8xf32>
    %0 = stablehlo.add %x, %c : tensor<8xf32>
    %1 = stablehlo.add %y, %c : tensor<8xf32>

becomes

    %c = stablehlo.constant dense<1.0> : tensor<8xf32>
    %0 = stablehlo.add %x, %c : tensor<8xf32>
    %d = stablehlo.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.add %y, %d : tensor<8xf32>

Not a pattern pass: an op is rewritten by what is known of all ops in front of it. The idea is Shardy's
(sdy-constant-or-scalar-splitter).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from ...dialects import stablehlo
from ...dialects.editing import clone, erase, insert_before, walk
from ...dialects.sdy.annotations import ShardingGroupOp
from ...ir.purity import is_pure
from ...ir.sharding_propagation.graph import static_shape
from ...ir.sharding_propagation.steps import is_elementwise

MOVES = (stablehlo.BroadcastInDimOp, stablehlo.ReshapeOp, stablehlo.SliceOp)
SOURCES = (stablehlo.ConstantOp, stablehlo.IotaOp)


@dataclass(frozen=True)
class SdySplitConstantsPass(ModulePass):
    """Copies constants to their readers."""

    name = "sdy-split-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                _Splitter().split(function)


class _Splitter:
    """Of one function."""

    def __init__(self) -> None:
        self.copied: dict[Operation, None] = {}
        """What is made again for each reader: constants, and broadcasts of scalars."""
        self.constants: set[Operation] = set()

    def split(self, function: func.FuncOp) -> None:
        for op in list(walk(function)):
            if op is function or isinstance(op, ShardingGroupOp):
                continue
            if self._is_constant(op):
                self.constants.add(op)
                self.copied[op] = None
            elif _is_broadcast_of_scalar(op):
                self.copied[op] = None
            else:
                self._copy_operands(op)
        for op in reversed(self.copied):
            groups = [group for result in op.results for group in _groups_of(result)]
            if sum(1 for result in op.results for _ in result.uses) == len(groups):
                for dead in (*groups, op):
                    erase(dead)

    def _is_constant(self, op: Operation) -> bool:
        if isinstance(op, SOURCES):
            return True
        preserves = isinstance(op, MOVES) or (is_elementwise(op) and not op.regions and is_pure(op))
        return preserves and bool(op.operands) and all(value.owner in self.constants for value in op.operands)

    def _copy_operands(self, op: Operation) -> None:
        for index, value in enumerate(op.operands):
            if isinstance(value, OpResult) and value.op in self.copied and not self._is_of_one_reader(value):
                op.operands[index] = self._copy(value, {})

    def _is_of_one_reader(self, value: SSAValue) -> bool:
        """Whether nothing else reads what `value` is made of."""
        if not self._can_be_split(value):
            return True
        assert isinstance(value, OpResult)
        return value.has_one_use() and all(map(self._is_of_one_reader, value.op.operands))

    def _can_be_split(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and value.op in self.copied and static_shape(value.type) != ()

    def _copy(self, value: SSAValue, copies: dict[SSAValue, SSAValue]) -> SSAValue:
        """The value, made again from the start, in front of where it is made."""
        if not self._can_be_split(value):
            return value
        if (found := copies.get(value)) is not None:
            return found
        assert isinstance(value, OpResult)
        operands = {operand: self._copy(operand, copies) for operand in value.op.operands}
        copy = clone(value.op, dict(operands))
        insert_before(copy, value.op)
        copies[value] = copy.results[value.index]
        for group in _groups_of(value):
            insert_before(clone(group, {value: copies[value]}), value.op)
        return copies[value]


def _is_broadcast_of_scalar(op: Operation) -> bool:
    return isinstance(op, stablehlo.BroadcastInDimOp) and static_shape(op.operand.type) == ()


def _groups_of(value: SSAValue) -> list[ShardingGroupOp]:
    return [use.operation for use in value.uses if isinstance(use.operation, ShardingGroupOp)]
