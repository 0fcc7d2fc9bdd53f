"""The protocol of a team: who runs, who is taken back, who sleeps."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from xdsl_xla.lowering.to_llvm import context_layout
from xdsl_xla.runtime.process_table import TABLE
from xdsl_xla.runtime.teams import offer
from xdsl_xla.runtime.teams.layout import TABLE_WORDS, TEAM_WORDS, TEAMS, Header, Member, State, Team

pytestmark = pytest.mark.skipif(not offer.are_wanted(), reason="no teams here")

TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
PARALLEL = ctypes.CFUNCTYPE(None, TASK, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


class Teams:
    """A table of its own, with a context that leads to it."""

    def __init__(self) -> None:
        self.words: Any = (ctypes.c_int64 * TABLE_WORDS).from_address(offer.new_table())
        self._process = (ctypes.c_size_t * len(TABLE)).from_buffer_copy(TABLE)
        self._process[context_layout.TEAMS] = ctypes.addressof(self.words)
        self._context = (ctypes.c_size_t * context_layout.SLOTS)()
        self._context[context_layout.PROCESS] = ctypes.addressof(self._process)
        self._parallel = PARALLEL(offer.teams().parallel)

    def run(self, task: Callable[[int, int], object], threads: int, done: int | None = None) -> None:
        """`task(thread, threads)` on threads of a team; ctypes gives Python's lock away meanwhile."""
        native = TASK(lambda record, thread, threads: task(thread, threads) and None)
        self._parallel(native, None, threads, ctypes.addressof(self._context), done)

    def wait_with(self, function: Any) -> None:
        self._process[context_layout.WAIT] = ctypes.cast(function, ctypes.c_void_p).value or 0

    def team(self, number: int, word: Team) -> int:
        return self.words[Header.WORDS + number * TEAM_WORDS + word]

    def state(self, member: int, team: int = 0) -> int:
        words = self.words[Header.WORDS + team * TEAM_WORDS + Team.WORDS + member * Member.WORDS + Member.STATE]
        return words & 0xFFFFFFFF


@pytest.fixture
def teams() -> Iterator[Teams]:
    teams = Teams()
    yield teams
    assert all(teams.team(number, Team.BUSY) == 0 for number in range(TEAMS))
    assert teams.words[Header.ACTIVE] == 0


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_each_thread_runs_once_and_all_at_the_same_time(teams: Teams) -> None:
    for threads in (2, 4, 3):
        everybody, seen = threading.Barrier(threads, timeout=20), list[tuple[int, int]]()

        def task(thread: int, threads: int, everybody: Any = everybody, seen: Any = seen) -> None:
            seen.append((thread, threads))
            everybody.wait()

        teams.run(task, threads)
        assert sorted(seen) == [(thread, threads) for thread in range(threads)]
    assert teams.team(0, Team.SIZE) == 3


def test_members_sleep_when_they_have_nothing_to_do_and_wake_when_called(teams: Teams) -> None:
    for _ in range(3):
        both = threading.Barrier(2, timeout=20)
        teams.run(lambda *_, both=both: both.wait(), 2)
        until(lambda: teams.state(0) == State.ASLEEP)


def test_the_caller_sleeps_until_who_has_begun_is_ready(teams: Teams) -> None:
    begun, ended = threading.Event(), list[int]()

    def task(thread: int, threads: int) -> None:
        if thread == 0:
            assert begun.wait(20)
        else:
            begun.set()
            time.sleep(0.05)
            ended.append(thread)

    teams.run(task, 2)
    assert ended == [1]
    assert teams.state(0) in (State.READY, State.ASLEEP)


def test_a_member_without_a_core_is_not_waited_for(teams: Teams) -> None:
    """As one that a forked process has not: nobody takes what it is called for."""
    size = Header.WORDS + Team.SIZE
    teams.words[size] = 2
    seen: list[int] = []
    teams.run(lambda thread, _: seen.append(thread), 3)
    assert seen == [0]
    assert [teams.state(member) for member in (0, 1)] == [State.READY] * 2


def test_callers_at_the_same_time_have_teams_of_their_own(teams: Teams) -> None:
    everybody, seen = threading.Barrier(4, timeout=20), list[int]()

    def task(thread: int, threads: int) -> None:
        seen.append(thread)
        everybody.wait()

    other = threading.Thread(target=teams.run, args=(task, 2))
    other.start()
    teams.run(task, 2)
    other.join()
    assert sorted(seen) == [0, 0, 1, 1]
    assert [teams.team(number, Team.SIZE) for number in (0, 1)] == [1, 1]


def test_a_caller_without_a_team_does_all_by_itself(teams: Teams) -> None:
    busy = [Header.WORDS + number * TEAM_WORDS + Team.BUSY for number in range(TEAMS)]
    for word in busy:
        teams.words[word] = 1
    seen: list[tuple[int, int]] = []
    teams.run(lambda *thread: seen.append(thread), 4)
    for word in busy:
        teams.words[word] = 0
    assert seen == [(0, 4)]


def test_a_long_loop_waits_for_those_that_have_begun(teams: Teams) -> None:
    waits: list[int] = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(
        lambda context, done, count: waits.append(count)
    )
    teams.wait_with(function)
    done, both = ctypes.c_int64(), threading.Barrier(2, timeout=20)
    teams.run(lambda *_: both.wait(), 2, ctypes.addressof(done))
    assert waits == [1]


def test_many_small_loops_of_many_callers(teams: Teams) -> None:
    counts = [0] * 3

    def calls(caller: int) -> None:
        lock = threading.Lock()

        def task(thread: int, threads: int) -> None:
            with lock:
                counts[caller] += thread == 0

        for _ in range(300):
            teams.run(task, 1 + caller)

    callers = [threading.Thread(target=calls, args=[number]) for number in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
        assert not caller.is_alive()
    assert counts == [300] * 3
