"""Steps of libraries that are written in JAX: as they are, on JAX's own backend and on the platform `xdsl_xla`."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, cast

import numpy as np

from .. import jax_libraries
from ..agreement import difference
from ..figures import geometric_mean
from ..jax_libraries.step import Step
from ..measure import Run, alternate
from ..table import Column, Table, TablePrinter, Value
from .section import Result, Settings

QUICK = ("optax",)

COLUMNS = (
    Column("program", "step"),
    Column("ours_seconds", "ours ms", ".3f", 1e3),
    Column("jax_seconds", "JAX CPU ms", ".3f", 1e3),
    Column("ratio", "ours/JAX", ".2f"),
    Column("ours_compile_seconds", "first ours s", ".1f"),
    Column("jax_compile_seconds", "first JAX s", ".1f"),
    Column("difference", "differ", ".0e"),
)


def names() -> list[str]:
    """The libraries."""
    return jax_libraries.names()


def measure(settings: Settings) -> Result:
    """Each step on both platforms in one process, in alternation. Libraries that are missing are left out."""
    table = Table("libraries", f"Steps of JAX libraries, {settings.count()}", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    for library in settings.chosen(names(), QUICK):
        if missing := jax_libraries.missing(library):
            printer.note(library, f"left out: pip install {' '.join(missing)}")
            continue
        for step in jax_libraries.steps(library):
            try:
                row = _row(step, settings)
            except Exception as error:
                failures.append(f"{step.name}: {error}")
                printer.note(step.name, f"failed: {type(error).__name__}: {error}")
                continue
            printer.add(row)
            if not float(row["difference"] or 0) <= step.tolerance:
                failures.append(f"{step.name}: results differ by {row['difference']:.1e}")
    ratios = table.values("ratio")
    figures = {"geometric mean of ours/JAX": geometric_mean(ratios), "largest ours/JAX": max(ratios)} if ratios else {}
    return Result([printer.finish(figures)], failures)


def _row(step: Step, settings: Settings) -> dict[str, Value]:
    jax = cast(Any, import_module("jax"))
    from ...frontends.jax import devices

    function, arguments = step.make()
    sides = [_side(jax, function, arguments, device) for device in (devices()[0], jax.devices("cpu")[0])]
    firsts, results = list[float](), list[list[Any]]()
    for run in sides:
        start = time.perf_counter()
        result = run()
        firsts.append(time.perf_counter() - start)
        results.append([np.asarray(_plain(jax, leaf)) for leaf in jax.tree.leaves(result)])
    mine, theirs = alternate(sides, settings.blocks)
    return {
        "program": step.name,
        "ours_seconds": mine.median,
        "jax_seconds": theirs.median,
        "ratio": mine.ratio_to(theirs),
        "ours_compile_seconds": firsts[0],
        "jax_compile_seconds": firsts[1],
        "difference": difference(*results),
    }


def _plain(jax: Any, leaf: Any) -> Any:
    is_key = jax.dtypes.issubdtype(getattr(leaf, "dtype", None), jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf


def _side(jax: Any, function: Any, arguments: Any, device: Any) -> Run:
    """A call of `function` on `device`, where its arguments are."""
    placed = jax.device_put(arguments, device)
    return lambda: jax.block_until_ready(function(*placed))
