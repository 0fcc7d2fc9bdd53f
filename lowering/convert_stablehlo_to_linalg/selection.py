"""`sort` of which only the first elements of each row are read, as in top_k: a selection instead of a sort.

A heap holds the first `k` elements of what has been seen of a row, the last of them in order at its root. An element
that does not come before the root is passed over, which a loop over a block of elements finds out for all of them:

    for row:
      heap = x[row][0 .. k], as a heap
      for block of x[row][k ..]:
        if any element of block comes before heap[0]:
          for element of block that comes before heap[0]:
            heap[0] = element; sift it down
      sort heap; result[row] = the elements at its places

A heap entry is a key and the place of its element in the row, which decides between equal keys: what is selected is
what a stable sort has in front. A key of up to 32 bits is in one word with the place. Of n elements in random order
k (1 + ln(n / k)) get into the heap. Knuth, "The Art of Computer Programming", volume 3, 5.2.3.

An operand that counts the elements of a row is not read: its elements are their places.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1, i64
from xdsl.ir import SSAValue

from ...cost_model import SELECTION_BLOCK
from ...dialects import stablehlo
from .attributes import INDEX, counts_along, element_of, ints, shape_of
from .builder import Index, Lowered, Lowering
from .regions import inline
from .scalars import compare_int, select
from .sort_keys import SortKey

State = Sequence[SSAValue]

_PLACE_BITS = 32
"""Of a heap entry of one word: rows are not longer."""


def elements_read(op: stablehlo.SortOp, dim: int) -> int:
    """How many elements of each row, counted from the first, slices read of the results of `op`; all, if others do."""
    read = 0
    for result in op.results:
        for use in result.uses:
            if not isinstance(use.operation, stablehlo.SliceOp):
                return shape_of(result)[dim]
            read = max(read, ints(use.operation.limit_indices)[dim])
    return read


class Selection:
    """The first `count` elements of every row of `operands`, which are as long as a sort of `shape` along `dim`."""

    def __init__(
        self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int, key: SortKey, count: int
    ) -> None:
        self.ctx, self.op, self.key = ctx, op, key
        self.shape, self.dim, self.count = shape, dim, count
        self.size = shape[dim]
        self.counts = [counts_along(value, dim) for value in op.inputs]
        self.operands = [ctx.tensor(value) for value in op.inputs]
        self.is_packed = key.bits + _PLACE_BITS <= 64 and self.size <= 1 << _PLACE_BITS

    def lower(self) -> Sequence[Lowered]:
        """The results, with `count` elements along `dim`."""
        ctx = self.ctx
        selected = [self.count if d == self.dim else size for d, size in enumerate(self.shape)]
        results = [ctx.empty(TensorType(element_of(operand), selected)) for operand in self.operands]
        heap = [ctx.empty(TensorType(i64, (self.count,))) for _ in range(1 if self.is_packed else 2)]
        rows = [(0, size) for d, size in enumerate(self.shape) if d != self.dim]
        return ctx.kernel_loops(rows, (*results, *heap), self._row)[: len(results)]

    def _row(self, row: Sequence[Index], state: State) -> State:
        ctx, size = self.ctx, self.size
        results, heap = state[: len(self.operands)], state[len(self.operands) :]
        blocks = -(-(size - self.count) // SELECTION_BLOCK)

        def enter(k: SSAValue, heap: State) -> State:
            return self._put(heap, k, self._entry(row, k))

        def order(step: SSAValue, heap: State) -> State:
            position = ctx.as_index(ctx.subtract(self.count // 2 - 1, step))
            return self._sift(heap, position, self._get(heap, position), self.count)

        def block(number: SSAValue, heap: State) -> State:
            begin = ctx.add(ctx.multiply(number, SELECTION_BLOCK), self.count)
            return self._scan(row, begin, ctx.minimum(ctx.add(begin, SELECTION_BLOCK), size), heap)

        def sort(step: SSAValue, heap: State) -> State:
            last = ctx.as_index(ctx.subtract(self.count - 1, step))
            held = self._get(heap, last)
            heap = self._put(heap, last, self._get(heap, 0))
            return self._sift(heap, ctx.index(0), held, last)

        def write(k: SSAValue, results: State) -> State:
            place = self._place(self._get(heap, k))
            return [
                ctx.insert(e, r, self._at(row, k)) for e, r in zip(self._elements(row, place), results, strict=True)
            ]

        heap = ctx.loop(0, self.count, heap, enter)
        if self.count > 1:
            heap = ctx.loop(0, self.count // 2, heap, order)
        heap = ctx.loop(0, blocks, heap, block)
        if self.count > 1:
            heap = ctx.loop(0, self.count - 1, heap, sort)
        return (*ctx.loop(0, self.count, results, write), *heap)

    def _scan(self, row: Sequence[Index], begin: Index, end: Index, heap: State) -> State:
        """Take the elements of `begin .. end` that come before the root."""
        ctx = self.ctx

        def precedes_root(k: SSAValue, heap: State) -> SSAValue:
            place = self._place(self._get(heap, ctx.index(0)))
            pairs = zip(self._elements(row, k), self._elements(row, place), strict=True)
            return inline(ctx, self.op.comparator, [element for pair in pairs for element in pair])[0]

        def any_so_far(k: SSAValue, found: State) -> State:
            return (ctx.scalar(arith.OrIOp, (found[0], precedes_root(k, heap)), i1),)

        def take(k: SSAValue, heap: State) -> State:
            root = ctx.index(0)
            entry = self._entry(row, k)

            def replace_root() -> State:
                return self._sift(heap, root, entry, self.count)

            precedes = self._precedes(entry, self._get(heap, root))
            return ctx.when(precedes, [value.type for value in heap], replace_root, lambda: heap)

        (found,) = ctx.loop(begin, end, (ctx.constant(i1, 0),), any_so_far)
        return ctx.when(found, [value.type for value in heap], lambda: ctx.loop(begin, end, heap, take), lambda: heap)

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
            first, second = (self._get(heap, child) for child in children)
            second_is_later = self._precedes(first, second)
            child = select(ctx, second_is_later, children[1], children[0])
            later = [select(ctx, second_is_later, b, a) for a, b in zip(first, second, strict=True)]
            is_inside = compare_int(ctx, "slt", left, ctx.as_index(size))
            moves = ctx.scalar(arith.AndIOp, (is_inside, self._precedes(held, later)), i1)
            heap = self._put(heap, position, [select(ctx, moves, a, b) for a, b in zip(later, held, strict=True)])
            return (select(ctx, moves, child, position), *heap)

        if levels:
            position, *heap = ctx.loop(0, levels, (position, *heap), step)
        return self._put(heap, position, held)

    def _precedes(self, a: State, b: State) -> SSAValue:
        """Whether entry `a` comes before entry `b`."""
        ctx = self.ctx
        if self.is_packed:
            return compare_int(ctx, "ult", a[0], b[0])
        less, equal = (compare_int(ctx, name, a[0], b[0]) for name in ("ult", "eq"))
        earlier = compare_int(ctx, "slt", a[1], b[1])
        return ctx.scalar(arith.OrIOp, (less, ctx.scalar(arith.AndIOp, (equal, earlier), i1)), i1)

    def _entry(self, row: Sequence[Index], k: SSAValue) -> State:
        """Key and place of element `k`."""
        ctx = self.ctx
        key, place = self.key.emit(ctx, self._elements(row, k)), ctx.scalar(arith.IndexCastOp, (k,), i64)
        if not self.is_packed:
            return key, place
        key = ctx.scalar(arith.ShLIOp, (key, ctx.constant(i64, _PLACE_BITS)), i64)
        return (ctx.scalar(arith.OrIOp, (key, place), i64),)

    def _place(self, entry: State) -> SSAValue:
        """The place in `entry`, as an index."""
        ctx = self.ctx
        place = entry[-1]
        if self.is_packed:
            place = ctx.scalar(arith.AndIOp, (place, ctx.constant(i64, (1 << _PLACE_BITS) - 1)), i64)
        return ctx.scalar(arith.IndexCastOp, (place,), INDEX)

    def _elements(self, row: Sequence[Index], k: SSAValue) -> State:
        ctx = self.ctx
        return [
            ctx.scalar(arith.IndexCastOp, (k,), element_of(operand))
            if counts
            else ctx.extract(operand, self._at(row, k))
            for operand, counts in zip(self.operands, self.counts, strict=True)
        ]

    def _at(self, row: Sequence[Index], k: Index) -> Sequence[Index]:
        return [*row[: self.dim], k, *row[self.dim :]]

    def _get(self, heap: State, position: Index) -> State:
        return [self.ctx.extract(tensor, (position,)) for tensor in heap]

    def _put(self, heap: State, position: Index, entry: State) -> State:
        return [self.ctx.insert(value, tensor, (position,)) for value, tensor in zip(entry, heap, strict=True)]
