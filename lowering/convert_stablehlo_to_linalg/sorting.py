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

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32, i64

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import INDEX
from ...dialects.stablehlo.shapes import shape_of
from .arithmetic import Index, Number, least
from .attributes import element_of
from .builder import Lowered, Lowering
from .loops import Array, Variable, elements_at, kernel_loops, loop, loops, set_elements
from .regions import inline
from .selection import HeapSelection, ListSelection, elements_read
from .sort_keys import SortKey, sort_key


def lower_sort(ctx: Lowering, op: stablehlo.SortOp) -> Sequence[Lowered]:
    """Loops over the rows that carry the results and the scratch. Results end with the last element that is read."""
    shape = shape_of(op.inputs[0])
    assert op.dimension is not None
    dim = op.dimension.value.data % len(shape) if shape else 0
    if not shape or shape[dim] < 2 or 0 in shape:
        return [ctx.lowered(value) for value in op.inputs]
    read, model = elements_read(op, dim), ctx.model.sorting
    if (key := sort_key(ctx, op)) is not None:
        digits = -(-key.bits // model.digit_bits)
        if model.worth_selecting(read, shape[dim], digits):
            selection = ListSelection if model.worth_a_sorted_list(read) else HeapSelection
            return selection(ctx, op, shape, dim, key, read).lower()
        if model.worth_sorting_by_digits(shape[dim], digits) and shape[dim] < 1 << 31:
            return _RadixSort(ctx, op, shape, dim, key, digits).lower()
    return _MergeSort(ctx, op, shape, dim).lower()


class _Sort(ABC):
    """One sort: operands of `shape`, sorted together along `dim`."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int):
        self.ctx, self.op = ctx, op
        operands = [ctx.tensor(value) for value in op.inputs]
        self.size = shape[dim]
        self.places = list(range(len(shape)))
        """Where each dimension of the operands is while rows are sorted: the sorted one last, if that pays."""
        if any(size > 1 for size in shape[dim + 1 :]) and all(
            ctx.model.sorting.worth_contiguous_rows(prod(shape), element_bytes(element_of(operand)))
            for operand in operands
        ):
            self.places = [d - (d > dim) for d in range(len(shape))]
            self.places[dim] = len(shape) - 1
        dims = sorted(range(len(shape)), key=self.places.__getitem__)
        self.shape, self.dim = [shape[d] for d in dims], self.places[dim]
        self.operands = [Array(ctx, ctx.transposed(operand, dims)) for operand in operands]
        self.capacity = self.size
        """Elements of a half of the scratch."""

    def lower(self) -> Sequence[Lowered]:
        ctx, elements = self.ctx, [operand.element for operand in self.operands]
        self.scratch = [Array.new(ctx, element, (2, self.capacity)) for element in elements]
        self.counts = self.new_counts()
        self.results = [Array.new(ctx, element, self.shape) for element in elements]
        rows = [size for d, size in enumerate(self.shape) if d != self.dim]
        with kernel_loops(rows, *self.results, *self.scratch, *self.counts) as row:
            self.sort_row(row)
        return [ctx.transposed(result.value, self.places) for result in self.results]

    def new_counts(self) -> list[Array]:
        """What a row needs besides the two halves for every operand."""
        return []

    @abstractmethod
    def sort_row(self, row: Sequence[Index]) -> None:
        """Sort one row into the results, by way of the scratch."""

    def at(self, row: Sequence[Index], k: Index) -> list[Index]:
        return [*row[: self.dim], k, *row[self.dim :]]


class _MergeSort(_Sort):
    """By any comparator."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int):
        super().__init__(ctx, op, shape, dim)
        self.run = -(-self.size // 2)
        """Elements of the first run; the second has as many or one less."""
        arguments = op.comparator.block.args
        self.compared = [bool(a.uses or b.uses) for a, b in zip(arguments[::2], arguments[1::2], strict=True)]
        # A merge reads one element past the second run.
        self.capacity = 2 * self.run + 1

    def sort_row(self, row: Sequence[Index]) -> None:
        ctx, scratch, results = self.ctx, self.scratch, self.results
        with loop(0, self.size, *scratch) as k:
            set_elements(scratch, (0, k), elements_at(self.operands, self.at(row, k)))
        passes = (self.run - 1).bit_length()
        if passes:
            with loop(0, passes, *scratch) as number:
                self._pass(number)
        left = Variable(Number(ctx, ctx.constant(INDEX, 0)))
        with loop(0, self.size, left, *results) as k:
            right = k + self.run - left.now
            left.now, elements = self._take(passes % 2, 0, left.now, right, self.run, self.size)
            set_elements(results, self.at(row, k), elements)

    def _pass(self, number: Number) -> None:
        """Merge pairs of neighbours of `2**number` elements, in both runs, into the other half of the scratch."""
        one = number.constant(1)
        width = one << number
        mask = width * 2 - 1
        source = number & one
        target = source ^ one
        zero = number.constant(0)
        lefts = [Variable(zero), Variable(zero)]
        with loop(0, self.run, *lefts, *self.scratch) as k:
            offset = k & mask
            block = k - offset
            first = offset.compare("eq", 0)
            merged: list[tuple[Number, list[Number]]] = []
            for begin, size, left in zip((0, self.run), (self.run, self.size - self.run), lefts, strict=True):
                middle = least(block + width, size)
                end = least(middle + width, size)
                place = first.select(block, left.now)
                right = k + middle - place
                left.now, elements = self._take(source, begin, place, right, middle, end)
                merged.append((k + begin, elements))
            for position, elements in merged:
                set_elements(self.scratch, (target, position), elements)

    def _take(
        self, half: Index, begin: int, left: Number, right: Number, middle: Index, end: Index
    ) -> tuple[Number, list[Number]]:
        """One step of a merge: the next `left`, and what stands at `left` or `right`, whichever is due.

        `left` runs up to `middle`, `right` up to `end`, both relative to `begin`. An element past the end is read but
        not taken.
        """
        positions = [left + begin, right + begin]
        heads: dict[Array, list[Number]] = {}
        arguments: list[Number] = []
        for array, is_compared in zip(self.scratch, self.compared, strict=True):
            if is_compared:
                heads[array] = [array[half, position] for position in positions]
            # An operand the comparator ignores has no uses inside it: anything of its type will do.
            pair = heads.get(array) or [Number(self.ctx, self.ctx.constant(array.element, 0))] * 2
            arguments.extend(reversed(pair))
        (less,) = inline(self.ctx, self.op.comparator, arguments)
        left_over = left.compare("sge", middle)
        right_left = right.compare("slt", end)
        take_right = right_left & (left_over | less)
        back = take_right.as_index()  # `i1` extends to 0 or -1
        next_left = left + 1 + back
        taken = take_right.select(positions[1], positions[0])
        elements: list[Number] = []
        for array in self.scratch:
            if array in heads:
                on_left, on_right = heads[array]
                elements.append(take_right.select(on_right, on_left))
            else:
                elements.append(array[half, taken])
        return next_left, elements


class _RadixSort(_Sort):
    """By a key."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int, key: SortKey, digits: int):
        super().__init__(ctx, op, shape, dim)
        self.key, self.digits, self.digit_bits = key, digits, ctx.model.sorting.digit_bits

    def new_counts(self) -> list[Array]:
        return [Array.new(self.ctx, i32, (self.digits, 1 << self.digit_bits))]

    def sort_row(self, row: Sequence[Index]) -> None:
        ctx, scratch, (counts,) = self.ctx, self.scratch, self.counts
        zero = Number(ctx, ctx.constant(i32, 0))
        values = (0, 1 << self.digit_bits)
        with loops([(0, self.digits), values], counts) as at:
            counts[at] = zero
        with loop(0, self.size, *scratch, counts) as k:
            elements = elements_at(self.operands, self.at(row, k))
            key = self.key.emit(ctx, elements)
            for digit in range(self.digits):
                self._count(digit, self._digit(key, digit * self.digit_bits))
            set_elements(scratch, (0, k), elements)
        with loop(0, self.digits, counts) as digit:
            before = Variable(zero)
            with loop(*values, before, counts) as value:
                here = counts[digit, value]
                counts[digit, value] = before.now
                before.now += here
        with loop(0, self.digits, *scratch, counts) as digit:
            self._pass(digit)
        with loop(0, self.size, *self.results) as k:
            set_elements(self.results, self.at(row, k), elements_at(scratch, (self.digits % 2, k)))

    def _pass(self, digit: Number) -> None:
        """Move the elements to where their keys' digit wants them, in the other half of the scratch."""
        one = digit.constant(1)
        source = digit & one
        target = source ^ one
        shift = (digit * self.digit_bits).apply(arith.IndexCastOp, to=i64)
        with loop(0, self.size, *self.scratch, *self.counts) as k:
            elements = elements_at(self.scratch, (source, k))
            place = self._count(digit, self._digit(self.key.emit(self.ctx, elements), shift))
            set_elements(self.scratch, (target, place.as_index()), elements)

    def _digit(self, key: Number, shift: Number | int) -> Number:
        """The value of the digit of `key` at bit `shift`."""
        return ((key >> shift) & ((1 << self.digit_bits) - 1)).as_index()

    def _count(self, digit: Index, value: Number) -> Number:
        """One more of `value`; how many there were before."""
        (counts,) = self.counts
        count = counts[digit, value]
        counts[digit, value] = count + 1
        return count
