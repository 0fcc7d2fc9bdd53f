"""Patterns of `stablehlo-simplify` for what reads transposes: statistics and products of the columns of `x.T`.

A product or a reduction takes the dimensions of its operand in any order; an elementwise op between it and a transpose
would walk columns. The transpose goes behind such an op, to where it costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...decisions.search import TRANSPOSE_DEPTH
from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.elementwise_unary import UnaryOp
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Pattern, Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder, tensor
from ...ir.tensors import Tensor, int_array, ints

_ELEMENTWISE = tuple(op for op in stablehlo.OPS if issubclass(op, UnaryOp | BinaryOp))

_ANY_ORDER = (stablehlo.DotGeneralOp, stablehlo.ReduceOp, stablehlo.TransposeOp)
"""What takes dimensions in any order."""


def _is_repeated(value: SSAValue) -> bool:
    return splat_of(value) is not None or isinstance(value.owner, stablehlo.BroadcastInDimOp)


def _goes_anywhere(value: SSAValue, depth: int = TRANSPOSE_DEPTH) -> bool:
    """Whether all that read `value` take its dimensions in any order, if need be behind elementwise ops."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, _ANY_ORDER):
            continue
        if not depth or not isinstance(user, UnaryOp | BinaryOp):
            return False
        if not all(operand is value or _is_repeated(operand) for operand in user.operands):
            return False
        if not _goes_anywhere(user.results[0], depth - 1):
            return False
    return value.first_use is not None


def _permutation(op: Operation, model: CostModel) -> Sequence[int] | None:
    """How all operands are transposed that are not repeated; None if they are not, or are products, which are
    computed as they are wanted. Rows that are no vector are better off as columns.
    """
    found: set[tuple[int, ...]] = set()
    for operand in op.operands:
        source = operand.owner
        if _is_repeated(operand):
            continue
        if not isinstance(source, stablehlo.TransposeOp):
            return None
        (matrix,) = source.operands
        if isinstance(matrix.owner, stablehlo.DotGeneralOp | stablehlo.ConvolutionOp):
            return None
        if shape_of(matrix)[-1] < model.target.lanes(element_bits(element_type_of(matrix))):
            return None
        found.add(ints(source, "permutation"))
    return found.pop() if len(found) == 1 else None


def _before(value: SSAValue, permutation: Sequence[int], shape: Sequence[int], builder: PatternBuilder) -> Tensor:
    """An operand as it is in front of the transpose, where the result of the op has `shape`."""
    splat = splat_of(value)
    if splat is not None:
        return builder.splat(element_type_of(value), shape, splat)
    source = value.owner
    if isinstance(source, stablehlo.TransposeOp):
        return Tensor(builder, source.operands[0])
    assert isinstance(source, stablehlo.BroadcastInDimOp)
    dims = [permutation[dim] for dim in ints(source, "broadcast_dimensions")]
    return Tensor(builder, source.operands[0]).broadcast(shape, dims)


def _behind_op(op: Operation, rewriter: Rewriter) -> Replacement:
    """The transpose goes behind an op whose readers take dimensions in any order."""
    if not any(isinstance(operand.owner, stablehlo.TransposeOp) for operand in op.operands):
        return None
    permutation = _permutation(op, rewriter.model)
    if permutation is None or not _goes_anywhere(op.results[0]):
        return None
    result = op.results[0]
    shape = [0] * len(permutation)
    for dim, size in zip(permutation, shape_of(result), strict=True):
        shape[dim] = size
    builder = PatternBuilder(rewriter)
    operands = [_before(operand, permutation, shape, builder).value for operand in op.operands]
    type_before = tensor_type(element_type_of(result), *shape)
    before = type(op).create(
        operands=operands, result_types=[type_before], properties=op.properties, attributes=op.attributes
    )
    rewriter.insert(before)
    return Tensor(builder, before.results[0]).transpose(permutation).value


elementwise_of_transposes = Pattern(_behind_op, _ELEMENTWISE, "elementwise-of-transposes")


@pattern
def reduce_of_transpose(op: stablehlo.ReduceOp, source: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """The dimensions of the operand are reduced where they are; those that stay may have to be transposed."""
    if len(op.results) != 1:
        return None
    permutation, dims = ints(source, "permutation"), ints(op, "dimensions")
    reduced = sorted(permutation[dim] for dim in dims)
    kept = [old for dim, old in enumerate(permutation) if dim not in dims]
    shape = shape_of(source.operands[0])
    result = op.results[0]
    new_op = stablehlo.ReduceOp.create(
        operands=(source.operands[0], op.operands[1]),
        result_types=[tensor_type(element_type_of(result), *(shape[dim] for dim in sorted(kept)))],
        properties={**op.properties, "dimensions": int_array(reduced)},
        regions=[op.detach_region(0)],
    )
    rewriter.insert(new_op)
    order = sorted(kept)
    return tensor(new_op.results[0], rewriter).transpose([order.index(dim) for dim in kept]).value
