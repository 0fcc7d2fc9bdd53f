"""A kernel that is one scan, and its schedule: loops over lines, and the one along them.

for i = 0 to 64 by 4 {
  for k = 0 to 1024 by 16 {
    chain k1 = 0 to 16 {
      unroll l = 0 to 4 {
        compute scan at (i + l, k + k1)
      }
    }
  }
}

The index of the dimension of the scan counts in its direction. What lines carry on is in registers if all loops over
lines inside of the first loop along them are unrolled, else in a buffer with a place for each of their trips.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, MemRefType
from xdsl.ir import Attribute

from ...decisions.model import CostModel
from ...dialects.linalg_ext import ScanOp
from ...dialects.schedule.tree import (
    CHAIN,
    FOR,
    PARALLEL,
    TILE,
    TRANSPOSE,
    VECTOR,
    Compute,
    Index,
    Loop,
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
from .loops import check_vector, most_trips, only_compute

NAME = "scan"
"""What schedules call the op."""


def shape_of(op: ScanOp) -> tuple[int, ...]:
    """The sizes of the dimensions."""
    return cast("MemRefType[Attribute]", op.input.type).get_shape()


def is_sum(op: ScanOp) -> bool:
    """Whether it adds up floats in their own type, so that chains of additions may be added up."""
    first = op.combiner.block.first_op
    if not isinstance(first, arith.AddfOp) or not isinstance(op.total_type, Float32Type | Float64Type):
        return False
    element = cast("MemRefType[Attribute]", op.input.type).element_type
    arguments = op.combiner.block.args
    last = op.combiner.block.last_op
    assert last is not None
    return (
        element == op.total_type
        and {first.lhs, first.rhs} == set(arguments)
        and first.next_op is last
        and last.operands[0] is first.result
    )


def terms_of_scan(op: ScanOp) -> int:
    """How many terms its sums have that may be added in any order, 0 if there is none."""
    return shape_of(op)[op.dim] if is_sum(op) else 0


@dataclass(frozen=True)
class ScanPlan:
    """What a schedule says of a scan: its loops from the outside in, with their ranges one by one."""

    loops: tuple[tuple[Loop, Range], ...]
    at: tuple[Index, ...]
    along: frozenset[str]
    """The variables of the loops along lines."""
    copies: int = 1
    """How many additions of a chain are written one behind the other."""

    @property
    def first(self) -> int:
        """The number of the first loop along lines; behind the last one if there is none."""
        return next((n for n, (_, range) in enumerate(self.loops) if range.name in self.along), len(self.loops))

    @property
    def chain(self) -> int | None:
        """The number of the loop that is a chain."""
        return next((n for n, (loop, _) in enumerate(self.loops) if loop.kind == CHAIN), None)

    def lines_inside(self, number: int) -> list[tuple[Loop, Range]]:
        """The loops over lines from the loop `number` on."""
        return [each for each in self.loops[number:] if each[1].name not in self.along]

    def most_trips(self, range: Range) -> int:
        """How many trips a loop has at most."""
        return most_trips(range, [other for _, other in self.loops])


def decide_scan(op: ScanOp, model: CostModel, threads: int = 1) -> Tree:
    """The schedule that is chosen for a scan."""
    shape, sums = shape_of(op), model.sums
    inner = prod(shape[op.dim + 1 :])
    chain = sums.scan_chain_of_rows if inner > 1 else sums.scan_chain
    return tree_of_scan(op, chain if is_sum(op) and shape[op.dim] > chain else 0, model, threads)


def tree_of_scan(op: ScanOp, chain: int, model: CostModel, threads: int) -> Tree:
    """Loops over the dimensions as they stand, with chains of so many additions, or none (0); lines on `threads`."""
    shape, dim = shape_of(op), op.dim
    names = [f"{'ij'[d > dim]}{(d - dim - 1 if d > dim else d) or ''}" for d in range(len(shape))]
    at = [variable(name) * (size > 1) for name, size in zip(names, shape, strict=True)]
    outer, inner = (
        tuple(counted(names[d], shape[d]) for d in dims if shape[d] > 1)
        for dims in (range(dim), range(dim + 1, len(shape)))
    )
    size = shape[dim]
    at[dim] = variable("k") * (size > 1)
    parallel: tuple[Range, ...] = ()
    of_rows = any(each > 1 for each in shape[dim + 1 :])
    nanoseconds = model.sums.scan_time(prod(shape), len(op.combiner.block.ops) - 1, of_rows)
    if model.parallelism.worth_threads_for(nanoseconds, threads):
        count = model.parallelism.parallel_loops([range.end for range in outer], threads)
        parallel, outer = outer[:count], outer[count:]
    along = [(FOR, (counted("k", size),) if size > 1 else ())]
    if chain:
        block = counted("k1", chain)
        if size % chain:
            block = Range("k1", variable("k"), (variable("k") + Index((), chain), Index((), size)))
        along = [(FOR, (counted("k", size, chain),)), (CHAIN, (block,))]
        at[dim] = variable("k1") if size % chain else variable("k") + variable("k1")
    node: Node = Compute(NAME, tuple(at))
    for kind, ranges in reversed([(PARALLEL, parallel), (FOR, outer), *along, (FOR, inner)]):
        node = Loop(kind, ranges, (node,)) if ranges else node
    return Tree((node,), checked=True)


def scans_beside(tree: Tree, op: ScanOp, model: CostModel, threads: int) -> Iterator[tuple[str, Tree]]:
    """The loops that a scan has at first, with chains of other lengths, each with what is different."""
    sums = model.sums
    lengths = {n * factor for n in (sums.scan_chain, sums.scan_chain_of_rows) for factor in (1, 2, 4)}
    for length in sorted(lengths) if is_sum(op) else ():
        if length < shape_of(op)[op.dim]:
            yield f"chain of {length}", tree_of_scan(op, length, model, threads)


def facts_of(op: ScanOp) -> Facts:
    """What every schedule of a scan has to respect: lines go on from element to element."""
    shape = shape_of(op)
    lines = [dim for dim in range(len(shape)) if dim != op.dim]
    indices = tuple(AffineSum({dim: 1}) for dim in lines)
    flat = AffineSum({dim: prod(shape[other] for other in lines if other > dim) for dim in lines})
    totals = Touch("totals", indices, flat, True, tuple(shape[dim] for dim in lines))
    along = tuple(dim == op.dim for dim in range(len(shape)))
    return Facts(NAME, shape, along, (totals,), in_order=True, in_chains=True)


def plan_of_scan(tree: Tree, op: ScanOp, model: CostModel) -> ScanPlan:
    """What a schedule says. Raises `ScheduleError`."""
    if not tree.checked:
        check(tree, [facts_of(op)], {})
    compute, loops = only_compute(tree, NAME)
    flat = tuple((loop, range) for loop in loops for range in loop.ranges)
    along = set(compute.at[op.dim].loops())
    along |= {name for _, range in flat if range.name in along for name in range.start.loops()}
    plan = ScanPlan(flat, compute.at, frozenset(along), model.sums.scan_copies)
    chains = [loop for loop in loops if loop.kind == CHAIN]
    for loop in loops:
        walks = [range.name in along for range in loop.ranges]
        if loop.kind in (TILE, TRANSPOSE):
            refuse(loop, "there is no such loop around a scan")
        if loop.kind == CHAIN:
            _check_chain(loop, op, all(walks), len(chains))
        if loop.kind == PARALLEL and any(walks):
            refuse(loop, "every element of a line needs the one before it")
        if loop.kind == VECTOR:
            if any(walks):
                refuse(loop, "elements of a vector are of several lines")
            check_vector(loop, compute.at[-1])
    return plan


def _check_chain(loop: Loop, op: ScanOp, is_along: bool, chains: int) -> None:
    if not is_sum(op):
        refuse(loop, "only sums of f32 or f64 are formed in chains")
    if not is_along or chains > 1 or len(loop.ranges) > 1:
        refuse(loop, "there is one chain, a loop along lines")
    if loop.element:
        refuse(loop, "a scan carries its sums in their own type")
