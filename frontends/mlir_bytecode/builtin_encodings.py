"""The builtin dialect's attributes, locations and types in MLIR bytecode.

Source: mlir/include/mlir/IR/BuiltinDialectBytecode.td, whose lists give each encoding its number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    BoolAttr,
    BytesAttr,
    CallSiteLoc,
    ComplexType,
    DenseArrayBase,
    DictionaryAttr,
    FileLineColLoc,
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
    Float80Type,
    Float128Type,
    FloatAttr,
    FloatTF32Type,
    FunctionType,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    NameLoc,
    NoneAttr,
    NoneType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    UnitAttr,
    UnknownLoc,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from ...errors import UnsupportedError
from .container import Container, UndecodedAttr
from .numbers import dense_elements, integer_attribute, read_float, resource_elements

if TYPE_CHECKING:
    from .stream import Stream

Encoding = Callable[["Container", "Stream"], Attribute]

SIGNEDNESS = (Signedness.SIGNLESS, Signedness.SIGNED, Signedness.UNSIGNED)


def attributes(container: Container, stream: Stream) -> list[Attribute]:
    return stream.list(lambda: container.attribute(stream))


def types(container: Container, stream: Stream) -> list[Attribute]:
    return stream.list(lambda: container.type(stream))


def string_attribute(container: Container, stream: Stream) -> StringAttr:
    found = container.attribute(stream)
    if not isinstance(found, StringAttr):
        raise stream.error(f"expected a string, got {found}")
    return found


def _dictionary(container: Container, stream: Stream) -> Attribute:
    entries = dict(stream.list(lambda: (string_attribute(container, stream).data, container.attribute(stream))))
    return DictionaryAttr({key: value for key, value in entries.items() if not isinstance(value, UndecodedAttr)})


def _typed_string(container: Container, stream: Stream) -> Attribute:
    text = StringAttr(container.string(stream))
    container.type(stream)
    return text


def _flat_symbol(container: Container, stream: Stream) -> Attribute:
    return SymbolRefAttr(string_attribute(container, stream))


def _symbol(container: Container, stream: Stream) -> Attribute:
    root = string_attribute(container, stream)
    nested: list[StringAttr] = []
    for part in attributes(container, stream):
        if not isinstance(part, SymbolRefAttr):
            raise stream.error(f"expected a name of a symbol, got {part}")
        nested.append(part.root_reference)
    return SymbolRefAttr(root, nested)


def _integer(container: Container, stream: Stream) -> Attribute:
    return integer_attribute(stream, container.type(stream))


def _float(container: Container, stream: Stream) -> Attribute:
    type = container.type(stream)
    return FloatAttr(read_float(stream, type), type)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _location(container: Container, stream: Stream) -> Attribute:
    """A location; what xDSL cannot hold is replaced by an unknown one."""
    return container.attribute(stream)


def _call_site(container: Container, stream: Stream) -> Attribute:
    callee, caller = _location(container, stream), _location(container, stream)
    return CallSiteLoc(callee, caller)  # pyright: ignore[reportArgumentType]


def _file_position(container: Container, stream: Stream) -> Attribute:
    file = string_attribute(container, stream)
    return FileLineColLoc(file, IntAttr(stream.varint()), IntAttr(stream.varint()))


def _file_range(container: Container, stream: Stream) -> Attribute:
    """Up to four numbers: line, column, the last of which may be that of the end; the beginning is kept."""
    file = string_attribute(container, stream)
    numbers = [*stream.list(stream.varint), 0, 0]
    return FileLineColLoc(file, IntAttr(numbers[0]), IntAttr(numbers[1]))


def _fused(container: Container, stream: Stream) -> Attribute:
    return FusedLoc(tuple(attributes(container, stream)), NoneAttr())  # pyright: ignore[reportArgumentType]


def _fused_with_metadata(container: Container, stream: Stream) -> Attribute:
    parts = tuple(attributes(container, stream))
    return FusedLoc(parts, container.attribute(stream))  # pyright: ignore[reportArgumentType]


def _named(container: Container, stream: Stream) -> Attribute:
    name, child = string_attribute(container, stream), _location(container, stream)
    return NameLoc(name, NoneAttr() if isinstance(child, UnknownLoc) else child)  # pyright: ignore[reportArgumentType]


def _dense_array(container: Container, stream: Stream) -> Attribute:
    type = container.type(stream)
    stream.varint()
    return DenseArrayBase(type, BytesAttr(stream.bytes(stream.varint())))  # pyright: ignore[reportArgumentType]


def _dense_elements(container: Container, stream: Stream) -> Attribute:
    return dense_elements(stream, container.type(stream), stream.bytes(stream.varint()))


def _dense_resource(container: Container, stream: Stream) -> Attribute:
    """As text is read: the constant that it is."""
    type = container.type(stream)
    key, data = container.resource(stream)
    return resource_elements(stream, type, key, data)


def unsupported(kind: str) -> Encoding:
    def refuse(container: Container, stream: Stream) -> Attribute:
        raise UnsupportedError(f"{kind} in bytecode", location=f"{container.name}: byte {stream.position}")

    return refuse


ATTRIBUTES: tuple[Encoding, ...] = (
    lambda container, stream: ArrayAttr(attributes(container, stream)),
    _dictionary,
    lambda container, stream: container.string_attribute(stream),
    _typed_string,
    _flat_symbol,
    _symbol,
    lambda container, stream: container.type(stream),
    lambda container, stream: UnitAttr(),
    _integer,
    _float,
    _call_site,
    _file_position,
    _fused,
    _fused_with_metadata,
    _named,
    lambda container, stream: UnknownLoc(),
    _dense_resource,
    _dense_array,
    _dense_elements,
    unsupported("a tensor of strings"),
    unsupported("a sparse tensor"),
    unsupported("a distinct attribute"),
    _file_range,
)


def _integer_type(container: Container, stream: Stream) -> Attribute:
    value = stream.varint()
    if value & 3 == 3:
        raise stream.error(f"an integer type with signedness {value & 3}")
    return IntegerType(value >> 2, SIGNEDNESS[value & 3])


def function_type(container: Container, stream: Stream) -> Attribute:
    inputs = types(container, stream)
    return FunctionType.from_lists(inputs, types(container, stream))


def shape(stream: Stream) -> list[int]:
    """The sizes of a tensor; the number for a dynamic one is the same as xDSL's."""
    sizes = stream.list(stream.signed_varint)
    if any(size < 0 and size != DYNAMIC_INDEX for size in sizes):
        raise stream.error(f"a tensor of shape {sizes}")
    return sizes


def tensor_type(container: Container, stream: Stream) -> Attribute:
    sizes = shape(stream)
    return TensorType(container.type(stream), sizes)


def buffer_type(container: Container, stream: Stream) -> Attribute:
    sizes = shape(stream)
    return MemRefType(container.type(stream), sizes)


def _tensor_with_encoding(container: Container, stream: Stream) -> Attribute:
    encoding = container.attribute(stream)
    sizes = shape(stream)
    return TensorType(container.type(stream), sizes, encoding)


def _layout(container: Container, stream: Stream) -> Attribute:
    """That of a memref; none for the identity, which upstream does not print either."""
    layout = container.attribute(stream)
    is_identity = isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(layout.data.num_dims)
    return NoneAttr() if is_identity else layout


def _memref_type(container: Container, stream: Stream) -> Attribute:
    sizes = shape(stream)
    element = container.type(stream)
    return MemRefType(element, sizes, _layout(container, stream))  # pyright: ignore[reportArgumentType]


def _memref_with_space(container: Container, stream: Stream) -> Attribute:
    space = container.attribute(stream)
    sizes = shape(stream)
    element = container.type(stream)
    return MemRefType(element, sizes, _layout(container, stream), space)  # pyright: ignore[reportArgumentType]


def _vector_type(container: Container, stream: Stream) -> Attribute:
    sizes = shape(stream)
    return VectorType(container.type(stream), sizes)


def _scalable_vector_type(container: Container, stream: Stream) -> Attribute:
    scalable = ArrayAttr(BoolAttr.from_bool(bool(flag)) for flag in stream.list(stream.byte))
    sizes = shape(stream)
    return VectorType(container.type(stream), sizes, scalable)


TYPES: tuple[Encoding, ...] = (
    _integer_type,
    lambda container, stream: IndexType(),
    function_type,
    lambda container, stream: BFloat16Type(),
    lambda container, stream: Float16Type(),
    lambda container, stream: Float32Type(),
    lambda container, stream: Float64Type(),
    lambda container, stream: Float80Type(),
    lambda container, stream: Float128Type(),
    lambda container, stream: ComplexType(container.type(stream)),  # pyright: ignore
    _memref_type,
    _memref_with_space,
    lambda container, stream: NoneType(),
    tensor_type,
    _tensor_with_encoding,
    lambda container, stream: TupleType(ArrayAttr(types(container, stream))),  # pyright: ignore
    unsupported("a memref type without rank"),
    unsupported("a memref type without rank"),
    lambda container, stream: UnrankedTensorType(container.type(stream)),
    _vector_type,
    _scalable_vector_type,
    lambda container, stream: FloatTF32Type(),
    lambda container, stream: Float8E5M2Type(),
    lambda container, stream: Float8E4M3Type(),
    lambda container, stream: Float8E4M3FNType(),
    lambda container, stream: Float8E5M2FNUZType(),
    lambda container, stream: Float8E4M3FNUZType(),
    lambda container, stream: Float8E4M3B11FNUZType(),
    lambda container, stream: Float8E3M4Type(),
    lambda container, stream: Float4E2M1FNType(),
    lambda container, stream: Float6E2M3FNType(),
    lambda container, stream: Float6E3M2FNType(),
    lambda container, stream: Float8E8M0FNUType(),
)


def decode(table: tuple[Encoding, ...] | dict[int, Encoding], kind: str) -> Encoding:
    """A decoder by the number at the beginning of what is decoded."""
    encodings = table if isinstance(table, dict) else dict(enumerate(table))

    def decode_one(container: Container, stream: Stream) -> Attribute:
        number = stream.varint()
        if number not in encodings:
            raise UnsupportedError(
                f"{kind} has no encoding number {number} that this reader knows",
                location=f"{container.name}: byte {stream.position}",
            )
        return encodings[number](container, stream)

    return decode_one


decode_attribute = decode(ATTRIBUTES, "the builtin dialect's attributes")
decode_type = decode(TYPES, "the builtin dialect's types")
