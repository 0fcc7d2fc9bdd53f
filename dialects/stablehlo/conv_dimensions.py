"""Dimension numbers of a convolution and their text form `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.

Each list describes one tensor, dimension by dimension: `b` batch, `f` feature, `i` and `o` the input and
output feature of the kernel, a number the spatial dimension of that index, `?` a dimension that plays no part.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..limits import MOST_DIMENSIONS


class ConvDimensions(NamedTuple):
    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: tuple[int, ...]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: tuple[int, ...]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: tuple[int, ...]


def parse_conv_dimensions(parser: AttrParser) -> ConvDimensions:
    if parser.parse_optional_keyword("raw") is not None:
        return _parse_raw(parser)
    input_dims = _parse_layout(parser, "b", "f")
    parser.parse_keyword("x")
    kernel_dims = _parse_layout(parser, "i", "o")
    parser.parse_punctuation("->")
    output_dims = _parse_layout(parser, "b", "f")
    return ConvDimensions(*input_dims, *kernel_dims, *output_dims)


def print_conv_dimensions(printer: Printer, dims: ConvDimensions) -> None:
    layouts = (_layout(dims[:3], "bf"), _layout(dims[3:6], "io"), _layout(dims[6:], "bf"))
    if any(layout is None for layout in layouts):
        _print_raw(printer, dims)
        return
    printer.print_string(f"{layouts[0]}x{layouts[1]}->{layouts[2]}")


def _parse_layout(parser: AttrParser, first: str, second: str) -> tuple[int, int, tuple[int, ...]]:
    """The positions of `first`, `second` and of the spatial dimensions in order."""
    places: dict[str | int, int] = {}
    position = 0

    def parse_entry() -> None:
        nonlocal position
        if parser.parse_optional_punctuation("?") is None:
            spatial = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
            entry = spatial if spatial is not None else parser.parse_keyword_in((first, second))
            if entry in places:
                parser.raise_error(f"duplicate entry `{entry}` in convolution dimensions")
            places[entry] = position
        position += 1

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_entry)
    for required in (first, second):
        if required not in places:
            parser.raise_error(f"convolution dimensions miss `{required}`")
    count = len(places) - 2
    if any(index not in places for index in range(count)):
        parser.raise_error(f"spatial dimensions must be numbered 0 to {count - 1}")
    return places[first], places[second], tuple(places[index] for index in range(count))


def _layout(dims: tuple[int | tuple[int, ...], ...], letters: str) -> str | None:
    """The bracketed form, or nothing if a dimension is negative, has two roles, or is none that a tensor has."""
    first, second, spatial = dims
    assert isinstance(first, int) and isinstance(second, int) and isinstance(spatial, tuple)
    entries = {first: letters[0], second: letters[1]}
    entries.update((dim, str(index)) for index, dim in enumerate(spatial))
    if len(entries) != 2 + len(spatial) or min(entries) < 0 or max(entries) >= MOST_DIMENSIONS:
        return None
    return "[" + ", ".join(entries.get(dim, "?") for dim in range(max(entries) + 1)) + "]"


def _parse_raw(parser: AttrParser) -> ConvDimensions:
    values: dict[str, int | tuple[int, ...]] = {}

    def parse_field() -> None:
        name = parser.parse_identifier()
        if name not in ConvDimensions._fields or name in values:
            parser.raise_error(f"unexpected or repeated `{name}` in raw convolution dimensions")
        parser.parse_punctuation("=")
        if name.endswith("dimensions"):
            values[name] = tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer))
        else:
            values[name] = parser.parse_integer()

    parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_field)
    missing = [name for name in ConvDimensions._fields if name not in values]
    for name in missing:
        values[name] = () if name.endswith("dimensions") else 0
    return ConvDimensions(**values)  # pyright: ignore[reportArgumentType]


def _print_raw(printer: Printer, dims: ConvDimensions) -> None:
    """As upstream: fields that are zero or empty are left out."""
    fields = [(name, value) for name, value in zip(dims._fields, dims, strict=True) if value not in (0, ())]
    text = ", ".join(
        f"{name} = " + (str(list(value)) if isinstance(value, tuple) else str(value)) for name, value in fields
    )
    printer.print_string(f"raw {text}")
