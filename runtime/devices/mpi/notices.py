"""What processes tell each other when something has failed: why, and where they were."""

from __future__ import annotations

import ctypes
import json
import math
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from ..layout import END_TAG, FAILURE_TAG
from .library import Library, MpiError

GRACE = 0.5
"""How many seconds a process that has failed waits to hear of others: what it says is better for it."""


@dataclass(frozen=True)
class Notice:
    """Of one device."""

    device: int
    """Its number; -1 where a process has failed before it knew its devices."""
    reason: str
    """What has happened, as the end of a sentence that begins with the device."""
    exchange: str = ""
    """The key of the exchange that it was in."""
    name: str = ""
    """Of the op."""
    agreed: dict[str, str] = field(default_factory=dict[str, str])
    """The terms of the op."""
    place: str | None = None
    stays: float = 0
    """For how many seconds the process waits for others to answer before it ends."""


class Notices:
    """Those of the other processes."""

    def __init__(self, library: Library, comm: int) -> None:
        self.received: dict[int, Notice] = {}
        """By device, the first one of each."""
        self.of_rank: dict[int, Notice] = {}
        """By process, the first one of each."""
        self.ended: set[int] = set()
        """Ranks that are through with their programs, and have said what has failed."""
        self.heard: set[int] = set()
        """Ranks that have failed and said so."""
        self.others_leave = math.inf
        """When the first of those ends, on the monotonic clock."""
        self._lock = threading.Lock()
        self._library = library
        self._comm = comm
        self._ranks = [rank for rank in range(library.size(comm)) if rank != library.rank(comm)]
        self._sent: list[tuple[Any, Any]] = []

    def send(self, notices: Iterable[Notice]) -> None:
        """Tell all processes, without waiting for them."""
        self._send(json.dumps([asdict(notice) for notice in notices]).encode(), FAILURE_TAG)

    def send_end(self) -> None:
        """Tell all processes that the program has come to its end, or that its error is known."""
        self._send(b"", END_TAG)

    def _send(self, text: bytes, tag: int) -> None:
        data = ctypes.create_string_buffer(text, len(text))
        for rank in self._ranks:
            try:
                self._sent.append((self._library.start_send(self._comm, data, rank, tag), data))
            except MpiError:  # it is gone
                continue

    def read(self) -> None:
        """What has come so far."""
        with self._lock:
            while (message := self._library.receive_if_any(self._comm, END_TAG)) is not None:
                self.ended.add(message[0])
            while (message := self._library.receive_if_any(self._comm, FAILURE_TAG)) is not None:
                self.heard.add(message[0])
                for row in json.loads(message[1]):
                    self.others_leave = min(self.others_leave, time.monotonic() + row["stays"])
                    self.received.setdefault(row["device"], Notice(**row))
                    self.of_rank.setdefault(message[0], Notice(**row))

    def wait(self, ranks: Iterable[int], seconds: float = GRACE) -> None:
        """Read until those of `ranks` are there, for at most so many seconds."""
        wanted, deadline = set(ranks), time.monotonic() + seconds
        self.read()
        while not wanted <= self.heard | self.ended and time.monotonic() < deadline:
            time.sleep(0.001)
            self.read()

    def flush(self, seconds: float = GRACE) -> None:
        """Wait until what was sent has gone out, at most so long."""
        deadline = time.monotonic() + seconds
        pending = self._sent
        while pending and time.monotonic() < deadline:
            pending = [(request, data) for request, data in pending if not self._is_gone(request)]
            if pending:
                time.sleep(0.001)
        self._sent = pending

    def _is_gone(self, request: Any) -> bool:
        try:
            return self._library.is_done(request)
        except MpiError:
            return True
