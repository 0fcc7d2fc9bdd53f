"""Sequences of linalg ops to loops, alone or several in one nest over rows.

Between two barriers (ops that may touch memory in other ways, or that hold regions) the linalg ops of a block form a
group. A fill only scheduled so far waits until its buffer is used: a reduction that starts from it takes the scalar
instead, an op that overwrites it makes it vanish.

With `rows = p > 0` the first `p` dimensions of every op of a group become one nest around all of them. Buffers that
only the group uses, and only at the row at hand, shrink to the rest of their shape: to nothing where the
rest is one element (its value is passed on), to a `memref.alloca` where the rows fit
`cost_model.ROW_SCRATCH_BYTES`, to a smaller `memref.alloc` otherwise. A group whose ops do not agree on their
rows falls back to one nest per op. With `rows = 0` ops over the same points are fused as well: sums of all elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Block, Operation, SSAValue

from ... import cost_model
from ...dialects.editing import append, new_op
from ...dialects.shared_attributes import memref_type
from ...target import Target
from .addresses import Environment
from .affine_sum import dimension
from .borders import Border, border_fills, share_loops
from .emit import emit_nest
from .from_linalg import nest_of
from .fusion import fuse_nests
from .loop_builder import INDEX, Cursor, FunctionState, for_loop, parallel_loop
from .nest import Access, Nest, dense_access, element_bytes, scratch_buffer
from .schedule import is_worth_threads, schedule, total_cost
from .views import VIEW_OPS


@dataclass
class GroupedOp:
    """One linalg op of a group, its nest and the borders to fill around what it writes."""

    op: LinalgStructuredOperation
    nest: Nest
    borders: Sequence[Border] = ()

    @property
    def is_fill(self) -> bool:
        return isinstance(self.op, FillOp)


@dataclass(frozen=True)
class Lowering:
    """The options of the pass."""

    target: Target
    threads: int


def lower_block(state: FunctionState, block: Block, rows: int | None, lowering: Lowering) -> None:
    """Replaces the linalg ops of `block` and of regions inside it by loops. `rows`: `None` where the ops of the block
    are no group.
    """
    group: list[GroupedOp] = []
    erased: list[Operation] = []

    def flush(anchor: Operation | None) -> None:
        if group and anchor is not None:
            _lower_group(state, group, rows, anchor, lowering)
            group.clear()
            state.known.clear()

    for op in list(block.ops):
        if op.name.startswith("linalg."):
            assert isinstance(op, LinalgStructuredOperation)
            group.append(GroupedOp(op, nest_of(op)))
            erased.append(op)
        elif op.regions:
            flush(op)
            for region in op.regions:
                for inner in region.blocks:
                    lower_block(state, inner, None, lowering)
        elif group and not _is_neutral(op):
            flush(op)
    flush(block.last_op)
    for op in reversed(erased):
        block.erase_op(op)
    if erased:
        _erase_dead_views(block)


def _is_neutral(op: Operation) -> bool:
    """Whether `op` may stand between the ops of a group: it touches no memory, or only makes or reads it."""
    return (
        op.name.startswith(("arith.", "math."))
        or isinstance(op, (*VIEW_OPS, memref.AllocOp, memref.AllocaOp))
        or isinstance(op, affine.ApplyOp)
    )


def _erase_dead_views(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if isinstance(op, (*VIEW_OPS, memref.AllocOp)) and not op.results[0].uses:
            block.erase_op(op)


def _lower_group(
    state: FunctionState,
    group: list[GroupedOp],
    rows: int | None,
    anchor: Operation,
    lowering: Lowering,
) -> None:
    users: set[Operation] = {each.op for each in group}
    # An empty nest stores nothing, or adds nothing to what is there.
    group = fold_fills([each for each in group if 0 not in each.nest.extents], rows or 0)
    nests = [each.nest for each in group]
    if rows and len(group) > 1 and agree_on_rows(nests, rows):
        private = _private_buffers(nests, users, nests[0].extents[:rows])
        nests = fuse_nests(nests, set(private))
        accessed = {access.root for nest in nests for access in nest.accesses}
        private = [root for root in private if root in accessed]
        cursor = Cursor(cast(Block, anchor.parent), anchor)
        if len(nests) > 1 and rows_pay(nests, rows, lowering.target):
            _lower_rows(state, nests, private, rows, cursor, lowering)
        else:
            for nest in nests:
                _lower_nest(state, nest, cursor, lowering)
        return
    if rows == 0 and any(nest.trip_count > 1 for nest in nests) and not any(each.borders for each in group):
        fewer = fuse_nests(nests, set())
        if len(fewer) < len(nests):
            for nest in fewer:
                _lower_nest(state, nest, Cursor(cast(Block, anchor.parent), anchor), lowering)
            return
    for root in _private_buffers(nests, users, ()):
        if prod(cast(MemRefType, root.type).get_shape()) == 1:
            state.virtual.add(root)
    for each in group:
        _lower_nest(state, each.nest, Cursor(cast(Block, each.op.parent), each.op), lowering, each.borders)


def _lower_nest(
    state: FunctionState, nest: Nest, cursor: Cursor, lowering: Lowering, borders: Sequence[Border] = ()
) -> None:
    scheduled = schedule(nest, lowering.target, lowering.threads)
    apart = [border.fill for border in borders]
    if borders and len(scheduled) == 1 and len(scheduled[0].outputs) == len(nest.outputs):
        (host,) = scheduled
        inside, apart = share_loops(borders, host)
        before = [part for fill in inside for part in schedule(fill, lowering.target)]
        scheduled = [replace(host, before=(*host.before, *before))]
    for fill in apart:
        _lower_nest(state, fill, cursor, lowering)
    for part in scheduled:
        emit_nest(state, part, [], cursor)


# Fills


def fold_fills(group: Iterable[GroupedOp], rows: int) -> list[GroupedOp]:
    """The group without the fills that an op overwrites or takes as the start of its reduction. Without `rows`, where
    an op overwrites a box of the buffer, what is around it is filled.
    """
    result: list[GroupedOp] = []
    pending: dict[SSAValue, GroupedOp] = {}
    for each in group:
        if each.is_fill and _covers_buffer(each.nest.outputs[0], each.nest):
            root = each.nest.outputs[0].root
            pending.pop(root, None)
            pending[root] = each
            continue
        nest = each.nest
        inits = list(nest.inits)
        read = {a.root for a in nest.inputs if isinstance(a, Access)}
        read |= nest.body.gathered_roots
        written = [access.root for access in nest.outputs]
        for index, access in enumerate(nest.outputs):
            root = access.root
            fill = pending.get(root)
            if fill is None or root in read or written.count(root) > 1 or not _covers_buffer(access, nest):
                continue
            del pending[root]
            if nest.body.reads_output[index]:
                inits[index] = cast(SSAValue, fill.nest.inputs[0])
        borders: list[Border] = []
        for root in (*read, *written):
            if root in pending:
                fill = pending.pop(root)
                around = None if rows or root in read else _borders(fill, nest, root)
                if around is None:
                    result.append(fill)
                else:
                    borders += around
        result.append(GroupedOp(each.op, replace(nest, inits=tuple(inits)), borders))
    return [*result, *pending.values()]


def _borders(fill: GroupedOp, nest: Nest, root: SSAValue) -> list[Border] | None:
    """What is left of `fill` when `nest` stores to a box of the buffer `root`."""
    outputs = [index for index, access in enumerate(nest.outputs) if access.root is root]
    if len(outputs) != 1 or nest.body.reads_output[outputs[0]]:
        return None
    return border_fills(fill.nest, nest, nest.outputs[outputs[0]])


def _covers_buffer(access: Access, nest: Nest) -> bool:
    """Whether the nest stores every element of the buffer behind `access`."""
    buffer = cast(MemRefType, access.root.type).get_shape()
    shape = access.type.get_shape()
    if access.indices is None or prod(buffer) != prod(shape):
        return False
    seen: set[int] = set()
    for index, size in zip(access.indices, shape, strict=True):
        if size == 1 and not index.terms:
            continue
        dims = index.dims()
        if len(dims) != 1 or index != dimension(next(iter(dims))) or dims & seen:
            return False
        if nest.extents[next(iter(dims))] != size:
            return False
        seen |= dims
    return True


# Rows


def agree_on_rows(nests: list[Nest], rows: int) -> bool:
    """Whether the nests can share their first `rows` loops: parallel, of equal extents, and none accesses
    what another wrote at a different row.
    """
    extents = nests[0].extents[:rows]
    accesses: dict[SSAValue, list[Access]] = {}
    written: set[SSAValue] = set()
    for nest in nests:
        if len(nest.extents) < rows or nest.extents[:rows] != extents or any(nest.reduction[:rows]):
            return False
        written |= {access.root for access in nest.outputs}
        for access in nest.accesses:
            accesses.setdefault(access.root, []).append(access)
    if any(nest.body.gathered_roots & written for nest in nests):
        return False
    return all(
        _is_row_indexed(access, extents) for root in written if len(accesses[root]) > 1 for access in accesses[root]
    )


def rows_pay(nests: list[Nest], rows: int, target: Target) -> bool:
    """Whether loops over rows outside leave good loops inside. They do not where the rows are what is contiguous, as
    in statistics per channel with channels last; then each nest is better off with loops of its own.
    """
    inside = total_cost([replace(nest, rows=rows) for nest in nests], target)
    return inside <= cost_model.ROW_COST_RATIO * total_cost(nests, target)


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


def _private_buffers(nests: list[Nest], users: set[Operation], extents: tuple[int, ...]) -> list[SSAValue]:
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


def _lower_rows(
    state: FunctionState,
    nests: list[Nest],
    private: list[SSAValue],
    rows: int,
    cursor: Cursor,
    lowering: Lowering,
) -> None:
    """One nest of `rows` loops around all nests, at `cursor`."""
    extents = nests[0].extents[:rows]
    nests = [replace(nest, rows=rows) for nest in nests]
    loops = [row for row in range(rows) if extents[row] != 1]
    marked = 0
    if is_worth_threads(nests, lowering.threads, prod(extents)):
        marked = cost_model.parallel_loops([extents[row] for row in loops], lowering.threads)
    env: Environment = [0] * rows
    bodies: list[Block] = []
    grouped = [loops[:marked]] if marked else []
    for loop in [*grouped, *([row] for row in loops[marked:])]:
        body = Block(arg_types=[INDEX] * len(loop))
        for row, arg in zip(loop, body.args, strict=True):
            env[row] = arg
        bodies.append(body)
    outside = state.scratch
    if marked:
        state.scratch = Cursor(bodies[0])
    buffers = _shrink(state, private, rows)
    state.known.clear()
    inside = Cursor(bodies[-1]) if bodies else cursor
    for nest in nests:
        for scheduled in schedule(_rebase(nest, buffers, rows), lowering.target):
            emit_nest(state, scheduled, env, inside)
    state.scratch = outside
    for position in reversed(range(len(bodies))):
        body = bodies[position]
        append(body, new_op(affine.YieldOp))
        if marked and position == 0:
            loop_op = parallel_loop([extents[row] for row in loops[:marked]], body)
        else:
            loop_op = for_loop(extents[loops[position + max(marked - 1, 0)]], body)
        (Cursor(bodies[position - 1]) if position else cursor).add(loop_op)


def _shrink(state: FunctionState, private: list[SSAValue], rows: int) -> dict[SSAValue, SSAValue]:
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
        op_type = memref.AllocaOp if held <= cost_model.ROW_SCRATCH_BYTES else memref.AllocOp
        op = scratch_buffer(op_type, type)
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

    return replace(
        nest,
        inputs=tuple(moved(a) if isinstance(a, Access) else a for a in nest.inputs),
        outputs=tuple(map(moved, nest.outputs)),
    )
