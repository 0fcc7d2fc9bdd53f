"""Asynchronous ops of the devices of a job: each on a thread of its own, in a lane of its device."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from ....reference.processes import Process
from ..workers import run_on_worker
from .transport import MpiTransport

_STEP = 2e-5
"""Seconds between two looks whether an op waits for others."""

_LOOK = 0.05
"""Seconds between two looks for reasons to stop waiting for an op."""

_MARGIN = 0.5
"""So many seconds longer than the op does who waits for it: the op knows better what is missing."""


class AsynchronousOps:
    """Those that run beside the programs of this process."""

    def __init__(self, transport: MpiTransport) -> None:
        self._transport = transport
        self._changed = threading.Condition()
        self._running: set[Process] = set()
        self._errors: list[BaseException] = []
        self._idle: defaultdict[int, list[Process]] = defaultdict(list)
        """By device, the processes of ops that have ended: what has run in a lane finds its plans there."""

    def process_of(self, device: int, make: Callable[[int], Process]) -> Process:
        """One in whose lane of the device nothing runs; `make` makes that of a new lane."""
        with self._changed:
            return self._idle[device].pop() if self._idle[device] else make(self._transport.add_lane(device))

    def start(self, process: Process, function: Callable[[], None]) -> None:
        """Run `function` of `process`; return when it has ended, or has posted what it sends in an exchange, so that
        ops come to their meetings in the order in which they were started.
        """
        with self._changed:
            self._running.add(process)
        run_on_worker(partial(self._run, process, function))
        lane = self._transport.lanes[process.lane]
        while process in self._running and not lane.waits_for_others:
            time.sleep(_STEP)

    def _run(self, process: Process, function: Callable[[], None]) -> None:
        try:
            self._transport.delays.pause()
            function()
        except BaseException as error:
            self._errors.append(error)
            self._transport.fail(process.index, error)
        finally:
            with self._changed:
                self._running.remove(process)
                self._idle[process.index].append(process)
                self._changed.notify_all()

    def wait(self, device: int, ready: Callable[[], bool], waits_for: str, place: str | None) -> None:
        """Wait until an op is `ready`. Raises what has gone wrong in one of them, and why a device cannot go on."""
        start = time.monotonic()
        while not ready():
            if self._errors:
                raise self._errors[0]
            waited = time.monotonic() - start - _MARGIN
            error = self._transport.reason_to_stop(device, waits_for, place, waited)
            if error is not None:
                raise self._errors[0] if self._errors else error
            with self._changed:
                if not ready() and not self._errors:
                    self._changed.wait(_LOOK)

    def finish(self) -> list[BaseException]:
        """Wait for those that still run, which are stopped where something has failed; what they have raised."""
        with self._changed:
            while self._running:
                if self._transport.is_broken:
                    for process in self._running:
                        if process.activity is not None and process.activity.interrupt is not None:
                            process.activity.interrupt()
                self._changed.wait(_LOOK)
            errors, self._errors = self._errors, []
            return errors
