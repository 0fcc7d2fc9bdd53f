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
from ....ir.tensor_builder import Tensor, TensorBuilder
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
from .values import Bounded, Rule, Site

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


class Expansion:
    """One function: what its bounded values have become, and the ops that are replaced."""

    def __init__(self) -> None:
        self._bounded: dict[SSAValue, Bounded] = {}
        self._tuples: dict[SSAValue, list[SSAValue]] = {}
        self._replaced: list[Operation] = []
        self._control_flow = ControlFlow(
            self._process, self._site, self._bounded.__setitem__, self._is_bounded, self._replaced.append
        )

    def run(self, function: func.FuncOp) -> None:
        """Replace what is bounded in `function`."""
        self._control_flow.function(function)
        for op in self._replaced:
            op.detach()
            op.drop_all_references()

    def _site(self, op: Operation) -> Site:
        return Site(op, self._get)

    def _is_bounded(self, value: SSAValue) -> bool:
        return value in self._bounded or value in self._tuples

    def _get(self, value: SSAValue, builder: TensorBuilder) -> Bounded:
        x = self._bounded.get(value)
        if x is None:
            return Bounded(Tensor(builder, value), {})
        return Bounded(Tensor(builder, x.tensor.value), {d: Tensor(builder, n.value) for d, n in x.sizes.items()})

    def _process(self, block: Block) -> None:
        """Replace the ops of `block` that have to do with bounded values."""
        for op in list(block.ops):
            if op.has_trait(IsTerminator):
                continue
            if any(operand in self._tuples for operand in op.operands) and not isinstance(
                op, stablehlo.TupleOp | stablehlo.GetTupleElementOp
            ):
                raise self._site(op).unsupported("tuples of tensors of bounded size can only be taken apart")
            match op:
                case stablehlo.WhileOp():
                    self._control_flow.loop(op)
                case stablehlo.IfOp() | stablehlo.CaseOp():
                    self._control_flow.branches(op)
                case func.CallOp():
                    if self._concerns(op):
                        self._control_flow.call(op)
                case stablehlo.TupleOp():
                    if any(map(self._is_bounded, op.operands)):
                        self._tuples[op.results[0]] = list(op.operands)
                        self._replaced.append(op)
                case stablehlo.GetTupleElementOp():
                    self._get_tuple_element(op)
                case _:
                    for region in op.regions:
                        self._process(region.block)
                    if self._concerns(op):
                        self._replace(op)

    def _concerns(self, op: Operation) -> bool:
        return (
            isinstance(op, stablehlo.SetDimensionSizeOp)
            or any(operand in self._bounded for operand in op.operands)
            or any(is_bounded_type(result.type) for result in op.results)
        )

    def _get_tuple_element(self, op: stablehlo.GetTupleElementOp) -> None:
        elements = self._tuples.get(op.operand)
        if elements is not None:
            element = elements[op.index.value.data]
            if element in self._bounded:
                self._bounded[op.result] = self._bounded[element]
            elif element in self._tuples:
                self._tuples[op.result] = self._tuples[element]
            else:
                replace_uses(op.result, element)
            self._replaced.append(op)

    def _replace(self, op: Operation) -> None:
        site = self._site(op)
        rule = RULES.get(type(op))
        if rule is None:
            raise site.unsupported("no rule for dimensions of bounded size")
        if isinstance(op, stablehlo.SetDimensionSizeOp) and not self._padded(op.operand):
            return
        self._finish(op, site, rule(site, op))

    def _padded(self, value: SSAValue) -> bool:
        """Whether the padded shape of `value` is known."""
        return value in self._bounded or (is_tensor(value.type) and value.type.has_static_shape())

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
            if x.tensor.value.name_hint is None:
                x.tensor.value.name_hint = old.name_hint
            if x.sizes:
                self._bounded[old] = x
            else:
                old.name_hint = None
                replace_uses(old, x.tensor.value)
        self._replaced.append(op)
