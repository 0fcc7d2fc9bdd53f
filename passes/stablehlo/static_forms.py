"""The static forms of ops whose shapes are values, once these values are constants.

`STATIC_FORMS` has a function per op. It takes the op and the function that is refined, and returns the values in place
of the results. Where the type of the result is static already, `dynamic_broadcast_in_dim`,
`dynamic_reshape` and `dynamic_iota` need no constants, as the type says what the shape operand must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import stablehlo
from ...dialects.stablehlo.shape_rules import RANGES
from ...dialects.stablehlo.shapes import Shape, compatible_types, element_type_of, is_tensor, shape_of
from ...dialects.stablehlo.windows import padding_attr
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.tensors import int_array
from ...reference.arrays import dtype_of

if TYPE_CHECKING:
    from .refined_function import RefinedFunction

StaticForm = Callable[[Any, "RefinedFunction"], Sequence[SSAValue]]

STATIC: dict[type[Operation], type[IRDLOperation]] = {
    stablehlo.DynamicBroadcastInDimOp: stablehlo.BroadcastInDimOp,
    stablehlo.DynamicConvOp: stablehlo.ConvolutionOp,
    stablehlo.DynamicGatherOp: stablehlo.GatherOp,
    stablehlo.DynamicIotaOp: stablehlo.IotaOp,
    stablehlo.DynamicPadOp: stablehlo.PadOp,
    stablehlo.DynamicReshapeOp: stablehlo.ReshapeOp,
    stablehlo.RealDynamicSliceOp: stablehlo.SliceOp,
}
"""Op to the op that has its last operands as properties, or the last one in the type of its result."""


def shape_operands(op: IRDLOperation) -> tuple[Sequence[SSAValue], dict[str, SSAValue]]:
    """The operands of an op that its static form has too, and the others, which are shapes, by name."""
    names = [name for name, _ in op.get_irdl_definition().operands]
    count = len(STATIC[type(op)].get_irdl_definition().operands)
    return op.operands[:count], dict(zip(names[count:], op.operands[count:], strict=True))


def static_properties(op: Operation, values: Mapping[str, Sequence[int]]) -> dict[str, Attribute]:
    """The properties of the static form of an op whose shape operands have these values."""
    names = STATIC[type(op)].get_irdl_definition().properties
    return {name: value for name, value in op.properties.items() if name in names} | properties_of(values)


def properties_of(values: Mapping[str, Sequence[int]]) -> dict[str, Attribute]:
    """Lists of numbers as properties."""
    return {
        name: padding_attr(list(zip(numbers[::2], numbers[1::2], strict=True)))
        if name == "padding"
        else int_array(numbers)
        for name, numbers in values.items()
    }


def dynamic_dimension(type: Attribute) -> int | None:
    """The first dynamic dimension of a tensor type."""
    if is_tensor(type) and DYNAMIC_INDEX in (shape := type.get_shape()):
        return shape.index(DYNAMIC_INDEX)
    return None


def with_shape(op: Operation, type: Attribute, shape: Sequence[int]) -> Attribute:
    """`type`, a result type of `op`, with the shape that was inferred for it; what was not inferred stays as it is."""
    if not is_tensor(type) or type.get_shape() == tuple(shape):
        return type
    known = shape
    if type.get_num_dims() == len(shape):
        known = [size if n == DYNAMIC_INDEX else n for n, size in zip(shape, type.get_shape(), strict=True)]
    inferred = TensorType(type.element_type, known)
    if not compatible_types(type, inferred):
        raise InvalidProgramError(f"{op.name}: the result has type {inferred}, not {type}", op)
    return inferred


def unknown_size(op: Operation, dimension: int, operand: str) -> UnsupportedError:
    """The error for a shape that depends on data."""
    return UnsupportedError(
        f"{op.name}: dimension {dimension} of the result stays dynamic: {operand} is not computed from shapes and"
        " constants alone",
        op,
    )


def ints_of(op: Operation, name: str, value: SSAValue, builder: RefinedFunction) -> Shape:
    """The elements of a shape operand."""
    array = builder.constant(value)
    if array is None:
        declared = shape_of(op.results[0])
        dimension = declared.index(DYNAMIC_INDEX) if DYNAMIC_INDEX in declared else 0
        raise unknown_size(op, dimension, name)
    return tuple(int(v) for v in array.reshape(-1))


def _result_type(op: Operation, name: str, value: SSAValue, builder: RefinedFunction) -> TensorType[Attribute]:
    """The static type of a result whose shape is the value of an operand."""
    result = op.results[0]
    shape = shape_of(result)
    if builder.constant(value) is not None or DYNAMIC_INDEX in shape:
        shape = ints_of(op, name, value, builder)
    if any(size < 0 for size in shape):
        raise InvalidProgramError(f"{op.name}: the shape {list(shape)} has a negative size", op)
    return TensorType(element_type_of(result), shape)


def _static_form(op: IRDLOperation, builder: RefinedFunction) -> Sequence[SSAValue]:
    """By the table; a shape that is that of the result is checked when the program runs if it is not known."""
    static, (kept, shapes) = STATIC[type(op)], shape_operands(op)
    type_, values = op.results[0].type, dict[str, Shape]()
    for name, value in shapes.items():
        if name in static.get_irdl_definition().properties:
            values[name] = ints_of(op, name, value, builder)
        else:
            type_ = _result_type(op, name, value, builder)
            if builder.constant(value) is None:
                builder.check_shapes()
    return builder.emit(static, kept, (type_,), static_properties(op, values))


def _slice(op: stablehlo.RealDynamicSliceOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    operand, starts, _, strides = op.operands
    if all(builder.constant(value) is not None for value in op.operands[1:]):
        return _static_form(op, builder)
    builder.check_shapes()
    sizes = _slice_sizes(op, builder)
    if set(ints_of(op, "strides", strides, builder)) - {1}:
        raise UnsupportedError(f"{op.name} with strides at a start computed from data has no static form", op)
    index_type = element_type_of(starts)
    if isinstance(index_type, IndexType):
        index_type = i64
        (starts,) = builder.emit(stablehlo.ConvertOp, (starts,), (TensorType(i64, shape_of(starts)),))
    indices: list[SSAValue] = []
    for dim in range(len(sizes)):
        properties = properties_of(dict(zip(RANGES, ([dim], [dim + 1], [1]), strict=True)))
        (one,) = builder.emit(stablehlo.SliceOp, (starts,), (TensorType(index_type, (1,)),), properties)
        indices += builder.emit(stablehlo.ReshapeOp, (one,), (TensorType(index_type, ()),))
    properties = {"slice_sizes": int_array(sizes)}
    return builder.emit(stablehlo.DynamicSliceOp, (operand, *indices), (op.result.type,), properties)


def _slice_sizes(op: stablehlo.RealDynamicSliceOp, builder: RefinedFunction) -> Shape:
    """The sizes of a slice at a computed start: those of its type, or `limits = starts + sizes` says it."""
    declared = shape_of(op.result)
    if DYNAMIC_INDEX not in declared:
        return declared
    _, starts, sizes, _ = op.operands
    if isinstance(add := sizes.owner, stablehlo.AddOp) and starts in add.operands:
        sizes = add.rhs if add.lhs is starts else add.lhs
    return ints_of(op, "limit_indices", sizes, builder)


def _get_dimension_size(op: stablehlo.GetDimensionSizeOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    size = shape_of(op.operand)[op.dimension.value.data]
    type = cast(TensorType[Attribute], op.result.type)
    return [builder.emit_constant(type, np.array(size, dtype_of(type.element_type)))]


def _set_dimension_size(op: stablehlo.SetDimensionSizeOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """The first elements along the dimension."""
    operand, dim = op.operand, op.dimension.value.data
    (size,) = ints_of(op, "size", op.size, builder)
    limits = list(shape_of(operand))
    if not 0 <= size <= limits[dim]:
        raise InvalidProgramError(f"{op.name}: size {size} of dimension {dim} of {operand.type}", op)
    if size == limits[dim]:
        return [operand]
    limits[dim] = size
    ranges = zip(RANGES, ([0] * len(limits), limits, [1] * len(limits)), strict=True)
    return builder.emit(stablehlo.SliceOp, (operand,), (op.result.type,), properties_of(dict(ranges)))


def _rng(op: stablehlo.RngOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """`rng` stays; its operand `shape` says its type."""
    type = _result_type(op, "shape", op.shape, builder)
    return builder.emit(stablehlo.RngOp, op.operands, (type,), op.properties)


STATIC_FORMS: dict[type[Operation], StaticForm] = {
    **dict.fromkeys(STATIC, _static_form),
    stablehlo.GetDimensionSizeOp: _get_dimension_size,
    stablehlo.RealDynamicSliceOp: _slice,
    stablehlo.RngOp: _rng,
    stablehlo.SetDimensionSizeOp: _set_dimension_size,
}
"""Op to static form."""
