"""What propagation does again and again: one op, or one edge, among whose tensors shardings are propagated."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.sdy.annotations import PropagationBarrierOp, ReshardOp, ShardingConstraintOp
from ...dialects.sdy.sharding_rules import OpShardingRule
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.traits import Elementwise
from .cells import Cell, ManualView
from .strategies import Direction

LEVELS = 5
"""How many priorities ops have."""


class Class(Enum):
    """What the priority of an op depends on."""

    PASS_THROUGH = auto()
    """Elementwise ops, reshapes, transposes and edges come first."""
    SLICE = auto()
    """So do dynamic slices and their updates, to their results."""
    BROADCAST = auto()
    """To its results last: the operand would be split where it is small."""
    OTHER = auto()


class Step:
    """An op or edge with the cells of its operands and results; a tensor of rank 0, or none, has no cell."""

    __slots__ = ("allowed", "cells", "is_elementwise", "is_single_use", "kind", "op", "rule", "view")

    def __init__(
        self,
        op: Operation,
        rule: OpShardingRule,
        cells: Sequence[Cell | None],
        kind: Class = Class.PASS_THROUGH,
        is_single_use: bool = True,
        view: ManualView | None = None,
    ):
        self.op = op
        self.rule = rule
        self.cells = tuple(cells)
        self.kind = kind
        self.is_single_use = is_single_use
        """Whether no operand is read elsewhere: then there is nobody to contradict."""
        self.view = view
        """How the last cell is seen."""
        self.is_elementwise = is_elementwise(op)
        self.allowed = _allowed(op)

    def directions(self, level: int) -> tuple[Direction, ...]:
        """Where to propagate each factor on a level and those before it."""
        blocked, rule = self.rule.blocked_propagation, self.rule
        special = (*rule.reduction, *rule.need_replication, *rule.permutation)
        return tuple(
            Direction.NONE if factor in blocked else self._direction(level, factor in special) & self.allowed
            for factor in range(len(rule.sizes))
        )

    def _direction(self, level: int, is_special: bool) -> Direction:
        """Level 0: what only passes values on, and alone reads them. 1: all of these ops. 2: factors of all ops
        that pass through. 3: all factors. 4: broadcasts to their results, too.
        """
        if isinstance(self.op, PropagationBarrierOp):
            return Direction.BOTH
        first = Direction.NONE
        if level >= 1 or self.is_single_use:
            first = {Class.PASS_THROUGH: Direction.BOTH, Class.SLICE: Direction.FORWARD}.get(self.kind, first)
        if level >= 4:
            return Direction.BOTH
        if level == 3 or (level == 2 and not is_special):
            return first | (Direction.BACKWARD if self.kind is Class.BROADCAST else Direction.BOTH)
        return first


def is_elementwise(op: Operation) -> bool:
    """Whether `op` is elementwise, or only says something about a value."""
    if isinstance(op, stablehlo.BitcastConvertOp):
        return shape_of(op.operand) == shape_of(op.result)
    return op.has_trait(Elementwise) or isinstance(op, PropagationBarrierOp | ShardingConstraintOp | ReshardOp)


def class_of(op: Operation) -> Class:
    """The class of an op with a rule."""
    if is_elementwise(op) or isinstance(op, stablehlo.ReshapeOp | stablehlo.TransposeOp) or _moves_memory(op):
        return Class.PASS_THROUGH
    if isinstance(op, stablehlo.DynamicSliceOp | stablehlo.DynamicUpdateSliceOp):
        return Class.SLICE
    return Class.BROADCAST if isinstance(op, stablehlo.BroadcastInDimOp) else Class.OTHER


def _moves_memory(op: Operation) -> bool:
    """Whether it puts a tensor into the memory of the host or the device."""
    return isinstance(op, stablehlo.CustomCallOp) and op.call_target_name.data in ("MoveToDevice", "MoveToHost")


def _allowed(op: Operation) -> Direction:
    if not isinstance(op, PropagationBarrierOp):
        return Direction.BOTH
    return Direction(int(op.allowed_direction.value.data))
