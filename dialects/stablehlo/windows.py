"""Windows sliding over a tensor: their properties, the number of places they fit, their text form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I1,
    I64,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..limits import LARGEST_STEP
from .shapes import Shape, show_shape, violation
from .syntax import i64_array, int_list


class Window(NamedTuple):
    """A window in every dimension, defaults filled in. Padding is (low, high), dynamic where it is not known."""

    sizes: Shape
    strides: Shape
    base_dilations: Shape
    window_dilations: Shape
    padding: tuple[tuple[int, int], ...]

    def counts(self, shape: Sequence[int]) -> Shape:
        """In how many places the window fits into a tensor of this shape."""
        return tuple(
            DYNAMIC_INDEX
            if DYNAMIC_INDEX in (size, window, low, high)
            else _count(size, window, stride, base, dilation, low, high)
            for size, window, stride, base, dilation, (low, high) in zip(shape, *self, strict=True)
        )


def _count(size: int, window: int, stride: int, base: int, dilation: int, low: int, high: int) -> int:
    dilated_base = (size - 1) * base + 1 if size else 0
    dilated_window = (window - 1) * dilation + 1 if window else 0
    room = low + dilated_base + high - dilated_window
    return room // stride + 1 if room >= 0 and low + dilated_base + high > 0 else 0


def values_or(attr: DenseArrayBase[I64] | None, default: int, rank: int) -> Shape:
    return (default,) * rank if attr is None else attr.get_values()


def padding_pairs(attr: DenseIntOrFPElementsAttr[I64] | None, rank: int) -> tuple[tuple[int, int], ...]:
    """The rows of a `tensor<rank x 2>` constant; zeros if it is absent."""
    if attr is None:
        return ((0, 0),) * rank
    flat = attr.get_values()
    if len(flat) == 1:
        flat *= 2 * attr.get_shape()[0]
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def padding_attr(padding: Sequence[Sequence[int]]) -> DenseIntOrFPElementsAttr:
    """`dense<[[low, high], ...]> : tensor<rank x 2 x i64>`"""
    return DenseIntOrFPElementsAttr.from_list(
        TensorType(i64, [len(padding), 2]), [value for pair in padding for value in pair]
    )


def verify_padding_shape(op: Operation, constraint: str, attr: DenseIntOrFPElementsAttr | None, rank: int) -> None:
    if attr is not None and attr.get_shape() != (rank, 2):
        violation(
            op,
            constraint,
            f"expected padding of shape [{rank}, 2], got {show_shape(attr.get_shape())}",
        )
    for pair in padding_pairs(cast("DenseIntOrFPElementsAttr[I64] | None", attr), rank):
        require_steps(op, constraint, "padding", pair)


def require_steps(op: Operation, constraint: str, name: str, values: Sequence[int]) -> None:
    """Padding, strides and dilations of a size that can be computed with."""
    if any(abs(value) > LARGEST_STEP for value in values):
        violation(op, constraint, f"{name} must be at most 2^48, got {list(values)}")


def verify_window_values(
    op: Operation,
    name: str,
    attr: DenseArrayBase[I64] | None,
    rank: int,
    size_constraint: str,
    sign_constraint: str,
) -> None:
    """One positive value per dimension, if the property is there."""
    if attr is None:
        return
    values = attr.get_values()
    if len(values) != rank:
        violation(op, size_constraint, f"expected {rank} {name}, got {len(values)}")
    if any(value <= 0 for value in values):
        violation(op, sign_constraint, f"{name} must be positive, got {list(values)}")
    require_steps(op, sign_constraint, name, values)


def parse_window(parser: Parser, properties: dict[str, Attribute]) -> None:
    """`stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]`"""

    def parse_entry() -> None:
        keyword = parser.parse_keyword_in(("stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"))
        prop = _PROPERTIES[keyword]
        if prop in properties:
            parser.raise_error(f"duplicated `{keyword}` entry")
        parser.parse_punctuation("=")
        if keyword == "pad":
            pairs = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: int_list(parser))
            if any(len(pair) != 2 for pair in pairs):
                parser.raise_error("expected pairs of low and high padding")
            properties[prop] = padding_attr(pairs)
        elif keyword == "reverse":
            flags = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            properties[prop] = bool_array([bool(flag) for flag in flags])
        else:
            properties[prop] = i64_array(int_list(parser))

    parser.parse_punctuation("{")
    if parser.parse_optional_punctuation("}") is None:
        parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_entry)
        parser.parse_punctuation("}")


_PROPERTIES = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}


WINDOW_PROPERTIES = tuple(_PROPERTIES.values())
"""The properties of a convolution that its window syntax shows."""


def bool_array(values: Sequence[bool]) -> DenseArrayBase:
    """`array<i1: ...>`"""
    return DenseArrayBase.from_list(i1, [int(value) for value in values])


def bool_values(attr: DenseArrayBase[I1]) -> tuple[bool, ...]:
    """The values of an `array<i1: ...>`, whose true may be stored as -1."""
    return tuple(bool(value) for value in attr.get_values())


def print_window(printer: Printer, properties: dict[str, Attribute]) -> None:
    entries: list[str] = []
    for keyword, prop in _PROPERTIES.items():
        value = properties.get(prop)
        if value is None:
            continue
        if keyword == "pad":
            pairs = padding_pairs(cast(DenseIntOrFPElementsAttr[I64], value), 0)
            words = [f"[{low}, {high}]" for low, high in pairs]
        elif keyword == "reverse":
            words = ["true" if flag else "false" for flag in bool_values(cast(DenseArrayBase[I1], value))]
        else:
            words = list(map(str, cast(DenseArrayBase[I64], value).get_values()))
        entries.append(f"{keyword} = [{', '.join(words)}]")
    printer.print_string("{" + ", ".join(entries) + "}")
