"""`stablehlo-canonicalize-dot-general`: matrix products in few forms.

Leaves every `dot_general` with operands that have at most one batch, one free and one contracting
dimension, in any order: a batch of matrix products, each operand possibly transposed. Dimensions of
size 1 are dropped and dimensions of one kind that lie next to each other in the same order on both
sides are merged, both by `reshape`; only where they do not is a `transpose` inserted.

- A transpose of an operand goes into the dimension numbers if merging then needs no transpose.
- A transpose of a result that only exchanges lhs and rhs dimensions exchanges the operands, unless
  the product has other users.
- A product without contracting dimensions becomes a `multiply` of broadcasts.

Needs: static shapes. Leaves the result reshaped to its original shape; precision and algorithm as
they were. A contracting dimension of size 0 stays (the result is 0).

    %0 = stablehlo.transpose %k, dims = [0, 1, 3, 2]
        : (tensor<2x4x16x8xf32>) -> tensor<2x4x8x16xf32>
    %1 = stablehlo.dot_general %q, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
        : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>

becomes

    %0 = stablehlo.reshape %q : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %1 = stablehlo.reshape %k : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [2]
        : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<8x16x16xf32>) -> tensor<2x4x16x16xf32>

XLA's DotDecomposer has the same aim with transposes throughout; a reshape is free here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.stablehlo.attributes import DotAlgorithmAttr, DotDimensionNumbersAttr
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.pattern_pass import WorklistPass
from ...ir.patterns import Pattern, pattern, patterns_of_module
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder
from ...ir.tensors import Tensor, ints

Group = list[int]
"""Dimensions of one kind, outermost first."""


class Operand(NamedTuple):
    """An operand of a product: its dimensions by kind. Dimensions of size 1 are in no group."""

    x: Tensor
    batch: Group
    free: Group
    contracting: Group

    @property
    def groups(self) -> tuple[Group, Group, Group]:
        return self.batch, self.free, self.contracting

    def with_groups(self, x: Tensor, groups: Sequence[Group]) -> Operand:
        batch, free, contracting = groups
        return Operand(x, batch, free, contracting)

    def in_memory_order(self) -> list[Group]:
        """The groups that are not empty, by their first dimension."""
        return sorted(filter(None, self.groups))

    @property
    def is_mergeable(self) -> bool:
        """Whether a reshape can make one dimension of each group."""
        merged = [dim for group in self.in_memory_order() for dim in group]
        return merged == sorted(merged)

    def through_transpose(self) -> Operand:
        """Read through a transpose, unless the transposed value merges and the original does not."""
        source = self.x.value.owner
        if type(source) is not stablehlo.TransposeOp:
            return self
        permutation = ints(source, "permutation")
        groups = [[permutation[dim] for dim in group] for group in self.groups]
        original = self.with_groups(Tensor(self.x.builder, source.operands[0]), groups)
        merges, original_merges = (
            side._replace(contracting=sorted(side.contracting)).is_mergeable for side in (self, original)
        )
        return self if merges and not original_merges else original

    def merged(self) -> Operand:
        """With at most one dimension of each kind, by reshapes and, if need be, a transpose."""
        x, groups = self.x, self.groups
        shape = x.shape
        if not self.is_mergeable:
            # To batch, free, contracting dimensions, without the dimensions of size 1.
            order = [dim for group in groups for dim in group]
            kept = sorted(order)
            x = x.reshape([shape[dim] for dim in kept]).transpose([kept.index(dim) for dim in order])
            in_order = list(filter(None, groups))
        else:
            in_order = self.in_memory_order()
        x = x.reshape([prod(shape[dim] for dim in group) for group in in_order])
        return self.with_groups(x, [[in_order.index(group)] if group else [] for group in groups])


def _operand(x: Tensor, batch: Sequence[int], contracting: Sequence[int]) -> Operand:
    """`x` as an operand."""
    shape, taken = x.shape, {*batch, *contracting}
    free = [dim for dim in range(len(shape)) if dim not in taken]
    return Operand(x, *([dim for dim in group if shape[dim] != 1] for group in (batch, free, contracting)))


def _order_contracting(lhs: Operand, rhs: Operand) -> tuple[Operand, Operand]:
    """Order the contracting dimensions as they lie in one operand: so that both merge, if possible.

    The order of the terms of a sum is free; that of the other dimensions is part of the result.
    """
    pairs = list(zip(lhs.contracting, rhs.contracting, strict=True))
    choices = [
        (
            lhs._replace(contracting=[left for left, _ in order]),
            rhs._replace(contracting=[right for _, right in order]),
        )
        for order in (sorted(pairs), sorted(pairs, key=lambda pair: pair[1]))
    ]
    return min(choices, key=lambda choice: sum(_transposed_size(operand) for operand in choice))


def _transposed_size(operand: Operand) -> int:
    """The number of elements that must be moved to merge the groups."""
    return 0 if operand.is_mergeable else prod(operand.x.shape)


@pattern
def canonicalize(op: stablehlo.DotGeneralOp, rewriter: Rewriter) -> SSAValue | None:
    """`op` with at most one dimension of each kind; None if it is so already."""
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = op.dot_dimension_numbers.data
    operands = PatternBuilder(rewriter).wrap(*op.operands)
    lhs = _operand(operands[0], lhs_batch, lhs_contracting).through_transpose()
    rhs = _operand(operands[1], rhs_batch, rhs_contracting).through_transpose()
    left, right = (operand.merged() for operand in _order_contracting(lhs, rhs))
    element_type, shape = element_type_of(op.results[0]), shape_of(op.results[0])
    # A product of elements of one type is a `multiply`.
    is_plain = "algorithm" not in op.properties and all(element_type_of(x) == element_type for x in op.operands)
    if not left.contracting and is_plain:
        return _outer_product(left, right).reshape(shape).value
    if left.x.value is op.operands[0] and right.x.value is op.operands[1]:
        return None
    batch, contracting = (left.batch, right.batch), (left.contracting, right.contracting)
    return left.x.dot(right.x, batch, contracting, element_type, **op.properties).reshape(shape).value


def _outer_product(left: Operand, right: Operand) -> Tensor:
    places = ((left, left.batch), (left, left.free), (right, right.free))
    shape = [side.x.shape[dim] for side, dims in places for dim in dims]
    factors: list[Tensor] = []
    for side, free_dim in ((left, len(left.batch)), (right, len(shape) - 1)):
        target = dict.fromkeys(side.batch, 0) | dict.fromkeys(side.free, free_dim)
        factors.append(side.x.broadcast(shape, [target[dim] for dim in range(side.x.rank)]))
    return factors[0] * factors[1]


@pattern
def exchange_operands(op: stablehlo.TransposeOp, source: stablehlo.DotGeneralOp, rewriter: Rewriter) -> SSAValue | None:
    """A transpose that puts the rhs dimensions of a product in front of those of the lhs."""
    lhs, rhs = source.operands
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = source.dot_dimension_numbers.data
    batch, first_rhs = len(lhs_batch), len(shape_of(lhs)) - len(lhs_contracting)
    exchanged = (*range(batch), *range(first_rhs, len(shape_of(op.operands[0]))), *range(batch, first_rhs))
    if ints(op, "permutation") != exchanged or not op.operands[0].has_one_use():
        return None
    numbers = DotDimensionNumbersAttr((rhs_batch, lhs_batch, rhs_contracting, lhs_contracting))
    properties = {**source.properties, "dot_dimension_numbers": numbers}
    if (precision := source.precision_config) is not None:
        properties["precision_config"] = ArrayAttr(reversed(precision.data))
    if (algorithm := source.algorithm) is not None:
        lhs_type, rhs_type, accumulation, lhs_count, rhs_count, *rest = algorithm.data
        properties["algorithm"] = DotAlgorithmAttr((rhs_type, lhs_type, accumulation, rhs_count, lhs_count, *rest))
    return rewriter.emit(stablehlo.DotGeneralOp, (rhs, lhs), op.results[0].type, properties)


PHASES = (stablehlo.TransposeOp, stablehlo.DotGeneralOp)
"""The classes of ops in the order in which they are rewritten: transposed results first, then dimensions."""


class StablehloCanonicalizeDotGeneralPass(WorklistPass):
    """Canonicalise the products of every function. See the module's documentation."""

    name = "stablehlo-canonicalize-dot-general"

    def patterns(self) -> Sequence[Pattern]:
        return patterns_of_module(__name__)

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrites = self.rewrites(ctx)
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                for phase in PHASES:
                    found = [op for op in walk(function.body) if rewrites.others or type(op) is phase]
                    Rewriter(rewrites.only(phase)).run(found)
