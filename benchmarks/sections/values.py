"""Run time of the programs of both lists where their values are subnormal, infinite or NaN.

The floats among the inputs are replaced, all of them; integers stay. Sides are the same executable on other inputs, in
alternation. What takes its number of steps from data does less or more work then, and has no limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from .. import more_programs, suite
from ..measure import alternate
from ..peers import Native
from ..suite import Program
from ..table import Column, Table, TablePrinter, Value
from .section import Result, Settings

Array = NDArray[Any]

QUICK = ("gelu", "softmax", "matmul256", "reduce_cols")

LARGEST_RATIO = 1.15
"""Of the time with such values to the usual one."""

COLUMNS = (
    Column("program", "program"),
    Column("usual_seconds", "usual ms", ".3f", 1e3),
    Column("subnormal", "subnormal", ".2f"),
    Column("infinite", "infinite", ".2f"),
    Column("nan", "NaN", ".2f"),
)


def subnormal(array: Array) -> Array:
    """Numbers below the least normal one, in the proportions that `array` has."""
    extensions: Any = ml_dtypes
    least = float(extensions.finfo(array.dtype).smallest_normal)
    largest = float(np.max(np.abs(array.astype(np.float64)), initial=0.0)) or 1.0
    return (array.astype(np.float64) / largest * (least * 0.99)).astype(array.dtype)


def infinite(array: Array) -> Array:
    """Infinities with the signs of `array`."""
    return np.copysign(np.float64(np.inf), array.astype(np.float64)).astype(array.dtype)


def nan(array: Array) -> Array:
    """NaN."""
    return np.full(array.shape, np.nan).astype(array.dtype)


KINDS: dict[str, Callable[[Array], Array]] = {"subnormal": subnormal, "infinite": infinite, "nan": nan}


def is_real_float(array: Array) -> bool:
    return array.dtype.kind == "f" or array.dtype == np.dtype(ml_dtypes.bfloat16)


def replaced(program: Program, kind: Callable[[Array], Array]) -> tuple[Array, ...]:
    """The inputs with other values for their floats, complex ones by parts."""
    return tuple(_replaced(array, kind) for array in program.inputs)


def _replaced(array: Array, kind: Callable[[Array], Array]) -> Array:
    if array.dtype.kind == "c":
        result = np.empty_like(array)
        result.real, result.imag = kind(np.real(array)), kind(np.imag(array))
        return result
    return kind(array) if is_real_float(array) else array


def measure(settings: Settings) -> Result:
    """The programs of both lists that have floats among their inputs."""
    ours = Native(settings.threads)
    table = Table("values", "Run time with other values, over the usual one", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    loaders = dict.fromkeys(suite.names(), suite.load) | dict.fromkeys(more_programs.names(), more_programs.load)
    for name in settings.chosen(list(loaders), QUICK):
        try:
            row = _row(loaders[name](name), ours, settings.blocks)
        except Exception as error:
            failures.append(f"{name}: {error}")
            printer.note(name, f"failed: {error}")
            continue
        if row is None:
            continue
        printer.add(row)
        failures += [
            f"{name}: {kind} values take {ratio:.2f} times as long"
            for kind in KINDS
            if isinstance(ratio := row[kind], float) and ratio > LARGEST_RATIO
        ]
    largest = {f"largest, {kind}": max(table.values(kind), default=0.0) for kind in KINDS}
    return Result([printer.finish(largest)], failures)


def _row(program: Program, ours: Native, blocks: int) -> dict[str, Value] | None:
    """None where the program has no floats among its inputs."""
    if not any(is_real_float(array) or array.dtype.kind == "c" for array in program.inputs):
        return None
    executable = ours.compile(program).code
    inputs = [program.inputs, *(replaced(program, kind) for kind in KINDS.values())]
    times = alternate([lambda given=given: executable(*given) for given in inputs], blocks)
    ratios = {kind: time.ratio_to(times[0]) for kind, time in zip(KINDS, times[1:], strict=True)}
    slow = [kind for kind, ratio in ratios.items() if ratio > LARGEST_RATIO]
    if slow:  # once more: what a neighbour has done to one side does not happen twice
        again = alternate([lambda given=given: executable(*given) for given in inputs], blocks)
        for kind, time in zip(KINDS, again[1:], strict=True):
            ratios[kind] = min(ratios[kind], time.ratio_to(again[0]))
    return {"program": program.name, "usual_seconds": times[0].median, **ratios}
