"""`linalg-tile-contractions`: matrix products and convolutions become register-tiled vector loops.

Rewrites every `linalg.generic` on dense buffers that computes a contraction (`contractions/analysis.py`: two inputs,
`out += lhs * rhs`, any layout, strides and dilations; one reading of convolutions and matrix products) and is
worth it (`decisions/contractions.py`) into loops of `affine`, `vector` and `memref` ops. A `linalg.fill` of the output
in front is absorbed: the accumulators start from its value. What is not worth it or no contraction stays for
`convert-linalg-to-affine`.

Needs: memrefs of static shape with the identity layout, or parts of such at known places; `fastmath<reassoc>` on the
addition of floats.
Leaves: `affine.parallel` around the outer loops if `threads` > 1 and the work pays for it; `memref.alloc` for packed
panels, outside a parallel loop shared, inside it one per thread.

    linalg.fill ins(%zero : f32) outs(%out : memref<64x64xf32>)
    linalg.generic {... (m, n, k) -> (m, k), (k, n), (m, n) ...} ins(%a, %b) outs(%out)

becomes, for a tile of 4 rows x 4 vectors (here one row):

    affine.for %tile = 0 to 16 {
      %lhs = affine.apply (d0) -> (d0 * 256)(%tile)
      %sum = affine.for %k = 0 to 64 iter_args(%acc = %zeros) -> (vector<64xf32>) {
        %b0 = affine.vector_load %flat_b[%k * 64] : memref<4096xf32>, vector<64xf32>
        %a0 = affine.load %flat_a[%lhs + %k] : memref<4096xf32>
        %a0s = vector.broadcast %a0 : f32 to vector<64xf32>
        %next = vector.fma %a0s, %b0, %acc : vector<64xf32>
        affine.yield %next : vector<64xf32>
      }
      affine.vector_store %sum, %flat_out[%tile * 256] : memref<4096xf32>, vector<64xf32>
    }

An elementwise op that alone reads the sums (bias, activation, residual, conversion) is applied to the accumulators of a
tile, or to the tile while it is in the L1 cache, and its results are stored instead (`contractions/finish.py`).

The vectors of a row are one wide vector where their number is a power of two: LLVM takes it apart again. There is one
micro-kernel per contraction and no remainder loop: at the edges tiles overlap their neighbours, which computes a few
results twice. `contractions/nest.py` has the nodes that a plan consists of, `contractions/plan.py` chooses them: what
is packed and converted (`packing.py`), or in front of a loop of the program (`hoisting.py`), what is fetched ahead
(`fetching.py`), and where a reduction is done in chunks (`held_sums.py`). Convolutions run in place, without im2col.
Long reductions are partial sums of chains of additions; products of 8-bit integers are added up in f32 as long as that
is exact (`micro_kernel.py`).

Not a pattern pass: where panels are packed is decided for a kernel and for the loops of the program that call it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, BlockArgument
from xdsl.passes import ModulePass

from ..decisions.model import CostModel, cost_model_of
from ..dialects.editing import drain, erase, insert_before, walk
from ..dialects.xrt_names import SERIAL
from ..ir.epilogues import product_operand
from ..ir.structured import element_type
from ..ir.views import whole_buffer_of
from .contractions.analysis import RHS, Factors, factors_of, match_contraction
from .contractions.emit import Emitter
from .contractions.hoisting import Hoisting
from .contractions.plan import Plan, plan_contraction


@dataclass(frozen=True)
class LinalgTileContractionsPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's; `threads` 1 leaves no parallel loops."""

    name = "linalg-tile-contractions"

    threads: int = 1
    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        hoisting = Hoisting.of(op)
        for function in [inner for inner in op.body.block.ops if isinstance(inner, func.FuncOp)]:
            threads = 1 if SERIAL in function.attributes else self.threads
            for generic in [inner for inner in walk(function) if type(inner) is GenericOp]:
                # An epilogue is gone when its turn comes.
                factors = None if generic.parent is None else factors_of(generic.body.block)
                if factors is not None:
                    _tile(generic, factors, model, threads, hoisting)


def _tile(op: GenericOp, factors: Factors, model: CostModel, threads: int, hoisting: Hoisting) -> None:
    fill = _absorbable_fill(op)

    def plan_with(finish: GenericOp | None) -> Plan | None:
        contraction = match_contraction(op, factors, model, finish)
        if contraction is None:
            return None
        invariant = whole_buffer_of(contraction.operands[RHS].memref) in hoisting.places
        return plan_contraction(contraction, model, threads, fill is not None, invariant)

    finish = _epilogue(op, model)
    plan = None if finish is None else plan_with(finish)
    if plan is None:
        finish, plan = None, plan_with(None)
    if plan is None:
        return
    hoisted = plan.hoisted
    panels = None if hoisted is None else hoisting.pack(hoisted)
    loops = Block()
    Emitter(plan, model.target.fma, None if fill is None else fill.inputs[0], loops, panels).emit()
    block = op.parent
    assert block is not None
    for new in drain(loops):
        insert_before(new, finish or op)
    if fill is not None and not plan.accumulate:
        erase(fill)
    operands = list(op.operands)
    if finish is not None:
        operands += finish.operands
        erase(finish)
    bounds = {value.owner: None for value in operands if isinstance(value.owner, memref.AllocOp | memref.SubviewOp)}
    erase(op)
    for unused in bounds:
        if unused.results[0].first_use is None:
            erase(unused)
    if hoisted is not None:
        hoisting.drop_unused(hoisted)


def _epilogue(op: GenericOp, model: CostModel) -> GenericOp | None:
    """The elementwise op that alone reads the result of `op` and can be applied to it in registers."""
    out = op.outputs[0]
    if not isinstance(out.owner, memref.AllocOp):
        return None
    readers = [use.operation for use in out.uses if isinstance(use.operation, GenericOp) and use.operation is not op]
    place = product_operand(readers[0], model.contractions) if len(readers) == 1 else None
    return None if place is None or readers[0].operands[place] is not out else readers[0]


_WITHOUT_EFFECTS = {arith.ConstantOp, memref.AllocOp}
_WRITERS = {GenericOp, FillOp}


def _absorbable_fill(op: GenericOp) -> FillOp | None:
    """The fill that sets the output of `op`, if nothing between them can see it."""
    out = op.outputs[0]
    private = isinstance(out, BlockArgument) or isinstance(out.owner, memref.AllocOp)
    unviewed = private and all(isinstance(use.operation, GenericOp | FillOp) for use in out.uses)
    previous = op.prev_op
    while previous is not None:
        if type(previous) is FillOp and previous.outputs[0] is out:
            return previous if previous.inputs[0].type == element_type(out) else None
        harmless = type(previous) in _WITHOUT_EFFECTS or (
            unviewed and type(previous) in _WRITERS and out not in previous.operands
        )
        if not harmless:
            return None
        previous = previous.prev_op
    return None
