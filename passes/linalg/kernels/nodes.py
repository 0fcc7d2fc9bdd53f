"""What an op of the program is to a kernel: something to compute, or to prepare for what is computed."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import prod
from typing import cast

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, Operation, SSAValue

from ....decisions.search import INSERTIONS_IN_A_ROW
from ....dialects import fourier, linalg_ext, xrt
from ....ir import structured
from ....ir.captures import values_read

CONTROL_FLOW = (scf.WhileOp, scf.IfOp, scf.IndexSwitchOp, scf.ForOp, scf.ExecuteRegionOp)
"""Ops whose regions hold program ops, unlike the scalar bodies of structured ops."""


_OWN_KERNELS = {fourier.TransformOp, linalg_ext.ScanOp, linalg_ext.SortOp}
"""Structured ops of which each is a kernel of its own; their last operands are the destinations."""

_STRUCTURED = {GenericOp, FillOp, tensor.InsertSliceOp}


def destinations(op: Operation) -> range:
    """The numbers of the operands that results of `op`, the same one in order, overwrite or update."""
    if type(op) is GenericOp or type(op) is FillOp:
        return range(structured.number_of_inputs(op), len(op._operands))
    if type(op) is tensor.InsertSliceOp:
        return range(1, 2)
    if type(op) in _OWN_KERNELS:
        return range(len(op._operands) - len(op.results), len(op._operands))
    return range(3, len(op._operands)) if type(op) is scf.ForOp else range(0)


def prepares_destination(op: Operation) -> bool:
    """`tensor.empty`, fills and partial insertions whose value is only ever a destination in the same block."""
    if type(op) is tensor.EmptyOp:
        return True
    if type(op) is not FillOp and type(op) is not tensor.InsertSliceOp:
        return False
    uses = list(op.results[0].uses)
    if type(op) is tensor.InsertSliceOp and (len(uses) != 1 or not isinstance(uses[0].operation, tensor.InsertSliceOp)):
        return False
    return bool(uses) and all(
        use.operation.parent is op.parent and use.index in destinations(use.operation) for use in uses
    )


def prepares_source(op: Operation) -> bool:
    """A fill, an elementwise op or a contraction whose only reader inserts it into a new tensor: it writes there, in
    that kernel.

    An elementwise op that reads the result of another one in the block is left to the row group of that, but for tables
    that it repeats. A contraction needs rows without gaps.
    """
    if type(op) is not GenericOp and type(op) is not FillOp:
        return False
    uses = list(islice(op.results[0].uses, 2)) if len(op.results) == 1 else []
    if len(uses) != 1:
        return False
    insertion = uses[0].operation
    if not isinstance(insertion, tensor.InsertSliceOp) or uses[0].index or insertion.parent is not op.parent:
        return False
    if isinstance(op, GenericOp) and structured.is_contraction(op):
        start = structured.outputs(op)[0].owner
        if not isinstance(start, FillOp) or not prepares_destination(start) or not _has_dense_rows(insertion):
            return False
    elif isinstance(op, GenericOp):
        if not structured.is_elementwise(op):
            return False
        if any(_is_row_value(value, op.results[0]) for value in structured.inputs(op)):
            return False
    destination = insertion.dest
    for _ in range(INSERTIONS_IN_A_ROW):
        if not isinstance(destination.owner, tensor.InsertSliceOp) or not prepares_destination(destination.owner):
            return isinstance(destination.owner, Operation) and prepares_destination(destination.owner)
        destination = destination.owner.dest
    return False


def _is_row_value(value: SSAValue, result: SSAValue) -> bool:
    """Whether `value` is computed in the block by no contraction, and is more than a table that `result` repeats."""
    if not isinstance(value.owner, GenericOp) or structured.is_contraction(value.owner):
        return False
    return 2 * prod(structured.shape_of(value)) > prod(structured.shape_of(result))


def _has_dense_rows(insertion: tensor.InsertSliceOp) -> bool:
    """Whether `insertion` writes to a known place, neighbours of the last dimension as neighbours."""
    return (
        DYNAMIC_INDEX not in insertion.static_offsets.get_values()
        and insertion.static_strides.get_values()[-1] == 1
        and len(structured.shape_of(insertion.source)) == len(structured.shape_of(insertion.dest))
    )


def is_compute(op: Operation) -> bool:
    """Whether `op` becomes (the root of) a kernel."""
    if type(op) in _STRUCTURED:
        return not prepares_destination(op) and not prepares_source(op)
    if type(op) in _OWN_KERNELS:
        return True
    return type(op) is scf.ForOp and any(isinstance(r.type, TensorType) for r in op.results)


class NestedOps:
    """What is known of control flow; inner ops are added before those they are in, so that nothing is walked twice."""

    def __init__(self) -> None:
        self._captured: dict[Operation, tuple[SSAValue, ...]] = {}
        """The values from outside that are used inside, each once."""
        self._calling: set[Operation] = set()

    def add(self, op: Operation) -> None:
        captured: dict[SSAValue, None] = {}
        for region in op.regions:
            blocks = set(region.blocks)
            for inner in (inner for block in region.blocks for inner in block.ops):
                if self.calls_runtime(inner):
                    self._calling.add(op)
                for value in self.values_read(inner):
                    owner = value.owner
                    if (owner if type(owner) is Block else cast(Operation, owner).parent) not in blocks:
                        captured[value] = None
        self._captured[op] = tuple(captured)

    def values_read(self, op: Operation) -> Iterable[SSAValue]:
        """The operands of `op` and the values its regions capture."""
        captured = self._captured.get(op)
        return values_read(op) if captured is None else (*op.operands, *captured)

    def calls_runtime(self, op: Operation) -> bool:
        """Whether `op` or an op in it calls a target, or asks how the calls went: such ops stay in order."""
        return type(op) is xrt.CallTargetOp or type(op) is xrt.HasFailedOp or op in self._calling


def is_scalar(op: GenericOp) -> bool:
    """Whether `op` computes a single element."""
    return all(size == 1 for size in structured.loop_extents(op))
