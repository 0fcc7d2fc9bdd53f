"""The words that the code of teams and Python share. Words have eight bytes; an enumeration numbers those of one
structure.

A table is a header and `TEAMS` teams; a team has its own words and one member for each thread beside the caller's.
"""

from __future__ import annotations

from enum import IntEnum

TEAMS = 64
"""How many parallel loops may run at once: a caller that finds no free team does all by itself."""

MEMBERS = 1023
"""The most threads of a team beside the caller's. What more there were to be is done by these."""

LINE = 16
"""Words that one thread writes and another one reads are so far apart: two cache lines, which come in pairs."""


SET_BYTES = 128
"""Of a set of CPUs, as many as Linux's C libraries have by default."""


class Header(IntEnum):
    """What all teams share."""

    PTHREAD_CREATE = 0
    PTHREAD_DETACH = 1
    PTHREAD_SIGMASK = 2
    SIGNALS = 3
    """The set of signals that threads of teams leave to others."""
    SYSCALL = 4
    FUTEX = 5
    CLOCK_GETTIME = 6
    SPIN = 7
    """How long a thread spins, in nanoseconds."""
    SHARED_SPIN = 8
    """How long where cores are shared."""
    CPUS = 9
    SCHED_GETCPU = 10
    SCHED_GETAFFINITY = 11
    SCHED_SETAFFINITY = 12
    GETTID = 13
    PTHREAD_SELF = 14
    PTHREAD_GETCPUCLOCKID = 15
    ACTIVE = LINE
    """How many threads the loops that run now have asked for."""
    SHARED_UNTIL = 2 * LINE
    """In nanoseconds of the clock: until then cores are taken to be shared."""
    WORDS = 3 * LINE


class Team(IntEnum):
    """One caller's at a time."""

    BUSY = 0
    SIZE = 1
    """How many members have a thread."""
    TASK = 2
    """What every thread of the loop that runs is to do: `void task(void *record, int64_t thread, int64_t threads)`."""
    RECORD = 3
    THREADS = 4
    CPU = 5
    """Where the caller was when it called."""
    WORDS = LINE


class Member(IntEnum):
    """A thread of a team."""

    STATE = 0
    """A `State`, of four bytes."""
    TEAM = 1
    TABLE = 2
    NUMBER = 3
    CLOCK = 4
    """Number of the clock of its time on a core."""
    THREAD = 5
    """Linux's number of its thread."""
    CPUS = LINE
    """The set of CPUs it may run on, of `SET_BYTES` bytes."""
    WORDS = 2 * LINE


class State(IntEnum):
    """Of a member. Only the caller calls, and takes back what has not begun; only the member begins and sleeps."""

    READY = 0
    """It has nothing to do, and spins."""
    ASLEEP = 1
    """It has nothing to do, and sleeps."""
    CALLED = 2
    """It is to begin."""
    RUNNING = 3
    AWAITED = 4
    """It runs, and the caller sleeps until it is ready."""


TEAM_WORDS = Team.WORDS + MEMBERS * Member.WORDS
TABLE_WORDS = Header.WORDS + TEAMS * TEAM_WORDS
