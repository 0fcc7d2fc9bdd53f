"""Copies of what the loops behind them read of an operand, with converted elements.

Panels have for every step of the reduction the columns of a tile side by side, or of the left operand the rows. A block
of the left operand keeps the order of its strides and becomes dense.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from operator import mul

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.contractions import Contractions
from ...decisions.register_tiles import RegisterTile
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from ...dialects.shared_attributes import memref_type, vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled, scratch_buffer
from ...ir.structured import element_type
from ...ir.vector_arithmetic import VectorArithmetic
from ...ir.vectors import on_vectors
from ...properties import cached_property
from .analysis import LHS, Contraction, Operand
from .nest import Loop, Parts, Tile

_SQUARE = 4
"""Side of the squares that are transposed in registers: eight shuffles of four lanes."""

Walk = list[tuple[Parts, int, int]]
"""Loops, and how far a step of each moves what is read and what is written."""


@dataclass(frozen=True, eq=False)
class Pack(ABC):
    """A copy of operand number `side`, which the loops `around` tiles over the reduction and those of the tile walk."""

    side: int
    contraction: Contraction
    tile: Tile
    around: tuple[Loop, ...]
    prefetched: bool
    """Whether rows that lie far apart are fetched ahead."""
    numbers: Contractions

    @property
    def operand(self) -> Operand:
        """What is copied."""
        return self.contraction.operands[self.side]

    @cached_property
    def conversion(self) -> type[Operation] | None:
        """How elements are converted."""
        return self.contraction.conversion(self.operand, self.tile.factor_type)

    @cached_property
    def converts_vectors(self) -> bool:
        """Whether that is done as vectors. Conversions of integers take scalars only, in loops that LLVM vectorises."""
        return self.conversion is None or self.conversion is arith.ExtFOp

    @property
    @abstractmethod
    def apart(self) -> list[int]:
        """Where in a step the elements of the rows of a tile, or its vectors, are."""

    @property
    @abstractmethod
    def step_strides(self) -> Sequence[int]:
        """How far the loops of a tile move in it."""

    @abstractmethod
    def move(self, loop: Loop, number: Terms, start: Terms) -> Terms:
        """How far `loop` moves in it, at the iteration of this `number`, which begins at `start`."""

    @abstractmethod
    def emit(self, builder: AffineBuilder, source: Terms) -> SSAValue:
        """Writes the loops that copy from `source` on; the copy."""


@dataclass(frozen=True, eq=False)
class Panels(Pack):
    """A copy in panels, one for each iteration of `loops`, which walk the rows or columns of tiles.

    `parallel`: as a parallel loop, over `splits` parts of the outermost loop of the reduction too. `hoisted`: by a
    function that the program calls.
    """

    loops: tuple[Loop, ...]
    parallel: bool = False
    splits: int = 1
    hoisted: bool = False

    @cached_property
    def _in_vectors(self) -> bool:
        """Whether the columns of a step are neighbours, and can be copied as vectors."""
        return self.converts_vectors and self._column == 1

    @property
    def _column(self) -> int:
        return self.loops[-1].dim.strides[self.side]

    @property
    def _shape(self) -> RegisterTile:
        """Rows and columns of a tile; its rows as columns for the left operand."""
        shape = self.tile.shape
        return RegisterTile(0, 1, 1, shape.rows, shape.rows) if self.side == LHS else shape

    @property
    def apart(self) -> list[int]:
        shape = self._shape
        if self.side == LHS:
            return list(range(shape.columns))
        starts = range(0, shape.vectors * shape.lanes, shape.lanes) if self._in_vectors else shape.vector_starts
        return [starts[first] for first, _ in shape.groups]

    @cached_property
    def _strides(self) -> list[int]:
        """Sizes of the whole copy, and of what an iteration of each of its loops takes, from the outside in."""
        step = self._shape.vectors * self._shape.lanes if self._in_vectors else self._shape.columns
        counts = [loop.count for loop in (*self.loops, *self.around)] + [dim.size for dim in self.tile.reduction]
        return list(accumulate(reversed(counts), mul, initial=step))[::-1]

    @property
    def type(self) -> MemRefType[Attribute]:
        """The type of the copy."""
        return memref_type(self.tile.factor_type, self._strides[0])

    @property
    def step_strides(self) -> Sequence[int]:
        return self._strides[1 + len(self.loops) + len(self.around) :]

    def move(self, loop: Loop, number: Terms, start: Terms) -> Terms:
        walked = (*self.loops, *self.around)
        return scaled(number, self._strides[1 + walked.index(loop)]) if loop in walked else {}

    def emit(
        self,
        builder: AffineBuilder,
        source: Terms,
        operand: SSAValue | None = None,
        copy: SSAValue | None = None,
    ) -> SSAValue:
        """Writes the loops that copy `operand` from `source` on, to `copy` or to scratch memory, which is returned."""
        operand = operand or self.operand.memref
        copy = copy or builder.add(scratch_buffer(self.type))
        outermost, *inner = (*(loop.dim for loop in self.around), *self.tile.reduction)
        part = outermost.size // self.splits
        first, *strides = self._strides[len(self.loops) + 1 :]
        walk = [
            (loop.parts, loop.dim.strides[self.side], stride)
            for loop, stride in zip(self.loops, self._strides[1:], strict=False)
        ]
        walk.append((Parts.of(outermost.size, part), outermost.strides[self.side], first * part))
        with builder.loops([parts.count for parts, _, _ in walk], self.parallel) as variables:
            target: Terms = {}
            moves = list(zip(walk, map(index_of, variables), strict=True))
            # Steps first, as in all addresses.
            for (parts, read, write), number in (*moves[:-3], moves[-1], *moves[-3:-1]):
                source = plus(source, scaled(parts.start(builder, number), read))
                target = plus(target, scaled(number, write))
            dims = (changed(outermost, size=part), *inner)
            steps = [(Parts.of(d.size), d.strides[self.side], w) for d, w in zip(dims, (first, *strides), strict=True)]
            self._copy_panel(Copy(self, builder, builder.flatten(operand), copy), steps, source, target)
        return copy

    def _copy_panel(self, copy: Copy, steps: Walk, source: Terms, target: Terms) -> None:
        """Copies a panel, whose reduction `steps` walk, from `source` to `target`."""
        shape = self._shape
        if self._in_vectors:
            copy.walk(steps, source, target, partial(copy.vectors, shape, steps[-1][1]))
            return
        contiguous = next((index for index, (_, read, _) in enumerate(steps) if read == 1), None)
        if contiguous is None:
            copy.walk([*steps, (Parts.of(shape.columns), self._column, 1)], source, target, copy.element)
            return
        # Some steps of a column at a time, so many that a cache line is read to its end.
        (parts, read, write), chunk = steps[contiguous], self.numbers.transposed_steps
        while chunk > parts.size:
            chunk //= 2
        squares = self.converts_vectors and shape.columns % _SQUARE == 0 and chunk >= _SQUARE
        side = _SQUARE if squares else 1
        walk = [*steps, (Parts.of(shape.columns, side), self._column, 1)]
        if chunk > 1:
            walk[contiguous] = Parts.of(parts.size, chunk), read, write
            walk.append((Parts.of(chunk, side), read, write))
        copy.walk(walk, source, target, partial(copy.square, self._column, write) if squares else copy.element)


@dataclass(frozen=True, eq=False)
class Block(Pack):
    """A copy of the rows of all tiles of a block, in the order of the operand's strides."""

    @cached_property
    def _layout(self) -> tuple[list[int], int]:
        """The distances of rows and of the steps of the reduction, and the size of the copy."""
        return self._laid_out(*self._sizes_and_reads())

    def _laid_out(self, sizes: Sequence[int], reads: Sequence[int]) -> tuple[list[int], int]:
        """The same of loops of `sizes`, by how far they move what is read."""
        bytes = self._unit_bytes
        writes, distance = [0] * len(sizes), 1
        for index in sorted(range(len(sizes)), key=lambda index: -abs(reads[index]))[::-1]:
            writes[index] = distance
            distance *= sizes[index]
            if distance * bytes % self.numbers.colliding_bytes == 0:
                distance += self.tile.shape.lanes
        return writes, distance

    @property
    def _unit_bytes(self) -> int:
        """Bytes of what the layout is made of."""
        return element_bytes(self.tile.factor_type)

    def _sizes_and_reads(self) -> tuple[list[int], list[int]]:
        dims = (self.tile.rows.dim, *self.tile.reduction)
        return [self.tile.rows.parts.size, *(dim.size for dim in self.tile.reduction)], [
            dim.strides[self.side] for dim in dims
        ]

    @property
    def apart(self) -> list[int]:
        return [row * self._layout[0][0] for row in range(self.tile.shape.rows)]

    @property
    def step_strides(self) -> Sequence[int]:
        return self._layout[0][1:]

    def move(self, loop: Loop, number: Terms, start: Terms) -> Terms:
        return scaled(start, self._layout[0][0]) if loop is self.tile.rows else {}

    def emit(self, builder: AffineBuilder, source: Terms) -> SSAValue:
        writes, distance = self._layout
        copy = builder.allocate(self.tile.factor_type, distance)
        flat = builder.flatten(self.operand.memref)
        loops = sorted(zip(*self._sizes_and_reads(), writes, strict=True), key=lambda loop: -abs(loop[1]))
        *outer, (size, read, write) = [loop for loop in loops if loop[0] > 1]
        lanes = self.tile.shape.lanes if read == write == 1 and self.converts_vectors else 1
        while lanes > size:
            lanes //= 2
        short = lanes > 1 and size * element_bytes(self.tile.factor_type) <= self.numbers.colliding_bytes
        ahead = outer[-1][1] * self.numbers.prefetched_steps if outer and short and self.prefetched else 0

        walk = [*((Parts.of(size), read, write) for size, read, write in outer), (Parts.of(size, lanes), read, write)]
        body = Copy(self, builder, flat, copy)
        body.walk(walk, source, {}, partial(body.element, lanes=lanes if lanes > 1 else 0, ahead=ahead))
        return copy


@dataclass(frozen=True)
class Copy:
    """Writes what copies elements of the operand of `pack`, which is `flat`, to `copy`."""

    pack: Pack
    builder: AffineBuilder
    flat: SSAValue
    copy: SSAValue

    def walk(self, loops: Walk, source: Terms, target: Terms, body: Callable[[Terms, Terms], None]) -> None:
        """`body(source, target)` inside `loops`."""
        with ExitStack() as stack:
            for parts, read, write in loops:
                step = parts.start(self.builder, index_of(stack.enter_context(self.builder.loop(parts.count))))
                source, target = plus(source, scaled(step, read)), plus(target, scaled(step, write))
            body(source, target)

    def _load(self, base: Base, offset: int, lanes: int) -> SSAValue:
        type, conversion = self.pack.tile.factor_type, self.pack.conversion
        return load_factor(self.builder, self.flat, base, offset, lanes, type, conversion)

    def element(self, source: Terms, target: Terms, lanes: int = 0, ahead: int = 0) -> None:
        """An element, or a vector of `lanes`; what is `ahead` is fetched."""
        read = self.builder.base(source, self.pack.operand.offset)
        value = self._load(read, 0, lanes)
        self.builder.store(value, self.copy, self.builder.base(target), 0)
        if ahead:
            self.builder.prefetch(self.flat, read, ahead)

    def vectors(self, shape: RegisterTile, ahead: int, source: Terms, target: Terms) -> None:
        """The columns of a step; the next one is `ahead`."""
        builder, numbers = self.builder, self.pack.numbers
        read, write = builder.base(source, self.pack.operand.offset), builder.base(target)
        for first, count in shape.groups:
            value = self._load(read, shape.vector_starts[first], count * shape.lanes)
            builder.store(value, self.copy, write, first * shape.lanes)
        if self.pack.prefetched and abs(ahead) > shape.columns:
            lines = -(-shape.columns * element_bytes(element_type(self.flat)) // CACHE_LINE_BYTES)
            builder.prefetch(self.flat, read, numbers.prefetched_steps * ahead, lines)

    def square(self, column: int, step: int, source: Terms, target: Terms) -> None:
        """Four columns times four contiguous steps, transposed by interleaving twice; `column` is how far columns are
        apart, `step` how far steps are in the copy."""
        builder, shuffle = self.builder, VectorArithmetic(self.builder, False).shuffle
        read, write = builder.base(source, self.pack.operand.offset), builder.base(target)
        rows = [self._load(read, index * column, _SQUARE) for index in range(_SQUARE)]
        pairs = [[shuffle(rows[i], rows[i + 1], mask) for i in (0, 2)] for mask in ((0, 4, 1, 5), (2, 6, 3, 7))]
        steps = [shuffle(a, b, mask) for a, b in pairs for mask in ((0, 1, 4, 5), (2, 3, 6, 7))]
        for index, value in enumerate(steps):
            builder.store(value, self.copy, write, index * step)


def load_factor(
    builder: AffineBuilder,
    flat: SSAValue,
    base: Base,
    offset: int,
    lanes: int,
    type: Attribute,
    conversion: type[Operation] | None,
) -> SSAValue:
    """The elements from `base + offset` on as a vector of `lanes` elements of `type`, or one element if that is 0."""
    read = type if conversion is None else element_type(flat)
    value = builder.load(flat, base, offset, vector_type(read, lanes) if lanes else None)
    if conversion is None:
        return value
    if not lanes:
        return builder.add(new_op(conversion, [value], [type]))
    return builder.add(new_op(on_vectors(conversion), [value], [vector_type(type, lanes)]))
