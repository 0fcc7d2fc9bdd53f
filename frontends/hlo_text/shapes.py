"""The shapes of HLO text, `f32[2,<=3]{1,0}`, and the types of MLIR they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    ComplexType,
    Float4E2M1FNType,
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
    IntegerType,
    Signedness,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute

from ...dialects.limits import MOST_DIMENSIONS, MOST_NESTED
from ...dialects.stablehlo import TokenType, TypeExtensionsAttr
from ...dialects.stablehlo.control_flow import tuple_type
from ...errors import InvalidProgramError, UnsupportedError
from .cursor import Cursor

MAX_TUPLE_DEPTH = MOST_NESTED - 2
MAX_RANK = MOST_DIMENSIONS

_UNSIGNED = Signedness.UNSIGNED

ELEMENT_TYPES: dict[str, Attribute] = {
    "pred": IntegerType(1),
    **{f"s{width}": IntegerType(width) for width in (2, 4, 8, 16, 32, 64)},
    **{f"u{width}": IntegerType(width, _UNSIGNED) for width in (2, 4, 8, 16, 32, 64)},
    "f4e2m1fn": Float4E2M1FNType(),
    "f8e3m4": Float8E3M4Type(),
    "f8e4m3": Float8E4M3Type(),
    "f8e4m3b11fnuz": Float8E4M3B11FNUZType(),
    "f8e4m3fn": Float8E4M3FNType(),
    "f8e4m3fnuz": Float8E4M3FNUZType(),
    "f8e5m2": Float8E5M2Type(),
    "f8e5m2fnuz": Float8E5M2FNUZType(),
    "f8e8m0fnu": Float8E8M0FNUType(),
    "bf16": BFloat16Type(),
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
    "c64": ComplexType(Float32Type()),
    "c128": ComplexType(Float64Type()),
}
"""The element type of each name in HLO."""

_NAMES = {type: name for name, type in ELEMENT_TYPES.items()}


class Layout(NamedTuple):
    """In which order the dimensions lie in memory, the fastest one first; `extras` (tiles, memory space) as text."""

    minor_to_major: tuple[int, ...]
    extras: str = ""

    @property
    def is_tiled(self) -> bool:
        return "T(" in self.extras

    def __str__(self) -> str:
        return "{" + ",".join(map(str, self.minor_to_major)) + (self.extras and f":{self.extras}") + "}"


class ArrayShape(NamedTuple):
    """An array; a dynamic dimension has its bound as size, or `DYNAMIC_INDEX` if it has none."""

    element: str
    dims: tuple[int, ...]
    dynamic: tuple[bool, ...]
    layout: Layout | None = None

    @property
    def minor_to_major(self) -> tuple[int, ...]:
        """That of the layout; row-major if there is none."""
        return default_order(len(self.dims)) if self.layout is None else self.layout.minor_to_major

    @property
    def element_type(self) -> Attribute:
        return ELEMENT_TYPES[self.element]


class TupleShape(NamedTuple):
    """A tuple of shapes."""

    elements: tuple[Shape, ...]


@dataclass(frozen=True)
class TokenShape:
    """`token[]`"""


@dataclass(frozen=True)
class OpaqueShape:
    """`opaque[]`"""


@dataclass(frozen=True)
class UnknownShape:
    """That of an instruction whose text leaves it out; it follows from the operands."""


Shape = ArrayShape | TupleShape | TokenShape | OpaqueShape | UnknownShape


def default_order(rank: int) -> tuple[int, ...]:
    """Row-major: the last dimension is the fastest."""
    return tuple(range(rank - 1, -1, -1))


def parse_shape(cursor: Cursor, depth: int = 0) -> Shape:
    """Read a shape; a buffer that may not be copied, `b(f32[2])`, is the array in it."""
    if cursor.accept("("):
        if depth == MAX_TUPLE_DEPTH:
            cursor.error(f"tuples nest deeper than {MAX_TUPLE_DEPTH}")
        elements: list[Shape] = []
        if not cursor.accept(")"):
            elements.append(parse_shape(cursor, depth + 1))
            while cursor.accept(","):
                elements.append(parse_shape(cursor, depth + 1))
            cursor.expect(")", "at the end of a tuple shape")
        return TupleShape(tuple(elements))
    start = cursor.pos
    name = cursor.word("a shape such as f32[2,3]")
    if name == "b" and cursor.accept("("):
        buffer = parse_shape(cursor, depth + 1)
        cursor.expect(")", "at the end of the shape of a buffer")
        return buffer
    if name not in ELEMENT_TYPES and name not in ("token", "opaque"):
        cursor.error(f"unknown element type '{name}'", start)
    sizes, dynamic = _parse_dimensions(cursor)
    layout = _parse_layout(cursor, len(sizes))
    if name == "token":
        return TokenShape()
    if name == "opaque":
        return OpaqueShape()
    if prod(max(size, 0) for size in sizes) >= 2**63:
        cursor.error("a shape of more than 2^63 elements", start)
    return ArrayShape(name, tuple(sizes), tuple(dynamic), layout)


def _parse_dimensions(cursor: Cursor) -> tuple[list[int], list[bool]]:
    """`[2,<=3,?]`"""
    sizes: list[int] = []
    dynamic: list[bool] = []
    cursor.expect("[", "after an element type")
    if cursor.accept("]"):
        return sizes, dynamic
    while True:
        if cursor.accept("?"):
            sizes.append(DYNAMIC_INDEX)
            dynamic.append(True)
        else:
            dynamic.append(cursor.accept("<="))
            start = cursor.pos
            sizes.append(cursor.integer("a size"))
            if sizes[-1] < 0:
                cursor.error("a negative size", start)
        if not cursor.accept(","):
            break
    cursor.expect("]", "after the sizes of a shape")
    if len(sizes) > MAX_RANK:
        cursor.error(f"a shape of more than {MAX_RANK} dimensions")
    return sizes, dynamic


def _parse_layout(cursor: Cursor, rank: int) -> Layout | None:
    """`{1,0:T(8,128)S(1)}` if there is one here; a brace before anything else opens a computation."""
    start = cursor.pos
    if not cursor.at("{"):
        return None
    opening = cursor.pos
    cursor.pos += 1
    if not (cursor.at("}") or cursor.at(":") or cursor.at_integer()):
        cursor.pos = start
        return None
    order: list[int] = []
    if cursor.at_integer():
        order.append(cursor.integer())
        while cursor.accept(","):
            order.append(cursor.integer())
    extras = ""
    if cursor.accept(":"):
        first = cursor.pos
        cursor.pos = opening
        cursor.skip_group()
        extras = cursor.text[first : cursor.pos - 1].strip()
    else:
        cursor.expect("}", "at the end of a layout")
    if not order and rank:
        order = list(default_order(rank))
    if sorted(order) != list(range(rank)):
        cursor.error(f"layout {order} of a shape of {rank} dimensions", opening)
    return Layout(tuple(order), extras)


def leaves(shape: Shape) -> Iterator[Shape]:
    """The shapes in a tuple that are not tuples, in order."""
    if isinstance(shape, TupleShape):
        for element in shape.elements:
            yield from leaves(element)
    else:
        yield shape


def to_type(shape: Shape) -> Attribute:
    """The type of MLIR; bounds of dynamic dimensions become the encoding."""
    match shape:
        case ArrayShape():
            if not any(shape.dynamic):
                return TensorType(shape.element_type, shape.dims)
            pairs = list(zip(shape.dims, shape.dynamic, strict=True))
            sizes = [DYNAMIC_INDEX if dynamic else size for size, dynamic in pairs]
            bounds = tuple(size if dynamic else DYNAMIC_INDEX for size, dynamic in pairs)
            if all(bound == DYNAMIC_INDEX for bound in bounds):
                return TensorType(shape.element_type, sizes)
            return TensorType(shape.element_type, sizes, TypeExtensionsAttr(bounds))
        case TupleShape():
            return tuple_type([to_type(element) for element in shape.elements])
        case TokenShape():
            return TokenType()
        case OpaqueShape():
            raise UnsupportedError("values of shape opaque[] have no type in StableHLO")
        case UnknownShape():
            raise InvalidProgramError("the shape is left out, and it does not follow from the operands")


def from_type(type: Attribute) -> Shape:
    """The shape, without layouts, of a type of MLIR. Raises `UnsupportedError`."""
    if isinstance(type, TensorType):
        tensor = cast(TensorType[Attribute], type)
        name = element_name(tensor.element_type)
        sizes = tensor.get_shape()
        bounds = tensor.encoding.bounds if isinstance(tensor.encoding, TypeExtensionsAttr) else sizes
        return ArrayShape(
            name,
            tuple(bound if size == DYNAMIC_INDEX else size for size, bound in zip(sizes, bounds, strict=True)),
            tuple(size == DYNAMIC_INDEX for size in sizes),
        )
    if isinstance(type, TupleType):
        return TupleShape(tuple(from_type(element) for element in cast("tuple[Attribute, ...]", type.types.data)))
    if isinstance(type, TokenType):
        return TokenShape()
    raise UnsupportedError(f"type {type} has no form in HLO text")


def with_layouts(shape: Shape) -> Shape:
    """The shape with a row-major layout at every array of one dimension or more that has none."""
    if isinstance(shape, TupleShape):
        return TupleShape(tuple(map(with_layouts, shape.elements)))
    if isinstance(shape, ArrayShape) and shape.dims and shape.layout is None:
        return shape._replace(layout=Layout(default_order(len(shape.dims))))
    return shape


def element_name(element_type: Attribute) -> str:
    """HLO's name of an element type. Raises `UnsupportedError`."""
    name = _NAMES.get(element_type)
    if name is None:
        raise UnsupportedError(f"element type {element_type} has no name in HLO text")
    return name


def show(shape: Shape) -> str:
    """The shape as HLO text."""
    match shape:
        case ArrayShape():
            sizes = ",".join(
                ("?" if size == DYNAMIC_INDEX else f"<={size}") if dynamic else str(size)
                for size, dynamic in zip(shape.dims, shape.dynamic, strict=True)
            )
            return f"{shape.element}[{sizes}]{shape.layout or ''}"
        case TupleShape():
            return f"({', '.join(map(show, shape.elements))})"
        case TokenShape():
            return "token[]"
        case OpaqueShape():
            return "opaque[]"
        case UnknownShape():
            return "?"
