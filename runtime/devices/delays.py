"""Random pauses of devices, which show what depends on who comes first.

A grid or a job that is made within `random_delays` pauses before a device begins, before it enters an exchange, before
it waits for the others there, before it reduces a piece, and where devices meet in Python. Half of the pauses take no
time, a quarter spins for a short one, a quarter sleeps.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random

import numpy as np

from ..machine_words import at, get
from .layout import Device, Process

LONGEST = 5e-4
"""Seconds of the longest pause, if nobody says another one."""

_SPUN = 32
"""A pause that spins has at most this part of the longest one."""

PAUSES = f"""
define internal void @pause_at_random(ptr %device) {{
entry:
  %time = alloca [2 x i64]
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("i64", "%longest", "%process", Process.LONGEST_DELAY)}
  {at("%state", "%process", Process.DELAY_STATE)}
  %drawn = atomicrmw add ptr %state.at, i64 -7046029254386353131 monotonic
  %a.0 = lshr i64 %drawn, 30
  %a.1 = xor i64 %drawn, %a.0
  %a = mul i64 %a.1, -4658895280553007687
  %b.0 = lshr i64 %a, 27
  %b.1 = xor i64 %a, %b.0
  %b = mul i64 %b.1, -7723592293110705685
  %c.0 = lshr i64 %b, 31
  %number = xor i64 %b, %c.0
  %kind = and i64 %number, 3
  %large = lshr i64 %number, 8
  %nanoseconds = urem i64 %large, %longest
  switch i64 %kind, label %done [ i64 0, label %sleep  i64 1, label %spin ]
sleep:
  store i64 0, ptr %time
  %rest.at = getelementptr inbounds i64, ptr %time, i64 1
  store i64 %nanoseconds, ptr %rest.at
  {get("ptr", "%nanosleep", "%process", Process.NANOSLEEP)}
  %slept = call i32 %nanosleep(ptr %time, ptr null)
  ret void
spin:
  %short = udiv i64 %nanoseconds, {_SPUN}
  %start = call i64 @now(ptr %process)
  %end = add i64 %start, %short
  br label %look
look:
  %now = call i64 @now(ptr %process)
  %is_past = icmp sge i64 %now, %end
  br i1 %is_past, label %done, label %look
done:
  ret void
}}
"""
"""What native code calls where a device may pause. The generator is SplitMix64 (Steele, Lea and Flood 2014)."""

NO_PAUSES = """
define internal void @pause_at_random(ptr %device) alwaysinline {
  ret void
}
"""
"""The same where nobody pauses."""


class Delays:
    """Those of one grid or job."""

    def __init__(self, seed: int, longest: float) -> None:
        """`longest`: seconds, less than one."""
        self.longest = longest
        self._seed = seed
        self._random = Random(seed)

    @property
    def code(self) -> str:
        """How native code pauses."""
        return PAUSES

    def pause(self) -> None:
        """Pause, or not."""
        if self._random.random() < 0.5:
            time.sleep(self._random.random() * self.longest)

    def write(self, words: np.ndarray, rank: int = 0) -> None:
        """What native code has to know, into the words of process `rank` of a job."""
        words[Process.DELAY_STATE] = (self._seed << 16) + rank
        words[Process.LONGEST_DELAY] = max(1, round(self.longest * 1e9))


class _NoDelays(Delays):
    def __init__(self) -> None:
        super().__init__(0, 0)

    @property
    def code(self) -> str:
        return NO_PAUSES

    def pause(self) -> None:
        pass


NONE = _NoDelays()

_current: ContextVar[Delays] = ContextVar("delays", default=NONE)


def current_delays() -> Delays:
    """Those of what is made now."""
    return _current.get()


@contextmanager
def random_delays(seed: int, longest: float = LONGEST) -> Generator[None]:
    """Grids and jobs that are made here pause at random, for at most `longest` seconds at a time."""
    token = _current.set(Delays(seed, longest))
    try:
        yield
    finally:
        _current.reset(token)
