"""`loops-vectorize`: innermost loops over contiguous elements become loops over vectors of them.

Needs level 5, with transcendental functions expanded. Replaces the innermost loops of a function if that makes vector
code of all of them whose bounds are constants: LLVM's vectoriser has nothing left to do then. That is worth while where
it takes most time: next to vector code, which is all looked at again, and for loops with variable bounds, of which it
makes several versions. Elsewhere it is better, since it interleaves iterations. A loop is replaced if

- it carries no values, counts by ones, and the widest vectors of its largest element divide its bounds: constants, or
  values with enough zero bits at the end;
- every access is to one element for all iterations, or to neighbours in neighbouring iterations;
- what it reads of a buffer that it writes is the element it writes;
- its other ops are elementwise arithmetic on integers, `f32` and `f64`, and index arithmetic linear in the counter.

Other loops with variable bounds stay if they are next to nothing (what is left of a row); otherwise, and where a
reduction, a gather or a branch stands in an innermost loop, the function is left to LLVM as it is. So are functions
that only copy: LLVM knows how to.

    affine.for %i = 0 to 64 {
      %x = affine.load %a[%i] : memref<64xf32>
      %y = arith.mulf %x, %scale : f32
      affine.store %y, %b[%i] : memref<64xf32>
    }

becomes

    %0 = vector.broadcast %scale : f32 to vector<16xf32>
    affine.for %i = 0 to 64 step 16 {
      %x = affine.vector_load %a[%i] : memref<64xf32>, vector<16xf32>
      %y = arith.mulf %x, %0 : vector<16xf32>
      affine.vector_store %y, %b[%i] : memref<64xf32>, vector<16xf32>
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, func, scf
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass

from ...cost_model import REMAINDER_OPERATIONS, VECTORIZED_OPERATIONS
from ...target import Target, with_vector_bits
from .vectorization.analysis import Plan, plan_loop
from .vectorization.rewrite import Vectorizer

_LOOPS = (affine.ForOp, affine.ParallelOp, scf.ForOp, scf.ParallelOp, scf.WhileOp)


def _innermost(region: Region) -> Iterator[Operation]:
    """The loops in `region` that hold none."""
    for block in region.blocks:
        for op in block.ops:
            inner = [loop for nested in op.regions for loop in _innermost(nested)] if op.regions else []
            if not inner and isinstance(op, _LOOPS):
                yield op
            yield from inner


def _is_vector_code(loop: Operation) -> bool:
    return any(isinstance(value.type, VectorType) for op in loop.walk() for value in (*op.operands, *op.results))


def _plans(function: func.FuncOp, target: Target) -> list[Plan]:
    """What to do with the loops of `function`; nothing if LLVM's vectoriser is needed, or cheap enough."""
    plans: list[Plan] = []
    is_costly = False
    for loop in _innermost(function.body):
        if _is_vector_code(loop):
            is_costly = True
            continue
        plan = plan_loop(loop, target)
        if plan is not None and len(plan.loop.body.block.ops) <= VECTORIZED_OPERATIONS:
            plans.append(plan)
            is_costly = is_costly or plan.is_variable
        elif not isinstance(loop, scf.ForOp) or len(loop.body.block.ops) > REMAINDER_OPERATIONS:
            return []
    return plans if is_costly and any(plan.computes for plan in plans) else []


@dataclass(frozen=True)
class LoopsVectorizePass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's."""

    name = "loops-vectorize"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = with_vector_bits(self.vector_bits)
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks and "xrt.entry" not in function.attributes:
                plans = _plans(function, target)
                vectorizer = Vectorizer(function)
                for plan in plans:
                    vectorizer.replace(plan)
