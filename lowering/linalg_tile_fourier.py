"""`linalg-tile-fourier`: Fourier transforms become loops over vectors of lines.

Every `fourier.transform` on buffers is computed for as many lines at once as a vector has lanes, with lanes along the
innermost dimension or along the outer ones: all arithmetic is on whole vectors, for any mixture of factors, without a
shuffle. Lines that are no multiple of the lanes are computed by a last vector that overlaps the one before it.

Loops over lines are those of the schedule of the kernel, where it has one (`fourier/scheduled.py`).

Needs: level 4; dense memrefs; every factor among `fourier_tables.STAGE_RADICES`. Leaves: `affine`, `vector`, `memref`,
`arith` and `complex` ops; `affine.parallel` around the vectors of lines if `threads` > 1 and the work pays for it; two
`memref.alloc` for the lines of a vector; calls of new private functions for stages of equal factors.

    fourier.transform %x, %roots outs(%y) axis 1 stages [2] : memref<16x2xcomplex<f32>>, ...

becomes

    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    affine.for %lane = 0 to 4 { ... four lines, transposed, to %a[%lane * 4], %a[%lane * 4 + 16], ... }
    %re0 = affine.vector_load %a[0] : memref<64xf32>, vector<16xf32>
    ...
    affine.vector_store %sum, %b[0] : memref<64xf32>, vector<16xf32>
    ...

The order of reads and writes is Stockham's (Cochran et al., "What is the fast Fourier transform?", 1967): a stage of
factor `r`, with `m` the product of the factors behind it and `s` of those before it, reads the elements
`q + s (p + m k)` and writes its results to `q + s (r p + j)`.

Not a pattern pass: the transforms of a module share the functions of their stages, which are collected first.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import AnyFloat, MemRefType, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from ..decisions.model import CostModel, cost_model_of
from ..dialects import locating
from ..dialects.editing import erase, walk
from ..dialects.fourier import TransformOp, part_type
from ..ir.affine_builder import AffineBuilder
from .fourier.butterflies import ComplexArithmetic
from .fourier.lines import LineCopies, lines_along, mirror
from .fourier.scheduled import Walk, decide_walk, walk_of
from .fourier.stages import Stages, scratch_type, stages_of
from .streams import take_schedule


@dataclass(frozen=True)
class LinalgTileFourierPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's; `threads` 1 leaves no parallel loops."""

    name = "linalg-tile-fourier"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        transforms = [
            _Transform(inner, self._walk(inner, model), model) for inner in walk(op) if type(inner) is TransformOp
        ]
        stages = Stages(op, [form for transform in transforms for form, _ in transform.stages], model)
        for transform in transforms:
            locating.at(transform.op)
            assert transform.op.parent is not None
            transform.write(stages, AffineBuilder(transform.op.parent, transform.op))
            erase(transform.op)

    def _walk(self, op: TransformOp, model: CostModel) -> Walk:
        """The loops that the schedule of the kernel says."""
        function = op.parent_op()
        found = take_schedule(function) if isinstance(function, func.FuncOp) else None
        if found is not None:
            return walk_of(found, op, model)
        return decide_walk(op, model, self.threads)


class _Transform:
    """One transform.

    For each vector of lines: the elements go into scratch; every stage reads one scratch and writes the other, in an
    order that leaves the results in theirs (Stockham's autosort); the results go to the output. An inverse transform is
    the one of numbers whose real and imaginary parts have changed places, which change places again at the end.
    """

    def __init__(self, op: TransformOp, walk: Walk, model: CostModel) -> None:
        self.op, self.walk, self.model, self.length = op, walk, model, op.length
        source, result, roots = (cast(MemRefType[Attribute], value.type) for value in (op.input, op.output, op.roots))
        self.part = cast(AnyFloat, part_type(source.element_type))
        axis, lanes = op.axis.value.data, model.target.lanes(self.part.bitwidth)
        self.given, self.wanted = (
            replace(lines_along(type.get_shape(), axis, lanes), lanes=walk.lanes) for type in (source, result)
        )
        scale = 1 / self.length if op.inverse else 1.0
        count, fma = roots.element_count(), model.target.fma
        self.stages = [*stages_of(op.factors, scale, count, self.part, self.given.lanes, fma)]

    def write(self, stages: Stages, builder: AffineBuilder) -> None:
        """All loops."""
        lines, lanes, swapped = self.given, self.given.lanes, self.op.inverse is not None
        arithmetic = ComplexArithmetic(builder, self.part, lanes, self.model.target.fma)
        roots = builder.flatten(self.op.roots)
        square = self.model.fourier.transposed_square
        source = LineCopies(arithmetic, self.op.input, self.given, swapped, square)
        result = LineCopies(arithmetic, self.op.output, self.wanted, swapped, square)
        counts, place = self.walk.counts(lines), dict[str, SSAValue | None]()
        with ExitStack() as stack:
            for parallel, loops in groupby(self.walk.loops, lambda loop: loop[1]):
                names = [name for name, _ in loops]
                variables = stack.enter_context(builder.loops([counts[name] for name in names], parallel))
                place.update(zip(names, variables, strict=True))
            other, vector = place["others"], place["vectors"]
            type = scratch_type(self.length, lanes, self.part)
            scratch, spare = (builder.add(memref.AllocOp((), (), type)) for _ in range(2))
            source.copy(source.start(other, vector), scratch, read=True)
            if self.op.hermitian:
                mirror(source, scratch, lines.size, self.length)
            for form, stage in self.stages:
                stages.emit(form, stage, builder, scratch, spare, roots)
                scratch, spare = spare, scratch
            result.copy(result.start(other, vector), scratch, read=False)
