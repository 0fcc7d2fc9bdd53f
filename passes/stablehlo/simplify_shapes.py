"""Patterns of `stablehlo-simplify` for ops that only move or repeat elements.

Canonical forms: an op that keeps the elements in row-major order and only adds or removes
dimensions of size 1 is a `reshape` (a free view further down); `broadcast_in_dim` is left where
elements are repeated, and takes an operand to which no reshape has added dimensions of size 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import ComplexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.search import SYMMETRY_DEPTH
from ...dialects import stablehlo
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.elementwise_unary import UnaryOp
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from .rewriting import int_array, ints, reshape, spelled_out, splat


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    return cast(TensorType[Attribute], value.type)


@pattern
def shrink_splat(op: stablehlo.ConstantOp, rewriter: Rewriter) -> Replacement:
    """A splat constant that spells out its elements: the same constant with one element."""
    size = cast(int, op.properties["value"].type.element_type.compile_time_size)  # pyright: ignore
    if len(op.properties["value"].data.data) == size:  # pyright: ignore
        return None
    element = splat_of(op.results[0])
    return None if element is None else splat(rewriter, _tensor(op.results[0]), element)


# reshape


@pattern
def reshape_of_reshape(op: stablehlo.ReshapeOp, rewriter: Rewriter) -> Replacement:
    source = op.operands[0].owner
    if type(source) is not stablehlo.ReshapeOp:
        return None
    return reshape(rewriter, source.operands[0], shape_of(op.results[0]))


@pattern
def reshape_of_broadcast(op: stablehlo.ReshapeOp, rewriter: Rewriter) -> Replacement:
    """A reshape that adds or removes dimensions of size 1 behind a broadcast: one broadcast."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.BroadcastInDimOp:
        return None
    before, after = spelled_out(shape_of(op.operands[0])), spelled_out(shape_of(op.results[0]))
    if [size for _, size in before] != [size for _, size in after]:
        return None
    new_dim = {old: new for (old, _), (new, _) in zip(before, after, strict=True)}
    operand, dims = source.operands[0], ints(source, "broadcast_dimensions")
    kept = [i for i, dim in enumerate(dims) if dim in new_dim]
    operand = reshape(rewriter, operand, [shape_of(operand)[i] for i in kept])
    return rewriter.emit(
        stablehlo.BroadcastInDimOp,
        (operand,),
        op.results[0].type,
        {"broadcast_dimensions": int_array([new_dim[dims[i]] for i in kept])},
    )


# broadcast_in_dim


@pattern
def broadcast_to_reshape(op: stablehlo.BroadcastInDimOp, rewriter: Rewriter) -> Replacement:
    """A broadcast that repeats nothing and keeps the order of elements."""
    shape, result_shape = shape_of(op.operands[0]), shape_of(op.results[0])
    if prod(shape) != prod(result_shape) or 0 in shape:
        return None
    dims = ints(op, "broadcast_dimensions")
    order = [dims[i] for i, _ in spelled_out(shape)]
    if order != sorted(order):
        return None
    return reshape(rewriter, op.operands[0], result_shape)


@pattern
def broadcast_of_broadcast(op: stablehlo.BroadcastInDimOp, rewriter: Rewriter) -> Replacement:
    source = op.operands[0].owner
    if type(source) is not stablehlo.BroadcastInDimOp:
        return None
    inner, outer = ints(source, "broadcast_dimensions"), ints(op, "broadcast_dimensions")
    return rewriter.emit(
        stablehlo.BroadcastInDimOp,
        (source.operands[0],),
        op.results[0].type,
        {"broadcast_dimensions": int_array([outer[dim] for dim in inner])},
    )


@pattern
def broadcast_of_reshape(op: stablehlo.BroadcastInDimOp, rewriter: Rewriter) -> Replacement:
    """A broadcast of a reshape that only adds dimensions of size 1: a broadcast of its operand."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.ReshapeOp:
        return None
    shape = shape_of(source.operands[0])
    added = spelled_out(shape_of(op.operands[0]))
    if list(enumerate(shape)) != spelled_out(shape) or list(shape) != [size for _, size in added]:
        return None
    dims = ints(op, "broadcast_dimensions")
    return rewriter.emit(
        stablehlo.BroadcastInDimOp,
        (source.operands[0],),
        op.results[0].type,
        {"broadcast_dimensions": int_array([dims[index] for index, _ in added])},
    )


# transpose and reverse


@pattern
def transpose_to_reshape(op: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """A transpose that moves dimensions of size 1 only."""
    shape = shape_of(op.operands[0])
    order = [dim for dim in ints(op, "permutation") if shape[dim] != 1]
    if order != sorted(order):
        return None
    return reshape(rewriter, op.operands[0], shape_of(op.results[0]))


@pattern
def transpose_of_transpose(op: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    source = op.operands[0].owner
    if type(source) is not stablehlo.TransposeOp:
        return None
    inner = ints(source, "permutation")
    return rewriter.emit(
        stablehlo.TransposeOp,
        (source.operands[0],),
        op.results[0].type,
        {"permutation": int_array([inner[dim] for dim in ints(op, "permutation")])},
    )


@pattern
def transpose_of_broadcast(op: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """The broadcast may as well write its dimensions in the other order."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.BroadcastInDimOp:
        return None
    position = {dim: new for new, dim in enumerate(ints(op, "permutation"))}
    dims = [position[dim] for dim in ints(source, "broadcast_dimensions")]
    return rewriter.emit(
        stablehlo.BroadcastInDimOp,
        (source.operands[0],),
        op.results[0].type,
        {"broadcast_dimensions": int_array(dims)},
    )


@pattern
def transpose_of_symmetric(op: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """What is the same for exchanged dimensions, such as `x + transpose(x)`."""
    permutation = ints(op, "permutation")
    is_exchange = all(permutation[dim] == index for index, dim in enumerate(permutation))
    value = op.operands[0]
    return value if is_exchange and _is_symmetric(value, permutation, SYMMETRY_DEPTH) else None


def _is_symmetric(value: SSAValue, permutation: Sequence[int], depth: int) -> bool:
    """Whether a transpose by `permutation`, which exchanges dimensions, changes nothing."""
    if splat_of(value) is not None:
        return True
    op = value.owner
    if isinstance(op, stablehlo.BroadcastInDimOp):
        return not shape_of(op.operands[0])
    if not depth or not isinstance(op, UnaryOp | BinaryOp):
        return False
    if isinstance(op, stablehlo.AddOp | stablehlo.MulOp) and _are_transposes(
        op.operands[0], op.operands[1], permutation
    ):
        return not isinstance(_tensor(value).element_type, ComplexType)
    return all(_is_symmetric(operand, permutation, depth - 1) for operand in op.operands)


def _are_transposes(a: SSAValue, b: SSAValue, permutation: Sequence[int]) -> bool:
    """Whether one of `a` and `b` is the other one transposed."""
    return any(
        isinstance(op := value.owner, stablehlo.TransposeOp)
        and op.operands[0] is other
        and ints(op, "permutation") == tuple(permutation)
        for value, other in ((a, b), (b, a))
    )


@pattern
def reverse_fewer(op: stablehlo.ReverseOp, rewriter: Rewriter) -> Replacement:
    """Reversing a dimension of size 0 or 1 does nothing."""
    shape, dims = shape_of(op.operands[0]), ints(op, "dimensions")
    kept = [dim for dim in dims if shape[dim] > 1]
    if len(kept) == len(dims):
        return None
    return _reverse(op.operands[0], kept, rewriter)


@pattern
def reverse_of_reverse(op: stablehlo.ReverseOp, rewriter: Rewriter) -> Replacement:
    """Two reverses: one over the dimensions that only one of them reverses."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.ReverseOp:
        return None
    dims = sorted(set(ints(source, "dimensions")) ^ set(ints(op, "dimensions")))
    return _reverse(source.operands[0], dims, rewriter)


def _reverse(operand: SSAValue, dims: Sequence[int], rewriter: Rewriter) -> SSAValue:
    if not dims:
        return operand
    return rewriter.emit(stablehlo.ReverseOp, (operand,), operand.type, {"dimensions": int_array(dims)})


# slice and concatenate


@pattern
def slice_of_slice(op: stablehlo.SliceOp, rewriter: Rewriter) -> Replacement:
    source = op.operands[0].owner
    if type(source) is not stablehlo.SliceOp:
        return None
    inner_starts, inner_strides = ints(source, "start_indices"), ints(source, "strides")
    starts, strides = ints(op, "start_indices"), ints(op, "strides")
    new_starts = [
        outer * stride + inner for outer, inner, stride in zip(starts, inner_starts, inner_strides, strict=True)
    ]
    new_strides = [a * b for a, b in zip(strides, inner_strides, strict=True)]
    return emit_slice(source.operands[0], new_starts, shape_of(op.results[0]), new_strides, rewriter)


@pattern
def slice_of_concatenate(op: stablehlo.SliceOp, rewriter: Rewriter) -> Replacement:
    """A slice that lies within one operand of a concatenation."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.ConcatenateOp or 0 in shape_of(op.results[0]):
        return None
    dim = dimension_of(source, "dimension")
    starts, strides = list(ints(op, "start_indices")), ints(op, "strides")
    last = starts[dim] + (shape_of(op.results[0])[dim] - 1) * strides[dim]
    for operand in source.operands:
        size = shape_of(operand)[dim]
        if starts[dim] < size:
            if last >= size:
                return None
            return emit_slice(operand, starts, shape_of(op.results[0]), strides, rewriter)
        starts[dim] -= size
        last -= size
    return None


def emit_slice(
    operand: SSAValue,
    starts: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    rewriter: Rewriter,
) -> SSAValue:
    """The slice of `sizes` elements from `starts`."""
    starts = [start if size else 0 for start, size in zip(starts, sizes, strict=True)]
    limits = [
        start + (size - 1) * stride + 1 if size else 0
        for start, size, stride in zip(starts, sizes, strides, strict=True)
    ]
    return rewriter.emit(
        stablehlo.SliceOp,
        (operand,),
        TensorType(_tensor(operand).element_type, sizes),
        {
            "start_indices": int_array(starts),
            "limit_indices": int_array(limits),
            "strides": int_array(strides),
        },
    )


@pattern
def concatenate_fewer(op: stablehlo.ConcatenateOp, rewriter: Rewriter) -> Replacement:
    """Operands without elements add nothing."""
    dim = dimension_of(op, "dimension")
    kept = [operand for operand in op.operands if shape_of(operand)[dim]]
    if len(kept) in (0, len(op.operands)):
        return None
    return rewriter.emit(stablehlo.ConcatenateOp, kept, op.results[0].type, op.properties)


@pattern
def concatenate_of_concatenate(op: stablehlo.ConcatenateOp, rewriter: Rewriter) -> Replacement:
    """One along the same dimension that nothing else reads: all operands at once."""
    dim = dimension_of(op, "dimension")
    operands: list[SSAValue] = []
    for operand in op.operands:
        inner = operand.owner
        if not isinstance(inner, stablehlo.ConcatenateOp) or not operand.has_one_use():
            operands.append(operand)
        elif dimension_of(inner, "dimension") == dim:
            operands.extend(inner.operands)
        else:
            operands.append(operand)
    if len(operands) == len(op.operands):
        return None
    return rewriter.emit(stablehlo.ConcatenateOp, operands, op.results[0].type, op.properties)


def dimension_of(op: Operation, name: str) -> int:
    """The value of an integer property."""
    return cast(IntegerAttr, op.properties[name]).value.data
