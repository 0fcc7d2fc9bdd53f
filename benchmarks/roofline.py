"""The least time a program could take on this machine: its arithmetic, or its inputs and results, whichever is longer.

Arithmetic is that of the program's ops (`runtime/work.py`), at the measured rate of multiply-adds. Bytes are
those of all arguments, or of the rows that are read of one that is only looked up in, and of all results, at the rate
measured from the nearest level of memory that holds them all. So a program that has to keep more than that in memory
between its ops stays below this limit; arguments that are still in a nearer cache than one of that size can pass it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ..dialects import stablehlo
from ..reference.processes import ProcessGrid
from ..runtime.compilation import load_program
from ..runtime.entry import select_entry
from ..runtime.program_context import new_context
from ..runtime.work import size_of, type_bytes
from ..tools.profiling import machine as profiling
from ..tools.simulation.machine import Link, Machine
from ..tools.simulation.timeline import Simulation
from .machine import features

DOUBLED_BY = "avx512bf16"
"""The feature with which products of floats of 16 bits take half of the instructions."""


MEASUREMENTS = 30
"""Of each rate, of 10 ms: a shared machine is slower for tenths of seconds, and the best one is the limit."""


class Limit(NamedTuple):
    """Seconds of one run, at least."""

    arithmetic: float
    traffic: float

    @property
    def seconds(self) -> float:
        return max(self.arithmetic, self.traffic)

    def reached(self, seconds: float) -> float:
        """The part of what is possible that a run of so many seconds achieves."""
        return self.seconds / seconds


def limit_of(text: str, threads: int) -> Limit | None:
    """The limit of a program, with so many threads; None where nobody knows how often its loops run."""
    module = load_program(text.encode(), "program", new_context())
    entry = select_entry(module, "main")
    measured = profiling.machine(threads, MEASUREMENTS)
    outcome = Simulation(module, ProcessGrid(1, 1), _without_memory(measured)).function("main")
    if any("nobody knows" in remark for remark in outcome.remarks):
        return None
    moved = _bytes(module, entry)
    return Limit(outcome.arithmetic, moved / measured.level_of(moved).bytes_per_second)


def _without_memory(measured: profiling.Machine) -> Machine:
    """A machine that only arithmetic keeps busy."""
    rate = measured.operations_per_second
    narrow = rate * (2 if features().get(DOUBLED_BY) else 1)
    return Machine("arithmetic", 1, rate, rate / 2, narrow, math.inf, Link(0.0, math.inf))


def _bytes(module: ModuleOp, entry: func.FuncOp) -> int:
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    arguments = sum(_read(argument, functions) for argument in entry.body.block.args)
    return max(1, arguments + sum(map(type_bytes, entry.function_type.outputs)))


def _read(value: SSAValue, functions: dict[str, func.FuncOp]) -> int:
    """The bytes of an argument that a program has to read."""
    total = 0
    for use in value.uses:
        op, size = use.operation, size_of(value)
        if isinstance(op, stablehlo.GatherOp | stablehlo.DynamicSliceOp | stablehlo.SliceOp) and use.index == 0:
            size = size_of(op.results[0])
        elif isinstance(op, func.CallOp) and (callee := functions.get(op.callee.string_value())):
            size = _read(callee.body.block.args[use.index], functions)
        total += size
    return min(total, size_of(value))
