"""`linalg-lower-sorts`: sorts become loops over lines, and over the passes of an algorithm.

Every `linalg_ext.sort` on buffers becomes the loops of the schedule of its kernel, where it has one, else of the one
that `kernels-schedule` would choose (`lines/sorts.py`); the algorithms are in `lines/sorting.py` and
`lines/selection.py`.

Needs: level 4; dense memrefs. Leaves: `scf`, `memref` and `arith` ops, with what is in the comparator;
`affine.parallel` for parallel loops; a `memref.alloc` for each scratch of a line.

    linalg_ext.sort %x outs(%y) dimension 1 { ... arith.cmpi slt, %a, %b ... } : (memref<4x9xi32>) (memref<4x9xi32>)

becomes, by merging,

    %scratch = memref.alloc() : memref<2x11xi32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %c9 step %c1 { ... %x[%i, %k] to %scratch[0, %k] ... }
      scf.for %pass = %c0 to %c3 step %c1 { ... }
      %left = scf.for %k = %c0 to %c9 step %c1 iter_args(%l = %c0) -> (index) { ... to %y[%i, %k] ... }
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
from ..dialects.linalg_ext import SortOp
from .lines.rewriting import replace_by_loops, schedule_around
from .lines.sorts import SortLoops, decide_sort, plan_of_sort


@dataclass(frozen=True)
class LinalgLowerSortsPass(ModulePass):
    """See the module docstring. `threads`: how many the program may use; `vector_bits` 0 is the host's."""

    name = "linalg-lower-sorts"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for sort in [inner for inner in walk(op) if type(inner) is SortOp]:
            plan = plan_of_sort(schedule_around(sort) or decide_sort(sort, model, max(1, self.threads)), sort, model)
            replace_by_loops(sort, model, lambda state, sort=sort, plan=plan: SortLoops(state, sort, plan).write())
