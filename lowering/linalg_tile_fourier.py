"""`linalg-tile-fourier`: Fourier transforms become loops over vectors of lines.

Every `fourier.transform` on buffers is computed for as many lines at once as a vector has lanes, with lanes along the
innermost dimension or along the outer ones: all arithmetic is on whole vectors, for any mixture of factors, without a
shuffle. Lines that are no multiple of the lanes are computed by a last vector that overlaps the one before it.

Needs: level 4; dense memrefs; every factor among `fourier_plan.STAGE_RADICES`. Leaves: `affine`, `vector`, `memref`,
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

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ..decisions.model import cost_model_of
from ..dialects.editing import erase, insert_before, walk
from ..dialects.fourier import TransformOp
from .fourier.emit import Emitter
from .fourier.stages import Stages


@dataclass(frozen=True)
class LinalgTileFourierPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's; `threads` 1 leaves no parallel loops."""

    name = "linalg-tile-fourier"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        transforms = [inner for inner in walk(op) if type(inner) is TransformOp]
        emitters = [Emitter(transform, model, self.threads, Block()) for transform in transforms]
        stages = Stages(op, [form for emitter in emitters for form, _ in emitter.stages], model)
        for transform, emitter in zip(transforms, emitters, strict=True):
            emitter.emit(stages)
            for new in list(emitter.builder.block.ops):
                new.detach()
                insert_before(new, transform)
            erase(transform)
