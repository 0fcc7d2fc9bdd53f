"""The ops of a function to loops, as schedules say.

A kernel has its schedule, or is given one here. In other functions the linalg ops between two barriers, which are ops
that may touch memory in other ways, or that hold regions, form a group, and each group is given a schedule as a kernel
is.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import erase, ops_of
from ...dialects.schedule.tree import Tree
from ...dialects.xrt_names import ROW_DIMS
from ...ir.affine_builder import AffineBuilder
from ...ir.schedule_errors import ScheduleError, refuse
from ...ir.schedules import check
from ...ir.views import VIEWS
from .decide import decide
from .emit import emit_nest
from .from_trees import Nests
from .function_state import FunctionState, constant_op
from .kernel_ops import KernelOps, is_neutral, structured_ops


def row_dims(function: func.FuncOp) -> int | None:
    """How many outer loops the ops of a kernel share, if that is said."""
    found = function.attributes.get(ROW_DIMS)
    return found.value.data if isinstance(found, IntegerAttr) else None


@contextmanager
def of_kernel(function: func.FuncOp) -> Generator[None, None, None]:
    """Errors of schedules name the kernel."""
    try:
        yield
    except ScheduleError as error:
        raise ScheduleError(f"@{function.sym_name.data}: {error.message}", location=error.location) from None


def check_schedule(kernel: KernelOps, tree: Tree, model: CostModel) -> None:
    """Raises `ScheduleError` unless `tree` does what `kernel` says, and can be lowered."""

    def constant(value: Attribute, type: Attribute) -> SSAValue:
        return constant_op(value, type).results[0]

    kernel = kernel.under(tree, model)
    check(tree, kernel.facts(), {**kernel.private, **kernel.derived})
    Nests(tree, kernel, model, constant)


def lower_scheduled(state: FunctionState, function: func.FuncOp, tree: Tree) -> None:
    """Replaces the ops of a kernel by the loops of its schedule. Raises `ScheduleError`."""
    ops = structured_ops(function)
    if ops is None:
        refuse(None, f"@{function.sym_name.data} has ops with effects between those that a schedule can name")
    kernel = KernelOps.of(ops, state.model)
    if not tree.checked:
        with of_kernel(function):
            check_schedule(kernel, tree, state.model)
    block = function.body.block
    lower_nests(state, kernel, tree, AffineBuilder(block, block.last_op))
    erase_lowered(block, ops)


def lower_block(state: FunctionState, block: Block, rows: int | None) -> None:
    """Replaces the linalg ops of `block` and of regions inside it by loops. `rows`: `None` where the ops of the block
    are no group.
    """
    group: list[LinalgStructuredOperation] = []
    erased: list[Operation] = []

    def flush(anchor: Operation | None) -> None:
        if group and anchor is not None:
            kernel = KernelOps.of(group, state.model)
            lower_nests(state, kernel, decide(kernel, rows, state.model, state.threads), AffineBuilder(block, anchor))
            group.clear()

    for op in list(ops_of(block)):
        if op.name.startswith("linalg."):
            assert isinstance(op, LinalgStructuredOperation)
            group.append(op)
            erased.append(op)
        elif op.regions:
            flush(op)
            for region in op.regions:
                for inner in region.blocks:
                    lower_block(state, inner, None)
        elif group and not is_neutral(op):
            flush(op)
    flush(block.last_op)
    erase_lowered(block, erased)


def erase_lowered(block: Block, ops: Sequence[Operation]) -> None:
    """Erases `ops` of `block`, and buffers and views that nobody uses any more."""
    for op in reversed(ops):
        erase(op)
    if ops:
        for op in reversed(list(ops_of(block))):
            if (type(op) in VIEWS or type(op) is memref.AllocOp) and op.results[0].first_use is None:
                erase(op)


def lower_nests(state: FunctionState, kernel: KernelOps, tree: Tree, cursor: AffineBuilder) -> None:
    """The loops of a kernel, or of a group of ops, at `cursor`."""
    nests = Nests(tree, kernel.under(tree, state.model), state.model, state.constant)
    state.virtual |= nests.virtual
    for allocation in nests.allocations:
        state.scratch.insert(allocation)
    for nest in nests.nests:
        emit_nest(state, nest, [], cursor)
    state.known.clear()
