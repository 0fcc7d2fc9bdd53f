"""Elementwise ops on the results of products and convolutions: one kernel, as the reference computes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import xdsl_xla
from xdsl_xla.pipelines import XLA_CPU, expand
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

from .programs import assert_close, random_inputs

PRODUCT = "stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<MxKxT>, tensor<KxNxT>) -> tensor<MxNxT>"
CONVOLUTION = """stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x7x9x5xT>, tensor<3x3x5xNxT>) -> tensor<2x7x9xNxT>"""

BODIES = {
    "bias": "%b : tensor<NxT>; %1 = broadcast b [1]; %2 = add %0, %1",
    "bias, relu and residual": """%b : tensor<NxT>; %r : tensor<MxNxT>; %1 = broadcast b [1]; %2 = add %0, %1;
        %3 = zero; %4 = maximum %2, %3; %5 = add %4, %r""",
    "scale of rows": "%b : tensor<MxT>; %1 = broadcast b [0]; %2 = multiply %0, %1",
    "a scalar": "%b : tensor<T>; %1 = broadcast b []; %2 = divide %0, %1",
    "with itself": "%1 = tanh %0; %2 = exponential %1; %3 = multiply %2, %0",
    "transposed residual": "%r : tensor<NxMxT>; %1 = transpose r; %2 = subtract %0, %1",
}


def function(body: str, product: str, sizes: tuple[int, int, int], element: str, result: str = "") -> str:
    """`body` in full: what stands before `;` is an argument or an op on tensors of the result's shape."""
    arguments: list[str] = []
    lines: list[str] = []
    shape = "2x7x9xN" if "convolution" in product else "MxN"
    last = "%0"
    for text in (part.strip() for part in body.split(";")):
        name, _, rest = text.partition(" = ")
        if " : " in text:
            arguments.append(text.replace(" : ", ": "))
            continue
        op, *operands = rest.split(" ", 1)
        source = f"tensor<{shape}xT>"
        if op == "zero":
            line = f"stablehlo.constant dense<0.0> : {source}"
        elif op == "broadcast":
            argument, dims = operands[0].split(" ", 1)
            own = next(a for a in arguments if a.startswith(f"%{argument}:")).split(": ")[1]
            line = f"stablehlo.broadcast_in_dim %{argument}, dims = {dims} : ({own}) -> {source}"
        elif op == "transpose":
            line = f"stablehlo.transpose %r, dims = [1, 0] : (tensor<NxMxT>) -> {source}"
        else:
            line = f"stablehlo.{op} {operands[0]} : {source}"
        lines.append(f"{name} = {line}")
        last = name
    if result:
        lines.append(f"%last = stablehlo.convert {last} : (tensor<{shape}xT>) -> tensor<{shape}x{result}>")
        last = "%last"
    x, w = (
        ("tensor<2x7x9x5xT>", "tensor<3x3x5xNxT>") if "convolution" in product else ("tensor<MxKxT>", "tensor<KxNxT>")
    )
    type = f"tensor<{shape}x{result or 'T'}>"
    text = f"func.func @main({', '.join([f'%x: {x}', f'%w: {w}', *arguments])}) -> {type} {{\n%0 = {product}\n"
    text += "\n".join(lines) + f"\nreturn {last} : {type}\n}}"
    for name, size in zip("MNK", sizes, strict=True):
        text = text.replace(f"<{name}x", f"<{size}x").replace(f"x{name}x", f"x{size}x")
    return text.replace("xT>", f"x{element}>").replace("<T>", f"<{element}>")


def check(text: str, threads: int) -> None:
    inputs = random_inputs(text)
    expected = interpreter.run(parse_module(text, "case"), "main", inputs)
    results = xdsl_xla.compile(text, threads=threads)(*inputs)
    for result, value in zip(results, expected, strict=True):
        assert_close(result, value, text)


@pytest.fixture(autouse=True)
def no_minimum(decide: Callable[..., object]) -> None:
    decide(contractions={"minimum_multiply_adds": 1, "long_sum_multiply_adds": 1})


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "sizes", [(5, 17, 9), (1, 40, 8), (33, 64, 70), (16, 3, 12), (9, 40, 20), (2, 16, 48), (4, 10, 40)]
)
@pytest.mark.parametrize("name", BODIES)
def test_products(name: str, sizes: tuple[int, int, int], threads: int) -> None:
    check(function(BODIES[name], PRODUCT, sizes, "f32"), threads)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("name", ["bias, relu and residual", "with itself"])
def test_parallel(name: str, threads: int) -> None:
    check(function(BODIES[name], PRODUCT, (203, 150, 120), "f32"), threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["bias, relu and residual", "with itself", "transposed residual"])
def test_streamed(name: str, threads: int) -> None:
    check(function(BODIES[name], PRODUCT, (11, 1040, 300), "f32"), threads)


@pytest.mark.parametrize("element", ["f64", "bf16", "f16"])
@pytest.mark.parametrize("name", ["bias", "bias, relu and residual", "a scalar", "with itself"])
def test_element_types(name: str, element: str) -> None:
    check(function(BODIES[name], PRODUCT, (9, 35, 20), element), 1)


@pytest.mark.parametrize("result", ["bf16", "f16"])
def test_conversions(result: str) -> None:
    check(function(BODIES["bias"], PRODUCT, (9, 35, 20), "f32", result), 1)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("features", [4, 17, 32])
def test_convolutions(features: int, threads: int) -> None:
    body = (
        "%b : tensor<NxT>; %r : tensor<2x7x9xNxT>; %1 = broadcast b [3]; %2 = add %0, %1; %3 = tanh %2; %4 = add %3, %r"
    )
    check(function(body, CONVOLUTION, (1, features, 1), "f32"), threads)


def test_long_reductions() -> None:
    """Sums that are not finished inside a tile leave a pass over the results."""
    check(function(BODIES["bias"], PRODUCT, (12, 64, 9000), "f32"), 2)


def test_a_result_that_is_read_twice() -> None:
    check(
        """func.func @main(%x: tensor<9x20xf32>, %w: tensor<20x33xf32>) -> tensor<33x9xf32> {
          %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
            : (tensor<9x20xf32>, tensor<20x33xf32>) -> tensor<9x33xf32>
          %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<9x33xf32>) -> tensor<33x9xf32>
          %2 = stablehlo.tanh %0 : tensor<9x33xf32>
          %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<9x33xf32>) -> tensor<33x9xf32>
          %4 = stablehlo.add %1, %3 : tensor<33x9xf32>
          return %4 : tensor<33x9xf32>
        }""",
        1,
    )


def test_two_readers_of_the_finished_result() -> None:
    """The op on the product stays with it instead of moving into both reductions."""
    check(
        """func.func @main(%x: tensor<9x20xbf16>, %w: tensor<20x33xbf16>) -> tensor<9x33xbf16> {
          %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
            : (tensor<9x20xbf16>, tensor<20x33xbf16>) -> tensor<9x33xbf16>
          %i = stablehlo.constant dense<0xFF80> : tensor<bf16>
          %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.maximum across dimensions = [1]
            : (tensor<9x33xbf16>, tensor<bf16>) -> tensor<9xbf16>
          %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<9xbf16>) -> tensor<9x33xbf16>
          %3 = stablehlo.subtract %0, %2 : tensor<9x33xbf16>
          return %3 : tensor<9x33xbf16>
        }""",
        1,
    )


def test_one_kernel_and_no_temporary() -> None:
    text = function(BODIES["bias, relu and residual"], PRODUCT, (33, 64, 70), "f32")
    module = parse_module(text, "case")
    steps = XLA_CPU[: next(i for i, step in enumerate(XLA_CPU) if step.spec == "linalg-tile-contractions") + 1]
    for module_pass in parse_passes(expand(steps)):
        module_pass.apply(new_context(), module)
    names = [op.name for op in module.walk()]
    assert "linalg.generic" not in names and "memref.alloc" not in names
    assert names.count("func.call") == 1
    kernel = [name for name in names if name in ("vector.fma", "arith.addf", "arith.maximumf", "affine.vector_store")]
    last = len(kernel) - 1 - kernel[::-1].index("vector.fma")
    finished = ["arith.addf", "arith.maximumf", "arith.addf", "affine.vector_store"]
    assert set(kernel[: last + 1]) == {"vector.fma"} and kernel[last + 1 :] == finished * (last + 1)


def test_what_a_product_reads_is_no_result_of_it() -> None:
    """A value of a loop that a product and an elementwise op read: two kernels."""
    check(
        """func.func @main(%x: tensor<9x20xf32>, %w: tensor<20x33xf32>) -> (tensor<9x20xf32>, tensor<9x33xf32>) {
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<9x20xf32>
            cond {
              %three = stablehlo.constant dense<3> : tensor<i32>
              %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            } do {
              %one = stablehlo.constant dense<1> : tensor<i32>
              %1 = stablehlo.add %i, %one : tensor<i32>
              %2 = stablehlo.add %y, %y : tensor<9x20xf32>
              stablehlo.return %1, %2 : tensor<i32>, tensor<9x20xf32>
            }
          %1 = stablehlo.abs %0#1 : tensor<9x20xf32>
          %2 = stablehlo.dot_general %0#1, %w, contracting_dims = [1] x [0]
            : (tensor<9x20xf32>, tensor<20x33xf32>) -> tensor<9x33xf32>
          return %1, %2 : tensor<9x20xf32>, tensor<9x33xf32>
        }""",
        1,
    )
