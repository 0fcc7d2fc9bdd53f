"""A reduction in two steps: partial results for parts of it, then their combination.

Used where a reduction has too few results: for threads (a sum over everything gives each chunk its
partial sum) and for vectors (sums over pixels of three channels keep many sums per channel, so that
channels times sums fill vectors; sums over rows of a few vectors keep a row of sums). Needs reductions
that may be reordered; partial results start from the neutral element. Known as `splitReduction` in
MLIR's linalg transformations. Partial sums of floats are added up with the error of each addition
(`ir/compensated_sums.py`), so that a long sum is as good as its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from math import prod
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, FloatAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.editing import append
from ...dialects.shared_attributes import memref_type
from ...ir.affine import AffineSum, dimension
from ...ir.combiners import NEUTRAL_ELEMENTS
from ...ir.compensated_sums import two_sum, with_error
from .nest import Access, Nest, dense_access, scratch_buffer, scratch_kind
from .scalar_body import analyze, copy_op


def split_for_threads(nest: Nest, threads: int, model: CostModel) -> list[Nest] | None:
    """The nest with its outermost reduction in chunks for `threads`; None where it has enough parallel
    iterations, or must not be split. Columns do not count where elements are stored on the way: threads that take
    turns in a row write to the same pages (measured for 4096 rows of 1024 f32: 1.6 times the time).
    """
    stores = not all(nest.accumulation)
    iterations = 1
    for dim in nest.loops:
        is_column = any(access.flat.stride(dim) in (1, -1) for access in nest.reads)
        if not nest.reduction[dim] and not (is_column and stores):
            width = model.parallelism.column_block_elements if is_column else 1
            iterations *= max(1, nest.extents[dim] // width)
    if iterations >= threads or not _may_split(nest):
        return None
    reductions = nest.reductions
    dim = max(reductions, key=lambda d: nest.extents[d])
    chunks = min(model.parallelism.parallel_chunks_per_thread * threads, nest.extents[dim] // 2)
    if chunks < 2:
        return None
    size = nest.extents[dim] // chunks
    return _split(nest, dim, size, chunks, True, model, limit=model.memory.row_scratch_bytes)


def split_for_digits(nest: Nest, inner: int, model: CostModel) -> list[Nest] | None:
    """The nest with a long sum of floats in chunks; `inner` is its innermost loop. Where that is parallel, each sum
    would be one chain of additions, otherwise one for each lane. The errors of chunks grow with the root of their size,
    instead of all of the sum's.
    """
    if not _may_split(nest) or not any(isinstance(combiner, arith.AddfOp) for combiner in nest.body.combiners):
        return None
    reductions = nest.reductions
    widest = max(output.element_bytes for output in nest.outputs)
    chunk = model.sums.sum_chunk(prod(nest.extents[d] for d in reductions), nest.reduction[inner], widest)
    if not chunk:
        return None
    dim = max(reductions, key=lambda d: nest.extents[d])
    within = prod(nest.extents[d] for d in reductions if d != dim)
    extent, size = nest.extents[dim], max(1, chunk // within)
    size = model.sums.lanes_chunk(extent, size) if dim == inner else tile_size(extent, size)
    chunks = nest.extents[dim] // size
    return _split(nest, dim, size, chunks, True, model) if chunks > 1 else None


def split_for_lanes(nest: Nest, model: CostModel) -> list[Nest] | None:
    """The nest with so many partial results per element of a parallel dimension shorter than a vector
    that both together fill vectors; None where there is no such dimension, or the reduction is short,
    or does not lie next to it in memory.
    """
    lanes = model.target.lanes(8 * nest.widest)
    count = model.sums.partial_vectors * lanes
    long = [d for d in nest.reductions if nest.extents[d] >= 4 * count]
    inner = [d for d in nest.loops if not nest.reduction[d] and nest.extents[d] < lanes]
    if not long or not inner or not _may_split(nest):
        return None
    for dim, short in product(long, inner):
        extent = nest.extents[short]
        strides = [(access.flat.stride(short), access.flat.stride(dim)) for access in nest.reads]
        if (1, extent) in strides and all(
            stride is not None and around == stride * extent for stride, around in strides
        ):
            return _split(
                nest, dim, nest.extents[dim] // count, count, False, model, limit=model.memory.row_scratch_bytes
            )
    return None


def split_for_short_rows(nest: Nest, inner: int, model: CostModel) -> list[Nest] | None:
    """The nest with a partial result for every point of `inner`, the innermost loop, where that is a short reduction
    around which there is another: lanes are then combined once, not at the end of each run of `inner`.
    """
    if not nest.reduction[inner] or not _may_split(nest):
        return None
    extent = nest.extents[inner]
    runs = prod(nest.extents[d] for d in nest.reductions if d != inner)
    lanes = model.target.lanes(8 * nest.widest)
    if any(access.flat.stride(inner) not in (0, 1) for access in nest.reads):
        return None
    if not model.sums.is_short_row(extent, runs, lanes):
        return None
    return _split(nest, inner, 1, extent, False, model, adjacent=True, limit=model.memory.row_scratch_bytes)


def _may_split(nest: Nest) -> bool:
    """Whether every output that accumulates does so over all reductions, by ops that may be reordered."""
    reductions = set(nest.reductions)
    return not nest.body.index_dims and all(
        combiner is not None and dims == reductions
        for combiner, dims in zip(nest.body.combiners, nest.accumulation, strict=True)
        if dims
    )


def _split(
    nest: Nest,
    dim: int,
    size: int,
    parts: int,
    outer: bool,
    model: CostModel,
    adjacent: bool = False,
    limit: int | None = None,
) -> list[Nest] | None:
    """`parts` partial results, each over `size` iterations of `dim`: consecutive ones where `outer`, every `parts`-th
    otherwise; their combination; and first what `parts * size` leaves over. The partial results of one element lie side
    by side where `adjacent`, otherwise those of one part do. None where they take more than `limit` bytes.
    """
    accumulates = [index for index, dims in enumerate(nest.accumulation) if dims]
    held = [parts * nest.result_bytes(index) for index in accumulates]
    if limit is not None and max(held) > limit:
        return None
    kind = scratch_kind(sum(held), model)
    whole = nest.restrict(dim, 0, parts * size)
    partial = whole.split(dim, size if outer else parts)
    part = dim if outer else dim + 1
    outputs, inits = list(partial.outputs), list(partial.inits)
    left = nest.extents[dim] - parts * size
    # What is left over comes first: at the end, each of its additions would have an error of the size of the result's.
    started = tuple(None if dims and left else init for init, dims in zip(nest.inits, nest.accumulation, strict=True))
    found = [
        partial_results(replace(nest, inits=started), index, parts, kind, model, adjacent) for index in accumulates
    ]
    for index, each in zip(accumulates, found, strict=True):
        shifted = [d if d < dim else d + 1 for d in each.dims]
        outputs[index] = each.access(dimension(part), [dimension(d) for d in shifted])
        inits[index] = each.neutral
    partial = replace(
        partial,
        reduction=tuple(r and d != part for d, r in enumerate(partial.reduction)),
        outputs=tuple(outputs),
        inits=tuple(inits),
    )
    rest = [nest.restrict(dim, parts * size, left)] if left else []
    return [*rest, partial, *(nest for each in found for nest in each.combination)]


@dataclass(frozen=True)
class PartialResults:
    """Of one output: the buffer that holds them, the dimensions of their elements, what they start from, and the nests
    that combine them.
    """

    allocation: Operation
    dims: list[int]
    neutral: Attribute
    combination: list[Nest]
    adjacent: bool

    def access(self, part: AffineSum, indices: Sequence[AffineSum]) -> Access:
        """The element at `indices`, one for each of `dims`, of the results of `part`."""
        buffer = self.allocation.results[0]
        return dense_access(buffer, buffer, (*indices, part) if self.adjacent else (part, *indices))


def partial_results(
    nest: Nest,
    index: int,
    parts: int,
    kind: type[memref.AllocOp] | type[memref.AllocaOp],
    model: CostModel,
    adjacent: bool = False,
) -> PartialResults:
    """Partial results of output `index` for `parts` parts of a reduction, those of one element side by side where
    `adjacent`.
    """
    output, combiner = nest.outputs[index], cast(Operation, nest.body.combiners[index])
    element_type = output.type.element_type
    dims = _in_memory_order(output, [d for d in nest.loops if d in output.dims])
    sizes = [nest.extents[d] for d in dims]
    allocation = scratch_buffer(kind, memref_type(element_type, *([*sizes, parts] if adjacent else [parts, *sizes])))
    neutral = NEUTRAL_ELEMENTS[type(combiner)](element_type)
    combination = _combination(nest, index, dims, allocation.results[0], parts, adjacent, model)
    return PartialResults(allocation, dims, neutral, combination, adjacent)


def _in_memory_order(access: Access, dims: list[int]) -> list[int]:
    """`dims` from the one with the largest stride to the one that runs through memory."""
    return sorted(dims, key=lambda d: -abs(access.flat.stride(d) or 0))


def _combination(
    nest: Nest, index: int, dims: list[int], buffer: SSAValue, parts: int, adjacent: bool, model: CostModel
) -> list[Nest]:
    """The nests that combine the partial results of output `index` into it."""
    rows = nest.rows
    order = [*range(rows), *dims]
    values = {old: dimension(new) for new, old in enumerate(order)}
    extents = (*(nest.extents[d] for d in order), parts)
    part = len(order)
    elements = range(rows, len(order))
    combiner = cast(Operation, nest.body.combiners[index])
    output = nest.outputs[index].substitute(values, extents)
    found = Nest(
        extents=extents,
        reduction=(*(False,) * len(order), True),
        inputs=(
            dense_access(buffer, buffer, tuple(map(dimension, [*elements, part] if adjacent else [part, *elements]))),
        ),
        outputs=(output,),
        inits=(nest.inits[index],),
        body=analyze(_combining(nest, index), model),
        index=(),
        rows=rows,
    )
    if isinstance(combiner, arith.AddfOp) and isinstance(output.type.element_type, Float32Type | Float64Type):
        return _with_errors(found, elements, model)
    return [found]


def _combining(nest: Nest, index: int) -> Block:
    """The body that combines a partial result with output `index`."""
    combiner = cast(Operation, nest.body.combiners[index])
    accumulator = nest.body.args[len(nest.inputs) + index]
    block = Block(arg_types=[accumulator.type] * 2)
    operands = [block.args[1] if operand is accumulator else block.args[0] for operand in combiner.operands]
    op = copy_op(combiner, dict(zip(combiner.operands, operands, strict=True)))
    append(block, op)
    append(block, YieldOp(op.results[0]))
    return block


# Sums with their errors


def _with_errors(nest: Nest, elements: range, model: CostModel) -> list[Nest]:
    """The sums that `nest` forms of its input, with the errors of all additions added at the end. `elements` are the
    dimensions of the output that are loops.
    """
    (output,) = nest.outputs
    element_type = output.type.element_type
    buffer = scratch_buffer(
        scratch_kind(nest.result_bytes(0), model),
        memref_type(element_type, *(nest.extents[d] for d in elements)),
    )
    errors = dense_access(buffer.results[0], buffer.results[0], tuple(map(dimension, elements)))
    zero = NEUTRAL_ELEMENTS[arith.AddfOp](element_type)
    sums = replace(
        nest,
        outputs=(output, errors),
        inits=(*nest.inits, zero),
        body=analyze(_two_sum(element_type), model),
        minor=True,
    )
    end = Nest(
        extents=nest.extents[:-1],
        reduction=nest.reduction[:-1],
        inputs=(errors,),
        outputs=(output,),
        inits=(None,),
        body=analyze(_add_error(element_type), model),
        index=(),
        rows=nest.rows,
    )
    return [sums, end]


@cache
def _two_sum(element_type: Attribute) -> Block:
    """Of a term, a sum and its error so far: the new sum and error."""
    block = Block(arg_types=[element_type] * 3)
    term, old, error = block.args
    add = partial(_add, block)
    new, lost = two_sum(old, term, add, lambda a, b: _added(block, arith.SubfOp(a, b)))
    append(block, YieldOp(new, add(error, lost)))
    return block


@cache
def _add_error(element_type: Attribute) -> Block:
    """Of an error and a sum: the sum with its error."""
    block = Block(arg_types=[element_type] * 2)
    error, total = block.args

    def is_nonzero(value: SSAValue) -> SSAValue:
        zero = _added(block, arith.ConstantOp(FloatAttr(0.0, cast(AnyFloat, element_type))))
        return _added(block, arith.CmpfOp(value, zero, "one"))

    def select(condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        return _added(block, arith.SelectOp(condition, yes, no))

    append(block, YieldOp(with_error(total, error, partial(_add, block), is_nonzero, select)))
    return block


def _add(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
    return _added(block, arith.AddfOp(a, b))


def _added(block: Block, op: Operation) -> SSAValue:
    """The result of `op`, at the end of `block`."""
    append(block, op)
    return op.results[0]
