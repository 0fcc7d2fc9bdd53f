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

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from ...dialects import stablehlo
from ...dialects.editing import clone, erase, insert_before, walk
from ...dialects.sdy.annotations import ConstantOp, ShardingGroupOp
from ...ir.purity import is_pure
from ...ir.sharding_propagation.graph import static_shape
from ...ir.sharding_propagation.steps import is_elementwise

MOVES = (stablehlo.BroadcastInDimOp, stablehlo.ReshapeOp, stablehlo.SliceOp)
SOURCES = (stablehlo.ConstantOp, stablehlo.IotaOp, ConstantOp)


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
        self.copied: dict[Operation, int] = {}
        """What is made again for each reader, constants and broadcasts of scalars, by its place in the program."""
        self.constants: set[Operation] = set()

    def split(self, function: func.FuncOp) -> None:
        for op in list(walk(function)):
            if op is function or isinstance(op, ShardingGroupOp):
                continue
            if self._is_constant(op):
                self.constants.add(op)
                self.copied[op] = len(self.copied)
            elif _is_broadcast_of_scalar(op):
                self.copied[op] = len(self.copied)
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
            if isinstance(value, OpResult) and self._can_be_split(value):
                made_of = self._made_of(value)
                if any(not result.has_one_use() for part in made_of for result in part.results):
                    op.operands[index] = _copied(value, made_of)

    def _can_be_split(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and value.op in self.copied and static_shape(value.type) != ()

    def _made_of(self, value: OpResult) -> list[Operation]:
        """The ops that a constant is computed by, in their order; those of scalars are shared."""
        found = {value.op}
        pending = [value.op]
        while pending:
            for operand in pending.pop().operands:
                if isinstance(operand, OpResult) and self._can_be_split(operand) and operand.op not in found:
                    found.add(operand.op)
                    pending.append(operand.op)
        return sorted(found, key=self.copied.__getitem__)


def _copied(value: OpResult, made_of: Sequence[Operation]) -> SSAValue:
    """The value, made again from the start, in front of where it is made."""
    copies: dict[SSAValue, SSAValue] = {}
    for op in made_of:
        insert_before(clone(op, copies), op)
        for group in [group for result in op.results for group in _groups_of(result)]:
            insert_before(clone(group, copies), op)
    return copies[value]


def _is_broadcast_of_scalar(op: Operation) -> bool:
    return isinstance(op, stablehlo.BroadcastInDimOp) and static_shape(op.operand.type) == ()


def _groups_of(value: SSAValue) -> list[ShardingGroupOp]:
    return [use.operation for use in value.uses if isinstance(use.operation, ShardingGroupOp)]
