"""Identities of ops that move, repeat, cut or read elements, and of tuples."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from .control_flow import GetTupleElementOp, TupleOp
from .data_movement import BitcastConvertOp, BroadcastInDimOp, BroadcastOp, ReshapeOp, ReverseOp, TransposeOp
from .dynamism import GetDimensionSizeOp
from .fold_rules import Folded, Rule, splat, splat_of
from .indexing import DynamicSliceOp, DynamicUpdateSliceOp
from .shapes import shape_of, tensor_type
from .slicing import ConcatenateOp, PadOp, SliceOp


def same_static_type(op: Operation) -> Folded:
    """Ops that keep all elements in place where they keep a static shape: `reshape`, `slice`, `dynamic_slice`."""
    return op.operands[0] if tensor_type(op.operands[0]).has_static_shape() else None


def moved_splat(op: Operation) -> Folded:
    """The elements of a splat constant in other places are the same elements."""
    return splat(tensor_type(op.results[0]), splat_of(op.operands[0]))


def in_order(op: BroadcastInDimOp) -> Folded:
    """Every dimension becomes itself."""
    dims = op.broadcast_dimensions.get_values()
    return same_static_type(op) if list(dims) == list(range(len(dims))) else None


def broadcast_of_no_dimensions(op: BroadcastOp) -> Folded:
    return op.operand if not op.broadcast_sizes.get_values() else None


def transpose_in_order(op: TransposeOp) -> Folded:
    """No dimension moves, or only dimensions of size 1 do and the type stays the same."""
    shape, permutation = shape_of(op.operand), op.permutation.get_values()
    order = [dim for dim in permutation if shape[dim] != 1]
    return op.operand if order == sorted(order) else None


def transpose_back(op: TransposeOp) -> Folded:
    """A transpose that undoes the one before it."""
    source = op.operand.owner
    if not isinstance(source, TransposeOp):
        return None
    inner = source.permutation.get_values()
    order = [inner[dim] for dim in op.permutation.get_values()]
    return source.operand if order == list(range(len(order))) else None


def reshape_back(op: ReshapeOp) -> Folded:
    """A reshape to the static shape there was before another reshape."""
    source = op.operand.owner
    if isinstance(source, ReshapeOp) and tensor_type(source.operand).has_static_shape():
        return source.operand
    return None


def bitcast_back(op: BitcastConvertOp) -> Folded:
    source = op.operand.owner
    if op.operand.type == op.result.type:
        return op.operand
    return source.operand if isinstance(source, BitcastConvertOp) else None


def reverse_of_nothing(op: ReverseOp) -> Folded:
    """Only dimensions of size 0 or 1 are reversed."""
    shape = shape_of(op.operand)
    return op.operand if all(shape[dim] in (0, 1) for dim in op.dimensions.get_values()) else None


def reverse_back(op: ReverseOp) -> Folded:
    source = op.operand.owner
    if isinstance(source, ReverseOp) and set(source.dimensions.get_values()) == set(op.dimensions.get_values()):
        return source.operand
    return None


def pad_with_nothing(op: PadOp) -> Folded:
    """No padding on the edges; none between elements, or there is no between."""
    if any((*op.edge_padding_low.get_values(), *op.edge_padding_high.get_values())):
        return None
    shape = shape_of(op.operand)
    between = (size for size, count in zip(shape, op.interior_padding.get_values(), strict=True) if count)
    return op.operand if all(size in (0, 1) for size in between) else None


def pad_of_splat(op: PadOp) -> Folded:
    """Padding a splat constant with the element it is made of."""
    element = splat_of(op.operand)
    return splat(tensor_type(op.result), element) if element == splat_of(op.padding_value) else None


def concatenate_of_one(op: ConcatenateOp) -> Folded:
    """One input has all the elements there are along the dimension."""
    dim = op.dimension.value.data
    full = [value for value in op.inputs if shape_of(value)[dim]]
    return (full or list(op.inputs))[0] if len(full) <= 1 else None


def concatenate_of_splats(op: ConcatenateOp) -> Folded:
    """All inputs are splat constants of the same element."""
    elements = {splat_of(value) for value in op.inputs}
    return splat(tensor_type(op.result), elements.pop()) if len(elements) == 1 else None


def update_of_everything(op: DynamicUpdateSliceOp) -> Folded:
    """The update has the shape of the operand, or no elements, or both are splats of one element."""
    operand, update = op.operand, op.update
    if operand.type == update.type and tensor_type(operand).has_static_shape():
        return update
    element = splat_of(operand)
    if 0 in shape_of(update) or (element is not None and element == splat_of(update)):
        return operand
    return None


def element_of_tuple(op: GetTupleElementOp) -> Folded:
    source = op.operand.owner
    return source.operands[op.index.value.data] if isinstance(source, TupleOp) else None


def static_size(op: GetDimensionSizeOp) -> Folded:
    size = shape_of(op.operand)[op.dimension.value.data]
    return None if size == DYNAMIC_INDEX else splat(tensor_type(op.result), size)


RULES: Mapping[type[Operation], tuple[Rule, ...]] = {
    ReshapeOp: (same_static_type, reshape_back),
    BroadcastOp: (broadcast_of_no_dimensions,),
    BroadcastInDimOp: (in_order,),
    TransposeOp: (transpose_in_order, transpose_back),
    ReverseOp: (reverse_of_nothing, reverse_back),
    SliceOp: (same_static_type,),
    PadOp: (pad_with_nothing, pad_of_splat),
    ConcatenateOp: (concatenate_of_one, concatenate_of_splats),
    BitcastConvertOp: (bitcast_back,),
    DynamicSliceOp: (same_static_type,),
    DynamicUpdateSliceOp: (update_of_everything,),
    GetTupleElementOp: (element_of_tuple,),
    GetDimensionSizeOp: (static_size,),
}
