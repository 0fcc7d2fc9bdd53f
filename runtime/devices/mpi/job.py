"""A grid of programs whose devices are in the processes of a job of MPI.

Each process runs its own devices all at once, the first one on the thread of the call, each other one on one of its
own. What they exchange in collectives goes through plans of the transport, one for each op; what `send` posts, whose
receiver need not wait at that time, is mail.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from ....errors import UnsupportedError
from ....reference.process_groups import Collective
from ....reference.processes import Activity, PairAddress, Process, ProcessGrid, ProcessId, Terms
from ....reference.values import owned
from ..exchanges import grid_number
from ..local import DeviceFailedError
from ..plan import Exchange, Receive, Send
from ..workers import run_on_worker
from .beside import AsynchronousOps
from .mail import Mail
from .transport import MpiTransport

START = "the start of programs"
_NOTHING = np.zeros(0, np.uint8)


class JobGrid(ProcessGrid):
    """A grid of which only some processes are here."""

    def __init__(self, replicas: int, partitions: int, transport: MpiTransport) -> None:
        super().__init__(replicas, partitions)
        self.transport = transport
        self.mail = Mail(transport)
        self.plans: dict[Hashable, tuple[int, Collective]] = {}
        """By device, collective and sizes; with the collective, whose identity is part of the key."""
        self.starts: dict[str, int] = {}
        """The plans of `meet_at_start`."""
        self._processes: dict[ProcessId, JobProcess] = {}
        self.beside = AsynchronousOps(transport)

    def process(self, replica: int, partition: int) -> Process:
        """The same one each time."""
        id = replica, partition
        if id not in self._processes:
            activity = Activity(f"process {id}", lambda _: None)
            self._processes[id] = JobProcess(self, replica, partition, activity)
        return self._processes[id]

    def number(self, process: ProcessId) -> int:
        """That of the device."""
        return grid_number(self, process)

    def post(self, address: Hashable, value: Any, terms: Terms) -> None:
        """As in a grid of one process; the receiver must be known."""
        receiver = address.target if isinstance(address, PairAddress) else cast("tuple[Any, ...]", address)[-1]
        if receiver is None:
            raise UnsupportedError(
                f"'{terms.name}' op: without source_target_pairs, between processes of a job", location=terms.place
            )
        self.transport.delays.pause()
        self.mail.send(self.number(receiver), address, value, terms)


@dataclass(frozen=True)
class JobProcess(Process):
    """One of the processes that are here, as its own program sees it."""

    own_lane: int | None = None
    """Of an asynchronous op."""

    @property
    def device(self) -> int:
        """Its number."""
        return self.index

    @property
    def lane(self) -> int:
        return self.index if self.own_lane is None else self.own_lane

    @property
    def _job(self) -> JobGrid:
        return cast(JobGrid, self.grid)

    def wait(self, ready: Callable[[], bool], waits_for: str, place: str | None) -> None:
        self._job.beside.wait(self.device, ready, waits_for, place)

    def exchange(self, collective: Collective, value: Any) -> tuple[int, list[Any]] | None:
        """As in a grid of one process. Raises what `MpiTransport.failure` returns."""
        group = next((group for group in collective.groups if self.id in group), None)
        if group is None:
            return None
        if len(group) == 1:
            return 0, [value]
        is_single = isinstance(value, np.ndarray)
        arrays = cast("Sequence[np.ndarray]", [value] if is_single else value)
        operands = [np.ascontiguousarray(array) for array in arrays]
        stacks = [np.empty((len(group), *array.shape), array.dtype) for array in operands]
        plan = self._plan(collective, group, operands)
        self._job.transport.exchange(self.lane, plan, operands, stacks)
        places = range(len(group))
        values = [stacks[0][i] if is_single else tuple(stack[i] for stack in stacks) for i in places]
        return group.index(self.id), values

    def _plan(self, collective: Collective, group: Sequence[ProcessId], operands: Sequence[np.ndarray]) -> int:
        grid, sizes = self._job, tuple(array.nbytes for array in operands)
        key = self.lane, id(collective), sizes
        if key not in grid.plans:
            members = tuple(map(grid.number, group))
            exchange = gathering(collective.key, members, self.device, collective.terms, sizes)
            grid.plans[key] = grid.transport.plan(self.lane, exchange), collective
        return grid.plans[key][0]

    def receive(self, address: Hashable, waits_for: str, place: str | None) -> tuple[Terms, Any]:
        """As in a grid of one process."""
        return self._job.mail.receive(self.device, address, waits_for, place)

    def start(self, function: Callable[[Process, Any], None], value: Any) -> None:
        """Runs `function` of a copy of `value` on a thread of its own, and goes on when that waits for others."""
        beside, kept = self._job.beside, owned(value)
        child = beside.process_of(self.device, self._in_lane)
        beside.start(child, lambda: function(child, kept))

    def _in_lane(self, lane: int) -> Process:
        activity = Activity(f"process {self.id} (asynchronous)", lambda _: None)
        return replace(self, activity=activity, own_lane=lane)


def gathering(key: str, members: tuple[int, ...], device: int, terms: Terms, sizes: Sequence[int]) -> Exchange:
    """Each member gets all operands, of `sizes` bytes, of all members, one after the other."""
    receives = [
        Receive(peer, index, 0, index, place * size, size)
        for place, peer in enumerate(members)
        for index, size in enumerate(sizes)
    ]
    sends = [Send(peer, index, 0, size) for peer in members if peer != device for index, size in enumerate(sizes)]
    return Exchange(key, members, terms, len(sizes), tuple(receives), tuple(sends))


def meet_at_start(grid: JobGrid, agreed: dict[str, str]) -> None:
    """Wait for all processes, which have to agree on something. Raises what `MpiTransport.failure` returns."""
    transport = grid.transport
    firsts = [transport.first_device(rank) for rank in range(transport.size)]
    members, device = tuple(first for first in firsts if first >= 0), firsts[transport.rank]
    if device < 0 or len(members) == 1:
        return
    key = repr(agreed)
    if key not in grid.starts:
        exchange = gathering(START, members, device, Terms(START, agreed, None), [0])
        grid.starts[key] = transport.plan(device, exchange)
    transport.exchange(device, grid.starts[key], [_NOTHING], [_NOTHING])


def run_devices(
    grid: JobGrid, tasks: dict[ProcessId, Callable[[], Any]], agreed: dict[str, str] | None
) -> dict[ProcessId, Any]:
    """The results of the functions of the processes that are here. Raises the first error; the others hear of it.

    agreed: what all processes have to agree on before; None: they have
    """
    transport = grid.transport
    results: dict[ProcessId, Any] = {}
    errors: list[BaseException] = []

    def run(id: ProcessId) -> None:
        try:
            transport.delays.pause()
            results[id] = tasks[id]()
        except BaseException as error:
            errors.append(error)
            transport.fail(grid.number(id), error)

    with transport.reporting():
        if agreed is not None:
            meet_at_start(grid, agreed)
            transport.has_met = True
        try:
            _run_all(transport, [cast(JobProcess, grid.process(*id)) for id in tasks], run, errors)
        finally:
            errors += grid.beside.finish()
        if errors:
            raise next((error for error in errors if not isinstance(error, DeviceFailedError)), errors[0])
    return results


def _run_all(
    transport: MpiTransport,
    processes: Sequence[JobProcess],
    run: Callable[[ProcessId], None],
    errors: Sequence[BaseException],
) -> None:
    """Run the first process on this thread, where handlers of signals run meanwhile if it is the main one, and the
    others on threads of their own; `errors` is what `run` notes.
    """
    ended: queue.SimpleQueue[ProcessId] = queue.SimpleQueue()

    def work(id: ProcessId) -> None:
        run(id)
        ended.put(id)

    for process in processes[1:]:
        run_on_worker(partial(work, process.id))
    left = max(0, len(processes) - 1)
    try:
        for process in processes[:1]:
            run(process.id)
        if left and (raised := next((error for error in errors if not isinstance(error, Exception)), None)):
            raise raised
        while left:
            ended.get()
            left -= 1
    except BaseException:
        transport.stop()
        for process in processes:
            if process.activity is not None and process.activity.interrupt is not None:
                process.activity.interrupt()
        for _ in range(left):
            ended.get()
        raise
