"""Types, affine maps and other attributes, cached because the same few recur in every program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, cast

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import IRDLOperation

from ...dialects import stablehlo
from ...dialects.dense import dense_values
from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import cached_by_identity, i64_attribute
from ...dialects.stablehlo.attributes import FutureType
from ...errors import UnsupportedError

INDEX = IndexType()
NARROW_FLOATS = (
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
)
"""The floating-point types of a byte and less: stored and converted, never computed with."""
FLOATS = (Float16Type, BFloat16Type, Float32Type, Float64Type, *NARROW_FLOATS)
"""The floating-point types with a lowering."""
_SIGNLESS = Signedness.SIGNLESS
_PARALLEL = IteratorTypeAttr.parallel()
_REDUCTION = IteratorTypeAttr.reduction()

AnyTensor: TypeAlias = TensorType[Attribute]


def unsupported(op: Operation, reason: str) -> UnsupportedError:
    """The error for an op without a lowering: names the op, its types, the reason and the place."""
    operands = ", ".join(str(operand.type) for operand in op.operands)
    results = ", ".join(str(result.type) for result in op.results)
    types = f" ({operands}) -> ({results})" if op.operands or op.results else ""
    return UnsupportedError(f"{op.name}{types}: {reason}", op)


@cached_by_identity
def signless(type: Attribute) -> Attribute:
    """`type` with the sign of its integers dropped; a future is the number the runtime gives it."""
    if isinstance(type, TensorType):
        tensor = cast(AnyTensor, type)
        element = signless(tensor.element_type)
        return tensor if element is tensor.element_type else TensorType(element, tensor.shape)
    if is_integer(type) and type.signedness.data is not _SIGNLESS:
        return IntegerType(type.width.data)
    return TensorType(i64, []) if isinstance(type, FutureType) else type


def tensor_type(value: SSAValue) -> AnyTensor:
    """The type of `value`, known to be a tensor."""
    return cast(AnyTensor, value.type)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The static shape of a tensor value."""
    return tensor_type(value).get_shape()


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor, with its sign; the type itself for a scalar."""
    type = value.type
    return cast(AnyTensor, type).element_type if isinstance(type, TensorType) else type


def is_unsigned(type: Attribute) -> bool:
    """Whether integers of this StableHLO element type are read as unsigned; booleans are."""
    return is_integer(type) and (type.signedness.data is Signedness.UNSIGNED or type.width.data == 1)


def is_integer(type: Attribute) -> TypeIs[IntegerType]:
    """Whether `type` is an integer type, `i1` included."""
    return isinstance(type, IntegerType)


def is_float(type: Attribute) -> bool:
    """Whether `type` is a floating-point type that has a lowering."""
    return isinstance(type, FLOATS)


@cached_by_identity
def is_narrow_float(type: Attribute) -> bool:
    """Whether `type` is a floating-point type of a byte or less."""
    return isinstance(type, NARROW_FLOATS)


def is_complex(type: Attribute) -> bool:
    """Whether `type` is complex with parts that have a lowering."""
    return has_parts(type) and is_float(type.element_type)


def has_parts(type: Attribute) -> TypeIs[ComplexType[Any]]:
    """Whether `type` is complex, whatever its parts."""
    return isinstance(type, ComplexType)


def is_number(type: Attribute) -> bool:
    """Whether `type` is an integer, floating-point or complex type that has a lowering."""
    return is_integer(type) or is_float(type) or is_complex(type)


def part_type(type: Attribute) -> Attribute:
    """The type of the parts of a complex type."""
    return cast("ComplexType[Any]", type).element_type


def ints(attribute: Attribute) -> tuple[int, ...]:
    """The values of an array or dense attribute of integers, each of a splat too."""
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return tuple(dense_values(cast("DenseIntOrFPElementsAttr[Any]", attribute)))
    assert isinstance(attribute, DenseArrayBase)
    return cast(tuple[int, ...], attribute.get_values())  # pyright: ignore


def counts_along(value: SSAValue, dim: int) -> bool:
    """Whether every element of `value` is its index in dimension `dim`, an integer that has room."""
    type = element_of(value)
    return is_integer(type) and shape_of(value)[dim] < 1 << (element_bits(type) - 1) and _is_iota(value, dim)


def _is_iota(value: SSAValue, dim: int) -> bool:
    owner = value.owner
    if isinstance(owner, stablehlo.BroadcastInDimOp):
        source = owner.operands[0]
        dims = ints(owner.broadcast_dimensions)
        return (
            dim in dims
            and shape_of(source)[dims.index(dim)] == shape_of(value)[dim]
            and _is_iota(source, dims.index(dim))
        )
    return isinstance(owner, stablehlo.IotaOp) and owner.iota_dimension.value.data == dim


def values_or(attribute: Attribute | None, default: int, count: int) -> tuple[int, ...]:
    """The values of an optional array attribute, by default `count` times `default`."""
    return (default,) * count if attribute is None else ints(attribute)


@cache
def dimension(position: int) -> AffineExpr:
    """The affine expression `d<position>`."""
    return AffineDimExpr(position)


@cache
def constant_expression(value: int) -> AffineExpr:
    """The affine expression `value`."""
    return AffineConstantExpr(value)


def affine_map(rank: int, results: Sequence[AffineExpr]) -> AffineMapAttr:
    """A map of `rank` loop dimensions."""
    return AffineMapAttr(AffineMap(rank, 0, tuple(results)))


@cache
def projection(rank: int, dims: tuple[int, ...]) -> AffineMapAttr:
    """The map that selects the loop dimensions `dims`, in that order."""
    return affine_map(rank, [dimension(dim) for dim in dims])


@cache
def identity(rank: int) -> AffineMapAttr:
    """The map of `rank` loop dimensions to themselves."""
    return projection(rank, tuple(range(rank)))


def scaled(position: int, factor: int, offset: int = 0) -> AffineExpr:
    """The expression `d<position> * factor + offset` in its simplest form."""
    expression = dimension(position)
    if factor != 1:
        expression = expression * factor
    return expression + offset if offset else expression


def slice_map(
    shape: Sequence[int], starts: Sequence[int], strides: Sequence[int], extents: Sequence[int]
) -> AffineMapAttr:
    """The map of a slice: `d * stride + start` in each dimension of a tensor of shape `shape`.

    An operand indexed by a plain loop dimension has to have the extent of that loop, so the first
    elements of a longer dimension are read at `d mod size`.
    """
    expressions: list[AffineExpr] = []
    for dim, (size, start, stride, extent) in enumerate(zip(shape, starts, strides, extents, strict=True)):
        if extent == 1 != size:
            expressions.append(constant_expression(start))
        elif start == 0 and stride == 1 and extent != size:
            expressions.append(dimension(dim) % size)
        else:
            expressions.append(scaled(dim, stride, start))
    return affine_map(len(shape), expressions)


@cache
def iterators(parallel: int, reduction: int = 0) -> ArrayAttr[IteratorTypeAttr]:
    """Iterator types of `parallel` loops around `reduction` loops."""
    return ArrayAttr([_PARALLEL] * parallel + [_REDUCTION] * reduction)


@cache
def iterators_reducing(rank: int, dims: frozenset[int]) -> ArrayAttr[IteratorTypeAttr]:
    """Iterator types of `rank` loops of which `dims` are reductions."""
    return ArrayAttr([_REDUCTION if dim in dims else _PARALLEL for dim in range(rank)])


@cache
def map_array(maps: tuple[AffineMapAttr, ...]) -> ArrayAttr[AffineMapAttr]:
    return ArrayAttr(maps)


def reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr([ArrayAttr([i64_attribute(dim) for dim in group]) for group in groups])


@cache
def default_properties(op_type: type[Operation]) -> Mapping[str, Attribute]:
    """The properties of an op that have a default: fast-math and overflow flags."""
    assert issubclass(op_type, IRDLOperation)
    definitions = op_type.get_irdl_definition().properties
    return {
        name: definition.default_value
        for name, definition in definitions.items()
        if definition.default_value is not None
    }


ScalarAttribute: TypeAlias = "IntegerAttr | FloatAttr | ArrayAttr[FloatAttr]"
"""The value of a scalar; of a complex number its two parts, as `complex.constant` has them."""


def splat_value(dense: DenseIntOrFPElementsAttr) -> ScalarAttribute | None:
    """The one (signless) value of all elements, or None if elements differ or there are none."""
    element: Any = dense.type.element_type
    size = element.compile_time_size
    data = dense.data.data
    first = data[:size]
    if not data or data != first * (len(data) // size):
        return None
    (value,) = element.unpack(first, 1)
    return scalar_attribute(element, value)


def scalar_attribute(type: Attribute, value: complex | tuple[float, float]) -> ScalarAttribute:
    """`value` as an attribute of the signless form of `type`."""
    if has_parts(type):
        parts = value if isinstance(value, tuple) else (complex(value).real, complex(value).imag)
        return ArrayAttr([cast(FloatAttr, scalar_attribute(type.element_type, part)) for part in parts])
    number = cast(float, value)
    if is_integer(type):
        return IntegerAttr(int(number), IntegerType(type.width.data), truncate_bits=True)
    if isinstance(type, IndexType):
        return IntegerAttr(int(number), type)
    return FloatAttr(number, type)  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType]


def scalar_type(value: ScalarAttribute) -> Attribute:
    """The type of the scalar that an attribute describes."""
    return ComplexType(cast(Any, value.data[0].type)) if isinstance(value, ArrayAttr) else cast(Any, value.type)


def scalar_number(value: ScalarAttribute) -> complex:
    """The number that an attribute describes: a complex one of two parts."""
    if isinstance(value, ArrayAttr):
        real, imaginary = (part.value.data for part in value.data)
        return complex(real, imaginary)
    return value.value.data


def common_groups(source: Sequence[int], target: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The finest grouping of consecutive dimensions of both shapes into groups of equal size. No
    size is 0.
    """
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(source) and j < len(target):
        from_source, from_target = [i], [j]
        size_source, size_target = source[i], target[j]
        i, j = i + 1, j + 1
        while size_source != size_target:
            if size_source < size_target:
                from_source.append(i)
                size_source *= source[i]
                i += 1
            else:
                from_target.append(j)
                size_target *= target[j]
                j += 1
        groups.append((from_source, from_target))
    if groups:
        groups[-1][0].extend(range(i, len(source)))
        groups[-1][1].extend(range(j, len(target)))
    return groups
