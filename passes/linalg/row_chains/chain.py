"""Calls of an entry function that can run by blocks of rows, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import func, memref
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue

from ....dialects.editing import ops_of
from ....dialects.element_sizes import element_bytes
from ....ir import structured
from ....ir.views import RESHAPES, uses_of_buffer, whole_buffer_of
from .parts import Part, Space


@dataclass
class Link:
    """One call of a chain and the parts of what its kernel works on."""

    call: func.CallOp
    kernel: func.FuncOp
    parts: dict[SSAValue, Part]


@dataclass
class Chain:
    """Calls one after the other, all on the rows of `space`."""

    space: Space
    links: list[Link]
    block_rows: int
    """How many rows at a time it runs on."""

    def roots(self) -> list[SSAValue]:
        """The buffers that the calls work on, in order of first use."""
        return list(dict.fromkeys(whole_buffer_of(value) for link in self.links for value in link.call.operands))

    def private(self) -> list[SSAValue]:
        """The buffers that nothing else works on."""
        calls: set[Operation] = {link.call for link in self.links}
        return [
            value
            for value in self.roots()
            if isinstance(value.owner, memref.AllocOp) and calls.issuperset(readers(value))
        ]

    def multiply_adds(self) -> int:
        """Of all contractions."""
        products = [op for link in self.links if (op := product_in(link.kernel)) is not None]
        return sum(prod(structured.loop_extents(op)) for op in products)


def bytes_of(value: SSAValue, shape: Sequence[int] | None = None) -> int:
    """Of a buffer, or of a part of this `shape`."""
    sizes = structured.shape_of(value) if shape is None else shape
    return prod(sizes) * element_bytes(structured.element_type(value))


def readers(value: SSAValue) -> set[Operation]:
    """The ops that use `value` or a reshape of it, other than reshapes."""
    return {use.operation for use in uses_of_buffer(value, RESHAPES)}


def product_in(kernel: func.FuncOp) -> GenericOp | None:
    """The contraction in `kernel`, if there is one."""
    ops = (op for op in ops_of(kernel.body.block) if type(op) is GenericOp and structured.is_contraction(op))
    return next(ops, None)
