"""What calling a compiled function costs when it computes next to nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import jit
from ..measure import Run, alternate, batched
from ..peers import Native, XlaCpu
from ..suite import Program
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

CALLS = 500
"""Calls timed as one run."""

COLUMNS = (
    Column("call", "call"),
    Column("ours_seconds", "ours us", ".2f", 1e6),
    Column("ours_jit_seconds", "our jit us", ".2f", 1e6),
    Column("jax_seconds", "jax.jit us", ".2f", 1e6),
    Column("xla_seconds", "execute us", ".2f", 1e6),
    Column("numpy_seconds", "NumPy us", ".2f", 1e6),
    Column("ratio", "ours/jax", ".2f"),
)


def measure(settings: Settings) -> Result:
    """Calls of our executable and of `xdsl_xla.jit` with NumPy arrays, of JAX's and XLA's with JAX's arrays.

    JAX's calls return before the result is there where XLA computes on another thread, so theirs is a lower bound.
    """
    table = Table("calls", "A call of a tiny function, microseconds", COLUMNS)
    printer = TablePrinter(table)
    jax = XlaCpu().jax
    four = np.arange(4, dtype=np.float32)

    def increment(x: Any) -> Any:
        return x + 1

    def total(*xs: Any) -> Any:
        return sum(xs)

    for name, function, arguments in (("x + 1 of 4 floats", increment, [four]), ("100 arguments", total, [four] * 100)):
        text = jax.jit(function).lower(*arguments).as_text()
        sides = _sides(function, text, tuple(arguments), settings)
        times = alternate([batched(side, CALLS) for side in sides], settings.blocks)
        mine, my_jit, jitted, execute, numpy = (timing.median / CALLS for timing in times)
        printer.add(
            {
                "call": name,
                "ours_seconds": mine,
                "ours_jit_seconds": my_jit,
                "jax_seconds": jitted,
                "xla_seconds": execute,
                "numpy_seconds": numpy,
                "ratio": mine / jitted,
            }
        )
    return Result([printer.finish({})])


def _sides(function: Any, text: str, arguments: tuple[np.ndarray[Any, Any], ...], settings: Settings) -> list[Run]:
    xla = XlaCpu()
    program = Program("call", text, arguments)
    arrays = [xla.array(argument) for argument in arguments]
    jitted, our_jit = xla.jax.jit(function), jit(function, threads=settings.threads)
    executable = xla.compile(program).code
    return [
        Native(settings.threads).compile(program).run,
        lambda: our_jit(*arguments),
        lambda: jitted(*arrays),
        lambda: executable.execute_sharded(arrays),
        lambda: function(*arguments),
    ]
