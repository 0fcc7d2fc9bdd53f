"""`linalg-tile-contractions`: matrix products and convolutions become register-tiled vector loops.

Rewrites every `linalg.generic` on dense buffers that computes a contraction (`contractions/analysis.py`: two inputs,
`out += lhs * rhs`, any layout, strides and dilations; one reading of convolutions and matrix products) and is
worth it (`contractions/choice.py`, `decisions/contractions.py`) into loops of `affine`, `vector` and `memref` ops. A
`linalg.fill` of the output in front is absorbed: the accumulators start from its value. What is not worth it or no
contraction stays for `convert-linalg-to-affine`.

A kernel with a schedule is lowered as that says, whole, if it has tiles of registers; without, it stays for
`convert-linalg-to-affine`. In functions without schedules contractions are found and planned here.

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

The loops of a tile of floats that is worth a call are in a function that all programs share: `xrt.tile` in place of the
loop over `%k` (`contractions/shared_tiles.py`).

An elementwise op that alone reads the sums (bias, activation, residual, conversion) is applied to the accumulators of a
tile, or to the tile while it is in the L1 cache, and its results are stored instead (`contractions/finish.py`).

The vectors of a row are one wide vector where their number is a power of two: LLVM takes it apart again. There is one
micro-kernel per contraction and no remainder loop: at the edges tiles overlap their neighbours, which computes a few
results twice. `contractions/tiling.py` chooses, and writes a schedule; `contractions/from_trees.py` reads it as a plan
of the nodes of `contractions/nest.py`: what is packed and converted (`packing.py`), or in front of a loop of the
program (`hoisting.py`), what is fetched ahead (`fetching.py`), and where a reduction is done in chunks
(`held_sums.py`). Convolutions run in place, without im2col.
Long reductions are partial sums of chains of additions; products of 8-bit integers are added up in f32 as long as that
is exact (`micro_kernel.py`).

Not a pattern pass: where panels are packed is decided for a kernel and for the loops of the program that call it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp

from ..decisions.model import CostModel, cost_model_of
from ..dialects import locating
from ..dialects.editing import erase, walk
from ..dialects.fourier import TransformOp
from ..dialects.schedule import KernelAttr
from ..dialects.xrt_names import SCHEDULE, SERIAL
from ..ir.function_passes import Function, FunctionPass
from ..ir.schedule_errors import refuse
from .contractions.choice import Product
from .contractions.hoisting import Hoisting, has_loops
from .contractions.scheduled import check_tiles, lower_tiled, plan_of_tiling, write_plan
from .contractions.tiling import Tiling
from .linalg_to_affine.kernel_ops import KernelOps, only_op, structured_ops
from .linalg_to_affine.scheduled import of_kernel
from .streams import take_schedule


@dataclass(frozen=True)
class LinalgTileContractionsPass(FunctionPass):
    """See the module docstring. `vector_bits` 0 is the host's; `threads` 1 leaves no parallel loops; without `shared`
    the loops of all tiles are written where the tiles are.
    """

    name = "linalg-tile-contractions"

    threads: int = 1
    vector_bits: int = 0
    dot_products: str = ""
    shared: bool = True

    def needs_all(self, module: ModuleOp) -> bool:
        """Copies in front of loops of the program change functions that are behind others already."""
        return has_loops(module)

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        model = cost_model_of(ctx, self.vector_bits, self.dot_products)
        if not self.shared:
            model = replace(model, tiles=replace(model.tiles, shared_vector_steps=sys.maxsize))
        hoisting = Hoisting.of(module)
        return map(lambda function: _tiled(function, model, self.threads, hoisting), functions)


def _tiled(function: Function, model: CostModel, threads: int, hoisting: Hoisting) -> Function:
    """`function` without its contractions."""
    threads = 1 if SERIAL in function.attributes else threads
    locating.at(function)
    known = function.attributes.get(SCHEDULE)
    if not isinstance(function, func.FuncOp):
        return function
    if isinstance(known, KernelAttr):
        if known.data.is_tiled and not isinstance(only_op(function), TransformOp):
            _obey(function, model, threads, hoisting)
        return function
    for generic in [inner for inner in walk(function) if type(inner) is GenericOp]:
        product = Product.of(generic)
        tiling = None if product is None else product.tiling(model, threads, hoisting)
        if product is not None and tiling is not None:
            _tile(product, tiling, hoisting)
    return function


def _obey(function: func.FuncOp, model: CostModel, threads: int, hoisting: Hoisting) -> None:
    schedule, ops = take_schedule(function), structured_ops(function)
    assert schedule is not None
    if ops is None:
        refuse(None, f"@{function.sym_name.data} has ops with effects between those that a schedule can name")
    kernel = KernelOps.of(ops, model)
    with of_kernel(function):
        if not schedule.checked:
            check_tiles(schedule, kernel, model, hoisting)
        lower_tiled(function, schedule, kernel, model, threads, hoisting)


def _tile(product: Product, tiling: Tiling, hoisting: Hoisting) -> None:
    """Replaces a contraction in a function without a schedule, and what finishes it."""
    op, fill, epilogue, plan = product.op, product.fill, tiling.contraction.epilogue, plan_of_tiling(product, tiling)
    write_plan(plan, fill, op if epilogue is None else epilogue.op, hoisting)
    replaced: list[GenericOp | FillOp] = [op]
    if fill is not None and tiling.starts_from_fill:
        replaced.append(fill)
    if epilogue is not None:
        replaced.insert(0, epilogue.op)
    operands = [operand for each in replaced for operand in each.operands]
    for each in replaced:
        erase(each)
    bounds = {value.owner: None for value in operands if isinstance(value.owner, memref.AllocOp | memref.SubviewOp)}
    for unused in bounds:
        if unused.results[0].first_use is None:
            erase(unused)
    if plan.hoisted is not None:
        hoisting.drop_unused(plan.hoisted)
