"""Matrix products in loops: weights that no iteration changes are packed once, others every time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

ROWS, SIZE, STEPS = 40, 272, 3
X, W = f"tensor<{ROWS}x{SIZE}xf32>", f"tensor<{SIZE}x{SIZE}xf32>"
CARRIED = f"tensor<i32>, {X}, {W}"


def product(result: str, x: str, w: str, contracting: int = 0) -> str:
    return f"{result} = stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [{contracting}] : ({X}, {W}) -> {X}\n"


def tanh_of_product(number: int, x: str, w: str, contracting: int = 0) -> str:
    """`%t<number>`."""
    return f"{product(f'%p{number}', x, w, contracting)} %t{number} = stablehlo.tanh %p{number} : {X}\n"


def loop(number: int, body: str, start: str = "%x", weights: str = "%w0", next_w: str = "") -> str:
    """`STEPS` times `body`, which computes `%t<number>` from `%v<number>` and `%w<number>`."""
    n = number
    return f"""
  %r{n}:3 = stablehlo.while(%i{n} = %zero, %v{n} = {start}, %w{n} = {weights}) : {CARRIED}
  cond {{
    %c{n} = stablehlo.compare LT, %i{n}, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c{n} : tensor<i1>
  }} do {{
    {body}
    %next{n} = stablehlo.add %i{n}, %one : tensor<i32>
    stablehlo.return %next{n}, %t{n}, {next_w or f"%w{n}"} : {CARRIED}
  }}
"""


def program(*ops: str, result: str = "%r1#1") -> str:
    return f"""
func.func @main(%x: {X}, %w0: {W}) -> {X} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %steps = stablehlo.constant dense<{STEPS}> : tensor<i32>
  {"".join(ops)}
  return {result} : {X}
}}"""


SQUARE = f"%square = stablehlo.multiply %w1, %w1 : {W}"
PROGRAMS = {
    "same": (program(loop(1, tanh_of_product(1, "%v1", "%w1"))), 1),
    "transposed": (program(loop(1, tanh_of_product(1, "%v1", "%w1", 1))), 1),
    "both": (program(loop(1, product("%q", "%v1", "%w1") + tanh_of_product(1, "%q", "%w1", 1))), 2),
    "twice": (
        program(
            loop(1, tanh_of_product(1, "%v1", "%w1")),
            loop(2, tanh_of_product(2, "%v2", "%w2"), start="%r1#1"),
            result="%r2#1",
        ),
        2,
    ),
    "nested": (
        program(
            loop(
                1,
                loop(2, tanh_of_product(2, "%v2", "%w2"), start="%v1", weights="%w1")
                + f"%t1 = stablehlo.negate %r2#1 : {X}",
            )
        ),
        1,
    ),
    "outside_too": (
        program(tanh_of_product(0, "%x", "%w0"), loop(1, tanh_of_product(1, "%v1", "%w1"), start="%t0")),
        0,
    ),
    "changing": (program(loop(1, tanh_of_product(1, "%v1", "%w1") + SQUARE, next_w="%square")), 0),
}
"""Programs, and how many calls pack in front of a loop."""


def expected(x: NDArray[Any], w: NDArray[Any], name: str) -> NDArray[Any]:
    x, w = x.astype(np.float64), w.astype(np.float64)
    steps = {"nested": STEPS * STEPS, "twice": 2 * STEPS, "outside_too": STEPS + 1}.get(name, STEPS)
    for step in range(steps):
        if name == "both":
            x = np.tanh(x @ w @ w.T)
        else:
            x = np.tanh(x @ (w.T if name == "transposed" else w))
        if name == "changing":
            w = w * w
        if name == "nested" and step % STEPS == STEPS - 1:
            x = -x
    return x


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results(name: str) -> None:
    generator = np.random.default_rng(0)
    x = generator.uniform(-1, 1, (ROWS, SIZE)).astype(np.float32)
    w = generator.uniform(-0.08, 0.08, (SIZE, SIZE)).astype(np.float32)
    for threads in (1, 2, 3, 4):
        (result,) = xdsl_xla.compile(PROGRAMS[name][0], threads=threads)(x, w)
        np.testing.assert_allclose(result, expected(x, w, name), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_packed_in_front_of_a_loop(name: str) -> None:
    text, packings = PROGRAMS[name]
    context = new_context()
    module = parse_module(text, "<text>", context)
    for step in parse_passes(
        "stablehlo-simplify,convert-stablehlo-to-linalg,linalg-fuse-elementwise,linalg-outline-kernels,"
        "convert-tensor-to-memref,linalg-tile-contractions{vector_bits=512}"
    ):
        step.apply(context, module)
    module.verify()
    entry = next(op for op in module.ops if "xrt.entry" in op.attributes)
    calls = [op for op in entry.regions[0].block.ops if op.name == "func.call" and "panels" in str(op.properties)]
    assert len(calls) == packings
