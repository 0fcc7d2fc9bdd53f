"""Lines of a tensor to scratch and back.

The scratch of a vector of lines holds, for each element, a vector of the real parts of all lines and one of the
imaginary parts. Neighbouring lines, whose elements lie side by side, are copied by vectors; contiguous lines by
squares, which are transposed in registers; other lines one number at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, ComplexType, FloatAttr, MemRefType, UnrealizedConversionCastOp, VectorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import memref_type, vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled
from ...ir.vector_arithmetic import deinterleave, interleave, transposed
from .butterflies import ComplexArithmetic


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
        self, arithmetic: ComplexArithmetic, tensor: SSAValue, lines: Lines, swapped: bool, square: int
    ) -> None:
        self.builder = arithmetic.builder
        self.arithmetic = arithmetic
        self.lines = lines
        self.lanes = lines.lanes
        self.places = (self.lanes, 0) if swapped else (0, self.lanes)
        """Where real and imaginary parts of an element begin in scratch."""
        self.square = min(square, self.lanes)
        type = cast(MemRefType[Attribute], tensor.type)
        self.parts = 2 if isinstance(type.element_type, ComplexType) else 1
        self.memory = self.builder.flatten(_numbers(self.builder, self.builder.flatten(tensor)))

    def start(self, other: SSAValue | None, vector: SSAValue | None) -> Base:
        """Where the first line of a vector begins, in numbers."""
        lines = self.lines
        first = self.builder.part_start(index_of(vector), lines.vectors, lines.lanes, lines.count)
        around = scaled(index_of(other), lines.other_stride)
        return self.builder.base(scaled(plus(scaled(first, lines.stride), around), self.parts))

    def copy(self, start: Base, scratch: SSAValue, read: bool) -> None:
        """The lines from `start` on to scratch, with imaginary parts of 0 for real numbers; or, if not `read`, what is
        in scratch to the lines, only the real parts to a real tensor."""
        builder, lines, parts = self.builder, self.lines, range(self.parts)
        places = self.places[: self.parts]
        if lines.stride == 1:
            shuffle = deinterleave if read else interleave
            with builder.loop(lines.size) as variable:
                at = self._at(start, index_of(variable), {}, read)
                offsets = [part * self.lanes for part in parts]
                self._move(scratch, read, at, offsets, places, self.arithmetic.vector, shuffle)
        elif lines.step == 1 and 1 < self.square and self.square // self.parts <= lines.size:
            self._copy_squares(start, scratch, read)
        else:
            with builder.loop(lines.size) as variable, builder.loop(self.lanes) as lane:
                at = self._at(start, index_of(variable), index_of(lane), read)
                for part, place in zip(parts, places, strict=True):
                    self._move(scratch, read, at, [part], [place], None, None)

    def _copy_squares(self, start: Base, scratch: SSAValue, read: bool) -> None:
        """Contiguous lines, so many at once as the last of a block of elements allows, transposed in registers: rows
        of a square are real and imaginary parts in turn, or real parts only."""
        builder, elements = self.builder, self.square // self.parts
        places = [
            2 * self.lanes * element + place for element in range(elements) for place in self.places[: self.parts]
        ]
        offsets = [line * self.lines.stride * self.parts for line in range(self.square)]
        type, blocks = vector_type(self.arithmetic.vector.element_type, self.square), -(-self.lines.size // elements)
        with builder.loop(self.lanes // self.square) as group, builder.loop(blocks) as block:
            lane = scaled(index_of(group), self.square)
            first = builder.part_start(index_of(block), blocks, elements, self.lines.size)
            at = self._at(start, first, lane, True)
            self._move(scratch, read, at, offsets, places, type, transposed)

    def _move(
        self,
        scratch: SSAValue,
        read: bool,
        at: tuple[Base, Base],
        offsets: Sequence[int],
        places: Sequence[int],
        type: VectorType | None,
        shuffle: Callable[..., list[SSAValue]] | None,
    ) -> None:
        """Numbers, or vectors of them, at `offsets` in the tensor and `places` in scratch, of where `at` says."""
        ends = (self.memory, at[0], offsets), (scratch, at[1], places)
        (source, start, given), (target, end, wanted) = ends if read else ends[::-1]
        values = [self.builder.load(source, start, offset, type) for offset in given]
        zero = None
        if read and self.parts == 1:
            number = FloatAttr(0.0, cast(AnyFloat, self.arithmetic.vector.element_type))
            zero = self.arithmetic.splat(0.0, type) if type else self.builder.constant(number, number.type)
        if shuffle is not None and len(values) > 1:
            values = shuffle(self.arithmetic, *values)
        for value, place in zip(values, wanted, strict=True):
            self.builder.store(value, target, end, place)
            if zero is not None:
                self.builder.store(zero, target, end, place - self.places[0] + self.places[1])

    def _at(self, start: Base, j: Terms, lane: Terms, read: bool) -> tuple[Base, Base]:
        """Where element `j` of a `lane` is in the lines and in scratch; what is read is computed first."""
        steps = scaled(plus(scaled(j, self.lines.step), scaled(lane, self.lines.stride)), self.parts)
        line = self.builder.move(start, steps) if read else start
        row = self.builder.move(self.builder.base(scaled(j, 2 * self.lanes)), lane)
        return line if read else self.builder.move(start, steps), row


def mirror(copies: LineCopies, scratch: SSAValue, given: int, length: int) -> None:
    """Elements `given` to `length` in scratch: the conjugates of those from 1 on, from the end on."""
    builder, arithmetic, step = copies.builder, copies.arithmetic, 2 * copies.lanes
    real, imaginary = copies.places
    with builder.loop(length - given) as j:
        source = builder.base(scaled(index_of(j), step), step)
        target = builder.base(scaled(index_of(j), -step), (length - 1) * step)
        builder.store(builder.load(scratch, source, real, arithmetic.vector), scratch, target, real)
        number = builder.load(scratch, source, imaginary, arithmetic.vector)
        builder.store(arithmetic.negate(number), scratch, target, imaginary)


def _numbers(builder: AffineBuilder, memory: SSAValue) -> SSAValue:
    """A rank-1 memref of complex numbers as one of their parts: the same memory."""
    type = cast(MemRefType[Attribute], memory.type)
    element = type.element_type
    if not isinstance(element, ComplexType):
        return memory
    parts = memref_type(cast(Any, element).element_type, *type.get_shape(), 2)
    return builder.add(new_op(UnrealizedConversionCastOp, [memory], [parts]))
