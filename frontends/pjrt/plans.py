"""What machine code has to know of a program to run it, if it can."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ...decisions.dispatch import Dispatch
from ...runtime.executable import Executable
from ...runtime.signature import TensorSpec
from .client import client
from .element_types import number_of
from .machine import machine
from .machine_code.layout import Donor, Plan, Slot
from .objects import Kept
from .run_log import log

if TYPE_CHECKING:
    from ...runtime.sharding.executable import ShardedExecutable

_NOBODY = -1


class PlannedProgram:
    """A plan and what it points to."""

    def __init__(self, executable: Executable, given_away: Collection[int], device: int, source: bytes) -> None:
        entry = executable.entry_point
        assert entry is not None
        self._kept, self._executable = Kept(), executable
        donated: dict[int, int] = {result: argument for argument, result in getattr(executable, "donated", ())}
        signature, donors = executable.signature, sorted({*given_away, *donated.values()})
        self.plan = plan = Plan()
        plan.entry, plan.context, plan.arena_bytes = entry.address, entry.context, entry.arena_bytes
        if entry.is_stoppable:
            plan.nanoseconds = 2 * Dispatch().asynchronous_nanoseconds
        plan.arguments, plan.inputs = self._slots(signature.inputs, {})
        plan.results, plan.outputs = self._slots(signature.outputs, donated)
        overwritten = set(donated.values())
        listed = [Donor(argument, argument in overwritten) for argument in donors]
        plan.donors, plan.donor_count = self._kept.vector(Donor, listed)
        plan.device, plan.number = client().devices[device].address, log.enter(source, device)
        self.address = ctypes.addressof(plan)

    def _slots(self, specs: Sequence[TensorSpec], donated: dict[int, int]) -> tuple[int, int]:
        slots = [
            Slot(
                number_of(spec.dtype),
                len(spec.shape),
                self._kept.vector(ctypes.c_int64, spec.shape)[0],
                spec.byte_size,
                donated.get(number, _NOBODY),
            )
            for number, spec in enumerate(specs)
        ]
        return self._kept.vector(Slot, slots)

    @property
    def is_busy(self) -> bool:
        """Whether a call of it is not over."""
        return self.plan.running != 0

    def __del__(self) -> None:
        log.leave(self.plan.number)
        if self.plan.frame:
            machine.free_piece(self.plan.frame)


def plan(
    executable: Executable | ShardedExecutable, given_away: Collection[int], device: int, source: bytes
) -> PlannedProgram | None:
    """None for a program on several devices, and one that does more than to compute tensors from tensors."""
    if not isinstance(executable, Executable) or executable.grid != (1, 1):
        return None
    signature = executable.signature
    if not signature.is_plain or signature.is_bounded or executable.entry_point is None:
        return None
    return PlannedProgram(executable, given_away, device, source)
