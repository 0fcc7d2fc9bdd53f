"""`sort`: a radix sort where the comparator compares keys and rows are long, else a merge sort.

Where little of the result is read it is a selection (`selection.py`). Large operands are transposed to be sorted along
another dimension than their last.

Both sort a row in a scratch of two halves, between which the passes alternate, are stable, and move all operands along.

Radix sort, with digits of 8 bits of the key from the lowest on:

    for row:
      for k: scratch[0][k] = x[row][k]; for every digit d of its key: count[d][its value] += 1
      for every digit d: count[d] = sums of the counts before
      for every digit d:
        for k: v = digit d of the key of src[k]; dst[count[d][v]++] = src[k]
      for k: result[row][k] = src[k]

Merge sort, bottom-up. A row is sorted as two runs at once, so that two chains of dependent comparisons are in flight; a
last merge of the runs writes the result. With `m` elements in a run, pass `p` merges runs of `w = 2**p`:

    for row:
      for k: scratch[0][k] = x[row][k]
      for p in 0 .. ceil(log2(m)):
        for k in 0 .. m:                        // for each of the two runs
          i, j = where the merge of k's block stands; i + j = k + w
          take_right = j is in its run and (i is not or comparator(src[j], src[i]))
          dst[k] = src[take_right ? j : i]
      for k: result[row][k] = merge of the runs

The only branches are loops of known counts, because the outcome of a comparison of random elements cannot be predicted.
Whatever the comparator answers, the result is a permutation. Both are in Knuth, "The Art of Computer Programming",
volume 3: algorithm 5.2.5R with counting, exercise 5.2.4-16.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1, i32, i64
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bytes
from .arithmetic import Number, compare_int, select
from .attributes import INDEX, element_of, shape_of
from .builder import Index, Lowered, Lowering
from .regions import inline
from .selection import elements_read
from .selection_heap import HeapSelection
from .selection_list import ListSelection
from .sort_keys import SortKey, sort_key

Indices = list[Index]


def lower_sort(ctx: Lowering, op: stablehlo.SortOp) -> Sequence[Lowered]:
    """Loops over the rows that carry the results and the scratch. Results end with the last element that is read."""
    shape = shape_of(op.inputs[0])
    assert op.dimension is not None
    dim = op.dimension.value.data % len(shape) if shape else 0
    if not shape or shape[dim] < 2 or 0 in shape:
        return [ctx.lowered(value) for value in op.inputs]
    read = elements_read(op, dim)
    if (key := sort_key(ctx, op)) is not None:
        digits = -(-key.bits // ctx.model.sorting.digit_bits)
        if ctx.model.sorting.worth_selecting(read, shape[dim], digits):
            selection = ListSelection if ctx.model.sorting.worth_a_sorted_list(read) else HeapSelection
            return selection(ctx, op, shape, dim, key, read).lower()
        if ctx.model.sorting.worth_sorting_by_digits(shape[dim], digits) and shape[dim] < 1 << 31:
            return _RadixSort(ctx, op, shape, dim, key, digits).lower()
    return _MergeSort(ctx, op, shape, dim).lower()


class _Sort(ABC):
    """One sort: `count` operands of `shape`, sorted together along `dim`."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int):
        self.ctx, self.op = ctx, op
        self.operands = [ctx.tensor(value) for value in op.inputs]
        self.count = len(self.operands)
        self.size = shape[dim]
        self.places = list(range(len(shape)))
        """Where each dimension of the operands is while rows are sorted: the sorted one last, if that pays."""
        if any(size > 1 for size in shape[dim + 1 :]) and all(
            ctx.model.sorting.worth_contiguous_rows(prod(shape), element_bytes(element_of(operand)))
            for operand in self.operands
        ):
            self.places = [d - (d > dim) for d in range(len(shape))]
            self.places[dim] = len(shape) - 1
        dims = sorted(range(len(shape)), key=self.places.__getitem__)
        self.shape, self.dim = [shape[d] for d in dims], self.places[dim]
        self.operands = [ctx.transposed(operand, dims) for operand in self.operands]
        self.capacity = self.size
        """Elements of a half of the scratch."""

    def lower(self) -> Sequence[Lowered]:
        ctx, elements = self.ctx, [element_of(operand) for operand in self.operands]
        scratch = [*(ctx.empty(TensorType(element, (2, self.capacity))) for element in elements), *self.more_scratch()]
        results = [ctx.empty(TensorType(element, self.shape)) for element in elements]
        rows = [(0, size) for d, size in enumerate(self.shape) if d != self.dim]

        state = ctx.kernel_loops(rows, (*results, *scratch), self._row)
        return [ctx.transposed(result, self.places) for result in state[: self.count]]

    def more_scratch(self) -> Sequence[SSAValue]:
        """What a row needs besides the two halves for every operand."""
        return ()

    @abstractmethod
    def _row(self, row: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Sort one row; `state` holds the results, then the scratch."""

    def _at(self, row: Sequence[Index], k: Index) -> Indices:
        return [*row[: self.dim], k, *row[self.dim :]]


class _MergeSort(_Sort):
    """By any comparator."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int):
        super().__init__(ctx, op, shape, dim)
        self.run = -(-self.size // 2)
        """Elements of the first run; the second has as many or one less."""
        self.compared = [any(arg.uses for arg in self._pair(op.comparator.block.args, i)) for i in range(self.count)]
        # A merge reads one element past the second run.
        self.capacity = 2 * self.run + 1

    @staticmethod
    def _pair(values: Sequence[SSAValue], operand: int) -> Sequence[SSAValue]:
        """What the comparator gets of one operand."""
        return values[2 * operand : 2 * operand + 2]

    def _row(self, row: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        ctx, count = self.ctx, self.count

        def copy(k: SSAValue, scratch: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return ctx.insert_each(ctx.extract_each(self.operands, self._at(row, k)), scratch, (0, k))

        scratch = ctx.loop(0, self.size, state[count:], copy)
        passes = (self.run - 1).bit_length()
        if passes:
            scratch = ctx.loop(0, passes, scratch, self._pass)
        results = self._merge_runs(row, state[:count], scratch, passes % 2)
        return (*results, *scratch)

    def _pass(self, number: SSAValue, scratch: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Merge pairs of neighbours of `2**number` elements, in both runs, into the other half of the scratch."""
        ctx = self.ctx
        one = ctx.index(1)
        width = ctx.scalar(arith.ShLIOp, (one, number), INDEX)
        mask = ctx.subtract(ctx.multiply(width, 2), 1)
        source = ctx.scalar(arith.AndIOp, (number, one), INDEX)
        target = ctx.scalar(arith.XOrIOp, (source, one), INDEX)

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            lefts, scratch = state[:2], state[2:]
            offset = ctx.scalar(arith.AndIOp, (k, ctx.as_index(mask)), INDEX)
            block = ctx.subtract(k, offset)
            first = compare_int(ctx, "eq", offset, ctx.index(0))
            moved: list[SSAValue] = []
            merged: list[tuple[Index, list[SSAValue]]] = []
            for begin, size, left in zip((0, self.run), (self.run, self.size - self.run), lefts, strict=True):
                middle = ctx.minimum(ctx.add(block, width), size)
                end = ctx.minimum(ctx.add(middle, width), size)
                left = select(ctx, first, ctx.as_index(block), left)
                right = ctx.subtract(ctx.add(k, middle), left)
                next_left, elements = self._take(scratch, source, begin, left, ctx.as_index(right), middle, end)
                moved.append(next_left)
                merged.append((ctx.add(k, begin), elements))
            for position, elements in merged:
                scratch = ctx.insert_each(elements, scratch, (target, position))
            return (*moved, *scratch)

        return ctx.loop(0, self.run, (ctx.index(0), ctx.index(0), *scratch), step)[2:]

    def _merge_runs(
        self, row: Sequence[Index], results: Sequence[SSAValue], scratch: Sequence[SSAValue], source: int
    ) -> Sequence[SSAValue]:
        """Merge the two runs into the results."""
        ctx = self.ctx

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            left = state[0]
            right = ctx.as_index(ctx.subtract(ctx.add(k, self.run), left))
            next_left, elements = self._take(scratch, source, 0, left, right, self.run, self.size)
            return (next_left, *ctx.insert_each(elements, state[1:], self._at(row, k)))

        return ctx.loop(0, self.size, (ctx.index(0), *results), step)[1:]

    def _take(
        self,
        scratch: Sequence[SSAValue],
        half: Index,
        begin: int,
        left: SSAValue,
        right: SSAValue,
        middle: Index,
        end: Index,
    ) -> tuple[SSAValue, list[SSAValue]]:
        """One step of a merge: the next `left`, and what stands at `left` or `right`, whichever is due.

        `left` runs up to `middle`, `right` up to `end`, both relative to `begin`. An element past the end is read but
        not taken.
        """
        ctx = self.ctx
        positions = [ctx.add(left, begin), ctx.add(right, begin)]
        heads: dict[int, list[SSAValue]] = {}
        arguments: list[SSAValue] = []
        for i, tensor in enumerate(scratch):
            if self.compared[i]:
                heads[i] = [ctx.extract(tensor, (half, position)) for position in positions]
            # An operand the comparator ignores has no uses inside it: anything of its type will do.
            pair = heads.get(i) or [ctx.constant(element_of(tensor), 0)] * 2
            arguments.extend(reversed(pair))
        (less,) = inline(ctx, self.op.comparator, arguments)
        left_over = compare_int(ctx, "sge", left, ctx.as_index(middle))
        right_left = compare_int(ctx, "slt", right, ctx.as_index(end))
        due = ctx.scalar(arith.OrIOp, (left_over, less), i1)
        take_right = ctx.scalar(arith.AndIOp, (right_left, due), i1)
        # `i1` extends to 0 or -1.
        back = ctx.scalar(arith.IndexCastOp, (take_right,), INDEX)
        next_left = ctx.as_index(ctx.add(ctx.add(left, 1), back))
        taken = select(ctx, take_right, ctx.as_index(positions[1]), ctx.as_index(positions[0]))
        elements: list[SSAValue] = []
        for i, tensor in enumerate(scratch):
            if i in heads:
                on_left, on_right = heads[i]
                elements.append(select(ctx, take_right, on_right, on_left))
            else:
                elements.append(ctx.extract(tensor, (half, taken)))
        return next_left, elements


class _RadixSort(_Sort):
    """By a key."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int, key: SortKey, digits: int):
        super().__init__(ctx, op, shape, dim)
        self.key, self.digits, self.digit_bits = key, digits, ctx.model.sorting.digit_bits

    def more_scratch(self) -> Sequence[SSAValue]:
        return (self.ctx.empty(TensorType(i32, (self.digits, 1 << self.digit_bits))),)

    def _row(self, row: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        ctx, count = self.ctx, self.count
        results, counts = state[:count], state[-1]
        zero = ctx.constant(i32, 0)
        values = (0, 1 << self.digit_bits)

        def clear(at: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return (ctx.insert(zero, state[0], at),)

        def read(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            *scratch, counts = state
            elements = ctx.extract_each(self.operands, self._at(row, k))
            key = self.key.emit(ctx, elements)
            for digit in range(self.digits):
                value = self._digit(key, ctx.constant(i64, digit * self.digit_bits))
                _, counts = self._next(counts, digit, value)
            return (*ctx.insert_each(elements, scratch, (0, k)), counts)

        def add_up(digit: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            def step(value: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
                before, counts = state
                here = ctx.extract(counts, (digit, value))
                counts = ctx.insert(before, counts, (digit, value))
                return (ctx.scalar(arith.AddiOp, (before, here), i32), counts)

            return ctx.loop(*values, (zero, *state), step)[1:]

        def write(k: SSAValue, results: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return ctx.insert_each(ctx.extract_each(scratch, (self.digits % 2, k)), results, self._at(row, k))

        (counts,) = ctx.loops([(0, self.digits), values], (counts,), clear)
        *scratch, counts = ctx.loop(0, self.size, (*state[count:-1], counts), read)
        (counts,) = ctx.loop(0, self.digits, (counts,), add_up)
        *scratch, counts = ctx.loop(0, self.digits, (*scratch, counts), self._pass)
        return (*ctx.loop(0, self.size, results, write), *scratch, counts)

    def _pass(self, number: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Move the elements to where digit `number` of their keys wants them, in the other half of the scratch."""
        ctx = self.ctx
        one = ctx.index(1)
        source = ctx.scalar(arith.AndIOp, (number, one), INDEX)
        target = ctx.scalar(arith.XOrIOp, (source, one), INDEX)
        shift = ctx.scalar(arith.IndexCastOp, (ctx.as_index(ctx.multiply(number, self.digit_bits)),), i64)

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            *scratch, counts = state
            elements = ctx.extract_each(scratch, (source, k))
            value = self._digit(self.key.emit(ctx, elements), shift)
            place, counts = self._next(counts, number, value)
            at = ctx.scalar(arith.IndexCastOp, (place,), INDEX)
            return (*ctx.insert_each(elements, scratch, (target, at)), counts)

        return ctx.loop(0, self.size, state, step)

    def _digit(self, key: SSAValue, shift: SSAValue) -> SSAValue:
        """The value of the digit of `key` at bit `shift`."""
        ctx = self.ctx
        value = (Number(ctx, key) >> Number(ctx, shift)) & ((1 << self.digit_bits) - 1)
        return value.apply(arith.IndexCastOp, to=INDEX).value

    def _next(self, counts: SSAValue, digit: Index, value: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The count of `value`, and the counts with one more."""
        ctx = self.ctx
        count = ctx.extract(counts, (digit, value))
        more = ctx.scalar(arith.AddiOp, (count, ctx.constant(i32, 1)), i32)
        return count, ctx.insert(more, counts, (digit, value))


SORTING: dict[type[Operation], Any] = {stablehlo.SortOp: lower_sort}
"""Op type to lowering."""
