"""What is decided for the ops of a kernel: its schedule.

With `rows = p > 0` the first `p` dimensions of every op become loops around all of them, where that is better
(`shared_rows`); otherwise each op has loops of its own. With `rows = 0` ops over the same points are fused as well:
sums of all elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.records import changed
from ...dialects.schedule.tree import Tree
from .borders import Border, share_loops
from .fills import GroupedOp, fold_fills
from .fusion import fuse_nests
from .kernel_ops import KernelOps
from .nest import Nest
from .row_fetches import fetching_rows
from .schedule import needs_two_loops, schedule
from .shared_rows import agree_on_rows, are_better_apart, in_rows, private_buffers, share_rows_well
from .trees import tree_of


def decide(kernel: KernelOps, rows: int | None, model: CostModel, threads: int) -> Tree:
    """The schedule of a kernel."""
    return fetching_rows(_loops_of(kernel, rows, model, threads), kernel, model)


def _loops_of(kernel: KernelOps, rows: int | None, model: CostModel, threads: int) -> Tree:
    # An empty nest stores nothing, or adds nothing to what is there.
    grouped = [GroupedOp(nest, name in kernel.fills) for name, nest in kernel.nests.items() if 0 not in nest.extents]
    group = fold_fills(grouped, rows or 0, model)
    nests = [each.nest for each in group]
    in_order = [part for each in group for part in (*(border.fill for border in each.borders), each.nest)]
    users: set[Operation] = set(kernel.ops.values())
    starts, handed_on = _starts(kernel, nests), list[SSAValue]()
    if rows and len(group) > 1 and agree_on_rows(in_order, rows):
        private = private_buffers(in_order, users, nests[0].extents[:rows])
        nests = fused_in_rows(in_order, rows, private, model)
        if share_rows_well(nests, rows, model):
            accessed = {access.root for nest in nests for access in nest.accesses}
            kept = _names(kernel, [root for root in private if root in accessed])
            return tree_of(in_rows(nests, rows, model, threads), kept, starts, ())
        group = [GroupedOp(nest) for nest in nests]
    else:
        fewer = nests
        if rows == 0 and any(nest.trip_count > 1 for nest in nests) and not any(each.borders for each in group):
            fewer = fuse_nests(nests, set(), model)
        if len(fewer) == len(nests):
            handed_on = [root for root in private_buffers(nests, users, ()) if prod(_shape(root)) == 1]
        else:
            group = [GroupedOp(nest) for nest in fewer]
    scheduled = [part for each in group for part in _with_borders(each.nest, each.borders, model, threads)]
    return tree_of(scheduled, (), starts, _names(kernel, handed_on))


def fused_in_rows(nests: list[Nest], rows: int, private: list[SSAValue], model: CostModel) -> list[Nest]:
    """The nests with those over the same points fused; as they are where a reduction would take the tiles or the
    unrolled loop of another one away, and without what is better in loops through several of the `rows`.
    """
    fused = fuse_nests(nests, set(private), model, lambda first, second: are_better_apart(first, second, rows, model))
    if len(fused) > 1 or not any(fused[0].reduction):
        return fused
    return nests if any(needs_two_loops(nest, model) for nest in nests if not any(nest.reduction)) else fused


def _with_borders(nest: Nest, borders: Sequence[Border], model: CostModel, threads: int) -> list[Nest]:
    """The nests that do the work of `nest` and fill the borders around what it writes."""
    scheduled = schedule(nest, model, threads)
    apart = [border.fill for border in borders]
    if borders and len(scheduled) == 1 and len(scheduled[0].outputs) == len(nest.outputs):
        (host,) = scheduled
        inside, apart = share_loops(borders, host)
        before = [part for fill in inside for part in schedule(fill, model)]
        scheduled = [changed(host, before=(*host.before, *before))]
    return [*(part for fill in apart for part in schedule(fill, model, threads)), *scheduled]


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
    """The names of the buffers `roots`, without those that nobody writes."""
    names = {root: name for name, root in kernel.private.items()}
    return [names[root] for root in roots if root in names]


def _shape(root: SSAValue) -> tuple[int, ...]:
    return cast(MemRefType, root.type).get_shape()
