"""A merge sort and a radix sort of lines, and a network for short ones.

The first two sort a line in a scratch of two halves, between which the passes alternate, are stable, and move all
operands along.

Radix sort, with digits of some bits of the key from the lowest on:

    for k: scratch[0][k] = x[line][k]; for every digit d of its key: count[d][its value] += 1
    for every digit d: count[d] = sums of the counts before
    for every digit d:
      for k: v = digit d of the key of src[k]; dst[count[d][v]++] = src[k]
    for k: result[line][k] = src[k]

Merge sort, bottom-up. A line is sorted as several runs at once, so that as many chains of dependent comparisons are in
flight; these are merged in pairs, and a last merge writes the result. With `m` elements in a run, pass `p` merges runs
of `w = 2**p`:

    for k: scratch[0][k] = x[line][k]
    for p in 0 .. ceil(log2(m)):
      for k in 0 .. m:                        // for each of the runs
        i, j = where the merge of k's block stands; i + j = k + w
        take_right = j is in its run and (i is not or comparator(src[j], src[i]))
        dst[k] = src[take_right ? j : i]
    for k: result[line][k] = merge of the runs

The only branches are loops of known counts, because the outcome of a comparison of random elements cannot be predicted.
Whatever the comparator answers, the result is a permutation. Both are in Knuth, "The Art of Computer Programming",
volume 3: algorithm 5.2.5R with counting, exercise 5.2.4-16.

The network compares neighbours, in as many rounds as there are elements (odd-even transposition, 5.3.4): it is stable,
and without a branch, so that vectors of lines can be sorted.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32, i64

from ...dialects.shared_attributes import INDEX
from ..convert_stablehlo_to_linalg.arithmetic import Index, Number, least
from ..convert_stablehlo_to_linalg.loops import Buffer, Variable, elements_at, loop, loops, set_elements
from .line_sort import LineSort
from .loops import inline_block


class MergeSort(LineSort):
    """By any comparator; the number is how many runs are merged at once, a power of two."""

    def allocate(self) -> None:
        runs, arguments = self.number, self.comparator.args
        self.run = -(-self.size // runs) if runs > 1 else self.size
        """Elements of every run but the last one, which may have less."""
        self.compared = [
            a.first_use is not None or b.first_use is not None
            for a, b in zip(arguments[::2], arguments[1::2], strict=True)
        ]
        # A merge reads one element past the last run.
        capacity = runs * self.run + 1
        self.scratch = [Buffer.new(self.ctx, element, (2, capacity)) for element in self.elements]

    def sort_line(self, line: Sequence[Index]) -> None:
        scratch, results = self.scratch, self.results
        with loop(0, self.size, *scratch) as k:
            set_elements(scratch, (0, k), self.read(line, k))
        passes = (self.run - 1).bit_length()
        middle, runs = self.run, self.number
        if runs == 1:  # the last pass is the last merge
            passes -= 1
            middle = 1 << passes
        if passes:
            with loop(0, passes, *scratch) as number:
                self._pass(number)
        half = passes % 2
        while runs > 2:
            self._merge_pairs(half, middle)
            half, middle, runs = 1 - half, 2 * middle, runs // 2
        left = Variable(Number(self.ctx, self.ctx.constant(INDEX, 0)))
        with loop(0, self.count, left, *results) as k:
            right = k + middle - left.now
            left.now, elements = self._take(half, 0, left.now, right, middle, self.size)
            set_elements(results, self.at(line, k), elements)

    def _pass(self, number: Number) -> None:
        """Merge pairs of neighbours of `2**number` elements, in all runs, into the other half of the scratch."""
        one = number.constant(1)
        width = one << number
        mask = width * 2 - 1
        source = number & one
        target = source ^ one
        zero = number.constant(0)
        begins = range(0, self.number * self.run, self.run)
        lefts = [Variable(zero) for _ in begins]
        with loop(0, self.run, *lefts, *self.scratch) as k:
            offset = k & mask
            block = k - offset
            first = offset.compare("eq", 0)
            merged: list[tuple[Number, list[Number]]] = []
            for begin, left in zip(begins, lefts, strict=True):
                size = min(self.run, self.size - begin)
                middle = least(block + width, size)
                end = least(middle + width, size)
                place = first.select(block, left.now)
                right = k + middle - place
                left.now, elements = self._take(source, begin, place, right, middle, end)
                merged.append((k + begin, elements))
            for position, elements in merged:
                set_elements(self.scratch, (target, position), elements)

    def _merge_pairs(self, half: int, width: int) -> None:
        """Merge pairs of sorted runs of `width` elements, all at once, into the other half of the scratch."""
        begins = range(0, self.number * self.run, 2 * width)
        lefts = [Variable(Number(self.ctx, self.ctx.constant(INDEX, 0))) for _ in begins]
        with loop(0, 2 * width, *lefts, *self.scratch) as k:
            merged: list[tuple[Number, list[Number]]] = []
            for begin, left in zip(begins, lefts, strict=True):
                size = min(2 * width, self.size - begin)
                middle = min(width, size)
                right = k + middle - left.now
                left.now, elements = self._take(half, begin, left.now, right, middle, size)
                merged.append((k + begin, elements))
            for position, elements in merged:
                set_elements(self.scratch, (1 - half, position), elements)

    def _take(
        self, half: Index, begin: int, left: Number, right: Number, middle: Index, end: Index
    ) -> tuple[Number, list[Number]]:
        """One step of a merge: the next `left`, and what stands at `left` or `right`, whichever is due.

        `left` runs up to `middle`, `right` up to `end`, both relative to `begin`. An element past the end is read but
        not taken.
        """
        positions = [left + begin, right + begin]
        heads: dict[Buffer, list[Number]] = {}
        arguments: list[Number] = []
        for array, is_compared in zip(self.scratch, self.compared, strict=True):
            if is_compared:
                heads[array] = [array[half, position] for position in positions]
            # An operand the comparator ignores has no uses inside it: anything of its type will do.
            pair = heads.get(array) or [Number(self.ctx, self.ctx.constant(array.element, 0))] * 2
            arguments.extend(reversed(pair))
        (less,) = inline_block(self.ctx, self.comparator, arguments)
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


class RadixSort(LineSort):
    """By a key; the number is that of the bits of a digit."""

    def allocate(self) -> None:
        self.digits = -(-self.key.bits // self.number)
        self.scratch = [Buffer.new(self.ctx, element, (2, self.size)) for element in self.elements]
        self.counts = Buffer.new(self.ctx, i32, (self.digits, 1 << self.number))

    def sort_line(self, line: Sequence[Index]) -> None:
        ctx, scratch, counts = self.ctx, self.scratch, self.counts
        zero = Number(ctx, ctx.constant(i32, 0))
        values = (0, 1 << self.number)
        with loops([(0, self.digits), values], counts) as at:
            counts[at] = zero
        with loop(0, self.size, *scratch, counts) as k:
            elements = self.read(line, k)
            key = self.key.emit(ctx, elements)
            for digit in range(self.digits):
                self._count(counts, (digit, self._digit(key, digit * self.number)))
            set_elements(scratch, (0, k), elements)
        with loop(0, self.digits, counts) as digit:
            before = Variable(zero)
            with loop(*values, before, counts) as value:
                here = counts[digit, value]
                counts[digit, value] = before.now
                before.now += here
        with loop(0, self.digits, *scratch, counts) as digit:
            self._pass(digit)
        with loop(0, self.count, *self.results) as k:
            set_elements(self.results, self.at(line, k), elements_at(scratch, (self.digits % 2, k)))

    def _pass(self, digit: Number) -> None:
        """Move the elements to where their keys' digit wants them, in the other half of the scratch."""
        one = digit.constant(1)
        source = digit & one
        target = source ^ one
        shift = (digit * self.number).apply(arith.IndexCastOp, to=i64)
        sources, targets = ([each.row(half) for each in self.scratch] for half in (source, target))
        counts = self.counts.row(digit)
        with loop(0, self.size, *self.scratch, self.counts) as k:
            elements = elements_at(sources, k)
            place = self._count(counts, self._digit(self.key.emit(self.ctx, elements), shift))
            set_elements(targets, place.as_index(), elements)

    def _digit(self, key: Number, shift: Number | int) -> Number:
        """The value of the digit of `key` at bit `shift`."""
        return ((key >> shift) & ((1 << self.number) - 1)).as_index()

    def _count(self, counts: Buffer, at: Index | Sequence[Index]) -> Number:
        """One more at this place; how many there were before."""
        count = counts[at]
        counts[at] = count + 1
        return count


class Network(LineSort):
    """By a key, in registers; no number."""

    def sort_line(self, line: Sequence[Index]) -> None:
        rows: list[list[Number]] = []
        for k in range(self.size):
            elements = list(self.read(line, k))
            rows.append([self.key.integer(self.ctx, elements), *elements])
        for number in range(self.size):
            for first in range(number % 2, self.size - 1, 2):
                a, b = rows[first : first + 2]
                swap = b[0].compare(self.key.predicate, a[0])
                rows[first], rows[first + 1] = swap.choose(b, a), swap.choose(a, b)
        for k, (_, *elements) in enumerate(rows[: self.count]):
            set_elements(self.results, self.at(line, k), elements)
