"""Layers that are worked through once: the code is that of the program as it was, and so are its values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects import func
from xdsl_xla.pipelines import XLA_CPU, expand, load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

APART = expand([step for step in XLA_CPU if not step.spec.endswith("-layers")])

TYPE = "tensor<16x32xf32>"
ARGUMENTS = f"%x: {TYPE}, %w0: tensor<32x32xf32>, %w1: tensor<32x32xf32>, %w2: tensor<32x32xf32>"
LAYER = """
  %m{n} = stablehlo.dot_general %{x}, %{w}, contracting_dims = [1] x [0]
      : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %r{n} = stablehlo.add %m{n}, %{x} : tensor<16x32xf32>
  %k{n} = {join} : {type}
  %s{n} = stablehlo.reduce(%k{n} init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
  %b{n} = stablehlo.broadcast_in_dim %s{n}, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
  %h{n} = stablehlo.multiply %b{n}, %half : tensor<16x32xf32>
  %c{n} = stablehlo.subtract %k{n}, %h{n} : tensor<16x32xf32>
  %f{n} = stablehlo.multiply %c{n}, %c{n} : tensor<16x32xf32>
  %t{n} = stablehlo.{function} %c{n} : tensor<16x32xf32>
  %u{n} = stablehlo.add %t{n}, %f{n} : tensor<16x32xf32>
  %v{n} = stablehlo.tanh %u{n} : tensor<16x32xf32>
  %y{n} = stablehlo.multiply %v{n}, %half : tensor<16x32xf32>
"""
PREAMBLE = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.25> : tensor<16x32xf32>
  %row = stablehlo.iota dim = 0 : tensor<16x32xi32>
  %column = stablehlo.iota dim = 1 : tensor<16x32xi32>
  %mask = stablehlo.compare GE, %column, %row : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi1>
"""


def layers(first: str, count: int, function: str, masked: bool, prefix: str = "") -> tuple[str, str]:
    """The text of so many layers and the name of their result."""
    text, x = "", first
    for number in range(count):
        n = f"{prefix}{number}"
        join, type = f"stablehlo.maximum %r{n}, %m{n}", TYPE
        if masked:
            join, type = f"stablehlo.select %mask, %r{n}, %m{n}", f"tensor<16x32xi1>, {TYPE}"
        text += LAYER.format(n=n, x=x, w=f"w{number % 3}", function=function, join=join, type=type)
        x = f"y{n}"
    return text, x


def stack(masked: bool) -> str:
    """Two kinds of layers, and one of the results is that of a layer in between."""
    first, x = layers("x", 12, "sine", masked)
    second, y = layers(x, 9, "logistic", masked, "b")
    body = f"{PREAMBLE}{first}{second}"
    return f"func.func @main({ARGUMENTS}) -> ({TYPE}, {TYPE}) {{{body} return %{y}, %y3 : {TYPE}, {TYPE} }}"


def loop(masked: bool) -> str:
    """The layers are in a loop, and read what is computed in front of it."""
    body, y = layers("a", 12, "cosine", masked)
    return f"""func.func @main({ARGUMENTS}) -> {TYPE} {{{PREAMBLE}
  %start = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %a = %x) : tensor<i32>, {TYPE}
  cond {{
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, %{y} : tensor<i32>, {TYPE}
  }}
  return %0#1 : {TYPE} }}"""


@pytest.mark.parametrize("masked", [False, True], ids=["", "masked"])
@pytest.mark.parametrize(("program", "functions"), [(stack, 2), (loop, 1)], ids=["stack", "loop"])
def test_same_code_and_values(program: Callable[[bool], str], functions: int, masked: bool) -> None:
    """Of a mask each layer has its own, which may be computed where it is read."""
    text = program(masked)
    module = parse_module(text, "<text>", new_context())
    generator = np.random.default_rng(0)
    inputs = [generator.standard_normal(shape).astype(np.float32) for shape in [(16, 32), *[(32, 32)] * 3]]
    expected = run(module, "main", inputs)
    load_pass("stablehlo-outline-layers")().apply(new_context(), module)
    outlined = [op for op in module.ops if isinstance(op, func.FuncOp) and "xrt.layer" in op.attributes]
    assert len(outlined) == functions
    for ours, theirs in zip(run(module, "main", inputs), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for threads in (1, 3):
        once, apart = (xdsl_xla.compile(text, threads=threads, pipeline=name) for name in ("xla-cpu", APART))
        if not masked:
            assert once.statistics == apart.statistics
        for ours, other, theirs in zip(once(*inputs), apart(*inputs), expected, strict=True):
            np.testing.assert_array_equal(ours, other)
            np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4)


def test_names_of_functions_are_new() -> None:
    text = stack(False).replace("@main", "@layer_0")
    module = parse_module(text, "<text>", new_context())
    load_pass("stablehlo-outline-layers")().apply(new_context(), module)
    names = [op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)]
    assert sorted(names) == ["layer_0", "layer_1", "layer_2"]
