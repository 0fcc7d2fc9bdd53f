"""Loop order, tiles, unrolling and parallel marks for one nest.

The innermost loop is the one in which most accesses are contiguous (stores count more). What remains is one of three
shapes:

* no reduction: outer loops in the order of the output's strides. A short contiguous dimension, such as channels of
  pixels, is unrolled into the innermost loop. If an access is contiguous in another dimension than
  the innermost (a transpose), both are tiled: one cache line of the innermost, a run of the other.
* reduction innermost: scalar accumulators; LLVM turns them into vectors where the op may be reassociated. Several rows
  that share an operand (a matrix times a vector) are reduced side by side.
* reduction outside the innermost loop: a row of accumulators in memory, blocked to stay in the first-level cache,
  several rows of input per trip. A short reduction (a pooling window) is unrolled into the innermost loop instead,
  which leaves no accumulator in memory.

Loop tiling and interchange by reuse: Wolf and Lam, "A data locality optimizing algorithm", PLDI 1991.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from xdsl.ir import SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.records import changed
from ...dialects.schedule.tree import Index, Stage
from ...ir.affine import AffineSum
from .derived_ops import Staged, operands_of, replayed
from .nest import Access, Nest, declaration
from .normal_form import simplify
from .pieces import Cuts, cut, dims_worth_cutting, main_piece, places_to_cut
from .split_reduction import split_reduction
from .transposed_copy import in_blocks, is_single_copy
from .trees import origins
from .windows import in_copies, worth_copies


def schedule(nest: Nest, model: CostModel, threads: int = 1) -> list[Nest]:
    """The nests, in order, that do the work of `nest` well; none of its parallel extents is zero."""
    nest = simplify(nest, model)
    if not nest.loops:
        return [nest]
    if not is_worth_threads([nest], threads, model):
        threads = 1
    cuts = places_to_cut(nest, model)
    if cuts:
        inner = innermost_dim(main_piece(nest, cuts, model), model)
        cuts = {dim: cuts[dim] for dim in dims_worth_cutting(nest, cuts, inner, model)}
        return [part for each in _in_pieces(nest, cuts, inner, model, threads) for part in each]
    return _schedule_whole(nest, model, threads)


def needs_two_loops(nest: Nest, model: CostModel) -> bool:
    """Whether the elementwise `nest` is good only in tiles, or with a short loop unrolled in another."""
    nest = simplify(nest, model)
    if len(nest.loops) < 2:
        return False
    main = main_piece(nest, places_to_cut(nest, model), model)
    return _needs_two_loops(main, innermost_dim(main, model), model)


def _needs_two_loops(nest: Nest, inner: int, model: CostModel) -> bool:
    return _transposed_dim(nest, inner) is not None or _interleaved_dim(nest, inner, model) is not None


def _in_pieces(nest: Nest, cuts: Cuts, inner: int, model: CostModel, threads: int) -> Iterator[list[Nest]]:
    """The nests of the pieces of `nest`. Those of the innermost loop share the loops around it, where these are
    enough for `threads`.
    """
    outside = {dim: places for dim, places in cuts.items() if dim != inner}
    wholes = cut(nest, outside, model)
    for whole in wholes:
        pieces = cut(whole, {inner: cuts[inner]}, model) if inner in cuts else [whole]
        main = max(pieces, key=lambda piece: piece.extents[inner])
        order = _outer_order(main, {inner})
        outer = prod(whole.extents[dim] for dim in order[nest.rows :])
        if (
            len(pieces) == 1
            or any(nest.reduction)
            or outer < (1 if threads == 1 else model.parallelism.parallel_chunks_per_thread * threads)
            or _needs_two_loops(main, inner, model)
        ):
            for piece in pieces:
                alone = len(wholes) == len(pieces) == 1
                yield _schedule_whole(simplify(piece, model), model, threads, alone)
            continue
        before = tuple(_at_end(piece, order, inner, model) for piece in pieces if piece is not main)
        main = changed(main.permute([*order, inner]), before=before)
        yield [main] if threads == 1 else _mark_parallel(main, model, threads)


def _at_end(nest: Nest, order: list[int], inner: int, model: CostModel) -> Nest:
    """A piece of an innermost loop, in the loops `order` of others. Less than a vector is copies of the body."""
    extent, narrowest = nest.extents[inner], min(output.element_bytes for output in nest.outputs)
    if extent == 1:
        return changed(nest.permute(order), rows=len(order))
    unrolled = int(extent * narrowest < model.loops.short_piece_bytes)
    return changed(nest.permute([*order, inner]), rows=len(order), unrolled=unrolled)


def _schedule_whole(nest: Nest, model: CostModel, threads: int, alone: bool = True) -> list[Nest]:
    """The nests that do the work of `nest`, which is all of an op if it is `alone`."""
    if not nest.loops:
        return [nest]
    inner = innermost_dim(nest, model)
    if any(nest.reduction):
        split = split_reduction(nest, lambda each: innermost_dim(each, model), threads, model)
        if split is not None:
            return [part for each in split for part in schedule(each, model, threads)]
    if not any(nest.reduction):
        nests = _elementwise(nest, inner, model, alone)
    elif nest.reduction[inner]:
        nests = _jammed(_inner_reduction(nest, inner, model), model)
    else:
        nests = _outer_reduction(nest, inner, threads, model)
    if threads == 1:
        return nests
    return [marked for each in nests for marked in _mark_parallel(each, model, threads)]


# Choice of the innermost loop


def innermost_cost(nest: Nest, dim: int, model: CostModel) -> float:
    """Cost of one point of the nest when `dim` is its innermost loop, in scalar operations."""
    extent = nest.extents[dim]
    lanes = min(model.target.lanes(8 * nest.widest), extent)
    body_lanes = lanes
    cost, work = model.loops.loop_overhead / extent, nest.body.work
    for access in nest.inputs:
        if isinstance(access, Access):
            cost += model.loops.access_cost(access.flat.stride(dim), access.element_bytes, lanes, work, nest.rows)
    for index, access in enumerate(nest.outputs):
        stride = access.flat.stride(dim)
        weight = model.loops.store_weight
        if nest.accumulation[index]:
            weight = model.loops.accumulator_weight / model.loops.reduction_rows_per_trip(work, _stores(nest))
        cost += weight * model.loops.access_cost(stride, access.element_bytes, lanes, work, nest.rows)
        if dim in nest.accumulation[index] and not nest.body.adds_in_any_order(index):
            body_lanes = 1
    for strides in nest.gather_strides:
        cost += model.loops.access_cost(strides.get(dim, 0), nest.widest, lanes, work, nest.rows)
    return cost + work / body_lanes


def innermost_dim(nest: Nest, model: CostModel) -> int:
    """The cheapest innermost loop; the last of equals."""
    return min(reversed(nest.loops), key=lambda dim: innermost_cost(nest, dim, model))


def total_cost(nests: Iterable[Nest], model: CostModel) -> float:
    """Cost of all points of the nests with the best innermost loop of each, rows being outer loops."""
    total = 0.0
    for nest in nests:
        nest = main_piece(nest, places_to_cut(nest, model), model)
        costs = [innermost_cost(nest, dim, model) for dim in nest.loops if nest.extents[dim] != 1]
        scalar = nest.body.work + len(nest.accesses)
        total += prod(nest.extents) * min(costs, default=scalar)
    return total


def _by_stride(dims: Iterable[int], accesses: Iterable[Access]) -> list[int]:
    """`dims` by falling stride of the accesses, the first access counting most."""
    flats = [access.flat for access in accesses]

    def key(dim: int) -> tuple[int, ...]:
        return tuple(-abs(flat.stride(dim) or 0) for flat in flats)

    return sorted(dims, key=key)


def _outer_order(nest: Nest, excluded: set[int]) -> list[int]:
    """Row dimensions, then parallel ones by stride of outputs and inputs, without `excluded`."""
    parallel = [d for d in nest.loops if not nest.reduction[d] and d not in excluded]
    accesses = [*nest.outputs, *nest.reads]
    return [*range(nest.rows), *_by_stride(parallel, accesses)]


def _reduction_order(nest: Nest, excluded: set[int]) -> list[int]:
    """Reduction dimensions by stride of the inputs, without `excluded`."""
    dims = [d for d in nest.reductions if d not in excluded]
    return _by_stride(dims, nest.reads)


# The three shapes


def tile(nest: Nest, dim: int, size: int) -> tuple[Nest | None, Nest | None]:
    """The nest in full tiles (`dim` split) and the rest (`dim` not split); either may be missing."""
    extent = nest.extents[dim]
    full = extent // size * size
    tiles = nest.restrict(dim, 0, full).split(dim, size) if full else None
    rest = nest.restrict(dim, full, extent - full) if full < extent else None
    return tiles, rest


def _in_tiles(nest: Nest, dim: int, preferred: int) -> list[Nest]:
    """The nest with `dim` split into tiles of about the size that is preferred, and the rest."""
    if nest.extents[dim] <= preferred:
        return [nest]
    return [part for part in tile(nest, dim, tile_size(nest.extents[dim], preferred)) if part]


def _elementwise(nest: Nest, inner: int, model: CostModel, alone: bool) -> list[Nest]:
    other = _transposed_dim(nest, inner)
    if other is None:
        short = _interleaved_dim(nest, inner, model)
        if short is not None:
            nest = nest.permute([*_outer_order(nest, {inner, short}), inner, short])
            return [changed(nest, unrolled=1)]
        return [nest.permute([*_outer_order(nest, {inner}), inner])]
    nest = nest.permute([*_outer_order(nest, {inner, other}), other, inner])
    layout = tuple(map(_up_to_constants, origins(nest)[-2:]))
    parts: list[Nest] = []
    size = max(prod(access.type.get_shape()) * access.element_bytes for access in nest.accesses)
    side = model.loops.transposed_tile(size, model.target.l2_bytes)
    for strip in _in_tiles(nest, len(nest.extents) - 2, side):
        for tiles in _in_tiles(strip, len(strip.extents) - 1, side):
            if len(tiles.extents) > len(strip.extents):
                # (..., row, tile, column) to (..., tile, row, column)
                last = len(tiles.extents) - 1
                tiles = tiles.permute([*range(last - 2), last - 1, last - 2, last])
            parts.append(tiles)
    blocks = [in_blocks(part, model) if is_single_copy(part) else None for part in parts]
    if any(blocks):  # what is left is too narrow for one, and not worth a buffer
        return [block or part for part, block in zip(parts, blocks, strict=True)]
    alone = alone and len(parts) == 1
    return [_copy_transposed(part if alone else _in_a_loop(part), layout, model) for part in parts]


def _up_to_constants(index: Index) -> Index:
    """`index` without what is the same everywhere in the nest, also in its digits."""
    found = Index()
    for digit in index.digits:
        if isinstance(digit.of, Index):
            of = digit.of
            if of.constant % (digit.divisor * (digit.modulus or 1)) == 0:
                of = _up_to_constants(of)
            found += of.divided(digit.divisor, digit.modulus) * digit.factor
        else:
            found += Index((digit,))
    return found


def _in_a_loop(nest: Nest) -> Nest:
    """The nest of a tile, in a loop of one trip if there is none: what is copied for it is not used beside it."""
    return nest if len(nest.extents) > nest.rows + 2 else nest.split(nest.rows, nest.extents[nest.rows])


def _interleaved_dim(nest: Nest, inner: int, model: CostModel) -> int | None:
    """A short dimension in which some access is contiguous and `inner` goes over whole runs of it. Its copies in the
    body are loads or stores side by side, which become whole vectors and shuffles.
    """
    for dim in nest.loops:
        extent = nest.extents[dim]
        if dim == inner or extent > model.loops.interleaved_run:
            continue
        if not model.loops.worth_unrolling_run(extent, max(1, nest.body.work)):
            continue
        if any(a.flat.stride(dim) == 1 and a.flat.stride(inner) == extent for a in nest.accesses):
            return dim
    return None


def _is_transposed(access: Access, inner: int, other: int) -> bool:
    """Whether `access` is contiguous in `other` and jumps between cache lines in `inner`."""
    stride = access.flat.stride(inner)
    return (
        stride is not None
        and abs(stride) * access.element_bytes >= CACHE_LINE_BYTES
        and access.flat.stride(other) in (1, -1)
    )


def _transposed_dim(nest: Nest, inner: int) -> int | None:
    """The dimension other than `inner` in which some access is contiguous."""
    for access in nest.accesses:
        for dim in nest.loops:
            if dim != inner and _is_transposed(access, inner, dim):
                return dim
    return None


def _copy_transposed(nest: Nest, layout: tuple[Index, ...], model: CostModel) -> Nest:
    """The nest with the tiles of its transposed inputs (last two dimensions, in terms of those of its ops: `layout`)
    copied to buffers; what its own ops compute is not there to be copied.
    """
    row, column = len(nest.extents) - 2, len(nest.extents) - 1
    computed = {access.root for op in nest.forms for access in op.outputs}
    before: list[Nest] = []
    copied: set[tuple[SSAValue, AffineSum]] = set()
    for op in nest.forms:
        for operand, at in operands_of(op).items():
            source = op.inputs[at]
            assert isinstance(source, Access)
            access = replayed(source, nest)
            if access.root in computed or (access.root, access.flat) in copied:
                continue
            if not _is_transposed(access, column, row):
                continue
            copied.add((access.root, access.flat))
            node = Stage(operand, layout)
            staged = Staged.of(node, op)
            copy = changed(
                staged.copy(operand),
                extents=nest.extents,
                reduction=nest.reduction,
                trail=nest.trail,
                inputs=(access,),
                outputs=(replayed(staged.access, nest),),
                rows=row,
                blocks=nest.blocks,
            )
            before.append(declaration(nest, row, node))
            before.append(in_blocks(copy, model) or copy.permute([*range(row), column, row]))
    return changed(nest, before=tuple(before))


def _inner_reduction(nest: Nest, inner: int, model: CostModel) -> Nest:
    reductions = [*_reduction_order(nest, {inner}), inner]
    unrolled = _unrolled_suffix(nest, reductions, model)
    parallel = _outer_order(nest, set())
    points = prod(nest.extents[dim] for dim in reductions)
    if _goes_along_runs(nest, reductions, model) or not (parallel or model.loops.worth_scalars(points)):
        # In whole vectors, or once: a loop costs less than the copies.
        unrolled = 0
    if unrolled == len(reductions) and len(parallel) > nest.rows:
        best = min(parallel[nest.rows :], key=lambda dim: innermost_cost(nest, dim, model))
        parallel = [*_outer_order(nest, {best}), best]
    return changed(nest.permute([*parallel, *reductions]), unrolled=unrolled)


def _goes_along_runs(nest: Nest, reductions: Sequence[int], model: CostModel) -> bool:
    """Whether a reduction is over runs of neighbours that fill a vector, of which there are more than are loaded
    together for several runs.
    """
    inner, points = reductions[-1], prod(nest.extents[dim] for dim in reductions)
    runs = [access for access in nest.reads if access.flat.stride(inner) == 1]
    return (
        points > model.loops.interleaved_run
        and len(runs) > 0
        and all(points * run.element_bytes >= model.loops.short_piece_bytes for run in runs)
        and all(abs(run.flat.stride(dim) or 0) >= points for run in runs for dim in run.dims.difference(reductions))
        and all(map(nest.body.adds_in_any_order, range(len(nest.outputs))))
    )


def _unrolled_suffix(nest: Nest, dims: list[int], model: CostModel) -> int:
    """How many of the last of `dims` are few enough points to unroll."""
    points = 1
    for count, dim in enumerate(reversed(dims)):
        points *= nest.extents[dim]
        if not model.loops.worth_unrolling_points(points, max(1, nest.body.work), nest.minor):
            return count
    return len(dims)


def _jammed(nest: Nest, model: CostModel) -> list[Nest]:
    """The reduction `nest` with several rows in its innermost loop, if that pays, and the rows that are left over: what
    all read, such as the vector that a matrix is multiplied by, is loaded once, and each row has a chain of
    additions of its own. Known as unroll and jam.

        for i: for k: out[i] += a[i, k] * x[k]
        for i by 4: for k: out[i] += a[i, k] * x[k]; out[i + 1] += a[i + 1, k] * x[k]; ...
    """
    dim = _shared_dim(nest, model)
    if dim is None:
        return [nest]
    tiles, rest = tile(nest, dim, model.sums.jammed_rows(nest.extents[dim]))
    assert tiles is not None
    outer = [d for d in range(len(tiles.extents)) if d != dim + 1 and (d != dim or tiles.extents[d] > 1)]
    jammed = changed(tiles.permute([*outer, dim + 1]), unrolled=1)
    return [jammed] if rest is None else [jammed, rest]


def _shared_dim(nest: Nest, model: CostModel) -> int | None:
    """The parallel dimension whose points share the most of what they read; None where nothing is gained."""
    body, inner = nest.body, len(nest.extents) - 1
    if nest.rows or nest.unrolled or body.index_dims or body.gathers or None in body.combiners:
        return None
    written = {access.root for access in nest.outputs}
    if any(access.flat.stride(inner) not in (0, 1) or access.root in written for access in nest.reads):
        return None
    narrowest = min((access.element_bytes for access in nest.reads), default=1)
    if not model.sums.worth_jamming(nest.extents[inner], body.work, model.target.lanes(8 * nest.widest), narrowest):
        return None
    if sum(_is_streamed(access, nest, model) for access in nest.reads) == 1:
        return None

    def shared(dim: int) -> int:
        return sum(
            access.element_bytes * prod(nest.extents[d] for d in access.dims)
            for access in nest.reads
            if dim not in access.dims and inner in access.dims
        )

    dims = [d for d in nest.loops if not nest.reduction[d] and all(d in output.dims for output in nest.outputs)]
    best = max((d for d in dims if nest.extents[d] > 1), key=shared, default=None)
    return best if best is not None and shared(best) else None


def _is_streamed(access: Access, nest: Nest, model: CostModel) -> bool:
    """Whether the rows of what is read are asked for one after the other instead."""
    shape = access.type.get_shape()
    row = shape[-1] if shape else 0
    if (
        access.element_bytes < nest.widest
        or row != nest.extents[-1]
        or any(dim not in access.dims for dim in nest.loops)
    ):
        return False
    row_bytes, size = row * access.element_bytes, prod(shape) * access.element_bytes
    return model.copies.worth_fetching_single_row(row_bytes, size, model.target.l2_bytes)


def _outer_reduction(nest: Nest, inner: int, threads: int, model: CostModel) -> list[Nest]:
    outer = _outer_order(nest, {inner})
    reductions = _reduction_order(nest, set())
    if _unrolled_suffix(nest, reductions, model) == len(reductions) or worth_copies(
        nest, outer, inner, reductions, model
    ):
        return in_copies(nest, outer, inner, reductions, model)
    nest = nest.permute([*outer, inner, *reductions])
    column = len(outer)
    result: list[Nest] = []
    for piece in _column_blocks(nest, column, threads, model):
        count = len(piece.extents)
        column = count - len(reductions) - 1
        rows = 1 if nest.minor else _rows_per_trip(nest, piece.extents[-1], model)
        # (..., column, reductions..., trip, row) to (..., reductions..., trip, column, row)
        tiles, rest = tile(piece, count - 1, rows)
        assert tiles is not None
        order = [*range(column), *range(column + 1, count), column, count]
        result.append(changed(tiles.permute(order), unrolled=1))
        if rest is not None:
            order = [*range(column), *range(column + 1, count - 1), column, count - 1]
            inits = tuple(
                None if count - 1 in rest.accumulation[index] else init for index, init in enumerate(rest.inits)
            )
            result.append(changed(rest.permute(order), unrolled=1, inits=inits))
    return result


def _rows_per_trip(nest: Nest, rows: int, model: CostModel) -> int:
    return model.loops.rows_per_trip_of(rows, nest.body.work, _stores(nest), nest.body.is_exact)


def _stores(nest: Nest) -> bool:
    """Whether a reduction stores elements on the way."""
    return not all(nest.accumulation)


def _column_blocks(nest: Nest, column: int, threads: int, model: CostModel) -> list[Nest]:
    """The nest with dimension `column` in blocks whose accumulators stay in cache and that are enough for `threads`."""
    extent = nest.extents[column]
    held = sum(access.element_bytes for index, access in enumerate(nest.outputs) if nest.accumulation[index])
    block = model.memory.accumulator_bytes // held
    chunks = model.parallelism.parallel_chunks_per_thread * threads
    others = prod(nest.extents[nest.rows : column])
    if threads > 1 and others < chunks:
        width = extent // -(-chunks // others)
        block = min(block, max(model.parallelism.column_block_elements, width))
    return _in_tiles(nest, column, block)


# Threads


def is_worth_threads(nests: list[Nest], threads: int, model: CostModel, repetitions: int = 1) -> bool:
    """Whether `repetitions` runs of the nests are enough work for a parallel region."""
    if threads == 1:
        return False
    moved = operations = 0
    for nest in nests:
        operations += nest.trip_count * max(1, nest.body.work)
        for access in nest.accesses:
            used = prod(nest.extents[d] for d in access.dims if d >= nest.rows)
            moved += used * access.element_bytes
    return model.parallelism.worth_a_parallel_region(moved * repetitions, operations * repetitions, threads)


def _mark_parallel(nest: Nest, model: CostModel, threads: int) -> list[Nest]:
    """Marks the outermost loops as parallel: as few as give every thread several iterations. A single long parallel
    loop is first split into blocks.
    """
    loops = len(nest.loops)
    limit = min((other.rows for other in nest.before), default=loops)
    candidates = 0
    while candidates < limit and not nest.reduction[candidates]:
        candidates += 1
    outer = nest.extents[: min(candidates, loops - 1)]
    count = model.parallelism.parallel_loops(outer, threads)
    trips = prod(outer)
    if trips < model.parallelism.parallel_chunks_per_thread * threads and 0 < candidates == loops:
        last = loops - 1
        lanes = model.target.lanes(8 * nest.outputs[0].element_bytes)
        block = model.parallelism.parallel_block(nest.extents[last], -(-threads // trips), lanes)
        blocks, rest = tile(nest, last, block)
        if blocks is not None and block < nest.extents[last]:
            pieces = [changed(blocks, parallel=loops)]
            return [*pieces, rest] if rest is not None else pieces
    return [changed(nest, parallel=count) if trips > 1 else nest]
