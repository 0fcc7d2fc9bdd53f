"""The transport between devices of one process: they read each other's operands where these are."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np

from ...decisions.messages import Messages
from ...errors import InvalidProgramError, ProgramTimeoutError, UnsupportedError, XlaError
from ...reference.processes import ProcessId, Terms
from ..buffers import data_address
from ..engine import NativeCode
from ..function_addresses import function_address
from ..futexes import futex
from ..support_code import support_code
from .delays import current_delays
from .exchange_code import exchange_code
from .layout import ENTRIES, WORD, Channel, Code, Device, Entry, Message, Plan, Process
from .plan import Channels, Exchange, PlanMemory, Surroundings, device_words

TIMEOUT = 60.0
"""How many seconds a device waits for others by default."""

_STEP = 1e-5
"""Seconds between two looks at devices."""

_NO_TAGS = 1 << 16
_MOST_PLANS = 1 << 12
"""How many plans a device has room for at first."""

_NO_PROBE = """
define i32 @no_probe(i32 %source, i32 %tag, i64 %comm, ptr %flag, ptr %status) {
  ret i32 0
}
"""
"""Nobody sends notices of failures within a process: there is a word for that."""


class DeviceFailedError(XlaError):
    """A device cannot go on because another one has failed."""


@cache
def _code(pauses: str) -> NativeCode:
    return support_code(exchange_code(pauses) + _NO_PROBE, ("begin", "end", "no_probe"))


class LocalDevice:
    """A device: its words and plans."""

    def __init__(self, number: int, process: int) -> None:
        self.number = number
        self.is_on_caller = False
        self.words = device_words(process)
        self.address = data_address(self.words)
        self.plans: list[PlanMemory] = []
        self._never = np.zeros(1, np.int64)
        self._table = np.zeros(_MOST_PLANS, np.uintp)
        self.words[Device.PLANS] = data_address(self._table)
        self.run_in(data_address(self._never), 0)

    @property
    def run(self) -> tuple[int, int]:
        """What `run_in` was told last."""
        return int(self.words[Device.STOP]), int(self.words[Device.CONTEXT])

    @property
    def is_busy(self) -> bool:
        """Whether it reads and writes buffers of other devices."""
        return bool(self.words[Device.BUSY])

    @property
    def waits_for_others(self) -> bool:
        """Whether it is in an exchange for which it has posted everything."""
        return any(plan.words[Plan.POSTED] > plan.words[Plan.ENDED] for plan in self.plans)

    def run_in(self, stop: int, context: int) -> None:
        """Wait for others on behalf of a run: until the word at `stop` is not 0, with safepoints in its `context`."""
        self.words[Device.STOP], self.words[Device.CONTEXT] = stop, context

    def add(self, plan: PlanMemory) -> int:
        """The index of a new plan. Plans are added between runs."""
        if len(self.plans) == len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
            self.words[Device.PLANS] = data_address(self._table)
        self._table[len(self.plans)] = plan.address
        self.plans.append(plan)
        return len(self.plans) - 1


def await_idle(devices: Iterable[LocalDevice]) -> None:
    """Wait until no device touches buffers of another one, which will be gone. They have been told to stop."""
    waiting = list(devices)
    while waiting := [device for device in waiting if device.is_busy]:
        time.sleep(_STEP)


class LocalTransport:
    """Between `count` devices of this process, which wait for each other for at most `timeout` seconds."""

    def __init__(self, count: int, name: Callable[[int], ProcessId], timeout: float = TIMEOUT) -> None:
        """`name`: replica and partition of a device."""
        self.timeout = timeout
        self._name = name
        self.delays = current_delays()
        code, system = _code(self.delays.code), ctypes.CDLL(None)
        self.begin, self.end = code.address("begin"), code.address("end")
        self._words = words = np.zeros(len(Process), np.int64)
        for word in (Process.CLOCK_GETTIME, Process.SCHED_YIELD, Process.NANOSLEEP):
            words[word] = function_address(getattr(system, word.name.lower()))
        words[Process.SYSCALL], words[Process.FUTEX] = futex()
        words[Process.IPROBE] = code.address("no_probe")
        words[Process.TIMEOUT] = round(min(timeout, 1e9) * 1e9)
        self.delays.write(words)
        self.devices = {number: LocalDevice(number, data_address(words)) for number in range(count)}
        self._surroundings = Surroundings(_own_rank, 0, _NO_TAGS, 1, Channels(), Messages())

    @property
    def lanes(self) -> dict[int, LocalDevice]:
        """The devices, and what they do beside their programs."""
        return self.devices

    def plan(self, device: int, exchange: Exchange) -> int:
        """The index of the plan of an exchange of a device, or of one of its lanes."""
        lane = self.devices[device]
        return lane.add(PlanMemory(exchange, lane.number, self._surroundings))

    def add_lane(self, device: int) -> int:
        """The number of another lane of a device, for what it does beside its program."""
        number = len(self.devices)
        self.devices[number] = LocalDevice(device, data_address(self._words))
        return number

    def break_off(self) -> None:
        """Have all devices stop waiting."""
        self._words[Process.BROKEN] = 1
        await_idle(self.devices.values())

    # Who waits for whom

    def pending(self, device: int) -> tuple[PlanMemory, set[int]] | None:
        """The exchange that a device waits in, and the devices that have not come to it; None if it waits in none."""
        for plan in self.devices[device].plans:
            if plan.words[Plan.CALLED] != plan.words[Plan.ENDED]:
                missing = {peer for peer, is_there in self._peers(plan) if not is_there}
                return plan, missing
        return None

    def _peers(self, plan: PlanMemory) -> Iterator[tuple[int, bool]]:
        """Each device that sends or gets something in an exchange that is going on, and whether it has come."""
        first = int(plan.words[Plan.MESSAGES])
        for number, (peer, sends) in enumerate(plan.local):
            message = _words(first + number * len(Message) * WORD, len(Message))
            ticket, channel = message[Message.TICKET], message[Message.CHANNEL]
            if ticket and sends:
                yield peer, _words(channel, len(Channel))[Channel.RECEIVED] >= ticket
            elif ticket:
                place = len(Channel) + ticket % ENTRIES * len(Entry)
                yield peer, _words(channel + place * WORD, len(Entry))[Entry.READY] == ticket

    # Failures

    def failure(self, device: int, plan: int, code: int) -> XlaError:
        """What has happened to an exchange whose native code has returned `code`."""
        memory = self.devices[device].plans[plan]
        terms, key, who = memory.exchange.terms, memory.exchange.key, self._name(self.devices[device].number)
        self.break_off()
        match code:
            case Code.OTHER_TERMS:
                return self._other_terms(device, memory)
            case Code.TIMED_OUT:
                message = (
                    f"process {who} has waited {self.timeout:g} seconds in {key}; {self._who_came(device, memory)}"
                )
                return ProgramTimeoutError(f"'{terms.name}' op: {message}", location=terms.place)
            case Code.FULL:
                return UnsupportedError(f"'{terms.name}' op: too many of them at once in {key}", location=terms.place)
            case _:
                message = f"process {who} cannot go on in {key}: {self._who_came(device, memory)}"
                return DeviceFailedError(f"'{terms.name}' op: {message}", location=terms.place)

    def _who_came(self, device: int, memory: PlanMemory) -> str:
        found = self.pending(device)
        missing = set[int]() if found is None else found[1]
        came = {self.devices[device].number, *memory.exchange.members} - missing
        parts = [f"came: {', '.join(str(self._name(peer)) for peer in sorted(came))}"]
        if missing:
            parts.append(f"did not come: {', '.join(str(self._name(peer)) for peer in sorted(missing))}")
        return "; ".join(parts)

    def _other_terms(self, device: int, memory: PlanMemory) -> XlaError:
        terms, own = memory.exchange.terms, self.devices[device].number
        peer, _ = memory.local[int(self.devices[device].words[Device.MESSAGE]) - len(memory.remote)]
        for theirs in self._open_terms(peer):
            (first, second), (known, new) = sorted((own, peer)), (terms, theirs) if own < peer else (theirs, terms)
            try:
                _with_name(new).check(self._name(second), _with_name(known), self._name(first))
            except InvalidProgramError as error:
                return error
        return InvalidProgramError(
            f"'{terms.name}' op: process {self._name(own)} meets process {self._name(peer)} with another exchange"
            f" in {memory.exchange.key}",
            location=terms.place,
        )

    def _open_terms(self, device: int) -> list[Terms]:
        """Those of the exchanges that a device waits in."""
        plans = [plan for lane in self.devices.values() if lane.number == device for plan in lane.plans]
        return [plan.exchange.terms for plan in plans if plan.words[Plan.CALLED] != plan.words[Plan.ENDED]]


def _own_rank(device: int) -> int:
    return 0


def _words(address: int, count: int) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * count).from_address(address)


def _with_name(terms: Terms) -> Terms:
    return Terms(terms.name, {"op": terms.name, **terms.agreed}, terms.place)
