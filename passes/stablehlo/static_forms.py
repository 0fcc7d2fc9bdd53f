"""The static forms of ops whose shapes are values, once these values are constants.

`STATIC_FORMS` has a function per op. It takes the op, its operands and a `Builder`, and returns the values in place of
the results. Where the type of the result is static already, `dynamic_broadcast_in_dim`, `dynamic_reshape` and
`dynamic_iota` need no constants, as the type says what the shape operand must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import Shape, compatible_types, element_type_of, is_tensor, shape_of
from ...dialects.stablehlo.windows import padding_attr
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.tensors import int_array
from ...reference.arrays import dtype_of

Array = NDArray[Any]


class Builder(Protocol):
    """What a static form needs of the pass."""

    def constant(self, value: SSAValue) -> Array | None:
        """The value of `value` where it is known."""
        ...

    def emit_constant(self, type: TensorType[Attribute], value: Array) -> SSAValue:
        """A new `stablehlo.constant`."""
        ...

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Sequence[SSAValue]:
        """The results of a new op, whose shapes are inferred where that is possible."""
        ...

    def check_shapes(self, operands: Sequence[SSAValue]) -> None:
        """Check the shape operands of the op, now these, when the program runs."""
        ...

    def region_of(self, function: str) -> Region | None:
        """The body of a function of the module as a region that ends with `stablehlo.return`."""
        ...


StaticForm = Callable[[Any, Sequence[SSAValue], Builder], Sequence[SSAValue]]

CALLEE_PROPERTY: dict[type[Operation], str] = {func.CallOp: "callee", stablehlo.CompositeOp: "decomposition"}
"""The ops that call a function, and the property that names it."""


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


def ints_of(op: Operation, name: str, value: SSAValue, builder: Builder) -> Shape:
    """The elements of a shape operand."""
    array = builder.constant(value)
    if array is None:
        declared = shape_of(op.results[0])
        dimension = declared.index(DYNAMIC_INDEX) if DYNAMIC_INDEX in declared else 0
        raise unknown_size(op, dimension, name)
    return tuple(int(v) for v in array.reshape(-1))


def _result_type(op: Operation, name: str, value: SSAValue, builder: Builder) -> TensorType[Attribute]:
    """The static type of a result whose shape is the value of an operand."""
    result = op.results[0]
    shape = shape_of(result)
    if builder.constant(value) is not None or DYNAMIC_INDEX in shape:
        shape = ints_of(op, name, value, builder)
    if any(size < 0 for size in shape):
        raise InvalidProgramError(f"{op.name}: the shape {list(shape)} has a negative size", op)
    return TensorType(element_type_of(result), shape)


def _checked_type(op: Operation, name: str, operands: Sequence[SSAValue], builder: Builder) -> TensorType[Attribute]:
    """The same of an op whose last operand is a shape, which is checked when the program runs if it is not known."""
    type = _result_type(op, name, operands[-1], builder)
    if builder.constant(operands[-1]) is None:
        builder.check_shapes(operands)
    return type


def _broadcast_in_dim(
    op: stablehlo.DynamicBroadcastInDimOp, operands: Sequence[SSAValue], builder: Builder
) -> Sequence[SSAValue]:
    type = _checked_type(op, "output_dimensions", operands, builder)
    properties = {"broadcast_dimensions": op.broadcast_dimensions}
    return builder.emit(stablehlo.BroadcastInDimOp, operands[:1], (type,), properties)


def _reshape(op: stablehlo.DynamicReshapeOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    type = _checked_type(op, "output_shape", operands, builder)
    return builder.emit(stablehlo.ReshapeOp, operands[:1], (type,))


def _iota(op: stablehlo.DynamicIotaOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    type = _checked_type(op, "output_shape", operands, builder)
    return builder.emit(stablehlo.IotaOp, (), (type,), {"iota_dimension": op.iota_dimension})


def _pad(op: stablehlo.DynamicPadOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    properties = {
        name: int_array(ints_of(op, name, value, builder)) for name, value in zip(names, operands[2:], strict=True)
    }
    return builder.emit(stablehlo.PadOp, operands[:2], (op.result.type,), properties)


def _gather(op: stablehlo.DynamicGatherOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    properties = dict(op.properties)
    properties["slice_sizes"] = int_array(ints_of(op, "slice_sizes", operands[2], builder))
    return builder.emit(stablehlo.GatherOp, operands[:2], (op.result.type,), properties)


def _convolution(op: stablehlo.DynamicConvOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    flat = ints_of(op, "padding", operands[2], builder)
    properties = dict(op.properties)
    properties["padding"] = padding_attr(list(zip(flat[::2], flat[1::2], strict=True)))
    return builder.emit(stablehlo.ConvolutionOp, operands[:2], (op.result.type,), properties)


def _slice(op: stablehlo.RealDynamicSliceOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    operand, *bounds = operands
    names = ("start_indices", "limit_indices", "strides")
    if all(builder.constant(value) is not None for value in bounds):
        properties = {
            name: int_array(ints_of(op, name, value, builder)) for name, value in zip(names, bounds, strict=True)
        }
        return builder.emit(stablehlo.SliceOp, (operand,), (op.result.type,), properties)
    builder.check_shapes(operands)
    starts, limits, strides = bounds
    sizes = _slice_sizes(op, starts, limits, builder)
    if set(ints_of(op, "strides", strides, builder)) - {1}:
        raise UnsupportedError(f"{op.name} with strides at a start computed from data has no static form", op)
    index_type = element_type_of(starts)
    if isinstance(index_type, IndexType):
        index_type = i64
        (starts,) = builder.emit(stablehlo.ConvertOp, (starts,), (TensorType(i64, shape_of(starts)),))
    indices: list[SSAValue] = []
    for dim in range(len(sizes)):
        bounds_of_one = {"start_indices": [dim], "limit_indices": [dim + 1], "strides": [1]}
        properties = {name: int_array(values) for name, values in bounds_of_one.items()}
        (one,) = builder.emit(stablehlo.SliceOp, (starts,), (TensorType(index_type, (1,)),), properties)
        indices += builder.emit(stablehlo.ReshapeOp, (one,), (TensorType(index_type, ()),))
    properties = {"slice_sizes": int_array(sizes)}
    return builder.emit(stablehlo.DynamicSliceOp, (operand, *indices), (op.result.type,), properties)


def _slice_sizes(op: stablehlo.RealDynamicSliceOp, starts: SSAValue, limits: SSAValue, builder: Builder) -> Shape:
    """The sizes of a slice at a computed start: those of its type, or `limits = starts + sizes` says it."""
    declared = shape_of(op.result)
    if DYNAMIC_INDEX not in declared:
        return declared
    owner = limits.owner
    if isinstance(owner, stablehlo.AddOp) and starts in owner.operands:
        lhs, rhs = owner.operands
        return ints_of(op, "limit_indices", rhs if lhs is starts else lhs, builder)
    return ints_of(op, "limit_indices", limits, builder)


def _get_dimension_size(
    op: stablehlo.GetDimensionSizeOp, operands: Sequence[SSAValue], builder: Builder
) -> Sequence[SSAValue]:
    size = shape_of(operands[0])[op.dimension.value.data]
    type = cast(TensorType[Attribute], op.result.type)
    return [builder.emit_constant(type, np.array(size, dtype_of(type.element_type)))]


def _set_dimension_size(
    op: stablehlo.SetDimensionSizeOp, operands: Sequence[SSAValue], builder: Builder
) -> Sequence[SSAValue]:
    """The first elements along the dimension."""
    operand, dim = operands[0], op.dimension.value.data
    (size,) = ints_of(op, "size", operands[1], builder)
    limits = list(shape_of(operand))
    if not 0 <= size <= limits[dim]:
        raise InvalidProgramError(f"{op.name}: size {size} of dimension {dim} of {operand.type}", op)
    if size == limits[dim]:
        return [operand]
    limits[dim] = size
    properties = {
        "start_indices": int_array([0] * len(limits)),
        "limit_indices": int_array(limits),
        "strides": int_array([1] * len(limits)),
    }
    return builder.emit(stablehlo.SliceOp, (operand,), (op.result.type,), properties)


def _rng(op: stablehlo.RngOp, operands: Sequence[SSAValue], builder: Builder) -> Sequence[SSAValue]:
    """`rng` stays; its operand `shape` says its type."""
    type = _result_type(op, "shape", operands[2], builder)
    return builder.emit(stablehlo.RngOp, operands, (type,), op.properties)


STATIC_FORMS: dict[type[Operation], StaticForm] = {
    stablehlo.DynamicBroadcastInDimOp: _broadcast_in_dim,
    stablehlo.DynamicConvOp: _convolution,
    stablehlo.DynamicGatherOp: _gather,
    stablehlo.DynamicIotaOp: _iota,
    stablehlo.DynamicPadOp: _pad,
    stablehlo.DynamicReshapeOp: _reshape,
    stablehlo.GetDimensionSizeOp: _get_dimension_size,
    stablehlo.RealDynamicSliceOp: _slice,
    stablehlo.RngOp: _rng,
    stablehlo.SetDimensionSizeOp: _set_dimension_size,
}
"""Op to static form."""
