"""A kernel to loops, as its schedule says."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr

from ...dialects.schedule.tree import Tree
from ...dialects.xrt_names import ROW_DIMS
from ...ir.schedules import check, refuse
from .emit import emit_nest
from .from_trees import Nests
from .kernel_ops import KernelOps, structured_ops
from .loop_builder import Cursor, FunctionState
from .row_groups import erase_lowered


def row_dims(function: func.FuncOp) -> int | None:
    """How many outer loops the ops of a kernel share, if that is said."""
    found = function.attributes.get(ROW_DIMS)
    return found.value.data if isinstance(found, IntegerAttr) else None


def lower_scheduled(state: FunctionState, function: func.FuncOp, tree: Tree) -> None:
    """Replaces the ops of a kernel by the loops of its schedule. Raises `ScheduleError`."""
    ops = structured_ops(function)
    if ops is None:
        refuse(None, f"@{function.sym_name.data} has ops with effects between those that a schedule can name")
    kernel = KernelOps.of(ops, state.model)
    if not tree.checked:
        check(tree, kernel.facts(), kernel.private)
    nests = Nests(tree, kernel.nests, kernel.fills, kernel.private, state.model)
    state.virtual |= nests.virtual
    block = function.body.block
    cursor = Cursor(block, block.last_op)
    for nest in nests.nests:
        emit_nest(state, nest, [], cursor)
    erase_lowered(block, ops)
