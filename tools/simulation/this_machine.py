"""What the machine of this process can do with so many devices on its cores."""

from __future__ import annotations

from ...decisions.target import host
from ..profiling.machine import machine
from .machine import Link, Machine

TURN_SECONDS = 50e-6
"""Of a step of a collective, for each device: 52 of small `all_reduce`s in a loop, with 2 to 8 devices, on two cores of
a server that were busy with other processes, too. On a machine with a core for each device it is less."""

COPIED_BYTES = 10e9
"""A second, from a cache of another core (`decisions/messages.py`: 10 KB in a microsecond)."""

OP_SECONDS = 0.5e-6
"""What a kernel costs besides its work: a guess, of a call and its loops."""


def this_machine(devices: int) -> Machine:
    """This machine, measured now, its cores shared by `devices` devices of one process."""
    cores = host().cores
    measured = machine(cores)
    share = 1 / devices
    flops = measured.operations_per_second * share
    link = Link(
        TURN_SECONDS * devices,
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
