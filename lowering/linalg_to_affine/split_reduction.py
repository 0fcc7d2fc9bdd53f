"""A reduction in two steps: partial results for parts of it, then their combination.

Used where a reduction has too few results: for threads (a sum over everything gives each chunk its
partial sum) and for vectors (sums over pixels of three channels keep many sums per channel, so that
channels times sums fill vectors; sums over rows of a few vectors keep a row of sums). Needs reductions
that may be reordered; partial results start from the neutral element. Known as `splitReduction` in
MLIR's linalg transformations. Partial sums of floats are added up with the error of each addition
(`ir/compensated_sums.py`), so that a long sum is as good as its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, FloatAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.editing import append
from ...dialects.shared_attributes import memref_type
from ...ir.affine import AffineSum, dimension
from ...ir.affine_builder import AffineBuilder
from ...ir.combiners import NEUTRAL_ELEMENTS
from ...ir.compensated_sums import two_sum, with_error
from .nest import Access, Nest, dense_access, scratch_buffer, scratch_kind
from .scalar_body import analyze, copy_op


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


def split_reduction(nest: Nest, inner: int, threads: int, model: CostModel) -> list[Nest] | None:
    """The nest, with the innermost loop `inner`, in two steps, where that is worth it and every output that accumulates
    does so over all reductions, by ops that may be reordered.
    """
    reductions = set(nest.reductions)
    if (
        not reductions
        or nest.body.index_dims
        or any(
            combiner is None or dims != reductions
            for combiner, dims in zip(nest.body.combiners, nest.accumulation, strict=True)
            if dims
        )
    ):
        return None
    lanes = model.target.lanes(8 * nest.widest)
    longest = max(nest.reductions, key=lambda d: nest.extents[d])
    choices = (
        lambda: _for_lanes(nest, lanes, model),
        lambda: _for_threads(nest, longest, threads, model),
        lambda: _for_digits(nest, longest, inner, model),
        lambda: _for_short_rows(nest, inner, lanes, model),
    )
    for choose in choices:
        if (chosen := choose()) and (found := _split(nest, chosen, model)):
            return found
    return None


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


def _for_digits(nest: Nest, dim: int, inner: int, model: CostModel) -> _Split | None:
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
    results = sum(nest.result_bytes(index) for index, dims in enumerate(nest.accumulation) if dims)
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


def _split(nest: Nest, split: _Split, model: CostModel) -> list[Nest] | None:
    """The partial results, their combination, and first what they leave over: at the end, each of its additions would
    have an error of the size of the result's. None where they take too much memory.
    """
    dim, size, parts, outer, adjacent, any_memory = split
    accumulates = [index for index, dims in enumerate(nest.accumulation) if dims]
    held = [parts * nest.result_bytes(index) for index in accumulates]
    if not any_memory and max(held) > model.memory.row_scratch_bytes:
        return None
    kind = scratch_kind(sum(held), model)
    partial = nest.restrict(dim, 0, parts * size).split(dim, size if outer else parts)
    part = dim if outer else dim + 1
    outputs, inits = list(partial.outputs), list(partial.inits)
    left = nest.extents[dim] - parts * size
    started = tuple(None if dims and left else init for init, dims in zip(nest.inits, nest.accumulation, strict=True))
    ends: list[Nest] = []
    for index in accumulates:
        results = PartialResults(replace(nest, inits=started), index, parts, kind, adjacent)
        outputs[index] = results.access(dimension(part), [d if d < dim else d + 1 for d in results.dims])
        inits[index] = results.neutral
        ends += results.combination(model)
    reduction = tuple(r and d != part for d, r in enumerate(partial.reduction))
    partial = replace(partial, reduction=reduction, outputs=tuple(outputs), inits=tuple(inits), ops=())
    return [*([nest.restrict(dim, parts * size, left)] if left else []), partial, *ends]


class PartialResults:
    """Those of output `index` for `parts` parts of a reduction, side by side for one element where `adjacent`.

    `allocation`: the buffer that holds them, `dims`: the dimensions of their elements, from the one with the largest
    stride to the one that runs through memory, `neutral`: what they start from.
    """

    def __init__(
        self,
        nest: Nest,
        index: int,
        parts: int,
        kind: type[memref.AllocOp] | type[memref.AllocaOp],
        adjacent: bool = False,
    ) -> None:
        output = nest.outputs[index]
        self.nest, self.index, self.parts, self.adjacent = nest, index, parts, adjacent
        self.combiner = cast(Operation, nest.body.combiners[index])
        dims = [d for d in nest.loops if d in output.dims]
        self.dims = sorted(dims, key=lambda d: -abs(output.flat.stride(d) or 0))
        sizes = [nest.extents[d] for d in self.dims]
        type_ = memref_type(output.type.element_type, *([*sizes, parts] if adjacent else [parts, *sizes]))
        self.allocation = scratch_buffer(kind, type_)
        self.neutral = NEUTRAL_ELEMENTS[type(self.combiner)](output.type.element_type)

    def access(self, part: AffineSum, dims: Iterable[int]) -> Access:
        """The element, of the results of `part`, that has its index in each of `dims` now."""
        buffer, indices = self.allocation.results[0], map(dimension, dims)
        return dense_access(buffer, buffer, (*indices, part) if self.adjacent else (part, *indices))

    def combination(self, model: CostModel) -> list[Nest]:
        """The nests that combine them into the output."""
        nest, rows = self.nest, self.nest.rows
        order = [*range(rows), *self.dims]
        part = len(order)
        extents = (*(nest.extents[d] for d in order), self.parts)
        output = nest.outputs[self.index].substitute({old: dimension(new) for new, old in enumerate(order)}, extents)
        found = Nest(
            extents=extents,
            reduction=(*(False,) * part, True),
            inputs=(self.access(dimension(part), range(rows, part)),),
            outputs=(output,),
            inits=(nest.inits[self.index],),
            body=analyze(self._combining(), model),
            index=(),
            rows=rows,
        )
        if isinstance(self.combiner, arith.AddfOp) and isinstance(output.type.element_type, Float32Type | Float64Type):
            return _with_errors(found, model)
        return [found]

    def _combining(self) -> Block:
        """The body that combines a partial result with the output."""
        accumulator = self.nest.body.args[len(self.nest.inputs) + self.index]
        block = Block(arg_types=[accumulator.type] * 2)
        op = copy_op(self.combiner, {value: block.args[value is accumulator] for value in self.combiner.operands})
        append(block, op)
        append(block, YieldOp(op.results[0]))
        return block


# Sums with their errors


def _with_errors(nest: Nest, model: CostModel) -> list[Nest]:
    """The sums that `nest` forms of its input in its last loop, with the errors of all additions added at the end."""
    (output,) = nest.outputs
    element_type = output.type.element_type
    elements = range(nest.rows, len(nest.extents) - 1)
    type = memref_type(element_type, *(nest.extents[d] for d in elements))
    buffer = scratch_buffer(scratch_kind(nest.result_bytes(0), model), type).results[0]
    errors = dense_access(buffer, buffer, tuple(map(dimension, elements)))
    zero = NEUTRAL_ELEMENTS[arith.AddfOp](element_type)
    body = analyze(_two_sum(element_type), model)
    sums = replace(nest, outputs=(output, errors), inits=(*nest.inits, zero), body=body, minor=True)
    end = replace(
        nest,
        extents=nest.extents[:-1],
        reduction=nest.reduction[:-1],
        inputs=(errors,),
        inits=(None,),
        body=analyze(_add_error(element_type), model),
    )
    return [sums, end]


@cache
def _two_sum(element_type: Attribute) -> Block:
    """Of a term, a sum and its error so far: the new sum and error."""
    block = Block(arg_types=[element_type] * 3)
    term, old, error = block.args
    added = AffineBuilder(block).add

    def add(a: SSAValue, b: SSAValue) -> SSAValue:
        return added(arith.AddfOp(a, b))

    new, lost = two_sum(old, term, add, lambda a, b: added(arith.SubfOp(a, b)))
    append(block, YieldOp(new, add(error, lost)))
    return block


@cache
def _add_error(element_type: Attribute) -> Block:
    """Of an error and a sum: the sum with its error."""
    block = Block(arg_types=[element_type] * 2)
    error, total = cast(Sequence[SSAValue], block.args)
    added = AffineBuilder(block).add
    result = with_error(
        total,
        error,
        lambda a, b: added(arith.AddfOp(a, b)),
        lambda value: added(
            arith.CmpfOp(value, added(arith.ConstantOp(FloatAttr(0.0, cast(AnyFloat, element_type)))), "one")
        ),
        lambda condition, yes, no: added(arith.SelectOp(condition, yes, no)),
    )
    append(block, YieldOp(result))
    return block
