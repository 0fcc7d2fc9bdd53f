"""Loops that go through a row, and write none, ask for the next one meanwhile.

A softmax or a normalisation reads a row from memory once, and then from the cache. While it computes with what is in
the cache nothing comes from memory: the hardware looks ahead of reads to neighbours, up to the end of a page. So the
second loop through a row asks for the same places of the row behind it:

    for i = 0 to 4096 {
      for j = 0 to 1024 { compute addf at (i, j) }
      for j = 0 to 1024 { fetch addf.in0 at (i + 1, j) compute exp at (i, j) }

That loop is the second one with the trips of the first, or the only one, unless it writes a row: what it fetches would
compete with that. Which rows are worth it is `Copies.worth_fetching_next_row`. After Mowry, Lam and Gupta, "Design and
evaluation of a compiler algorithm for prefetching" (1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.ir import BlockArgument

from ...decisions.model import CostModel
from ...dialects.records import changed
from ...dialects.schedule.tree import FOR, PARALLEL, UNROLL, Compute, Fetch, Index, Loop, Tree, variable
from ...ir.affine import AffineSum
from ...ir.schedule_order import Leaf, leaf_of, value_at
from ...properties import cached_property
from .kernel_ops import KernelOps
from .nest import Access, Nest


def fetching_rows(tree: Tree, kernel: KernelOps, model: CostModel) -> Tree:
    """A schedule that was decided, with what is asked for ahead in the loops of a row."""
    found = tree
    for node, around in tree.walk():
        if isinstance(node, Loop) and node.kind in (FOR, PARALLEL):
            loops = [each for each in node.body if isinstance(each, Loop) and each.kind == FOR]
            if loops:
                rows = _Rows(node, (*around, node), kernel)
                second = next((each for each in loops[1:] or loops if rows.may_fetch(loops[0], each)), None)
                fetched = () if second is None else tuple(rows.fetches(loops[0], second, model))
                if second is loops[0] and not rows.is_single(fetched, loops[0], model):
                    continue
                if second is not None and fetched:
                    found = found.replaced(second, (changed(second, body=(*fetched, *second.body)),))
    return changed(found, checked=tree.checked)


def _points(loop: Loop) -> Iterator[tuple[Compute, tuple[Loop, ...]]]:
    """The ops in a loop, and the loops in it whose copies they are."""
    for node in loop.body:
        if isinstance(node, Compute):
            yield node, ()
        elif isinstance(node, Loop) and node.kind == UNROLL:
            yield from ((each, (node,)) for each in node.body if isinstance(each, Compute))


class _Rows:
    """A loop over rows, `loops` is it and those around it."""

    def __init__(self, rows: Loop, loops: tuple[Loop, ...], kernel: KernelOps) -> None:
        self.rows, self.loops, self.kernel = rows, loops, kernel
        self.depth = sum(len(loop.ranges) for loop in loops)

    @cached_property
    def writes_rows(self) -> bool:
        """Whether rows are written at all."""
        return self._writes(self.rows)

    def may_fetch(self, first: Loop, second: Loop) -> bool:
        """Whether `second` goes through the trips of `first`, and writes no row."""
        (one, *more), (other, *others) = first.ranges, second.ranges
        same = (one.start, one.stop, one.step) == (other.start, other.stop, other.step)
        return same and not more and not others and one.trips is not None and not self._writes(second)

    def is_single(self, fetched: Sequence[Fetch], loop: Loop, model: CostModel) -> bool:
        """Whether it is worth it to ask for what is `fetched` in the only loop through a row."""
        if len(fetched) != 1:
            return False
        access = self.kernel.nests[fetched[0].op].inputs[fetched[0].input]
        assert isinstance(access, Access)
        row_bytes = (loop.ranges[0].trips or 0) * access.element_bytes
        size = prod(access.type.get_shape()) * access.element_bytes
        copies = not any(isinstance(node, Compute) for node in loop.body)
        return model.copies.worth_fetching_single_row(row_bytes, size, model.target.l2_bytes, copies)

    def fetches(self, first: Loop, second: Loop, model: CostModel) -> Iterator[Fetch]:
        """What is read of the next row in `first`, asked for in `second`."""
        row, place = self.rows.ranges[-1], first.ranges[0]
        target, known = model.target, set[object]()
        for node, around in _points(first):
            nest = self.kernel.nests.get(node.op)
            large = [] if nest is None else [*self._large(nest, place.trips or 0, model)]
            if nest is None or not large or (around and first is not second):
                continue
            leaf = self._leaf(node, nest, (*self.loops, first, *around))
            copied = {range.name: Index() for loop in around for range in loop.ranges}
            for number, access in large:
                flat = self._flat(leaf, access)
                if flat.stride(self.depth) != 1 or not flat.stride(self.depth - 1) or (access.root, flat) in known:
                    continue
                if any(flat.stride(self.depth + 1 + number) for number in range(len(copied))):
                    continue
                known.add((access.root, flat))
                row_bytes = (place.trips or 0) * access.element_bytes
                size = prod(access.type.get_shape()) * access.element_bytes
                writes = self.writes_rows
                if model.copies.worth_fetching_next_row(row_bytes, size, writes, target.l2_bytes, target.l3_bytes):
                    there = {
                        **copied,
                        row.name: variable(row.name) + Index((), row.step),
                        place.name: variable(second.ranges[0].name),
                    }
                    at = (
                        index.replaced(lambda name, there=there: there.get(name, variable(name))) for index in node.at
                    )
                    yield Fetch(node.op, number, at=tuple(at))

    def _large(self, nest: Nest, trips: int, model: CostModel) -> Iterator[tuple[int, Access]]:
        """Inputs from outside that are worth it if no rows are written, and their numbers."""
        target = model.target
        for number, access in enumerate(nest.inputs):
            if isinstance(access, Access) and isinstance(access.root, BlockArgument):
                size, row = prod(access.type.get_shape()) * access.element_bytes, trips * access.element_bytes
                if model.copies.worth_fetching_next_row(row, size, False, target.l2_bytes, target.l3_bytes):
                    yield number, access

    def _writes(self, loop: Loop) -> bool:
        """Whether rows are written to an argument in it."""
        for node, around in Tree((loop,)).walk():
            nest = self.kernel.nests.get(node.op) if isinstance(node, Compute) else None
            outputs = [each for each in nest.outputs if isinstance(each.root, BlockArgument)] if nest else []
            if isinstance(node, Compute) and nest is not None and outputs:
                outside = self.loops if around[0] is not self.rows else self.loops[:-1]
                leaf = self._leaf(node, nest, (*outside, *around))
                # What copies write side by side is no row.
                kinds = [each.kind for each in leaf.loops for _ in each.ranges]
                inside = [counter for counter in range(self.depth, len(kinds)) if kinds[counter] != UNROLL]
                for output in outputs:
                    flat = self._flat(leaf, output)
                    if any(flat.stride(counter) != 0 for counter in inside):
                        return True
        return False

    def _leaf(self, node: Compute, nest: Nest, loops: tuple[Loop, ...]) -> Leaf:
        return leaf_of(node, loops, 0, nest.extents)

    def _flat(self, leaf: Leaf, access: Access) -> AffineSum:
        return value_at(access.flat, leaf.node.at, leaf.counters, leaf.counts)
