"""`convert-linalg-to-affine`: linalg ops on memrefs become plain loops.

Does: every linalg op becomes an `affine.for` nest with `affine.load` and `affine.store` on dense memrefs, ordered so
that the innermost loop is contiguous; tiles of transposed operands are copied to buffers; loops that all operands run
through as one are merged (the memrefs are then accessed through a one-dimensional `memref.collapse_shape`); reductions
accumulate in loop-carried scalars or in a row of accumulators in cache. In a function with `xrt.row_dims = p` the first
`p` loops of all ops become one nest, ops over the same points are fused in it, and temporaries shrink to one row. With
`threads > 1` loops that are worth it become `affine.parallel`, copies of large buffers among them.

Needs: level 4 (`docs/design.md`): static shapes, dense memrefs, `memref.subview` only as an output of a linalg op,
ops with the same `xrt.row_dims` function agreeing on their first dimensions (otherwise they stay separate nests).

Leaves: no linalg. `scf`, `memref.load` and `memref.store` as they were. Floating-point ops keep their flags; a float
reduction is reordered only through the order of loops, and split only where the op carries `reassoc`.

    func.func @k(%x: memref<8x16xf32>, %out: memref<8xf32>) {
      linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                      iterator_types = ["parallel", "reduction"]} ins(%x) outs(%out) { ... arith.addf ... }
    }

becomes

    affine.for %i = 0 to 8 {
      %sum = affine.for %j = 0 to 16 iter_args(%acc = %zero) -> (f32) {
        %value = affine.load %x[%i, %j] : memref<8x16xf32>
        %next = arith.addf %value, %acc : f32
        affine.yield %next : f32
      }
      affine.store %sum, %out[%i] : memref<8xf32>
    }

The plan of a nest is in `linalg_to_affine/schedule.py`. Lowering structured ops to loops is MLIR's
`convert-linalg-to-affine-loops`; choosing the order, tiles and accumulators here instead of in later loop passes is
closer to Halide's schedules.

Not a pattern pass: the ops of a kernel share loops, which a schedule of the whole kernel decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from ..decisions.model import CostModel, cost_model_of
from ..dialects import locating
from ..dialects.xrt_names import INLINE_COPIES, SERIAL
from ..ir.function_passes import Function, FunctionPass
from .linalg_to_affine.copies import share_copies
from .linalg_to_affine.from_linalg import gathers_short_rows
from .linalg_to_affine.function_state import FunctionState
from .linalg_to_affine.scheduled import lower_block, lower_scheduled, row_dims
from .streams import take_schedule


@dataclass(frozen=True)
class ConvertLinalgToAffinePass(FunctionPass):
    """linalg on memrefs to affine loops. `threads`: how many the program may use; `vector_bits`: vector length to
    assume, 0 for the host's."""

    name = "convert-linalg-to-affine"

    threads: int = 1
    vector_bits: int = 0

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        model, threads = cost_model_of(ctx, self.vector_bits), max(1, self.threads)
        copies = share_copies(module, threads, cost_model_of(ctx))
        return _lowered(chain(reversed(copies), functions), model, threads)


def _lowered(functions: Iterable[Function], model: CostModel, threads: int) -> Iterator[Function]:
    for function in functions:
        if isinstance(function, func.FuncOp) and function.body.first_block is not None:
            lower_function(function, model, 1 if SERIAL in function.attributes else threads)
        yield function


def lower_function(function: func.FuncOp, model: CostModel, threads: int) -> None:
    """Replaces all linalg ops of one function."""
    entry = function.body.block
    locating.at(function)
    state = FunctionState.of(function, model, threads)
    if any(gathers_short_rows(op, model) for op in entry.ops):
        function.attributes[INLINE_COPIES] = UnitAttr()
    schedule = take_schedule(function)
    if schedule is not None:
        lower_scheduled(state, function, schedule)
    else:
        lower_block(state, entry, row_dims(function))
