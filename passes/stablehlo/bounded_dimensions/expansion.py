"""The walk of `stablehlo-expand-bounded-dynamism` over a function: what bounded values become, by which rule."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from ....dialects import stablehlo
from ....dialects.editing import replace_uses
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import is_tensor
from .contractions import CONTRACTIONS
from .control_flow import ControlFlow
from .dynamic_shapes import DYNAMIC_SHAPES, TARGETS
from .elementwise import ELEMENTWISE
from .indexing import INDEXING
from .movement import MOVEMENT
from .normalization import NORMALIZATION
from .reductions import REDUCTIONS
from .values import Carried, Rule, Site

RULES: dict[type[Operation], Rule] = {
    **ELEMENTWISE,
    **MOVEMENT,
    **REDUCTIONS,
    **CONTRACTIONS,
    **INDEXING,
    **DYNAMIC_SHAPES,
    **NORMALIZATION,
}
"""Op type to rule."""


CARRIERS: tuple[type[Operation], ...] = (
    func.CallOp,
    stablehlo.CaseOp,
    stablehlo.CompositeOp,
    stablehlo.GetTupleElementOp,
    stablehlo.IfOp,
    stablehlo.TupleOp,
    stablehlo.WhileOp,
)
"""Ops that carry values of bounded size without a rule of their own."""


def is_bounded_type(type: Attribute) -> bool:
    """Whether `type` has bounds of dynamic dimensions."""
    return bool(bounds_of(type))


def takes_bounds(op: Operation) -> bool:
    """Whether `op` may have operands and results of bounded size."""
    if isinstance(op, stablehlo.CustomCallOp):
        return op.call_target_name.data in TARGETS
    return isinstance(op, CARRIERS) or type(op) in RULES


class Expansion(ControlFlow):
    """One function: what its bounded values have become, and the ops that are replaced."""

    def run(self, function: func.FuncOp) -> None:
        """Replace what is bounded in `function`."""
        self.function(function)
        for op in self.replaced:
            op.detach()
            op.drop_all_references()

    def process(self, block: Block) -> None:
        for op in list(block.ops):
            match op:
                case stablehlo.WhileOp():
                    self.loop(op)
                case stablehlo.IfOp() | stablehlo.CaseOp():
                    self.branches(op)
                case func.CallOp() if self._concerns(op):
                    self.call(op)
                case _ if not isinstance(op, func.CallOp) and not op.has_trait(IsTerminator):
                    for region in op.regions:
                        self.process(region.block)
                    if self._concerns(op):
                        self._expand(op)
                case _:
                    pass

    def _concerns(self, op: Operation) -> bool:
        return (
            isinstance(op, stablehlo.SetDimensionSizeOp)
            or any(operand in self.carried for operand in op.operands)
            or any(is_bounded_type(result.type) for result in op.results)
        )

    def _expand(self, op: Operation) -> None:
        site = Site(op, self.carried)
        rule = RULES.get(type(op))
        if rule is None:
            raise site.unsupported("no rule for dimensions of bounded size")
        if isinstance(op, stablehlo.SetDimensionSizeOp) and not self._padded(op.operand):
            return
        for index, (old, new) in enumerate(zip(op.results, rule(site, op), strict=True)):
            x = site.settled(index, new)
            value = x.tensor.value
            if value.name_hint is None:
                value.name_hint = old.name_hint
            if x.sizes:
                self.carried[old] = Carried(value, {dim: size.value for dim, size in x.sizes.items()})
            else:
                old.name_hint = None
                replace_uses(old, value)
        self.replaced.append(op)

    def _padded(self, value: SSAValue) -> bool:
        """Whether the padded shape of `value` is known."""
        return value in self.carried or (is_tensor(value.type) and value.type.has_static_shape())
