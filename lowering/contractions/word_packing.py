"""Copies of operands in words: so many steps of the reduction side by side as an instruction does at once.

    k = 0, 1:   a0 b0 c0 d0 ...      becomes      a0 a1 b0 b1 c0 c1 d0 d1 ...
                a1 b1 c1 d1 ...

Where the elements of a word are neighbours already, words are moved as they are; where its columns are, rows are
interleaved in registers; else one element is copied after the other. What is missing in the last word is zero.

A panel of the right operand ends with what sums of its columns are off by where the sign bits of the left operand are
flipped (`words.py`): with one step more, whose words are these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, NamedTuple, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled
from ...ir.vector_arithmetic import VectorArithmetic, interleave, transposed
from ...properties import cached_property
from .analysis import LHS, OFFSET, RHS, Words, steps_of
from .nest import Parts
from .packing import Block, Copy, Pack, Panels, Walk
from .word_arithmetic import WordArithmetic

_SQUARE = 4
"""Side of the squares of words that are transposed in registers."""

_INTERLEAVED_BYTES = 16
"""Bytes of a row that are interleaved with others at a time: what unpacking instructions of all CPUs take."""


class _Loop(NamedTuple):
    """A loop of a copy, and how far a step of it moves what is read and what is written."""

    trips: int
    read: int
    write: int


def copied_in_words(node: Any) -> Any:
    """A copy of an operand as one in words; other nodes as they are."""
    kinds: dict[type[Any], type[Pack]] = {Panels: WordPanels, Block: WordBlock}
    kind = kinds.get(cast("type[Any]", type(node)))
    return node if kind is None else kind(**{field.name: getattr(node, field.name) for field in fields(node)})


def _words(pack: Pack) -> Words:
    words = pack.contraction.words
    assert words is not None
    return words


@dataclass(frozen=True, eq=False)
class WordPanels(Panels):
    """Panels of words."""

    @property
    def _group(self) -> int:
        return _words(self).dot.group

    @property
    def apart(self) -> list[int]:
        shape = self._shape
        starts = range(shape.columns) if self.side == LHS else shape.vector_starts
        return [start * self._group for start in starts]

    @cached_property
    def _panel(self) -> list[int]:
        """What the steps of a panel take, and those of each of its loops."""
        step = self._shape.columns * self._group
        return list(accumulate([dim.size for dim in reversed(self.tile.reduction)], mul, initial=step))[::-1]

    @property
    def offsets_at(self) -> int:
        """Where in a panel the words are that say what sums are off by."""
        return self._panel[0]

    @cached_property
    def _strides(self) -> list[int]:
        size, *inside = self._panel
        if self._has_offsets:
            size += self._shape.columns * self._group
        counts = [loop.count for loop in (*self.loops, *self.around)]
        return [*list(accumulate(reversed(counts), mul, initial=size))[::-1], *inside]

    @property
    def _has_offsets(self) -> bool:
        return self.side == RHS and _words(self).offset

    def _copy_panel(self, copy: Copy, steps: Walk, source: Terms, target: Terms) -> None:
        across = _Loop(self._shape.columns, self._column, self._group)
        loops = [_Loop(parts.count, read, write) for parts, read, write in steps]
        _WordCopy(copy, loops, across).write(source, target)
        if self._has_offsets:
            with ExitStack() as stack:
                for loop, stride in zip(self.around, self._strides[1 + len(self.loops) :], strict=False):
                    number = index_of(stack.enter_context(copy.builder.loop(loop.count)))
                    target = plus(target, scaled(number, stride))
                self._add_offsets(copy, target)

    def _add_offsets(self, copy: Copy, target: Terms) -> None:
        """Writes what sums of a panel at `target` are off by."""
        builder, arithmetic = copy.builder, VectorArithmetic(copy.builder, False)
        words, shape = WordArithmetic(builder, _words(self)), self._shape
        factors = vector_type(self.tile.factor_type, shape.lanes * self._group)
        sums = vector_type(self.contraction.element_type, shape.lanes)
        flipped, start = arithmetic.splat(OFFSET, factors), builder.base(target)
        step = shape.columns * self._group

        def add(variables: Sequence[SSAValue], before: Sequence[SSAValue]) -> list[SSAValue]:
            here = builder.move(start, {variables[0]: step})
            columns = [builder.load(copy.copy, here, place, factors) for place in self.apart]
            return [words.add_products(flipped, *each) for each in zip(columns, before, strict=True)]

        zero = arithmetic.zero(sums)
        results = builder.carrying_loops([steps_of(self.tile.reduction)], [zero] * len(self.apart), add)
        for place, value in zip(self.apart, results, strict=True):
            negative = arithmetic.subtract(zero, value)
            bits = builder.add(new_op(vector.BitcastOp, [negative], [factors]))
            builder.store(bits, copy.copy, start, self.offsets_at + place)


@dataclass(frozen=True, eq=False)
class WordBlock(Block):
    """A block of words."""

    @property
    def _group(self) -> int:
        return _words(self).dot.group

    @property
    def _unit_bytes(self) -> int:
        return element_bytes(self.tile.factor_type) * self._group

    @cached_property
    def _layout(self) -> tuple[list[int], int]:
        """In words. Chains of these follow each other where the last word has fewer factors."""
        sizes, reads = self._sizes_and_reads()
        chains = sum(dim.digits == self.tile.reduction[-1].digits for dim in self.tile.reduction)
        if chains == 1 or not _words(self).rest:
            return self._laid_out(sizes, reads)
        first = len(sizes) - chains
        writes, distance = self._laid_out([*sizes[:first], prod(sizes[first:])], [*reads[:first], reads[-1]])
        steps = list(accumulate(reversed(sizes[first + 1 :]), mul, initial=writes[-1]))
        return [*writes[:-1], *reversed(steps)], distance

    @property
    def apart(self) -> list[int]:
        return [place * self._group for place in super().apart]

    @property
    def step_strides(self) -> Sequence[int]:
        return [stride * self._group for stride in super().step_strides]

    def move(self, loop: Any, number: Terms, start: Terms) -> Terms:
        return scaled(super().move(loop, number, start), self._group)

    def emit(self, builder: AffineBuilder, source: Terms) -> SSAValue:
        writes, distance = self._layout
        copy = builder.allocate(self.tile.factor_type, distance * self._group)
        loops = [
            _Loop(size, read, write * self._group)
            for size, read, write in zip(*self._sizes_and_reads(), writes, strict=True)
        ]
        body = Copy(self, builder, builder.flatten(self.operand.memref), copy)
        _WordCopy(body, loops[1:], loops[0]).write(source, {})
        return copy


class _WordCopy:
    """Writes the loops that copy words: `steps` of the reduction, the last ones of which walk words, and one `across`,
    over rows or columns."""

    def __init__(self, copy: Copy, steps: Sequence[_Loop], across: _Loop) -> None:
        self.builder, self.flat, self.copy = copy.builder, copy.flat, copy.copy
        self.arithmetic = VectorArithmetic(copy.builder, False)
        self.pack, self.words, self.across = copy.pack, _words(copy.pack), across
        self.type = copy.pack.tile.factor_type
        self.group, self.step = self.words.dot.group, self.words.strides[copy.pack.side]
        self.flipped = self.words.offset and copy.pack.side == LHS
        *outer, inner = steps
        while self.words.rest and inner.trips <= self.words.whole:
            # Chains of words follow each other.
            loop = outer.pop()
            inner = _Loop(loop.trips * inner.trips, inner.read, inner.write)
        self.outer, self.inner = outer, inner
        self.whole = inner.trips - 1 if self.words.rest else inner.trips

    def write(self, source: Terms, target: Terms) -> None:
        """All loops."""
        with ExitStack() as stack:
            for loop in self.outer:
                number = index_of(stack.enter_context(self.builder.loop(loop.trips)))
                source = plus(source, scaled(number, loop.read))
                target = plus(target, scaled(number, loop.write))
            bytes = element_bytes(self.type)
            if self.across.read == 1 and self.across.write == self.group and self.across.trips > 1:
                self._interleaved(source, target, _power(self.across.trips, _INTERLEAVED_BYTES // bytes))
                return
            if self.step == 1 and self.inner.write == self.group:
                self._runs(source, target)
            elif self.step == 1 and self.across.write == self.group and min(self.across.trips, self.whole) >= _SQUARE:
                self._squares(source, target)
            else:
                self._elements(source, target, self.whole, 0, self.group)
            if self.words.rest:
                self._elements(source, target, 1, self.whole, self.words.rest)

    def _inside(
        self, loops: Sequence[tuple[_Loop, int]], source: Terms, target: Terms, stack: ExitStack
    ) -> tuple[Terms, Terms]:
        """Enters loops, each in parts of so many steps; where they are in what is read and written."""
        for loop, span in loops:
            parts = Parts.of(loop.trips, span)
            start = parts.start(self.builder, index_of(stack.enter_context(self.builder.loop(parts.count))))
            source, target = plus(source, scaled(start, loop.read)), plus(target, scaled(start, loop.write))
        return source, target

    def _read(self, source: Terms, offset: int = 0) -> Base:
        return self.builder.base(source, self.pack.operand.offset + offset)

    def _load(self, base: Base, offset: int, count: int) -> SSAValue:
        """Neighbours, in the form that the instruction takes."""
        type = vector_type(self.type, count)
        value = self.builder.load(self.flat, base, offset, type)
        return self.arithmetic.exclusive_or(value, self.arithmetic.splat(OFFSET, type)) if self.flipped else value

    def _runs(self, source: Terms, target: Terms) -> None:
        """Words that follow each other in both."""
        register = self.pack.tile.shape.lanes
        lanes = _power(self.whole, register)
        words = self.inner._replace(trips=self.whole)
        with ExitStack() as stack:
            source, target = self._inside([(self.across, 1), (words, lanes)], source, target, stack)
            value = self._load(self._read(source), 0, lanes * self.group)
            self.builder.store(value, self.copy, self.builder.base(target), 0)

    def _squares(self, source: Terms, target: Terms) -> None:
        """Squares of words that are neighbours in what is read, and across in what is written."""
        builder, chunk = self.builder, _power(self.whole, self.pack.numbers.transposed_steps)
        words, inside = self.inner._replace(trips=self.whole), self.inner._replace(trips=chunk)
        type, square = vector_type(self.type, _SQUARE * self.group), vector_type(i32, _SQUARE)
        with ExitStack() as stack:
            loops = [(words, chunk), (self.across, _SQUARE), (inside, _SQUARE)]
            source, target = self._inside(loops, source, target, stack)
            read, write = self._read(source), builder.base(target)
            rows = [self._load(read, index * self.across.read, _SQUARE * self.group) for index in range(_SQUARE)]
            bits = [builder.add(new_op(vector.BitcastOp, [row], [square])) for row in rows]
            for index, column in enumerate(transposed(self.arithmetic, *bits)):
                value = builder.add(new_op(vector.BitcastOp, [column], [type]))
                builder.store(value, self.copy, write, index * self.inner.write)

    def _interleaved(self, source: Terms, target: Terms, lanes: int) -> None:
        """Rows of neighbours, interleaved; the missing ones of the last word are zeros."""
        words = self.inner._replace(trips=self.whole)
        with ExitStack() as stack:
            loops = [(words, 1), (self.across, lanes)]
            self._interleave(*self._inside(loops, source, target, stack), lanes, self.group)
        if self.words.rest:
            with ExitStack() as stack:
                place = self._inside([(self.across, lanes)], source, target, stack)
                self._interleave(*place, lanes, self.words.rest, self.whole)

    def _interleave(self, source: Terms, target: Terms, lanes: int, rows: int, word: int = 0) -> None:
        read, write = self._read(source, word * self.inner.read), self.builder.base(target, word * self.inner.write)
        zero = self.arithmetic.zero(vector_type(self.type, lanes))
        values = [self._load(read, row * self.step, lanes) if row < rows else zero for row in range(self.group)]
        for index, value in enumerate(self._in_words(values)):
            self.builder.store(value, self.copy, write, index * lanes)

    def _in_words(self, rows: Sequence[SSAValue]) -> list[SSAValue]:
        """The elements of `rows`, those that are at one place of all rows side by side."""
        if len(rows) == 1:
            return [*rows]
        halves = [self._in_words(rows[0::2]), self._in_words(rows[1::2])]
        return [each for a, b in zip(*halves, strict=True) for each in interleave(self.arithmetic, a, b)]

    def _elements(self, source: Terms, target: Terms, count: int, first: int, factors: int) -> None:
        """`count` words from number `first` on, which have so many `factors`."""
        zero = self.arithmetic.zero(vector_type(self.type, 1))
        words = self.inner._replace(trips=count)
        with ExitStack() as stack:
            source, target = self._inside([(words, 1), (self.across, 1)], source, target, stack)
            read = self._read(source, first * self.inner.read)
            write = self.builder.base(target, first * self.inner.write)
            for factor in range(self.group):
                value = self._load(read, factor * self.step, 1) if factor < factors else zero
                self.builder.store(value, self.copy, write, factor)


def _power(count: int, most: int) -> int:
    """The largest power of two that is at most both."""
    return 1 << (min(count, most).bit_length() - 1)
