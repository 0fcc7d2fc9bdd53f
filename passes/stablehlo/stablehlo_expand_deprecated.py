"""`stablehlo-expand-deprecated`: ops that StableHLO keeps for old programs become those that replaced them.

- `broadcast` becomes `broadcast_in_dim`, `dot` becomes `dot_general`, `create_token` becomes `after_all`;
- `einsum` and `unary_einsum` become sums, `dot_general` and transposes: a dimension that occurs twice in an operand is
  reduced to its diagonal, one that only one operand has and the result lacks is summed first, and what is left is one
  product with its dimensions in the order of the result;
- `torch_index_select` becomes `gather`, which clamps indices as it does.

Needs: static shapes. Leaves: none of these ops. Sums outside of products are in f32 for 16-bit floats.

    %0 = stablehlo.einsum %x, %y, config = "bij,bkj->bki" : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x3xf32>

becomes

    %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2]
        : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
    %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>

The list is that of StableHLO's `stablehlo-legalize-deprecated-ops`, without `cross-replica-sum` and with the ops it
leaves to others.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i32

from ...dialects import stablehlo
from ...dialects.stablehlo.einsum_equation import Labels
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder


def broadcast(op: stablehlo.BroadcastOp, builder: TensorBuilder) -> Tensor:
    (operand,) = builder.wrap(op.operand)
    new = len(op.broadcast_sizes)
    return operand.broadcast(shape_of(op.result), range(new, new + operand.rank))


def dot(op: stablehlo.DotOp, builder: TensorBuilder) -> Tensor:
    """The last dimension of one with the first of the other; precision as it was."""
    lhs, rhs = builder.wrap(op.lhs, op.rhs)
    return lhs.dot(rhs, ((), ()), ((lhs.rank - 1,), (0,)), element_type_of(op.result), **op.properties)


def create_token(op: stablehlo.CreateTokenOp, builder: TensorBuilder) -> list[Tensor]:
    return builder.emit(stablehlo.AfterAllOp, (), (op.output.type,))


def torch_index_select(op: stablehlo.TorchIndexSelectOp, builder: TensorBuilder) -> list[Tensor]:
    operand, index = builder.wrap(op.operand, op.index)
    return [operand.take(index, op.dim.value.data, op.batch_dims.value.data)]


def _diagonal(x: Tensor, labels: Labels, builder: TensorBuilder) -> tuple[Tensor, Labels]:
    """`x` with each label once."""
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            rows, columns = (builder.iota(i32, x.shape, dim) for dim in (first, second))
            x = rows.equals(columns).select(x, 0).sum([second])
            labels = labels[:second] + labels[second + 1 :]
    return x, labels


def _summed(x: Tensor, labels: Labels, kept: set[str]) -> tuple[Tensor, Labels]:
    """`x` without the labels that nothing else has."""
    dims = [dim for dim, label in enumerate(labels) if label not in kept]
    if dims:
        x = x.widened().sum(dims).convert(x.element_type)
    return x, tuple(label for label in labels if label in kept)


def _without_ones(x: Tensor, labels: Labels, sizes: dict[str, int]) -> tuple[Tensor, Labels]:
    """`x` without the dimensions of size 1 that stand for a larger one of the other operand."""
    kept = [dim for dim, label in enumerate(labels) if x.shape[dim] == sizes[label]]
    return x.reshape([x.shape[dim] for dim in kept]), tuple(labels[dim] for dim in kept)


def einsum(op: stablehlo.EinsumOp, builder: TensorBuilder) -> Tensor:
    equation = op.equation
    shapes = [shape_of(value) for value in op.operands]
    sizes = equation.sizes(shapes)
    operands: list[tuple[Tensor, Labels]] = []
    for x, labels in zip(builder.wrap(*op.operands), equation.operands, strict=True):
        operands.append(_without_ones(*_diagonal(x, labels, builder), sizes))
    (lhs, left), (rhs, right) = operands
    result = set(equation.result)
    lhs, left = _summed(lhs, left, result | set(right))
    rhs, right = _summed(rhs, right, result | set(left))
    batch = [label for label in left if label in right and label in result]
    contracting = [label for label in left if label in right and label not in result]
    product = lhs.dot(
        rhs,
        ([left.index(label) for label in batch], [right.index(label) for label in batch]),
        ([left.index(label) for label in contracting], [right.index(label) for label in contracting]),
        element_type_of(op.result),
    )
    taken = {*batch, *contracting}
    free = [label for label in (*left, *right) if label not in taken]
    order = [*batch, *free]
    return product.transpose([order.index(label) for label in equation.result])


def unary_einsum(op: stablehlo.UnaryEinsumOp, builder: TensorBuilder) -> Tensor:
    equation = op.equation
    (operand,) = builder.wrap(op.operand)
    x, labels = _diagonal(operand, equation.operands[0], builder)
    x, labels = _summed(x, labels, set(equation.result))
    x = x.transpose([labels.index(label) for label in equation.result])
    return x.convert(element_type_of(op.result))


class StablehloExpandDeprecatedPass(ExpansionPass):
    """Replace deprecated ops. See the module's documentation."""

    name = "stablehlo-expand-deprecated"

    EXPANDED: ClassVar = {
        stablehlo.BroadcastOp: broadcast,
        stablehlo.CreateTokenOp: create_token,
        stablehlo.DotOp: dot,
        stablehlo.EinsumOp: einsum,
        stablehlo.TorchIndexSelectOp: torch_index_select,
        stablehlo.UnaryEinsumOp: unary_einsum,
    }
