"""`sort` of which only the first elements of each row are read, as in top_k: a selection instead of a sort.

The first `k` elements of what has been seen of a row are held, the last of them in order where it is found at once. An
element that does not come before that one is passed over, which a loop over a block of elements finds out for all of
them:

    for row:
      held = nothing, or the first elements of the row
      for block of what is left of x[row]:
        if held is not full, or any element of block comes before the last one held:
          for element of block that comes before the last one held:
            replace that by element
      result[row] = the elements held, in order

Few elements are held in a sorted list (`selection_list.py`), many in a heap (`selection_heap.py`), each as a key and
the place of the element in the row, which decides between equal keys: what is selected is what a stable sort has in
front. A key of up to 32 bits is in one word with the place. Of n elements in random order k (1 + ln(n / k)) get held.

An operand that counts the elements of a row is not read: its elements are their places.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1, i64
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from .arithmetic import Number, compare_int
from .attributes import INDEX, counts_along, element_of, ints, shape_of
from .builder import Index, Lowered, Lowering
from .regions import inline
from .sort_keys import SortKey

State = Sequence[SSAValue]
"""Tensors: keys with places, or keys and places; or an entry of them."""

_PLACE_BITS = 32
"""Of an entry of one word: rows are shorter than that can count."""


def elements_read(op: stablehlo.SortOp, dim: int) -> int:
    """How many elements of each row, counted from the first, slices read of the results of `op`; all, if others do."""
    read = 0
    for result in op.results:
        for use in result.uses:
            if not isinstance(use.operation, stablehlo.SliceOp):
                return shape_of(result)[dim]
            read = max(read, ints(use.operation.limit_indices)[dim])
    return read


class Selection(ABC):
    """The first `count` elements of every row of `operands`, which are as long as a sort of `shape` along `dim`."""

    def __init__(
        self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int, key: SortKey, count: int
    ) -> None:
        self.ctx, self.op, self.key = ctx, op, key
        self.shape, self.dim, self.count = shape, dim, count
        self.size = shape[dim]
        self.counts = [counts_along(value, dim) for value in op.inputs]
        self.operands = [ctx.tensor(value) for value in op.inputs]
        self.is_packed = key.bits + _PLACE_BITS <= 64 and self.size < 1 << _PLACE_BITS

    def lower(self) -> Sequence[Lowered]:
        """The results, with `count` elements along `dim`."""
        ctx = self.ctx
        selected = [self.count if d == self.dim else size for d, size in enumerate(self.shape)]
        results = [ctx.empty(TensorType(element_of(operand), selected)) for operand in self.operands]
        held = [ctx.empty(TensorType(i64, (self.capacity,))) for _ in range(1 if self.is_packed else 2)]
        rows = [(0, size) for d, size in enumerate(self.shape) if d != self.dim]
        return ctx.kernel_loops(rows, (*results, *held), self._row)[: len(results)]

    @property
    @abstractmethod
    def capacity(self) -> int:
        """How many entries the memory of what is held has."""

    @property
    @abstractmethod
    def entered(self) -> int:
        """How many elements of a row are held when its blocks begin."""

    @abstractmethod
    def start(self, row: Sequence[Index], held: State) -> State:
        """What is held before the blocks of a row."""

    @abstractmethod
    def replace_last(self, held: State, entry: State) -> State:
        """`entry`, which comes before the last one held, instead of that, which is at 0."""

    @abstractmethod
    def finish(self, held: State) -> State:
        """What is held of a whole row, ready to be taken out."""

    @abstractmethod
    def position(self, k: SSAValue) -> SSAValue:
        """Where the element `k` of the results then is."""

    def _row(self, row: Sequence[Index], state: State) -> State:
        ctx, size = self.ctx, self.size
        results, held = state[: len(self.operands)], self.start(row, state[len(self.operands) :])

        def block(number: SSAValue, held: State) -> State:
            return self._scan(
                row, ctx.add(ctx.multiply(number, self.ctx.model.sorting.selection_block), self.entered), held
            )

        def write(k: SSAValue, results: State) -> State:
            place = self._place(self.get(held, self.position(k)))
            return ctx.insert_each(self._elements(row, place), results, self._at(row, k))

        held = self.finish(
            ctx.loop(0, -(-(size - self.entered) // self.ctx.model.sorting.selection_block), held, block)
        )
        return (*ctx.loop(0, self.count, results, write), *held)

    def _scan(self, row: Sequence[Index], begin: Index, held: State) -> State:
        """Take the elements of the block from `begin` on that come before the last one held.

        Whether there are any is asked of as many elements in each block: the last one overlaps the one before it.
        """
        ctx = self.ctx
        length = min(self.ctx.model.sorting.selection_block, self.size)
        rest = (self.size - self.entered) % self.ctx.model.sorting.selection_block
        first, end = begin, ctx.add(begin, self.ctx.model.sorting.selection_block)
        if rest:
            first, end = ctx.minimum(begin, self.size - length), ctx.minimum(end, self.size)
        is_full = self.entered >= self.count

        def precedes_last(k: SSAValue, held: State) -> SSAValue:
            place = self._place(self.get(held, ctx.index(0)))
            if not is_full:
                place = ctx.as_index(ctx.minimum(place, self.size - 1))
            pairs = zip(self._elements(row, k), self._elements(row, place), strict=True)
            return inline(ctx, self.op.comparator, [element for pair in pairs for element in pair])[0]

        def any_so_far(k: SSAValue, found: State) -> State:
            precedes = precedes_last(ctx.as_index(ctx.add(k, first)), held)
            return (ctx.scalar(arith.OrIOp, (found[0], precedes), i1),)

        def take(k: SSAValue, held: State) -> State:
            entry = self.entry(row, k)
            precedes = self.precedes(entry, self.get(held, ctx.index(0)))
            types = [value.type for value in held]
            return ctx.when(precedes, types, lambda: self.replace_last(held, entry), lambda: held)

        room = ctx.constant(i1, 0) if is_full else compare_int(ctx, "slt", ctx.as_index(begin), ctx.index(self.count))
        (found,) = ctx.loop(0, length, (room,), any_so_far)
        return ctx.when(found, [value.type for value in held], lambda: ctx.loop(begin, end, held, take), lambda: held)

    def precedes(self, a: State, b: State) -> SSAValue:
        """Whether entry `a` comes before entry `b`."""
        ctx = self.ctx
        if self.is_packed:
            return compare_int(ctx, "ult", a[0], b[0])
        less, equal = (compare_int(ctx, name, a[0], b[0]) for name in ("ult", "eq"))
        earlier = compare_int(ctx, "slt", a[1], b[1])
        return (Number(ctx, less) | (Number(ctx, equal) & Number(ctx, earlier))).value

    def entry(self, row: Sequence[Index], k: SSAValue) -> State:
        """Key and place of element `k`."""
        ctx = self.ctx
        key, place = self.key.emit(ctx, self._elements(row, k)), ctx.scalar(arith.IndexCastOp, (k,), i64)
        if not self.is_packed:
            return key, place
        return (((Number(ctx, key) << _PLACE_BITS) | Number(ctx, place)).value,)

    def _place(self, entry: State) -> SSAValue:
        """The place in `entry`, as an index."""
        ctx = self.ctx
        place = entry[-1]
        if self.is_packed:
            place = (Number(ctx, place) & ((1 << _PLACE_BITS) - 1)).value
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

    def get(self, held: State, position: Index) -> State:
        return self.ctx.extract_each(held, (position,))

    def put(self, held: State, position: Index, entry: State) -> State:
        return self.ctx.insert_each(entry, held, (position,))
