"""Reductions of several rows side by side, of which one operand is the same for all: a matrix times a vector.

    for i: for k: out[i] += a[i, k] * x[k]

becomes, for four rows at a time,

    for i by 4: for k: out[i] += a[i, k] * x[k]; out[i + 1] += a[i + 1, k] * x[k]; ...

so that `x[k]` is loaded once for the four, of which each has a chain of additions of its own. Known as unroll and jam.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append
from ...ir.affine import AffineSum
from .nest import Access, Nest
from .scalar_body import ScalarBody, analyze, copy_op


def jam_rows(nest: Nest, inner: int, model: CostModel) -> list[Nest]:
    """`nest`, a reduction with the innermost loop `inner`, with rows side by side if that pays, and the rows that are
    left over.
    """
    dim = _shared_dim(nest, inner, model)
    if dim is None:
        return [nest]
    extent = nest.extents[dim]
    count = model.sums.jammed_rows(extent)
    full = extent // count * count
    parts = [_jam(nest.restrict(dim, 0, full), dim, count, model)]
    if full < extent:
        parts.append(nest.restrict(dim, full, extent - full))
    return parts


def _shared_dim(nest: Nest, inner: int, model: CostModel) -> int | None:
    """The parallel dimension whose points share the most of what they read; None where nothing is gained."""
    body = nest.body
    if nest.rows or nest.unrolled or body.index_dims or body.gathers or None in body.combiners:
        return None
    written = {access.root for access in nest.outputs}
    if any(access.flat.stride(inner) not in (0, 1) or access.root in written for access in nest.reads):
        return None
    lanes = model.target.lanes(8 * max(access.element_bytes for access in nest.accesses))
    narrowest = min((access.element_bytes for access in nest.reads), default=1)
    if not model.sums.worth_jamming(nest.extents[inner], body.work, lanes, narrowest):
        return None
    best: tuple[int, int] | None = None
    for dim in nest.loops:
        if nest.reduction[dim] or any(dim not in output.dims for output in nest.outputs):
            continue
        shared = sum(_bytes(nest, access) for access in nest.reads if dim not in access.dims and inner in access.dims)
        if shared and nest.extents[dim] > 1 and (best is None or shared > best[0]):
            best = shared, dim
    return None if best is None else best[1]


def _bytes(nest: Nest, access: Access) -> int:
    """How much `access` reads."""
    return access.element_bytes * prod(nest.extents[dim] for dim in access.dims)


def _jam(nest: Nest, dim: int, count: int, model: CostModel) -> Nest:
    """The nest whose dimension `dim` goes on by `count`, with a copy of the body for each point."""
    extents = (*nest.extents[:dim], nest.extents[dim] // count, *nest.extents[dim + 1 :])
    points = [nest.reindex(extents, nest.reduction, {dim: AffineSum({dim: count}, number)}) for number in range(count)]
    inputs: list[Access | SSAValue] = list(dict.fromkeys(each for point in points for each in point.inputs))
    jammed = replace(
        points[0],
        inputs=tuple(inputs),
        outputs=tuple(output for point in points for output in point.outputs),
        inits=nest.inits * count,
        body=_copies(nest.body, inputs, points, model),
    )
    if extents[dim] > 1:
        return jammed
    return jammed.permute([d for d in range(len(extents)) if d != dim])


def _copies(body: ScalarBody, inputs: list[Access | SSAValue], points: list[Nest], model: CostModel) -> ScalarBody:
    """`body` for each of `points`, on the distinct `inputs` of all."""
    old = body.block.args
    outputs = [argument.type for argument in old[len(points[0].inputs) :]]
    types = {each: argument.type for point in points for each, argument in zip(point.inputs, old, strict=False)}
    block = Block(arg_types=[*(types[each] for each in inputs), *(outputs * len(points))])
    places = {each: block.args[number] for number, each in enumerate(inputs)}
    results: list[SSAValue] = []
    accumulators: Iterator[SSAValue] = iter(block.args[len(inputs) :])
    for point in points:
        values: dict[SSAValue, SSAValue] = {
            argument: places[each] for each, argument in zip(point.inputs, old, strict=False)
        }
        values.update((argument, next(accumulators)) for argument in old[len(point.inputs) :])
        for op in body.ops:
            append(block, copy_op(op, values))
        results += [values.get(value, value) for value in body.yielded]
    append(block, YieldOp(*results))
    return analyze(block, model)
