"""Reading and writing dense constants, bit for bit and without a Python object per element.

Upstream's text form is kept: a hexadecimal literal of a float is its bit pattern, a string holds the
bytes of all elements (or of one that they all equal), more than 100 elements are written that way. xDSL's own
reader takes hexadecimal floats for numbers, its writer loses the sign of zeros and the payload of NaNs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import Any, TypeGuard, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from .dense import attribute_of_bytes, repeated

HEX_THRESHOLD = 100
"""Constants of more elements are printed as the bytes of their elements."""


class BitPattern(int):
    """An integer literal written in hexadecimal."""


Container = TensorType[Attribute] | VectorType[Attribute] | MemRefType[Attribute]
"""The types a dense constant may have."""

Literal = bool | int | float | tuple[Any, Any]
"""One element as written; a complex one is a pair."""


def _is_container(type: Attribute) -> TypeGuard[Container]:
    return isinstance(type, TensorType | VectorType | MemRefType)


def parse_dense(parser: Parser) -> DenseIntOrFPElementsAttr:
    """Parse `dense<...> : type`, or `dense_resource<...> : type` where the parser knows resources."""
    read_resource = getattr(parser, "parse_optional_dense_resource", None)
    if read_resource is not None and (resource := read_resource()) is not None:
        return resource
    parser.parse_keyword("dense")
    return parse_dense_body(parser)


def parse_dense_body(parser: AttrParser, type: Attribute | None = None) -> DenseIntOrFPElementsAttr:
    """Parse what follows `dense`; a `type` that is known from elsewhere does not stand there."""
    parser.parse_punctuation("<", " in dense attribute")
    data: str | None = None
    shape: list[int] | None = None
    literals: list[Literal] = []
    if parser.parse_optional_punctuation(">") is None:
        data = parser.parse_optional_str_literal()
        if data is None:
            shape = _parse_literals(parser, literals)
        parser.parse_punctuation(">", " in dense attribute")
    position = parser.pos
    if type is None:
        parser.parse_punctuation(":", " in dense attribute")
        position = parser.pos
        type = parser.parse_type()
    if not _is_container(type) or not type.has_static_shape():
        parser.raise_error(f"expected a tensor type of static shape, got {type}", position)
    try:
        if data is not None:
            packed = _bytes_of_hex(data, type)
        else:
            packed = _bytes_of_literals(literals, shape, type)
    except ValueError as error:
        parser.raise_error(str(error), position)
    return attribute_of_bytes(cast("TensorType[Attribute]", type), packed)


def _parse_literals(parser: AttrParser, literals: list[Literal]) -> list[int] | None:
    """Append the elements in row-major order; return the shape, none for a single element."""
    if parser.parse_optional_punctuation("[") is None:
        literals.append(_parse_literal(parser))
        return None
    if parser.parse_optional_punctuation("]") is not None:
        return [0]
    count, inner = 1, _parse_literals(parser, literals)
    while parser.parse_optional_punctuation(",") is not None:
        if _parse_literals(parser, literals) != inner:
            parser.raise_error("rows of a dense constant differ in shape")
        count += 1
    parser.parse_punctuation("]")
    return [count, *(inner or ())]


def _parse_literal(parser: AttrParser) -> Literal:
    if parser.parse_optional_punctuation("(") is not None:
        real = _parse_number(parser)
        parser.parse_punctuation(",")
        imag = _parse_number(parser)
        parser.parse_punctuation(")")
        return real, imag
    return _parse_number(parser)


def _parse_number(parser: AttrParser) -> bool | int | float:
    boolean = parser.parse_optional_boolean()
    if boolean is not None:
        return boolean
    is_hex = parser.lexer.input.content.startswith("0x", parser.pos)
    number = parser.parse_number(allow_boolean=False)
    return BitPattern(number) if is_hex else number


def _bytes_of_literals(literals: Sequence[Literal], shape: list[int] | None, type: Container) -> bytes:
    count = prod(type.get_shape())
    if shape is None and literals:
        return repeated(_pack(literals, type.element_type), count)
    if not literals:
        if count:
            raise ValueError(f"no elements for {type}")
        return b""
    if tuple(shape or ()) != type.get_shape():
        raise ValueError(f"elements of shape {shape} for {type}")
    return _pack(literals, type.element_type)


def _pack(literals: Sequence[Literal], element_type: Attribute) -> bytes:
    """The bytes of the elements; raises ValueError where one does not fit."""
    if isinstance(element_type, ComplexType):
        if not all(isinstance(literal, tuple) for literal in literals):
            raise ValueError(f"expected pairs for {element_type}")
        parts = [part for pair in literals for part in cast(tuple[Any, Any], pair)]
        return _pack(parts, cast(Any, element_type).element_type)
    if any(isinstance(literal, tuple) for literal in literals):
        raise ValueError(f"expected single numbers for {element_type}")
    numbers = cast(Sequence[int | float], literals)
    if isinstance(element_type, AnyFloat):
        if not any(isinstance(number, BitPattern) for number in numbers):
            return element_type.pack([float(number) for number in numbers])
        size = element_type.compile_time_size
        return b"".join(
            _bits(number, size, element_type.bitwidth)
            if isinstance(number, BitPattern)
            else element_type.pack([float(number)])
            for number in numbers
        )
    if any(isinstance(number, float) for number in numbers):
        raise ValueError(f"expected integers for {element_type}")
    if isinstance(element_type, IntegerType):
        integer = cast(IntegerType, element_type)
        is_unsigned = integer.signedness.data == Signedness.UNSIGNED
        if integer.width.data != 1 and any(isinstance(number, bool) for number in numbers):
            raise ValueError(f"true and false are elements of i1, not {element_type}")
        if is_unsigned and any(number < 0 for number in numbers):
            raise ValueError(f"negative element of {element_type}")
        return integer.pack([integer.get_normalized_value(int(number)) for number in numbers])
    if isinstance(element_type, IndexType):
        return element_type.pack([int(number) for number in numbers])
    raise ValueError(f"no constants of element type {element_type}")


def _bits(pattern: int, size: int, width: int) -> bytes:
    if pattern >> width:
        raise ValueError(f"hexadecimal float {pattern:#x} has more than {width} bits")
    return pattern.to_bytes(size, "little")


def _bytes_of_hex(text: str, type: Container) -> bytes:
    if not text.startswith("0x"):
        raise ValueError("expected a string of hexadecimal digits after 0x")
    data = bytes.fromhex(text[2:])
    element_type = cast(Any, type.element_type)
    size, count = element_type.compile_time_size, prod(type.get_shape())
    if len(data) == size != size * count:
        data = repeated(data, count)
    elif len(data) != size * count:
        raise ValueError(f"{len(data)} bytes for {type} of {count} elements of {size} bytes")
    if isinstance(element_type, IntegerType) and cast(IntegerType, element_type).width.data < 8:
        return _normalize_narrow(data, cast(IntegerType, element_type))
    return data


def _normalize_narrow(data: bytes, type: IntegerType) -> bytes:
    """Each byte as xDSL stores an integer narrower than a byte: sign-extended unless unsigned."""
    width = type.width.data
    is_unsigned = type.signedness.data == Signedness.UNSIGNED or width == 1
    mask, sign = (1 << width) - 1, 1 << (width - 1)
    table = [value & mask if is_unsigned else ((value & mask) ^ sign) - sign & 0xFF for value in range(256)]
    if width == 1:
        table = [0, *([1] * 255)]
    return data.translate(bytes(table))


def print_dense(printer: Printer, attr: DenseIntOrFPElementsAttr) -> None:
    """Print `dense<...> : type` such that reading it gives the same bytes. Where the printer has a number
    `most_elements`, constants of more than these, unless all are equal, are left out as upstream does it.
    """
    type = cast(Container, attr.type)
    element_type = cast(Any, type.element_type)
    data, size = attr.data.data, element_type.compile_time_size
    count = len(data) // size
    first = data[:size]
    is_splat = data == first * count
    if not is_splat and count > getattr(printer, "most_elements", count):
        printer.print_string("dense_resource<__elided__> : ")
        printer.print_attribute(type)
        return
    printer.print_string("dense<")
    if count:
        if is_splat:
            printer.print_string(_element_text(element_type, first))
        elif count > HEX_THRESHOLD:
            printer.print_string(f'"0x{data.hex().upper()}"')
        else:
            texts = [_element_text(element_type, data[start : start + size]) for start in range(0, len(data), size)]
            printer.print_string(_nest(texts, type.get_shape()))
    printer.print_string("> : ")
    printer.print_attribute(type)


def _nest(texts: Sequence[str], shape: Sequence[int]) -> str:
    if len(shape) == 1:
        return f"[{', '.join(texts)}]"
    step = len(texts) // shape[0]
    rows = (_nest(texts[i : i + step], shape[1:]) for i in range(0, len(texts), step))
    return f"[{', '.join(rows)}]"


def _element_text(element_type: Any, data: bytes) -> str:
    if isinstance(element_type, ComplexType):
        part = cast(Any, element_type).element_type
        half = len(data) // 2
        return f"({_element_text(part, data[:half])},{_element_text(part, data[half:])})"
    if isinstance(element_type, AnyFloat):
        return _float_text(element_type, data)
    (value,) = element_type.unpack(data, 1)
    if isinstance(element_type, IntegerType) and cast(IntegerType, element_type).width.data == 1:
        return "true" if value else "false"
    return str(value)


def _float_text(type: AnyFloat, data: bytes) -> str:
    """The shortest form upstream would choose that reads back as the same bits, in the end the bits themselves."""
    (value,) = type.unpack(data, 1)
    if isfinite(value):
        mantissa, exponent = f"{value:.5e}".split("e")
        candidates = [f"{mantissa}0e{exponent}"]
        if digits := _EXACT_DIGITS.get(type.bitwidth):
            candidates.append(f"{value:.{digits}g}")
        for text in candidates:
            if "." in text and type.pack((float(text),)) == data:
                return text
    return f"0x{data[::-1].hex().upper()}"


_EXACT_DIGITS = {32: 9, 64: 17}
"""Bits of a float type to the decimal digits that tell all its values apart."""
