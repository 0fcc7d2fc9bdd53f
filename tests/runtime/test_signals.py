"""Programs are stopped by what handlers of signals raise and by timeouts, soon, and run again afterwards.

Each scenario is a process of its own, with an alarm that ends it if it is not stopped.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import xdsl_xla
from script_processes import run_script
from xdsl_xla.errors import ArgumentError, ProgramTimeoutError, XlaError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are stopped by POSIX's means")

COUNT = """
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %step = stablehlo.constant dense<2> : tensor<i64>
  %0 = stablehlo.while(%i = %zero) : tensor<i64>
   cond {
    %more = stablehlo.compare NE, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %step : tensor<i64>
    stablehlo.return %next : tensor<i64>
  }
  return %0 : tensor<i64>
}"""
"""Counts to the argument; for ever, if that is odd."""

PRELUDE = (
    f"COUNT = {COUNT!r}\n"
    + """
import os, signal, sys, threading, time
import numpy as np
import xdsl_xla

signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.alarm(80)

def series(size, rows=1):
    '''Sums of `size` terms each.'''
    return f'''
  func.func @main(%x: tensor<{rows}xf64>) -> tensor<{rows}xf64> {{
    %i = stablehlo.iota dim = 1 : tensor<{rows}x{size}xf64>
    %b = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<{rows}xf64>) -> tensor<{rows}x{size}xf64>
    %m = stablehlo.multiply %i, %b : tensor<{rows}x{size}xf64>
    %z = stablehlo.constant dense<0.0> : tensor<f64>
    %r = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<{rows}x{size}xf64>, tensor<f64>) -> tensor<{rows}xf64>
    return %r : tensor<{rows}xf64>
  }}'''

def scalar(value):
    return np.array(value)

def interrupt(call, expected=KeyboardInterrupt, number=signal.SIGINT, delay=0.3, within=3):
    '''What `call` raises when a signal comes after `delay` seconds.'''
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), number)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        call()
    except expected as error:
        assert sent, "raised before the signal"
        took = time.monotonic() - sent[0]
        assert took < within, f"stopped {took} s after the signal"
        return error
    raise AssertionError("not stopped")
"""
)


def run(code: str) -> None:
    errors = run_script(PRELUDE, code)
    assert "ignored" not in errors, errors


def test_loops_of_the_program() -> None:
    """Called from Python, then by machine code."""
    run("""
        count = xdsl_xla.compile(COUNT)
        for _ in range(3):
            interrupt(lambda: count(scalar(1)))
            for _ in range(6):
                assert count(scalar(20))[0] == 20
        assert count._call_natively.__name__ == "call"
        for _ in range(3):
            interrupt(lambda: count(scalar(1)))
            assert count._call_natively(scalar(20))[0] == 20
        print("DONE")
    """)


@pytest.mark.sample(2)
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("shape", ["10**13", "10**12, 3"])
def test_one_long_kernel(threads: int, shape: str) -> None:
    run(f"""
        long = xdsl_xla.compile(series({shape}), threads={threads})
        rows = long.signature.inputs[0].shape
        for _ in range(2):
            interrupt(lambda: long(np.ones(rows)))
        short = xdsl_xla.compile(series(10**6, rows[0]), threads={threads})
        assert np.allclose(short(np.ones(rows))[0], 10**6 * (10**6 - 1) / 2)
        print("DONE")
    """)


@pytest.mark.sample(1)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_product(threads: int) -> None:
    run(f"""
        n = 6000
        t = f"tensor<{{n}}x{{n}}xf64>"
        product = xdsl_xla.compile(f'''
          func.func @main(%x: {{t}}) -> {{t}} {{{{
            %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({{t}}, {{t}}) -> {{t}}
            return %0 : {{t}}
          }}}}''', threads={threads})
        x = np.ones((n, n))
        interrupt(lambda: product(x))
        print("DONE")
    """)


def test_a_row_of_kernels_without_a_loop() -> None:
    """Each takes some milliseconds, which is too short for a safepoint of its own."""
    run("""
        layers, size = 3000, 400_000
        t = f"tensor<{size}xf64>"
        body = "\\n".join(
            f"%s{i} = stablehlo.sine %{i} : {t}\\n%r{i} = stablehlo.reverse %s{i}, dims = [0] : {t}\\n"
            f"%{i + 1} = stablehlo.optimization_barrier %r{i} : {t}" for i in range(layers))
        program = xdsl_xla.compile(f"func.func @main(%0: {t}) -> {t} {{ {body} return %{layers} : {t} }}", opt_level=0)
        x = np.ones(size)
        interrupt(lambda: program(x), within=2)
        print("DONE")
    """)


def test_a_handler_that_returns_lets_the_program_go_on() -> None:
    run("""
        handled = []
        signal.signal(signal.SIGUSR1, lambda *_: handled.append(time.monotonic()))
        count = xdsl_xla.compile(COUNT)
        stop = threading.Event()

        def send():
            for _ in range(3):
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGUSR1)
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=send).start()
        start = time.monotonic()
        try:
            count(scalar(1))
        except KeyboardInterrupt:
            pass
        assert len(handled) == 3 and handled[0] - start < 0.5, handled
        print("DONE")
    """)


def test_what_a_handler_raises_is_raised_by_the_call() -> None:
    run("""
        class Enough(Exception):
            pass

        def handler(number, frame):
            raise Enough(number)

        signal.signal(signal.SIGUSR1, handler)
        count = xdsl_xla.compile(COUNT)
        error = interrupt(lambda: count(scalar(1)), Enough, signal.SIGUSR1)
        assert error.args == (signal.SIGUSR1,)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        start = time.monotonic()
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            count(scalar(1), timeout=1)
        except TimeoutError:
            assert time.monotonic() - start >= 1
        print("DONE")
    """)


def test_a_handler_may_call_programs() -> None:
    run("""
        count = xdsl_xla.compile(COUNT)
        for _ in range(10):
            count(scalar(4))
        results = []
        signal.signal(signal.SIGUSR1, lambda *_: results.append(int(count(scalar(8))[0])))
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        interrupt(lambda: count(scalar(1)), delay=0.6)
        assert results == [8]
        assert count(scalar(6))[0] == 6
        print("DONE")
    """)


def test_programs_of_other_threads_go_on() -> None:
    """As everything else in them."""
    run("""
        count = xdsl_xla.compile(COUNT)
        for _ in range(10):
            count(scalar(4))
        ended = []

        def other():
            try:
                count(scalar(1), timeout=2)
            except TimeoutError:
                ended.append(time.monotonic())

        thread = threading.Thread(target=other)
        start = time.monotonic()
        thread.start()
        interrupt(lambda: count(scalar(1)))
        thread.join()
        assert ended[0] - start >= 2
        print("DONE")
    """)


@pytest.mark.sample(1)
@pytest.mark.parametrize("call", ["", "%seen = stablehlo.custom_call @look(%i) : (tensor<i64>) -> tensor<i64>"])
def test_call_targets(call: str) -> None:
    """A signal that comes while a target runs, or just before it begins, is not lost."""
    run(f"""
        @xdsl_xla.custom_call("look")
        def look(i):
            return i

        text = '''
          func.func @main(%n: tensor<i64>) -> tensor<i64> {{
            %first = stablehlo.custom_call @look(%n) : (tensor<i64>) -> tensor<i64>
            %zero = stablehlo.constant dense<0> : tensor<i64>
            %step = stablehlo.constant dense<2> : tensor<i64>
            %0 = stablehlo.while(%i = %zero) : tensor<i64>
             cond {{
              %more = stablehlo.compare NE, %i, %first : (tensor<i64>, tensor<i64>) -> tensor<i1>
              stablehlo.return %more : tensor<i1>
            }} do {{
              {call or "%seen = stablehlo.negate %i : tensor<i64>"}
              %next = stablehlo.add %i, %step : tensor<i64>
              stablehlo.return %next : tensor<i64>
            }}
            return %0 : tensor<i64>
          }}'''
        program = xdsl_xla.compile(text)
        for number in range(10):
            interrupt(lambda: program(scalar(1)), delay=0.1 + number / 1000)
            assert program(scalar(8))[0] == 8
        try:
            program(scalar(1), timeout=0.2)
            raise AssertionError("not stopped")
        except TimeoutError:
            pass
        assert program(scalar(8))[0] == 8
        print("DONE")
    """)


def test_a_grid() -> None:
    run("""
        from xdsl_xla.runtime.grid import run_grid

        program = xdsl_xla.compile(COUNT, replicas=2)
        interrupt(lambda: run_grid(program, [[[scalar(1)]], [[scalar(1)]]]))
        assert [row[0][0] for row in run_grid(program, [[[scalar(4)]], [[scalar(6)]]])] == [4, 6]
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("process")]
        print("DONE")
    """)


def test_the_reference() -> None:
    run("""
        from xdsl_xla.reference.interpreter import Interpreter
        from xdsl_xla.runtime.mlir_text import parse_module

        module = parse_module(COUNT, "count.mlir")
        interrupt(lambda: Interpreter(module).call("main", [scalar(1)]))
        print("DONE")
    """)


def test_forked_processes() -> None:
    run("""
        count = xdsl_xla.compile(COUNT)
        for _ in range(10):
            count(scalar(4))

        def forking():
            child = os.fork()
            if not child:
                signal.alarm(30)
                interrupt(lambda: count(scalar(1)))
                os._exit(0)
            statuses.append(os.waitpid(child, 0)[1])

        statuses = []
        forking()
        thread = threading.Thread(target=forking)  # whose child has another main thread
        thread.start()
        thread.join()
        assert statuses == [0, 0], statuses
        print("DONE")
    """)


def test_a_timeout() -> None:
    count = xdsl_xla.compile(COUNT)
    assert count(np.array(10), timeout=60)[0] == 10
    for _ in range(2):
        with pytest.raises(ProgramTimeoutError, match=r"'@main' has not ended after 0.1 seconds") as caught:
            count(np.array(1), timeout=0.1)
        assert isinstance(caught.value, TimeoutError | XlaError)
        assert count(np.array(10))[0] == 10
    assert count(np.array(10), timeout=float("inf"))[0] == 10


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "1", True])
def test_a_timeout_that_is_none(timeout: object) -> None:
    count = xdsl_xla.compile(COUNT)
    with pytest.raises(ArgumentError, match="argument timeout: expected a positive number of seconds"):
        count(np.array(10), timeout=timeout)  # pyright: ignore[reportArgumentType]


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [[], ["--engine", "reference"]])
def test_xla_run(options: list[str], tmp_path: object) -> None:
    file = os.path.join(str(tmp_path), "count.mlir")
    with open(file, "w", encoding="utf-8") as stream:
        constant = "%n = stablehlo.constant dense<1> : tensor<i64>\n%zero ="
        stream.write(COUNT.replace("%n: tensor<i64>", "").replace("%zero =", constant, 1))
    process = subprocess.Popen(
        [sys.executable, "-m", "xdsl_xla.tools.xla_run", file, *options],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what runs in the background ignores it
    )
    try:
        process.wait(4)
    except subprocess.TimeoutExpired:
        process.send_signal(2)
    try:
        out, error = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, error) == (130, "", "interrupted\n")


def test_compilations() -> None:
    """What a handler raises arrives as it is, at whatever point of the compilation; all is imported before, as modules
    whose import is interrupted are Python's affair."""
    run("""
        class Alarm(Exception):
            pass

        class Handler:
            def __call__(self, number, frame):
                raise Alarm("too late")

        xdsl_xla.compile(COUNT, cache=False)
        xdsl_xla.compile(series(10), cache=False)
        sys.unraisablehook = lambda _: None  # what is raised while an object is destroyed goes no further
        signal.signal(signal.SIGALRM, Handler())
        for number in range(30):
            signal.setitimer(signal.ITIMER_REAL, 0.002 * 1.25 ** number)
            try:
                xdsl_xla.compile(COUNT, seed=number, cache=False)
                xdsl_xla.compile(series(100 + number), cache=False)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Alarm as error:
                assert str(error) == "too late"
        signal.setitimer(signal.ITIMER_REAL, 0)
        print("DONE")
    """)
