"""Writes the loops of one Fourier transform."""

from __future__ import annotations

from contextlib import ExitStack
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import AnyFloat, MemRefType
from xdsl.ir import Attribute, Block

from ...decisions.model import CostModel
from ...dialects.fourier import TransformOp, part_type
from ...ir.affine_builder import AffineBuilder
from .butterflies import ComplexArithmetic
from .lines import LineCopies, lines_along, mirror
from .stages import Stages, scratch_type, stages_of


class Emitter:
    """Emits one transform into a block.

    For each vector of lines: the elements go into scratch; every stage reads one scratch and writes the other, in an
    order that leaves the results in theirs (Stockham's autosort); the results go to the output. An inverse transform is
    the one of numbers whose real and imaginary parts have changed places, which change places again at the end.
    """

    def __init__(self, op: TransformOp, model: CostModel, threads: int, block: Block) -> None:
        self.op = op
        self.model = model
        self.threads = threads
        self.length = op.length
        source, result, roots = (cast(MemRefType[Attribute], value.type) for value in (op.input, op.output, op.roots))
        self.part = cast(AnyFloat, part_type(source.element_type))
        axis, lanes = op.axis.value.data, model.target.lanes(self.part.bitwidth)
        self.given = lines_along(source.get_shape(), axis, lanes)
        self.wanted = lines_along(result.get_shape(), axis, lanes)
        self.lanes = self.given.lanes
        self.builder = AffineBuilder(block)
        self.arithmetic = ComplexArithmetic(self.builder, self.part, self.lanes, model.target.fma)
        scale = 1 / self.length if op.inverse else 1.0
        self.stages = [*stages_of(op.factors, scale, roots.element_count(), self.part, self.lanes, model.target.fma)]

    def emit(self, stages: Stages) -> None:
        """All loops."""
        builder, lines, swapped = self.builder, self.given, self.op.inverse is not None
        numbers = lines.others * lines.vectors * 2 * self.length * self.lanes
        traffic, operations = 2 * numbers * self.part.bitwidth // 8, numbers * sum(self.op.factors)
        roots = builder.flatten(self.op.roots)
        square = self.model.fourier.transposed_square
        source = LineCopies(self.arithmetic, self.op.input, self.given, swapped, square)
        result = LineCopies(self.arithmetic, self.op.output, self.wanted, swapped, square)
        sizes = [lines.others, lines.vectors]
        with ExitStack() as loops:
            if self.model.parallelism.worth_a_parallel_region(traffic, operations, self.threads):
                place = loops.enter_context(builder.parallel(sizes))
            else:
                place = [loops.enter_context(builder.loop(size)) for size in sizes]
            type = scratch_type(self.length, self.lanes, self.part)
            scratch, spare = (builder.add(memref.AllocOp((), (), type)) for _ in range(2))
            source.copy(source.start(*place), scratch, read=True)
            if self.op.hermitian:
                mirror(source, scratch, lines.size, self.length)
            for form, stage in self.stages:
                stages.emit(form, stage, builder, scratch, spare, roots)
                scratch, spare = spare, scratch
            result.copy(result.start(*place), scratch, read=False)
