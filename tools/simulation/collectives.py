"""The time of a collective: the best of some algorithms, on one link or on two levels.

A step in which every device sends one message of m bytes takes latency + m / bandwidth (R. Hockney, "The communication
challenge for MPP", 1994). Sizes below are those of the whole value: what a device has before an `all_reduce`, what it
has after an `all_gather`, what it has before a `reduce_scatter` or an `all_to_all`.

| | ring | doubling | direct |
| --- | --- | --- | --- |
| all_gather, reduce_scatter | n - 1 steps | log2 n steps | 1 step |
| all_reduce | 2 (n - 1) steps | log2 n steps of all bytes, or 2 log2 n steps | 2 steps, or 1 of n - 1 values |
| all_to_all | n - 1 steps | log2 n steps of half the bytes | 1 step |
| broadcast | log2 n + n - 1 steps | log2 n steps of all bytes | 1 step |

Where nothing is said, a device receives (n - 1) / n of the bytes, twice in an `all_reduce` and a ring broadcast.
Direct: all messages of a device are under way at once, as where devices read each other's memory. Two levels: what
hosts exchange is what is left when the devices of each host have divided it among themselves.

Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH" (2005);
J. Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems" (1997).
Combining values is not counted: it is less than moving them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...errors import ArgumentError
from .machine import Link, Machine

GATHER, SCATTER, REDUCE, EXCHANGE, BROADCAST, PERMUTE = (
    "all_gather",
    "reduce_scatter",
    "all_reduce",
    "all_to_all",
    "broadcast",
    "permute",
)


class Time(NamedTuple):
    """What a collective takes, in seconds."""

    latency: float
    transfer: float
    algorithm: str

    @property
    def seconds(self) -> float:
        return self.latency + self.transfer

    def then(self, other: Time) -> Time:
        """This one, and the other one behind it."""
        parts = [each.algorithm for each in (self, other) if each.algorithm]
        return Time(self.latency + other.latency, self.transfer + other.transfer, " + ".join(parts))


NOTHING = Time(0.0, 0.0, "")


class Shape(NamedTuple):
    """A group of devices."""

    size: int
    hosts: int = 1
    even: bool = True
    """Whether each host has as many of them."""


def collective_time(kind: str, bytes: float, shape: Shape, machine: Machine) -> Time:
    """The time of the best algorithm. Raises `ArgumentError` where the machine has no link between hosts."""
    if shape.size <= 1:
        return NOTHING
    if shape.hosts == 1:
        return _on(kind, bytes, shape.size, machine.within_host, "")
    between = machine.between_hosts
    if between is None:
        raise ArgumentError(f"machine {machine.name}: a group has devices of {shape.hosts} hosts; give [between_hosts]")
    flat = _on(kind, bytes, shape.size, between, "")
    if not shape.even or shape.size == shape.hosts or kind == PERMUTE:
        return flat
    return min(flat, _two_levels(kind, bytes, shape, machine.within_host, between), key=lambda time: time.seconds)


def _two_levels(kind: str, bytes: float, shape: Shape, within: Link, between: Link) -> Time:
    hosts, members = shape.hosts, shape.size // shape.hosts

    def inner(kind: str) -> Time:
        return _on(kind, bytes, members, within, "within: ")

    def outer(bytes: float) -> Time:
        return _on(kind, bytes, hosts, between, "between: ")

    match kind:
        case "all_reduce":
            return inner(SCATTER).then(outer(bytes / members)).then(inner(GATHER))
        case "all_gather":
            return outer(bytes / members).then(inner(GATHER))
        case "reduce_scatter":
            return inner(SCATTER).then(outer(bytes / members))
        case _:  # every device sends all that it has on, to or from its peers of other hosts
            return outer(bytes).then(inner(kind))


def _on(kind: str, bytes: float, size: int, link: Link, prefix: str) -> Time:
    """The best algorithm on one link."""
    candidates = [
        Time(steps * link.latency, moved / link.bandwidth, prefix + name)
        for name, steps, moved in _ALGORITHMS[kind](bytes, size)
        if name in link.algorithms or kind == PERMUTE
    ]
    return min(candidates, key=lambda time: time.seconds)


Steps = Iterator[tuple[str, int, float]]
"""Algorithms: the steps, and the bytes that a device receives in all."""


def _shared(bytes: float, size: int) -> Steps:
    moved = bytes * (size - 1) / size
    yield "ring", size - 1, moved
    yield "doubling", _log(size), moved
    yield "direct", 1, moved


def _reduced(bytes: float, size: int) -> Steps:
    moved = 2 * bytes * (size - 1) / size
    yield "ring", 2 * (size - 1), moved
    yield "doubling", _log(size), _log(size) * bytes
    yield "doubling", 2 * _log(size), moved
    yield "direct", 1, (size - 1) * bytes
    yield "direct", 2, moved


def _exchanged(bytes: float, size: int) -> Steps:
    moved = bytes * (size - 1) / size
    yield "ring", size - 1, moved
    yield "doubling", _log(size), _log(size) * bytes / 2
    yield "direct", 1, moved


def _broadcast(bytes: float, size: int) -> Steps:
    yield "ring", _log(size) + size - 1, 2 * bytes * (size - 1) / size
    yield "doubling", _log(size), _log(size) * bytes
    yield "direct", 1, bytes


def _permuted(bytes: float, size: int) -> Steps:
    yield "direct", 1, bytes


_ALGORITHMS: dict[str, Callable[[float, int], Steps]] = {
    GATHER: _shared,
    SCATTER: _shared,
    REDUCE: _reduced,
    EXCHANGE: _exchanged,
    BROADCAST: _broadcast,
    PERMUTE: _permuted,
}


def _log(size: int) -> int:
    """The steps in which one device reaches so many: the logarithm, rounded up."""
    return (size - 1).bit_length()
