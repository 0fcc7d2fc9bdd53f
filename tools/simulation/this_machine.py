"""What the machine of this process can do with so many devices on its cores."""

from __future__ import annotations

from ...decisions.target import host
from ..profiling.machine import machine
from .machine import Link, Machine

EXCHANGE_SECONDS = 4e-6
"""Of a collective among devices that all have a core: one call, two meetings; measured on two cores of a server."""

LATE_SECONDS = 50e-6
"""What a collective waits for each further device that shares a core: it runs when the others have yielded, after
`Messages.yield_after`."""

COPIED_BYTES = 10e9
"""A second, from a cache of another core (`decisions/messages.py`: 10 KB in a microsecond)."""

OP_SECONDS = 0.5e-6
"""What a kernel costs besides its work; measured on the same machine."""


def this_machine(devices: int) -> Machine:
    """This machine, measured now, its cores shared by `devices` devices of one process."""
    cores = host().cores
    measured = machine(cores)
    share = 1 / devices
    flops = measured.operations_per_second * share
    waiting = max(0, -(-devices // cores) - 1)
    link = Link(
        EXCHANGE_SECONDS + LATE_SECONDS * waiting,
        COPIED_BYTES * min(1.0, cores / devices),
        ("direct",),
    )
    return Machine(
        f"this one, {cores} cores for {devices} devices",
        devices,
        flops,
        flops / 2,
        flops / 2,
        measured.levels[-1].bytes_per_second * share,
        link,
        op_seconds=OP_SECONDS,
    )
