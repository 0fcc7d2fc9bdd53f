"""`stablehlo-expand-bounded-dynamism`: a tensor whose sizes have bounds becomes a padded one with its sizes.

A value of type `tensor<?x4xf32, #stablehlo.bounds<5, ?>>` is carried as a `tensor<5x4xf32>`, of which the first
elements count, and one `tensor<i32>` for each dimension of bounded size. Arguments and results of functions, and what
control flow carries, get the sizes as further values behind the tensor. Elementwise ops compute padding as well, which
nobody sees; where an op mixes elements along a bounded dimension, padding is masked so that it does not count (files in
`bounded_dimensions/`).

Needs: verified ops; dynamic dimensions with a bound, or computed from ones that have. Leaves: static shapes in place of
bounded ones, no `set_dimension_size` of them. Ops on dynamic dimensions without bounds stay as they are, for
`stablehlo-refine-shapes`. An op that has no rule, or whose size has no bound, is an `UnsupportedError`.

    func.func @main(%x: tensor<10xf32>, %n: tensor<i32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.set_dimension_size %x, %n, dim = 0
          : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<10>>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }

becomes

    func.func @main(%x: tensor<10xf32>, %n: tensor<i32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %size = stablehlo.maximum(0, minimum(%n, 10)) : tensor<i32>
      %i = stablehlo.iota dim = 0 : tensor<10xi32>
      %counts = stablehlo.compare LT, %i, broadcast(%size) : tensor<10xi1>
      %0 = stablehlo.select %counts, %x, dense<-0.0> : tensor<10xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : ...
      return %1 : tensor<f32>
    }

XLA's DynamicPadder does the same with HLO.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import TypeExtensionsAttr
from ...dialects.stablehlo.shapes import is_tensor
from .bounded_dimensions.contractions import CONTRACTIONS
from .bounded_dimensions.control_flow import ControlFlow
from .bounded_dimensions.dynamic_shapes import DYNAMIC_SHAPES
from .bounded_dimensions.elementwise import ELEMENTWISE
from .bounded_dimensions.indexing import INDEXING
from .bounded_dimensions.movement import MOVEMENT
from .bounded_dimensions.reductions import REDUCTIONS
from .bounded_dimensions.values import Bounded, Rule, Site
from .tensor_builder import Tensor, TensorBuilder

RULES: dict[type[Operation], Rule] = {
    **ELEMENTWISE,
    **MOVEMENT,
    **REDUCTIONS,
    **CONTRACTIONS,
    **INDEXING,
    **DYNAMIC_SHAPES,
}
"""Op type to rule."""


class StablehloExpandBoundedDynamismPass(ModulePass):
    """Carry bounded tensors with padding. See the module's documentation."""

    name = "stablehlo-expand-bounded-dynamism"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises `UnsupportedError` for an op that cannot be carried."""
        for function in op.ops:
            if isinstance(function, func.FuncOp) and any(map(_has_bounds, function.walk())):
                _Expansion().run(function)


def _has_bounds(op: Operation) -> bool:
    if isinstance(op, stablehlo.SetDimensionSizeOp):
        return True
    if isinstance(op, func.FuncOp):
        types = op.function_type
        return any(map(_is_bounded_type, (*types.inputs.data, *types.outputs.data)))
    return any(_is_bounded_type(result.type) for result in op.results)


def _is_bounded_type(type: Attribute) -> bool:
    return is_tensor(type) and isinstance(type.encoding, TypeExtensionsAttr) and not type.has_static_shape()


class _Expansion:
    """One function: what its bounded values have become, and the ops that are replaced."""

    def __init__(self) -> None:
        self._bounded: dict[SSAValue, Bounded] = {}
        self._tuples: dict[SSAValue, list[SSAValue]] = {}
        self._replaced: list[Operation] = []
        self._control_flow = ControlFlow(
            self._process, self._site, self._bounded.__setitem__, self._is_bounded, self._replaced.append
        )

    def run(self, function: func.FuncOp) -> None:
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
            or any(_is_bounded_type(result.type) for result in op.results)
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
                op.result.replace_all_uses_with(element)
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

    def _finish(self, op: Operation, site: Site, results: Sequence[Bounded]) -> None:
        for old, new in zip(op.results, results, strict=True):
            x = site.settled(old, new)
            if x.tensor.value.name_hint is None:
                x.tensor.value.name_hint = old.name_hint
            if x.sizes:
                self._bounded[old] = x
            else:
                old.name_hint = None
                old.replace_all_uses_with(x.tensor.value)
        self._replaced.append(op)
