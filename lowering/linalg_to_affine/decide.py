"""What is decided for the ops of a kernel: its schedule."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.schedule.tree import Tree
from .fusion import fuse_nests
from .kernel_ops import KernelOps
from .nest import Nest
from .row_groups import GroupedOp, fold_fills, fused_in_rows
from .schedule import is_worth_threads, schedule
from .shared_rows import agree_on_rows, around_rows, private_buffers, reduces_rows, share_rows_well
from .trees import NotExpressed, tree_of


def decide(kernel: KernelOps, rows: int | None, model: CostModel, threads: int) -> Tree | None:
    """The schedule of a kernel, None where trees have no words for it yet."""
    if any(0 in nest.extents for nest in kernel.nests.values()):
        return None
    grouped = [GroupedOp(op, kernel.nests[name]) for name, op in kernel.ops.items()]
    group = fold_fills(grouped, rows or 0, model)
    if any(each.borders for each in group):
        return None
    nests = [each.nest for each in group]
    users: set[Operation] = set(kernel.ops.values())
    starts, handed_on = _starts(kernel, nests), list[SSAValue]()
    try:
        if rows and len(group) > 1 and agree_on_rows(nests, rows):
            private = private_buffers(nests, users, nests[0].extents[:rows])
            nests = fused_in_rows(nests, private, model)
            if share_rows_well(nests, rows, model):
                accessed = {access.root for nest in nests for access in nest.accesses}
                kept = _names(kernel, [root for root in private if root in accessed])
                return tree_of([_in_rows(nests, rows, model, threads)], kept, starts, ())
        elif not rows:
            fewer = nests
            if rows == 0 and any(nest.trip_count > 1 for nest in nests):
                fewer = fuse_nests(nests, set(), model)
            if len(fewer) == len(nests):
                handed_on = [root for root in private_buffers(nests, users, ()) if prod(_shape(root)) == 1]
            nests = fewer
        scheduled = [part for nest in nests for part in schedule(nest, model, threads)]
        return tree_of(scheduled, (), starts, _names(kernel, handed_on))
    except NotExpressed:
        return None


def _in_rows(nests: list[Nest], rows: int, model: CostModel, threads: int) -> Nest:
    """The loops over rows around all nests."""
    extents = nests[0].extents[:rows]
    if not is_worth_threads([replace(nest, rows=rows) for nest in nests], threads, model, prod(extents)):
        threads = 1
    if any(any(reduces_rows(nest, rows)) for nest in nests):
        raise NotExpressed
    found = around_rows(nests, rows, {}, model)
    return replace(found, parallel=model.parallelism.parallel_loops(found.extents, threads)) if threads > 1 else found


def _starts(kernel: KernelOps, nests: list[Nest]) -> list[tuple[str, str]]:
    """The ops that start from fills, which nobody stores, and these."""
    computed = {name for nest in nests for name in nest.ops}
    filled: dict[SSAValue, str] = {}
    found: list[tuple[str, str]] = []
    for name, nest in kernel.nests.items():
        if name in kernel.fills:
            filled[nest.outputs[0].root] = name
            continue
        for reads, output in zip(nest.body.reads_output, nest.outputs, strict=True):
            fill = filled.get(output.root)
            if reads and fill is not None and fill not in computed:
                found.append((name, fill))
    return found


def _names(kernel: KernelOps, roots: list[SSAValue]) -> list[str]:
    names = {root: name for name, root in kernel.private.items()}
    if any(root not in names for root in roots):
        raise NotExpressed
    return [names[root] for root in roots]


def _shape(root: SSAValue) -> tuple[int, ...]:
    return cast(MemRefType, root.type).get_shape()
