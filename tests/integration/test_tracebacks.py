"""An error that is the user's has one short traceback, from their line on."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import InternalError, XlaError
from xdsl_xla.tracebacks import DEBUG, short_tracebacks

anything: Any = xdsl_xla
IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
CALL = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @of_a_user(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def printed(function: Callable[[], Any]) -> str:
    """What Python prints for the error that a call raises."""
    with pytest.raises(Exception) as error:
        function()
    return "".join(traceback.format_exception(error.value))


def internal_frames(text: str) -> int:
    return sum("tests" not in line for line in text.splitlines() if line.startswith('  File "'))


WRONG: list[Callable[[], Any]] = [
    lambda: anything.compile(3),
    lambda: anything.compile(IDENTITY, threads=-1),
    lambda: anything.compile("func.func @main() { stablehlo.ad }"),
    lambda: anything.compile("func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\nreturn %x : tensor<2xf32> }"),
    lambda: anything.compile("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\nreturn %x : tensor<?xf32> }"),
    lambda: anything.compile(IDENTITY, pipeline="xla-cpuu"),
    lambda: anything.compile("no/such.mlir"),
    lambda: anything.compile(IDENTITY)(),
    lambda: anything.compile(IDENTITY)(np.ones(3, np.float32)),
    lambda: anything.compile(IDENTITY)(np.ones(2, np.float32), timeout="a"),
    lambda: anything.run_grid(anything.compile(IDENTITY), 3),
]


@pytest.mark.parametrize("function", WRONG)
def test_errors_of_users(function: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    text = printed(function)
    assert internal_frames(text) == 1 and "direct cause" not in text and "another exception" not in text
    monkeypatch.setenv(DEBUG, "1")
    assert internal_frames(printed(function)) > 1


def test_what_a_target_of_a_user_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    @xdsl_xla.custom_call("of_a_user")
    def of_a_user(x: np.ndarray) -> np.ndarray:
        return np.reshape(x, (3,))

    executable = xdsl_xla.compile(CALL)
    text = printed(lambda: executable(np.ones(2, np.float32)))
    assert "ValueError" in text and "in of_a_user" in text and "xdsl_xla/runtime/call_targets" not in text
    monkeypatch.setenv(DEBUG, "1")
    assert "runtime/call_targets" in printed(lambda: executable(np.ones(2, np.float32)))


def test_defects_of_this_package_show_where_they_are() -> None:
    @short_tracebacks
    def defective() -> None:
        xdsl_xla.errors.similar_names(3, [4])  # type: ignore[arg-type]

    assert "in similar_names" in printed(defective)
    assert not issubclass(InternalError, XlaError)


def test_causes_are_kept_for_those_who_ask() -> None:
    with pytest.raises(XlaError) as error:
        xdsl_xla.compile("func.func @main() { stablehlo.ad }")
    assert error.value.__cause__ is None and type(error.value.__context__).__name__ == "ParseError"


def test_code_without_lines() -> None:
    """A handler of a signal may raise at an instruction that no line stands for."""

    def handler() -> None:
        raise XlaError("on purpose")

    handler.__code__ = handler.__code__.replace(co_linetable=b"")
    kind: type[BaseException] | None = None
    try:
        short_tracebacks(handler)()
    except Exception as error:
        kind = type(error)
    assert kind is XlaError
