"""What becomes of subnormal numbers: the program's mode, in all its threads and nowhere else."""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, ProgramTimeoutError, XlaError
from xdsl_xla.runtime import float_control
from xdsl_xla.runtime.engine import NativeCode
from xdsl_xla.runtime.support_code import support_code

CONTROL = float_control.CONTROL
pytestmark = pytest.mark.skipif(CONTROL is None, reason="this CPU flushes no subnormal numbers")

_CODE = f"""
{float_control.DECLARATIONS}
define i64 @word() {{
{float_control.read("%word")}
  ret i64 %word
}}
define void @set(i64 %given) {{
{float_control.write("%given", "%word")}
  ret void
}}
"""

SMALL = np.float32(2.0**-127)
PRODUCT = """func.func @main(%x: tensor<Nxf32>, %y: tensor<Nxf32>) -> tensor<Nxf32> {
  %0 = stablehlo.multiply %x, %y : tensor<Nxf32>
  return %0 : tensor<Nxf32>
}"""
ENDLESS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%i = %x) : tensor<f32>
    cond {
      %1 = stablehlo.compare GE, %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.multiply %i, %i : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}"""


@pytest.fixture(scope="module")
def code() -> NativeCode:
    return support_code(_CODE, ("word", "set"))


class Word:
    """The control word of the calling thread."""

    def __init__(self, code: NativeCode) -> None:
        import ctypes

        self.get: Any = ctypes.CFUNCTYPE(ctypes.c_uint64)(code.address("word"))
        self.set: Any = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(code.address("set"))

    @property
    def flushes(self) -> bool:
        assert CONTROL is not None
        return self.get() & CONTROL.flush == CONTROL.flush

    def flush(self) -> None:
        assert CONTROL is not None
        self.set(self.get() | CONTROL.flush)


@pytest.fixture
def word(code: NativeCode) -> Generator[Word]:
    found = Word(code)
    before = found.get()
    assert not found.flushes
    yield found
    found.set(before)


def product(size: int = 8, **options: Any) -> xdsl_xla.Executable:
    return xdsl_xla.compile(PRODUCT.replace("N", str(size)), devices=None, cache=False, **options)


def result(executable: xdsl_xla.Executable, size: int = 8) -> np.ndarray:
    return executable(np.full(size, 2.0**-100, np.float32), np.full(size, 2.0**-27, np.float32))[0]


@pytest.mark.parametrize("opt_level", range(4))
@pytest.mark.parametrize(("mode", "expected"), [(None, 0), ("flush", 0), ("preserve", SMALL)])
def test_the_mode_of_a_program(mode: str | None, expected: float, opt_level: int, word: Word) -> None:
    executable = product(denormals=mode, opt_level=opt_level)
    for _ in range(12):  # by Python, and by machine code
        np.testing.assert_array_equal(result(executable), np.float32(expected))
        assert not word.flushes
    assert executable.denormals == (mode or "flush")


@pytest.mark.parametrize(("mode", "expected"), [("flush", 0), ("preserve", SMALL)])
def test_callers_that_flush_their_own(mode: str, expected: float, word: Word) -> None:
    executable = product(denormals=mode)
    word.flush()
    got = result(executable)
    assert word.flushes
    word.set(word.get() & ~CONTROL.flush)  # pyright: ignore[reportOptionalMemberAccess]
    np.testing.assert_array_equal(got.view(np.uint32), np.full(8, expected, np.float32).view(np.uint32))


@pytest.mark.parametrize(("mode", "expected"), [("flush", 0), ("preserve", SMALL)])
def test_all_threads_of_a_parallel_loop(mode: str, expected: float, word: Word) -> None:
    size = 1 << 20
    executable = product(size, threads=4, denormals=mode)
    for _ in range(3):
        np.testing.assert_array_equal(result(executable, size), np.float32(expected))
    assert not word.flushes


def test_threads_of_callers() -> None:
    flushing, preserving = product(denormals="flush"), product(denormals="preserve")
    found: list[tuple[float, float]] = []

    def call() -> None:
        for _ in range(100):
            found.append((result(flushing)[0], result(preserving)[0]))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {(0, SMALL)}


@pytest.mark.parametrize("fails", [False, True])
def test_custom_calls_run_as_the_caller_does(fails: bool, word: Word) -> None:
    seen: list[bool] = []
    inner = product(denormals="flush")

    @xdsl_xla.custom_call(f"denormals_{fails}")
    def target(x: np.ndarray) -> np.ndarray:  # pyright: ignore[reportUnusedFunction]
        seen.append(word.flushes)
        assert not result(inner).any()
        seen.append(word.flushes)
        if fails:
            raise RuntimeError("no")
        return x * np.float32(0.5)

    x = "tensor<2xf32>"
    text = f"""func.func @main(%x: {x}) -> {x} {{
      %0 = stablehlo.add %x, %x : {x}
      %1 = stablehlo.custom_call @denormals_{fails}(%0) : ({x}) -> {x}
      %2 = stablehlo.add %1, %1 : {x}
      return %2 : {x}
    }}"""
    executable = xdsl_xla.compile(text, cache=False)
    given = np.array([2.0**-126, -(2.0**-127)], np.float32)
    if fails:
        with pytest.raises(RuntimeError):
            executable(given)
    else:
        np.testing.assert_array_equal(executable(given)[0], [2.0**-125, 0])
    assert seen == [False, False]
    assert not word.flushes
    word.flush()
    seen.clear()
    try:
        executable(given)
    except RuntimeError:
        assert fails
    assert seen == [True, True]
    assert word.flushes


def test_runs_that_are_stopped(word: Word) -> None:
    executable = xdsl_xla.compile(ENDLESS, cache=False)
    with pytest.raises(ProgramTimeoutError):
        executable(np.float32(1), timeout=0.2)
    assert not word.flushes


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that send signals")
def test_handlers_of_signals_run_as_the_caller_does(word: Word) -> None:
    seen: list[bool] = []

    def handle(number: int, frame: Any) -> None:
        seen.append(word.flushes)
        raise KeyboardInterrupt

    executable = xdsl_xla.compile(ENDLESS, cache=False)
    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            executable(np.float32(1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [False]
    assert not word.flushes


def test_errors_of_programs(word: Word) -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %t = stablehlo.create_token : !stablehlo.token
      %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
      %1 = stablehlo.add %0#0, %x : tensor<f32>
      return %1 : tensor<f32>
    }"""
    executable = xdsl_xla.compile(text, cache=False)
    with pytest.raises(XlaError):
        executable(np.float32(1))
    assert not word.flushes


def test_devices(word: Word) -> None:
    text = """module @m attributes {mhlo.num_replicas = 2 : i32} {
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = "stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %1 : tensor<f32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
    }"""
    x = np.array([2.0**-127, 1.0], np.float32)
    for mode, expected in (("flush", [0, 2]), ("preserve", [2.0**-126, 2])):
        executable = xdsl_xla.compile(text, cache=False, denormals=mode)
        for ((got,),) in xdsl_xla.run_grid(executable, [[[x]], [[x]]]):
            np.testing.assert_array_equal(got, np.array(expected, np.float32))
    assert not word.flushes


def test_constants_are_what_the_program_would_compute() -> None:
    text = """func.func @main() -> (tensor<f32>, tensor<i32>) {
      %x = stablehlo.constant dense<2.0e-38> : tensor<f32>
      %y = stablehlo.constant dense<0.25> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<f32>
      %1 = stablehlo.bitcast_convert %0 : (tensor<f32>) -> tensor<i32>
      return %0, %1 : tensor<f32>, tensor<i32>
    }"""
    for mode in ("flush", "preserve"):
        for opt_level in range(4):
            value, bits = xdsl_xla.compile(text, cache=False, denormals=mode, opt_level=opt_level)()
            assert (value == 0) == (bits == 0) == (mode == "flush")


def test_saved_and_pickled_executables(tmp_path: Path) -> None:
    for mode, expected in (("flush", 0), ("preserve", SMALL)):
        executable = product(denormals=mode)
        executable.save(tmp_path / mode)
        for other in (xdsl_xla.load(tmp_path / mode), pickle.loads(pickle.dumps(executable))):
            assert other.denormals == mode
            np.testing.assert_array_equal(result(other), np.float32(expected))


def test_the_cache_knows_the_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("XDSL_XLA_CACHE", "1")
    for _ in range(2):
        for mode, expected in (("flush", 0), ("preserve", SMALL)):
            executable = xdsl_xla.compile(PRODUCT.replace("N", "8"), denormals=mode)
            np.testing.assert_array_equal(result(executable), np.float32(expected))


def test_unknown_modes_are_refused() -> None:
    with pytest.raises(ArgumentError, match="argument denormals: expected 'flush' or 'preserve', got 'ieee'"):
        product(denormals="ieee")


def test_a_program_on_its_way_down_keeps_its_mode() -> None:
    text = """module attributes {xrt.denormals = "flush"} {
      func.func @main(%x: tensor<f32>) -> tensor<f32> attributes {xrt.interface = {
          type = (tensor<f32>) -> tensor<f32>, arguments = ["x"], results = ["y"]}} {
        return %x : tensor<f32>
      }
    }"""
    from xdsl_xla.pipelines import XLA_CPU

    rest = ",".join(step.spec for step in XLA_CPU if step.spec not in ("stablehlo-refuse-internals",))
    assert xdsl_xla.compile(text, pipeline=rest, cache=False).denormals == "flush"
    with pytest.raises(XlaError, match="has been compiled for denormals=flush, not for denormals=preserve"):
        xdsl_xla.compile(text, pipeline=rest, cache=False, denormals="preserve")


def test_what_the_compiler_removes() -> None:
    """A product with one is its operand, as it is."""
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    x = np.array([SMALL, -SMALL], np.float32)
    np.testing.assert_array_equal(xdsl_xla.compile(text, cache=False)(x)[0], x)


@pytest.mark.parametrize(("mode", "flushes"), [("flush", True), ("preserve", False)])
def test_products_of_bf16(mode: str, flushes: bool) -> None:
    """Some CPUs multiply them by instructions that flush in any mode."""
    text = """func.func @main(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>) -> tensor<64x64xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }"""
    bf16 = np.dtype(ml_dtypes.bfloat16)
    x, y = np.full((64, 64), 2.0**-130).astype(bf16), np.full((64, 64), 2.0).astype(bf16)
    got = xdsl_xla.compile(text, cache=False, denormals=mode)(x, y)[0]
    np.testing.assert_array_equal(got, np.float32(0 if flushes else 2.0**-123))
