"""Numbers of calls that come through PJRT: which memory arrays have, and which programs run beside their caller."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dispatch:
    """Contracts: the machine code of calls is made once for all programs of a process."""

    inline_bytes: int = 1024
    """Elements of arrays up to this size lie behind their description, in one piece of memory: to get two from `malloc`
    costs 50 nanoseconds more. Above, the description would keep too much memory of an array that was donated."""

    shared_bytes: int = 64 * 1024
    """Arrays of clients from this size on are not copied: below, a copy takes a few microseconds at most, as many as to
    tell the client when nobody uses its array any more."""

    recycled_bytes: int = 1 << 20
    """Memory of arrays from this size on is kept for others of the same size: the operating system clears every page
    of what is new, a third of the time of a program that is bound by memory. `malloc` keeps what is smaller."""

    huge_page_bytes: int = 4 << 20
    """Memory from this size on is asked for in huge pages, as NumPy does: a first write is then up to twice as fast."""

    kept_pieces: int = 32
    """How many pieces of memory are kept. A search among them costs a nanosecond each."""

    kept_share: int = 16
    """The kept ones together have at most this part of the memory of the machine: a sixteenth."""

    asynchronous_nanoseconds: int = 100_000
    """Programs that take longer run on a thread of their device, and the call returns at once. To hand one over and to
    wake that thread costs 10 to 50 microseconds; a caller that waits for the result at once has them on top."""

    in_flight: int = 32
    """The most programs that wait for a device: then calls wait, too, so that results that nobody has asked for do not
    fill the memory. XLA's number."""

    logged_runs: int = 1 << 20
    """The most runs of programs that a profiler is told of, 24 bytes each, since its session began; later ones are not
    noted."""
