"""The constants of HLO text, `{ {1, 2}, {3, 4} }`, and dense attributes.

Arrays go through NumPy as a whole: a literal of a million numbers takes a second, not a minute. The words are
those of XLA: `true`, `inf`, `-nan`, `nan(0x1)` with the bits of its payload, `(1, -inf)` for a complex number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType

from ...dialects.dense import attribute_of_bytes
from ...reference.arrays import bit_width, dtype_of, is_complex, is_float, is_unsigned
from ...runtime.elided import made_up
from .cursor import Cursor
from .shapes import ArrayShape

Array = NDArray[Any]

MOST_ELEMENTS = 1 << 26
"""Of an array of which only the first element is given."""

_NUMBER = r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+|-?(?:inf|nan(?:\(0x[0-9a-fA-F]{1,16}\))?+)"
_ELEMENT = {
    "pred": re.compile(r"true|false|[01]"),
    "integer": re.compile(r"-?[0-9]{1,20}(?![0-9])"),
    "float": re.compile(_NUMBER),
    "complex": re.compile(rf"\(\s*+(?:{_NUMBER})\s*+,\s*+(?:{_NUMBER})\s*+\)"),
}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MANTISSA_BITS = {np.dtype(np.float16): 10, np.dtype(np.float32): 23, np.dtype(np.float64): 52}


def find_end(cursor: Cursor) -> int:
    """Where the parenthesis closes inside which the cursor stands."""
    depth = 1
    for match in re.compile(r"[()]").finditer(cursor.text, cursor.pos):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.start()
    cursor.error("the constant is never closed")


def parse_literal(cursor: Cursor, end: int, shape: ArrayShape, fill_elided: bool = False) -> DenseIntOrFPElementsAttr:
    """The constant of shape `shape` that stands between the cursor and `end`. One that has been elided is an error, or
    gets values of no meaning with `fill_elided`."""
    if any(shape.dynamic):
        cursor.error("a constant of dynamic shape")
    text = cursor.text[cursor.pos : end]
    if "..." in text:
        if not fill_elided:
            cursor.error(
                "the constant has been elided: print the module with its large constants (print_large_constants,"
                " XLA_FLAGS=--xla_dump_large_constants), or have its values made up (--fill-elided)"
            )
        array = made_up(shape.element_type, shape.dims, cursor.pos)
    else:
        if "/*" in text:
            closed = text.rfind("*/") + 2
            text = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[:closed]) + text[closed:]
        if shape.dims and _is_number(text, shape):
            return _first_element(cursor, text, shape)
        array = _to_array(cursor, _elements(cursor, text, shape), shape)
    type = TensorType(shape.element_type, shape.dims)
    data = array.tobytes()
    size = array.itemsize
    if array.size > 1 and data[:size] * array.size == data:
        data = data[:size]
    return attribute_of_bytes(type, data)


def _is_number(text: str, shape: ArrayShape) -> bool:
    """Whether a literal is one number."""
    return _ELEMENT[_kind(dtype_of(shape.element_type))].fullmatch(text.strip()) is not None


def _first_element(cursor: Cursor, text: str, shape: ArrayShape) -> DenseIntOrFPElementsAttr:
    """An array of which one number is given: XLA takes that as the first element, and zero for the rest."""
    number = _to_array(cursor, [text.strip()], shape)
    size = prod(shape.dims)
    if number.tobytes().strip(b"\0") and size > 1:
        if size > MOST_ELEMENTS:
            cursor.error(f"one number for the {size} elements of {shape.element}{list(shape.dims)}")
        array = np.zeros(size, number.dtype)
        array[0] = number[0]
        number = array
    return attribute_of_bytes(TensorType(shape.element_type, shape.dims), number.tobytes() if size else b"")


def _kind(dtype: np.dtype[Any]) -> str:
    if dtype == np.bool_:
        return "pred"
    return "complex" if is_complex(dtype) else "float" if is_float(dtype) else "integer"


def _elements(cursor: Cursor, text: str, shape: ArrayShape) -> list[str]:
    """The words of the elements, after a check that they are nested as `shape` says."""
    word = _ELEMENT[_kind(dtype_of(shape.element_type))]
    if max((prod(shape.dims[: i + 1]) for i in range(len(shape.dims))), default=1) > len(text):
        cursor.error(f"the constant has fewer elements than its shape {shape.element}{list(shape.dims)}")
    if not shape.dims:
        stripped = text.strip()
        if word.fullmatch(stripped) is None:
            cursor.error(f"expected a number of type {shape.element}, found '{stripped[:40]}'")
        return [stripped]
    words = word.findall(text)
    skeleton = "".join(word.sub("*", text).split())
    if skeleton != _skeleton(shape.dims):
        _report(cursor, text, word, shape)
    return words


def _skeleton(dims: tuple[int, ...]) -> str:
    """How a literal of this shape looks when `*` stands for every element."""
    if 0 in dims:
        dims = dims[: dims.index(0) + 1]  # there is nothing inside
    inner = "*"
    for size in reversed(dims):
        inner = "{" + ",".join([inner] * size) + "}"
    return inner


def _report(cursor: Cursor, text: str, word: re.Pattern[str], shape: ArrayShape) -> None:
    """Raise the error of a literal that is not nested as `shape` says, at the first place that shows it."""
    blank = re.compile(r"\s*")
    expected = iter(_skeleton(shape.dims))
    pos = 0
    while True:
        match = blank.match(text, pos)
        pos = match.end() if match else pos
        wanted = next(expected, None)
        found = word.match(text, pos)
        if wanted == "*" and found:
            pos = found.end()
        elif wanted is not None and text.startswith(wanted, pos):
            pos += 1
        else:
            names = {None: "the end of the constant", "*": f"a number of type {shape.element}"}
            what = names.get(wanted, f"'{wanted}'")
            at = cursor.pos + pos
            cursor.error(f"expected {what} in a constant of shape {shape.element}{list(shape.dims)}", at)


def _to_array(cursor: Cursor, words: list[str], shape: ArrayShape) -> Array:
    """The elements in row-major order, in the dtype of the shape."""
    dtype = dtype_of(shape.element_type)
    kind = _kind(dtype)
    if kind == "pred":
        return np.array([word in ("true", "1") for word in words], np.bool_)
    if kind == "integer":
        return _integers(cursor, words, shape, dtype)
    if kind == "float":
        return _floats(cursor, words, shape, dtype)
    part = np.dtype(np.float32 if dtype == np.complex64 else np.float64)
    parts = [part_word.strip() for word in words for part_word in word[1:-1].split(",")]
    return _floats(cursor, parts, shape, part).view(dtype)


def _integers(cursor: Cursor, words: list[str], shape: ArrayShape, dtype: np.dtype[Any]) -> Array:
    width = bit_width(dtype)
    values = list(map(int, words))
    low, high = (0, 2**width) if is_unsigned(dtype) else (-(2 ** (width - 1)), 2 ** (width - 1))
    if dtype == np.uint64:
        # XLA's parser reads numbers of 64 bits with either sign.
        values = [value + 2**width if -(2 ** (width - 1)) <= value < 0 else value for value in values]
    if values and not (low <= min(values) and max(values) < high):
        wrong = next(value for value in values if not low <= value < high)
        cursor.error(f"{wrong} is out of range for {shape.element}")
    if width < 8:
        return np.array(values, np.int8 if low else np.uint8)
    return np.array(values, dtype)


def _floats(cursor: Cursor, words: list[str], shape: ArrayShape, dtype: np.dtype[Any]) -> Array:
    if any("(" in word for word in words):
        return np.concatenate([_float_with_payload(cursor, word, dtype) for word in words])
    wide = np.fromiter(map(float, words), np.float64, len(words))
    for index in np.flatnonzero(np.isinf(wide)):
        if "inf" not in words[index].lower():
            cursor.error(f"{words[index]} is out of range for {shape.element}")
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = wide.astype(dtype)
        back = narrow.astype(np.float64)
    beyond = np.isfinite(wide) & ~np.isfinite(back)
    if beyond.any():
        cursor.error(f"{words[int(np.argmax(beyond))]} is out of range for {shape.element}")
    if dtype in _MANTISSA_BITS:
        _make_quiet(wide, narrow, words)
    return narrow


def _make_quiet(wide: Array, narrow: Array, words: list[str]) -> None:
    """Give the NaNs of `narrow` the sign that their word has, which a conversion may lose."""
    for index in np.flatnonzero(np.isnan(wide)):
        narrow[index] = np.copysign(narrow.dtype.type(np.nan), -1 if words[index].startswith("-") else 1)


def _float_with_payload(cursor: Cursor, word: str, dtype: np.dtype[Any]) -> Array:
    if "(" not in word:
        return np.array([float(word)]).astype(dtype)
    bits = _MANTISSA_BITS.get(dtype)
    if bits is None and dtype.name == "bfloat16":
        bits = 7
    if bits is None:
        cursor.error(f"{word}: a NaN of {dtype.name} has no payload")
    payload = int(word[word.index("(") + 1 : -1], 16)
    if not 0 < payload < 1 << bits:
        cursor.error(f"the payload of {word} is out of range for {dtype.name}")
    width = dtype.itemsize * 8
    sign = 1 if word[0] == "-" else 0
    exponent = (1 << (width - 1 - bits)) - 1
    pattern = sign << (width - 1) | exponent << bits | payload
    return np.array([pattern], f"u{dtype.itemsize}").view(dtype)


def print_literal(array: Array) -> str:
    """`array` as the text of a constant; what is read from it is the same bit for bit."""
    words = _words(array.reshape(-1))
    return _nested(words, array.shape)


def _nested(words: Iterator[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return next(words)
    level = list(words)
    for size in reversed(shape):
        if size == 0:
            # Nothing below tells how many there are.
            return _empty(shape)
        level = ["{" + ", ".join(level[start : start + size]) + "}" for start in range(0, len(level), size)]
    return level[0]


def _empty(shape: tuple[int, ...]) -> str:
    if shape[0] == 0:
        return "{}"
    return "{" + ", ".join([_empty(shape[1:])] * shape[0]) + "}"


def _words(flat: Array) -> Iterator[str]:
    """The elements one by one."""
    dtype = flat.dtype
    if dtype == np.bool_:
        return ("true" if value else "false" for value in cast("list[bool]", flat.tolist()))
    if is_complex(dtype):
        parts = flat.view(np.float32 if dtype == np.complex64 else np.float64)
        words = list(_float_words(parts))
        return (f"({real}, {imaginary})" for real, imaginary in zip(words[::2], words[1::2], strict=True))
    if is_float(dtype):
        return _float_words(flat)
    wide = flat.astype(np.int16) if dtype.kind == "V" else flat
    return map(str, cast("list[int]", wide.tolist()))


def _float_words(flat: Array) -> Iterator[str]:
    wide = flat if flat.dtype in _MANTISSA_BITS else flat.astype(np.float32)
    words: list[str] = wide.astype(np.str_).tolist()
    is_nan = np.isnan(wide)
    if not is_nan.any():
        return iter(words)
    return (_nan_word(flat[index : index + 1]) if is_nan[index] else word for index, word in enumerate(words))


def _nan_word(element: Array) -> str:
    """`-nan(0x400001)`; the payload is left out where it is that of an ordinary NaN."""
    dtype = element.dtype
    bits = 7 if dtype.name == "bfloat16" else _MANTISSA_BITS.get(dtype)
    if bits is None:
        return "nan"
    pattern = int(element.view(f"u{dtype.itemsize}")[0])
    sign = "-" if pattern >> (dtype.itemsize * 8 - 1) else ""
    payload = pattern & ((1 << bits) - 1)
    return f"{sign}nan" if payload == 1 << (bits - 1) else f"{sign}nan(0x{payload:x})"
