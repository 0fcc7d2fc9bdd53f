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

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import memref_type
from ...ir.affine import dimension
from .emit import emit_nest
from .loop_builder import Cursor, FunctionState
from .nest import Access, Nest, dense_access, fill_nest, scratch_buffer, scratch_kind
from .scalar_body import NO_BODY
from .schedule import is_worth_threads, schedule, total_cost
from .split_reduction import PartialResults


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


def lower_rows(state: FunctionState, nests: list[Nest], private: list[SSAValue], rows: int, cursor: Cursor) -> None:
    """One nest of `rows` loops around all nests, at `cursor`."""
    model, threads, extents = state.model, state.threads, nests[0].extents[:rows]
    if not is_worth_threads([replace(nest, rows=rows) for nest in nests], threads, model, prod(extents)):
        threads = 1
    buffers, scratch = _shrink(state, private, rows, model)
    ends: list[Nest] = []
    if any(any(reduces_rows(nest, rows)) for nest in nests):
        whole, ends = _with_partial_results(state, nests, rows, buffers, threads, model)
    else:
        whole = around_rows(nests, rows, buffers, model)
        if threads > 1:
            whole = replace(whole, parallel=model.parallelism.parallel_loops(whole.extents, threads))
    emit_nest(state, replace(whole, scratch=scratch), [], cursor)
    state.known.clear()
    for end in ends:
        for scheduled in schedule(end, model, state.threads):
            emit_nest(state, scheduled, [], cursor)


_Buffers = Mapping[SSAValue, SSAValue]


def around_rows(nests: Sequence[Nest], rows: int, buffers: _Buffers, model: CostModel) -> Nest:
    """The loops over the first `rows` dimensions, those of one row excepted, with `nests` in them."""
    extents = tuple(extent for extent in nests[0].extents[:rows] if extent != 1)
    before = [
        scheduled
        for nest in nests
        for scheduled in schedule(replace(_without_single_rows(_rebase(nest, buffers), rows), rows=len(extents)), model)
    ]
    return Nest(extents, (False,) * len(extents), (), (), (), NO_BODY, (), before=tuple(before))


def _without_single_rows(nest: Nest, rows: int) -> Nest:
    return nest.permute([d for d, extent in enumerate(nest.extents) if d >= rows or extent != 1])


def _with_partial_results(
    state: FunctionState, nests: Sequence[Nest], rows: int, buffers: _Buffers, threads: int, model: CostModel
) -> tuple[Nest, list[Nest]]:
    """The loops over `rows`, in blocks with partial results of what is reduced over them, and the nests that combine
    these. Dimension `dim` is in `count` blocks of `size`, the last of which may be smaller, with their number as the
    dimension ahead of it; every index of the dimensions before has blocks of its own.
    """
    dim, size, count = _blocks_of(nests[0].extents[:rows], threads, model)
    number, parts = dimension(dim), count
    for outer in reversed(range(dim)):
        number, parts = number + dimension(outer) * parts, parts * nests[0].extents[outer]
    results = [(nest, index) for nest in nests for index, reduced in enumerate(reduces_rows(nest, rows)) if reduced]
    held = parts * sum(nest.result_bytes(index) for nest, index in results)
    inside: list[Nest] = []
    starts: list[Nest] = []
    ends: list[Nest] = []
    for nest in nests:
        values = {d: dimension(d + 1) for d in range(dim, len(nest.extents))}
        extents = (*nest.extents[:dim], count, *nest.extents[dim:])
        moved = nest.reindex(extents, (*nest.reduction[:dim], False, *nest.reduction[dim:]), values)
        outputs, inits = list(moved.outputs), list(moved.inits)
        outside = sum(extent != 1 for extent in extents[: dim + 1])
        for index in (index for each, index in results if each is nest):
            start = inits[index]
            if parts > 1:
                partial = PartialResults(nest, index, parts, scratch_kind(held, model))
                state.scratch.add(partial.allocation)
                ends += partial.combination(model)
                outputs[index] = partial.access(number, [d + 1 for d in partial.dims])
                start = partial.neutral
            if start is not None:
                if not isinstance(start, SSAValue):
                    start = state.constant(start, outputs[index].type.element_type)
                filled = _without_single_rows(replace(moved, outputs=(outputs[index],)), rows + 1)
                starts.append(fill_nest(filled.outputs[0], start, filled.extents, outside))
            inits[index] = None
        inside.append(replace(moved, outputs=tuple(outputs), inits=tuple(inits), ops=()))
    whole = around_rows(inside, rows + 1, buffers, model)
    outside = sum(extent != 1 for extent in inside[0].extents[: dim + 1])
    blocks = (outside, size) if count > 1 else None
    parallel = outside if threads > 1 else 0
    return replace(whole, before=(*starts, *whole.before), blocks=blocks, parallel=parallel), ends


def _blocks_of(extents: Sequence[int], threads: int, model: CostModel) -> tuple[int, int, int]:
    """Which dimension of the rows to run in blocks, their size and number."""
    wanted = model.parallelism.row_blocks(prod(extents), threads, model.sums.chunk_additions)
    if wanted == 1:
        return 0, extents[0], 1
    dim = next(dim for dim in range(len(extents)) if prod(extents[: dim + 1]) >= wanted)
    count = -(-wanted // prod(extents[:dim]))
    size = tile_size(extents[dim], -(-extents[dim] // count))
    return dim, size, -(-extents[dim] // size)


def _shrink(
    state: FunctionState, private: list[SSAValue], rows: int, model: CostModel
) -> tuple[dict[SSAValue, SSAValue], tuple[Operation, ...]]:
    """Buffers of one row in the place of private ones, and their allocations; those of one element become virtual."""
    sized: list[tuple[int, MemRefType, SSAValue]] = []
    for root in private:
        type = cast(MemRefType, root.type)
        row = type.get_shape()[rows:]
        if prod(row) == 1:
            state.virtual.add(root)
        else:
            size = prod(row) * element_bytes(type.element_type)
            sized.append((size, memref_type(type.element_type, *row), root))
    allocations: dict[SSAValue, Operation] = {}
    held = 0
    for size, type, root in sorted(sized, key=lambda each: each[0]):
        held += size
        allocations[root] = scratch_buffer(scratch_kind(held, model), type)
    return {root: op.results[0] for root, op in allocations.items()}, tuple(allocations.values())


def _rebase(nest: Nest, buffers: _Buffers) -> Nest:
    """The nest with buffers of one row in the place of the original ones."""

    def moved(access: Access) -> Access:
        buffer = buffers.get(access.root)
        if buffer is None or access.indices is None:
            return access
        return dense_access(buffer, buffer, access.indices[-len(cast(MemRefType, buffer.type).get_shape()) :])

    return nest.with_accesses(moved)
