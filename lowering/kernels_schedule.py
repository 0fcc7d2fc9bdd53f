"""`kernels-schedule`: how every kernel is computed, in its attribute `xrt.schedule`.

Does: decides loop order, tiles, unrolled and parallel loops, what is kept in registers or small buffers for a row, and
what is packed and prefetched, for each function that consists of structured ops, or of a Fourier transform, a scan or a
sort. A schedule that is there already stays, after it was checked. Where there is none, the one in the file beside the
program is taken, and then one that a search has found (`ir/schedule_files.py`).

Needs: level 4, as `convert-linalg-to-affine` does.
Leaves: the ops as they were, and functions with other effects between them, such as loops of scatters:
`convert-linalg-to-affine` decides for the structured ops between two of these as it does here for a kernel.

    func.func private @k(%x: memref<8x16xf32>, %y: memref<16x8xf32>) attributes {xrt.kernel} {
      linalg.generic {...} ins(%x) outs(%y) { ... math.exp ... }
    }

gets the attribute

    xrt.schedule = #schedule.kernel<{
      for i = 0 to 16 {
        for j = 0 to 8 {
          compute exp at (j, i)
        }
      }
    }>

The ops are called what they do last, with a number where there are several: `fill`, `exp`, `addf_1`. The words of a
schedule are in `docs/schedule.md`, the rules that it has to keep in `ir/schedules.py`.

Not a pattern pass: a schedule is decided for all ops of a kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ..decisions.model import CostModel, cost_model_of
from ..decisions.target import cpu_name
from ..dialects.schedule import KernelAttr
from ..dialects.schedule.tree import Tree
from ..dialects.xrt_names import SCHEDULE, SERIAL
from ..errors import XlaError
from ..ir.function_passes import Function, FunctionPass
from ..ir.schedule_errors import ScheduleError
from ..ir.schedule_files import Entry, Key, Schedules, parse_entries, schedules_of
from .contractions.hoisting import Hoisting
from .linalg_to_affine.scheduled import of_kernel
from .schedulable import Schedulable
from .streams import calls_in, decided_streams


@dataclass(frozen=True)
class KernelsSchedulePass(FunctionPass):
    """See the module docstring. `threads`: how many the program may use; `vector_bits`: vector length to assume, 0 for
    the host's; `schedules`: the file beside the program, if not the one that the driver has read."""

    name = "kernels-schedule"

    threads: int = 1
    vector_bits: int = 0
    dot_products: str = ""
    schedules: str = ""

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        written = schedules_of(ctx)
        if self.schedules:
            written = replace(written, beside=_read(self.schedules))
        model = cost_model_of(ctx, self.vector_bits, self.dot_products)
        calls = calls_in([each for each in module.ops if isinstance(each, func.FuncOp)])
        scheduling = _Scheduling(model, written, cpu_name(self.vector_bits), Hoisting.of(module), calls)
        return scheduling.through(functions, max(1, self.threads))


def _read(path: str) -> dict[Key, Entry]:
    try:
        return parse_entries(Path(path).read_text("utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise XlaError(f"{path}: {error}") from error


@dataclass(frozen=True)
class _Scheduling:
    model: CostModel
    written: Schedules
    cpu: str
    hoisting: Hoisting
    calls: Mapping[str, Sequence[func.CallOp]]

    def through(self, functions: Iterable[Function], threads: int) -> Iterator[Function]:
        """`functions`, kernels with their schedules."""
        kernels: list[func.FuncOp] = []
        for function in functions:
            if isinstance(function, func.FuncOp) and function.body.first_block is not None:
                if self.apply(function, 1 if SERIAL in function.attributes else threads):
                    kernels.append(function)
            yield function
        self.written.check_names(kernels)

    def apply(self, function: func.FuncOp, threads: int) -> bool:
        """Gives a kernel its schedule; whether it can have one."""
        kernel = Schedulable.of(function, self.model, self.hoisting)
        if kernel is None:
            return False
        known = function.attributes.get(SCHEDULE)
        if isinstance(known, KernelAttr):
            with of_kernel(function):
                kernel.check(known.data)
            return True
        tree = self._found(kernel, threads) or self._decided(kernel, threads)
        if tree is not None:
            function.attributes[SCHEDULE] = KernelAttr(tree)
        return True

    def _decided(self, kernel: Schedulable, threads: int) -> Tree | None:
        tree = kernel.decide(threads)
        calls = self.calls.get(kernel.function.sym_name.data, ())
        return None if tree is None else tree.streaming(decided_streams(tree, kernel.function, calls, self.model))

    def _found(self, kernel: Schedulable, threads: int) -> Tree | None:
        """What is written about a kernel. Raises `ScheduleError` if that has to be obeyed and cannot be."""
        for entry, obeyed in self.written.of(kernel.function, self.cpu, threads):
            try:
                if entry.tree is None:
                    return None
                kernel.check(entry.tree)
                return replace(entry.tree, checked=True)
            except ScheduleError as error:
                place = error.location or entry.place
                message = f"@{kernel.function.sym_name.data}: {error.message}"
                if obeyed:
                    raise ScheduleError(message, location=place) from error
                warnings.warn(f"{place}: ignored, for it does not fit {message}", stacklevel=2)
        return None
