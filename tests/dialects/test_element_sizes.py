"""The size of an element in bits and bytes, of every type that a tensor may hold."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ComplexType, Float16Type, IndexType, IntegerType, Signedness, f32, f64
from xdsl.ir import Attribute
from xdsl_xla.dialects.element_sizes import element_bits, element_bytes
from xdsl_xla.lowering.to_llvm.types import storage
from xdsl_xla.reference.arrays import bit_width
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.mlir_types import DTYPES


def type_of(name: str) -> Attribute:
    function = next(iter(parse_module(f"func.func private @f() -> tensor<{name}>").ops))
    return function.function_type.outputs.data[0].element_type  # type: ignore


@pytest.mark.parametrize("name", DTYPES)
def test_as_numpy_has_it(name: str) -> None:
    dtype = np.dtype(DTYPES[name])
    assert element_bytes(type_of(name)) == dtype.itemsize
    assert element_bits(type_of(name)) == bit_width(dtype)


@pytest.mark.parametrize(
    ("type", "bits", "size"),
    [
        (IntegerType(1), 1, 1),
        (IntegerType(4), 4, 1),
        (IntegerType(12), 12, 2),
        (IntegerType(17, Signedness.UNSIGNED), 17, 3),
        (IndexType(), 64, 8),
        (ComplexType(f32), 64, 8),
        (ComplexType(f64), 128, 16),
        (ComplexType(IntegerType(12)), 24, 4),
    ],
)
def test_parts_of_bytes_are_whole_bytes(type: Attribute, bits: int, size: int) -> None:
    assert (element_bits(type), element_bytes(type)) == (bits, size)


@pytest.mark.parametrize(("name", "size"), [("i8:f32, 0.5", 1), ("i4:f32, 0.5", 1), ("i16:f32, 0.5:3", 2)])
def test_quantised_elements_are_what_is_stored(name: str, size: int) -> None:
    assert element_bytes(type_of(f"2x!quant.uniform<{name}>")) == size


@pytest.mark.parametrize("type", [IntegerType(bits) for bits in (1, 4, 8, 16, 32, 64)] + [Float16Type(), f32, f64])
def test_memory_of_generated_code_agrees(type: Attribute) -> None:
    assert storage(type).size == element_bytes(type)
