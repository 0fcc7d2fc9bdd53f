"""What targets of custom calls may not do: write operands, return other values, be no functions; and what calls of them
may not say."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError, XlaError
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.c_targets import Status
from xdsl_xla.reference.custom_calls import TARGETS
from xdsl_xla.runtime.mlir_text import parse_module

X = "tensor<2xf32>"
POINTERS = ctypes.POINTER(ctypes.c_void_p)


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    before = dict(TARGETS)
    yield
    TARGETS.clear()
    TARGETS.update(before)


def native(text: str, *arguments: Any) -> tuple[Any, ...]:
    return xdsl_xla.compile(text)(*arguments)


def interpreted(text: str, *arguments: Any) -> tuple[Any, ...]:
    return interpreter.run(parse_module(text), "main", arguments)


both_engines = pytest.mark.parametrize("run", [native, interpreted])
Run = Callable[..., tuple[Any, ...]]


def call_twice(attributes: str = "", result: str = X) -> str:
    attributes = ", ".join(filter(None, ["has_side_effect = true", attributes]))
    return f"""func.func @main(%x: {X}) -> ({result}, {result}, {X}) {{
      %0 = stablehlo.custom_call @target(%x) {{{attributes}}} : ({X}) -> {result}
      %1 = stablehlo.custom_call @target(%x) {{{attributes}}} : ({X}) -> {result}
      return %0, %1, %x : {result}, {result}, {X}
    }}"""


@both_engines
def test_results_are_copies(run: Run) -> None:
    total = np.zeros(2, np.float32)

    @xdsl_xla.custom_call("target")
    def accumulate(x: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        np.add(total, x, out=total)
        return total

    first, second, _ = run(call_twice(), np.array([1, 2], np.float32))
    assert first.tolist() == [1, 2]
    assert second.tolist() == [2, 4]


@both_engines
@pytest.mark.parametrize("is_tuple", [False, True])
def test_operands_are_read_only(run: Run, is_tuple: bool) -> None:
    @xdsl_xla.custom_call("target")
    def write(x: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        (x[0] if is_tuple else x)[0] = 7
        return x

    tuple_type = f"tuple<{X}>"
    text = f"""func.func @main(%x: {X}) -> {X} {{
      %t = stablehlo.tuple %x : {tuple_type}
      %0 = stablehlo.custom_call @target({"%t" if is_tuple else "%x"}) : ({tuple_type if is_tuple else X}) -> {X}
      return %0 : {X}
    }}"""
    x = np.array([1, 2], np.float32)
    with pytest.raises(ValueError, match="read-only"):
        run(text, x)
    assert x.tolist() == [1, 2]


@both_engines
@pytest.mark.parametrize("result", [X, f"tuple<tuple<{X}>>"])
@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.zeros(3, np.float32), r"is a float32 array of shape \[3\], expected float32 and \[2\]"),
        (1.0, r"is a float64 array of shape \[\], expected"),
        (np.ones(2, np.complex64), "is a complex64 array"),
        (np.zeros(2, object), "is a object array"),
        ("text", "is a str.* array"),
        ((), "returned 0 values, not 1"),
        ((np.zeros(2), np.zeros(2)), "returned 2 values, not 1"),
    ],
)
def test_wrong_results(run: Run, result: str, returned: Any, message: str) -> None:
    xdsl_xla.custom_call("target")(lambda x: returned)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with pytest.raises(ArgumentError, match=f"<text>:2:7: .*custom call target @target {message}"):
        run(call_twice(result=result), np.zeros(2, np.float32))


def failing(lines: Callable[[Any], None]) -> Any:
    """A function in C that does to its status what `lines` do."""

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS, ctypes.c_void_p)
    def target(out: Any, operands: Any, status: Any) -> None:
        ctypes.memmove(out, operands[0], 8)
        lines(ctypes.cast(status, ctypes.POINTER(Status)).contents)

    return target


@both_engines
@pytest.mark.parametrize("length", [5, 100, 2**64 - 1])
def test_a_message_ends_at_a_null_character(run: Run, length: int) -> None:
    """As in XLA: a length beyond it reads nothing that is not there."""
    xdsl_xla.custom_call("target", failing(lambda status: status.set_failure(ctypes.byref(status), b"out\0x", length)))
    with pytest.raises(XlaError, match=r"@target failed: out(\nin custom call target @target)?$"):
        run(call_twice("api_version = 2 : i32"), np.zeros(2, np.float32))


@both_engines
def test_success_takes_a_failure_back(run: Run) -> None:
    def lines(status: Any) -> None:
        status.set_failure(ctypes.byref(status), b"negative", 8)
        status.set_success(ctypes.byref(status))

    xdsl_xla.custom_call("target", failing(lines))
    first, _, _ = run(call_twice("api_version = 2 : i32"), np.array([1, 2], np.float32))
    assert first.tolist() == [1, 2]


@both_engines
@pytest.mark.parametrize("version", [-1, 0, 4, 5])
def test_versions_that_no_function_in_c_has(run: Run, version: int) -> None:
    xdsl_xla.custom_call("target", 1)
    with pytest.raises(UnsupportedError, match=f"@target is a C function, which api_version {version} does not call"):
        run(call_twice(f"api_version = {version} : i32"), np.zeros(2, np.float32))


@pytest.mark.parametrize("address", [0, -1, 2**64, True, 1.5, "x", b"x", [], ctypes.c_int(3), ctypes.c_void_p(None)])
def test_what_is_no_address(address: Any) -> None:
    with pytest.raises(ArgumentError, match="custom call target 'target'"):
        xdsl_xla.custom_call("target", address)
    assert "target" not in TARGETS


ALIAS = "#stablehlo.output_operand_alias<output_tuple_indices = {}, operand_index = {}, operand_tuple_indices = {}>"


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (f"output_operand_aliases = [{ALIAS.format([], 1, [])}]", "there is no such operand"),
        (f"output_operand_aliases = [{ALIAS.format([], -1, [])}]", "there is no such operand"),
        (f"output_operand_aliases = [{ALIAS.format([], 0, [0])}]", "there is no such operand"),
        (f"output_operand_aliases = [{ALIAS.format([0], 0, [])}]", "there is no such result"),
        ("output_operand_aliases = [1]", "expected an output_operand_alias, got 1"),
        ("called_computations = [1]", "expected the name of a function, got 1"),
        (
            "operand_layouts = [dense<0.0> : tensor<1xf32>], result_layouts = [dense<0> : tensor<1xindex>]",
            "expected a tensor of index type, got dense<0.0",
        ),
    ],
)
def test_what_a_call_may_not_say(attribute: str, message: str) -> None:
    with pytest.raises(InvalidProgramError, match=f"<text>:2:7: .*{message}"):
        xdsl_xla.compile(call_twice(attribute))


def test_an_alias_of_another_type() -> None:
    alias = f"output_operand_aliases = [{ALIAS.format([], 0, [])}]"
    with pytest.raises(InvalidProgramError, match="the operand is tensor<2xf32>, the result tensor<3xf32>"):
        xdsl_xla.compile(call_twice(alias, "tensor<3xf32>"))
