"""What the tools print reads back as the same constants, bit for bit."""

from __future__ import annotations

import io
import random
from math import prod
from typing import Any, cast

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    ModuleOp,
    TensorType,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute
from xdsl_xla.dialects import stablehlo
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.pipelines import XLA_CPU
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

LONG = random.Random(1).randbytes(600).hex()
PROGRAM = f"""
func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<150xf32>) {{
  %signed_zeros = stablehlo.constant dense<[0.0, -0.0, 0x7FC12345, 0xFF800001]> : tensor<4xf32>
  %payload = stablehlo.constant dense<0xFFC54321> : tensor<4xf32>
  %long = stablehlo.constant dense<"0x{LONG}"> : tensor<150xf32>
  %sum = stablehlo.add %x, %signed_zeros : tensor<4xf32>
  %max = stablehlo.maximum %sum, %payload : tensor<4xf32>
  return %max, %long : tensor<4xf32>, tensor<150xf32>
}}
"""


def printed(module: ModuleOp, *, generic: bool) -> str:
    stream = io.StringIO()
    ExactPrinter(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def bits(attribute: Attribute) -> bytes:
    """The bytes of all elements of a constant."""
    if isinstance(attribute, FloatAttr):
        return cast(Any, attribute).type.pack((cast(Any, attribute).value.data,))
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    data, type = attribute.data.data, cast(Any, attribute.type)
    size = prod(type.get_shape()) * type.element_type.compile_time_size
    return data * (size // len(data)) if data else data


def constants(module: ModuleOp) -> list[tuple[Attribute, bytes]]:
    """Type and bits of all float and dense attributes, in order."""
    return [
        (cast(Any, attribute).type, bits(attribute))
        for op in module.walk()
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, FloatAttr | DenseIntOrFPElementsAttr)
    ]


def assert_round_trip(module: ModuleOp) -> None:
    expected = constants(module)
    for generic in (False, True):
        text = printed(module, generic=generic)
        assert constants(parse_module(text, context=new_context(allow_unregistered=True))) == expected


def test_every_level() -> None:
    context = new_context()
    module = parse_module(PROGRAM, context=context)
    found = dict(constants(module))
    assert found[TensorType(f32, [4])] == bytes.fromhex("2143c5ff" * 4)
    assert len(found[TensorType(f32, [150])]) == 600
    for step in XLA_CPU:
        for module_pass in parse_passes(step.spec):
            module_pass.apply(context, module)
        assert_round_trip(module)


@pytest.mark.parametrize("element_type", [f16, bf16, f32, f64, ComplexType(f32)], ids=str)
@pytest.mark.parametrize("shape", [(1,), (2,), (2, 3), (101,), (0, 2)], ids=str)
def test_random_bits(element_type: Any, shape: tuple[int, ...]) -> None:
    size = prod(shape) * element_type.compile_time_size
    for seed in range(20):
        data = random.Random(seed).randbytes(size)
        if seed % 4 == 0:
            data = data[: element_type.compile_time_size] * prod(shape)
        tensor, vector = TensorType(element_type, shape), VectorType(element_type, shape)
        ops = [stablehlo.ConstantOp(DenseIntOrFPElementsAttr(tensor, BytesAttr(data)))]
        if 0 not in shape and not isinstance(element_type, ComplexType):
            ops.append(arith.ConstantOp(DenseIntOrFPElementsAttr(cast(Any, vector), BytesAttr(data))))
        assert_round_trip(ModuleOp(ops))


@pytest.mark.parametrize("pattern", [0x7FC00001, 0xFFC00000, 0x80000000, 1, 0x7F7FFFFF, 0x4CEB79A3])
def test_scalars(pattern: int) -> None:
    module = parse_module(f"%0 = arith.constant {pattern:#x} : f32")
    assert [value for _, value in constants(module)] == [pattern.to_bytes(4, "little")]
    assert_round_trip(module)
