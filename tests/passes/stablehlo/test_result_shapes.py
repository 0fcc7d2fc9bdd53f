"""Shapes of results: those that the programs of the dialects' tests are written with follow from their operands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation
from xdsl_xla.dialects.stablehlo.shapes import shape_of
from xdsl_xla.errors import XlaError
from xdsl_xla.passes.stablehlo.result_shapes import RULES, result_shapes
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

LIT = Path(__file__).parents[2] / "lit" / "dialects"


def is_static(type: Attribute) -> bool:
    return not isinstance(type, TensorType) or DYNAMIC_INDEX not in type.get_shape()


def static_ops() -> Iterator[Operation]:
    """Ops with a rule on tensors of static shape, in the valid programs of the dialects' tests."""
    for file in sorted(LIT.rglob("*.mlir")):
        for part in file.read_text().split("// -----"):
            try:
                module = parse_module(part, file.name)
                verify_module(module)
            except XlaError:  # what the test expects
                continue
            for op in module.walk():
                if type(op) in RULES and all(is_static(value.type) for value in (*op.operands, *op.results)):
                    yield op


@pytest.mark.slow
def test_every_rule_gives_the_shapes_that_are_written() -> None:
    seen: set[type[Operation]] = set()
    for op in static_ops():
        seen.add(type(op))
        written = [shape_of(result) if isinstance(result.type, TensorType) else () for result in op.results]
        assert [*map(tuple, result_shapes(op) or ())] == [*map(tuple, written)], op
    assert seen == RULES.keys()


def test_what_the_operands_do_not_tell() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %s: tensor<2xi32>) -> tensor<2x2xf32> {
      %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }"""
    (op,) = [op for op in parse_module(text).walk() if op.name == "stablehlo.dynamic_reshape"]
    assert result_shapes(op) is None
