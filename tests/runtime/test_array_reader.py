"""Programs of many arguments: machine code looks at the arrays, Python at what is unusual about them."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.runtime.array_reader import ArrayReader
from xdsl_xla.runtime.signature import TensorSpec

SPECS = [
    TensorSpec("a", (3, 4), np.dtype(np.float32)),
    TensorSpec("b", (), np.dtype(np.int8)),
    TensorSpec("c", (2, 1, 5), np.dtype(np.complex128)),
    TensorSpec("d", (0, 7), np.dtype(ml_dtypes.bfloat16)),
]


def arrays() -> list[np.ndarray]:
    return [np.zeros(spec.shape, spec.dtype) for spec in SPECS]


def reader_of_specs() -> ArrayReader:
    """The reader that CPython has; other implementations lay arrays out in their own way."""
    reader = ArrayReader.of(SPECS)
    if reader is None and sys.implementation.name != "cpython":
        pytest.skip("arrays are laid out in another way here")
    assert reader is not None
    return reader


def test_addresses() -> None:
    reader = reader_of_specs()
    values = arrays()
    assert reader.read(tuple(values)) == [value.ctypes.data for value in values]


class Special(np.ndarray):
    pass


@pytest.mark.parametrize("position", range(len(SPECS)))
def test_what_needs_a_closer_look(position: int) -> None:
    reader = reader_of_specs()
    array = arrays()[position]
    storage = np.zeros(array.nbytes + 17, np.uint8)
    unaligned = np.ndarray(array.shape, array.dtype, storage, (1 - storage.ctypes.data) % 16)
    strange: list[Any] = [
        None,
        3,
        array.tolist(),
        array[None],
        array.view(Special),
        np.zeros(array.shape, np.float64),
        unaligned,
        np.zeros((9, 9, 9), array.dtype),
    ]
    if array.size > 5:
        strange += [np.zeros(array.shape[::-1], array.dtype).T, array.astype(array.dtype.newbyteorder(">"))]
    for value in strange:
        values: list[Any] = list(arrays())
        values[position] = value
        assert reader.read(tuple(values)) == [], value


def many(count: int) -> str:
    arguments = ", ".join(f"%x{i}: tensor<3xf32>" for i in range(count))
    sums = [f"%s{i} = stablehlo.add {f'%s{i - 1}' if i > 1 else '%x0'}, %x{i} : tensor<3xf32>" for i in range(1, count)]
    body = "\n".join(sums)
    return f"func.func @main({arguments}) -> tensor<3xf32> {{\n{body}\nreturn %s{count - 1} : tensor<3xf32>\n}}"


def test_a_program_of_many_arguments() -> None:
    executable = xdsl_xla.compile(many(20), threads=1)
    values: list[Any] = [np.arange(3, dtype=np.float32) + i for i in range(20)]
    wanted = sum(values)
    for _ in range(3):
        np.testing.assert_array_equal(executable(*values)[0], wanted)
    values[7] = values[7].tolist()
    values[9] = np.repeat(values[9], 2)[::2]
    values[19] = values[19].astype(">f4")
    np.testing.assert_array_equal(executable(*values)[0], wanted)
    values[3] = np.zeros(4, np.float32)
    with pytest.raises(xdsl_xla.ArgumentError, match=r"argument 3 \('x3'\): expected tensor<3xf32>, got tensor<4xf32>"):
        executable(*values)
    with pytest.raises(xdsl_xla.ArgumentError, match="takes 20 arguments"):
        executable(*values[1:])
