"""`stablehlo-expand-bounded-dynamism`: a tensor whose sizes have bounds becomes a padded one with its sizes.

A value of type `tensor<?x4xf32, #stablehlo.bounds<5, ?>>` is carried as a `tensor<5x4xf32>`, of which the first
elements count, and one `tensor<i32>` for each dimension of bounded size. Arguments and results of functions, and what
control flow carries, get the sizes as further values behind the tensor. Elementwise ops compute padding as well, which
nobody sees; where an op mixes elements along a bounded dimension, padding is masked so that it does not count (files in
`bounded_dimensions/`).

Needs: verified ops; dynamic dimensions with a bound, or computed from ones that have. Leaves: static shapes in place of
bounded ones, no `set_dimension_size` of them; where there are any, tuples are flattened. Ops on dynamic dimensions
without bounds stay as they are, for `stablehlo-refine-shapes`. An op that has no rule, or whose size has no bound, is
an `UnsupportedError`.

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

Not a pattern pass: the sizes of a value are carried through functions, loops and branches, whose types change
together.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import stablehlo
from ...dialects.stablehlo.bounds import bounds_of
from .census import census
from .stablehlo_flatten_tuples import StablehloFlattenTuplesPass


class StablehloExpandBoundedDynamismPass(ModulePass):
    """Carry bounded tensors with padding. See the module's documentation."""

    name = "stablehlo-expand-bounded-dynamism"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Raises `UnsupportedError` for an op that cannot be carried."""
        functions = [function for function in op.ops if isinstance(function, func.FuncOp) and _has_bounds(function)]
        if not functions:
            return
        from .bounded_dimensions.expansion import Expansion

        StablehloFlattenTuplesPass().apply(ctx, op)
        for function in functions:
            Expansion().run(function)


def _has_bounds(function: func.FuncOp) -> bool:
    found = census(function)
    return stablehlo.SetDimensionSizeOp in found.ops or any(map(bounds_of, found.types))
