"""Tensors on the command line and in files: literals, `.npy`, `.npz`, random values, and how
outputs are shown.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ..errors import ArgumentError, XlaError
from ..runtime.element_types import EXTENSIONS, NATIVE, dtype_named
from ..runtime.signature import TensorSpec
from .reporting import UsageError
from .stored_arrays import is_extension, load, load_arrays

LITERAL = re.compile(r"((?:\d+x)*)([a-z]\w*(?:<\w+>)?)=(.*)", re.DOTALL)
"""`2x3xf32=1 2 3 4 5 6`, `f32=3.5`, `4xi32=7`."""

SEPARATORS = re.compile(r"[\s,\[\]]+")

DRAWN_BYTES = 8
"""Of an element as NumPy draws it, a double or an int64."""

PRINTED_ELEMENTS = 64
"""Tensors with more elements are abbreviated."""


def parse_literal(text: str) -> np.ndarray:
    """The tensor that `SHAPExTYPE=VALUES` describes; a single value fills the whole shape.

    Values are separated by blanks or commas, brackets are ignored: `2x2xf32=[[1, 2], [3, 4]]`.
    Floats may be `inf` and `nan`, complex numbers are written `1+2j`, booleans `true`, `false`,
    `1` or `0`. Raises `UsageError`.
    """
    match = LITERAL.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--input '{text}': expected FILE.npz, FILE.npy or a tensor such as 2x2xf32=1 2 3 4")
    sizes, type_name, values = match.groups()
    dtype = dtype_named(type_name)
    if dtype is None:
        raise UsageError(
            f"--input '{text}': unknown element type '{type_name}'; known are {', '.join((*NATIVE, *EXTENSIONS))}"
        )
    shape = tuple(int(size) for size in sizes.split("x")[:-1])
    words = [word for word in SEPARATORS.split(values) if word]
    count = int(np.prod(shape, dtype=np.int64))
    if len(words) not in (count, 1):
        raise UsageError(f"--input '{text}': {len(words)} values for {count} elements")
    array = np.empty(len(words), dtype)
    for index, word in enumerate(words):
        try:
            array[index] = _parse_number(word, dtype)
        except (ValueError, OverflowError) as error:
            raise UsageError(f"--input '{text}': '{word}' is no {type_name} ({error})") from None
    if len(words) == count:
        return array.reshape(shape)
    return np.full(shape, array[0], dtype)


def _parse_number(word: str, dtype: np.dtype) -> bool | int | float | complex:
    if dtype == np.bool_:
        known = {"true": True, "1": True, "false": False, "0": False}
        if word.lower() not in known:
            raise ValueError("true, false, 1 or 0")
        return known[word.lower()]
    if dtype.kind == "c":
        return complex(word)
    if is_integer(dtype):
        value = int(word, 0)
        if int(np.array(value).astype(dtype)) != value:
            raise ValueError("out of range")
        return value
    return float(word)


def is_integer(dtype: np.dtype) -> bool:
    """Whether `dtype` is an integer type of NumPy or ml_dtypes."""
    return dtype.kind in "iu" or "int" in dtype.name


def from_stored(array: np.ndarray, spec: TensorSpec) -> np.ndarray:
    """`array` from a file; bits of a type that files cannot store become that type again."""
    wanted = spec.dtype
    if is_extension(wanted) and array.dtype.itemsize == wanted.itemsize and array.dtype != wanted:
        if array.dtype.kind in "uV":
            return array.view(wanted)
    return array


def load_archive(path: str, prefix: str, specs: Sequence[TensorSpec]) -> list[np.ndarray]:
    """`prefix0`, `prefix1`, ... from an `.npz` file. Raises `XlaError` for a file that lacks
    one.
    """
    arrays = load_arrays(path)
    names = [f"{prefix}{index}" for index in range(len(specs))]
    missing = [name for name in names if name not in arrays]
    if missing:
        found = ", ".join(arrays) or "nothing"
        raise ArgumentError(f"{path}: no array '{missing[0]}'; the file holds {found}")
    return [from_stored(arrays[name], spec) for name, spec in zip(names, specs, strict=True)]


def load_inputs(sources: Sequence[str], specs: Sequence[TensorSpec]) -> list[np.ndarray]:
    """The arguments that the values of `--input` stand for: one archive, or one array each."""
    archives = [source for source in sources if Path(source).suffix == ".npz"]
    if archives:
        if len(sources) > 1:
            raise UsageError("--input FILE.npz holds all arguments; it cannot be combined")
        return load_archive(archives[0], "in", specs)
    if len(sources) != len(specs):
        types = ", ".join(map(str, specs)) or "none"
        raise ArgumentError(f"{len(sources)} times --input for {len(specs)} arguments of the program ({types})")
    return [_load_input(source, spec) for source, spec in zip(sources, specs, strict=True)]


def _load_input(source: str, spec: TensorSpec) -> np.ndarray:
    if Path(source).suffix != ".npy":
        return parse_literal(source)
    array = load(source)
    if not isinstance(array, np.ndarray):
        raise XlaError(f"{source}: an archive, not a single array; call it .npz")
    return from_stored(array, spec)


def random_inputs(specs: Iterable[TensorSpec], seed: int) -> list[np.ndarray]:
    """Floats uniform in [-1, 1), signed integers in [-8, 8), unsigned in [0, 16) (or what fits),
    booleans.
    """
    generator = np.random.default_rng(seed)
    return [_random(generator, spec) for spec in specs]


def _random(generator: np.random.Generator, spec: TensorSpec) -> np.ndarray:
    shape, dtype = spec.shape, spec.dtype
    if math.prod(shape) > sys.maxsize // DRAWN_BYTES:  # NumPy raises a ValueError
        raise MemoryError(f"random values for {spec}")
    if dtype == np.bool_:
        return np.asarray(generator.integers(0, 2, shape)).astype(dtype)
    if is_integer(dtype):
        span = 4 if dtype.name.endswith("int2") else 16
        low = 0 if dtype.name.startswith("u") else -span // 2
        return np.asarray(generator.integers(low, low + span, shape)).astype(dtype)
    values = generator.uniform(-1, 1, shape)
    if dtype.kind == "c":
        return np.asarray(values + 1j * generator.uniform(-1, 1, shape)).astype(dtype)
    if dtype.name == "float8_e8m0fnu":
        # Powers of two alone: no sign, no zero.
        values = 1 - np.abs(values)
    return np.asarray(values).astype(dtype)


def show(name: str, array: np.ndarray, spec: TensorSpec) -> str:
    """`out0: tensor<2xf32> = [1. 2.]`, abbreviated where it is large."""
    values = array.astype(np.float32) if is_extension(array.dtype) else array
    text = np.array2string(values, threshold=PRINTED_ELEMENTS, max_line_width=100)
    return f"{name}: {spec} = {text}" if "\n" not in text else f"{name}: {spec} =\n{text}"
