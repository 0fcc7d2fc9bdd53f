"""Exchanges of the devices of a job of MPI: plans and failures; native code (`exchange_code.py`) does the rest.

Each process has some of the devices, all numbered through. Those of a process exchange what they have in its memory,
others through MPI, as few messages as there are pairs of devices. What MPI is asked for is asked for under one lock, so
that `MPI_THREAD_SERIALIZED` is enough.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import NoReturn

import numpy as np

from ....decisions.messages import Messages
from ....errors import InvalidProgramError, ProgramTimeoutError, UnsupportedError, XlaError
from ....lowering.to_llvm.context_layout import SAFEPOINT
from ....reference.processes import ProcessId, Terms
from ...buffers import data_address
from ...engine import NativeCode
from ...function_addresses import function_address
from ...futexes import futex
from ...process_table import TABLE
from ...safepoints import offer_safepoints
from ...support_code import support_code
from ..delays import current_delays
from ..exchange_code import exchange_code
from ..layout import Code, Device, Process
from ..local import TIMEOUT, DeviceFailedError, LocalDevice, await_idle
from ..plan import Channels, Exchange, PlanMemory, Surroundings
from .ending import SOON
from .failures import Attendance, describe_missing, describe_others
from .library import FUNCTIONS, Library, MpiError, mpi_library
from .notices import GRACE, Notice, Notices

_SLICE = 50_000_000
"""After so many nanoseconds handlers of signals may run."""


@cache
def _code(pauses: str) -> NativeCode:
    return support_code(exchange_code(pauses), ("begin", "end", "lock", "unlock"))


class _NativeLock:
    """Held by the thread that talks to MPI, also in native code."""

    def __init__(self, code: NativeCode, process: int) -> None:
        type = ctypes.CFUNCTYPE(None, ctypes.c_size_t)
        self._lock, self._unlock = type(code.address("lock")), type(code.address("unlock"))
        self._process = process

    def __enter__(self) -> None:
        self._lock(self._process)

    def __exit__(self, *_: object) -> None:
        self._unlock(self._process)


class MpiTransport:
    """The transport of a job. All its processes make one at the same time."""

    def __init__(
        self, timeout: float = TIMEOUT, library: Library | None = None, numbers: Messages | None = None
    ) -> None:
        """Raises `MpiError` without an MPI library, and `ProgramTimeoutError` where not all processes come."""
        self.library = library or mpi_library(timeout)
        self.timeout = timeout
        comm = self.library.own_world(timeout)
        if comm is None:
            raise ProgramTimeoutError(f"not all processes of the job have come within {timeout:g} seconds")
        self.comm = comm
        self.rank, self.size = self.library.rank(comm), self.library.size(comm)
        self.notices = Notices(self.library, comm)
        self.failure_reported = False
        self.has_met = False
        """Whether the processes have agreed on a grid of its devices."""
        self._is_closed = False
        self.library.ending.steps.append(self._close_at_exit)
        self.devices: dict[int, LocalDevice] = {}
        """Those of this process, by number."""
        self.lanes: dict[int, LocalDevice] = {}
        """The same, and what they do beside their programs, with numbers behind those of all devices."""
        self._ranks: list[int] = []
        self._partitions = 1
        self.delays = current_delays()
        self._words = self._process_words()
        self._surroundings = Surroundings(
            self.rank_of,
            self.rank,
            self.library.largest_tag(comm) + 1,
            self.library.abi.handle_bytes,
            Channels(),
            numbers or Messages(),
        )
        self._code = code = _code(self.delays.code)
        self.begin, self.end = code.address("begin"), code.address("end")
        types = (ctypes.c_int32, ctypes.c_size_t, ctypes.c_int64, ctypes.c_size_t, ctypes.c_size_t)
        self._begin, self._end = ctypes.CFUNCTYPE(*types)(self.begin), ctypes.CFUNCTYPE(*types)(self.end)

    def place(self, ranks: Sequence[int], partitions: int = 1) -> None:
        """Say, once, which process has each device. `partitions`: of each replica."""
        assert all(0 <= rank < self.size for rank in ranks) and not self.devices
        self._ranks = list(ranks)
        self._partitions = partitions
        address = data_address(self._words)
        local = [number for number, rank in enumerate(self._ranks) if rank == self.rank]
        self.devices = {number: LocalDevice(number, address) for number in local}
        for device in self.devices.values():
            device.is_on_caller = len(local) == 1
        self.lanes = dict(self.devices)
        if len(local) > 1:
            self.library.lock = _NativeLock(self._code, address)

    def add_lane(self, device: int) -> int:
        """The number of another lane of a device of this process."""
        address = data_address(self._words)
        self.library.lock = _NativeLock(self._code, address)
        number = self.count + len(self.lanes) - len(self.devices)
        self.lanes[number] = LocalDevice(device, address)
        return number

    @property
    def count(self) -> int:
        """How many devices there are in all processes."""
        return len(self._ranks)

    def rank_of(self, device: int) -> int:
        """The rank of the process of a device."""
        return self._ranks[device]

    def first_device(self, rank: int) -> int:
        """The first device of a process, or -1 if it has none."""
        return self._ranks.index(rank) if rank in self._ranks else -1

    def _process_words(self) -> np.ndarray:
        library, system = self.library, ctypes.CDLL(None)
        words = np.zeros(len(Process), np.int64)
        names = (Process.ISEND, Process.IRECV, Process.TESTALL, Process.IPROBE)
        for word, name in zip(names, FUNCTIONS, strict=True):
            words[word] = library.address(name)
        for word in (Process.CLOCK_GETTIME, Process.SCHED_YIELD, Process.NANOSLEEP):
            words[word] = function_address(getattr(system, word.name.lower()))
        words[Process.SYSCALL], words[Process.FUTEX] = futex()
        words[Process.SAFEPOINT] = TABLE[SAFEPOINT] if offer_safepoints() else 0
        words[Process.BYTE], words[Process.COMM] = library.byte, self.comm
        words[Process.ANY_SOURCE] = library.abi.any_source
        words[Process.STATUSES_IGNORE] = library.abi.statuses_ignore
        words[Process.REQUEST_BYTES] = library.abi.handle_bytes
        words[Process.SLICE] = _SLICE
        words[Process.TIMEOUT] = round(min(self.timeout, 1e9) * 1e9)
        self.delays.write(words, self.rank)
        return words

    def plan(self, lane: int, exchange: Exchange) -> int:
        """The index of the plan of an exchange of a device of this process, or of one of its lanes."""
        found = self.lanes[lane]
        return found.add(PlanMemory(exchange, found.number, self._surroundings))

    # Exchanges from Python

    def exchange(self, lane: int, plan: int, operands: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
        """Begin and end an exchange. Raises what `failure` returns; handlers of signals run in between."""
        inputs, outputs = _table(operands), _table(results)
        arguments = self.lanes[lane].address, plan, data_address(inputs), data_address(outputs)
        try:
            code = self._begin(*arguments)
            if code == Code.DONE:
                while (code := self._end(*arguments)) == Code.AGAIN:
                    pass
        except BaseException:
            self._cancel(self.lanes[lane].plans[plan])
            raise
        if code != Code.DONE:
            raise self.failure(lane, plan, code)

    # Failures

    def name(self, device: int) -> ProcessId:
        """Replica and partition of a device."""
        return divmod(device, self._partitions)

    def failure(self, lane: int, plan: int, code: int) -> XlaError:
        """What has happened to an exchange for which native code has returned `code`; tells the other processes."""
        memory, device = self.lanes[lane].plans[plan], self.lanes[lane].number
        terms, key = memory.exchange.terms, memory.exchange.key
        attendance = self._attendance(memory)
        self.stop()
        self._cancel(memory)
        reason = "was stopped" if code == Code.STOPPED else f"waits in {key}"
        stays = SOON if code in (Code.STOPPED, Code.TIMED_OUT) else self.timeout
        self._tell(Notice(device, reason, key, terms.name, terms.agreed, terms.place, stays))
        match code:
            case Code.OTHER_TERMS:
                return self._other_terms(lane, memory)
            case Code.TIMED_OUT:
                return self._late(device, memory, attendance)
            case Code.NOTICE:
                return self._noticed(device, memory, attendance)
            case Code.STOPPED:
                return DeviceFailedError(
                    f"'{terms.name}' op: process {self.name(device)} was stopped in {key}", location=terms.place
                )
            case Code.FULL:
                return UnsupportedError(f"'{terms.name}' op: too many of them at once in {key}", location=terms.place)
            case _:
                return self._failed(lane, memory)

    def reason_to_stop(self, device: int, waits_for: str, place: str | None, waited: float) -> XlaError | None:
        """Why a device that has `waited` so many seconds for a value cannot go on; None if it can."""
        self.notices.read()
        is_broken = bool(self._words[Process.BROKEN]) or bool(self.notices.heard)
        if not is_broken and waited <= self.timeout:
            return None
        self._words[Process.BROKEN] = 1
        stays = self.timeout if is_broken else SOON
        self._tell(Notice(device, f"waits for {waits_for}", place=place, stays=stays))
        known = self._known_of_others(device)
        who = f"process {self.name(device)}"
        if is_broken:
            return DeviceFailedError(f"{who} cannot go on waiting for {waits_for}; {known}", location=place)
        return ProgramTimeoutError(f"{who} has waited {waited:.3g} seconds for {waits_for}; {known}", location=place)

    def failed_waiting(self, device: int, waits_for: str, place: str | None, error: MpiError) -> XlaError:
        """What to raise where MPI fails while a device waits for a value: who was sending it is gone."""
        self._words[Process.BROKEN] = 1
        self._tell(Notice(device, f"waits for {waits_for}", place=place, stays=self.timeout))
        known = self._known_of_others(device)
        message = (
            f"process {self.name(device)} cannot go on waiting for {waits_for}: MPI fails there ({error}); {known}"
        )
        return DeviceFailedError(message, location=place)

    def _known_of_others(self, device: int) -> str:
        """What the other processes have said, after they have had time for it."""
        self.notices.wait(rank for rank in range(self.size) if rank != self.rank)
        return describe_others(self.name, device, self.notices, self._ranks)

    @property
    def is_broken(self) -> bool:
        """Whether something has failed here."""
        return bool(self._words[Process.BROKEN])

    def stop(self) -> None:
        """Have all devices of this process stop waiting."""
        self._words[Process.BROKEN] = 1
        await_idle(list(self.lanes.values()))

    def refuse(self) -> NoReturn:
        """Raise that there was a failure."""
        raise DeviceFailedError("the job has failed before: its processes cannot go on together")

    @contextmanager
    def reporting(self) -> Generator[None]:
        """What is raised here is told to the other processes."""
        if self.failure_reported:
            self.refuse()
        try:
            yield
        except BaseException as error:
            self.fail(self.first_device(self.rank), error)
            raise

    def fail(self, device: int, error: BaseException) -> None:
        """Tell the other processes that a device has failed outside of exchanges."""
        self._words[Process.BROKEN] = 1
        if not self.failure_reported:
            place = getattr(error, "location", None)
            message = getattr(error, "message", "") or str(error) or type(error).__name__
            stays = self.timeout if isinstance(error, Exception) else SOON
            self._tell(Notice(device, f"has failed: {message}", place=place, stays=stays))

    def _tell(self, notice: Notice) -> None:
        if not self.failure_reported:
            self.failure_reported = True
            ending = self.library.ending
            ending.fail(notice.stays)
            self.notices.read()
            ending.leaves = min(ending.leaves, self.notices.others_leave)
            self.notices.send([replace(notice, stays=ending.leaves - time.monotonic())])

    def _attendance(self, memory: PlanMemory) -> Attendance:
        """The devices of other processes that have come, and those of them that have not done their part."""
        numbered = list(enumerate(memory.remote))
        pending = {number for number, _ in numbered if not self._is_done(memory.request(number), failed=False)}
        headers, direct = numbered[: memory.staged], numbered[memory.staged :]
        came = {peer for number, (peer, sends) in headers if not sends and number not in pending}
        stalled = {peer for number, (peer, _) in direct if number in pending}
        stalled |= {peer for peer, request in memory.awaited_pieces() if not self._is_done(request, failed=False)}
        return Attendance(came, stalled & came)

    def _is_done(self, request: int, failed: bool = True) -> bool:
        """Whether the request at an address is done; `failed`: whether one counts that has failed."""
        try:
            return self.library.is_done(self.library.request_at(request))
        except MpiError:
            return failed

    def _cancel(self, memory: PlanMemory) -> None:
        """Take back what was posted, so that nothing is written into memory of the program any more."""
        numbers = [
            n for n, (_, sends) in enumerate(memory.remote) if not sends and not self._is_done(memory.request(n))
        ]
        for number in numbers:
            self.library.cancel(self.library.request_at(memory.request(number)))
        deadline = time.monotonic() + GRACE
        while numbers and time.monotonic() < deadline:
            numbers = [number for number in numbers if not self._is_done(memory.request(number))]

    def _other_terms(self, lane: int, memory: PlanMemory) -> XlaError:
        device, terms = self.lanes[lane].number, memory.exchange.terms
        number = int(self.lanes[lane].words[Device.MESSAGE])
        peer = (memory.remote + memory.local)[number][0]
        self.notices.wait([self._ranks[peer]])
        notice = self.notices.received.get(peer)
        if notice is None and peer in self.devices:
            return InvalidProgramError(
                f"'{terms.name}' op: process {self.name(device)} meets process {self.name(peer)} with other terms",
                location=terms.place,
            )
        if notice is not None and notice.agreed:
            theirs = Terms(notice.name, {"op": notice.name, **notice.agreed}, notice.place)
            own = Terms(terms.name, {"op": terms.name, **terms.agreed}, terms.place)
            try:
                own.check(self.name(device), theirs, self.name(peer))
            except InvalidProgramError as error:
                return error
        return InvalidProgramError(
            f"'{terms.name}' op: process {self.name(device)} meets process {self.name(peer)} with another exchange"
            f" in {memory.exchange.key}",
            location=terms.place,
        )

    def _missing(self, device: int, memory: PlanMemory, attendance: Attendance) -> str:
        """Who has come and who has not, and what is known of these."""
        self.notices.wait(rank for rank in range(self.size) if rank != self.rank)
        expected = {peer for peer, sends in (*memory.remote, *memory.local) if not sends}
        here = {peer for peer in expected if peer in self.devices}
        missing = expected - attendance.came - here
        if not missing and not attendance.stalled:  # it has not taken what was sent
            quiet = {peer for peer in attendance.came if self._ranks[peer] not in self.notices.heard}
            attendance = attendance._replace(stalled=quiet)
        return describe_missing(self.name, device, attendance, missing, self.notices, self._ranks)

    def _late(self, device: int, memory: PlanMemory, attendance: Attendance) -> XlaError:
        terms = memory.exchange.terms
        return ProgramTimeoutError(
            f"'{terms.name}' op: process {self.name(device)} has waited {self.timeout:g} seconds in "
            f"{memory.exchange.key}; {self._missing(device, memory, attendance)}",
            location=terms.place,
        )

    def _noticed(self, device: int, memory: PlanMemory, attendance: Attendance) -> XlaError:
        terms = memory.exchange.terms
        return DeviceFailedError(
            f"'{terms.name}' op: process {self.name(device)} cannot go on in {memory.exchange.key}; "
            f"{self._missing(device, memory, attendance)}",
            location=terms.place,
        )

    def _failed(self, lane: int, memory: PlanMemory) -> XlaError:
        """MPI has; so it does where a process is gone that was sending or receiving."""
        terms, error = memory.exchange.terms, int(self.lanes[lane].words[Device.ERROR])
        device = self.lanes[lane].number
        known = self._known_of_others(device)
        return DeviceFailedError(
            f"'{terms.name}' op: process {self.name(device)} cannot go on in {memory.exchange.key}: MPI fails there "
            f"({self.library.message(error)}); {known}",
            location=terms.place,
        )

    # The end

    def close(self) -> None:
        """Tell the other processes that the programs here have ended, and wait until theirs have.

        MPI's own end would wait for them too, and could not hear that one has failed. After a failure they may be
        compiling, or about to say what has failed, and launchers end those that are left when a process ends that has
        not ended MPI.
        """
        if self._is_closed:
            return
        self._is_closed = True
        self.notices.send_end()
        self.notices.flush()
        while not self._is_time_to_leave():
            time.sleep(0.001)
        if self._has_failed:
            self.library.ending.has_failed = True

    @property
    def _has_failed(self) -> bool:
        """Whether something has failed, here or in another process."""
        return self.failure_reported or bool(self.notices.heard)

    def _close_at_exit(self, error: BaseException | None) -> None:
        """An exception that ends the process is told to the others, wherever it was raised."""
        if error is not None and not self._is_closed:
            self.fail(self.first_device(self.rank), error)
        self.close()

    def _is_time_to_leave(self) -> bool:
        """Whether all others have said what they had to say, or, after a failure, have had time for it."""
        self.notices.read()
        ending = self.library.ending
        ending.leaves = min(ending.leaves, self.notices.others_leave)
        return len(self.notices.ended) == self.size - 1 or time.monotonic() > ending.leaves

    def leave(self, code: int) -> None:
        """End this process at once if the job has failed: MPI would wait for processes that are gone. The exit code is
        `code`, or 1 where only others know of a failure.
        """
        self.library.ending.end(code or 1)
        if self.library.ending.has_failed:
            os._exit(code or 1)


def _table(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.array([data_address(array) for array in arrays] or [0], np.uintp)
