"""What a step of a compiled loop costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..agreement import difference
from ..measure import alternate
from ..peers import Native, XlaCpu
from ..suite import Draw, Program
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

STEPS = 100_000

COLUMNS = (
    Column("loop", "loop"),
    Column("ours_seconds", "ours ns/step", ".2f", 1e9),
    Column("xla_seconds", "XLA ns/step", ".2f", 1e9),
    Column("ratio", "ours/XLA", ".2f"),
    Column("difference", "differ", ".0e"),
)


def measure(settings: Settings) -> Result:
    """Loops of `STEPS` steps (a tenth if it has to be quick) over scalars and small vectors."""
    from .. import more_programs

    steps = STEPS // 10 if settings.quick else STEPS
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("loops", f"Loops of {steps:,} steps, nanoseconds a step", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    for name, (function, draw) in _loops(xla.jax, steps).items():
        program = Program(name, more_programs.lower(function, draw), (draw.array(np.random.default_rng(0)),))
        mine, theirs = ours.compile(program), xla.compile(program)
        differs = difference(ours.outputs(mine.run()), xla.outputs(theirs.run()))
        my_time, their_time = alternate([mine.run, theirs.run], settings.blocks)
        printer.add(
            {
                "loop": name,
                "ours_seconds": my_time.median / steps,
                "xla_seconds": their_time.median / steps,
                "ratio": my_time.ratio_to(their_time),
                "difference": differs,
            }
        )
        if not differs <= 1e-3:
            failures.append(f"{name}: results differ by {differs:.1e}")
    return Result([printer.finish({"largest ratio": max(table.values("ratio"))})], failures)


def _loops(jax: Any, steps: int) -> dict[str, tuple[Callable[[Any], Any], Draw]]:
    """Each loop by name: a function of one argument, and that argument."""
    jnp, lax = jax.numpy, jax.lax
    scalar = Draw((), np.dtype(np.float32), 0.0, 1.0)
    integer = Draw((), np.dtype(np.int32), 1, 1000)
    vector = Draw((16,), np.dtype(np.float32), 0.0, 1.0)

    def contraction(_: Any, x: Any) -> Any:
        return x * 0.99 + 0.01

    def collatz_like(i: Any, x: Any) -> Any:
        return jnp.where(x % 2 == 0, x // 2, 3 * x + 1) ^ i

    def until_done(x: Any) -> Any:
        def unfinished(state: Any) -> Any:
            return (state[0] < steps) & (jnp.max(state[1]) < 2)

        def step(state: Any) -> Any:
            return state[0] + 1, jnp.sin(state[1])

        return lax.while_loop(unfinished, step, (0, x))[1]

    def recurrence(x: Any) -> Any:
        def step(i: Any, values: Any) -> Any:
            return values.at[i % 1024].set(values[(i - 1) % 1024] * 0.5 + x)

        return lax.fori_loop(0, steps, step, jnp.zeros(1024, jnp.float32))

    return {
        "fori_loop, f32 scalar": (lambda x: lax.fori_loop(0, steps, contraction, x), scalar),
        "fori_loop, i32 scalar": (lambda x: lax.fori_loop(0, steps, collatz_like, x), integer),
        "fori_loop, f32 of 16": (lambda x: lax.fori_loop(0, steps, contraction, x), vector),
        "while_loop, f32 of 16": (until_done, vector),
        "fori_loop, array updates": (recurrence, scalar),
    }
