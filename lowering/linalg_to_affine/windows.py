"""Reductions over windows of neighbours as copies of a body: poolings, convolutions of each channel by itself."""

from __future__ import annotations

from math import inf, prod

from xdsl.dialects import arith

from ...decisions.model import CostModel
from ...dialects.records import changed
from .nest import Nest


def worth_copies(nest: Nest, outer: list[int], inner: int, reductions: list[int], model: CostModel) -> bool:
    """Whether a sum over windows that overlap has copies of its body for all points of a window."""
    if nest.minor or not _adds(nest):
        return False
    points, along_rows = prod(nest.extents[dim] for dim in reductions), _overlap(nest, inner, reductions)
    return any(_overlap(nest, dim, reductions) for dim in outer[nest.rows :]) and model.loops.worth_unrolling_windows(
        points, max(1, nest.body.work), along_rows
    )


def in_copies(nest: Nest, outer: list[int], inner: int, reductions: list[int], model: CostModel) -> list[Nest]:
    """The nest with copies of its body for all points of its reductions; where these are windows that overlap, for some
    windows side by side in each direction, which load what they have in common once.

        for i: for c: copies of a: out[i, c] += x[i + a, c] * w[a, c]
        for i by 2: for c: copies of u, a: out[i + u, c] += x[i + u + a, c] * w[a, c]
    """
    overlapping = [dim for dim in outer[nest.rows :] if _overlap(nest, dim, reductions)]
    work = prod(nest.extents[dim] for dim in reductions) * max(1, nest.body.work)
    inside, rests = list[int](), list[Nest]()
    for dim in sorted(overlapping, reverse=True):
        size = model.loops.windows_together(nest.extents[dim], work)
        if size == 1:
            continue
        work *= size
        if rest := nest.extents[dim] % size:
            whole = nest.extents[dim] - rest
            last = nest.restrict(dim, whole, rest).permute([*outer, inner, *inside, *reductions])
            rests.append(changed(last, unrolled=len(inside) + len(reductions)))
            nest = nest.restrict(dim, 0, whole)
        nest = nest.split(dim, size)
        outer, inside, reductions = ([each + (each > dim) for each in dims] for dims in (outer, inside, reductions))
        inner, inside = inner + (inner > dim), [dim + 1, *inside]
    ordered = nest.permute([*outer, inner, *inside, *reductions])
    return [changed(ordered, unrolled=len(inside) + len(reductions)), *rests]


def _adds(nest: Nest) -> bool:
    return all(isinstance(combiner, arith.AddfOp) for combiner in nest.body.combiners)


def _overlap(nest: Nest, dim: int, reductions: list[int]) -> bool:
    """Whether a step along `dim` reads what one step along one of the reductions does, or, for sums, several."""
    adds = _adds(nest)
    return any(
        _steps(access.flat.stride(reduced), access.flat.stride(dim)) < (nest.extents[reduced] if adds else 2)
        for access in nest.reads
        for reduced in reductions
        if dim in access.dims and reduced in access.dims
    )


def _steps(short: int | None, long: int | None) -> float:
    """How many steps of `short` one of `long` is; infinitely many where it is none."""
    return long // short if short and long and long % short == 0 and long // short > 0 else inf
