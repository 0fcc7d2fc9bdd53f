"""What one device does in an exchange, and the memory in which native code reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ...decisions.messages import Messages
from ...reference.processes import Terms
from ..buffers import data_address
from .layout import ENTRIES, FIRST_TAG, WORD, Channel, Device, Entry, Header, Message, Plan, Source
from .layout import Reduction as ReductionWords
from .reduction import Reduction
from .reduction_code import OPERAND, RESULT, SCRATCH


class Receive(NamedTuple):
    """Bytes of a peer's operand that become bytes of an own result."""

    peer: int
    """The number of the device."""
    peer_index: int
    """Of the operand."""
    peer_offset: int
    own_index: int
    """Of the result."""
    own_offset: int
    bytes: int


class Send(NamedTuple):
    """Bytes of an own operand that a peer gets."""

    peer: int
    own_index: int
    own_offset: int
    bytes: int


class Zeros(NamedTuple):
    """Bytes of a result that become zero."""

    own_index: int
    own_offset: int
    bytes: int


@dataclass(frozen=True)
class Exchange:
    """An exchange as one device sees it. What two devices send each other is listed in the same order by both."""

    key: str
    """By what devices find each other: the n-th exchange of a key and of these members is that of the others."""
    members: tuple[int, ...]
    """The numbers of the devices that meet."""
    terms: Terms
    """What they have to agree on."""
    operands: int
    """How many operands there are."""
    receives: tuple[Receive, ...] = ()
    """Those from the device itself included."""
    sends: tuple[Send, ...] = ()
    """Those to other devices."""
    zeros: tuple[Zeros, ...] = ()
    reduction: Reduction | None = None
    """Of one operand, instead of all these."""

    @property
    def hash(self) -> int:
        """Of all that members agree on."""
        agreed = self.key, self.members, self.terms.name, sorted(self.terms.agreed.items())
        return _number(agreed, 1 << 63)

    def tag(self, sender: int, receiver: int, count: int, stream: str = "") -> int:
        """That of the messages of a stream between two devices, less than `count`."""
        return FIRST_TAG + _number((self.key, self.members, sender, receiver, stream), count - FIRST_TAG)


_REDUCED = "reduced"
"""The stream of messages of pieces that have been reduced, which come beside those that are to be."""


def _number(value: Hashable, count: int) -> int:
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=8).digest(), "little") % count


class Channels:
    """The queues between devices of this process."""

    def __init__(self) -> None:
        self._words: dict[Hashable, np.ndarray] = {}

    def address(self, key: Hashable) -> int:
        """That of the queue of `key`, which is the same for sender and receiver."""
        words = self._words.get(key)
        if words is None:  # one of them counts where both ends ask at once
            words = self._words.setdefault(key, np.zeros(len(Channel) + ENTRIES * len(Entry), np.int64))
        return data_address(words)


class Surroundings(NamedTuple):
    """Where devices are."""

    rank_of: Callable[[int], int]
    """The rank of the process of a device."""
    own_rank: int
    tags: int
    """How many tags there are."""
    request_bytes: int
    channels: Channels
    numbers: Messages


class PlanMemory:
    """The words of a plan. `address` is valid as long as this object lives."""

    def __init__(self, exchange: Exchange, device: int, surroundings: Surroundings) -> None:
        self.exchange = exchange
        self.remote: list[tuple[int, bool]] = []
        """Of each remote message: peer, and whether it is sent."""
        self.local: list[tuple[int, bool]] = []
        """The same of messages within the process."""
        self._device = device
        self._surroundings = surroundings
        self._reduction_words: np.ndarray | None = None
        self._peers_elsewhere: list[int] = []
        self._kept: list[np.ndarray] = []
        self._request_bytes = surroundings.request_bytes
        self._partners = {part.peer for part in exchange.receives} & {part.peer for part in exchange.sends}
        """Who both sends and gets something: nobody who gets from them can be unaware of what they send."""
        staged, direct, local = self._messages()
        self.staged = len(staged)
        messages = self._table([*staged, *direct, *local])
        self.requests = self._requests(len(staged) + len(direct))
        own = [(part.peer_index, part.peer_offset, *part[3:]) for part in exchange.receives if part.peer == device]
        self.words = np.zeros(len(Plan), np.int64)
        values = {
            Plan.HASH: exchange.hash,
            Plan.STAGED: len(staged),
            Plan.REMOTE: len(staged) + len(direct),
            Plan.LOCAL: len(local),
            Plan.MESSAGES: messages,
            Plan.REQUESTS: self.requests,
            Plan.COPIES: len(own),
            Plan.COPY_TABLE: self._table(own),
            Plan.ZEROS: len(exchange.zeros),
            Plan.ZERO_TABLE: self._table(exchange.zeros),
            Plan.OPERANDS: exchange.operands,
            Plan.OPERAND_TABLE: self._array(np.zeros(max(1, exchange.operands), np.int64)),
        }
        if exchange.reduction is not None:
            values |= self._reduction(exchange.reduction)
        for word, value in values.items():
            self.words[word] = value
        self.address = data_address(self.words)

    def _array(self, array: np.ndarray) -> int:
        self._kept.append(array)
        return data_address(array)

    def _table(self, rows: Sequence[Sequence[int]]) -> int:
        return self._array(np.array([word for row in rows for word in row] or [0], np.int64))

    def _messages(self) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
        """Those with a header, those without, and those within the process."""
        if self.exchange.reduction is not None:
            return self._messages_of_reduction(self.exchange.reduction)
        staged, direct, local = list[list[int]](), list[list[int]](), list[list[int]]()
        rows = (*self._grouped(self.exchange.receives, False), *self._grouped(self.exchange.sends, True))
        direct_peers: list[tuple[int, bool]] = []
        for peer, sends, parts in rows:
            if self._surroundings.rank_of(peer) == self._surroundings.own_rank:
                local.append(self._local(peer, sends, parts))
                self.local.append((peer, sends))
                continue
            is_small = self._surroundings.numbers.is_small(sum(part.bytes for part in parts))
            staged.append(self._staged(peer, sends, parts if is_small else ()))
            self.remote.append((peer, sends))
            if not is_small:
                new = [self._direct(peer, sends, *cut) for part in parts for cut in self._cuts(part)]
                direct += new
                direct_peers += [(peer, sends)] * len(new)
        self.remote += direct_peers
        return staged, direct, local

    def _grouped(
        self, parts: Sequence[Receive] | Sequence[Send], sends: bool
    ) -> list[tuple[int, bool, list[Receive | Send]]]:
        """The parts of each peer, in the order in which they are listed."""
        others = sorted((part for part in parts if part.peer != self._device), key=lambda part: part.peer)
        return [(peer, sends, list(group)) for peer, group in groupby(others, key=lambda part: part.peer)]

    def _cuts(self, part: Receive | Send) -> list[tuple[int, int, int]]:
        """Index, offset and size of pieces that one message can take."""
        pieces = self._surroundings.numbers.pieces(part.bytes)
        return [(part.own_index, part.own_offset + start, size) for start, size in pieces]

    def _peers(self, reduction: Reduction, are_here: bool) -> list[tuple[int, int]]:
        """Place and number of the other members that are in this process, or in others."""
        return [
            (place, peer)
            for place, peer in enumerate(reduction.order)
            if peer != self._device and (self._surroundings.rank_of(peer) == self._surroundings.own_rank) == are_here
        ]

    def _messages_of_reduction(self, reduction: Reduction) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
        """Headers; pieces of the own operand, which other processes reduce, and those of the result that come from
        there; what is done with those that come to be reduced is known when they have come.
        """
        staged, direct, local = list[list[int]](), list[list[int]](), list[list[int]]()
        for place, peer in self._peers(reduction, are_here=True):
            for sends in (False, True):
                row = self._local(peer, sends, ())
                row[Message.INDEX] = place
                local.append(row)
                self.local.append((peer, sends))
        elsewhere = self._peers(reduction, are_here=False)
        for _, peer in elsewhere:
            staged += [self._staged(peer, sends, ()) for sends in (False, True)]
            self.remote += [(peer, False), (peer, True)]
        for place, peer in elsewhere:
            for number in reduction.numbers(place):
                start = reduction.shift(place) + reduction.start(number)
                direct.append(self._direct(peer, True, OPERAND, start, reduction.piece))
                self.remote.append((peer, True))
                if not reduction.is_scattered:
                    direct.append(self._direct(peer, False, RESULT, *reduction.own(number), _REDUCED))
                    self.remote.append((peer, False))
        return staged, direct, local

    def _reduction(self, reduction: Reduction) -> dict[Plan, int]:
        """The words of the plan that a reduction adds or changes."""
        place, elsewhere = reduction.order.index(self._device), self._peers(reduction, are_here=False)
        numbers, ahead = reduction.numbers(place), self._surroundings.numbers.pieces_ahead
        incoming, outgoing = list[list[int]](), list[list[int]]()
        for row, number in enumerate(numbers):
            for slot, (_, peer) in enumerate(elsewhere):
                start = (row % ahead * len(elsewhere) + slot) * reduction.piece
                incoming.append(self._direct(peer, False, SCRATCH, start, reduction.piece))
                if not reduction.is_scattered:
                    outgoing.append(self._direct(peer, True, RESULT, *reduction.own(number), _REDUCED))
        slots = {peer: slot for slot, (_, peer) in enumerate(elsewhere)}
        sources = np.zeros((len(reduction.order), len(Source)), np.int64)
        sources[:, Source.SLOT] = [slots.get(peer, -1) for peer in reduction.order]
        scratch = np.zeros(min(ahead, len(numbers)) * len(elsewhere) * reduction.piece + WORD, np.uint8)
        table = np.zeros(SCRATCH + 1, np.int64)
        table[SCRATCH] = self._array(scratch)
        words = np.zeros(len(ReductionWords), np.int64)
        values = {
            ReductionWords.MEMBERS: len(reduction.order),
            ReductionWords.PLACE: place,
            ReductionWords.SOURCES: self._array(sources),
            ReductionWords.POINTERS: self._array(np.zeros(len(reduction.order), np.int64)),
            ReductionWords.FIRST: numbers.start,
            ReductionWords.PIECES: len(numbers),
            ReductionWords.PIECE: reduction.piece,
            ReductionWords.END: reduction.end,
            ReductionWords.SHIFT: reduction.shift(place),
            ReductionWords.PUSHES: int(not reduction.is_scattered),
            ReductionWords.PEERS: len(elsewhere),
            ReductionWords.AHEAD: ahead,
            ReductionWords.INCOMING: self._table(incoming),
            ReductionWords.INCOMING_REQUESTS: self._requests(len(incoming)),
            ReductionWords.OUTGOING: self._table(outgoing),
            ReductionWords.OUTGOING_REQUESTS: self._requests(len(outgoing)),
        }
        for word, value in values.items():
            words[word] = value
        self._reduction_words, self._peers_elsewhere = words, [peer for _, peer in elsewhere]
        return {Plan.REDUCTION: self._array(words), Plan.OPERAND_TABLE: self._array(table)}

    def awaited_pieces(self) -> list[tuple[int, int]]:
        """Of each piece that was asked for, to be reduced here: the peer, and the address of the request."""
        if self._reduction_words is None:
            return []
        words, peers = self._reduction_words, self._peers_elsewhere
        posted = min(words[ReductionWords.NEXT] + words[ReductionWords.AHEAD], words[ReductionWords.PIECES])
        first = int(words[ReductionWords.INCOMING_REQUESTS])
        rows = range(int(posted) * len(peers))
        return [(peers[row % len(peers)], first + row * self._request_bytes) for row in rows]

    def _requests(self, count: int) -> int:
        return self._array(np.zeros(count * self._request_bytes + WORD, np.uint8))

    def _message(self, peer: int, sends: bool, stream: str = "") -> list[int]:
        row = [0] * len(Message)
        sender, receiver = (self._device, peer) if sends else (peer, self._device)
        row[Message.SENDS] = int(sends)
        row[Message.RANK] = self._surroundings.rank_of(peer)
        row[Message.TAG] = self.exchange.tag(sender, receiver, self._surroundings.tags, stream)
        return row

    def _staged(self, peer: int, sends: bool, parts: Sequence[Receive | Send]) -> list[int]:
        row, header = self._message(peer, sends), len(Header) * WORD
        total = sum(part.bytes for part in parts)
        size = header + (total if sends else self._surroundings.numbers.small_bytes)
        row[Message.STAGING] = self._array(np.zeros(size, np.uint8))
        row[Message.BYTES] = size
        copies, offset = list[list[int]](), header
        for part in parts:
            place, staged = (part.own_index, part.own_offset), (0, offset)
            copies.append([*place, *staged, part.bytes] if sends else [*staged, *place, part.bytes])
            offset += part.bytes
        row[Message.COPIES] = len(copies)
        row[Message.COPY_TABLE] = self._table(copies)
        return row

    def _direct(self, peer: int, sends: bool, index: int, offset: int, size: int, stream: str = "") -> list[int]:
        row = self._message(peer, sends, stream)
        row[Message.BYTES], row[Message.INDEX], row[Message.OFFSET] = size, index, offset
        return row

    def _local(self, peer: int, sends: bool, parts: Sequence[Receive | Send]) -> list[int]:
        row = self._message(peer, sends)
        pair = (self._device, peer) if sends else (peer, self._device)
        row[Message.CHANNEL] = self._surroundings.channels.address((self.exchange.key, self.exchange.members, *pair))
        sizes = [part.bytes for part in parts]
        is_staged = peer in self._partners and sum(sizes) <= self._surroundings.numbers.staged_bytes
        starts = [sum(sizes[:number]) for number in range(len(sizes))]
        if is_staged and sends:
            memory = self._array(np.zeros((ENTRIES, max(1, sum(sizes))), np.uint8))
            addresses = memory + np.arange(ENTRIES) * max(1, sum(sizes))
            row[Message.STAGING] = self._array(addresses.astype(np.int64))
            copies = [
                (part.own_index, part.own_offset, 0, at, part.bytes) for part, at in zip(parts, starts, strict=True)
            ]
        elif is_staged:
            copies = [
                (0, at, part.own_index, part.own_offset, part.bytes) for part, at in zip(parts, starts, strict=True)
            ]
        else:
            copies = [part[1:] for part in parts if isinstance(part, Receive)]
        row[Message.COPIES] = len(copies)
        row[Message.COPY_TABLE] = self._table(copies)
        return row

    def request(self, number: int) -> int:
        """The address of the request of a remote message."""
        return self.requests + number * self._request_bytes

    @property
    def called(self) -> int:
        """How many exchanges of it have begun."""
        return int(self.words[Plan.CALLED])


def device_words(process: int) -> np.ndarray:
    """The words of a new device of the process whose words are at `process`."""
    words = np.zeros(len(Device), np.int64)
    words[Device.PROCESS] = process
    return words
