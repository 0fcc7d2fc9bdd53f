"""What the machine of this process can do with so many devices on its cores."""

from __future__ import annotations

from ...decisions.simulation import SharedCores
from ...decisions.target import host
from ..profiling.machine import machine
from .machine import Link, Machine


def this_machine(devices: int, numbers: SharedCores | None = None) -> Machine:
    """This machine, measured now, its cores shared by `devices` devices of one process."""
    cores, numbers = host().cores, numbers or SharedCores()
    measured = machine(cores)
    share = 1 / devices
    flops = measured.operations_per_second * share
    return Machine(
        f"this one, {cores} cores for {devices} devices",
        devices,
        flops,
        flops / 2,
        flops / 2,
        measured.levels[-1].bytes_per_second * share,
        Link(numbers.latency(devices), numbers.bandwidth(devices, cores), ("direct",)),
        op_seconds=numbers.op_seconds,
    )
