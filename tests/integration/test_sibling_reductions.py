"""Reductions over one tensor in one pass: as the reference computes them, at every number of threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import Line, assert_close, line, program, random_inputs, tensor

LEAST = {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00", "i32": "-2147483648"}
GREATEST = {"f64": "0x7FF0000000000000", "f32": "0x7F800000", "bf16": "0x7F80", "f16": "0x7C00", "i32": "2147483647"}


@pytest.fixture(autouse=True)
def small_tensors(decide: Callable[..., object]) -> None:
    decide(fusion={"reduced_once_bytes": 1})
    decide(fusion={"read_once_bytes": 1})
    decide(parallelism={"parallel_region_bytes": 1})


def prologue(element: str) -> str:
    zero = "0" if element[0] == "i" else "0.0"
    return f"""%zero = stablehlo.constant dense<{zero}> : tensor<{element}>
    %least = stablehlo.constant dense<{LEAST[element]}> : tensor<{element}>
    %greatest = stablehlo.constant dense<{GREATEST[element]}> : tensor<{element}>"""


def reductions(shape: Sequence[int], element: str, axes: Sequence[int]) -> list[Line]:
    """The sum, the greatest and the least element of `%x`, and the sum of its squares."""
    kept = tensor([size for axis, size in enumerate(shape) if axis not in axes], element)
    all_of_x = tensor(shape, element)

    def reduce(op: str, init: str, operand: str = "%x") -> Line:
        return line(
            f"stablehlo.reduce({operand} init: {init}) applies stablehlo.{op} across dimensions = {list(axes)} "
            f": ({all_of_x}, tensor<{element}>) -> {kept}",
            kept,
        )

    return [
        reduce("add", "%zero"),
        reduce("maximum", "%least"),
        reduce("minimum", "%greatest"),
        line(f"stablehlo.multiply %x, %x : {all_of_x}", all_of_x),
        reduce("add", "%zero", "%r3"),
    ]


def check(text: str, threads: int, pipeline: str = "xla-cpu") -> None:
    inputs = random_inputs(text)
    expected = interpreter.run(parse_module(text, "case"), "main", inputs)
    results = xdsl_xla.compile(text, threads=threads, pipeline=pipeline)(*inputs)
    for result, wanted in zip(results, expected, strict=True):
        assert_close(result, wanted, text)


def without(text: str, number: int) -> str:
    """`text` that does not return `%r<number>`, which it computes."""
    head, tail = text.rsplit("\nreturn ", 1)
    values, types = (part.split(", ") for part in tail.removesuffix("\n}").split(" : "))
    del values[number], types[number]
    arguments, rest = head.split(" -> ", 1)
    _, body = rest.split(" {\n", 1)
    return f"{arguments} -> ({', '.join(types)}) {{\n{body}\nreturn {', '.join(values)} : {', '.join(types)}\n}}"


@pytest.mark.sample(14)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "shape, axes",
    [
        ((37, 129), (1,)),
        ((37, 129), (0,)),
        ((37, 129), (0, 1)),
        ((3001,), (0,)),
        ((1, 5003), (1,)),
        ((1100, 515), (0,)),
        ((2, 9, 10, 33), (0, 1, 2)),
        ((3, 5, 17, 16), (0, 2, 3)),
        ((3, 5, 17, 16), (1, 3)),
        ((700, 3), (0,)),
        ((40, 4, 8), (1, 2)),
    ],
)
def test_shapes(shape: tuple[int, ...], axes: tuple[int, ...], threads: int) -> None:
    text = program(f"%x: {tensor(shape)}", reductions(shape, "f32", axes), prologue("f32"))
    check(text if threads == 2 else without(text, 3), threads)


@pytest.mark.sample(14)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("element", ["f64", "bf16", "f16", "i32"])
def test_element_types(element: str, axes: tuple[int, ...], threads: int) -> None:
    shape = (45, 131)
    text = program(f"%x: {tensor(shape, element)}", reductions(shape, element, axes), prologue(element))
    check(without(text, 3), threads)


@pytest.mark.sample(8)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [3, 20])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_many(axes: tuple[int, ...], count: int, threads: int) -> None:
    """More than one pass has registers for."""
    shape = (50, 300)
    kept = tensor([size for axis, size in enumerate(shape) if axis not in axes])
    lines: list[Line] = []
    for i in range(count):
        constant = f"stablehlo.constant dense<{i}.5> : {tensor(shape)}"
        lines.append(line(constant, tensor(shape)))
        lines.append(line(f"stablehlo.maximum %x, %r{3 * i} : {tensor(shape)}", tensor(shape)))
        lines.append(
            line(
                f"stablehlo.reduce(%r{3 * i + 1} init: %zero) applies stablehlo.add across dimensions = {list(axes)} "
                f": ({tensor(shape)}, tensor<f32>) -> {kept}",
                kept,
            )
        )
    text = program(f"%x: {tensor(shape)}", lines, prologue("f32"))
    for i in reversed(range(count)):
        text = without(without(text, 3 * i + 1), 3 * i)
    check(text, threads)


SOFTMAX_AND_ARGMAX = """func.func @main(%x: tensor<40x150xf32>) -> (tensor<40xf32>, tensor<40xi32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<40x150xf32>, tensor<f32>) -> tensor<40xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<40xf32>) -> tensor<40x150xf32>
  %d = stablehlo.subtract %x, %b : tensor<40x150xf32>
  %e = stablehlo.exponential %d : tensor<40x150xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<40x150xf32>, tensor<f32>) -> tensor<40xf32>
  %l = stablehlo.log %s : tensor<40xf32>
  %y = stablehlo.add %l, %m : tensor<40xf32>
  %i = stablehlo.iota dim = 1 : tensor<40x150xi32>
  %r:2 = stablehlo.reduce(%x init: %least), (%i init: %first) across dimensions = [1]
    : (tensor<40x150xf32>, tensor<40x150xi32>, tensor<f32>, tensor<i32>) -> (tensor<40xf32>, tensor<40xi32>)
    reducer(%p: tensor<f32>, %q: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
      %0 = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1 = stablehlo.compare NE, %p, %p : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.or %0, %1 : tensor<i1>
      %3 = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.and %3, %4 : tensor<i1>
      %6 = stablehlo.or %2, %5 : tensor<i1>
      %7 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<f32>
      %8 = stablehlo.select %6, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
    }
  return %y, %r#1 : tensor<40xf32>, tensor<40xi32>
}"""


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_softmax_and_argmax(threads: int) -> None:
    check(SOFTMAX_AND_ARGMAX, threads)


OPTIMIZER = """
func.func @main(%p: tensor<30x70xf32>, %m: tensor<30x70xf32>, %v: tensor<30x70xf32>, %g: tensor<30x70xf32>)
    -> (tensor<30x70xf32>, tensor<30x70xf32>, tensor<30x70xf32>, tensor<30xf32>) {
  %decay = stablehlo.constant dense<0.9> : tensor<30x70xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<30x70xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %m, %decay : tensor<30x70xf32>
  %1 = stablehlo.multiply %g, %rate : tensor<30x70xf32>
  %m1 = stablehlo.add %0, %1 : tensor<30x70xf32>
  %2 = stablehlo.multiply %v, %v : tensor<30x70xf32>
  %3 = stablehlo.multiply %g, %g : tensor<30x70xf32>
  %v1 = stablehlo.add %2, %3 : tensor<30x70xf32>
  %4 = stablehlo.add %v1, %rate : tensor<30x70xf32>
  %5 = stablehlo.sqrt %4 : tensor<30x70xf32>
  %6 = stablehlo.divide %m1, %5 : tensor<30x70xf32>
  %p1 = stablehlo.subtract %p, %6 : tensor<30x70xf32>
  %s = stablehlo.reduce(%p1 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<30x70xf32>, tensor<f32>) -> tensor<30xf32>
  return %p1, %m1, %v1, %s : tensor<30x70xf32>, tensor<30x70xf32>, tensor<30x70xf32>, tensor<30xf32>
}"""


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_step_of_an_optimizer(threads: int) -> None:
    check(OPTIMIZER, threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("shape", [(17, 17, 1, 1, 1), (1, 17, 1, 17), (40, 1)])
def test_elements_are_stored_beside_their_sum_over_dimensions_of_one(
    shape: Sequence[int], pipeline: str, threads: int
) -> None:
    whole, axes = tensor(shape, "f64"), list(range(len(shape)))
    text = f"""func.func @main(%x: {whole}) -> ({whole}, tensor<f64>) {{
    %one = stablehlo.constant dense<1.0> : tensor<f64>
    %e = stablehlo.exponential %x : {whole}
    %y = stablehlo.multiply %e, %x : {whole}
    %s = stablehlo.reduce(%y init: %one) applies stablehlo.add across dimensions = {axes}
      : ({whole}, tensor<f64>) -> tensor<f64>
    return %y, %s : {whole}, tensor<f64>
    }}"""
    check(text, threads, pipeline)
