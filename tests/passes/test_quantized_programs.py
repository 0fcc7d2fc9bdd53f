"""Quantised programs as native code give the integers that the reference interpreter gives."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from xdsl.ir import Attribute
from xdsl_xla import compile
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.reference.interpreter import find_function, run
from xdsl_xla.reference.quantization import quantized_type
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = np.ndarray[Any, Any]

TYPES = (
    "i8:f32, 0.1:-3",
    "u8:f32, 0.05:128",
    "i4:f32, 0.25:1",
    "u4:f16, 0.5:3",
    "i8<-100:100>:bf16, 0.3",
    "i8:f64, 0.7:-128",
    "i16:f32, 0.001:5",
    "u16:f64, 0.01:1000",
    "i16:f16, 0.01:-7",
    "i32:f32, 0.01:-20",
    "i32:f64, 1.0e-05:7",
    "u32:f64, 0.3:4000000000",
)
EXACT_UNARY = ("abs", "negate", "ceil", "floor", "sign", "sqrt", "round_nearest_even", "round_nearest_afz")
EXACT_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder")
INEXACT = ("exponential", "tanh", "logistic", "log_plus_one", "cbrt", "sine", "rsqrt", "exponential_minus_one")
PIPELINES = ("xla-cpu", "xla-cpu-O0")


def random_input(rng: np.random.Generator, type: Attribute) -> Array:
    """Integers over the whole storage range, one in four near the zero point; real numbers with special values."""
    shape, dtype = shape_and_dtype(type)
    quantized = quantized_type(type)
    if quantized is None:
        if dtype == np.bool_:
            return rng.random(shape) < 0.5
        numbers = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 5, size=shape)
        special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 2.5], size=shape)
        return np.where(rng.random(shape) < 0.2, special, numbers).astype(dtype)
    low, high = quantized.storage_min.data, quantized.storage_max.data
    anywhere = rng.integers(low, high, shape, endpoint=True)
    near = np.clip(quantized.zero_points.data[0].data + rng.integers(-9, 10, shape), low, high)
    return np.where(rng.random(shape) < 0.25, near, anywhere).astype(dtype)


def results(text: str, pipelines: Sequence[str] = PIPELINES) -> tuple[list[Array], list[list[Array]]]:
    """What the reference gives for random inputs, and native code by each pipeline."""
    module = parse_module(text)
    verify_module(module)
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    inputs = [random_input(rng, type) for type in find_function(module, "main").function_type.inputs.data]
    expected = cast("list[Array]", list(run(module, "main", inputs)))
    return expected, [list(compile(text, pipeline=pipeline, verify=True)(*inputs)) for pipeline in pipelines]


def check(text: str, steps: int = 0) -> None:
    """Native results are those of the reference, up to `steps`."""
    expected, natives = results(text)
    for native in natives:
        for index, (wanted, got) in enumerate(zip(expected, native, strict=True)):
            assert got.dtype == wanted.dtype
            if not steps:
                np.testing.assert_array_equal(got, wanted, err_msg=f"result {index}")
                continue
            difference = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
            assert (difference <= steps).all(), f"result {index}: {difference.max()} steps"


def program(inputs: Sequence[str], ops: Sequence[tuple[str, str]]) -> str:
    """A function of %a0, %a1, ... that returns what each op, given with its type, computes."""
    arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(inputs))
    types = ", ".join(type for _, type in ops)
    body = "\n".join(f"  %r{i} = {op}" for i, (op, _) in enumerate(ops))
    names = ", ".join(f"%r{i}" for i in range(len(ops)))
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}"


def quant(parameters: str, shape: str = "3x5x") -> str:
    return f"tensor<{shape}!quant.uniform<{parameters}>>"


def other(parameters: str) -> str:
    """The type with another scale and zero point."""
    storage = parameters.partition(",")[0]
    return f"{storage}, {'0.125' if 'f64' in storage else '0.2'}:{2 if 'u' in storage else -1}"


@pytest.mark.sample(1)
@pytest.mark.parametrize("parameters", TYPES)
def test_elementwise_ops(parameters: str) -> None:
    a, b = quant(parameters), quant(other(parameters))
    ops = [(f"stablehlo.{name} %a0 : ({a}) -> {b}", b) for name in EXACT_UNARY]
    ops += [(f"stablehlo.{name} %a0, %a1 : ({a}, {b}) -> {a}", a) for name in EXACT_BINARY]
    ops += [(f"stablehlo.clamp %a0, %r8, %a0 : ({a}, {a}, {a}) -> {a}", a)]
    booleans = "tensor<3x5xi1>"
    ops += [
        (f"stablehlo.compare {direction}, %a0, %r8 : ({a}, {a}) -> {booleans}", booleans)
        for direction in ("EQ", "NE", "LT", "GE")
    ]
    check(program([a, b], ops))


@pytest.mark.sample(1)
@pytest.mark.parametrize("parameters", [type for type in TYPES if "i32" not in type and "u32" not in type])
def test_functions_that_are_rounded_differently_by_a_unit(parameters: str) -> None:
    """A result halfway between two steps may become either, as elementary functions are right to 4 ulp only; a
    step of storage of 32 bits is less than that."""
    a = quant(parameters)
    check(program([a], [(f"stablehlo.{name} %a0 : ({a}) -> {a}", a) for name in INEXACT]), steps=1)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "parameters", [*TYPES, "i8:f32:1, {0.1:-3, 0.2, 0.3:5, 1.0:7, 0.05:1}", "u8:f16:0, {1.0:3,2.0,3.0}"]
)
def test_conversions(parameters: str) -> None:
    found = re.match(r"(\w+(?:<[^>]*>)?):(\w+)", parameters)
    assert found is not None
    a, real = quant(parameters), f"tensor<3x5x{found[2]}>"
    second = f"{found[0]}, 0.375:1"
    check(
        program(
            [a, real],
            [
                (f"stablehlo.uniform_quantize %a1 : ({real}) -> {a}", a),
                (f"stablehlo.uniform_quantize %a0 : ({a}) -> {quant(second)}", quant(second)),
                (f"stablehlo.uniform_dequantize %a0 : ({a}) -> {real}", real),
            ],
        )
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("parameters", TYPES)
def test_moving_elements(parameters: str) -> None:
    def type(shape: str) -> str:
        return quant(parameters, shape)

    a, scalar = type("3x5x"), type("")
    ops = [
        (f"stablehlo.transpose %a0, dims = [1, 0] : ({a}) -> {type('5x3x')}", type("5x3x")),
        (f"stablehlo.reshape %a0 : ({a}) -> {type('15x')}", type("15x")),
        (f"stablehlo.reverse %a0, dims = [0, 1] : {a}", a),
        (f"stablehlo.slice %a0 [0:3:2, 1:4] : ({a}) -> {type('2x3x')}", type("2x3x")),
        (f"stablehlo.concatenate %a0, %a1, dim = 0 : ({a}, {a}) -> {type('6x5x')}", type("6x5x")),
        (
            f"stablehlo.pad %a0, %a2, low = [1, 0], high = [0, -1], interior = [1, 0] : ({a}, {scalar}) ->"
            f" {type('6x4x')}",
            type("6x4x"),
        ),
        (f"stablehlo.broadcast_in_dim %a0, dims = [0, 2] : ({a}) -> {type('3x2x5x')}", type("3x2x5x")),
        (f"stablehlo.select %a3, %a0, %a1 : tensor<3x5xi1>, {a}", a),
    ]
    check(program([a, a, scalar, "tensor<3x5xi1>"], ops))


SUM = """"stablehlo.{op}"(%a0, %a1) <{{{attributes}}}> ({{
  ^bb0(%x: {scalar}, %y: {scalar}):
    %s = stablehlo.{combiner} %x, %y : {scalar}
    stablehlo.return %s : {scalar}
  }}) : ({a}, {scalar}) -> {result}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("parameters", ["i8:f32, 0.1:-3", "u8:f32, 0.05:128", "i16:f32, 0.5", "i32:f64, 0.25:3"])
@pytest.mark.parametrize("combiner", ["maximum", "minimum"])
def test_reductions(parameters: str, combiner: str) -> None:
    """Of functions whose result is the same in any order, which a saturating sum does not have."""
    a, scalar = quant(parameters), quant(parameters, "")
    window = quant(parameters, "2x4x")
    reduce = SUM.format(
        op="reduce",
        attributes="dimensions = array<i64: 1>",
        scalar=scalar,
        combiner=combiner,
        a=a,
        result=quant(parameters, "3x"),
    )
    reduce_window = SUM.format(
        op="reduce_window",
        attributes="window_dimensions = array<i64: 2, 2>",
        scalar=scalar,
        combiner=combiner,
        a=a,
        result=window,
    )
    check(program([a, scalar], [(reduce, quant(parameters, "3x")), (reduce_window, window)]))


def test_a_sum_wider_than_its_operand() -> None:
    a, wide = quant("i8:f32, 0.5:3"), quant("i32:f32, 0.5:3", "")
    result = quant("i32:f32, 0.5:3", "3x")
    text = SUM.format(
        op="reduce", attributes="dimensions = array<i64: 1>", scalar=wide, combiner="add", a=a, result=result
    ).replace(f"({a}, {wide})", f"({a}, {quant('i8:f32, 0.5:3', '')})")
    check(program([a, quant("i8:f32, 0.5:3", "")], [(text, result)]))


@pytest.mark.sample(3)
@pytest.mark.parametrize("storage", ["i8", "i4", "u8"])
@pytest.mark.parametrize("expressed", ["f32", "bf16", "f16"])
def test_products(storage: str, expressed: str) -> None:
    """Per tensor, per channel, and of real numbers with quantised weights, which is a float as it comes."""
    lhs = f"tensor<4x37x!quant.uniform<{storage}:{expressed}, 0.1:3>>"
    rhs = f"tensor<37x3x!quant.uniform<{storage}:{expressed}, 0.3>>"
    channels = f"tensor<37x3x!quant.uniform<{storage}:{expressed}:1, {{0.3, 0.1, 0.7}}>>"
    result = f"tensor<4x3x!quant.uniform<{storage}:{expressed}, 0.6:2>>"
    wide = f"tensor<4x3x!quant.uniform<i32:{expressed}:1, {{0.03, 0.01, 0.07}}>>"
    dims = "contracting_dims = [1] x [0]"
    check(
        program(
            [lhs, rhs, channels],
            [
                (f"stablehlo.dot_general %a0, %a1, {dims} : ({lhs}, {rhs}) -> {result}", result),
                (f"stablehlo.dot_general %a0, %a2, {dims} : ({lhs}, {channels}) -> {wide}", wide),
                (f"stablehlo.dot %a0, %a1 : ({lhs}, {rhs}) -> {result}", result),
            ],
        )
    )


def test_products_of_real_numbers_with_quantised_weights() -> None:
    """The sums are those of a product in f32."""
    weights = "tensor<64x3x!quant.uniform<i8:f32:1, {0.3, 0.1, 0.7}>>"
    text = f"""
    func.func @main(%x: tensor<4x64xf32>, %w: {weights}) -> tensor<4x3xf32> {{
      %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x64xf32>, {weights}) -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }}"""
    module = parse_module(text)
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(4, 64)).astype(np.float32), rng.integers(-128, 128, (64, 3)).astype(np.int8)
    (expected,) = run(module, "main", [x, w])
    for pipeline in PIPELINES:
        (got,) = compile(text, pipeline=pipeline)(x, w)
        np.testing.assert_allclose(got, cast(Array, expected), rtol=1e-5, atol=64 * 40 * 1e-7)


def test_convolutions() -> None:
    image, out = quant("i8:f32, 0.1:-3", "2x7x7x4x"), quant("i8:f32, 2.0:5", "2x4x4x6x")
    kernel = quant("i8:f32:3, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}", "3x3x4x6x")
    convolution = (
        "stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],"
        " window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}"
        f" {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({image}, {kernel}) -> {out}"
    )
    check(program([image, kernel], [(convolution, out)]))


def test_values_of_loops_branches_and_functions() -> None:
    type = "tensor<3x!quant.uniform<i8:f32, 0.5:-3>>"
    check(f"""
    func.func @main(%x: {type}, %p: tensor<i1>) -> ({type}, {type}) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %five = stablehlo.constant dense<5> : tensor<i32>
      %c = stablehlo.constant() <{{value = dense<[1, 2, 3]> : tensor<3xi8>}}> : () -> {type}
      %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, {type}
      cond {{
        %l = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %l : tensor<i1>
      }} do {{
        %n = stablehlo.add %i, %one : tensor<i32>
        %m = func.call @f(%s, %c) : ({type}, {type}) -> {type}
        stablehlo.return %n, %m : tensor<i32>, {type}
      }}
      %t = "stablehlo.if"(%p) ({{
        stablehlo.return %x : {type}
      }}, {{
        %n = stablehlo.negate %x : {type}
        stablehlo.return %n : {type}
      }}) : (tensor<i1>) -> {type}
      return %r#1, %t : {type}, {type}
    }}
    func.func private @f(%a: {type}, %b: {type}) -> {type} {{
      %0 = stablehlo.add %a, %b : {type}
      return %0 : {type}
    }}""")


def test_sorting() -> None:
    type, scalar = "tensor<40x!quant.uniform<u8:f32, 0.5:3>>", "tensor<!quant.uniform<u8:f32, 0.5:3>>"
    check(f"""
    func.func @main(%x: {type}) -> {type} {{
      %r = "stablehlo.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %l = stablehlo.compare GT, %a, %b : ({scalar}, {scalar}) -> tensor<i1>
        stablehlo.return %l : tensor<i1>
      }}) : ({type}) -> {type}
      return %r : {type}
    }}""")


def test_storage_of_64_bits_is_an_error() -> None:
    text = program(
        ["tensor<3xf64>"],
        [
            (
                "stablehlo.uniform_quantize %a0 : (tensor<3xf64>) -> tensor<3x!quant.uniform<i64:f64, 0.5>>",
                "tensor<3x!quant.uniform<i64:f64, 0.5>>",
            )
        ],
    )
    with pytest.raises(InvalidProgramError, match="64 bits, at most 32"):
        compile(text)


def test_no_elements() -> None:
    a = "tensor<0x3x!quant.uniform<i8:f32:1, {0.5, 1.0, 2.0}>>"
    check(program([a], [(f"stablehlo.add %a0, %a0 : {a}", a)]))
