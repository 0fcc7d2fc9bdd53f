"""What generated code calls for a collective: a function in machine code, with what it needs behind its address.

    void exchange(closure, void **results, void **operands)

carries out an exchange of the device and writes numbers into further results. What the transport returns other than
success stays in the closure, and the run is told to stop.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any, Protocol

import numpy as np

from ...errors import XlaError
from ..buffers import data_address
from ..engine import NativeCode
from ..support_code import support_code
from .exchanges import Meaning
from .layout import Code, Device
from .plan import Exchange


class Closure(IntEnum):
    """Words of a closure; the number of its results and the numbers themselves follow."""

    FUNCTION = 0
    DEVICE = 1
    """Pointer to the words of the device."""
    PLAN = 2
    """Index of the plan; -1: there is nothing to exchange."""
    BEGIN = 3
    END = 4
    CODE = 5
    """What the transport has returned, if not 0."""
    FIRST = 6
    """The first result that is a number."""
    COUNT = 7
    """How many there are."""
    NUMBERS = 8


def _at(name: str, index: int) -> str:
    return f"{name}.at = getelementptr inbounds i64, ptr %closure, i64 {int(index)}"


def _get(type: str, name: str, index: int) -> str:
    return f"{_at(name, index)}\n  {name} = load {type}, ptr {name}.at"


_CODE = f"""
define void @exchange(ptr %closure, ptr %results, ptr %operands) {{
entry:
  {_get("i64", "%plan", Closure.PLAN)}
  {_get("ptr", "%device", Closure.DEVICE)}
  %is_none = icmp slt i64 %plan, 0
  br i1 %is_none, label %numbers, label %ask
ask:
  %stop.at = getelementptr inbounds i64, ptr %device, i64 {int(Device.STOP)}
  %stop = load ptr, ptr %stop.at
  %stopped = load atomic i64, ptr %stop monotonic, align 8
  %is_stopped = icmp ne i64 %stopped, 0
  br i1 %is_stopped, label %numbers, label %start
start:
  {_get("ptr", "%begin", Closure.BEGIN)}
  {_get("ptr", "%end", Closure.END)}
  %begun = call i32 %begin(ptr %device, i64 %plan, ptr %operands, ptr %results)
  %has_begun = icmp eq i32 %begun, {int(Code.DONE)}
  br i1 %has_begun, label %wait, label %fail
wait:
  %ended = call i32 %end(ptr %device, i64 %plan, ptr %operands, ptr %results)
  switch i32 %ended, label %fail [ i32 {int(Code.DONE)}, label %numbers  i32 {int(Code.AGAIN)}, label %wait ]
fail:
  %code = phi i32 [ %begun, %start ], [ %ended, %wait ]
  %wide = sext i32 %code to i64
  {_at("%code", Closure.CODE)}
  store i64 %wide, ptr %code.at
  store atomic i64 1, ptr %stop release, align 8
  br label %numbers
numbers:
  {_get("i64", "%first", Closure.FIRST)}
  {_get("i64", "%count", Closure.COUNT)}
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %number, label %done
number:
  %i = phi i64 [ 0, %numbers ], [ %next, %number ]
  %from = add nuw nsw i64 %i, {int(Closure.NUMBERS)}
  %value.at = getelementptr inbounds i64, ptr %closure, i64 %from
  %value = load i64, ptr %value.at
  %narrow = trunc i64 %value to i32
  %to = add nuw nsw i64 %i, %first
  %result.at = getelementptr inbounds ptr, ptr %results, i64 %to
  %result = load ptr, ptr %result.at
  store i32 %narrow, ptr %result
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %number, label %done
done:
  ret void
}}

define void @forward(ptr %closure, ptr %results, ptr %operands) {{
  {_get("ptr", "%callback", 1)}
  call void %callback(ptr %results, ptr %operands)
  ret void
}}
"""


@cache
def _code() -> NativeCode:
    return support_code(_CODE, ("exchange", "forward"))


class LocalDevice(Protocol):
    """A device of this process."""

    is_on_caller: bool
    """Whether nobody but the thread that calls its programs stops them."""

    @property
    def address(self) -> int:
        """Of its words (`Device`)."""
        ...

    @property
    def run(self) -> tuple[int, int]:
        """What `run_in` was told last."""
        ...

    def run_in(self, stop: int, context: int) -> None:
        """Wait for others on behalf of a run: until the word at `stop` is not 0, with safepoints in its `context`."""
        ...


class Transport(Protocol):
    """What carries messages between devices: within this process, or between processes.

    `begin` and `end` are addresses of `int32_t (device, plan, void **operands, void **results)`: the first one posts
    what is sent, the second one returns when all has come and gone, or why it has not (`Code`).
    """

    begin: int
    end: int

    @property
    def lanes(self) -> dict[int, Any]:
        """The devices of this process, each a `LocalDevice`, by number, and what they do beside their programs."""
        ...

    def plan(self, device: int, exchange: Exchange) -> int:
        """The index of the plan of an exchange of a device of this process."""
        ...

    def failure(self, device: int, plan: int, code: int) -> XlaError:
        """What has happened to an exchange whose native code has returned `code`; who has come, and who has not."""
        ...


class DeviceClosure:
    """The closure of a call. `address` is valid as long as this object lives."""

    def __init__(self, meaning: Meaning, device: int, transport: Transport | None) -> None:
        """Without `transport` there is nothing to exchange."""
        self._device, self._transport = device, transport
        first, numbers = meaning.numbers
        self._words = words = np.zeros(Closure.NUMBERS + max(1, len(numbers)), np.int64)
        words[Closure.FUNCTION] = _code().address("exchange")
        words[Closure.PLAN] = -1
        words[Closure.FIRST], words[Closure.COUNT] = first, len(numbers)
        words[Closure.NUMBERS : Closure.NUMBERS + len(numbers)] = numbers
        if transport is not None and meaning.exchange is not None:
            words[Closure.DEVICE] = transport.lanes[device].address
            words[Closure.PLAN] = transport.plan(device, meaning.exchange)
            words[Closure.BEGIN], words[Closure.END] = transport.begin, transport.end
        self.address = data_address(words)

    def take_failure(self) -> XlaError | None:
        """What has happened in the last run, if something has; forgotten afterwards."""
        code, self._words[Closure.CODE] = int(self._words[Closure.CODE]), 0
        if not code:
            return None
        assert self._transport is not None
        return self._transport.failure(self._device, int(self._words[Closure.PLAN]), code)


class ForwardingClosure:
    """A closure of a function in Python, `void (void **results, void **operands)` at `callback`."""

    def __init__(self, callback: int) -> None:
        self._words = np.array([_code().address("forward"), callback], np.int64)
        self.address = data_address(self._words)
