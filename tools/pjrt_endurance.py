"""`python -m xdsl_xla.tools.pjrt_endurance`: JAX on this compiler for a long time and many times.

    starts N         so many processes start, run a small program and end, in ten ways; none crashes or hangs
    calls N          so many calls of small programs, in five ways, leave the memory of the process as it is
    compilations N   the same of so many compilations
    interrupts N     so many times Ctrl-C ends a program, or the waiting for one, and the process goes on

Exit code 1 if one fails. `JAX_PLATFORMS=cpu` has calls and compilations on JAX's own backend, for comparison.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ..frontends.pjrt.client import PLATFORM

START = """
import sys, threading, jax
from xdsl_xla.frontends.pjrt import jax_plugin
jax_plugin.register()
import jax.numpy as jnp, numpy as np
f = jax.jit(lambda x: x + 1)
long = jax.jit(lambda x: jax.lax.fori_loop(0, 1 << 30, lambda i, y: jnp.sin(y) + i, x))
assert f(np.ones(3, np.float32))[0] == 2
"""

ENDINGS: dict[str, tuple[str, int]] = {
    "nothing": ("", 0),
    "live arrays": ("keep = [f(jnp.ones(n)) for n in range(20)]; import builtins; builtins.keep = keep", 0),
    "shared memory": (
        "import builtins; builtins.keep = np.asarray(f(jax.device_put(np.ones(1 << 16, np.float32))))",
        0,
    ),
    "a thread": ("t = threading.Thread(target=lambda: f(jnp.ones(4))); t.start(); t.join()", 0),
    "threads that run": (  # daemons end the process with `terminate`, on JAX's own backend, too
        "stop = threading.Event()\ndef run():\n    x = jnp.ones(4)\n    while not stop.is_set(): x = f(x)\n"
        "for _ in range(3): threading.Thread(target=run).start()\nthreading.Timer(0.05, stop.set).start()",
        0,
    ),
    "an exception": ("x = f(jnp.ones(3)); raise ValueError('on purpose')", 1),
    "an exception in a callback": (
        "def fail(x): raise ValueError('on purpose')\njax.jit(lambda x: jax.pure_callback(fail, x, x))(jnp.ones(3))",
        1,
    ),
    "sys.exit": ("x = f(jnp.ones(3)); sys.exit(3)", 3),
    "a long program": ("x = long(jnp.ones(4))", 0),
    "a program that was deleted": (
        "g = jax.jit(lambda x: x @ x); y = g(jnp.ones((300, 300))); del g, y; jax.clear_caches()",
        0,
    ),
}
"""What the last lines of a process do, and its exit code."""

STUCK_SECONDS = 120

CALLED_PAGES = 400
"""What a million calls may leave over, which is noise of `malloc`."""

COMPILED_BYTES = 300
"""What a compilation may leave over. From the 2,500th to the 10,000th it is 95, as on JAX's own backend."""

FILLED_BYTES = 4 << 20
"""What the first hundreds of compilations bring: what is remembered up to a number, and free memory between."""


def _environment() -> dict[str, str]:
    return {**os.environ, "JAX_PLATFORMS": PLATFORM}


def starts(count: int) -> int:
    """How many of `count` processes did not end as they should."""
    failures = 0
    names = list(ENDINGS)
    for number in range(count):
        name = names[number % len(names)]
        lines, code = ENDINGS[name]
        try:
            done = subprocess.run(
                [sys.executable, "-c", START + lines],
                env=_environment(),
                capture_output=True,
                text=True,
                timeout=STUCK_SECONDS,
                check=False,
            )
            problem = "" if done.returncode == code and "Fatal" not in done.stderr else done.stderr[-2000:]
            ended = f"ended with {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = problem = "hangs"
        if problem:
            failures += 1
            print(f"start {number} ({name}): {ended}\n{problem}", flush=True)
    print(f"{count} starts, {failures} failures")
    return failures


def _jax() -> Any:
    """JAX on the platform that `JAX_PLATFORMS` names, by default this one."""
    if os.environ.setdefault("JAX_PLATFORMS", PLATFORM) == PLATFORM:
        import_module("..frontends.pjrt.jax_plugin", __package__).register()
    return import_module("jax")


def resident_bytes() -> int:
    """Memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(step: Callable[[int], object], count: int) -> int:
    """By how many bytes the process is larger after `count` steps than after a tenth of them."""
    first = max(1, count // 10)
    for number in range(first):
        step(number)
    gc.collect()
    before = resident_bytes()
    for number in range(first, first + count):
        step(number)
    gc.collect()
    return resident_bytes() - before


def _increment(x: Any) -> Any:
    return x + 1


def calls(count: int) -> int:
    """1 if calls leave something over."""
    jax = _jax()
    numpy: Any = import_module("numpy")
    ones, large = numpy.ones(8, numpy.float32), numpy.ones(1 << 15, numpy.float32)
    increment, donating = jax.jit(_increment), jax.jit(_increment, donate_argnums=0)
    array, held = jax.device_put(ones), [jax.device_put(large)]
    forms: list[Callable[[], object]] = [
        lambda: increment(array),
        lambda: increment(ones),
        lambda: numpy.asarray(increment(array)),
        lambda: held.append(donating(held.pop())),
        lambda: jax.device_put(large).delete(),
    ]
    grown = growth(lambda number: forms[number % len(forms)](), count)
    print(f"{count} calls: {grown} bytes more")
    return int(grown > CALLED_PAGES * os.sysconf("SC_PAGE_SIZE"))


def compilations(count: int) -> int:
    """1 if compilations leave more over than they should."""
    jax = _jax()
    numpy: Any = import_module("numpy")
    ones = numpy.ones(8, numpy.float32)

    def compile_one(number: int) -> None:
        def scale(x: Any) -> Any:
            return x * number

        assert jax.jit(scale)(ones)[0] == number
        if number % 50 == 49:
            jax.clear_caches()
            gc.collect()

    grown = growth(compile_one, count)
    print(f"{count} compilations: {grown} bytes more, {grown / count:.0f} each")
    return int(grown > COMPILED_BYTES * count + FILLED_BYTES)


INTERRUPTED = """
import os, signal, time
for wait in (False, True):
    begun = time.perf_counter()
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        y = long(jnp.ones(4))
        y.block_until_ready()
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("no interrupt")
    assert time.perf_counter() - begun < 20
assert f(jnp.ones(3))[0] == 2
"""


def interrupts(count: int) -> int:
    """How many processes did not go on after Ctrl-C."""
    failures = 0
    for number in range(count):
        command = [sys.executable, "-c", START + INTERRUPTED]
        begun = time.perf_counter()
        try:
            done = subprocess.run(
                command, env=_environment(), capture_output=True, text=True, timeout=STUCK_SECONDS, check=False
            )
            problem = "" if done.returncode == 0 else done.stderr[-2000:]
        except subprocess.TimeoutExpired:
            problem = "hangs"
        if problem:
            failures += 1
            print(f"interrupt {number}, {time.perf_counter() - begun:.0f} s: {problem}", flush=True)
    print(f"{count} interrupts, {failures} failures")
    return failures


CAMPAIGNS: dict[str, tuple[Callable[[int], int], int]] = {
    "starts": (starts, 1_000),
    "calls": (calls, 1_000_000),
    "compilations": (compilations, 10_000),
    "interrupts": (interrupts, 20),
}
"""By name: the campaign and its length."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one."""
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.tools.pjrt_endurance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("campaign", choices=list(CAMPAIGNS))
    parser.add_argument("count", nargs="?", type=int, help="how many (default: some minutes to an hour)")
    options = parser.parse_args(arguments)
    campaign, length = CAMPAIGNS[options.campaign]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it, and its children
    return 1 if campaign(options.count or length) else 0


if __name__ == "__main__":
    sys.exit(main())
