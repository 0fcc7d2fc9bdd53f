"""The way from a view to its buffer: ops on memrefs whose result is memory of their first operand.

`memref.view` is none of them: it makes buffers of parts of the arena, each a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import cast

from xdsl.dialects import func, memref
from xdsl.ir import Block, Operation, SSAValue, Use

from ..dialects import xrt

RESHAPES: frozenset[type[Operation]] = frozenset({memref.CollapseShapeOp, memref.ExpandShapeOp})
"""Views of all elements of a dense buffer, in their order."""

PARTS: frozenset[type[Operation]] = frozenset({memref.SubviewOp})
"""Views of a box of a buffer."""

VIEWS: frozenset[type[Operation]] = RESHAPES | {
    memref.AssumeAlignmentOp,
    memref.CastOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
    xrt.PartOp,
}
"""Views of all elements or of some."""


def buffer_of(value: SSAValue, views: AbstractSet[type[Operation]] = VIEWS) -> SSAValue:
    """The buffer of which `value` shows all or a part; `value` itself if it is no view."""
    while type(op := value.owner) in views:
        value = cast(Operation, op).operands[0]
    return value


def whole_buffer_of(value: SSAValue) -> SSAValue:
    """The memref, a buffer or a part of one, of which `value` is a reshape; `value` itself if it is none."""
    return buffer_of(value, RESHAPES)


def is_itself(buffer: SSAValue) -> bool:
    """Whether no other value can be the same memory: no pointer that a loop carries."""
    owner = buffer.owner
    if isinstance(owner, Block):
        return isinstance(owner.parent_op(), func.FuncOp)
    return isinstance(owner, memref.AllocOp | memref.GetGlobalOp)


def uses_of_buffer(value: SSAValue, views: AbstractSet[type[Operation]] = VIEWS) -> Iterator[Use]:
    """The uses of `value` and of views of it by ops that are no views."""
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            if type(use.operation) in views:
                pending.append(use.operation.results[0])
            else:
                yield use
