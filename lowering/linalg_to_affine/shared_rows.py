"""Several nests in one nest over rows.

With `rows = p > 0` the first `p` dimensions of all nests become loops around them. Buffers that only these nests use,
and only at the row at hand, shrink to the rest of their shape: to nothing where the rest is one element (its value is
passed on), to a `memref.alloca` where the rows fit `decisions/` says, to a smaller `memref.alloc`
otherwise.

Nests may also reduce *over the rows*, as a sum by columns beside one by rows does. What they combine lies in memory:
partial results of a block of rows each, so that threads have their own and long sums are sums of short ones, and
behind the loops these are combined.

    for c: partial[c, :] = 0
           for i in block c: { for j: { s += x[i, j]; partial[c, j] += x[i, j] }  by_rows[i] = s }
    for j: by_columns[j] = sum of partial[:, j]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.editing import append, new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import memref_type
from ...ir.affine import AffineSum, dimension
from .addresses import Environment
from .emit import emit_nest
from .loop_builder import INDEX, Cursor, FunctionState, block_loop, for_loop, parallel_loop
from .nest import Access, Nest, dense_access, fill_nest, scratch_buffer, scratch_kind
from .schedule import is_worth_threads, schedule, total_cost
from .split_reduction import partial_results


@dataclass(frozen=True)
class Lowering:
    """The options of the pass."""

    model: CostModel
    threads: int


def reduces_rows(nest: Nest, rows: int) -> list[bool]:
    """For every output whether it is combined over the first `rows` dimensions."""
    return [any(d < rows for d in dims) for dims in nest.accumulation]


def agree_on_rows(nests: list[Nest], rows: int) -> bool:
    """Whether the nests can share their first `rows` loops: of equal extents, and none accesses what another wrote at
    a different row; what is reduced over the rows may be combined in any order, and no other nest accesses it.
    """
    extents = nests[0].extents[:rows]
    accesses: dict[SSAValue, list[Access]] = {}
    written: set[SSAValue] = set()
    reduced: set[SSAValue] = set()
    for nest in nests:
        if len(nest.extents) < rows or nest.extents[:rows] != extents:
            return False
        for index, output in enumerate(nest.outputs):
            dims = nest.accumulation[index]
            if not any(nest.reduction[:rows]):
                written.add(output.root)
            elif nest.body.combiners[index] is not None and dims.issuperset(range(rows)):
                reduced.add(output.root)
            else:
                return False
        for access in nest.accesses:
            accesses.setdefault(access.root, []).append(access)
    if any(nest.body.gathered_roots & (written | reduced) for nest in nests):
        return False
    if any(len(accesses[root]) > 1 for root in reduced):
        return False
    return all(
        _is_row_indexed(access, extents) for root in written if len(accesses[root]) > 1 for access in accesses[root]
    )


def share_rows_well(nests: list[Nest], rows: int, model: CostModel) -> bool:
    """Whether the nests are better in loops over rows than each in loops of its own. One is, where everything that it
    reduces is reduced over the same loops.
    """
    if len(nests) == 1:
        (nest,) = nests
        return any(reduces_rows(nest, rows)) and len({frozenset(dims) for dims in nest.accumulation if dims}) > 1
    return rows_pay(nests, rows, model)


def rows_pay(nests: list[Nest], rows: int, model: CostModel) -> bool:
    """Whether loops over rows outside leave good loops inside. They do not where the rows are what is contiguous, as
    in statistics per channel with channels last; then each nest is better off with loops of its own.
    """
    inside = total_cost([replace(nest, rows=rows) for nest in nests], model)
    return inside <= model.loops.row_cost_ratio * total_cost(nests, model)


def _is_row_indexed(access: Access, extents: tuple[int, ...]) -> bool:
    """Whether the leading indices are the row dimensions, and the others do not depend on them."""
    rows = len(extents)
    if access.indices is None or len(access.indices) < rows:
        return False
    leading = all(
        index == dimension(row) or (extents[row] == 1 and not index.terms)
        for row, index in enumerate(access.indices[:rows])
    )
    return leading and all(d >= rows or extents[d] == 1 for index in access.indices[rows:] for d in index.dims())


def private_buffers(nests: list[Nest], users: set[Operation], extents: tuple[int, ...]) -> list[SSAValue]:
    """The allocations that only `users` use, and the nests only at the row at hand."""
    private: dict[SSAValue, bool] = {}
    for nest in nests:
        for access in nest.accesses:
            root = access.root
            if root not in private:
                private[root] = isinstance(root.owner, memref.AllocOp) and all(
                    use.operation in users for use in root.uses
                )
            if private[root]:
                shape = access.type.get_shape()[: len(extents)]
                private[root] = shape == extents and _is_row_indexed(access, extents)
    return [root for root, is_private in private.items() if is_private]


# Loops over rows


@dataclass(frozen=True)
class _Blocks:
    """Rows in blocks, each with partial results of its own: dimension `dim` in `count` blocks of `size`, the last of
    which may be smaller; every index of the dimensions before it has blocks of its own.
    """

    extents: tuple[int, ...]
    dim: int = 0
    size: int = 0
    count: int = 1

    @property
    def parts(self) -> int:
        return prod(self.extents[: self.dim]) * self.count

    def counter(self) -> AffineSum:
        """The number of the block, in terms of dimensions of which the first is the block of dimension `dim`."""
        number, stride = dimension(0), self.count
        for dim in reversed(range(self.dim)):
            number, stride = number + dimension(dim + 1) * stride, stride * self.extents[dim]
        return number


@dataclass(frozen=True)
class _Level:
    """Loops over the dimensions `dims` at once; `blocks`: only over the rows of one block."""

    dims: Sequence[int]
    parallel: bool = False
    blocks: _Blocks | None = None


@dataclass(frozen=True)
class _Rows:
    """Nests in loops over their first dimensions. `starts`, fills, run in the first `outside` of `levels`."""

    nests: Sequence[Nest]
    levels: Sequence[_Level]
    starts: Sequence[Nest] = ()
    outside: int = 0


def lower_rows(
    state: FunctionState,
    nests: list[Nest],
    private: list[SSAValue],
    rows: int,
    cursor: Cursor,
    lowering: Lowering,
) -> None:
    """One nest of `rows` loops around all nests, at `cursor`."""
    extents = nests[0].extents[:rows]
    threads = lowering.threads
    if not is_worth_threads([replace(nest, rows=rows) for nest in nests], threads, lowering.model, prod(extents)):
        threads = 1
    if not any(any(reduces_rows(nest, rows)) for nest in nests):
        loops = [row for row in range(rows) if extents[row] != 1]
        marked = (
            0 if threads == 1 else lowering.model.parallelism.parallel_loops([extents[row] for row in loops], threads)
        )
        levels = [_Level(loops[:marked], parallel=True)] if marked else []
        levels += [_Level([row]) for row in loops[marked:]]
        _emit_rows(
            state, _Rows([replace(nest, rows=rows) for nest in nests], levels), private, rows, cursor, lowering.model
        )
        return
    blocks = _blocks_of(nests, rows, threads, lowering.model)
    within, ends = _with_partial_results(state, nests, rows, blocks, lowering.model)
    outside, inside = _block_levels(blocks, threads > 1)
    within = replace(within, levels=[*outside, *inside], outside=len(outside))
    _emit_rows(state, within, private, rows, cursor, lowering.model)
    state.known.clear()
    for end in ends:
        for scheduled in schedule(end, lowering.model, lowering.threads):
            emit_nest(state, scheduled, [], cursor)


def _blocks_of(nests: Sequence[Nest], rows: int, threads: int, model: CostModel) -> _Blocks:
    """In which blocks to run the rows."""
    extents = nests[0].extents[:rows]
    wanted = model.parallelism.row_blocks(prod(extents), threads, model.sums.chunk_additions)
    if wanted == 1:
        return _Blocks(extents, size=extents[0])
    dim = next(dim for dim in range(rows) if prod(extents[: dim + 1]) >= wanted)
    count = -(-wanted // prod(extents[:dim]))
    size = tile_size(extents[dim], -(-extents[dim] // count))
    return _Blocks(extents, dim, size, -(-extents[dim] // size))


def _block_levels(blocks: _Blocks, parallel: bool) -> tuple[list[_Level], list[_Level]]:
    """The loops over the blocks and those over the rows of one."""
    dim, extents = blocks.dim, (blocks.count, *blocks.extents)
    outside = [d for d in (*range(1, dim + 1), 0) if extents[d] != 1]
    inside = [d for d in range(dim + 1, len(extents)) if extents[d] != 1]
    over_blocks = [_Level(outside, parallel=True)] if parallel and outside else [_Level([d]) for d in outside]
    over_rows = [_Level([d], blocks=blocks if blocks.count > 1 and d == dim + 1 else None) for d in inside]
    return over_blocks, over_rows


def _with_partial_results(
    state: FunctionState, nests: Sequence[Nest], rows: int, blocks: _Blocks, model: CostModel
) -> tuple[_Rows, list[Nest]]:
    """The nests behind a dimension for the blocks, with partial results of what they reduce over the rows, and the
    nests that combine these.
    """
    starts: list[Nest] = []
    ends: list[Nest] = []
    inside: list[Nest] = []
    results = [
        (nest, index) for nest in nests for index, is_reduced in enumerate(reduces_rows(nest, rows)) if is_reduced
    ]
    held = blocks.parts * sum(nest.result_bytes(index) for nest, index in results)
    for nest in nests:
        values = {d: dimension(d + 1) for d in range(len(nest.extents))}
        moved = nest.reindex((blocks.count, *nest.extents), (False, *nest.reduction), values)
        outputs, inits = list(moved.outputs), list(moved.inits)
        for index in (index for each, index in results if each is nest):
            start = inits[index]
            if blocks.parts > 1:
                kind = scratch_kind(held, model)
                partial = partial_results(nest, index, blocks.parts, kind, model)
                state.scratch.add(partial.allocation)
                ends += partial.combination
                outputs[index] = partial.access(blocks.counter(), [dimension(d + 1) for d in partial.dims])
                start = partial.neutral
            if start is not None:
                value = (
                    start if isinstance(start, SSAValue) else state.constant(start, outputs[index].type.element_type)
                )
                starts.append(fill_nest(outputs[index], value, moved.extents, blocks.dim + 1))
            inits[index] = None
        inside.append(replace(moved, outputs=tuple(outputs), inits=tuple(inits), rows=rows + 1))
    return _Rows(inside, (), starts), ends


def _emit_rows(
    state: FunctionState, shared: _Rows, private: list[SSAValue], rows: int, cursor: Cursor, model: CostModel
) -> None:
    """The loops of `shared`, of whose dimensions `rows` are those of `private` buffers."""
    env: Environment = [0] * max((nest.rows for nest in shared.nests), default=0)
    bodies: list[Block] = []
    for level in shared.levels:
        body = Block(arg_types=[INDEX] * len(level.dims))
        for dim, argument in zip(level.dims, body.args, strict=True):
            env[dim] = argument
        bodies.append(body)
    places = [cursor, *map(Cursor, bodies)]
    outside = state.scratch
    if shared.levels and shared.levels[0].parallel:
        state.scratch = places[1]
    buffers = _shrink(state, private, rows, model)
    for start in shared.starts:
        emit_nest(state, start, env, places[shared.outside])
    state.known.clear()
    for nest in shared.nests:
        for scheduled in schedule(_rebase(nest, buffers, rows), model):
            emit_nest(state, scheduled, env, places[-1])
    state.scratch = outside
    extents = shared.nests[0].extents
    for level, body, place in reversed(list(zip(shared.levels, bodies, places[:-1], strict=True))):
        append(body, new_op(affine.YieldOp))
        sizes = [extents[dim] for dim in level.dims]
        if level.parallel:
            place.add(parallel_loop(sizes, body))
        elif level.blocks is not None:
            place.add(block_loop(cast(SSAValue, env[0]), level.blocks.size, sizes[0], body))
        else:
            place.add(for_loop(sizes[0], body))


def _shrink(state: FunctionState, private: list[SSAValue], rows: int, model: CostModel) -> dict[SSAValue, SSAValue]:
    """Replaces private buffers by buffers of one row; those of one element become virtual."""
    sized: list[tuple[int, MemRefType, SSAValue]] = []
    for root in private:
        type = cast(MemRefType, root.type)
        row = type.get_shape()[rows:]
        if prod(row) == 1:
            state.virtual.add(root)
            continue
        row_type = memref_type(type.element_type, *row)
        sized.append((prod(row) * element_bytes(type.element_type), row_type, root))
    replacements: dict[SSAValue, SSAValue] = {}
    held = 0
    for size, type, root in sorted(sized, key=lambda each: each[0]):
        held += size
        op = scratch_buffer(scratch_kind(held, model), type)
        state.scratch.add(op)
        replacements[root] = op.results[0]
    return replacements


def _rebase(nest: Nest, buffers: dict[SSAValue, SSAValue], rows: int) -> Nest:
    """The nest with shrunk buffers in the place of the original ones."""

    def moved(access: Access) -> Access:
        buffer = buffers.get(access.root)
        if buffer is None or access.indices is None:
            return access
        return dense_access(buffer, buffer, access.indices[rows:])

    return nest.with_accesses(moved)
