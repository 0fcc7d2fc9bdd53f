"""Fills of what the next op leaves of a buffer: the zeros around a padded tensor.

A fill of 34x34 pixels followed by a copy of 32x32 into their middle becomes two fills, of two rows and of two columns:
edges of the same size on both sides are one loop nest with two outputs. Edges are filled inside the loops of the copy
over the dimensions ahead of them: of a batch of images the two rows in the loop over images, the two columns in that
over rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from .nest import Access, Nest


class Border(NamedTuple):
    """The fill of an edge of a buffer along its dimension `dim`, inside of what is written in those before it. The fill
    has a loop for each dimension of the buffer, in their order.
    """

    fill: Nest
    dim: int

    @property
    def root(self) -> SSAValue:
        return self.fill.outputs[0].root


def border_fills(fill: Nest, writer: Nest, access: Access, model: CostModel) -> list[Border] | None:
    """What of `fill` is not overwritten by `writer` through its output `access`; None where that is not a box, or where
    one fill is better. The fill covers the buffer with one loop per dimension.
    """
    box = writer.box(access)
    (target,) = fill.outputs
    if box is None or access.memref is not access.root or target.indices is None or target.memref is not access.root:
        return None
    shape = cast(MemRefType, access.root.type).get_shape()
    volume = prod(extent for _, extent in box)
    if not model.memory.worth_filling_borders(prod(shape), volume, element_bytes(access.type.element_type)):
        return None
    borders: list[Border] = []
    inside = fill
    for dim, (size, (start, extent)) in enumerate(zip(shape, box, strict=True)):
        if extent == size:
            continue
        end = start + extent
        low, high = (inside.restrict(dim, at, count) for at, count in ((0, start), (end, size - end)))
        borders += [Border(edge, dim) for edge in (low, high) if edge.extents[dim]]
        inside = inside.restrict(dim, start, extent)
    return borders


def share_loops(borders: Iterable[Border], writer: Nest) -> tuple[list[Nest], list[Nest]]:
    """The fills that have loops in common with `writer`, whose loops are in their final order, as nests with these as
    rows; and those that have none.
    """
    inside: list[Nest] = []
    apart: list[Nest] = []
    for border in borders:
        (output,) = (access for access in writer.outputs if access.root is border.root)
        fill = _in_loops_of(writer, output, border)
        if fill.rows and fill.rows >= writer.parallel:
            inside.append(fill)
        else:
            apart.append(border.fill)
    return inside, apart


def _in_loops_of(writer: Nest, output: Access, border: Border) -> Nest:
    """The fill with the loops of `writer` that run over dimensions ahead of the edges as its rows."""
    fill, ahead = border
    if output.indices is None:  # one view of the buffer for both
        fill = changed(fill, outputs=tuple([changed(access, indices=None) for access in fill.outputs]))
    kept = [dim for dim, extent in enumerate(fill.extents) if extent != 1 or dim >= ahead]
    ahead -= len(fill.extents) - len(kept)
    fill = fill.permute(kept)
    rows = 0
    for loop in range(len(writer.extents) - writer.unrolled):
        while rows + 1 < ahead and fill.extents[rows] < writer.extents[loop] and _is_one_loop(fill, rows):
            fill = fill.merge(rows, rows + 1)
            ahead -= 1
        same = rows < ahead and fill.extents[rows] == writer.extents[loop] and not writer.reduction[loop]
        if not same or fill.outputs[0].flat.stride(rows) != output.flat.stride(loop):
            break
        rows += 1
    return changed(fill, rows=rows)


def _is_one_loop(fill: Nest, dim: int) -> bool:
    """Whether dimensions `dim` and `dim + 1` are one for the buffer."""
    flat = fill.outputs[0].flat
    inner = flat.stride(dim + 1)
    return inner is not None and flat.stride(dim) == fill.extents[dim + 1] * inner
