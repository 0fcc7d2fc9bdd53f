"""Convolutions with short rows of places and many features, which are vectorised: as the reference has them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import assert_close, random_inputs

CASES = {
    "plain": (
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "pad = [[1, 1], [0, 2]]",
        1,
        "2x5x6x7",
        "20x5x3x3",
        "2x20x6x7",
    ),
    "moved": (
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "stride = [2, 1], pad = [[1, 1], [1, 1]]",
        1,
        "2x8x9x28",
        "32x8x3x3",
        "2x32x5x28",
    ),
    "moved without batch in front": (
        "[f, 0, b, 1]x[0, i, o, 1]->[0, b, f, 1]",
        "pad = [[1, 1], [1, 1]], rhs_dilate = [1, 2]",
        1,
        "7x5x2x30",
        "3x7x32x3",
        "5x2x32x28",
    ),
    "groups": ("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "stride = [2, 1]", 2, "2x6x7x9", "40x3x3x3", "2x40x3x7"),
    "features between": ("[b, 0, f, 1]x[0, i, o, 1]->[0, f, b, 1]", "", 1, "2x6x5x7", "3x5x24x3", "4x24x2x5"),
    "gradient of a kernel": (
        "[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]",
        "pad = [[0, 1], [0, 1]], rhs_dilate = [2, 2]",
        1,
        "3x4x8x8",
        "3x18x4x4",
        "18x4x3x3",
    ),
    "phases": (
        "[b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]",
        "pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]",
        1,
        "2x5x4x4",
        "5x20x3x3",
        "2x20x8x8",
    ),
}


def program(name: str, element: str, finished: bool) -> str:
    """The convolution, by itself or with bias, residual and activation."""
    numbers, window, groups, *shapes = CASES[name]
    x, k, y = (f"tensor<{shape}x{element}>" for shape in shapes)
    features = numbers.split("->[")[1].rstrip("]").split(", ").index("f")
    bias = f"tensor<{shapes[2].split('x')[features]}x{element}>"
    after = f"""%1 = stablehlo.broadcast_in_dim %b, dims = [{features}] : ({bias}) -> {y}
          %2 = stablehlo.add %0, %1 : {y}
          %3 = stablehlo.add %2, %r : {y}
          %4 = stablehlo.tanh %3 : {y}
          return %4 : {y}"""
    return f"""func.func @main(%x: {x}, %k: {k}, %b: {bias}, %r: {y}) -> {y} {{
          %0 = stablehlo.convolution(%x, %k) dim_numbers = {numbers}, window = {{{window}}}
            {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {k}) -> {y}
          {after if finished else f"return %0 : {y}"}
        }}"""


@pytest.mark.sample(15)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_channels_first(name: str, finished: bool, element: str, threads: int, decide: Callable[..., object]) -> None:
    decide(contractions={"minimum_multiply_adds": 1, "long_sum_multiply_adds": 1, "moved_products": 60})
    text = program(name, element, finished)
    inputs = random_inputs(text)
    (expected,) = interpreter.run(parse_module(text, "case"), "main", inputs)
    (result,) = xdsl_xla.compile(text, threads=threads)(*inputs)
    assert_close(result, expected, text)
