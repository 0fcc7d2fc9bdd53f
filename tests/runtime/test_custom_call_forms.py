"""Custom calls in all their forms: versions of the C interface, tuples, tokens, aliases, computations."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, UnsupportedError, XlaError
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.c_targets import Status
from xdsl_xla.reference.values import TOKEN
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]

POINTERS = ctypes.POINTER(ctypes.c_void_p)
FLOATS = ctypes.POINTER(ctypes.c_float)


def both_engines(text: str, *arguments: Any) -> list[tuple[Any, ...]]:
    results = [xdsl_xla.compile(text, verify=True, pipeline=p)(*arguments) for p in ("xla-cpu", "xla-cpu-O0")]
    return [*results, interpreter.run(parse_module(text), "main", arguments)]


def one_call(attributes: str) -> str:
    return f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = stablehlo.custom_call @target(%x) {{{attributes}}} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}"""


def floats(pointer: Any) -> Any:
    return ctypes.cast(pointer, FLOATS)


def set_failure(status: Any, message: bytes) -> None:
    ctypes.cast(status, ctypes.POINTER(Status)).contents.set_failure(status, message, len(message))


def refusing_negatives(status: Any, out: Any, operands: Any) -> None:
    x, result = floats(operands[0]), floats(out)
    for i in range(2):
        result[i] = x[i] * 2
    if x[0] < 0:
        set_failure(status, b"negative")


@pytest.mark.parametrize("version", [2, 3])
def test_status(version: int) -> None:
    """A failure is an error of the program; the next run starts anew."""
    seen: list[bytes] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS, ctypes.c_void_p)
    def with_status(out: Any, operands: Any, status: Any) -> None:
        refusing_negatives(status, out, operands)

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    def with_opaque(out: Any, operands: Any, opaque: Any, length: int, status: Any) -> None:
        seen.append(ctypes.string_at(opaque, length))
        refusing_negatives(status, out, operands)

    xdsl_xla.custom_call("target", with_status if version == 2 else with_opaque)
    text = one_call(f'api_version = {version} : i32, backend_config = "a\\00b"')
    good, bad = np.array([1, 2], np.float32), np.array([-1, 2], np.float32)
    exe = xdsl_xla.compile(text)
    engines: list[Callable[[Array], Any]] = [exe, lambda x: interpreter.run(parse_module(text), "main", [x])]
    for call in engines:
        assert call(good)[0].tolist() == [2, 4]
        with pytest.raises(XlaError, match="custom call target @target failed: negative"):
            call(bad)
        assert call(good)[0].tolist() == [2, 4]
    assert set(seen) == ({b"a\0b"} if version == 3 else set())


def test_typed_interface_of_c_functions_is_an_error() -> None:
    xdsl_xla.custom_call("target", 1)
    with pytest.raises(UnsupportedError, match=r"<text>:2:.*target @target is a C function, which api_version 4"):
        xdsl_xla.compile(one_call("api_version = 4 : i32"))


def test_c_functions_see_layouts_also_with_status() -> None:
    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS, ctypes.c_void_p)
    def copy(out: Any, operands: Any, status: Any) -> None:
        ctypes.memmove(out, operands[0], 24)

    xdsl_xla.custom_call("target", copy)
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %0 = stablehlo.custom_call @target(%x) {api_version = 2 : i32,
        operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
        : (tensor<2x3xf32>) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }"""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for (result,) in both_engines(text, x):
        np.testing.assert_array_equal(result, x.T)


TUPLES = """func.func @main(%t: !stablehlo.token, %x: tensor<2xf32>, %y: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, !stablehlo.token) {
  %p = stablehlo.tuple %x, %y : tuple<tensor<2xf32>, tensor<2xf32>>
  %r = stablehlo.custom_call @target(%p, %t, %x)
    : (tuple<tensor<2xf32>, tensor<2xf32>>, !stablehlo.token, tensor<2xf32>)
    -> tuple<tensor<2xf32>, tuple<tensor<2xf32>, !stablehlo.token>>
  %0 = stablehlo.get_tuple_element %r[0]
    : (tuple<tensor<2xf32>, tuple<tensor<2xf32>, !stablehlo.token>>) -> tensor<2xf32>
  %q = stablehlo.get_tuple_element %r[1]
    : (tuple<tensor<2xf32>, tuple<tensor<2xf32>, !stablehlo.token>>) -> tuple<tensor<2xf32>, !stablehlo.token>
  %1 = stablehlo.get_tuple_element %q[0] : (tuple<tensor<2xf32>, !stablehlo.token>) -> tensor<2xf32>
  %2 = stablehlo.get_tuple_element %q[1] : (tuple<tensor<2xf32>, !stablehlo.token>) -> !stablehlo.token
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, !stablehlo.token
}"""


def test_tuples_and_tokens_of_a_python_function() -> None:
    """Tuples are tuples, tokens are left out."""

    @xdsl_xla.custom_call("target")
    def target(pair: tuple[Array, Array], x: Array) -> tuple[Array, tuple[Array]]:
        return pair[0] - pair[1], (x * 10,)

    x, y = np.array([5, 6], np.float32), np.array([1, 2], np.float32)
    for run in (
        lambda: xdsl_xla.compile(TUPLES, verify=True)(TOKEN, x, y),
        lambda: xdsl_xla.compile(TUPLES, pipeline="xla-cpu-O0")(TOKEN, x, y),
    ):
        first, second, token = run()
        assert first.tolist() == [4, 4] and second.tolist() == [50, 60] and token is TOKEN


def test_tuples_and_tokens_of_a_c_function() -> None:
    """The pointers are those to what is in tuples, nested ones too; a token has a null pointer."""

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS)
    def target(out: Any, operands: Any) -> None:
        x, y, token, z = (operands[i] for i in range(4))
        results = ctypes.cast(out, POINTERS)
        first, second = floats(results[0]), floats(results[1])
        for i in range(2):
            first[i] = floats(x)[i] - floats(y)[i]
            second[i] = floats(z)[i] * 10 + (token is not None) + (results[2] is not None)

    xdsl_xla.custom_call("target", target)
    x, y = np.array([5, 6], np.float32), np.array([1, 2], np.float32)
    for first, second, token in both_engines(TUPLES, TOKEN, x, y):
        assert first.tolist() == [4, 4] and second.tolist() == [50, 60] and token is TOKEN


def test_no_results() -> None:
    calls: list[float] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS)
    def target(out: Any, operands: Any) -> None:
        calls.append(floats(operands[0])[0])

    xdsl_xla.custom_call("target", target)
    text = """func.func @main(%x: tensor<f32>, %t: !stablehlo.token) -> !stablehlo.token {
      %0 = stablehlo.custom_call @target(%x, %t) {has_side_effect = true}
        : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
      stablehlo.custom_call @target(%x) {has_side_effect = true} : (tensor<f32>) -> ()
      stablehlo.custom_call @target(%x) {has_side_effect = true} : (tensor<f32>) -> tuple<>
      return %0 : !stablehlo.token
    }"""
    for (token,) in both_engines(text, np.array(3, np.float32), TOKEN):
        assert token is TOKEN
    assert calls == [3.0] * 9


def test_aliases() -> None:
    """The result lies where the operand does: a function that adds to what is there works; the operand stays."""
    addresses: list[bool] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS)
    def increment(out: Any, operands: Any) -> None:
        addresses.append(out == operands[0])
        floats(out)[0] += 1

    xdsl_xla.custom_call("target", increment)
    alias = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
    x = np.array([1, 2], np.float32)
    for (result,) in both_engines(one_call(f"output_operand_aliases = [{alias}]"), x):
        assert result.tolist() == [2, 2]
    assert x.tolist() == [1, 2]
    assert addresses == [True] * 3


COMPUTATIONS = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @target(%x) {called_computations = [@double, @twice]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @double(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""


def test_computations_are_callables() -> None:
    @xdsl_xla.custom_call("target")
    def target(x: Array, *, called_computations: list[Callable[..., Any]]) -> Array:
        double, twice = called_computations
        (a,) = double(x)
        b, c = twice(x)
        np.testing.assert_array_equal(a, b)
        return c

    x = np.arange(4, dtype=np.float32)
    for (result,) in both_engines(COMPUTATIONS, x):
        np.testing.assert_array_equal(result, 4 * x)


def test_computations_of_c_functions_are_an_error() -> None:
    xdsl_xla.custom_call("target", 1)
    with pytest.raises(UnsupportedError, match=r"<text>:3:.*is a C function, which cannot take computations"):
        xdsl_xla.compile(COMPUTATIONS)


def test_approximate_top_k() -> None:
    text = """
    func.func @main(%x: tensor<6xf32>, %i: tensor<6xi32>, %a: tensor<f32>, %b: tensor<i32>)
        -> (tensor<2xf32>, tensor<2xi32>) {
      %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %a, %b) {called_computations = [@greater],
        mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64, recall_target = 0.95 : f32,
          aggregate_to_topk = true, reduction_input_size_override = -1 : i64, is_fallback = true}}
        : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
    }
    func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
      %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }"""
    x = np.array([3, 1, 4, 1, 5, 9], np.float32)
    for values, indices in both_engines(text, x, np.arange(6, dtype=np.int32), np.float32(0), np.int32(0)):
        assert values.tolist() == [9, 5] and indices.tolist() == [5, 4]


@pytest.mark.parametrize(
    "name", ["Sharding", "annotate_device_placement", "LayoutConstraint", "xla.sdy.PropagationBarrier", "MoveToHost"]
)
def test_annotations(name: str) -> None:
    text = one_call("has_side_effect = true").replace("@target", f"@{name}")
    x = np.array([1, 2], np.float32)
    for (result,) in both_engines(text, x):
        np.testing.assert_array_equal(result, x)


def test_annotations_without_results_and_buffers() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      stablehlo.custom_call @xla.sdy.ShardingGroup(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()
      %0 = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    for (result,) in both_engines(text, np.ones(2, np.float32)):
        assert result.tolist() == [0, 0]


def test_functions_in_python_are_no_addresses() -> None:
    with pytest.raises(
        ArgumentError, match="target 'target': expected an address or a function of ctypes, got <built-in"
    ):
        xdsl_xla.custom_call("target", len)


def test_reserved_names() -> None:
    for name in ("xrt.members", "stablehlo.infeed"):
        with pytest.raises(ArgumentError, match="are taken"):
            xdsl_xla.custom_call(name)
    with pytest.raises(UnsupportedError) as info:
        xdsl_xla.compile(one_call("").replace("@target", "@missing"))
    assert "xrt." not in str(info.value)
