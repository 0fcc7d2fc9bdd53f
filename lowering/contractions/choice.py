"""What becomes of a contraction: its tiling, with the fill and the elementwise op that go with it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import BlockArgument

from ...decisions.model import CostModel
from ...ir.epilogues import product_operand
from ...ir.structured import element_type
from ...ir.views import whole_buffer_of
from .analysis import RHS, Contraction, Factors, factors_of, match_contraction
from .hoisting import Hoisting
from .tiling import Tiling, tiling_of


@dataclass(frozen=True)
class Product:
    """A sum of products, and the `fill` of its output in front of it that it may start from."""

    op: GenericOp
    factors: Factors
    fill: FillOp | None

    @staticmethod
    def of(op: GenericOp) -> Product | None:
        """The sum of products that `op` computes."""
        # An epilogue is gone when its turn comes.
        factors = None if op.parent is None else factors_of(op.body.block)
        return None if factors is None else Product(op, factors, _absorbable_fill(op))

    def contraction(self, model: CostModel, finish: GenericOp | None) -> Contraction | None:
        """How its loops move its operands, and those of an elementwise op that reads it."""
        return match_contraction(self.op, self.factors, model, finish)

    def finish(self, model: CostModel) -> GenericOp | None:
        """The elementwise op that alone reads the result and can be applied to it in registers."""
        out = self.op.outputs[0]
        if not isinstance(out.owner, memref.AllocOp):
            return None
        readers = [use.operation for use in out.uses if isinstance(use.operation, GenericOp)]
        readers = [reader for reader in readers if reader is not self.op]
        place = product_operand(readers[0], model.contractions) if len(readers) == 1 else None
        return None if place is None or readers[0].operands[place] is not out else readers[0]

    def tiling(self, model: CostModel, threads: int, hoisting: Hoisting) -> Tiling | None:
        """The tiling of it, with the elementwise op if that pays; `None` if plain loops are as good."""
        finish = self.finish(model)
        for each in [None] if finish is None else [finish, None]:
            contraction = self.contraction(model, each)
            if contraction is None:
                continue
            invariant = whole_buffer_of(contraction.operands[RHS].memref) in hoisting.places
            tiling = tiling_of(contraction, model, threads, self.fill is not None, invariant)
            if tiling is not None:
                return tiling
        return None


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
