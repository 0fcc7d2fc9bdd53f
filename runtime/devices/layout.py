"""The words that native code and Python share: of the process, its devices, their plans and the messages of a plan.

Words have eight bytes; an enumeration numbers those of one structure.
"""

from __future__ import annotations

from enum import IntEnum, auto


class _Words(IntEnum):
    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        return count


class Process(_Words):
    """What the devices of a process share."""

    ISEND = auto()
    IRECV = auto()
    TESTALL = auto()
    IPROBE = auto()
    CLOCK_GETTIME = auto()
    SCHED_YIELD = auto()
    NANOSLEEP = auto()
    BYTE = auto()
    """Handle of the type of a byte."""
    COMM = auto()
    """Handle of the communicator."""
    ANY_SOURCE = auto()
    STATUSES_IGNORE = auto()
    REQUEST_BYTES = auto()
    TIMEOUT = auto()
    """The longest wait, in nanoseconds."""
    SLICE = auto()
    """After so many nanoseconds `end` returns `Code.AGAIN`, to be called again; 0: never."""
    LOCK = auto()
    """1 while a device talks to MPI."""
    BROKEN = auto()
    """Not 0 once a device here has failed."""
    SYSCALL = auto()
    """Linux's `syscall`; 0: there is no futex to sleep at."""
    FUTEX = auto()
    """The number of the system call `futex`."""
    SAFEPOINT = auto()
    """What waiting devices call as programs do at their safepoints (`context_layout.SAFEPOINT`); 0: nothing."""
    LONGEST_DELAY = auto()
    """The longest of random pauses, in nanoseconds."""
    DELAY_STATE = auto()
    """Of the generator of random pauses."""


class Device(_Words):
    """One device of this process."""

    PROCESS = auto()
    """Pointer to the words of the process."""
    PLANS = auto()
    """Pointer to the table of pointers to plans."""
    STOP = auto()
    """Pointer to a word that is not 0 when the device is to stop."""
    CONTEXT = auto()
    """Pointer to the context of the program that it runs; 0: none."""
    ERROR = auto()
    """Of the last failure: what MPI has returned."""
    MESSAGE = auto()
    """Of the last failure: the number of the message whose header was another one."""
    BUSY = auto()
    """1 while it reads and writes buffers of other devices of the process."""
    START = auto()
    """When the wait began that is going on, in nanoseconds of `CLOCK_MONOTONIC`; 0: not measured yet."""


class Plan(_Words):
    """An exchange as one device sees it."""

    HASH = auto()
    """Of what all members agree on."""
    STAGED = auto()
    """How many messages with a header there are; they are the first ones."""
    REMOTE = auto()
    """How many messages of MPI in all."""
    LOCAL = auto()
    """How many messages within the process, which are the last ones."""
    MESSAGES = auto()
    """Pointer to the messages."""
    REQUESTS = auto()
    """Pointer to the requests of MPI, one for each remote message."""
    COPIES = auto()
    """How many parts the device gives itself."""
    COPY_TABLE = auto()
    """Pointer to those."""
    ZEROS = auto()
    """How many ranges of results become zero."""
    ZERO_TABLE = auto()
    """Pointer to those: result, offset, bytes."""
    OPERANDS = auto()
    """How many operands there are."""
    OPERAND_TABLE = auto()
    """Pointer to their addresses in the exchange that is going on, for the other devices of the process."""
    CALLED = auto()
    """How many exchanges of this plan have begun."""
    POSTED = auto()
    """How many of them have posted all that others wait for."""
    ENDED = auto()
    """How many have ended."""
    REDUCTION = auto()
    """Pointer to what a reduction needs (`Reduction`); 0: what comes is copied. The table of operands then has the
    result and the scratch memory behind the operand."""


class Reduction(_Words):
    """A reduction as one device sees it, which reduces some of the pieces, with numbers that follow each other."""

    MEMBERS = auto()
    PLACE = auto()
    """That of the device among the members."""
    SOURCES = auto()
    """Pointer to a `Source` of each member, in the order of their places."""
    POINTERS = auto()
    """Pointer to a word for each member: the addresses of what is reduced next."""
    FIRST = auto()
    """The number of the first piece."""
    PIECES = auto()
    """How many pieces there are."""
    NEXT = auto()
    """How many of them have been reduced."""
    PIECE = auto()
    """The bytes of a piece."""
    END = auto()
    """Where the last of all pieces ends, in bytes. One that would go beyond that begins earlier."""
    SHIFT = auto()
    """Where in the operands the first of all pieces begins, in bytes."""
    PUSHES = auto()
    """1: all members get the pieces that are reduced; 0: they stay here."""
    PEERS = auto()
    """How many members are in other processes."""
    AHEAD = auto()
    """How many pieces of each of them there is room for."""
    INCOMING = auto()
    """Pointer to messages: of each piece one from each such member, into the scratch memory."""
    INCOMING_REQUESTS = auto()
    OUTGOING = auto()
    """Pointer to messages: of each reduced piece one to each such member."""
    OUTGOING_REQUESTS = auto()


class Source(_Words):
    """What a member brings to a reduction."""

    OPERAND = auto()
    """Its address, in this process."""
    TARGET = auto()
    """The address of the result, where pieces are written to; 0: nowhere."""
    SLOT = auto()
    """The number of the member among those of other processes; -1: it is in this process."""


class Message(_Words):
    """What goes to or comes from one device at once."""

    SENDS = auto()
    """1: it goes; 0: it comes."""
    RANK = auto()
    TAG = auto()
    STAGING = auto()
    """Pointer to a header and what follows it; 0: it goes and comes without a copy."""
    BYTES = auto()
    """Of a message that comes: at most."""
    INDEX = auto()
    """The operand or result of a message without a copy. Within the process: the place of the other device in a
    reduction."""
    OFFSET = auto()
    """Where in it, in bytes."""
    COPIES = auto()
    """How many parts are copied to or from the staging memory, or from the other device of the process."""
    COPY_TABLE = auto()
    """Pointer to those."""
    CHANNEL = auto()
    """Pointer to the channel between two devices of this process."""
    TICKET = auto()
    """The number of this message in the channel."""


class Copy(_Words):
    """Bytes from a buffer of one table to a buffer of another one."""

    SOURCE = auto()
    SOURCE_OFFSET = auto()
    TARGET = auto()
    TARGET_OFFSET = auto()
    BYTES = auto()


class Header(_Words):
    """What a message begins with."""

    HASH = auto()
    CALLED = auto()


class Channel(_Words):
    """A queue from one device of the process to another one, in front of its entries."""

    SENT = auto()
    RECEIVED = auto()


class Entry(_Words):
    """Of a channel: one message."""

    READY = auto()
    """Its number, once it is there."""
    READY_AWAITED = auto()
    """1 while its receiver sleeps until then."""
    DONE = auto()
    """Its number, once it has been copied."""
    DONE_AWAITED = auto()
    """1 while its sender sleeps until then."""
    HASH = auto()
    OPERANDS = auto()
    """Pointer to the addresses of the sender's operands."""


FAILURE_TAG, END_TAG, MAIL_TAG, FIRST_TAG = 0, 1, 2, 16
"""The tags of notices of failures, of ends of programs and of mail, and the first one of exchanges."""

ENTRIES = 8
"""How many messages a channel holds."""


class Code(_Words):
    """What native code returns."""

    DONE = auto()
    AGAIN = auto()
    """Nothing has happened yet; to be called again."""
    TIMED_OUT = auto()
    STOPPED = auto()
    OTHER_TERMS = auto()
    """The other device has come with other terms."""
    NOTICE = auto()
    """Another device has failed."""
    MPI_FAILED = auto()
    FULL = auto()
    """More exchanges are going on at once than there is room for."""


WORD = 8
