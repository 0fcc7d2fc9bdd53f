"""Values that a device sends and another one takes when it comes to it: `send`, `recv`, `collective_permute`."""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

from ....reference.processes import Terms
from ....reference.values import owned
from ..layout import MAIL_TAG
from .library import Arriving, MpiError
from .transport import MpiTransport

_Letter = tuple[Terms, Any]


class Mail:
    """That of the devices of this process."""

    def __init__(self, transport: MpiTransport) -> None:
        self._transport = transport
        self._lock = threading.Lock()
        self._boxes: defaultdict[tuple[int, str], deque[_Letter]] = defaultdict(deque)
        self._sent: list[tuple[Any, Any]] = []
        self._arriving: list[Arriving] = []
        """In the order in which they have been sent, as far as one process has sent them."""

    def send(self, device: int, address: Hashable, value: Any, terms: Terms) -> None:
        """Send a copy of `value`, an array or several, to a device."""
        if device in self._transport.devices:
            self._boxes[device, repr(address)].append((terms, owned(value)))
            return
        data = _encoded(device, repr(address), value, terms)
        buffer = ctypes.create_string_buffer(data, len(data))
        rank = self._transport.rank_of(device)
        with self._lock:
            self._sent = [(sent, kept) for sent, kept in self._sent if not self._transport.library.is_done(sent)]
            request = self._transport.library.start_send(self._transport.comm, buffer, rank, MAIL_TAG)
            self._sent.append((request, buffer))

    def receive(self, device: int, address: Hashable, waits_for: str, place: str | None) -> _Letter:
        """What was sent to a device, in order. Raises an error that says what it has waited for."""
        box = self._boxes[device, repr(address)]
        start = time.monotonic()
        while not box:
            try:
                self._take()
            except MpiError as error:
                raise self._transport.failed_waiting(device, waits_for, place, error) from None
            if box:
                break
            waited = time.monotonic() - start
            error = self._transport.reason_to_stop(device, waits_for, place, waited)
            if error is not None:
                raise error
            time.sleep(0 if waited < 0.01 else 5e-5)
        return box.popleft()

    def _take(self) -> None:
        """Put what has come where it belongs. Raises `MpiError` where it cannot come any more."""
        library, comm = self._transport.library, self._transport.comm
        with self._lock:
            while (found := library.start_receive_if_any(comm, MAIL_TAG)) is not None:
                self._arriving.append(found)
            waiting = set[int]()
            for each in list(self._arriving):
                if each.source in waiting or not library.is_done(each.request):
                    waiting.add(each.source)
                    continue
                self._arriving.remove(each)
                device, address, letter = _decoded(each.data.raw[: each.size])
                self._boxes[device, address].append(letter)


def _encoded(device: int, address: str, value: Any, terms: Terms) -> bytes:
    """A header of JSON, its length in front, and the bytes of the arrays."""
    is_single = isinstance(value, np.ndarray)
    arrays = [np.asarray(array) for array in cast("Sequence[np.ndarray]", [value] if is_single else value)]
    types = [[array.dtype.name, list(array.shape)] for array in arrays]
    header = json.dumps([device, address, is_single, types, terms.name, terms.agreed, terms.place]).encode()
    return b"".join((len(header).to_bytes(8, "little"), header, *(array.tobytes() for array in arrays)))


def _decoded(data: bytes) -> tuple[int, str, _Letter]:
    start = 8 + int.from_bytes(data[:8], "little")
    device, address, is_single, types, name, agreed, place = json.loads(data[8:start])
    arrays: list[np.ndarray] = []
    for type, shape in types:
        dtype = _dtype(type)
        size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(bytearray(data[start : start + size]), dtype).reshape(shape))
        start += size
    return device, address, (Terms(name, agreed, place), arrays[0] if is_single else tuple(arrays))


def _dtype(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, None) or name)
