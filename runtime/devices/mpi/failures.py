"""Sentences that say who has come to an exchange and who has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ....reference.processes import ProcessId, at_place
from .notices import Notice, Notices


class Attendance(NamedTuple):
    """Of the devices of other processes in an exchange."""

    came: set[int]
    """Their headers are here."""
    stalled: set[int]
    """Those of them that have not sent all, or not taken all."""


def describe_missing(
    name: Callable[[int], ProcessId],
    device: int,
    attendance: Attendance,
    missing: Iterable[int],
    notices: Notices,
    ranks: Sequence[int],
) -> str:
    """`came: ...; did not come: ..., which ...; did not go on: ...` and what else has failed."""
    absent, stalled = sorted(missing), sorted(attendance.stalled)
    parts = [f"came: {', '.join(str(name(peer)) for peer in sorted({device, *attendance.came}))}"]
    for what, peers in (("did not come", absent), ("did not go on", stalled)):
        if peers:
            parts.append(f"{what}: " + ", ".join(_absent(peer, name, notices, ranks) for peer in peers))
    others = [
        peer
        for peer in sorted(notices.received)
        if peer >= 0 and peer not in absent and peer not in stalled and "failed" in _reason(notices.received[peer])
    ]
    parts += [f"process {name(peer)} {_reason(notices.received[peer])}" for peer in others]
    return "; ".join(parts)


def describe_others(name: Callable[[int], ProcessId], device: int, notices: Notices, ranks: Sequence[int]) -> str:
    """What is known of all other devices."""
    silent = [peer for peer, rank in enumerate(ranks) if rank not in notices.heard | notices.ended]
    parts = [
        f"process {name(peer)} {_reason(notices.received[peer])}"
        for peer in sorted(notices.received)
        if peer not in (device, -1)
    ]
    ended = [str(name(peer)) for peer, rank in enumerate(ranks) if rank in notices.ended - notices.heard]
    quiet = [str(name(peer)) for peer in silent if peer not in notices.received and peer != device]
    if ended:
        parts.append(f"programs that have ended: {', '.join(ended)}")
    if quiet:
        parts.append(f"nothing was heard of {', '.join(quiet)}")
    return "; ".join(parts) or "no other process has failed"


def _absent(peer: int, name: Callable[[int], ProcessId], notices: Notices, ranks: Sequence[int]) -> str:
    who, rank = str(name(peer)), ranks[peer]
    notice = notices.received.get(peer) or notices.of_rank.get(rank)
    if notice is not None:
        return f"{who}, which {_reason(notice)}"
    if rank in notices.ended:
        return f"{who}, whose program has ended"
    return f"{who}, of which nothing was heard"


def _reason(notice: Notice) -> str:
    return notice.reason + at_place(notice.place)
