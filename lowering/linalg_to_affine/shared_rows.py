"""Several nests in one nest over rows.

With `rows = p > 0` the first `p` dimensions of all nests become loops around them. Buffers that only these nests use,
and only at the row at hand, are kept for one row.

Nests may also reduce *over the rows*, as a sum by columns beside one by rows does. What they combine lies in memory:
partial results of a block of rows each, so that threads have their own and long sums are sums of short ones, and
behind the loops these are combined.

    for c: partial[c, :] = 0
           for i in block c: { for j: { s += x[i, j]; partial[c, j] += x[i, j] }  by_rows[i] = s }
    for j: by_columns[j] = sum of partial[:, j]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from ...decisions.divisors import tile_size
from ...decisions.model import CostModel
from ...dialects.records import changed
from ...dialects.schedule.tree import Parts, variable
from ...ir.affine import AffineSum, dimension
from ...ir.views import PARTS, uses_of_buffer
from .derived_ops import dim_name
from .nest import Access, Block, Nest, ShortBlockError, declaration
from .normal_form import simplify
from .pieces import places_to_cut
from .scalar_body import NO_BODY
from .schedule import is_worth_threads, schedule, total_cost
from .split_reduction import with_parts


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
    inside = total_cost([changed(nest, rows=rows) for nest in nests], model)
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
                    use.operation in users for use in uses_of_buffer(root, PARTS)
                )
            if private[root]:
                shape = access.type.get_shape()[: len(extents)]
                private[root] = shape == extents and _is_row_indexed(access, extents)
    return [root for root, is_private in private.items() if is_private]


def are_better_apart(first: Nest, second: Nest, rows: int, model: CostModel) -> bool:
    """Whether `first`, which computes much for each element of short rows, is better in a loop of its own than in one
    with `second`: a reduction, which goes through each row while its own loop goes through several as one, or what is
    cut into pieces of a row.
    """
    if _is_cut(second, rows, model) and not _is_cut(first, rows, model):
        lanes = model.target.lanes(8 * first.widest)
        return model.loops.worth_whole_rows(prod(first.extents[rows:]), first.body.work, lanes)
    if not any(second.reduction[rows:]) or any(second.reduction[:rows]):
        return False
    return _is_flat_work(first, rows, model) and _rows_together([first, second], rows, model, 1) > 1


def _is_cut(nest: Nest, rows: int, model: CostModel) -> bool:
    """Whether what the nest does changes within a row."""
    return any(dim >= rows for dim in places_to_cut(nest, model))


def _is_flat_work(nest: Nest, rows: int, model: CostModel) -> bool:
    """Whether the nest computes that much for each element, and goes through rows behind each other as through one."""
    length = prod(nest.extents[rows:])
    if any(nest.reduction) or not model.loops.worth_flat_rows(
        length, nest.body.work, model.target.lanes(8 * nest.widest)
    ):
        return False
    flat = simplify(changed(nest, rows=rows - 1), model)
    return [flat.extents[dim] for dim in flat.loops] == [nest.extents[rows - 1] * length]


# Loops over rows


def in_rows(nests: Sequence[Nest], rows: int, model: CostModel, threads: int) -> list[Nest]:
    """The loops over the first `rows` dimensions around all nests."""
    extents = nests[0].extents[:rows]
    if not is_worth_threads([changed(nest, rows=rows) for nest in nests], threads, model, prod(extents)):
        threads = 1
    if any(any(reduces_rows(nest, rows)) for nest in nests):
        return _with_partial_results(nests, rows, threads, model)
    try:
        found = around_rows(_short_rows_together(nests, rows, model, threads), rows, model)
    except ShortBlockError:
        found = around_rows(nests, rows, model)
    if threads == 1:
        return [found]
    return [changed(found, parallel=model.parallelism.parallel_loops(found.extents, threads))]


def _short_rows_together(nests: Sequence[Nest], rows: int, model: CostModel, threads: int) -> Sequence[Nest]:
    """The nests, in groups of rows if these are short, each with a loop of its own through a group: until it is done,
    what it has computed of the first row is there. The last group may be smaller.

        for i: { for j: s += x[i, j];  for j: y[i, j] = f(x[i, j], s) }
        for i by 16: { for k, j: s[k] += x[i + k, j];  for k, j: y[i + k, j] = f(x[i + k, j], s[k]) }
    """
    last, chunks = rows - 1, 1
    if threads > 1:
        chunks = max(1, model.parallelism.parallel_chunks_per_thread * threads // prod(nests[0].extents[:last]))
    size = _rows_together(nests, rows, model, chunks)
    return nests if size == 1 else [_in_blocks(nest, last, size) for nest in nests]


def _in_blocks(nest: Nest, dim: int, size: int) -> Nest:
    """Dimension `dim` in blocks of `size`, the last of which may be smaller, with their number as the one ahead."""
    extent = nest.extents[dim]
    values = {d: dimension(d + 1) for d in range(dim, len(nest.extents))}
    values[dim] = AffineSum({dim: size, dim + 1: 1})
    blocks = (Block(dim + 1, dim, extent),) if extent % size else ()
    whole = (*nest.extents[:dim], -(-extent // size), size, *nest.extents[dim + 1 :])
    moved = nest.reindex(whole, (*nest.reduction[:dim], False, *nest.reduction[dim:]), values)
    return changed(moved, blocks=blocks)


def _in_groups(nests: Sequence[Nest], rows: int, model: CostModel) -> Sequence[Nest]:
    """The same of nests of which some reduce over the rows, several at a time: in groups without rows left over."""
    size = gcd(_rows_together(nests, rows, model, 1), nests[0].extents[rows - 1])
    size &= -size
    return [nest.split(rows - 1, size) for nest in nests] if size > 2 else nests


def _rows_together(nests: Sequence[Nest], rows: int, model: CostModel, chunks: int) -> int:
    if len(nests) == 1 or any(nest.blocks for nest in nests):
        return 1
    rest = [
        (prod(nest.extents[dim] for dim in access.dims if dim >= rows), access.element_bytes)
        for nest in nests
        for access in nest.accesses
    ]
    elements = max(count for count, _ in rest)
    lanes = model.target.lanes(8 * max(nest.widest for nest in nests))
    *times, count = nests[0].extents[:rows]
    row_bytes = max(count * size for count, size in rest)
    flat = any(_is_flat_work(nest, rows, model) for nest in nests)
    return model.loops.rows_together(prod(times), count, row_bytes, elements, lanes, chunks, flat)


def around_rows(nests: Sequence[Nest], rows: int, model: CostModel) -> Nest:
    """The loops over the first `rows` dimensions, those of one row excepted, with `nests` in them."""
    extents = tuple(extent for extent in nests[0].extents[:rows] if extent != 1)
    count = len(extents)
    inside = [nest.permute([d for d, extent in enumerate(nest.extents) if d >= rows or extent != 1]) for nest in nests]
    before = [scheduled for nest in inside for scheduled in schedule(changed(nest, rows=count), model)]
    return Nest(extents, (False,) * count, (), (), (), NO_BODY, (), before=tuple(before), blocks=inside[0].blocks)


def _with_partial_results(nests: Sequence[Nest], rows: int, threads: int, model: CostModel) -> list[Nest]:
    """The loops over `rows`, in blocks with partial results of what is reduced over them, and the nests that combine
    these. Dimension `dim` is in `count` blocks of `size`, the last of which may be smaller, with their number as the
    dimension ahead of it; every index of the dimensions before has blocks of its own.
    """
    extents = nests[0].extents[:rows]
    dim, size, count = _blocks_of(extents, threads, model)
    number, parts = variable(dim_name(dim)).divided(size), count
    for outer in reversed(range(dim)):
        number, parts = variable(dim_name(outer), parts) + number, parts * extents[outer]
    inside: list[Nest] = []
    nodes: list[Parts] = []
    ends: list[Nest] = []
    for nest in nests:
        if parts > 1:
            reduced = {at: dims for at, dims in enumerate(nest.accumulation) if reduces_rows(nest, rows)[at]}
            nest, declared, added = with_parts(nest, reduced, number, parts, False, model)
            nodes, ends = [*nodes, *declared], [*ends, *added]
        inside.append(_in_blocks(nest, dim, size))
    found = around_rows(_in_groups(inside, rows + 1, model), rows + 1, model)
    if threads > 1:
        found = changed(found, parallel=sum(extent != 1 for extent in inside[0].extents[: dim + 1]))
    behind = [part for end in ends for part in schedule(end, model, threads)]
    return [*([declaration(found, 0, *nodes)] if nodes else []), found, *behind]


def _blocks_of(extents: Sequence[int], threads: int, model: CostModel) -> tuple[int, int, int]:
    """Which dimension of the rows to run in blocks, their size and number."""
    wanted = model.parallelism.row_blocks(prod(extents), threads, model.sums.chunk_additions)
    if wanted == 1:
        return 0, extents[0], 1
    dim = next(dim for dim in range(len(extents)) if prod(extents[: dim + 1]) >= wanted)
    count = -(-wanted // prod(extents[:dim]))
    size = tile_size(extents[dim], -(-extents[dim] // count))
    return dim, size, -(-extents[dim] // size)
