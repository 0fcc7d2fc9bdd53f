"""What devices that are threads of one process cost each other, as a simulation of this machine takes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SharedCores:
    """Numbers of devices of one process, on cores that they share."""

    turn_seconds: float = 50e-6
    """Of a step of a collective, for each device: 52 of small `all_reduce`s in a loop, with 2 to 8 devices, on two
    cores of a server that were busy with other processes, too. With a core for each device it is less."""

    copied_bytes: float = 10e9
    """A second, from a cache of another core (`Messages.gathered_bytes`: 10 KB in a microsecond)."""

    op_seconds: float = 0.5e-6
    """What a kernel costs besides its work: a guess, of a call and its loops."""

    def latency(self, devices: int) -> float:
        """Seconds of a step in which all devices take part."""
        return self.turn_seconds * devices

    def bandwidth(self, devices: int, cores: int) -> float:
        """Bytes a second that each device gets from others when all do at once."""
        return self.copied_bytes * min(1.0, cores / devices)
