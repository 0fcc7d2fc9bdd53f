"""Fills that an op overwrites, or takes as the start of its sums.

A fill waits until its buffer is used: a reduction that starts from it takes the scalar instead, an op that overwrites
it makes it vanish, or leaves of it what is around the box that it writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...decisions.model import CostModel
from ...dialects.records import changed
from .borders import Border, border_fills
from .nest import Access, Nest


@dataclass
class GroupedOp:
    """The nest of an op, and the borders to fill around what it writes."""

    nest: Nest
    is_fill: bool = False
    borders: Sequence[Border] = ()


def fold_fills(group: Iterable[GroupedOp], rows: int, model: CostModel) -> list[GroupedOp]:
    """The group without the fills that an op overwrites or takes as the start of its reduction. Where an op overwrites
    a box of the buffer, what is around it is filled, if the first `rows` dimensions of both are the same.
    """
    result: list[GroupedOp] = []
    pending: dict[SSAValue, GroupedOp] = {}
    for each in group:
        if each.is_fill and _covers_buffer(each.nest.outputs[0], each.nest):
            root = each.nest.outputs[0].root
            pending.pop(root, None)
            pending[root] = each
            continue
        nest = each.nest
        inits = list(nest.inits)
        read = {a.root for a in nest.reads}
        read |= nest.body.gathered_roots
        written = [access.root for access in nest.outputs]
        for index, access in enumerate(nest.outputs):
            root = access.root
            fill = pending.get(root)
            if fill is None or root in read or written.count(root) > 1 or not _covers_buffer(access, nest):
                continue
            del pending[root]
            if nest.body.reads_output[index]:
                inits[index] = cast(SSAValue, fill.nest.inputs[0])
        borders: list[Border] = []
        for root in (*read, *written):
            if root in pending:
                fill = pending.pop(root)
                around = None if root in read else _borders(fill, nest, root, model)
                if around is None or any(border.dim < rows for border in around):
                    result.append(fill)
                else:
                    borders += around
        result.append(GroupedOp(changed(nest, inits=tuple(inits)), borders=borders))
    return [*result, *pending.values()]


def _borders(fill: GroupedOp, nest: Nest, root: SSAValue, model: CostModel) -> list[Border] | None:
    """What is left of `fill` when `nest` stores to a box of the buffer `root`."""
    outputs = [index for index, access in enumerate(nest.outputs) if access.root is root]
    if len(outputs) != 1 or nest.body.reads_output[outputs[0]]:
        return None
    return border_fills(fill.nest, nest, nest.outputs[outputs[0]], model)


def _covers_buffer(access: Access, nest: Nest) -> bool:
    """Whether the nest stores every element of the buffer behind `access`."""
    buffer, shape = (cast(MemRefType, memref.type).get_shape() for memref in (access.root, access.memref))
    return prod(buffer) == prod(shape) and nest.box(access) == [(0, size) for size in shape]
