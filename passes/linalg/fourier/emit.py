"""Writes the loops of one Fourier transform."""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import AnyFloat, MemRefType
from xdsl.ir import Attribute, Block, SSAValue

from ....cost_model import worth_a_parallel_region
from ....dialects.fourier import TransformOp, part_type
from ....target import Target
from ..contractions.affine_builder import AffineBuilder, Base, plus
from .butterflies import Number, VectorArithmetic, transform
from .lines import LineCopies, lines_along, mirror


class Emitter:
    """Emits one transform into a block.

    For each vector of lines: the elements go into scratch; every stage reads one scratch and writes the other, in an
    order that leaves the results in theirs (Stockham's autosort); the results go to the output.
    """

    def __init__(self, op: TransformOp, target: Target, threads: int, block: Block) -> None:
        self.op = op
        self.threads = threads
        self.length = op.length
        self.stages = op.factors
        self.sign = 1 if op.inverse else -1
        source, result = (cast(MemRefType[Attribute], value.type) for value in (op.input, op.output))
        self.part = cast(AnyFloat, part_type(source.element_type))
        axis, lanes = op.axis.value.data, target.lanes(self.part.bitwidth)
        self.given = lines_along(source.get_shape(), axis, lanes)
        self.wanted = lines_along(result.get_shape(), axis, lanes)
        self.lanes = self.given.lanes
        self.builder = AffineBuilder(block)
        self.arithmetic = VectorArithmetic(self.builder, self.part, self.lanes, target.fma)

    def emit(self) -> None:
        """All loops."""
        builder, lines = self.builder, self.given
        size = 2 * self.length * self.lanes
        numbers = lines.others * lines.vectors * size
        traffic, operations = 2 * numbers * self.part.bitwidth // 8, numbers * sum(self.stages)
        roots = builder.flatten(self.op.roots)
        source = LineCopies(builder, self.arithmetic, self.op.input, self.given)
        result = LineCopies(builder, self.arithmetic, self.op.output, self.wanted)
        if worth_a_parallel_region(traffic, operations, self.threads):
            with builder.parallel([lines.others, lines.vectors]) as (other, vector):
                self._vector(source, roots, result, other, vector, size)
        else:
            with builder.loop(lines.others) as other, builder.loop(lines.vectors) as vector:
                self._vector(source, roots, result, other, vector, size)

    def _vector(
        self,
        source: LineCopies,
        roots: SSAValue,
        result: LineCopies,
        other: SSAValue | None,
        vector: SSAValue | None,
        size: int,
    ) -> None:
        """The transforms of one vector of lines."""
        type = MemRefType(cast(Attribute, self.part), [size])
        scratch, spare = (self.builder.add(memref.AllocOp((), (), type)) for _ in range(2))
        source.read(source.start(other, vector), scratch)
        if self.op.hermitian:
            mirror(self.builder, self.arithmetic, scratch, self.given.size, self.length)
        first_root = 0
        for number, radix in enumerate(self.stages):
            self._stage(number, roots, first_root, scratch, spare)
            first_root += prod(self.stages[number + 1 :]) * (radix - 1)
            scratch, spare = spare, scratch
        result.write(scratch, result.start(other, vector))

    def _stage(self, number: int, roots: SSAValue, first_root: int, source: SSAValue, target: SSAValue) -> None:
        """Transforms of length `radix` of the elements `count * stride` apart, times the roots between this stage and
        the next ones.
        """
        builder, arithmetic, lanes = self.builder, self.arithmetic, self.lanes
        radix = self.stages[number]
        stride, count = prod(self.stages[:number]), prod(self.stages[number + 1 :])
        element = 2 * lanes
        last = number == len(self.stages) - 1
        with builder.loop(count) as p:
            factors: list[Number] = []
            if not last:
                at = builder.base({} if p is None else {p: 2 * (radix - 1)}, 2 * first_root)
                factors = [
                    Number(*(arithmetic.broadcast(builder.load(roots, at, 2 * j + part)) for part in range(2)))
                    for j in range(radix - 1)
                ]
            with builder.loop(stride) as q:
                inside = {} if q is None else {q: element}
                read = builder.base(plus(inside, {} if p is None else {p: stride * element}))
                write = builder.base(plus(inside, {} if p is None else {p: radix * stride * element}))
                values = [self._number(source, read, k * count * stride * element) for k in range(radix)]
                results = transform(values, self.sign, arithmetic)
                if factors:
                    results = [results[0], *map(arithmetic.times, results[1:], factors)]
                if last and self.op.inverse:
                    scale = arithmetic.splat(1 / self.length)
                    results = [Number(*(arithmetic.multiply(x, scale) for x in value)) for value in results]
                for j, value in enumerate(results):
                    builder.store(value.real, target, write, j * stride * element)
                    builder.store(value.imaginary, target, write, j * stride * element + lanes)

    def _number(self, scratch: SSAValue, at: Base, offset: int) -> Number:
        lanes, vector = self.lanes, self.arithmetic.vector
        return Number(
            self.builder.load(scratch, at, offset, vector), self.builder.load(scratch, at, offset + lanes, vector)
        )
