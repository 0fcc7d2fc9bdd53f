"""A grid of processes that are devices of this process, all at once, each on a thread of its own.

What they exchange in collectives goes through a transport in machine code. What needs Python (transfers, queues of the
host, ragged exchanges) meets under a lock of the grid. A watch looks for devices that wait in vain.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, cast

from ...errors import InvalidProgramError
from ...reference.processes import Activity, Process, ProcessGrid, ProcessId, Stopped, Terms, at_place
from ...reference.values import owned
from .exchanges import PERMUTE
from .local import TIMEOUT, DeviceFailedError, LocalTransport
from .workers import run_on_worker

_STEP = 2e-5
"""Seconds between two looks whether an asynchronous op has come to others."""

_LOOK = 0.05
"""Seconds between two looks for devices that wait in vain; only what both see counts."""


class _Wait(NamedTuple):
    """A device that waits in vain."""

    who: str
    what: str
    place: str | None
    rounds: int = 0
    """How often it has come to this exchange."""
    key: str = ""
    receiver: int | None = None
    """Who does not take what it sends."""


class DeviceActivity(Activity):
    """What a device does on a thread: its program, or an asynchronous op. `device` is the number of its lane."""

    def __init__(self, name: str, device: int, grid: DeviceGrid) -> None:
        super().__init__(name, lambda _: None)
        self.device = device
        self.is_waiting = False
        """For another one, in Python."""
        self._grid = grid
        self.is_stopped = False
        self._begun = threading.Lock()

    def prepare(self) -> None:
        """For another run."""
        self._begun, self.finished = threading.Lock(), False

    def begin(self) -> bool:
        """Whether nobody else has begun with this run, or cancelled it; nobody does any more."""
        return self._begun.acquire(blocking=False)

    def wait(self, ready: Callable[[], bool], waits_for: str, place: str | None) -> None:
        condition = self._grid.condition
        self._grid.transport.delays.pause()
        with condition:
            condition.notify_all()  # what this one has brought may be what others wait for
            deadline = time.monotonic() + self._grid.transport.timeout
            self.ready, self.waits_for, self.waits_at = ready, waits_for, place
            self.is_waiting = True
            while not ready():
                if self.is_stopped:
                    raise Stopped
                if not condition.wait(max(0.0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise self._grid.late(self)
            self.is_waiting = False

    def stop(self) -> None:
        self.is_stopped = True
        if self.begin():
            self.finished = True
        if self.interrupt is not None:
            self.interrupt()
        with self._grid.lock:
            self._grid.condition.notify_all()


@dataclass(frozen=True)
class DeviceProcess(Process):
    """One of the devices, as its own program sees it."""

    own_lane: int | None = None
    """Of an asynchronous op."""

    @property
    def lane(self) -> int:
        return self.index if self.own_lane is None else self.own_lane

    def await_turn(self) -> None:
        """Waits until the devices with lower numbers have finished, or wait for others."""
        grid = cast(DeviceGrid, self.grid)
        while not grid.is_turn_of(self.index):
            time.sleep(_STEP)
            if cast(DeviceActivity, self.activity).is_stopped:
                raise Stopped

    def start(self, function: Callable[[Process, Any], None], value: Any) -> None:
        """Runs `function` of a copy of `value` on a thread of its own, and goes on when that has come to others."""
        cast(DeviceGrid, self.grid).start_beside(self, function, owned(value))


class DeviceGrid(ProcessGrid):
    """`replicas` times `partitions` devices, which wait for each other for at most `timeout` seconds."""

    def __init__(self, replicas: int, partitions: int, timeout: float = TIMEOUT) -> None:
        super().__init__(replicas, partitions)
        self.transport = LocalTransport(replicas * partitions, lambda device: divmod(device, partitions), timeout)
        self.lock = threading.RLock()
        """Of all that follows. The thread that has called uses this one: `with` a condition is Python code, which a
        signal may interrupt."""
        self.condition = threading.Condition(self.lock)
        self._news: SimpleQueue[None] = SimpleQueue()
        """That something has been posted, or a device has finished."""
        self._devices: list[DeviceActivity] = []
        """Those of the run that is going on, and asynchronous ops."""
        self._errors: list[BaseException] = []
        self._idle: dict[int, list[DeviceProcess]] = {}
        """By device, the lanes of asynchronous ops that have ended."""

    def process(self, replica: int, partition: int) -> Process:
        return DeviceProcess(self, replica, partition)

    def post(self, address: Hashable, value: Any, terms: Terms) -> None:
        self.transport.delays.pause()
        with self.condition:
            super().post(address, value, terms)
            self.condition.notify_all()
            self._news.put(None)

    def meet(self, process: Process, key: str, group: Sequence[ProcessId], value: Any, terms: Terms) -> list[Any]:
        self.transport.delays.pause()
        with self.condition:
            return super().meet(process, key, group, value, terms)

    def bound(self, id: ProcessId) -> Process:
        """A process with the activity that it has in all runs of this grid."""
        device = id[0] * self.partitions + id[1]
        return replace(self.process(*id), activity=DeviceActivity(f"process {id}", device, self))

    def run(self, functions: dict[ProcessId, Callable[[Process], Any]]) -> dict[ProcessId, Any]:
        return self.run_bound({id: (self.bound(id), function) for id, function in functions.items()})

    def run_bound(self, functions: dict[ProcessId, tuple[Process, Callable[[Process], Any]]]) -> dict[ProcessId, Any]:
        """The results of all functions. Raises the first error; the other devices are stopped."""
        results: dict[ProcessId | None, Any] = {}
        self._errors = []
        self._news = SimpleQueue()
        self._devices = [cast(DeviceActivity, process.activity) for process, _ in functions.values()]
        for activity in self._devices:
            activity.prepare()
        try:
            for id, (process, function) in functions.items():
                run_on_worker(partial(self._run, id, process, function, results))
            self._watch()
        finally:
            self._stop()
        if self._errors:
            raise next((e for e in self._errors if not isinstance(e, DeviceFailedError)), self._errors[0])
        self._check_mail()
        return {id: results[id] for id in functions}

    def start_beside(self, process: DeviceProcess, function: Callable[[Process, Any], None], value: Any) -> None:
        """Run `function` beside a process; return when it waits for others or has ended, so that asynchronous ops come
        to their meetings in the order in which they were started.
        """
        with self.condition:
            child = self._lane_beside(process)
            activity = cast(DeviceActivity, child.activity)
            activity.prepare()
            if activity not in self._devices:
                self._devices.append(activity)

        def run(child: Process) -> None:
            function(child, value)

        def work() -> None:
            self._run(None, child, run, {})
            with self.condition:
                self._idle.setdefault(process.index, []).append(child)

        run_on_worker(work)
        lane = self.transport.lanes[activity.device]
        while not (activity.finished or activity.is_waiting or lane.waits_for_others):
            time.sleep(_STEP)

    def _lane_beside(self, process: DeviceProcess) -> DeviceProcess:
        """A lane of the device in which nothing runs: what has run in one before finds its plans there."""
        if idle := self._idle.get(process.index):
            return idle.pop()
        lane = self.transport.add_lane(process.index)
        activity = DeviceActivity(f"process {process.id} (asynchronous)", lane, self)
        return replace(process, activity=activity, own_lane=lane)

    def _run(
        self,
        id: ProcessId | None,
        process: Process,
        function: Callable[[Process], Any],
        results: dict[ProcessId | None, Any],
    ) -> None:
        activity = cast(DeviceActivity, process.activity)
        if not activity.begin():
            return
        try:
            self.transport.delays.pause()
            results[id] = function(process)
        except Stopped:
            pass
        except BaseException as error:
            if not isinstance(error, DeviceFailedError):
                error.add_note(f"in {activity.name}")
            self._errors.append(error)
            self.transport.break_off()
        finally:
            with self.condition:
                activity.finished = True
                self.condition.notify_all()
                self._news.put(None)

    def _watch(self) -> None:
        """Until all devices have finished, one has failed, or some wait in vain."""
        before = list[_Wait]()
        while not self._errors and self._is_running():
            if self._has_news():
                continue
            with self.lock:
                vain = self._in_vain()
            if vain and vain == before and not self._errors:
                raise self._vain_error(vain)
            before = vain

    def _is_running(self) -> bool:
        with self.lock:
            return any(not device.finished for device in self._devices)

    def _has_news(self) -> bool:
        """Whether there are any, within the time between two looks."""
        try:
            self._news.get(timeout=_LOOK)
        except Empty:
            return False
        return True

    def _in_vain(self) -> list[_Wait]:
        """Who waits for what, if nobody else can help: for devices that have finished or wait themselves."""
        found: list[_Wait] = []
        count = self.replicas * self.partitions
        ended = {device.device for device in self._devices if device.finished and device.device < count}
        is_hopeless, running = False, [device for device in self._devices if not device.finished]
        for device in running:
            if device.is_waiting:
                if not device.ready():
                    found.append(_Wait(device.name, device.waits_for, device.waits_at))
                continue
            pending = self.transport.pending(device.device)
            if pending is not None and pending[1]:
                exchange, missing = pending[0].exchange, pending[1]
                members = list(map(self._name, exchange.members))
                receiver = next(iter(missing)) if exchange.key.startswith(PERMUTE) and exchange.sends else None
                what = f"{members} in {exchange.key}"
                found.append(_Wait(device.name, what, exchange.terms.place, pending[0].called, exchange.key, receiver))
                is_hopeless = is_hopeless or bool(missing & ended)
        return found if is_hopeless or len(found) == len(running) else []

    def _vain_error(self, waits: list[_Wait]) -> InvalidProgramError:
        first = waits[0]
        if first.receiver is not None:
            who = f"process {self._name(first.receiver)} did not receive what {first.who} sent in {first.key}"
            return InvalidProgramError(f"'{PERMUTE}' op: {who}", location=first.place)
        text = "; ".join(f"{wait.who} waits for {wait.what}{at_place(wait.place)}" for wait in waits)
        return InvalidProgramError(f"the program cannot finish: {text}", location=first.place)

    def is_turn_of(self, number: int) -> bool:
        """Whether the devices with lower numbers have finished, or wait for others."""
        with self.condition:
            return all(self._is_held_up(device) for device in self._devices if device.device < number)

    def _is_held_up(self, device: DeviceActivity) -> bool:
        if device.finished:
            return True
        if device.is_waiting:
            return not device.ready()
        pending = self.transport.pending(device.device)
        return pending is not None and bool(pending[1])

    def _name(self, device: int) -> ProcessId:
        return divmod(device, self.partitions)

    def late(self, device: DeviceActivity) -> InvalidProgramError:
        """That a device has waited too long in Python."""
        message = f"{device.name} has waited {self.transport.timeout:g} seconds for {device.waits_for}"
        return InvalidProgramError(message, location=device.waits_at)

    def _stop(self) -> None:
        """End what still runs, and wait for it."""
        if not self._is_running():
            return
        self.transport.break_off()
        while self._is_running():
            with self.lock:
                running = [device for device in self._devices if not device.finished]
            for device in running:
                device.stop()
            self._has_news()
