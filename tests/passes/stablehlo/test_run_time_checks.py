"""Shapes that are values and do not fit: native code raises the error that the reference raises."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from bounded_cases import PIPELINES
from xdsl_xla import compile
from xdsl_xla.errors import InvalidProgramError, XlaError
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]


def outcome(function: Callable[[], Any]) -> Any:
    """The result, or the class and text of the error."""
    try:
        return [np.asarray(result) for result in function()]
    except XlaError as error:
        return type(error), str(error)


def agree(text: str, *arguments: Array) -> Any:
    """What all engines give."""
    expected = outcome(lambda: run(parse_module(text), "main", arguments))
    for pipeline in PIPELINES:
        executable = compile(text, pipeline=pipeline)
        for _ in range(2):
            got = outcome(partial(executable, *arguments))
            if isinstance(expected, tuple):
                assert got == expected
            else:
                for a, b in zip(got, expected, strict=True):
                    np.testing.assert_array_equal(a, b)
    return cast(Any, expected)


def fails(text: str, message: str, *arguments: Array) -> None:
    kind, got = agree(text, *arguments)
    assert kind is InvalidProgramError
    assert message in got
    assert got.startswith("<text>:")


X = np.arange(6, dtype=np.int32)
RESULTS = {"static": "tensor<2x3xi32>", "bounded": "tensor<?x3xi32, #stablehlo.bounds<4, ?>>"}


@pytest.mark.parametrize("kind", RESULTS)
def test_reshape(kind: str) -> None:
    type = RESULTS[kind]
    text = f"""func.func @main(%x: tensor<6xi32>, %s: tensor<2xi64>) -> {type} {{
      %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xi32>, tensor<2xi64>) -> {type}
      return %0 : {type}
    }}"""
    agree(text, X, np.int64([2, 3]))
    fails(text, "6 elements do not fill output_shape (2, 2)", X, np.int64([2, 2]))
    fails(text, "6 elements do not fill output_shape (-2, -3)", X, np.int64([-2, -3]))
    fails(text, f"result 0 has shape 3x2, its type is {type}", X, np.int64([3, 2]))


@pytest.mark.parametrize("kind", RESULTS)
def test_broadcast(kind: str) -> None:
    type = RESULTS[kind]
    text = f"""func.func @main(%x: tensor<3xi32>, %s: tensor<2xui32>) -> {type} {{
      %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xi32>, tensor<2xui32>) -> {type}
      return %0 : {type}
    }}"""
    agree(text, X[:3], np.uint32([2, 3]))
    fails(text, "operand of shape (3,) does not fit output_dimensions (2, 4) along (1,)", X[:3], np.uint32([2, 4]))
    fails(text, f"result 0 has shape 5x3, its type is {type}", X[:3], np.uint32([5, 3]))


@pytest.mark.parametrize("kind", RESULTS)
def test_iota(kind: str) -> None:
    type = RESULTS[kind]
    text = f"""func.func @main(%s: tensor<2xi32>) -> {type} {{
      %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> {type}
      return %0 : {type}
    }}"""
    agree(text, np.int32([2, 3]))
    fails(text, "output_shape (-1, 3) is negative", np.int32([-1, 3]))
    fails(text, f"result 0 has shape 2x4, its type is {type}", np.int32([2, 4]))


def test_a_broadcast_that_no_memory_holds() -> None:
    vector, type = "tensor<2xi64>", "tensor<2x3xi32>"
    text = f"""func.func @main(%x: tensor<3xi32>, %s: {vector}) -> {type} {{
      %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xi32>, {vector}) -> {type}
      return %0 : {type}
    }}"""
    for size in (2**36, 2**62):
        fails(text, f"result 0 has shape {size}x3, its type is {type}", X[:3], np.int64([size, 3]))


SLICES = {"static": "tensor<2xi32>", "bounded": "tensor<?xi32, #stablehlo.bounds<3>>"}


@pytest.mark.parametrize("kind", SLICES)
def test_slice(kind: str) -> None:
    type, vector = SLICES[kind], "tensor<1xi64>"
    text = f"""func.func @main(%x: tensor<6xi32>, %a: {vector}, %b: {vector}) -> {type} {{
      %c = stablehlo.constant dense<1> : {vector}
      %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<6xi32>, {vector}, {vector}, {vector}) -> {type}
      return %0 : {type}
    }}"""
    agree(text, X, np.int64([4]), np.int64([6]))
    for start, limit in ((5, 7), (-1, 1), (4, 3), (2**62, 2**62 + 2)):
        rule = f"slice from ({start},) to ({limit},) in steps of (1,) of an operand of shape (6,)"
        fails(text, rule, X, np.int64([start]), np.int64([limit]))
    fails(text, f"result 0 has shape 4, its type is {type}", X, np.int64([1]), np.int64([5]))


def test_steps_of_a_slice() -> None:
    vector, type = "tensor<1xi32>", "tensor<?xi32, #stablehlo.bounds<6>>"
    text = f"""func.func @main(%x: tensor<6xi32>, %a: {vector}, %b: {vector}, %c: {vector}) -> {type} {{
      %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<6xi32>, {vector}, {vector}, {vector}) -> {type}
      return %0 : {type}
    }}"""
    for step in (2, 5, 7, 2**31 - 1):
        agree(text, X, np.int32([1]), np.int32([6]), np.int32([step]))
        agree(text, X, np.int32([3]), np.int32([3]), np.int32([step]))
    fails(text, "in steps of (0,)", X, np.int32([1]), np.int32([6]), np.int32([0]))


def test_pad() -> None:
    vector, type = "tensor<1xi64>", "tensor<?xi32, #stablehlo.bounds<9>>"
    text = f"""
    func.func @main(%x: tensor<6xi32>, %v: tensor<i32>, %a: {vector}, %b: {vector}, %c: {vector}) -> {type} {{
      %0 = stablehlo.dynamic_pad %x, %v, %a, %b, %c
          : (tensor<6xi32>, tensor<i32>, {vector}, {vector}, {vector}) -> {type}
      return %0 : {type}
    }}"""
    one, zero = np.int64([1]), np.int64([0])
    agree(text, X, np.int32(7), one, one, zero)
    fails(text, "interior_padding (-1,) is negative", X, np.int32(7), zero, zero, -one)
    fails(text, f"result 0 has shape 11, its type is {type}", X, np.int32(7), zero, zero, one)


def test_rng() -> None:
    text = """func.func @main(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<2xi64>) -> tensor<2x3xi32> {
      %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM
          : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
      return %0 : tensor<2x3xi32>
    }"""
    bounds = np.int32(5), np.int32(6)
    agree(text, *bounds, np.int64([2, 3]))
    fails(text, "result 0 has shape 3x2, its type is tensor<2x3xi32>", *bounds, np.int64([3, 2]))
    fails(text, f"result 0 has shape {2**40}x3", *bounds, np.int64([2**40, 3]))
    fails(text, "shape (-2, -3) is negative", *bounds, np.int64([-2, -3]))


def test_shapes_that_no_memory_holds() -> None:
    """The type excludes them, and nothing of their size is made."""
    iota = """func.func @main(%s: tensor<1xi64>) -> tensor<4xi32> {
      %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<4xi32>
      return %0 : tensor<4xi32>
    }"""
    fails(iota, f"result 0 has shape {2**50}, its type is tensor<4xi32>", np.int64([2**50]))
    vector, type = "tensor<1xi64>", "tensor<?xi32, #stablehlo.bounds<9>>"
    pad = f"""
    func.func @main(%x: tensor<6xi32>, %v: tensor<i32>, %a: {vector}, %b: {vector}, %c: {vector}) -> {type} {{
      %0 = stablehlo.dynamic_pad %x, %v, %a, %b, %c
          : (tensor<6xi32>, tensor<i32>, {vector}, {vector}, {vector}) -> {type}
      return %0 : {type}
    }}"""
    zero = np.int64([0])
    fails(pad, f"result 0 has shape {2**40 + 6}, its type is", X, np.int32(7), zero, np.int64([2**40]), zero)
    fails(pad, f"edge_padding_low must be at most 2^48, got ({2**62},)", X, np.int32(7), np.int64([2**62]), zero, zero)
    agree(pad, X, np.int32(7), zero, np.int64([-(2**40)]), zero)
    agree(pad, X, np.int32(7), np.int64([2**40]), np.int64([-(2**40)]), zero)
    agree(pad, X, np.int32(7), np.int64([-5 * 2**32]), np.int64([3]), np.int64([2**32 - 1]))


def test_steps_beyond_32_bits() -> None:
    vector, type = "tensor<1xui64>", "tensor<?xi32, #stablehlo.bounds<6>>"
    text = f"""func.func @main(%x: tensor<6xi32>, %a: {vector}, %b: {vector}, %c: {vector}) -> {type} {{
      %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<6xi32>, {vector}, {vector}, {vector}) -> {type}
      return %0 : {type}
    }}"""
    for step in (2**32, 2**63 - 1):
        agree(text, X, np.uint64([1]), np.uint64([6]), np.uint64([step]))
    beyond = np.uint64([2**64 - 1])
    for engine in (compile(text), lambda *arguments: run(parse_module(text), "main", arguments)):
        with pytest.raises(InvalidProgramError, match="slice from"):
            engine(X, beyond, beyond, np.uint64([1]))


B = "tensor<?xi32, #stablehlo.bounds<6>>"


@pytest.mark.parametrize(
    ("op", "result", "message"),
    [
        (f"stablehlo.slice %y [1:5] : ({B}) -> tensor<4xi32>", "tensor<4xi32>", "result 0 has shape 2, its type is"),
        (f"stablehlo.broadcast_in_dim %y, dims = [0] : ({B}) -> tensor<6xi32>", "tensor<6xi32>", "does not fit result"),
        (f"stablehlo.add %y, %y : ({B}, {B}) -> tensor<6xi32>", "tensor<6xi32>", "result 0 has shape 3, its type is"),
        (
            f"stablehlo.concatenate %y, %y, dim = 0 : ({B}, {B}) -> tensor<?xi32, #stablehlo.bounds<5>>",
            "tensor<?xi32, #stablehlo.bounds<5>>",
            "result 0 has shape 6, its type is",
        ),
    ],
)
def test_sizes_that_the_type_of_a_result_excludes(op: str, result: str, message: str) -> None:
    text = f"""func.func @main(%x: tensor<6xi32>, %n: tensor<i32>) -> {result} {{
      %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> {B}
      %0 = {op}
      return %0 : {result}
    }}"""
    fails(text, message, X, np.int32(3))


def test_in_a_loop_and_beside_other_work() -> None:
    """The loop ends, and the next call with a shape that fits works."""
    text = """func.func @main(%x: tensor<6xi32>, %s: tensor<2xi64>, %n: tensor<i32>) -> tensor<2x3xi32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %init = stablehlo.constant dense<0> : tensor<2x3xi32>
      %w:2 = stablehlo.while(%i = %zero, %v = %init) : tensor<i32>, tensor<2x3xi32>
      cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x3xi32>
        %u = stablehlo.add %v, %r : tensor<2x3xi32>
        stablehlo.return %j, %u : tensor<i32>, tensor<2x3xi32>
      }
      return %w#1 : tensor<2x3xi32>
    }"""
    agree(text, X, np.int64([2, 3]), np.int32(5))
    fails(text, "result 0 has shape 6x1", X, np.int64([6, 1]), np.int32(1000000))
    agree(text, X, np.int64([6, 1]), np.int32(0))


@pytest.mark.parametrize("config", ['{op = "x"}', '{rule = "{3} {", lengths = "1"}', '{rule = "{0}", lengths = "1,1"}'])
def test_a_call_of_the_target_from_outside(config: str) -> None:
    """Whatever it says, it is an error of the program."""
    call = f"""stablehlo.custom_call @shape_violation(%x) {{backend_config = {config}, api_version = 4 : i32,
        has_side_effect = true}} : (tensor<2xi64>) -> ()"""
    fails(
        f"func.func @main(%x: tensor<2xi64>) {{\n{call}\nreturn\n}}", "@shape_violation of 1 operands", np.int64([1, 2])
    )
