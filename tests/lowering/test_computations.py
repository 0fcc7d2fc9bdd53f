"""Computations of `map`, `reduce`, `sort` and the like that hold more than arithmetic, on both engines."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .stablehlo_harness import Array, assert_close

FUNCTIONS = """
func.func private @collatz(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%v = %n, %count = %zero) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare GT, %v, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %odd = stablehlo.remainder %v, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %next = "stablehlo.case"(%odd) ({
        %half = stablehlo.divide %v, %two : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }, {
        %triple = stablehlo.multiply %v, %three : tensor<i32>
        %up = stablehlo.add %triple, %one : tensor<i32>
        stablehlo.return %up : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %more_count = stablehlo.add %count, %one : tensor<i32>
      stablehlo.return %next, %more_count : tensor<i32>, tensor<i32>
    }
  return %r#1 : tensor<i32>
}
func.func private @norm(%z: tensor<complex<f32>>) -> tensor<f32> {
  %re = stablehlo.real %z : (tensor<complex<f32>>) -> tensor<f32>
  %im = stablehlo.imag %z : (tensor<complex<f32>>) -> tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %negative = stablehlo.compare LT, %re, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = "stablehlo.if"(%negative) ({
    %a = stablehlo.subtract %im, %re : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    %b = stablehlo.add %im, %re : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
"""


def check(body: str, arguments: str, results: str, *inputs: Array) -> None:
    text = f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}\n{FUNCTIONS}"
    expected = interpreter.run(parse_module(text, "computations"), "main", list(inputs))
    for pipeline in ("xla-cpu", "xla-cpu-O0"):
        assert_close(xdsl_xla.compile(text, pipeline=pipeline, threads=1)(*inputs), expected)


INTS = np.array([[27, 6, 1, 9], [3, 97, 12, 5]], np.int32)
MATRIX, SCALAR = "tensor<2x4xi32>", "tensor<i32>"


def test_map_of_a_function_with_a_loop() -> None:
    check(
        f"""%r = "stablehlo.map"(%x) <{{dimensions = array<i64: 0, 1>}}> ({{
        ^bb0(%a: {SCALAR}):
          %c = func.call @collatz(%a) : ({SCALAR}) -> {SCALAR}
          stablehlo.return %c : {SCALAR}
        }}) : ({MATRIX}) -> {MATRIX}
        return %r : {MATRIX}""",
        f"%x: {MATRIX}",
        MATRIX,
        INTS,
    )


def test_map_of_complex_numbers_with_a_branch() -> None:
    values = np.array([1 + 2j, -3 + 0.5j, 0j], np.complex64)
    check(
        """%r = "stablehlo.map"(%z) <{dimensions = array<i64: 0>}> ({
        ^bb0(%a: tensor<complex<f32>>):
          %c = func.call @norm(%a) : (tensor<complex<f32>>) -> tensor<f32>
          stablehlo.return %c : tensor<f32>
        }) : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
        return %r : tensor<3xf32>""",
        "%z: tensor<3xcomplex<f32>>",
        "tensor<3xf32>",
        values,
    )


def test_loop_that_carries_complex_and_narrow_values() -> None:
    values = np.array([1, 4, 0], np.int32)
    check(
        """%r:2 = "stablehlo.map"(%n) <{dimensions = array<i64: 0>}> ({
        ^bb0(%a: tensor<i32>):
          %c = func.call @turns(%a) : (tensor<i32>) -> tensor<f32>
          stablehlo.return %c : tensor<f32>
        }) : (tensor<3xi32>) -> tensor<3xf32>
        return %r : tensor<3xf32>
        }
        func.func private @turns(%n: tensor<i32>) -> tensor<f32> {
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %i = stablehlo.constant dense<(0.5, 1.0)> : tensor<complex<f32>>
          %z0 = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
          %e0 = stablehlo.constant dense<1.0> : tensor<f8E4M3FN>
          %r:3 = stablehlo.while(%k = %zero, %z = %z0, %e = %e0) : tensor<i32>, tensor<complex<f32>>, tensor<f8E4M3FN>
            cond {
              %more = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %more : tensor<i1>
            } do {
              %next = stablehlo.multiply %z, %i : tensor<complex<f32>>
              %sum = stablehlo.add %e, %e : tensor<f8E4M3FN>
              %k1 = stablehlo.add %k, %one : tensor<i32>
              stablehlo.return %k1, %next, %sum : tensor<i32>, tensor<complex<f32>>, tensor<f8E4M3FN>
            }
          %re = stablehlo.real %r#1 : (tensor<complex<f32>>) -> tensor<f32>
          %wide = stablehlo.convert %r#2 : (tensor<f8E4M3FN>) -> tensor<f32>
          %s = stablehlo.add %re, %wide : tensor<f32>
          return %s : tensor<f32>""".replace("%r:2", "%r", 1),
        "%n: tensor<3xi32>",
        "tensor<3xf32>",
        values,
    )


def test_values_from_outside() -> None:
    """A scalar, an element of one of several elements at an index of its own, and one at a fixed place."""
    table = np.array([10, 20, 30, 40, 50], np.int32)
    check(
        f"""%r = "stablehlo.map"(%x) <{{dimensions = array<i64: 0, 1>}}> ({{
        ^bb0(%a: {SCALAR}):
          %e = stablehlo.dynamic_slice %table, %a, sizes = [1] : (tensor<5xi32>, {SCALAR}) -> tensor<1xi32>
          %f = stablehlo.slice %table [1:2] : (tensor<5xi32>) -> tensor<1xi32>
          %g = stablehlo.add %e, %f : tensor<1xi32>
          %h = stablehlo.reshape %g : (tensor<1xi32>) -> {SCALAR}
          %i = stablehlo.add %h, %bias : {SCALAR}
          stablehlo.return %i : {SCALAR}
        }}) : ({MATRIX}) -> {MATRIX}
        return %r : {MATRIX}""",
        f"%x: {MATRIX}, %table: tensor<5xi32>, %bias: {SCALAR}",
        MATRIX,
        np.array([[0, 1, 2, 3], [4, 9, -7, 2]], np.int32),
        table,
        np.array(7, np.int32),
    )


GREATER_OF_PARTS = """
    %two = stablehlo.constant dense<2> : tensor<i32>
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%less) ({
      %gap = stablehlo.subtract %b, %a : tensor<i32>
      %c = func.call @collatz(%gap) : (tensor<i32>) -> tensor<i32>
      %t = stablehlo.maximum %b, %c : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }, {
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>"""
"""Not associative: every test below has windows and reductions of two elements, in one order."""


def test_reduce() -> None:
    check(
        f"""%r = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<5x1xi32>, {SCALAR}) -> tensor<5xi32>
          reducer(%a: {SCALAR}, %b: {SCALAR}) {{{GREATER_OF_PARTS}
          }}
        return %r : tensor<5xi32>""",
        f"%x: tensor<5x1xi32>, %i: {SCALAR}",
        "tensor<5xi32>",
        np.array([[27], [-4], [7], [3], [12]], np.int32),
        np.array(2, np.int32),
    )


def test_reduce_window() -> None:
    check(
        f"""%r = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 1>, padding = dense<[[1, 1]]>
          : tensor<1x2xi64>}}> ({{
        ^bb0(%a: {SCALAR}, %b: {SCALAR}):{GREATER_OF_PARTS}
        }}) : (tensor<5xi32>, {SCALAR}) -> tensor<7xi32>
        return %r : tensor<7xi32>""",
        f"%x: tensor<5xi32>, %i: {SCALAR}",
        "tensor<7xi32>",
        np.array([27, -4, 7, 3, 12], np.int32),
        np.array(2, np.int32),
    )


def test_scatter() -> None:
    check(
        f"""%r = "stablehlo.scatter"(%x, %at, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
        ^bb0(%a: {SCALAR}, %b: {SCALAR}):{GREATER_OF_PARTS}
        }}) : (tensor<5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<5xi32>
        return %r : tensor<5xi32>""",
        "%x: tensor<5xi32>, %at: tensor<4x1xi32>, %u: tensor<4xi32>",
        "tensor<5xi32>",
        np.array([2, 3, 4, 5, 6], np.int32),
        np.array([[1], [4], [1], [9]], np.int32),
        np.array([30, 12, 57, 1], np.int32),
    )


@pytest.mark.parametrize("size", [1, 2, 7])
def test_sort_by_the_value_of_a_function(size: int) -> None:
    rows = np.random.default_rng(0).integers(1, 40, (2, size)).astype(np.int32)
    type = f"tensor<2x{size}xi32>"
    check(
        f"""%i = stablehlo.iota dim = 1 : {type}
        %r:2 = "stablehlo.sort"(%x, %i) <{{dimension = 1, is_stable = true}}> ({{
        ^bb0(%a: {SCALAR}, %b: {SCALAR}, %c: {SCALAR}, %d: {SCALAR}):
          %e = func.call @collatz(%a) : ({SCALAR}) -> {SCALAR}
          %f = func.call @collatz(%b) : ({SCALAR}) -> {SCALAR}
          %less = stablehlo.compare LT, %e, %f : ({SCALAR}, {SCALAR}) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
        }}) : ({type}, {type}) -> ({type}, {type})
        return %r#0, %r#1 : {type}, {type}""",
        f"%x: {type}",
        f"{type}, {type}",
        rows,
    )


def test_select_and_scatter() -> None:
    check(
        f"""%r = "stablehlo.select_and_scatter"(%x, %s, %i) <{{window_dimensions = array<i64: 2, 2>, window_strides =
          array<i64: 1, 2>}}> ({{
        ^bb0(%a: {SCALAR}, %b: {SCALAR}):
          %e = func.call @collatz(%a) : ({SCALAR}) -> {SCALAR}
          %f = func.call @collatz(%b) : ({SCALAR}) -> {SCALAR}
          %less = stablehlo.compare GE, %e, %f : ({SCALAR}, {SCALAR}) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
        }}, {{
        ^bb0(%a: {SCALAR}, %b: {SCALAR}):{GREATER_OF_PARTS}
        }}) : ({MATRIX}, tensor<1x2xi32>, {SCALAR}) -> {MATRIX}
        return %r : {MATRIX}""",
        f"%x: {MATRIX}, %s: tensor<1x2xi32>, %i: {SCALAR}",
        MATRIX,
        INTS,
        np.array([[5, 70]], np.int32),
        np.array(3, np.int32),
    )


WIDER = [("i8", "i32", np.int8), ("ui8", "ui32", np.uint8), ("f16", "f32", np.float16), ("f32", "f64", np.float32)]
WIDER += [("i4", "i16", np.int8), ("f8E4M3FN", "f32", np.float32), ("bf16", "f32", np.float32)]


@pytest.mark.parametrize(("narrow", "wide", "dtype"), WIDER)
def test_bodies_wider_than_their_operands(narrow: str, wide: str, dtype: type) -> None:
    """Sums that would overflow, or lose digits, in the element type of the operands."""
    from xdsl_xla.runtime.mlir_types import DTYPES

    values = (np.arange(24).reshape(4, 6) * 0.25 + 1).astype(dtype) if narrow[0] in "bf" else np.full((4, 6), 7, dtype)
    operand, zero = values.astype(DTYPES[narrow]), np.zeros((), DTYPES[narrow])
    source = values[:2, :3].astype(DTYPES[narrow])
    n, w, narrow_scalar, wide_scalar = (
        f"tensor<4x6x{narrow}>",
        f"tensor<4x6x{wide}>",
        f"tensor<{narrow}>",
        f"tensor<{wide}>",
    )
    body = f"""^bb0(%a: {wide_scalar}, %b: {wide_scalar}):
          %sum = stablehlo.add %a, %b : {wide_scalar}
          stablehlo.return %sum : {wide_scalar}"""
    check(
        f"""%0 = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({{{body}
        }}) : ({n}, {narrow_scalar}) -> tensor<6x{wide}>
        %1 = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 2, 2>}}> ({{{body}
        }}) : ({n}, {narrow_scalar}) -> tensor<3x5x{wide}>
        %c = stablehlo.constant dense<0> : tensor<{narrow}>
        %2 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 1, 6>,
          padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>}}> ({{{body}
        }}) : ({n}, {narrow_scalar}) -> {w}
        %3 = "stablehlo.select_and_scatter"(%x, %s, %z) <{{window_dimensions = array<i64: 2, 2>, window_strides =
          array<i64: 2, 2>}}> ({{
        ^bb0(%a: {narrow_scalar}, %b: {narrow_scalar}):
          %ge = stablehlo.compare GE, %a, %b : ({narrow_scalar}, {narrow_scalar}) -> tensor<i1>
          stablehlo.return %ge : tensor<i1>
        }}, {{{body}
        }}) : ({n}, tensor<2x3x{narrow}>, {narrow_scalar}) -> {w}
        return %0, %1, %2, %3 : tensor<6x{wide}>, tensor<3x5x{wide}>, {w}, {w}""".replace(
            "dense<0> : tensor<f", "dense<0.0> : tensor<f"
        ).replace("dense<0> : tensor<b", "dense<0.0> : tensor<b"),
        f"%x: {n}, %s: tensor<2x3x{narrow}>, %z: {narrow_scalar}",
        f"tensor<6x{wide}>, tensor<3x5x{wide}>, {w}, {w}",
        operand,
        source,
        zero,
    )


def test_what_is_a_computation_on_scalars() -> None:
    """`stablehlo-expand-computations` leaves what the conversion to linalg takes, no more and no less."""
    from xdsl_xla.dialects import stablehlo
    from xdsl_xla.lowering.convert_stablehlo_to_linalg.elementwise import SCALAR_RULES
    from xdsl_xla.lowering.convert_stablehlo_to_linalg.regions import HANDLERS
    from xdsl_xla.passes.stablehlo.stablehlo_expand_computations import ON_SCALARS

    assert {stablehlo.ReturnOp, *SCALAR_RULES, *HANDLERS} == ON_SCALARS
