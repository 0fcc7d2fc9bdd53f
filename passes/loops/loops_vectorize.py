"""`loops-vectorize`: innermost loops over contiguous elements become loops over vectors of them.

Needs level 5, with transcendental functions expanded. Replaces the innermost loops of a function if that makes vector
code of all of them: then the function needs nothing of LLVM but its code generator, and LLVM's optimiser, the
vectoriser above all, takes more time than that. A loop is replaced if

- it counts by ones between constants, or between values with enough zero bits at the end;
- what it carries are sums, products, maxima and the like, formed in any order (float sums with `fastmath<reassoc>`);
- every access is to one element for all iterations, or to neighbours in neighbouring iterations, also backwards, or to
  parts of neighbouring pairs, as complex numbers are;
- what it reads of a buffer that it writes is the element it writes, or, before that, one that it will write;
- what else it writes to that buffer is the same element, the same value, or in another row;
- its other ops are elementwise arithmetic, and index arithmetic linear in the counter.

Other loops stay if they are next to nothing: with variable bounds what is left of a row, and gathers that take few of
the steps of the function. So do those that no vectoriser takes, such as histograms and cumulative sums. Otherwise, as
where a branch stands in an innermost loop, the function is left to LLVM as it is.

    %sum = affine.for %i = 0 to 1000 iter_args(%s = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<1000xf32>
      %y = arith.subf %x, %mean : f32
      %t = arith.addf %s, %y fastmath<reassoc> : f32
      affine.yield %t : f32
    }

becomes

    %0 = vector.broadcast %mean : f32 to vector<64xf32>
    %1 = affine.for %i = 0 to 960 step 64 iter_args(%s = %zeros) -> (vector<64xf32>) {
      %x = affine.vector_load %a[%i] : memref<1000xf32>, vector<64xf32>
      %y = arith.subf %x, %0 : vector<64xf32>
      %t = arith.addf %s, %y fastmath<reassoc> : vector<64xf32>
      affine.yield %t : vector<64xf32>
    }
    (the same for the last 40 elements)
    %sum = vector.reduction <add>, %2 fastmath<reassoc> : vector<64xf32> into f32

A vector fills several registers (`Vectors.interleaved_vectors`), so that as many chains of dependent instructions are
on their way at once: LLVM's code generator takes such vectors apart, instruction by instruction. Loops that take little
of a function's time have vectors of one register. What is left at the end is one shorter vector; it overlaps the one
before where nothing comes of computing elements twice, and is masked where something would. Equal ops become one.

A loop with `xrt.lanes`, of a schedule, has vectors of that many elements; it is an error if it cannot.

Not a pattern pass: a loop is vectorised only if all that is in its function can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...dialects.editing import ops_of, walk
from ...dialects.xrt_names import ENTRY
from ...ir.function_passes import Bodies, FunctionPass
from ...ir.loops import LOOPS, range_of
from ...ir.schedule_errors import ScheduleError
from ...ir.vectors import is_vector_code
from .emission import Emission
from .vectorization.analysis import Plan, lanes_of, plan_loop
from .vectorization.copies import copied_row, copy_row, keeps_loops, may_copy_row
from .vectorization.order import is_in_order
from .vectorization.rewrite import vectorize
from .vectorization.slopes import is_index


def _innermost(region: Region) -> Iterator[Operation]:
    """The loops in `region` that hold none."""
    for block in region.blocks:
        for op in ops_of(block):
            inner = [loop for nested in op.regions for loop in _innermost(nested)] if op.regions else []
            if not inner and op.__class__ in LOOPS:
                yield op
            yield from inner


def _plans(function: func.FuncOp, model: CostModel) -> list[Plan]:
    """What to do with the loops of `function`. Raises `ScheduleError` where its schedule has vectors that cannot be."""
    plans = _decided(function, model)
    planned = [plan.loop for plan in plans]
    for loop in _innermost(function.body):
        lanes = lanes_of(loop)
        if lanes and not any(loop is each for each in planned):
            why = "its elements are no neighbours, or need each other"
            why = "not all loops of the kernel can be vectors" if plan_loop(loop, model) else why
            message = f"schedule of @{function.sym_name.data}: a loop cannot be vectors of {lanes} elements"
            raise ScheduleError(f"{message}: {why}", loop)
    return plans


def _decided(function: func.FuncOp, model: CostModel) -> list[Plan]:
    """What to do with the loops of `function`; nothing if LLVM's vectoriser is needed for one of them."""
    plans: list[tuple[Plan, int | None]] = []
    others = vectors = 0
    loops = [loop for loop in _innermost(function.body) if not is_vector_code(walk(loop))]
    in_order = [loop for loop in loops if is_in_order(loop)]
    calls = not keeps_loops(function)
    for loop in loops:
        if loop in in_order:
            continue
        of_any_length = bool(in_order) or (calls and may_copy_row(loop))
        plan, steps = plan_loop(loop, model, of_any_length=of_any_length), _steps(loop)
        if plan is not None:
            plans.append((plan, steps))
            vectors += steps or 0
        elif steps is not None and (not isinstance(loop, scf.ForOp) or _gathers(loop)):
            others += steps
        elif not isinstance(loop, scf.ForOp) or len(loop.body.block.ops) > model.vectors.remainder_operations:
            return []
    if not model.vectors.is_small_beside_vectors(others, vectors):
        return []
    for plan, steps in plans:
        # The additions of a sum wait for each other: fewer at a time, and it is slower and less exact.
        plan.is_minor = not plan.reductions and steps is not None and model.vectors.is_minor(steps, vectors)
    return [plan for plan, _ in plans]


def _gathers(loop: scf.ForOp) -> bool:
    """Whether it accesses places that it reads from memory or computes from what it has read."""
    return any(
        isinstance(op, arith.IndexCastOp)
        and is_index(op.results[0])
        and isinstance(op.input.owner, Operation)
        and op.input.owner.parent is loop.body.block
        for op in loop.body.block.ops
    )


def _steps(loop: Operation) -> int | None:
    """How many ops it runs each time the function does, taking loops around it with variable bounds for one iteration
    and branches as taken; None if its own bounds vary.
    """
    trips = _trips(loop)
    if trips is None:
        return None
    steps = trips * len(loop.regions[0].block.ops)
    around = loop.parent_op()
    while around is not None:
        steps *= _trips(around) or 1
        around = around.parent_op()
    return steps


def _trips(loop: Operation) -> int | None:
    """How often a loop that counts by ones does so, if that is constant."""
    counted = range_of(loop) if type(loop) is affine.ForOp or type(loop) is scf.ForOp else None
    return counted.stop - counted.start if counted and counted.step == 1 else None


@dataclass(frozen=True)
class LoopsVectorizePass(Bodies, FunctionPass):
    """See the module docstring. `vector_bits` 0 is the host's."""

    name = "loops-vectorize"

    vector_bits: int = 0

    def of_body(self, ctx: Context, module: ModuleOp) -> Callable[[func.FuncOp], None]:
        model = cost_model_of(ctx, self.vector_bits)

        def rewrite(function: func.FuncOp) -> None:
            if ENTRY in function.attributes:
                return
            emission = Emission(function.body.block)
            has_calls = not keeps_loops(function)
            for plan in _plans(function, model):
                locating.at(plan.loop)
                if has_calls and (row := copied_row(plan)) is not None:
                    copy_row(plan, row, emission)
                else:
                    vectorize(plan, emission)

        return rewrite
