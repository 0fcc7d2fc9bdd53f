"""`linalg-lower-scans`: running sums and their like become loops along lines.

Every `linalg_ext.scan` on buffers becomes the loops of the schedule of its kernel, where it has one, else of the one
that `kernels-schedule` would choose (`lines/scans.py`).

Needs: level 4; dense memrefs. Leaves: `scf`, `memref` and `arith` ops, with what is in the combiner; `affine.parallel`
for parallel loops; a `memref.alloc` for what lines side by side carry on.

    linalg_ext.scan %x outs(%y) dimension 1 init 0.0 : f32 { ... arith.addf ... } : memref<4x8xf32>, memref<4x8xf32>

becomes

    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %c8 step %c1 iter_args(%total = %zero) -> (f32) {
        %element = memref.load %x[%i, %k] : memref<4x8xf32>
        %next = arith.addf %total, %element : f32
        memref.store %next, %y[%i, %k] : memref<4x8xf32>
        scf.yield %next : f32
      }
    }

Not a pattern pass: a schedule is that of a function.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..decisions.model import cost_model_of
from ..dialects.editing import walk
from ..dialects.linalg_ext import ScanOp
from .lines.rewriting import replace_by_loops, schedule_around
from .lines.scan_loops import ScanLoops
from .lines.scans import decide_scan, plan_of_scan


@dataclass(frozen=True)
class LinalgLowerScansPass(ModulePass):
    """See the module docstring. `threads`: how many the program may use; `vector_bits` 0 is the host's."""

    name = "linalg-lower-scans"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for scan in [inner for inner in walk(op) if type(inner) is ScanOp]:
            plan = plan_of_scan(schedule_around(scan) or decide_scan(scan, model, max(1, self.threads)), scan, model)
            replace_by_loops(scan, model, lambda state, scan=scan, plan=plan: ScanLoops(state, scan, plan).write())
