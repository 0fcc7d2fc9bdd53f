"""A selection (`selection.py`) that holds its elements in a heap, the last of them in order at its root.

    for row:
      heap = x[row][0 .. k], as a heap
      for block of x[row][k ..]: ...
        heap[0] = element; sift it down
      sort heap

Knuth, "The Art of Computer Programming", volume 3, 5.2.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from .arithmetic import compare_int, select
from .builder import Index
from .selection import Selection, State


class HeapSelection(Selection):
    """The first elements of every row, any number of them."""

    @property
    def capacity(self) -> int:
        return self.count

    @property
    def entered(self) -> int:
        return self.count

    def start(self, row: Sequence[Index], held: State) -> State:
        ctx = self.ctx

        def order(step: SSAValue, heap: State) -> State:
            position = ctx.as_index(ctx.subtract(self.count // 2 - 1, step))
            return self._sift(heap, position, self.get(heap, position), self.count)

        heap = ctx.loop(0, self.count, held, lambda k, heap: self.put(heap, k, self.entry(row, k)))
        return ctx.loop(0, self.count // 2, heap, order) if self.count > 1 else heap

    def replace_last(self, held: State, entry: State) -> State:
        return self._sift(held, self.ctx.index(0), entry, self.count)

    def finish(self, held: State) -> State:
        ctx = self.ctx

        def sort(step: SSAValue, heap: State) -> State:
            last = ctx.as_index(ctx.subtract(self.count - 1, step))
            displaced = self.get(heap, last)
            heap = self.put(heap, last, self.get(heap, 0))
            return self._sift(heap, ctx.index(0), displaced, last)

        return ctx.loop(0, self.count - 1, held, sort) if self.count > 1 else held

    def position(self, k: SSAValue) -> SSAValue:
        return k

    def _sift(self, heap: State, position: SSAValue, held: State, size: Index) -> State:
        """Put the entry `held` at `position` or below, where later entries are: in a heap of `size` entries.

        As many steps as a heap of `count` has levels, without branches: an entry that is where it belongs stays there.
        """
        ctx = self.ctx
        levels = self.count.bit_length() - 1
        last = ctx.subtract(size, 1)

        def step(_: SSAValue, state: State) -> State:
            position, *heap = state
            left = ctx.as_index(ctx.add(ctx.multiply(position, 2), 1))
            children = [ctx.as_index(ctx.minimum(child, last)) for child in (left, ctx.add(left, 1))]
            first, second = (self.get(heap, child) for child in children)
            second_is_later = self.precedes(first, second)
            child = select(ctx, second_is_later, children[1], children[0])
            later = [select(ctx, second_is_later, b, a) for a, b in zip(first, second, strict=True)]
            is_inside = compare_int(ctx, "slt", left, ctx.as_index(size))
            moves = ctx.scalar(arith.AndIOp, (is_inside, self.precedes(held, later)), i1)
            heap = self.put(heap, position, [select(ctx, moves, a, b) for a, b in zip(later, held, strict=True)])
            return (select(ctx, moves, child, position), *heap)

        if levels:
            position, *heap = ctx.loop(0, levels, (position, *heap), step)
        return self.put(heap, position, held)
