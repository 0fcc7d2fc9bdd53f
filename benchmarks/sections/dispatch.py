"""What JAX needs to call a small program on this platform and on its own for CPUs: CPU time of all threads."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..measure import Run, alternate, batched
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

CALLS = 200
"""Calls timed as one run."""

MANY = 100

COLUMNS = (
    Column("call", "call"),
    Column("ours_seconds", "ours us", ".2f", 1e6),
    Column("jax_seconds", "JAX us", ".2f", 1e6),
    Column("ratio", "ours/JAX", ".2f"),
)


def measure(settings: Settings) -> Result:
    """Both platforms in one process, in turn."""
    os.environ["JAX_PLATFORMS"] = "xdsl_xla,cpu"
    jax: Any = importlib.import_module("jax")
    plugin = importlib.import_module("...frontends.pjrt.jax_plugin", __package__)
    plugin.register()
    table = Table("dispatch", "A call of a tiny jitted function, microseconds of CPU time", COLUMNS)
    printer, ratios, failures = TablePrinter(table), dict[str, float](), list[str]()
    for name, make in _calls(jax).items():
        sides = [make(jax.devices(platform)[0]) for platform in ("xdsl_xla", "cpu")]
        own, other = (np.asarray(jax.tree.leaves(side())[0]) for side in sides)
        if not np.array_equal(own, other):
            failures.append(f"dispatch: {name}: results differ")
        runs = [batched(side, CALLS) for side in sides]
        mine, theirs = alternate(runs, settings.blocks, clock=time.process_time)
        ratios[name] = mine.ratio_to(theirs)
        printer.add(
            {
                "call": name,
                "ours_seconds": mine.median / CALLS,
                "jax_seconds": theirs.median / CALLS,
                "ratio": ratios[name],
            }
        )
    return Result([printer.finish({"largest ratio": max(ratios.values())})], failures)


def _calls(jax: Any) -> dict[str, Callable[[Any], Run]]:
    """By name: what makes a call on a device."""
    ones = np.ones(8, np.float32)

    def increment(x: Any) -> Any:
        return x + 1

    def increments(*xs: Any) -> Any:
        return [x + 1 for x in xs]

    def of_device_array(device: Any) -> Run:
        call, array = jax.jit(increment), jax.device_put(ones, device)
        return lambda: call(array)

    def of_numpy_array(device: Any) -> Run:
        call = jax.jit(increment, out_shardings=jax.sharding.SingleDeviceSharding(device))
        return lambda: call(ones)

    def of_many(device: Any) -> Run:
        call, arrays = jax.jit(increments), [jax.device_put(ones, device) for _ in range(MANY)]
        return lambda: call(*arrays)

    def to_numpy(device: Any) -> Run:
        call, array = jax.jit(increment), jax.device_put(ones, device)
        return lambda: np.asarray(call(array))

    return {
        "x + 1 of a device array": of_device_array,
        "x + 1 of a NumPy array": of_numpy_array,
        f"x + 1 of {MANY} leaves": of_many,
        "x + 1, to NumPy": to_numpy,
    }
