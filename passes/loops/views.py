"""Memrefs that show memory of others."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

_VIEWS = {memref.CollapseShapeOp, memref.ExpandShapeOp, memref.CastOp, memref.SubviewOp, memref.ReinterpretCastOp}


def viewed_buffer(value: SSAValue) -> SSAValue:
    """The buffer of which `value` shows all or a part; `value` itself if it is no view."""
    while type(owner := value.owner) in _VIEWS:
        value = cast(Operation, owner).operands[0]
    return value
