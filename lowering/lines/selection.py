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

Few elements are held in a sorted list, many in a heap, each as a key and the place of the element in the row, which
decides between equal keys: what is selected is what a stable sort has in front. A key of up to 32 bits is in one word
with the place. Of n elements in random order k (1 + ln(n / k)) get held.

An operand that counts the elements of a row is not read: its elements are their places.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i64

from ..convert_stablehlo_to_linalg.arithmetic import Index, Number, least, materialized
from ..convert_stablehlo_to_linalg.builder import Scalars
from ..convert_stablehlo_to_linalg.loops import Buffer, Variable, elements_at, loop, set_elements, when
from .line_sort import LineSort
from .loops import inline_block

_PLACE_BITS = 32
"""Of an entry of one word: rows are shorter than that can count."""

_ALL = (1 << 64) - 1
_GREATEST, _LEAST = (1 << 63) - 1, -(1 << 63)


class Selection(LineSort):
    """The first `count` elements of every line; the number is that of the elements of a block.

    What is held of a line are entries in the arrays `held`: keys with places, or keys and places.
    """

    def allocate(self) -> None:
        self.block = self.number
        self.is_packed = self.key.bits + _PLACE_BITS <= 64 and self.size < 1 << _PLACE_BITS
        self.entered = self.count if self.starts_full else 0
        # A list that fills up has an entry behind its last one.
        capacity = self.count + (not self.starts_full)
        self.held = [Buffer.new(self.ctx, i64, (capacity,)) for _ in range(1 if self.is_packed else 2)]

    def sort_line(self, line: Sequence[Index]) -> None:
        self.start(line)
        blocks = -(-(self.size - self.entered) // self.block)
        with loop(0, blocks, *self.held) as number:
            self._scan(line, number * self.block + self.entered)
        self.finish()
        with loop(0, self.count, *self.results) as k:
            place = self._place(self.get(self.position(k)))
            set_elements(self.results, self.at(line, k), self.read(line, place))

    starts_full: ClassVar[bool]
    """Whether as many elements of a row as are selected are held when its blocks begin, else none."""

    @abstractmethod
    def start(self, line: Sequence[Index]) -> None:
        """Hold what is held before the blocks of a row."""

    @abstractmethod
    def replace_last(self, entry: Scalars) -> None:
        """Hold `entry`, which comes before the last one held, instead of that, which is at 0."""

    def finish(self) -> None:
        """Make what is held of a whole row ready to be taken out; a sorted list is."""

    @abstractmethod
    def position(self, k: Number) -> Number:
        """Where the element `k` of the results then is."""

    def _scan(self, line: Sequence[Index], begin: Number) -> None:
        """Take the elements of the block from `begin` on that come before the last one held.

        Whether there are any is asked of as many elements in each block: the last one overlaps the one before it.
        """
        ctx = self.ctx
        length = min(self.block, self.size)
        first, end = begin, begin + self.block
        if (self.size - self.entered) % self.block:
            first, end = least(begin, self.size - length), least(end, self.size)
        is_full = self.entered >= self.count
        room = Number(ctx, ctx.constant(i1, 0)) if is_full else begin.compare("slt", self.count)
        found = Variable(room)
        with loop(0, length, found) as k:
            at = k + first
            place = self._place(self.get(0))
            if not is_full:
                place = materialized(ctx, least(place, self.size - 1))
            pairs = zip(self.read(line, at), self.read(line, place), strict=True)
            (precedes,) = inline_block(ctx, self.comparator, [element for pair in pairs for element in pair])
            found.now |= precedes
        with when(found.now, *self.held), loop(begin, end, *self.held) as k:
            entry = self.entry(line, k)
            with when(self.precedes(entry, self.get(0)), *self.held):
                self.replace_last(entry)

    def precedes(self, a: Scalars, b: Scalars) -> Number:
        """Whether entry `a` comes before entry `b`."""
        less = a[0].compare("ult", b[0])
        if self.is_packed:
            return less
        equal, earlier = a[0].compare("eq", b[0]), a[1].compare("slt", b[1])
        return less | (equal & earlier)

    def entry(self, line: Sequence[Index], k: Number) -> Scalars:
        """Key and place of element `k`."""
        key, place = self.key.emit(self.ctx, self.read(line, k)), k.apply(arith.IndexCastOp, to=i64)
        return ((key << _PLACE_BITS) | place,) if self.is_packed else (key, place)

    def _place(self, entry: Scalars) -> Number:
        """The place in `entry`, as an index."""
        return (entry[-1] & ((1 << _PLACE_BITS) - 1) if self.is_packed else entry[-1]).as_index()

    def get(self, position: Index) -> Scalars:
        """The entry held at a position."""
        return elements_at(self.held, position)

    def put(self, position: Index, entry: Scalars) -> None:
        set_elements(self.held, position, entry)


class HeapSelection(Selection):
    """The first elements of every row, any number of them, in a heap with the last of them in order at its root.

        for row:
          heap = x[row][0 .. k], as a heap
          for block of x[row][k ..]: ...
            heap[0] = element; sift it down
          sort heap

    Knuth, "The Art of Computer Programming", volume 3, 5.2.3.
    """

    starts_full = True

    def start(self, line: Sequence[Index]) -> None:
        with loop(0, self.count, *self.held) as k:
            self.put(k, self.entry(line, k))
        if self.count > 1:
            with loop(0, self.count // 2, *self.held) as step:
                position = self.count // 2 - 1 - step
                self._sift(position, self.get(position), self.count)

    def replace_last(self, entry: Scalars) -> None:
        self._sift(0, entry, self.count)

    def finish(self) -> None:
        if self.count > 1:
            with loop(0, self.count - 1, *self.held) as step:
                last = self.count - 1 - step
                displaced = self.get(last)
                self.put(last, self.get(0))
                self._sift(0, displaced, last)

    def position(self, k: Number) -> Number:
        return k

    def _sift(self, position: Index, entry: Scalars, size: Index) -> None:
        """Put `entry` at `position` or below, where later entries are: in a heap of `size` entries.

        As many steps as a heap of `count` has levels, without branches: an entry that is where it belongs stays there.
        """
        place = Variable(materialized(self.ctx, position))
        levels = self.count.bit_length() - 1
        last = size - 1
        if levels:
            with loop(0, levels, place, *self.held):
                left = place.now * 2 + 1
                children = [materialized(self.ctx, least(child, last)) for child in (left, left + 1)]
                first, second = (self.get(child) for child in children)
                second_is_later = self.precedes(first, second)
                child = second_is_later.select(children[1], children[0])
                later = second_is_later.choose(second, first)
                is_inside = left.compare("slt", size)
                moves = is_inside & self.precedes(entry, later)
                self.put(place.now, moves.choose(later, entry))
                place.now = moves.select(child, place.now)
        self.put(place.now, entry)


class ListSelection(Selection):
    """The first few elements of every row, in a sorted list with the last of them first.

        for row:
          list[0 .. k] = what comes after everything; list[k] = what comes before everything
          for block of x[row]: ...
            for j in 0 .. k:
              list[j] = the earlier of list[j] and the later of list[j + 1] and element

    An element takes the place between those around it as a whole vector of them does, and the list is in order at the
    end.
    """

    starts_full = False

    def start(self, line: Sequence[Index]) -> None:
        after, before = ((_ALL,), (0,)) if self.is_packed else ((_ALL, _GREATEST), (0, _LEAST))
        nothing, end = (
            [Number(self.ctx, self.ctx.constant(i64, number)) for number in entry] for entry in (after, before)
        )
        with loop(0, self.count, *self.held) as k:
            self.put(k, nothing)
        self.put(self.count, end)

    def replace_last(self, entry: Scalars) -> None:
        with loop(0, self.count, *self.held) as k:
            here, next = self.get(k), self.get(k + 1)
            self.put(k, self._between(here, next, entry))

    def _between(self, here: Scalars, next: Scalars, entry: Scalars) -> Scalars:
        """The earlier of `here` and the later of `next`, which comes before it, and `entry`."""
        if self.is_packed:
            return (here[0].apply(arith.MinUIOp, next[0].apply(arith.MaxUIOp, entry[0])),)
        before_next, before_here = self.precedes(entry, next), self.precedes(entry, here)
        triples = zip(here, next, entry, strict=True)
        return [before_next.select(n, before_here.select(e, h)) for h, n, e in triples]

    def position(self, k: Number) -> Number:
        return self.count - 1 - k
