"""The values of attributes, read where a cursor stands: `{0,1}`, `{[0:4:2]}`, `{size=3x3 pad=1_1x0_0}`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from .cursor import Cursor
from .shapes import Shape, TupleShape, parse_shape

_DIM_LABELS = re.compile(r"([0-9bf?]+)_([0-9io?]+)->([0-9bf?]+)")
_SIZES = re.compile(r"-?[0-9]{1,18}(?:x-?[0-9]{1,18})*(?![\w.])")
_PAIRS = re.compile(r"-?[0-9]{1,18}_-?[0-9]{1,18}(?:_[0-9]{1,18})?(?:x-?[0-9]{1,18}_-?[0-9]{1,18}(?:_[0-9]{1,18})?)*")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")

Index = tuple[int, ...]
T = TypeVar("T")


class WindowValue(NamedTuple):
    """The window of a convolution or reduction; what the text leaves out is None."""

    size: Index
    stride: Index | None = None
    pad: tuple[tuple[int, int], ...] | None = None
    lhs_dilate: Index | None = None
    rhs_dilate: Index | None = None
    rhs_reversal: tuple[bool, ...] | None = None


class Alias(NamedTuple):
    """An output shares the buffer of (part of) an operand or parameter."""

    output: Index
    operand: int
    operand_index: Index


def boolean(cursor: Cursor) -> bool:
    """`true` or `false`"""
    start = cursor.pos
    word = cursor.word("true or false")
    if word not in ("true", "false"):
        cursor.error(f"expected true or false, found '{word}'", start)
    return word == "true"


def number(cursor: Cursor) -> float:
    """A decimal number."""
    cursor.skip()
    match = _NUMBER.match(cursor.text, cursor.pos)
    if match is None:
        cursor.error(f"expected a number, found {cursor.found()}")
    cursor.pos = match.end()
    return float(match[0])


def integers(cursor: Cursor, opening: str = "{", closing: str = "}", separator: str = ",") -> Index:
    """`{0,1}`"""
    values: list[int] = []
    cursor.expect(opening)
    if not cursor.accept(closing):
        values.append(cursor.integer())
        while cursor.accept(separator):
            values.append(cursor.integer())
        cursor.expect(closing)
    return tuple(values)


def integer_lists(cursor: Cursor) -> list[Index]:
    """`{{0,1},{2,3}}`"""
    return listed(cursor, integers)


def listed(cursor: Cursor, parse: Callable[[Cursor], T]) -> list[T]:
    """`{a, b}`, each read by `parse`."""
    values: list[T] = []
    cursor.expect("{")
    if not cursor.accept("}"):
        values.append(parse(cursor))
        while cursor.accept(","):
            values.append(parse(cursor))
        cursor.expect("}")
    return values


def words(cursor: Cursor) -> list[str]:
    """`{highest,default}`"""
    return listed(cursor, lambda cursor: cursor.word("a word"))


def shapes(cursor: Cursor) -> list[Shape]:
    """`{f32[2]{0}, s32[]}`"""
    return listed(cursor, parse_shape)


def program_shape(cursor: Cursor) -> tuple[tuple[Shape, ...], Shape]:
    """`{(f32[2]{0}, s32[])->f32[2]{0}}`: parameters and result."""
    cursor.expect("{")
    cursor.skip()
    start = cursor.pos
    parameters = parse_shape(cursor)
    if not isinstance(parameters, TupleShape):
        cursor.error("expected the shapes of the parameters in parentheses", start)
    cursor.expect("->")
    result = parse_shape(cursor)
    cursor.expect("}")
    return parameters.elements, result


def slice_ranges(cursor: Cursor) -> list[tuple[int, int, int]]:
    """`{[0:4], [1:9:2]}`: start, limit and stride of each dimension."""
    ranges: list[tuple[int, int, int]] = []
    cursor.expect("{")
    while not cursor.accept("}"):
        if ranges:
            cursor.expect(",")
        cursor.skip()
        start = cursor.pos
        match integers(cursor, "[", "]", ":"):
            case (low, high):
                ranges.append((low, high, 1))
            case (low, high, stride):
                ranges.append((low, high, stride))
            case _:
                cursor.error("expected [start:limit] or [start:limit:stride]", start)
    return ranges


def _sizes(cursor: Cursor) -> Index:
    """`3x3`"""
    cursor.skip()
    match = _SIZES.match(cursor.text, cursor.pos)
    if match is None:
        cursor.error(f"expected sizes such as 3x3, found {cursor.found()}")
    cursor.pos = match.end()
    return tuple(map(int, match[0].split("x")))


def padding(cursor: Cursor) -> list[Index]:
    """`1_1x0_2_1`: low, high and, where there is some, interior padding of each dimension; nothing for rank 0."""
    cursor.skip()
    match = _PAIRS.match(cursor.text, cursor.pos)
    if match is None:
        return []
    cursor.pos = match.end()
    return [tuple(map(int, entry.split("_"))) for entry in match[0].split("x")]


def window(cursor: Cursor) -> WindowValue:
    """`{size=3x3 stride=2x2 pad=0_1x0_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}`"""
    start = cursor.pos
    values: dict[str, Index] = {}
    pads: list[Index] | None = None
    cursor.expect("{")
    while not cursor.accept("}"):
        cursor.skip()
        at = cursor.pos
        key = cursor.attribute_name()
        if key == "pad":
            pads = padding(cursor)
        elif key in ("size", "stride", "lhs_dilate", "rhs_dilate", "rhs_reversal"):
            values[key] = _sizes(cursor)
        else:
            cursor.error(f"unknown entry '{key}' of a window", at)
        cursor.accept(",")
    size = values.get("size", ())
    for key, value in [*values.items(), ("pad", pads)]:
        if value is not None and len(value) != len(size):
            cursor.error(f"{key} has {len(value)} dimensions, size has {len(size)}", start)
    if pads is not None and any(len(pair) != 2 for pair in pads):
        cursor.error("the padding of a window has no interior", start)
    reversal = values.get("rhs_reversal")
    return WindowValue(
        size,
        values.get("stride"),
        None if pads is None else tuple((pair[0], pair[1]) for pair in pads),
        values.get("lhs_dilate"),
        values.get("rhs_dilate"),
        None if reversal is None else tuple(map(bool, reversal)),
    )


def dim_labels(cursor: Cursor) -> ConvDimensions:
    """`b01f_01io->b01f`"""
    cursor.skip()
    start = cursor.pos
    match = _DIM_LABELS.match(cursor.text, start)
    if match is None:
        cursor.error(f"expected dimension labels such as b01f_01io->b01f, found {cursor.found()}")
    cursor.pos = match.end()
    parts: list[int | Index] = []
    for labels, (first, second) in zip(match.groups(), ("bf", "io", "bf"), strict=True):
        spatial = sorted(label for label in labels if label.isdigit())
        required = [first, second, *map(str, range(len(spatial)))]
        if sorted(label for label in labels if label != "?") != sorted(required):
            cursor.error(f"expected each of {', '.join(required)} once in '{labels}'", start)
        parts += [labels.index(first), labels.index(second), tuple(map(labels.index, spatial))]
    dims = ConvDimensions(*parts)  # pyright: ignore[reportArgumentType]
    counts = {len(dims.input_spatial_dimensions), len(dims.kernel_spatial_dimensions)}
    if counts != {len(dims.output_spatial_dimensions)}:
        cursor.error("input, kernel and output differ in the number of spatial dimensions", start)
    return dims


def aliases(cursor: Cursor) -> list[Alias]:
    """`{ {0}: (1, {}, may-alias), {}: (0, {1}) }`"""
    found: list[Alias] = []
    cursor.expect("{")
    while not cursor.accept("}"):
        if found:
            cursor.expect(",")
        output = integers(cursor)
        cursor.expect(":")
        cursor.expect("(")
        operand = cursor.integer()
        index: Index = ()
        if cursor.accept(","):
            index = integers(cursor)
        if cursor.accept(","):
            cursor.word("may-alias or must-alias")
        cursor.expect(")")
        found.append(Alias(output, operand, index))
    return found


def donors(cursor: Cursor) -> list[tuple[int, Index]]:
    """`{ (0, {}), (1, {0}) }`: parameters and places in them."""
    found: list[tuple[int, Index]] = []
    cursor.expect("{")
    while not cursor.accept("}"):
        if found:
            cursor.expect(",")
        cursor.expect("(")
        parameter = cursor.integer()
        cursor.expect(",")
        found.append((parameter, integers(cursor)))
        cursor.expect(")")
    return found


def dictionary(cursor: Cursor) -> dict[str, str]:
    """`{key="text",other={...}}`: values in quotes without them, others as they stand."""
    entries: dict[str, str] = {}
    cursor.expect("{")
    while not cursor.accept("}"):
        if entries:
            cursor.accept(",")
        key = cursor.attribute_name()
        cursor.skip()
        if cursor.at('"'):
            entries[key] = cursor.string("a value")
        else:
            start = cursor.pos
            cursor.skip_value()
            entries[key] = cursor.text[start : cursor.pos]
    return entries
