"""What stands around a scan or a sort: its schedule, and the place of the loops that it becomes."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import func
from xdsl.ir import Block, Operation

from ...decisions.model import CostModel
from ...dialects import locating
from ...dialects.editing import drain, erase, insert_before
from ...dialects.schedule.tree import Tree
from ..convert_stablehlo_to_linalg.builder import Lowering
from ..streams import take_schedule


def schedule_around(op: Operation) -> Tree | None:
    """Takes the schedule of the kernel that `op` is."""
    function = op.parent_op()
    return take_schedule(function) if isinstance(function, func.FuncOp) else None


def replace_by_loops(op: Operation, model: CostModel, write: Callable[[Lowering], None]) -> None:
    """Puts what `write` emits in the place of `op`, and its constants in front of all else in the function."""
    block = Block()
    state = Lowering(block, {}, model)
    state.location = op.location
    locating.at(op)
    write(state)
    function = op.parent_op()
    while function is not None and not isinstance(function, func.FuncOp):
        function = function.parent_op()
    for new in drain(block):
        insert_before(new, op)
    erase(op)
    assert function is not None
    state.finish(function.body.block)
