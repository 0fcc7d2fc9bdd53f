"""Patterns of `stablehlo-simplify` for ops that only move or repeat elements.

Canonical forms: an op that keeps the elements in row-major order and only adds or removes
dimensions of size 1 is a `reshape` (a free view further down); `broadcast_in_dim` is left where
elements are repeated, and takes an operand to which no reshape has added dimensions of size 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import ComplexType
from xdsl.ir import SSAValue

from ...decisions.search import SYMMETRY_DEPTH
from ...dialects import stablehlo
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.elementwise_unary import UnaryOp
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder, tensor
from ...ir.tensors import ints


@pattern
def shrink_splat(op: stablehlo.ConstantOp, rewriter: Rewriter) -> Replacement:
    """A splat constant that spells out its elements: the same constant with one element."""
    value = op.properties["value"]
    if len(value.data.data) == value.type.element_type.compile_time_size:  # pyright: ignore
        return None
    element, result = splat_of(op.results[0]), op.results[0]
    if element is None:
        return None
    return PatternBuilder(rewriter).splat(element_type_of(result), shape_of(result), element).value


def spelled_out(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The dimensions that are not of size 1, as pairs of index and size."""
    return [(index, size) for index, size in enumerate(dims) if size != 1]


def destinations(op: stablehlo.BroadcastInDimOp | stablehlo.TransposeOp) -> Sequence[int]:
    """Which dimension of the result each dimension of the operand becomes."""
    if isinstance(op, stablehlo.BroadcastInDimOp):
        return ints(op, "broadcast_dimensions")
    permutation = ints(op, "permutation")
    return sorted(range(len(permutation)), key=permutation.__getitem__)


# reshape


@pattern
def reshape_of_reshape(op: stablehlo.ReshapeOp, source: stablehlo.ReshapeOp, rewriter: Rewriter) -> Replacement:
    return tensor(source.operands[0], rewriter).reshape(shape_of(op.results[0])).value


@pattern
def reshape_of_broadcast(
    op: stablehlo.ReshapeOp, source: stablehlo.BroadcastInDimOp, rewriter: Rewriter
) -> Replacement:
    """A reshape that adds or removes dimensions of size 1 behind a broadcast: one broadcast."""
    before, after = spelled_out(shape_of(op.operands[0])), spelled_out(shape_of(op.results[0]))
    if [size for _, size in before] != [size for _, size in after]:
        return None
    new_dim = {old: new for (old, _), (new, _) in zip(before, after, strict=True)}
    x, dims = tensor(source.operands[0], rewriter), ints(source, "broadcast_dimensions")
    kept = [i for i, dim in enumerate(dims) if dim in new_dim]
    x = x.reshape([x.shape[i] for i in kept])
    return x.broadcast(shape_of(op.results[0]), [new_dim[dims[i]] for i in kept]).value


# broadcast_in_dim and transpose


@pattern
def move_to_reshape(op: stablehlo.BroadcastInDimOp | stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """A broadcast or transpose that repeats nothing and keeps the order of elements."""
    shape, result_shape = shape_of(op.operands[0]), shape_of(op.results[0])
    if prod(shape) != prod(result_shape) or (0 in shape and isinstance(op, stablehlo.BroadcastInDimOp)):
        return None
    dims = destinations(op)
    order = [dims[i] for i, _ in spelled_out(shape)]
    return tensor(op.operands[0], rewriter).reshape(result_shape).value if order == sorted(order) else None


@pattern
def move_of_broadcast(
    op: stablehlo.BroadcastInDimOp | stablehlo.TransposeOp, source: stablehlo.BroadcastInDimOp, rewriter: Rewriter
) -> Replacement:
    """The broadcast may as well write its dimensions to where they go in the end."""
    outer = destinations(op)
    dims = [outer[dim] for dim in ints(source, "broadcast_dimensions")]
    return tensor(source.operands[0], rewriter).broadcast(shape_of(op.results[0]), dims).value


@pattern
def broadcast_of_reshape(
    op: stablehlo.BroadcastInDimOp, source: stablehlo.ReshapeOp, rewriter: Rewriter
) -> Replacement:
    """A broadcast of a reshape that only adds dimensions of size 1: a broadcast of its operand."""
    shape = shape_of(source.operands[0])
    added = spelled_out(shape_of(op.operands[0]))
    if list(enumerate(shape)) != spelled_out(shape) or list(shape) != [size for _, size in added]:
        return None
    outer = ints(op, "broadcast_dimensions")
    dims = [outer[index] for index, _ in added]
    return tensor(source.operands[0], rewriter).broadcast(shape_of(op.results[0]), dims).value


@pattern
def transpose_of_transpose(op: stablehlo.TransposeOp, source: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    inner = ints(source, "permutation")
    return tensor(source.operands[0], rewriter).transpose([inner[dim] for dim in ints(op, "permutation")]).value


@pattern
def transpose_of_concatenate(
    op: stablehlo.TransposeOp, source: stablehlo.ConcatenateOp, rewriter: Rewriter
) -> Replacement:
    """Of parts that keep the order of their elements, as rows put below each other do that become columns: reshapes."""
    dims = destinations(op)
    parts = [tensor(operand, rewriter) for operand in source.operands]
    orders = [[dims[dim] for dim, _ in spelled_out(part.shape)] for part in parts]
    if not source.results[0].has_one_use() or any(order != sorted(order) for order in orders):
        return None
    permutation, dim = ints(op, "permutation"), dims[source.dimension.value.data]
    moved = [part.reshape([part.shape[old] for old in permutation]) for part in parts]
    return parts[0].builder.concatenate(moved, dim).value


@pattern
def transpose_of_symmetric(op: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """What is the same for exchanged dimensions, such as `x + transpose(x)`."""
    permutation = ints(op, "permutation")
    is_exchange = all(permutation[dim] == index for index, dim in enumerate(permutation))
    return op.operands[0] if is_exchange and _is_symmetric(op.operands[0], permutation, SYMMETRY_DEPTH) else None


def _is_symmetric(value: SSAValue, permutation: Sequence[int], depth: int) -> bool:
    """Whether a transpose by `permutation`, which exchanges dimensions, changes nothing."""
    if splat_of(value) is not None:
        return True
    op = value.owner
    if isinstance(op, stablehlo.BroadcastInDimOp):
        return not shape_of(op.operands[0])
    if not depth or not isinstance(op, UnaryOp | BinaryOp):
        return False
    if isinstance(op, stablehlo.AddOp | stablehlo.MulOp) and _are_transposes(op.lhs, op.rhs, permutation):
        return not isinstance(element_type_of(value), ComplexType)
    return all(_is_symmetric(operand, permutation, depth - 1) for operand in op.operands)


def _are_transposes(a: SSAValue, b: SSAValue, permutation: Sequence[int]) -> bool:
    """Whether one of `a` and `b` is the other one transposed."""
    return any(
        isinstance(op := value.owner, stablehlo.TransposeOp)
        and op.operands[0] is other
        and ints(op, "permutation") == tuple(permutation)
        for value, other in ((a, b), (b, a))
    )


# reverse


@pattern
def reverse_fewer(op: stablehlo.ReverseOp, rewriter: Rewriter) -> Replacement:
    """Reversing a dimension of size 0 or 1 does nothing."""
    x, dims = tensor(op.operands[0], rewriter), ints(op, "dimensions")
    kept = [dim for dim in dims if x.shape[dim] > 1]
    return None if len(kept) == len(dims) else x.reverse(kept).value


@pattern
def reverse_of_reverse(op: stablehlo.ReverseOp, source: stablehlo.ReverseOp, rewriter: Rewriter) -> Replacement:
    """Two reverses: one over the dimensions that only one of them reverses."""
    dims = sorted({*ints(source, "dimensions")} ^ {*ints(op, "dimensions")})
    return tensor(source.operands[0], rewriter).reverse(dims).value


# slice and concatenate


@pattern
def slice_of_slice(op: stablehlo.SliceOp, source: stablehlo.SliceOp, rewriter: Rewriter) -> Replacement:
    inner = zip(ints(source, "start_indices"), ints(source, "strides"), strict=True)
    outer = zip(ints(op, "start_indices"), ints(op, "strides"), strict=True)
    pairs = [(start + at * step, step * by) for (start, step), (at, by) in zip(inner, outer, strict=True)]
    starts, strides = zip(*pairs, strict=True) if pairs else ((), ())
    return tensor(source.operands[0], rewriter).window(starts, shape_of(op.results[0]), strides).value


@pattern
def slice_of_concatenate(op: stablehlo.SliceOp, source: stablehlo.ConcatenateOp, rewriter: Rewriter) -> Replacement:
    """A slice that lies within one operand of a concatenation."""
    sizes = shape_of(op.results[0])
    if 0 in sizes:
        return None
    dim = source.dimension.value.data
    starts, strides = list(ints(op, "start_indices")), ints(op, "strides")
    last = starts[dim] + (sizes[dim] - 1) * strides[dim]
    for operand in source.operands:
        size = shape_of(operand)[dim]
        if starts[dim] < size:
            return tensor(operand, rewriter).window(starts, sizes, strides).value if last < size else None
        starts[dim] -= size
        last -= size
    return None


@pattern
def concatenate_fewer(op: stablehlo.ConcatenateOp, rewriter: Rewriter) -> Replacement:
    """Operands without elements add nothing."""
    dim = op.dimension.value.data
    kept = [operand for operand in op.operands if shape_of(operand)[dim]]
    if len(kept) in (0, len(op.operands)):
        return None
    return rewriter.emit(stablehlo.ConcatenateOp, kept, op.results[0].type, op.properties)


@pattern
def concatenate_of_concatenate(op: stablehlo.ConcatenateOp, rewriter: Rewriter) -> Replacement:
    """One along the same dimension that nothing else reads: all operands at once."""
    operands: list[SSAValue] = []
    for operand in op.operands:
        inner = operand.owner
        if isinstance(inner, stablehlo.ConcatenateOp) and inner.dimension == op.dimension and operand.has_one_use():
            operands.extend(inner.operands)
        else:
            operands.append(operand)
    if len(operands) == len(op.operands):
        return None
    return rewriter.emit(stablehlo.ConcatenateOp, operands, op.results[0].type, op.properties)
