"""What surrounds a running program: the grid of processes, queues to and from the host, randomness and output."""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

import numpy as np

from ..decisions.denormals import DEFAULT, Denormals
from ..locks import RenewedLock
from .arrays import Array
from .processes import Process, ProcessGrid
from .values import owned

Batch = tuple[Array, ...]


@dataclass
class Host:
    """The other end of infeed, outfeed and host transfers, shared by all processes of a grid."""

    infeed: deque[Batch | Callable[[], Batch]] = field(default_factory=deque[Batch | Callable[[], Batch]])
    """What `infeed` ops read, in order; a function is called when its turn comes."""

    outfeed: list[Batch] = field(default_factory=list[Batch])
    """What `outfeed` ops wrote, in order."""

    to_host: defaultdict[int, deque[Batch]] = field(default_factory=lambda: defaultdict(deque))
    """By channel, what `send` ops sent to the host."""

    from_host: defaultdict[int, deque[Batch | Callable[[], Batch]]] = field(default_factory=lambda: defaultdict(deque))
    """By channel, what `recv` ops receive from the host, in order; a function is called when its turn comes."""

    callbacks: dict[int, Callable[[Batch], None]] = field(default_factory=dict[int, Callable[[Batch], None]])
    """By channel, what takes the values of `send` ops instead of `to_host`."""

    probe_directory: Path | None = None
    """Where `interpreter.probe` writes."""

    output: TextIO | None = None
    """Where `interpreter.print` writes; standard output if None."""

    def callback(self, channel: int, function: Callable[..., Any], reply: int | None = None) -> None:
        """Calls `function` with the values of each `send` on `channel`; `recv` on channel `reply` gets what it returns.

        It returns an array, or a tuple of arrays.
        """

        def answer(values: Batch) -> None:
            result = function(*values)
            if reply is not None:
                batch = cast(Batch, result if isinstance(result, tuple) else (result,))
                self.from_host[reply].append(tuple(np.asarray(value) for value in batch))

        self.callbacks[channel] = answer

    def send(self, channel: int, values: Batch) -> None:
        """Takes a copy of what a `send` op sent."""
        take = self.callbacks.get(channel)
        if take is None:
            self.to_host[channel].append(owned(values))
        else:
            take(owned(values))

    def write(self, values: Batch) -> None:
        """Takes a copy of what an `outfeed` op wrote."""
        self.outfeed.append(owned(values))

    def print(self, text: str) -> None:
        (self.output or sys.stdout).write(text + "\n")


_counting = RenewedLock()
"""Held by the thread that counts the steps of a generator."""


class Environment:
    """The surroundings of one process."""

    def __init__(
        self,
        *,
        infeed: Iterable[Sequence[Array]] = (),
        seed: int = 0,
        probe_directory: Path | str | None = None,
        host: Host | None = None,
        process: Process | None = None,
        denormals: Denormals = DEFAULT,
    ):
        """`infeed` holds what the `infeed` ops read, `seed` is that of `rng` ops. `denormals`: what the reference does
        with subnormal numbers (`denormals.py`); compiled code does what it was compiled to do.
        """
        self.host = host or Host()
        self.host.infeed.extend(tuple(batch) for batch in infeed)
        if probe_directory is not None:
            self.host.probe_directory = Path(probe_directory)
        self.process = process or ProcessGrid(1, 1).process(0, 0)
        self.seed = seed
        self.denormals: Denormals = denormals
        self._random_steps: dict[int, int] = {}
        """By process, how many steps of the generator have been made."""

    def random_state(self, steps: int) -> Array:
        """The state of Philox, u64[3], from which the next `steps` steps of the generator of `rng` ops are made.

        Its key is the seed, modulo 2^64; each process has a part of the counter of its own.
        """
        with _counting.current:
            start = self._random_steps.get(self.process.index, 0)
            self._random_steps[self.process.index] = start + steps
        return np.array([self.seed % 2**64, start % 2**64, self.process.index], np.uint64)

    def of_process(self, process: Process) -> Environment:
        """The surroundings of another process with the same host; its random numbers go on where they were left."""
        other = Environment(seed=self.seed, host=self.host, process=process, denormals=self.denormals)
        other._random_steps = self._random_steps
        return other
