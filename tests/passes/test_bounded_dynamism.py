"""Programs with bounded sizes as native code give what the reference interpreter gives, for every size."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import numpy as np
import pytest
from bounded_cases import CASES, PIPELINES, SIZES, S, V, X, Y, agree, bounded, combine, program
from xdsl_xla import compile
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError, XlaError
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", CASES)
def test_ops(name: str) -> None:
    inputs, op, results = CASES[name]
    choices = [(five, three, 1) for five, three in zip(SIZES, (3, 0, 2, 1), strict=True)]
    if name in ("pad negative", "slice rows", "cholesky"):
        choices = choices[1:]
    if name == "index select":
        choices = choices[2:]
    if name == "select and scatter":
        choices = [(5, 3, 0), (4, 2, 0), (3, 1, 0)]
    agree(program(inputs, op, results), choices, positive=name == "cholesky")


def test_the_sum_of_what_is_left() -> None:
    """The example of XLA's operation semantics: of ten elements five are left."""
    v = bounded("<10")
    text = f"""
    func.func @main(%x: tensor<10xi32>, %n: tensor<i32>) -> (tensor<i32>, {bounded("<10", "i32")}, tensor<i32>) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %v = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> {v.replace("f32", "i32")}
      %size = stablehlo.get_dimension_size %v, dim = 0 : ({v.replace("f32", "i32")}) -> tensor<i32>
      %sum = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0]
          : ({v.replace("f32", "i32")}, tensor<i32>) -> tensor<i32>
      return %sum, %v, %size : tensor<i32>, {v.replace("f32", "i32")}, tensor<i32>
    }}"""
    for pipeline in PIPELINES:
        executable = compile(text, pipeline=pipeline)
        total, left, size = executable(np.arange(1, 11, dtype=np.int32), np.int32(5))
        assert (total, size) == (15, 5)
        np.testing.assert_array_equal(left, [1, 2, 3, 4, 5])
        assert executable(np.arange(1, 11, dtype=np.int32), np.int32(12))[2] == 10
        assert executable(np.arange(1, 11, dtype=np.int32), np.int32(-1))[2] == 0


def test_many_calls() -> None:
    """Also those that machine code makes, after the first few."""
    v = bounded("<5")
    executable = compile(f"""
    func.func @main(%x: tensor<5xf32>, %n: tensor<i32>) -> {v} {{
      %v = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> {v}
      return %v : {v}
    }}""")
    x = np.arange(5, dtype=np.float32)
    for call in range(50):
        (got,) = executable(x, np.array(call % 6, np.int32))
        np.testing.assert_array_equal(got, x[: call % 6])


def test_padding_that_would_poison_sums() -> None:
    """NaN behind the last element that counts."""
    text = f"""
    func.func @main(%x: tensor<5x4xf32>, %n: tensor<i32>, %y: tensor<4x5xf32>) -> ({bounded("4x4")}, {bounded("4")}) {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %a = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5x4xf32>, tensor<i32>) -> {X}
      %b = stablehlo.set_dimension_size %y, %n, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> {Y}
      %p = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : ({Y}, {X}) -> {bounded("4x4")}
      %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : ({X}, {S}) -> {bounded("4")}
      return %p, %s : {bounded("4x4")}, {bounded("4")}
    }}"""
    x, y = np.ones((5, 4), np.float32), np.ones((4, 5), np.float32)
    x[3:], y[:, 3:] = np.nan, np.inf
    for pipeline in PIPELINES:
        products, sums = compile(text, pipeline=pipeline)(x, np.int32(3), y)
        np.testing.assert_array_equal(products, np.full((4, 4), 3))
        np.testing.assert_array_equal(sums, np.full(4, 3))


CONTROL_FLOW = f"""
func.func @main(%x: {V}, %n: tensor<i32>, %p: tensor<i1>) -> ({V}, {V}, {V}, tensor<i32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %all = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, {V}
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %size = stablehlo.get_dimension_size %v, dim = 0 : ({V}) -> tensor<i32>
    %less = stablehlo.subtract %size, %one : tensor<i32>
    %r = stablehlo.reverse %v, dims = [0] : {V}
    %m = stablehlo.maximum %less, %zero : tensor<i32>
    %s = stablehlo.set_dimension_size %r, %m, dim = 0 : ({V}, tensor<i32>) -> {V}
    stablehlo.return %j, %s : tensor<i32>, {V}
  }}
  %d = "stablehlo.if"(%p) ({{
    stablehlo.return %x : {V}
  }}, {{
    %two = stablehlo.constant dense<2> : tensor<i32>
    %s = stablehlo.set_dimension_size %all, %two, dim = 0 : (tensor<5xf32>, tensor<i32>) -> {V}
    stablehlo.return %s : {V}
  }}) : (tensor<i1>) -> {V}
  %e:2 = "stablehlo.case"(%n) ({{
    %size = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
    stablehlo.return %x, %size : {V}, tensor<i32>
  }}, {{
    %f = func.call @double(%x) : ({V}) -> {V}
    stablehlo.return %f, %n : {V}, tensor<i32>
  }}) : (tensor<i32>) -> ({V}, tensor<i32>)
  return %w#1, %d, %e#0, %e#1 : {V}, {V}, {V}, tensor<i32>
}}
func.func private @double(%x: {V}) -> {V} {{
  %0 = stablehlo.add %x, %x : {V}
  return %0 : {V}
}}
"""


@pytest.mark.parametrize("inline", [True, False])
def test_control_flow(inline: bool) -> None:
    """With calls inlined, and with functions of bounded arguments."""
    pipeline = "xla-cpu" if inline else "stablehlo-expand-bounded-dynamism,xla-cpu"
    module = parse_module(CONTROL_FLOW)
    executable = compile(CONTROL_FLOW, pipeline=pipeline)
    for size, n, p in product(SIZES, (0, 1, 2), (False, True)):
        arguments = [np.arange(size, dtype=np.float32), np.int32(n), np.bool_(p)]
        expected = run(module, "main", [np.asarray(a) for a in arguments])
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_tuples_are_taken_apart() -> None:
    agree(
        f"""
        func.func @main(%x: {V}, %y: {S}) -> ({V}, {S}) {{
          %t = stablehlo.tuple %x, %y : tuple<{V}, {S}>
          %0 = stablehlo.get_tuple_element %t[0] : (tuple<{V}, {S}>) -> {V}
          %1 = stablehlo.get_tuple_element %t[1] : (tuple<{V}, {S}>) -> {S}
          return %0, %1 : {V}, {S}
        }}""",
        [(3, 0, 0)],
    )


def slices(op: str, indices: str, type: str) -> str:
    return f"""
    func.func @main(%x: {X}, %i: {indices}) -> {type} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r = {op}
      return %r : {type}
    }}"""


@pytest.mark.parametrize("start", [-5, 0, 1, 4, 100])
def test_indices_stay_within_what_counts(start: int) -> None:
    row, rows = "tensor<1x4xf32>", "tensor<2x4xf32>"
    numbers = (
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1],"
        " index_vector_dim = 1>"
    )
    texts = [
        slices(
            f"stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : ({X}, tensor<i32>, tensor<i32>) -> {row}",
            "tensor<i32>",
            row,
        ),
        slices(
            f'"stablehlo.gather"(%x, %i) <{{dimension_numbers = {numbers}, slice_sizes = array<i64: 1, 4>}}> :'
            f" ({X}, tensor<2x2xi32>) -> {rows}",
            "tensor<2x2xi32>",
            rows,
        ),
    ]
    for text in texts:
        module = parse_module(text)
        for pipeline in PIPELINES:
            executable = compile(text, pipeline=pipeline)
            for size in (1, 3, 5):
                x = np.arange(4 * size, dtype=np.float32).reshape(size, 4)
                index = np.int32(start) if "2x2" not in text else np.array([[start, 0], [1, 1]], np.int32)
                (expected,) = run(module, "main", [x, np.asarray(index)])
                np.testing.assert_array_equal(executable(x, index)[0], cast(Array, expected))


SHAPES = {
    "reshape": (
        (Y, "tensor<2xi32>"),
        f"stablehlo.dynamic_reshape %a0, %a1 : ({Y}, tensor<2xi32>) -> {bounded('<5x<4')}",
        bounded("<5x<4"),
        lambda n: np.array([n, 4], np.int32),
    ),
    "iota": (
        (Y, "tensor<2xi32>"),
        f"stablehlo.dynamic_iota %a1, dim = 0 : (tensor<2xi32>) -> {bounded('<5x<4')}",
        bounded("<5x<4"),
        lambda n: np.array([n, 4], np.int32),
    ),
    "broadcast": (
        (V, "tensor<2xi64>"),
        f"stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = [1] : ({V}, tensor<2xi64>) -> {bounded('<3x<5')}",
        bounded("<3x<5"),
        lambda n: np.array([2, n], np.int64),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_are_arguments(name: str) -> None:
    inputs, op, result, shape = SHAPES[name]
    text = program(inputs, op, result)
    module = parse_module(text)
    executable = compile(text)
    for size in SIZES:
        x = np.arange(4 * size, dtype=np.float32).reshape(4, size) if inputs[0] == Y else np.ones(size, np.float32)
        arguments = [x, shape(size)]
        (expected,) = run(module, "main", arguments)
        np.testing.assert_array_equal(executable(*arguments)[0], cast(Array, expected))


def test_slices_and_padding_by_amounts_that_are_arguments() -> None:
    vector = "tensor<1xi32>"
    text = f"""
    func.func @main(%x: {V}, %a: {vector}, %b: {vector}, %c: {vector}, %z: {S}) -> ({V}, {bounded("<16")}) {{
      %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : ({V}, {vector}, {vector}, {vector}) -> {V}
      %1 = stablehlo.dynamic_pad %x, %z, %a, %c, %c : ({V}, {S}, {vector}, {vector}, {vector}) -> {bounded("<16")}
      return %0, %1 : {V}, {bounded("<16")}
    }}"""
    module = parse_module(text)
    executable = compile(text)
    for size, start, limit, stride in ((5, 1, 4, 1), (5, 0, 5, 2), (3, 3, 3, 1), (4, 1, 4, 2)):
        bounds = [np.array([n], np.int32) for n in (start, limit, stride)]
        arguments = [np.arange(1, size + 1, dtype=np.float32), *bounds, np.float32(-1)]
        expected = run(module, "main", [np.asarray(a) for a in arguments])
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_quantised_elements() -> None:
    type, scalar = bounded("<5", "!quant.uniform<i8:f32, 0.5:3>"), "tensor<!quant.uniform<i8:f32, 0.5:3>>"
    text = f"""
    func.func @main(%x: {type}, %z: {scalar}) -> ({type}, {scalar}) {{
      %0 = stablehlo.add %x, %x : {type}
      %1 = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({{
        {combine("maximum", scalar)}
      }}) : ({type}, {scalar}) -> {scalar}
      return %0, %1 : {type}, {scalar}
    }}"""
    module = parse_module(text)
    executable = compile(text)
    for size in SIZES:
        arguments = [np.arange(-60, -60 + size, dtype=np.int8), np.asarray(np.int8(-128))]
        expected = run(module, "main", arguments)
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_arguments_must_fit_their_bounds() -> None:
    executable = compile(program((X,), f"stablehlo.negate %a0 : {X}", X))
    assert str(executable) == "<Executable @main(a0: tensor<<=5x4xf32>) -> (result0: tensor<<=5x4xf32>)>"
    with pytest.raises(ArgumentError, match="expected tensor<<=5x4xf32>"):
        executable(np.zeros((6, 4), np.float32))
    with pytest.raises(ArgumentError, match="expected tensor<<=5x4xf32>"):
        executable(np.zeros((5, 3), np.float32))
    with pytest.raises(ArgumentError, match="takes 1 arguments"):
        executable()
    with pytest.raises(ArgumentError, match="f64"):
        executable(np.zeros((2, 4)))
    np.testing.assert_array_equal(executable([[1, 2, 3, 4]])[0], [[-1, -2, -3, -4]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            program((X,), f"stablehlo.custom_call @f(%a0) : ({X}) -> {X}", X),
            "'stablehlo.custom_call' op: no rule for dimensions of bounded size",
        ),
        (
            program(
                (bounded("2x5x3"), bounded("<3x3x2")),
                "stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}"
                " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :"
                f" ({bounded('2x5x3')}, {bounded('<3x3x2')}) -> {bounded('2x<5x2')}",
                bounded("2x<5x2"),
            ),
            "a kernel of bounded size",
        ),
        (
            program(
                ("tensor<1xi32>",),
                "stablehlo.dynamic_iota %a0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
                "tensor<?xf32>",
            ),
            "output_shape is not computed from shapes and constants alone",
        ),
    ],
)
def test_what_cannot_be_carried_is_an_error(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message) as caught:
        compile(text)
    assert "<text>:" in str(caught.value)


def test_a_bounded_size_does_not_make_others_known() -> None:
    text = f"""
    func.func @main(%x: {V}) -> tensor<?xf32> {{
      %n = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
      %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    with pytest.raises(XlaError, match="shapes must be static"):
        compile(text)


@pytest.mark.parametrize("sizes", [(2, 3), (1, 3), (3, 1)])
def test_operands_of_different_sizes(sizes: tuple[int, int]) -> None:
    """The reference says so, also of a size of 1; native code computes as many elements as the first operand has."""
    text = f"""
    func.func @main(%x: {V}, %y: {V}) -> {V} {{
      %0 = stablehlo.add %x, %y : {V}
      return %0 : {V}
    }}"""
    x, y = (np.arange(size, dtype=np.float32) + 1 for size in sizes)
    with pytest.raises(InvalidProgramError, match=r"operands of shapes .* do not fit each other"):
        run(parse_module(text), "main", [x, y])
    (native,) = compile(text)(x, y)
    assert native.shape == x.shape
    count = min(sizes)
    np.testing.assert_array_equal(native[:count], x[:count] + y[:count])


def test_products_of_different_sizes() -> None:
    text = f"""
    func.func @main(%x: {Y}, %y: {X}) -> {bounded("4x4")} {{
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({Y}, {X}) -> {bounded("4x4")}
      return %0 : {bounded("4x4")}
    }}"""
    with pytest.raises(InvalidProgramError, match=r"operands of shapes .4, 2., .3, 4. do not fit each other"):
        run(parse_module(text), "main", [np.ones((4, 2), np.float32), np.ones((3, 4), np.float32)])
