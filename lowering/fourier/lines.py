"""Lines of a tensor to scratch and back.

The scratch of a vector of lines holds, for each element, a vector of the real parts of all lines and one of the
imaginary parts. Neighbouring lines, whose elements lie side by side, are copied by vectors; contiguous lines by
squares, which are transposed in registers; other lines one number at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Any, cast

from xdsl.dialects.builtin import ComplexType, MemRefType, UnrealizedConversionCastOp, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from ...ir.affine_builder import AffineBuilder, Base, Terms, plus, scaled
from .butterflies import VectorArithmetic
from .shuffles import Shuffles

NOTHING: Terms = MappingProxyType({})


@dataclass(frozen=True)
class Lines:
    """The lines along an axis of a tensor: `lanes` of them at once, of `count` lines `stride` apart.

    `others` lines are around these, `other_stride` apart; `step` is the distance of the elements of a line, `size`
    their count. Distances are in elements.
    """

    count: int
    stride: int
    others: int
    other_stride: int
    step: int
    size: int
    lanes: int

    @property
    def vectors(self) -> int:
        """Vectors of lines; the last one overlaps the one before it where the lines are no multiple of the lanes."""
        return -(-self.count // self.lanes)

    @property
    def overlap(self) -> int:
        """Lines that the last two vectors share."""
        return self.vectors * self.lanes - self.count


def lines_along(shape: Sequence[int], axis: int, lanes: int) -> Lines:
    """The lines of a tensor of `shape`, with vectors of up to `lanes` of them: along the inner dimensions where they
    are long enough, otherwise along the outer ones.
    """
    outer, inner, size = prod(shape[:axis]), prod(shape[axis + 1 :]), shape[axis]
    if inner >= min(lanes, outer):
        count, stride, others, other_stride = inner, 1, outer, size * inner
    else:
        count, stride, others, other_stride = outer, size * inner, inner, 1
    while lanes > count:
        lanes //= 2
    return Lines(count, stride, others, other_stride, inner, size, lanes)


class LineCopies:
    """Copies between `tensor`, whose lines are `lines`, and scratch. With `swapped` real and imaginary parts have
    changed places in scratch.
    """

    def __init__(
        self,
        builder: AffineBuilder,
        arithmetic: VectorArithmetic,
        tensor: SSAValue,
        lines: Lines,
        swapped: bool,
        square: int,
    ) -> None:
        self.builder = builder
        self.arithmetic = arithmetic
        self.lines = lines
        self.lanes = lines.lanes
        self.places = (self.lanes, 0) if swapped else (0, self.lanes)
        """Where real and imaginary parts of an element begin in scratch."""
        self.square = min(square, self.lanes)
        self.pairs = Shuffles(builder, arithmetic.vector)
        self.shuffles = Shuffles(builder, VectorType(cast(Attribute, arithmetic.part), [self.square]))
        type = cast(MemRefType[Attribute], tensor.type)
        self.parts = 2 if isinstance(type.element_type, ComplexType) else 1
        self.memory = builder.flatten(_numbers(builder, builder.flatten(tensor)))

    def start(self, other: SSAValue | None, vector: SSAValue | None) -> Base:
        """Where the first line of a vector begins, in numbers."""
        lines, terms = self.lines, dict[SSAValue, int]()
        if vector is not None:
            overlap = lines.overlap
            index = AffineExpr.dimension(0)
            first = index * lines.lanes - index // (lines.vectors - 1) * overlap
            terms = {self.builder.evaluate(first, [vector]) if overlap else vector: 1 if overlap else lines.lanes}
        around: Terms = {} if other is None else {other: lines.other_stride}
        return self.builder.base(scaled(plus(scaled(terms, lines.stride), around), self.parts))

    def read(self, start: Base, scratch: SSAValue) -> None:
        """The lines to scratch; real numbers have imaginary parts of 0."""
        if self.lines.stride == 1:
            with self.builder.loop(self.lines.size) as j:
                self._read_neighbours(start, scratch, _terms(j))
        elif self._has_squares():
            self._squares(start, lambda line, at: self._read_square(line, scratch, at))
        else:
            with self.builder.loop(self.lines.size) as j, self.builder.loop(self.lanes) as lane:
                self._read_number(start, scratch, _terms(j), _terms(lane))

    def write(self, scratch: SSAValue, start: Base) -> None:
        """What is in scratch to the lines; of real tensors the real parts."""
        if self.lines.stride == 1:
            with self.builder.loop(self.lines.size) as j:
                self._write_neighbours(scratch, start, _terms(j))
        elif self._has_squares():
            self._squares(start, lambda line, at: self._write_square(scratch, at, line))
        else:
            with self.builder.loop(self.lines.size) as j, self.builder.loop(self.lanes) as lane:
                self._write_number(scratch, start, _terms(j), _terms(lane))

    def _in_scratch(self, j: Terms) -> Base:
        return self.builder.base(scaled(j, 2 * self.lanes))

    def _in_lines(self, start: Base, j: Terms, lane: Terms = NOTHING) -> Base:
        steps = plus(scaled(j, self.lines.step), scaled(lane, self.lines.stride))
        return self.builder.move(start, scaled(steps, self.parts))

    # Neighbouring lines

    def _read_neighbours(self, start: Base, scratch: SSAValue, j: Terms) -> None:
        builder, vector = self.builder, self.arithmetic.vector
        source, target = self._in_lines(start, j), self._in_scratch(j)
        loaded = [builder.load(self.memory, source, part * self.lanes, vector) for part in range(self.parts)]
        parts = (loaded[0], self.arithmetic.splat(0.0)) if self.parts == 1 else self.pairs.deinterleave(*loaded)
        for place, value in zip(self.places, parts, strict=True):
            builder.store(value, scratch, target, place)

    def _write_neighbours(self, scratch: SSAValue, start: Base, j: Terms) -> None:
        builder, vector = self.builder, self.arithmetic.vector
        source, target = self._in_scratch(j), self._in_lines(start, j)
        parts = [builder.load(scratch, source, place, vector) for place in self.places[: self.parts]]
        for part, value in enumerate(parts if self.parts == 1 else self.pairs.interleave(*parts)):
            builder.store(value, self.memory, target, part * self.lanes)

    # Contiguous lines

    @property
    def _elements(self) -> int:
        """Elements of a line in a square."""
        return self.square // self.parts

    def _has_squares(self) -> bool:
        return self.lines.step == 1 and 1 < self.square and self._elements <= self.lines.size

    def _blocks(self) -> int:
        return -(-self.lines.size // self._elements)

    def _first_of(self, block: SSAValue | None) -> Terms:
        """The first element of a block; the last block overlaps the one before it."""
        overlap = self._blocks() * self._elements - self.lines.size
        if block is None or not overlap:
            return scaled(_terms(block), self._elements)
        index = AffineExpr.dimension(0)
        start = index * self._elements - index // (self._blocks() - 1) * overlap
        return {self.builder.evaluate(start, [block]): 1}

    def _squares(self, start: Base, move: Callable[[Base, Base], None]) -> None:
        """`move(place in the tensor, place in scratch)` for all squares."""
        builder = self.builder
        with builder.loop(self.lanes // self.square) as group:
            lane = scaled(_terms(group), self.square)
            with builder.loop(self._blocks()) as block:
                first = self._first_of(block)
                move(self._in_lines(start, first, lane), builder.move(self._in_scratch(first), lane))

    def _places(self) -> list[tuple[int, int]]:
        """Where line and row of a square of each number lie, in the tensor and in scratch: rows are real and imaginary
        parts in turn, or real parts only.
        """
        rows = [
            2 * self.lanes * element + place for element in range(self._elements) for place in self.places[: self.parts]
        ]
        return [(number * self.lines.stride * self.parts, row) for number, row in enumerate(rows)]

    def _read_square(self, source: Base, scratch: SSAValue, target: Base) -> None:
        builder, shuffles = self.builder, self.shuffles
        lines = [builder.load(self.memory, source, line, shuffles.vector) for line, _ in self._places()]
        zero = self.arithmetic.splat(0.0, self.square) if self.parts == 1 else None
        for (_, row), value in zip(self._places(), shuffles.transposed(lines), strict=True):
            builder.store(value, scratch, target, row)
            if zero is not None:
                builder.store(zero, scratch, target, row - self.places[0] + self.places[1])

    def _write_square(self, scratch: SSAValue, source: Base, target: Base) -> None:
        builder, shuffles = self.builder, self.shuffles
        rows = [builder.load(scratch, source, row, shuffles.vector) for _, row in self._places()]
        for (line, _), value in zip(self._places(), shuffles.transposed(rows), strict=True):
            builder.store(value, self.memory, target, line)

    # Other lines

    def _read_number(self, start: Base, scratch: SSAValue, j: Terms, lane: Terms) -> None:
        builder = self.builder
        source, target = self._in_lines(start, j, lane), builder.move(self._in_scratch(j), lane)
        for part, place in enumerate(self.places):
            value = builder.load(self.memory, source, part) if part < self.parts else self.arithmetic.zero()
            builder.store(value, scratch, target, place)

    def _write_number(self, scratch: SSAValue, start: Base, j: Terms, lane: Terms) -> None:
        builder = self.builder
        source, target = builder.move(self._in_scratch(j), lane), self._in_lines(start, j, lane)
        for part, place in enumerate(self.places[: self.parts]):
            builder.store(builder.load(scratch, source, place), self.memory, target, part)


def mirror(copies: LineCopies, scratch: SSAValue, given: int, length: int) -> None:
    """Elements `given` to `length` in scratch: the conjugates of those from 1 on, from the end on."""
    builder, arithmetic, lanes = copies.builder, copies.arithmetic, copies.lanes
    real, imaginary = copies.places
    with builder.loop(length - given) as j:
        source = builder.base(scaled(_terms(j), 2 * lanes), 2 * lanes)
        target = builder.base(scaled(_terms(j), -2 * lanes), (length - 1) * 2 * lanes)
        builder.store(builder.load(scratch, source, real, arithmetic.vector), scratch, target, real)
        number = builder.load(scratch, source, imaginary, arithmetic.vector)
        builder.store(arithmetic.negate(number), scratch, target, imaginary)


def _terms(variable: SSAValue | None) -> Terms:
    return {} if variable is None else {variable: 1}


def _numbers(builder: AffineBuilder, memory: SSAValue) -> SSAValue:
    """A rank-1 memref of complex numbers as one of their parts: the same memory."""
    type = cast(MemRefType[Attribute], memory.type)
    element = type.element_type
    if not isinstance(element, ComplexType):
        return memory
    parts = MemRefType(cast(Any, element).element_type, [*type.get_shape(), 2])
    return builder.add(UnrealizedConversionCastOp.create(operands=[memory], result_types=[parts]))
