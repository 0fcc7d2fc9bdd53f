"""A reduction in two steps: partial results for parts of it, then their combination.

Used where a reduction has too few results: for threads (a sum over everything gives each chunk its
partial sum) and for vectors (sums over pixels of three channels keep many sums per channel, so that
channels times sums fill vectors; sums over rows of a few vectors keep a row of sums). Needs reductions
that may be reordered; partial results start from the neutral element. Known as `splitReduction` in
MLIR's linalg transformations. How partial sums are added up is in `derived_ops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import NamedTuple

from xdsl.dialects import arith

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.records import changed
from ...dialects.schedule.tree import Index, Parts
from ...ir.affine import ZERO, dimension
from .derived_ops import PartialSums, replayed, sums_of
from .nest import Access, Nest, declaration
from .trees import origins


class _Split(NamedTuple):
    """`parts` partial results, each over `size` iterations of `dim`: consecutive ones where `outer`, every `parts`-th
    otherwise. The partial results of one element lie side by side where `adjacent`, otherwise those of one part do;
    they may take any memory or only what rows may.
    """

    dim: int
    size: int
    parts: int
    outer: bool
    adjacent: bool = False
    any_memory: bool = False


def split_reduction(nest: Nest, innermost: Callable[[Nest], int], threads: int, model: CostModel) -> list[Nest] | None:
    """What of the nest is left over, its partial sums, and what adds them up, where that is worth it and every output
    that accumulates does so over all reductions, by ops that may be reordered. `innermost`: the loop to be innermost.
    What is left over comes first: at the end, each of its additions would have an error of the size of the result's.
    """
    around = {dim for dim in range(nest.rows) if nest.extents[dim] > 1}
    if (
        not nest.reductions
        or nest.body.index_dims
        # Of what the loops around add up as well, there is no total inside.
        or any(dims and not output.dims >= around for dims, output in zip(nest.accumulation, nest.outputs, strict=True))
        or any(name.endswith(".parts") for name in nest.ops)
        or prod(nest.extents) != prod(nest.forms[0].extents if nest.forms else ())
        or any(
            combiner is None or dims != set(nest.reductions)
            for combiner, dims in zip(nest.body.combiners, nest.accumulation, strict=True)
            if dims
        )
    ):
        return None
    splits: list[_Split] = []
    found, parts = nest, 1
    while (split := _chosen(found, innermost(found), threads, parts, model)) is not None:
        if splits and splits[-1].outer and split.outer and split.dim == splits[-1].dim + 1:
            # Parts of parts are smaller parts.
            last = splits.pop()
            found, parts = reduce(_applied, splits, nest), prod(each.parts for each in splits)
            split = split._replace(dim=last.dim, parts=found.extents[last.dim] // split.size)
        splits.append(split)
        found, parts = _applied(found, split), parts * split.parts
    if not splits:
        return None
    found, reduction = nest, nest.reduction
    rests: list[Nest] = []
    numbers: list[tuple[bool, int, Index]] = []
    for split in splits:
        dim, size, count = split.dim, split.size, split.parts
        origin = origins(found)[dim]
        numbers.append((not split.outer, count, origin.divided(size) if split.outer else origin.divided(1, count)))
        if left := found.extents[dim] - count * size:
            inits = (None,) * len(nest.inits) if rests else nest.inits
            rests.append(changed(found.restrict(dim, count * size, left), reduction=reduction, inits=inits))
        found, reduction = _applied(found, split), (*reduction[: dim + 1], *reduction[dim:])
    number = Index()
    for _, count, digit in sorted(numbers, key=lambda each: each[0]):
        number = number * count + digit
    started = changed(nest, inits=(None,) * len(nest.inits)) if rests else nest
    adjacent = any(split.adjacent for split in splits)
    partial, nodes, ends = with_parts(started, dict(enumerate(nest.accumulation)), number, parts, adjacent, model)
    partial = reduce(_applied, splits, partial)
    return [*rests, declaration(nest, nest.rows, *nodes), partial, *ends]


def _chosen(nest: Nest, inner: int, threads: int, parts: int, model: CostModel) -> _Split | None:
    """How to split a nest, with the innermost loop `inner`, which is in so many `parts` already; None if it is well as
    it is, or its partial sums take too much memory.
    """
    if not nest.reductions:
        return None
    lanes = model.target.lanes(8 * nest.widest)
    longest = max(nest.reductions, key=lambda d: nest.extents[d])
    choices = (
        lambda: _for_lanes(nest, lanes, model),
        lambda: _for_threads(nest, longest, threads, model),
        lambda: _for_digits(nest, longest, inner, parts, model),
        lambda: _for_short_rows(nest, inner, lanes, model),
    )
    for choose in choices:
        if (chosen := choose()) is not None:
            if chosen.outer and not nest.reduction[inner]:
                chosen = _of_whole_trips(nest, chosen, model)
            held = [
                parts * chosen.parts * nest.result_bytes(index) for index, dims in enumerate(nest.accumulation) if dims
            ]
            if chosen.any_memory or max(held) <= model.memory.row_scratch_bytes:
                return chosen
    return None


def _of_whole_trips(nest: Nest, split: _Split, model: CostModel) -> _Split:
    """Parts of as many rows as go into trips: of no part are rows left over."""
    stores = not all(nest.accumulation)
    rows = model.loops.rows_per_trip_of(split.size, nest.body.work, stores, nest.body.is_exact)
    size = split.size - split.size % rows
    return split._replace(size=size, parts=nest.extents[split.dim] // size)


def _applied(nest: Nest, split: _Split) -> Nest:
    """The loops of partial sums, which are over the parts no reduction."""
    dim, size, parts, outer, *_ = split
    nest = nest.restrict(dim, 0, parts * size).split(dim, size if outer else parts)
    part = dim if outer else dim + 1
    return changed(nest, reduction=tuple(reduced and d != part for d, reduced in enumerate(nest.reduction)))


def _for_lanes(nest: Nest, lanes: int, model: CostModel) -> _Split | None:
    """So many partial results per element of a parallel dimension shorter than a vector that both together fill
    vectors; None where there is no such dimension, or the reduction is short, or does not lie next to it in memory.
    """
    count = model.sums.partial_vectors * lanes
    long = [d for d in nest.reductions if nest.extents[d] >= 4 * count]
    short = [d for d in nest.loops if not nest.reduction[d] and nest.extents[d] < lanes]
    for dim, column in product(long, short):
        extent = nest.extents[column]
        strides = [(access.flat.stride(column), access.flat.stride(dim)) for access in nest.reads]
        if (1, extent) in strides and all(
            stride is not None and around == stride * extent for stride, around in strides
        ):
            return _Split(dim, nest.extents[dim] // count, count, outer=False)
    return None


def _for_threads(nest: Nest, dim: int, threads: int, model: CostModel) -> _Split | None:
    """The reduction `dim` in chunks for `threads`; None where there are enough parallel iterations. Columns do not
    count where elements are stored on the way: threads that take turns in a row write to the same pages (measured for
    4096 rows of 1024 f32: 1.6 times the time).
    """
    stores = not all(nest.accumulation)
    iterations = 1
    for loop in nest.loops:
        is_column = any(access.flat.stride(loop) in (1, -1) for access in nest.reads)
        if not nest.reduction[loop] and not (is_column and stores):
            width = model.parallelism.column_block_elements if is_column else 1
            iterations *= max(1, nest.extents[loop] // width)
    chunks = min(model.parallelism.parallel_chunks_per_thread * threads, nest.extents[dim] // 2)
    if iterations >= threads or chunks < 2:
        return None
    return _Split(dim, nest.extents[dim] // chunks, chunks, outer=True)


def _for_digits(nest: Nest, dim: int, inner: int, parts: int, model: CostModel) -> _Split | None:
    """A long sum of floats in chunks. Where the innermost loop `inner` is parallel, each sum would be one chain of
    additions, otherwise one for each lane. The errors of chunks grow with the root of their size, instead of all of the
    sum's.
    """
    if not any(isinstance(combiner, arith.AddfOp) for combiner in nest.body.combiners):
        return None
    points = prod(nest.extents[d] for d in nest.reductions)
    widest = max(output.element_bytes for output in nest.outputs)
    chunk = model.sums.sum_chunk(points, nest.reduction[inner], widest)
    if not chunk:
        return None
    extent = nest.extents[dim]
    size = max(1, chunk // (points // extent))
    size = model.sums.lanes_chunk(extent, size) if dim == inner else tile_size(extent, size)
    # Windows that overlap may have more partial sums than there are terms.
    terms = sum(access.element_bytes * prod(access.type.get_shape()) for access in nest.reads)
    results = parts * sum(nest.result_bytes(index) for index, dims in enumerate(nest.accumulation) if dims)
    size = max(size, -(-extent // max(1, model.sums.partial_sums_per_term * terms // results)))
    chunks = extent // size
    return _Split(dim, size, chunks, outer=True, any_memory=True) if chunks > 1 else None


def _for_short_rows(nest: Nest, inner: int, lanes: int, model: CostModel) -> _Split | None:
    """A partial result for every point of the innermost loop `inner`, where that is a short reduction around which
    there is another: lanes are then combined once, not at the end of each run of `inner`.
    """
    extent = nest.extents[inner]
    runs = prod(nest.extents[d] for d in nest.reductions if d != inner)
    if not nest.reduction[inner] or any(access.flat.stride(inner) not in (0, 1) for access in nest.reads):
        return None
    if not model.sums.is_short_row(extent, runs, lanes):
        return None
    return _Split(inner, 1, extent, outer=False, adjacent=True)


def with_parts(
    nest: Nest, accumulation: Mapping[int, set[int]], number: Index, parts: int, adjacent: bool, model: CostModel
) -> tuple[Nest, list[Parts], list[Nest]]:
    """The nest with partial sums, of the part `number` of a point, of those outputs whose `accumulation` is not empty;
    their declarations, and what adds them up. Side by side lie those of an element where `adjacent`, else those of a
    part.
    """
    outputs, inits, ops, forms = list(nest.outputs), list(nest.inits), list(nest.ops), list(nest.forms)
    nodes: list[Parts] = []
    ends: list[Nest] = []
    origin, ahead = origins(nest), nest.rows
    for index in (index for index, dims in accumulation.items() if dims):
        output = nest.outputs[index]
        op = next(op for op in forms if any(each.root is output.root for each in op.outputs))
        name = next(name for name, at in sums_of(op).items() if op.outputs[at].root is output.root)
        dims = sorted(output.dims, key=lambda d: (d >= ahead, -abs(output.flat.stride(d) or 0)))
        at = [origin[d] for d in dims]
        at.insert(len(at) if adjacent else sum(d < ahead for d in dims), number)
        nodes.append(Parts(name, parts, tuple(at)))
        sums = PartialSums.of(nodes[-1], op)
        outputs[index], inits[index] = replayed(sums.access, nest), sums.neutral
        total, *errors = sums.ends(model)
        total = changed(total, inits=(nest.inits[index], *total.inits[1:]))
        ends += [_in_rows_of(nest, end, sorted(op.outputs[sums.output].dims)) for end in (total, *errors)]
        ops = [f"{each}.parts" if each == op.ops[0] else each for each in ops]
    return changed(nest, outputs=tuple(outputs), inits=tuple(inits), ops=tuple(ops)), nodes, ends


def _in_rows_of(nest: Nest, end: Nest, dims: Sequence[int]) -> Nest:
    """`end`, of which the first dimensions are these of an op that `nest` was made from, in the rows of `nest`."""
    rows, root = nest.rows, end.outputs[0].root
    places = replayed(Access(root, root, tuple(map(dimension, dims)), ZERO), nest).indices
    assert places is not None
    in_rows = {at: place for at, place in enumerate(places) if place.dims() and min(place.dims()) < rows}
    if all(place == dimension(at) for at, place in in_rows.items()):
        return changed(end, rows=rows)
    inner = sorted({dim for place in in_rows.values() for dim in place.dims() if dim >= rows})
    others = [at for at in range(len(end.extents)) if at not in in_rows]
    extents = (
        *nest.extents[:rows],
        *(nest.extents[dim] for dim in inner),
        *(end.extents[at] for at in others),
    )
    moved = {dim: rows + number for number, dim in enumerate(inner)}
    values = {at: dimension(rows + len(inner) + number) for number, at in enumerate(others)}
    for at, place in in_rows.items():
        values[at] = place.substitute({dim: dimension(to) for dim, to in moved.items()}, extents)
    reduction = (*(False,) * (rows + len(inner)), *(end.reduction[at] for at in others))
    blocks = tuple(
        block._replace(dim=moved.get(block.dim, block.dim))
        for block in nest.blocks
        if block.dim < rows or block.dim in moved
    )
    return changed(end.reindex(extents, reduction, values), rows=rows, blocks=blocks)
