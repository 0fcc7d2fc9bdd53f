"""`kernels-schedule`: how every kernel is computed, in its attribute `xrt.schedule`.

Does: decides loop order, tiles, unrolled and parallel loops, and what is kept in registers or small buffers for a row,
for each function that consists of structured ops. A schedule that is there already stays, after it was checked.

Needs: level 4, as `convert-linalg-to-affine` does.
Leaves: the ops as they were, and functions with other effects between them, such as loops of scatters:
`convert-linalg-to-affine` decides for the structured ops between two of these as it does here for a kernel.

    func.func private @k(%x: memref<8x16xf32>, %y: memref<16x8xf32>) attributes {xrt.kernel} {
      linalg.generic {...} ins(%x) outs(%y) { ... math.exp ... }
    }

gets the attribute

    xrt.schedule = #schedule.kernel<{
      for i = 0 to 16 {
        for j = 0 to 8 {
          compute exp at (j, i)
        }
      }
    }>

The ops are called what they do last, with a number where there are several: `fill`, `exp`, `addf_1`. The words of a
schedule are in `docs/schedule.md`, the rules that it has to keep in `ir/schedules.py`.

Not a pattern pass: a schedule is decided for all ops of a kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..decisions.model import CostModel, cost_model_of
from ..dialects.schedule import KernelAttr
from ..dialects.xrt_names import SCHEDULE, SERIAL
from .linalg_to_affine.decide import decide
from .linalg_to_affine.kernel_ops import KernelOps, structured_ops
from .linalg_to_affine.scheduled import check_schedule, row_dims


@dataclass(frozen=True)
class KernelsSchedulePass(ModulePass):
    """See the module docstring. `threads`: how many the program may use; `vector_bits`: vector length to assume, 0 for
    the host's."""

    name = "kernels-schedule"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model, threads = cost_model_of(ctx, self.vector_bits), max(1, self.threads)
        for function in op.body.block.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _schedule(function, model, 1 if SERIAL in function.attributes else threads)


def _schedule(function: func.FuncOp, model: CostModel, threads: int) -> None:
    ops = structured_ops(function)
    if not ops:
        return
    known = function.attributes.get(SCHEDULE)
    if isinstance(known, KernelAttr):
        check_schedule(function, ops, known.data, model)
    else:
        function.attributes[SCHEDULE] = KernelAttr(decide(KernelOps.of(ops, model), row_dims(function), model, threads))
