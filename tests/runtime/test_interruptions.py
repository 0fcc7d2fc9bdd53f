"""Which exceptions are those of signal handlers."""

from __future__ import annotations

import enum
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl_xla.errors import XlaError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.interruptions import is_interruption, none_missed, raise_missed, unwrapped
from xdsl_xla.runtime import pass_manager

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


class AlarmError(ValueError):
    """What the handlers here raise."""


def function(*_: Any) -> None:
    raise AlarmError


class Handler:
    def __call__(self, *_: Any) -> None:
        raise AlarmError

    def method(self, *_: Any) -> None:
        raise AlarmError


@pytest.fixture(params=[function, Handler(), Handler().method, partial(Handler().method, 1), partial(Handler(), 1)])
def handler(request: pytest.FixtureRequest) -> Iterator[Any]:
    before = signal.signal(signal.SIGUSR1, request.param)
    yield request.param
    signal.signal(signal.SIGUSR1, before)


def alarm() -> None:
    """The handler runs in the midst of what calls this."""
    os.kill(os.getpid(), signal.SIGUSR1)


class Color(enum.Enum):
    RED = 1


def test_errors_of_programs_are_none() -> None:
    for raising in (lambda: Color(7), lambda: int("x"), lambda: xdsl_xla.compile("?")):
        with pytest.raises((ValueError, XlaError)) as info:
            raising()
        assert not is_interruption(info.value)


class InterruptedPass(ModulePass):
    name = "interrupted"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        alarm()


class Interrupting:
    """An argument."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        alarm()
        return np.zeros(2, np.float32)


def call() -> None:
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    xdsl_xla.compile(text)(Interrupting())


def run_pass() -> None:
    pass_manager.run_passes(Context(), ModuleOp([]), [InterruptedPass()])


def shape() -> None:
    xla.Shape.of(Interrupting())


@pytest.mark.parametrize("interrupted", [run_pass, call, shape])
@pytest.mark.usefixtures("handler")
def test_they_come_as_they_are(interrupted: Callable[[], None]) -> None:
    with pytest.raises(AlarmError) as info:
        interrupted()
    assert is_interruption(info.value)


@pytest.mark.usefixtures("handler")
def test_what_libraries_make_of_them_is_undone() -> None:
    with pytest.raises(AlarmError), unwrapped():
        try:
            alarm()
        except ValueError:
            raise XlaError("not a number") from None
    with pytest.raises(XlaError, match="not a number"), unwrapped():
        raise XlaError("not a number")


class Destroyed:
    """An object whose destructor is interrupted."""

    def __init__(self, interrupt: Callable[[], None] = alarm) -> None:
        self.interrupt = interrupt

    def __del__(self) -> None:
        self.interrupt()


class DestroyingPass(ModulePass):
    name = "destroying"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Destroyed()


class UnreachedPass(ModulePass):
    name = "unreached"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise AssertionError


IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


@pytest.mark.usefixtures("handler")
def test_in_destructors_they_are_not_missed() -> None:
    with pytest.raises(AlarmError):
        xdsl_xla.compile(IDENTITY, passes=[DestroyingPass, UnreachedPass], pipeline="destroying,unreached,xla-cpu")
    before = sys.unraisablehook
    with pytest.raises(AlarmError), none_missed():
        Destroyed()
        with pytest.raises(AlarmError):
            raise_missed()
        raise_missed()
        Destroyed()
    assert sys.unraisablehook is before


def test_ctrl_c_in_a_destructor_is_not_missed() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), none_missed():
            Destroyed(lambda: signal.raise_signal(signal.SIGINT))
            raise XlaError("the interruption comes first")
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_errors_of_destructors_are_reported_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[type[BaseException]] = []

    def report(unraisable: sys.UnraisableHookArgs) -> None:
        reported.append(unraisable.exc_type)

    def fail() -> None:
        raise IndexError

    monkeypatch.setattr(sys, "unraisablehook", report)
    with none_missed():
        Destroyed(fail)
    assert reported == [IndexError]
