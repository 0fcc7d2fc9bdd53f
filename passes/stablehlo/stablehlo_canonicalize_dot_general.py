"""`stablehlo-canonicalize-dot-general`: matrix products in few forms.

Leaves every `dot_general` with operands that have at most one batch, one free and one contracting
dimension, in any order: a batch of matrix products, each operand possibly transposed. Dimensions of
size 1 are dropped and dimensions of one kind that lie next to each other in the same order on both
sides are merged, both by `reshape`; only where they do not is a `transpose` inserted.

- A transpose of an operand goes into the dimension numbers if merging then needs no transpose.
- A transpose of a result that only exchanges lhs and rhs dimensions exchanges the operands, unless
  the product has other users.
- A product without contracting dimensions becomes a `multiply` of broadcasts.
- `dot` becomes `dot_general`.

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
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, TensorType
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.stablehlo.attributes import DotAlgorithmAttr, DotDimensionNumbersAttr
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.pattern_pass import WorklistPass
from ...ir.patterns import Pattern, pattern, patterns_of_module
from ...ir.rewriter import Rewriter
from .rewriting import int_array, ints, reshape

Group = list[int]
"""Dimensions of one kind, outermost first."""


class Operand(NamedTuple):
    """An operand of a product: its dimensions by kind. Dimensions of size 1 are in no group."""

    value: SSAValue
    batch: Group
    free: Group
    contracting: Group

    @property
    def groups(self) -> tuple[Group, Group, Group]:
        return self.batch, self.free, self.contracting

    def in_memory_order(self) -> list[Group]:
        """The groups that are not empty, by their first dimension."""
        return sorted(filter(None, self.groups))

    @property
    def is_mergeable(self) -> bool:
        """Whether a reshape can make one dimension of each group."""
        merged = [dim for group in self.in_memory_order() for dim in group]
        return merged == sorted(merged)

    def through_transpose(self) -> Operand:
        """The operand without the transpose that computes it, if there is one."""
        source = self.value.owner
        if type(source) is not stablehlo.TransposeOp:
            return self
        permutation = ints(source, "permutation")
        groups = ([permutation[dim] for dim in group] for group in self.groups)
        return Operand(source.operands[0], *groups)


def _operand(value: SSAValue, batch: Sequence[int], contracting: Sequence[int]) -> Operand:
    """`value` as an operand, with all its dimensions."""
    taken = {*batch, *contracting}
    free = [dim for dim in range(len(shape_of(value))) if dim not in taken]
    return Operand(value, list(batch), free, list(contracting))


def _without_units(operand: Operand) -> Operand:
    shape = shape_of(operand.value)
    return Operand(operand.value, *([d for d in g if shape[d] != 1] for g in operand.groups))


def _fold_transpose(operand: Operand) -> Operand:
    """Read through a transpose, unless the transposed value merges and the original does not."""
    folded = operand.through_transpose()
    original_merges, folded_merges = (
        side._replace(contracting=sorted(side.contracting)).is_mergeable for side in (operand, folded)
    )
    return operand if original_merges and not folded_merges else folded


def _order_contracting(lhs: Operand, rhs: Operand) -> tuple[Operand, Operand]:
    """Order the contracting dimensions as they lie in one operand: so that both merge, if possible.

    The order of the terms of a sum is free; that of the other dimensions is part of the result.
    """
    pairs = list(zip(lhs.contracting, rhs.contracting, strict=True))
    by_lhs, by_rhs = sorted(pairs), sorted(pairs, key=lambda pair: pair[1])
    choices = [
        (
            lhs._replace(contracting=[left for left, _ in order]),
            rhs._replace(contracting=[right for _, right in order]),
        )
        for order in (by_lhs, by_rhs)
    ]
    return min(choices, key=lambda choice: sum(_transposed_size(operand) for operand in choice))


def _transposed_size(operand: Operand) -> int:
    """The number of elements that must be moved to merge the groups."""
    return 0 if operand.is_mergeable else prod(shape_of(operand.value))


class Merged(NamedTuple):
    """An operand of one dimension per kind: where they are, None where there is none."""

    value: SSAValue
    batch: int | None
    free: int | None
    contracting: int | None

    def dims(self, position: int | None) -> tuple[int, ...]:
        return () if position is None else (position,)


def _merge(operand: Operand, rewriter: Rewriter) -> Merged:
    """Make one dimension of each group, by reshapes and, if need be, a transpose."""
    value = operand.value
    if not operand.is_mergeable:
        operand = _sort_groups(operand, rewriter)
        value = operand.value
    groups = operand.in_memory_order()
    shape = shape_of(value)
    value = reshape(rewriter, value, [prod(shape[dim] for dim in group) for group in groups])
    positions = (groups.index(group) if group else None for group in operand.groups)
    return Merged(value, *positions)


def _sort_groups(operand: Operand, rewriter: Rewriter) -> Operand:
    """Transpose to batch, free, contracting dimensions, without the dimensions of size 1."""
    shape = shape_of(operand.value)
    kept = sorted(dim for group in operand.groups for dim in group)
    position = {dim: index for index, dim in enumerate(kept)}
    order = [dim for group in operand.groups for dim in group]
    value = rewriter.emit(
        stablehlo.TransposeOp,
        (reshape(rewriter, operand.value, [shape[dim] for dim in kept]),),
        TensorType(element_type_of(operand.value), [shape[dim] for dim in order]),
        {"permutation": int_array([position[dim] for dim in order])},
    )
    ends = [len(operand.batch), len(operand.batch) + len(operand.free), len(order)]
    starts = [0, *ends]
    return Operand(value, *(list(range(a, b)) for a, b in zip(starts, ends, strict=False)))


@pattern
def canonicalize(op: stablehlo.DotGeneralOp, rewriter: Rewriter) -> SSAValue | None:
    """`op` with at most one dimension of each kind; None if it is so already."""
    numbers = op.dot_dimension_numbers
    lhs_value, rhs_value = op.operands
    lhs, rhs = (
        _fold_transpose(_without_units(_operand(value, batch, contracting)))
        for value, batch, contracting in (
            (lhs_value, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions),
            (rhs_value, numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions),
        )
    )
    left, right = (_merge(operand, rewriter) for operand in _order_contracting(lhs, rhs))
    if left.contracting is None and _is_plain_product(op):
        return reshape(rewriter, _outer_product(op, left, right, rewriter), shape_of(op.results[0]))
    if left.value is lhs_value and right.value is rhs_value:
        return None
    product = rewriter.emit(
        stablehlo.DotGeneralOp,
        (left.value, right.value),
        TensorType(element_type_of(op.results[0]), _result_shape(left, right)),
        {
            **op.properties,
            "dot_dimension_numbers": DotDimensionNumbersAttr(
                (
                    left.dims(left.batch),
                    right.dims(right.batch),
                    left.dims(left.contracting),
                    right.dims(right.contracting),
                )
            ),
        },
    )
    return reshape(rewriter, product, shape_of(op.results[0]))


def _result_shape(left: Merged, right: Merged) -> list[int]:
    places = ((left, left.batch), (left, left.free), (right, right.free))
    return [shape_of(side.value)[dim] for side, dim in places if dim is not None]


def _is_plain_product(op: stablehlo.DotGeneralOp) -> bool:
    """Whether all element types are the same, so that a product of elements is a `multiply`."""
    element_type = element_type_of(op.results[0])
    return "algorithm" not in op.properties and all(element_type_of(operand) == element_type for operand in op.operands)


def _outer_product(op: stablehlo.DotGeneralOp, left: Merged, right: Merged, rewriter: Rewriter) -> SSAValue:
    type = TensorType(element_type_of(op.results[0]), _result_shape(left, right))
    batch = 0 if left.batch is None else 1
    factors: list[SSAValue] = []
    for side, free_dim in ((left, batch), (right, len(type.get_shape()) - 1)):
        target = {side.batch: 0, side.free: free_dim}
        dims = [target[dim] for dim in range(len(shape_of(side.value)))]
        properties = {"broadcast_dimensions": int_array(dims)}
        factors.append(rewriter.emit(stablehlo.BroadcastInDimOp, (side.value,), type, properties))
    return rewriter.emit(stablehlo.MulOp, factors, type)


@pattern
def exchange_operands(op: stablehlo.TransposeOp, rewriter: Rewriter) -> SSAValue | None:
    """A transpose that puts the rhs dimensions of a product in front of those of the lhs."""
    dot = op.operands[0].owner
    if type(dot) is not stablehlo.DotGeneralOp or not op.operands[0].has_one_use():
        return None
    numbers = dot.dot_dimension_numbers
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = numbers.data
    batch = len(lhs_batch)
    first_rhs = len(shape_of(dot.operands[0])) - len(lhs_contracting)
    rank = len(shape_of(dot.results[0]))
    exchanged = (*range(batch), *range(first_rhs, rank), *range(batch, first_rhs))
    if ints(op, "permutation") != exchanged:
        return None
    properties = dict(dot.properties)
    properties["dot_dimension_numbers"] = DotDimensionNumbersAttr(
        (rhs_batch, lhs_batch, rhs_contracting, lhs_contracting)
    )
    if (precision := dot.precision_config) is not None:
        properties["precision_config"] = ArrayAttr(reversed(precision.data))
    if (algorithm := dot.algorithm) is not None:
        lhs_type, rhs_type, accumulation, lhs_count, rhs_count, *rest = algorithm.data
        properties["algorithm"] = DotAlgorithmAttr((rhs_type, lhs_type, accumulation, rhs_count, lhs_count, *rest))
    lhs, rhs = dot.operands
    return rewriter.emit(stablehlo.DotGeneralOp, (rhs, lhs), op.results[0].type, properties)


@pattern
def dot_to_dot_general(op: stablehlo.DotOp, rewriter: Rewriter) -> SSAValue:
    """`dot` contracts the last dimension of its lhs with the first one of its rhs."""
    lhs, rhs = op.operands
    numbers = DotDimensionNumbersAttr(((), (), (len(shape_of(lhs)) - 1,), (0,)))
    properties = {**op.properties, "dot_dimension_numbers": numbers}
    return rewriter.emit(stablehlo.DotGeneralOp, (lhs, rhs), op.results[0].type, properties)


PHASES = ((stablehlo.TransposeOp, stablehlo.DotOp), (stablehlo.DotGeneralOp,))
"""The classes of ops that are rewritten together: transposed results first, then dimensions."""


class StablehloCanonicalizeDotGeneralPass(WorklistPass):
    """Canonicalise the products of every function. See the module's documentation."""

    name = "stablehlo-canonicalize-dot-general"

    def patterns(self) -> Sequence[Pattern]:
        return patterns_of_module(__name__)

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrites = self.rewrites(ctx)
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                for ops in PHASES:
                    Rewriter(rewrites.only(*ops)).run(walk(function.body))
