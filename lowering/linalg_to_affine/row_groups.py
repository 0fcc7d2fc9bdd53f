"""Sequences of linalg ops to loops, alone or several in one nest over rows.

Between two barriers (ops that may touch memory in other ways, or that hold regions) the linalg ops of a block form a
group. A fill only scheduled so far waits until its buffer is used: a reduction that starts from it takes the scalar
instead, an op that overwrites it makes it vanish.

With `rows = p > 0` the first `p` dimensions of every op of a group become one nest around all of them (`shared_rows`).
A group whose ops do not agree on their rows falls back to one nest per op. With `rows = 0` ops over the same points are
fused as well: sums of all elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import erase, ops_of
from ...ir.views import VIEWS
from .borders import Border, border_fills, share_loops
from .emit import emit_nest
from .from_linalg import nest_of
from .fusion import fuse_nests
from .kernel_ops import is_neutral
from .loop_builder import Cursor, FunctionState
from .nest import Access, Nest
from .schedule import needs_two_loops, schedule
from .shared_rows import agree_on_rows, lower_rows, private_buffers, share_rows_well


@dataclass
class GroupedOp:
    """One linalg op of a group, its nest and the borders to fill around what it writes."""

    op: LinalgStructuredOperation
    nest: Nest
    borders: Sequence[Border] = ()


def lower_block(state: FunctionState, block: Block, rows: int | None) -> None:
    """Replaces the linalg ops of `block` and of regions inside it by loops. `rows`: `None` where the ops of the block
    are no group.
    """
    group: list[GroupedOp] = []
    erased: list[Operation] = []

    def flush(anchor: Operation | None) -> None:
        if group and anchor is not None:
            _lower_group(state, group, rows, anchor)
            group.clear()
            state.known.clear()

    for op in list(ops_of(block)):
        if op.name.startswith("linalg."):
            assert isinstance(op, LinalgStructuredOperation)
            group.append(GroupedOp(op, nest_of(op, state.model)))
            erased.append(op)
        elif op.regions:
            flush(op)
            for region in op.regions:
                for inner in region.blocks:
                    lower_block(state, inner, None)
        elif group and not is_neutral(op):
            flush(op)
    flush(block.last_op)
    erase_lowered(block, erased)


def erase_lowered(block: Block, ops: Sequence[Operation]) -> None:
    """Erases `ops` of `block`, and buffers and views that nobody uses any more."""
    for op in reversed(ops):
        erase(op)
    if ops:
        for op in reversed(list(ops_of(block))):
            if (type(op) in VIEWS or type(op) is memref.AllocOp) and op.results[0].first_use is None:
                erase(op)


def _lower_group(state: FunctionState, group: list[GroupedOp], rows: int | None, anchor: Operation) -> None:
    model, cursor = state.model, Cursor(cast(Block, anchor.parent), anchor)
    users: set[Operation] = {each.op for each in group}
    # An empty nest stores nothing, or adds nothing to what is there.
    group = fold_fills([each for each in group if 0 not in each.nest.extents], rows or 0, model)
    nests = [each.nest for each in group]
    if rows and len(group) > 1 and agree_on_rows(nests, rows):
        private = private_buffers(nests, users, nests[0].extents[:rows])
        nests = fused_in_rows(nests, private, model)
        if share_rows_well(nests, rows, model):
            accessed = {access.root for nest in nests for access in nest.accesses}
            lower_rows(state, nests, [root for root in private if root in accessed], rows, cursor)
        else:
            for nest in nests:
                _lower_nest(state, nest, cursor)
        return
    if rows == 0 and any(nest.trip_count > 1 for nest in nests) and not any(each.borders for each in group):
        fewer = fuse_nests(nests, set(), model)
        if len(fewer) < len(nests):
            for nest in fewer:
                _lower_nest(state, nest, cursor)
            return
    for root in private_buffers(nests, users, ()):
        if prod(cast(MemRefType, root.type).get_shape()) == 1:
            state.virtual.add(root)
    for each in group:
        _lower_nest(state, each.nest, Cursor(cast(Block, each.op.parent), each.op), each.borders)


def fused_in_rows(nests: list[Nest], private: list[SSAValue], model: CostModel) -> list[Nest]:
    """The nests with those over the same points fused; as they are where a reduction would take the tiles or the
    unrolled loop of another one away.
    """
    fused = fuse_nests(nests, set(private), model)
    if len(fused) > 1 or not any(fused[0].reduction):
        return fused
    return nests if any(needs_two_loops(nest, model) for nest in nests if not any(nest.reduction)) else fused


def _lower_nest(state: FunctionState, nest: Nest, cursor: Cursor, borders: Sequence[Border] = ()) -> None:
    scheduled = schedule(nest, state.model, state.threads)
    apart = [border.fill for border in borders]
    if borders and len(scheduled) == 1 and len(scheduled[0].outputs) == len(nest.outputs):
        (host,) = scheduled
        inside, apart = share_loops(borders, host)
        before = [part for fill in inside for part in schedule(fill, state.model)]
        scheduled = [replace(host, before=(*host.before, *before))]
    for fill in apart:
        _lower_nest(state, fill, cursor)
    for part in scheduled:
        emit_nest(state, part, [], cursor)


# Fills


def fold_fills(group: Iterable[GroupedOp], rows: int, model: CostModel) -> list[GroupedOp]:
    """The group without the fills that an op overwrites or takes as the start of its reduction. Without `rows`, where
    an op overwrites a box of the buffer, what is around it is filled.
    """
    result: list[GroupedOp] = []
    pending: dict[SSAValue, GroupedOp] = {}
    for each in group:
        if isinstance(each.op, FillOp) and _covers_buffer(each.nest.outputs[0], each.nest):
            root = each.nest.outputs[0].root
            pending.pop(root, None)
            pending[root] = each
            continue
        nest = each.nest
        inits = list(nest.inits)
        read = {a.root for a in nest.reads}
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
                around = None if rows or root in read else _borders(fill, nest, root, model)
                if around is None:
                    result.append(fill)
                else:
                    borders += around
        result.append(GroupedOp(each.op, replace(nest, inits=tuple(inits)), borders))
    return [*result, *pending.values()]


def _borders(fill: GroupedOp, nest: Nest, root: SSAValue, model: CostModel) -> list[Border] | None:
    """What is left of `fill` when `nest` stores to a box of the buffer `root`."""
    outputs = [index for index, access in enumerate(nest.outputs) if access.root is root]
    if len(outputs) != 1 or nest.body.reads_output[outputs[0]]:
        return None
    return border_fills(fill.nest, nest, nest.outputs[outputs[0]], model)


def _covers_buffer(access: Access, nest: Nest) -> bool:
    """Whether the nest stores every element of the buffer behind `access`."""
    buffer, shape = (cast(MemRefType, memref.type).get_shape() for memref in (access.root, access.memref))
    return prod(buffer) == prod(shape) and nest.box(access) == [(0, size) for size in shape]
