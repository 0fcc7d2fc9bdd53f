"""The walk of `stablehlo-expand-bounded-dynamism` over a function: what bounded values become, by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from ....dialects import stablehlo
from ....dialects.editing import replace_uses
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import is_tensor, shape_of
from ..run_time_checks import RULES as CHECKED
from ..run_time_checks import Checks
from .contractions import CONTRACTIONS
from .control_flow import ControlFlow
from .dynamic_shapes import DYNAMIC_SHAPES, TARGETS
from .elementwise import ELEMENTWISE
from .indexing import INDEXING
from .movement import MOVEMENT
from .normalization import NORMALIZATION
from .reductions import REDUCTIONS
from .values import Bounded, Carried, Rule, Site

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
        self._finish(op, site, rule(site, op))

    def _padded(self, value: SSAValue) -> bool:
        """Whether the padded shape of `value` is known."""
        return value in self.carried or (is_tensor(value.type) and value.type.has_static_shape())

    def _check_declared(self, site: Site, op: Operation, index: int, x: Bounded) -> None:
        """Sizes that the type of a result says to be others than they may be are checked when the program runs."""
        if not x.sizes:
            return
        declared, bounds = shape_of(op.results[index]), bounds_of(op.results[index].type)
        open_sizes = [bounds.get(dim, x.shape[dim]) if declared[dim] == DYNAMIC_INDEX else -1 for dim in x.sizes]
        if any(size < x.shape[dim] for size, dim in zip(open_sizes, x.sizes, strict=True)):
            sizes = [site.size(x, dim).convert(i64) for dim in range(x.rank)]
            Checks(site.builder, op).require_result(index, sizes)

    def _finish(self, op: Operation, site: Site, results: Sequence[Bounded]) -> None:
        for index, (old, new) in enumerate(zip(op.results, results, strict=True)):
            if type(op) not in CHECKED:
                self._check_declared(site, op, index, new)
            x = site.settled(old, new)
            value = x.tensor.value
            if value.name_hint is None:
                value.name_hint = old.name_hint
            if x.sizes:
                self.carried[old] = Carried(value, {dim: size.value for dim, size in x.sizes.items()})
            else:
                old.name_hint = None
                replace_uses(old, value)
        self.replaced.append(op)
