"""What is remembered of types."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute
from xdsl_xla.dialects.shared_attributes import cached_by_identity, forget_attributes, tensor_type


def test_types_of_one_program_are_asked_once() -> None:
    asked: list[Attribute] = []

    @cached_by_identity
    def name(type: Attribute) -> str:
        asked.append(type)
        return str(type)

    type = TensorType(f32, [3])
    assert name(type) == name(type) == "tensor<3xf32>"
    assert asked == [type]
    forget_attributes()
    name(type)
    assert len(asked) == 1


def test_types_of_many_programs_are_forgotten() -> None:
    asked: list[Attribute] = []

    @cached_by_identity
    def name(type: Attribute) -> str:
        asked.append(type)
        return str(type)

    types = [TensorType(f32, [size]) for size in range(2000)]
    for type in types:
        name(type)
    forget_attributes()
    name(types[0])
    assert len(asked) == 2001


def test_what_is_shared_by_value_is_forgotten_where_it_is_much() -> None:
    forget_attributes()
    first = [tensor_type(f32, 7, size) for size in range(1000)]
    assert tensor_type(f32, 7, 3) is first[3]
    forget_attributes()
    again = tensor_type(f32, 7, 3)
    assert again == first[3] and again is not first[3]
    forget_attributes()
    assert tensor_type(f32, 7, 3) is again
