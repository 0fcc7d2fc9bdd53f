"""The schedules of the kernels of a module, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.editing import walk
from ...dialects.schedule import KernelAttr
from ...dialects.schedule.syntax import text_of
from ...dialects.xrt_names import SCHEDULE


class Schedule(NamedTuple):
    """How a kernel is computed (`docs/schedule.md`)."""

    kernel: str
    text: str
    line: int
    """Where the kernel stands."""
    calls: int
    """How many calls of it there are in the text of the program."""


def schedules_of(module: ModuleOp, line_of: Mapping[Operation, int]) -> Iterator[Schedule]:
    """The schedules that are written in `module`."""
    scheduled = [op for op in module.ops if isinstance(op, func.FuncOp) and SCHEDULE in op.attributes]
    if not scheduled:
        return
    calls = Counter(op.callee.string_value() for op in walk(module) if isinstance(op, func.CallOp))
    for function in scheduled:
        schedule = function.attributes[SCHEDULE]
        if isinstance(schedule, KernelAttr):
            name = function.sym_name.data
            yield Schedule(name, text_of(schedule.data), line_of[function], calls[name])
