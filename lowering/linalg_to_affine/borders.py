"""Fills of what the next op leaves of a buffer: the zeros around a padded tensor.

A fill of 34x34 pixels followed by a copy of 32x32 into their middle becomes two fills, of two rows and of two columns:
edges of the same size on both sides are one loop nest with two outputs.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType

from ... import cost_model
from .nest import Access, Nest, element_bytes
from .scalar_body import copy_body


def border_fills(fill: Nest, writer: Nest, access: Access) -> list[Nest] | None:
    """What of `fill` is not overwritten by `writer` through its output `access`; None where that is not a box, or where
    one fill is better. The fill covers the buffer with one loop per dimension.
    """
    box = _box(writer, access)
    (target,) = fill.outputs
    if box is None or target.indices is None or target.memref is not access.root:
        return None
    shape = cast(MemRefType, access.root.type).get_shape()
    volume = prod(extent for _, extent in box)
    if not cost_model.worth_filling_borders(prod(shape), volume, element_bytes(access.type.element_type)):
        return None
    fills: list[Nest] = []
    inside = fill
    for index, size, (start, extent) in zip(target.indices, shape, box, strict=True):
        if extent == size:
            continue
        ((dim, _),) = index.terms.items()
        assert isinstance(dim, int)
        end = start + extent
        low, high = (inside.restrict(dim, at, count) for at, count in ((0, start), (end, size - end)))
        if start == size - end:
            fills.append(_both(low, high))
        else:
            fills += [edge for edge in (low, high) if edge.extents[dim]]
        inside = inside.restrict(dim, start, extent)
    return fills


def _both(low: Nest, high: Nest) -> Nest:
    """Two fills with the same loops as one."""
    (first,), (second,) = low.outputs, high.outputs
    body = copy_body(first.type.element_type, 2)
    return replace(low, outputs=(first, second), inits=(None, None), body=body)


def _box(nest: Nest, access: Access) -> list[tuple[int, int]] | None:
    """Start and extent per dimension of the buffer behind `access`, where the nest stores all elements of a box."""
    if access.indices is None or access.memref is not access.root:
        return None
    box: list[tuple[int, int]] = []
    seen: set[int] = set()
    for index in access.indices:
        if not index.terms:
            box.append((index.const, 1))
            continue
        dims = index.dims()
        if len(dims) != 1 or dims & seen:
            return None
        (dim,) = dims
        if index.terms != {dim: 1}:
            return None
        seen |= dims
        box.append((index.const, nest.extents[dim]))
    return box
