"""Views of buffers."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

VIEW_OPS = (memref.SubviewOp, memref.CollapseShapeOp, memref.ExpandShapeOp)
_VIEWS = frozenset(VIEW_OPS)


def root_of(value: SSAValue) -> SSAValue:
    """The buffer that the memref `value` is, or is a view of."""
    while type(op := value.owner) in _VIEWS:
        value = cast(Operation, op).operands[0]
    return value
