"""Types, affine maps and other attributes, cached because the same few recur in every program."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, TypeAlias, cast

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    FloatTF32Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    ReducedPrecisionFloatType,
    Signedness,
    TensorType,
    f32,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from ...dialects.dense import splat_bytes
from ...dialects.shared_attributes import cached_by_identity, i64_attribute
from ...dialects.stablehlo.attributes import FutureType
from ...dialects.stablehlo.shapes import is_complex
from ...errors import UnsupportedError

_PARALLEL = IteratorTypeAttr.parallel()
_REDUCTION = IteratorTypeAttr.reduction()

AnyTensor: TypeAlias = TensorType[Attribute]


def unsupported(op: Operation, reason: str) -> UnsupportedError:
    """The error for an op without a lowering: names the op, its types, the reason and the place."""
    operands = ", ".join(str(operand.type) for operand in op.operands)
    results = ", ".join(str(result.type) for result in op.results)
    types = f" ({operands}) -> ({results})" if op.operands or op.results else ""
    return UnsupportedError(f"{op.name}{types}: {reason}", op)


# Types


@cached_by_identity
def signless(type: Attribute) -> Attribute:
    """`type` with the sign of its integers dropped; a future is the number the runtime gives it."""
    if isinstance(type, TensorType):
        tensor = cast(AnyTensor, type)
        element = signless(tensor.element_type)
        return tensor if element is tensor.element_type else TensorType(element, tensor.shape)
    if is_integer(type) and type.signedness.data is not Signedness.SIGNLESS:
        return IntegerType(type.width.data)
    return TensorType(i64, []) if isinstance(type, FutureType) else type


def result_type(op: Operation) -> AnyTensor:
    """The signless type of the first result."""
    return cast(AnyTensor, signless(op.results[0].type))


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor, with its sign; the type itself for a scalar."""
    type: Any = value.type
    return type.element_type if type.__class__ is TensorType else type


Kind = IntEnum("Kind", ["FLOAT", "SIGNED", "UNSIGNED", "BOOLEAN", "COMPLEX", "OTHER"], start=0)
"""What decides how scalars of an element type are computed with: the columns of the table of ops."""


@cached_by_identity
def kind_of(type: Attribute) -> Kind:
    """The kind of a StableHLO element type; indices are signed, what has no lowering is `OTHER`."""
    if is_integer(type):
        if type.width.data == 1:
            return Kind.BOOLEAN
        return Kind.UNSIGNED if type.signedness.data is Signedness.UNSIGNED else Kind.SIGNED
    if isinstance(type, IndexType):
        return Kind.SIGNED
    if is_complex(type):
        return Kind.COMPLEX if is_float(type.element_type) else Kind.OTHER
    if isinstance(type, Float16Type | BFloat16Type | Float32Type | Float64Type) or is_narrow_float(type):
        return Kind.FLOAT
    return Kind.OTHER


def is_unsigned(type: Attribute) -> bool:
    """Whether integers of this StableHLO element type are read as unsigned; booleans are."""
    return kind_of(type) in (Kind.UNSIGNED, Kind.BOOLEAN)


def is_integer(type: Attribute) -> TypeIs[IntegerType]:
    """Whether `type` is an integer type, `i1` included."""
    return isinstance(type, IntegerType)


def is_float(type: Attribute) -> bool:
    """Whether `type` is a floating-point type that has a lowering."""
    return kind_of(type) is Kind.FLOAT


@cached_by_identity
def is_narrow_float(type: Attribute) -> bool:
    """Whether `type` is a floating-point type of a byte or less: stored and converted, never computed with."""
    return isinstance(type, ReducedPrecisionFloatType) and not isinstance(type, FloatTF32Type)


def is_number(type: Attribute) -> bool:
    """Whether `type` is an integer, floating-point or complex type that has a lowering."""
    return kind_of(type) is not Kind.OTHER


def accumulator(type: Attribute) -> Attribute:
    """The type in which sums and products of `type` are accumulated: f32 for floats of 16 bits and less."""
    return f32 if isinstance(type, Float16Type | BFloat16Type) or is_narrow_float(type) else type


# Values of attributes


def splat_number(dense: DenseIntOrFPElementsAttr) -> complex | None:
    """The one number that all elements are, of an integer its signless form; None if they differ or there are none."""
    data = splat_bytes(dense)
    if data is None:
        return None
    element: Any = dense.type.element_type
    value: Any = element.unpack(data, 1)[0]
    if is_integer(element):
        return IntegerType(element.width.data).normalized_value(value, truncate_bits=True)
    return complex(*value) if is_complex(element) else value


def scalar_attribute(type: Any, value: complex) -> Attribute:
    """`value` as an attribute of the signless type `type`; of a complex number the two parts."""
    if is_complex(type):
        number = complex(value)
        return ArrayAttr([scalar_attribute(type.element_type, part) for part in (number.real, number.imag)])
    assert not isinstance(value, complex)
    if is_integer(type):
        return IntegerAttr(int(value), type, truncate_bits=True)
    return IntegerAttr(int(value), type) if isinstance(type, IndexType) else FloatAttr(value, type)


# Maps


@cache
def dimension(position: int) -> AffineExpr:
    """The affine expression `d<position>`."""
    return AffineDimExpr(position)


@lru_cache(1 << 12)
def constant_expression(value: int) -> AffineExpr:
    """The affine expression `value`."""
    return AffineConstantExpr(value)


def affine_map(rank: int, results: Sequence[AffineExpr]) -> AffineMapAttr:
    """A map of `rank` loop dimensions."""
    return AffineMapAttr(AffineMap(rank, 0, tuple(results)))


@lru_cache(1 << 12)
def projection(rank: int, dims: tuple[int, ...]) -> AffineMapAttr:
    """The map that selects the loop dimensions `dims`, in that order."""
    return affine_map(rank, [dimension(dim) for dim in dims])


@cache
def leading(rank: int, count: int) -> AffineMapAttr:
    """The map that selects the first `count` loop dimensions."""
    return projection(rank, tuple(range(count)))


def identity(rank: int) -> AffineMapAttr:
    """The map of `rank` loop dimensions to themselves."""
    return leading(rank, rank)


def scaled(expression: AffineExpr, factor: int, offset: int = 0) -> AffineExpr:
    """`expression * factor + offset` in its simplest form."""
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
            expressions.append(scaled(dimension(dim), stride, start))
    return affine_map(len(shape), expressions)


@cached_by_identity
def iterators(output_map: Attribute) -> ArrayAttr[IteratorTypeAttr]:
    """The kinds of the loops around an output: those it does not depend on are reductions."""
    map = cast(AffineMapAttr, output_map).data
    kept = map.used_dims()
    return ArrayAttr([_PARALLEL if dim in kept else _REDUCTION for dim in range(map.num_dims)])


def reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr([ArrayAttr([i64_attribute(dim) for dim in group]) for group in groups])


def common_groups(source: Sequence[int], target: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The finest grouping of consecutive dimensions of both shapes into groups of equal size. No
    size is 0.
    """
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(source) and j < len(target):
        begin, start = i, j
        size, wanted = source[i], target[j]
        i, j = i + 1, j + 1
        while size != wanted:
            if size < wanted:
                size, i = size * source[i], i + 1
            else:
                wanted, j = wanted * target[j], j + 1
        groups.append(([*range(begin, i)], [*range(start, j)]))
    if groups:
        groups[-1][0].extend(range(i, len(source)))
        groups[-1][1].extend(range(j, len(target)))
    return groups
