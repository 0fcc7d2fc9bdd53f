"""Shapes and types: what verifiers and type inference share.

A dynamic dimension (`?`) is compatible with every size.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeGuard, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, ComplexType, TensorType, TupleType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..quant import UniformQuantizedType
from ..shared_attributes import cached_by_identity
from .attributes import TypeExtensionsAttr

Shape = tuple[int, ...]


def violation(op: Operation | type[Operation], constraint: str, message: str) -> NoReturn:
    """Raise the error of a constraint of the specification, such as `stablehlo.transpose (C2): ...`."""
    raise VerifyException(f"{op.name} ({constraint}): {message}")


def verify_one_result_each(op: Operation, constraint: str, operands: Sequence[SSAValue]) -> None:
    """As many results as `operands`."""
    if len(operands) != len(op.results):
        violation(op, constraint, f"expected {len(operands)} results, one for each operand, got {len(op.results)}")


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that an operand or result constraint has checked to be a tensor."""
    type: Any = value._type
    return type


@cached_by_identity
def _shape(type: Attribute) -> Shape:
    return cast(TensorType[Attribute], type).get_shape()


def shape_of(value: SSAValue) -> Shape:
    return _shape(value._type)


def element_type_of(value: SSAValue) -> Attribute:
    type: Any = value._type
    return type.element_type


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    return isinstance(type, TensorType)


def is_complex(element_type: Attribute) -> TypeGuard[ComplexType[AnyFloat]]:
    return type(element_type) is ComplexType


def compatible_dims(a: int, b: int) -> bool:
    return a == b or a == DYNAMIC_INDEX or b == DYNAMIC_INDEX


def compatible_shapes(a: Sequence[int], b: Sequence[int]) -> bool:
    return len(a) == len(b) and all(map(compatible_dims, a, b))


def compatible_element_types(a: Attribute, b: Attribute) -> bool:
    """Equal, or quantised types that differ in scales and zero points only (`baseline_element_type` of the
    specification)."""
    if a == b:
        return True
    if isinstance(a, UniformQuantizedType) and isinstance(b, UniformQuantizedType):
        return a.baseline == b.baseline
    return False


def compatible_types(a: Attribute, b: Attribute) -> bool:
    """Equal, or tensors that differ in dynamic dimensions, encodings and parameters of quantisation only."""
    if a is b or a == b:
        return True
    if is_tensor(a) and is_tensor(b):
        return (
            compatible_element_types(a.element_type, b.element_type)
            and compatible_shapes(a.get_shape(), b.get_shape())
            and _within_bounds(a, b)
            and _within_bounds(b, a)
        )
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return compatible_type_lists(a.types.data, b.types.data)
    return False


def _within_bounds(a: TensorType[Attribute], b: TensorType[Attribute]) -> bool:
    """Whether no static size of `b` is greater than the bound of `a` for it."""
    if not isinstance(a.encoding, TypeExtensionsAttr):
        return True
    sizes = zip(a.get_shape(), a.encoding.bounds, b.get_shape(), strict=True)
    return all(size <= bound for own, bound, size in sizes if own == DYNAMIC_INDEX != bound)


def compatible_type_lists(a: Sequence[Attribute], b: Sequence[Attribute]) -> bool:
    return len(a) == len(b) and all(map(compatible_types, a, b))


def join_dims(dims: Iterable[int]) -> int:
    """The static size among compatible sizes, dynamic if there is none."""
    return next((dim for dim in dims if dim != DYNAMIC_INDEX), DYNAMIC_INDEX)


def real_type(element_type: Attribute) -> Attribute:
    """The element type of real and imaginary part; a type that is not complex is its own."""
    return element_type.element_type if is_complex(element_type) else element_type


def with_element_type(type: Attribute, element_type: Attribute) -> TensorType[Attribute]:
    tensor = cast(TensorType[Attribute], type)
    return TensorType(element_type, tensor.shape, tensor.encoding)


def show(types: Iterable[Attribute]) -> str:
    """Types as a user reads them in an error."""
    return "(" + ", ".join(map(str, types)) + ")"


def show_shape(shape: Sequence[int]) -> str:
    return "[" + ", ".join("?" if dim == DYNAMIC_INDEX else str(dim) for dim in shape) + "]"


def is_permutation(dims: Sequence[int], rank: int) -> bool:
    return sorted(dims) == list(range(rank))


def are_unique(dims: Sequence[int]) -> bool:
    return len(set(dims)) == len(dims)


def in_range(dims: Iterable[int], rank: int) -> bool:
    return all(0 <= dim < rank for dim in dims)
