"""Memrefs that show memory of others."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import SSAValue

_VIEWS = (memref.CollapseShapeOp, memref.ExpandShapeOp, memref.CastOp, memref.SubviewOp, memref.ReinterpretCastOp)


def viewed_buffer(value: SSAValue) -> SSAValue:
    """The buffer of which `value` shows all or a part; `value` itself if it is no view."""
    while isinstance(owner := value.owner, _VIEWS):
        value = owner.operands[0]
    return value
