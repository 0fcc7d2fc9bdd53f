"""Views of buffers."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import SSAValue

VIEW_OPS = (memref.SubviewOp, memref.CollapseShapeOp, memref.ExpandShapeOp)


def root_of(value: SSAValue) -> SSAValue:
    """The buffer that the memref `value` is, or is a view of."""
    while isinstance(op := value.owner, VIEW_OPS):
        value = op.operands[0]
    return value
