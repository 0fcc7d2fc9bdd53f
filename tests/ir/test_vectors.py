"""What counts as vector code."""

from __future__ import annotations

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ComplexType, Float16Type, Float32Type, IndexType, IntegerType, f32, f64
from xdsl.ir import Attribute
from xdsl_xla.dialects.shared_attributes import vector_type
from xdsl_xla.ir.vectors import is_vector_code, vector_element_bits

VECTOR, LANE = vector_type(f32, 4), vector_type(f32, 1)


@pytest.mark.parametrize(("type", "expected"), [(f32, False), (LANE, False), (VECTOR, True)])
def test_several_lanes_are_vector_code(type: Attribute, expected: bool) -> None:
    made = test.TestOp(result_types=[type])
    assert is_vector_code([made]) is expected
    assert is_vector_code([test.TestOp(result_types=[f32]), test.TestOp(operands=[made.res[0]])]) is expected


def test_nothing_is_no_vector_code() -> None:
    assert not is_vector_code([])


@pytest.mark.parametrize(
    ("type", "bits"),
    [(IntegerType(8), 8), (Float16Type(), 16), (Float32Type(), 32), (f64, 64)]
    + [(type, None) for type in (IntegerType(1), IntegerType(12), IntegerType(128), IndexType(), ComplexType(f32))],
)
def test_elements_of_vectors(type: Attribute, bits: int | None) -> None:
    assert vector_element_bits(type) == bits
