"""A kernel that is one sort, and its schedule: loops over lines, and how a line is sorted.

parallel i = 0 to 64 {
  compute sort at (i) by radix bits 8
}

The indices are those of the other dimensions. `radix` and `network` take the order from an integer key that the
comparator compares, and so do `list` and `heap`, which find the first elements of lines; `merge` takes any comparator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

from ...decisions.model import CostModel
from ...decisions.sorting import Sorting
from ...dialects.linalg_ext import SortOp
from ...dialects.schedule.tree import (
    FOR,
    PARALLEL,
    UNROLL,
    VECTOR,
    Compute,
    Index,
    Loop,
    Method,
    Node,
    Range,
    Tree,
    counted,
    variable,
)
from ...ir.affine import AffineSum
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import Facts, Touch
from ...ir.schedules import check
from ..convert_stablehlo_to_linalg.builder import Lowering
from .line_sort import LineSort
from .loops import LoopWriter, check_vector, only_compute
from .selection import HeapSelection, ListSelection
from .sort_keys import SortKey, sort_key
from .sorting import MergeSort, Network, RadixSort

NAME = "sort"
"""What schedules call the op."""

KINDS: dict[str, type[LineSort]] = {
    "radix": RadixSort,
    "merge": MergeSort,
    "network": Network,
    "list": ListSelection,
    "heap": HeapSelection,
}
"""What writes the loops of each method."""

_BY_KEY = frozenset(KINDS) - {"merge"}


def lines_of(op: SortOp) -> tuple[int, ...]:
    """The sizes of the dimensions around lines."""
    return (*op.shape[: op.dim], *op.shape[op.dim + 1 :])


def decide_method(op: SortOp, model: Sorting) -> Method:
    """How lines are sorted."""
    key, size, count = sort_key(op.comparator.block), op.shape[op.dim], op.count
    if key is not None:
        if model.worth_a_network(size, count):
            return Method("network")
        digits = model.digits(key.bits)
        if model.worth_selecting(count, size, digits):
            return Method("list" if model.worth_a_sorted_list(count) else "heap", model.selection_block)
        if model.worth_sorting_by_digits(size, digits) and size < 1 << 31:
            return Method("radix", model.digit_bits)
    return Method("merge", model.runs)


def decide_sort(op: SortOp, model: CostModel, threads: int = 1) -> Tree:
    """The schedule that is chosen for a sort."""
    names = [f"i{dim or ''}" for dim in range(len(op.shape) - 1)]
    at = tuple(variable(name) * (size > 1) for name, size in zip(names, lines_of(op), strict=True))
    ranges = tuple(counted(name, size) for name, size in zip(names, lines_of(op), strict=True) if size > 1)
    node: Node = Compute(NAME, at, by=decide_method(op, model.sorting))
    parallel = 0
    if model.parallelism.worth_threads_for(prod(lines_of(op)) * _nanoseconds(op, model.sorting), threads):
        parallel = model.parallelism.parallel_loops([range.end for range in ranges], threads)
    for kind, each in ((FOR, ranges[parallel:]), (PARALLEL, ranges[:parallel])):
        node = Loop(kind, each, (node,)) if each else node
    return Tree((node,), checked=True)


def _nanoseconds(op: SortOp, model: Sorting) -> int:
    """What a line takes."""
    key = sort_key(op.comparator.block)
    return model.nanoseconds(op.shape[op.dim], None if key is None else model.digits(key.bits))


def sorts_beside(tree: Tree, op: SortOp, model: CostModel, threads: int) -> Iterator[tuple[str, Tree]]:
    """The same loops around other ways to sort a line, each with what is different."""
    compute, _ = only_compute(tree, NAME)
    sorting, key = model.sorting, sort_key(op.comparator.block)
    methods = [Method("radix", bits) for bits in sorting.digit_bits_tried]
    methods += [Method("merge", 1 << n) for n in range(sorting.most_runs.bit_length())]
    methods += [Method(name, block) for name in ("list", "heap") for block in sorting.blocks_tried]
    methods.append(Method("network"))
    for method in methods:
        if method != compute.by and why_not(method, op, key, sorting) is None:
            name = f"by {method.name} {method.number or ''}".rstrip()
            yield name, tree.replaced(compute, (replace(compute, by=method),))


def why_not(method: Method, op: SortOp, key: SortKey | None, model: Sorting) -> str | None:
    """What speaks against sorting by a method; None if it can be done."""
    size = op.shape[op.dim]
    if method.name in _BY_KEY and key is None:
        return f"'{method.name}' is for comparators that compare one integer key of both sides"
    if method.name == "radix" and (method.number > model.most_digit_bits or size >= 1 << 31):
        return f"digits have {model.most_digit_bits} bits at most, and lines less than 2^31 elements"
    if method.name == "merge":
        runs = method.number
        if runs & (runs - 1) or runs > model.most_runs or (runs - 1) * -(-size // runs) >= size:
            return f"the runs are a power of two, {model.most_runs} at most, and each has elements of the {size}"
    if method.name == "network" and size > model.most_network_elements:
        return f"a network has {model.most_network_elements} elements at most, not {size}"
    if method.name in ("list", "heap") and op.count == size:
        return f"'{method.name}' finds the first elements of lines; all are wanted"
    return None


@dataclass(frozen=True)
class SortPlan:
    """What a schedule says of a sort: its loops from the outside in, with their ranges one by one."""

    loops: tuple[tuple[Loop, Range], ...]
    at: tuple[Index, ...]
    method: Method


def facts_of(op: SortOp) -> Facts:
    """What every schedule of a sort has to respect."""
    lines = lines_of(op)
    indices = tuple(AffineSum({dim: 1}) for dim in range(len(lines)))
    flat = AffineSum({dim: prod(lines[dim + 1 :]) for dim in range(len(lines))})
    written = Touch("lines", indices, flat, True, lines)
    return Facts(NAME, lines, (False,) * len(lines), (written,), has_methods=True)


def plan_of_sort(tree: Tree, op: SortOp, model: CostModel) -> SortPlan:
    """What a schedule says. Raises `ScheduleError`."""
    if not tree.checked:
        check(tree, [facts_of(op)], {})
    compute, loops = only_compute(tree, NAME)
    method = compute.by
    if method is None:
        refuse(compute, "it does not say how lines are sorted, such as 'by merge runs 2'")
    if (reason := why_not(method, op, sort_key(op.comparator.block), model.sorting)) is not None:
        refuse(compute, reason)
    for loop in loops:
        if loop.kind not in (FOR, PARALLEL) and (loop.kind not in (UNROLL, VECTOR) or method.name != "network"):
            refuse(loop, "there are no such loops around lines, but for unrolled ones and vectors around networks")
        if loop.kind == VECTOR and op.dim == len(op.shape) - 1:
            refuse(loop, "elements of a vector are neighbours in memory, and so are those of lines")
        if loop.kind == VECTOR:
            check_vector(loop, compute.at[-1])
    return SortPlan(tuple((loop, range) for loop in loops for range in loop.ranges), compute.at, method)


class SortLoops:
    """The loops of one sort, on memrefs."""

    def __init__(self, ctx: Lowering, op: SortOp, plan: SortPlan) -> None:
        self.plan, self.loops = plan, LoopWriter(ctx)
        self.lines = KINDS[plan.method.name](ctx, op, plan.method.number)
        around = [number for number, (loop, _) in enumerate(plan.loops) if loop.kind == PARALLEL]
        self.allocated_at = around[-1] + 1 if around else 0

    def write(self) -> None:
        """All loops."""
        self._level(0)

    def _level(self, number: int) -> None:
        """The loops from this number on."""
        if number == self.allocated_at:
            self.lines.allocate()
        if number == len(self.plan.loops):
            self.lines.sort_line([self.loops.value(index) for index in self.plan.at])
            return
        loop, each = self.plan.loops[number]
        if loop.kind == PARALLEL:
            self.loops.parallel(loop, lambda: self._level(number + len(loop.ranges)))
        else:
            self.loops.run(loop, each, lambda: self._level(number + 1), self.lines.results)
