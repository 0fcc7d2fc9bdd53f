"""How devices send messages to each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Messages:
    """Numbers of an exchange, within a process or through MPI."""

    small_bytes: int = 8 << 10
    """Up to so many bytes for one receiver travel in one message with their header and are copied on both sides, 0.2
    microseconds each; what is larger follows its header in messages without copies. MPI libraries send up to some 10
    KiB without asking the receiver."""

    gathered_bytes: int = 32 << 10
    """Up to so many bytes of a value that is reduced, every member gets the values of all and reduces them; of a larger
    one it reduces its part, and gets the other parts reduced: two exchanges, with 2 / members of the bytes. An exchange
    within a process takes about a microsecond, in which 10 KB are copied."""

    piece_bytes: int = 256 << 10
    """The size of the pieces in which a large value is reduced: what a device has computed is still in its cache when
    it writes it to others, and while one piece is computed the next ones travel. A call of the function that reduces
    one costs some 10 nanoseconds, a message of MPI a microsecond; larger pieces leave a cache of 1 MiB."""

    piece_unit: int = 64
    """Pieces are multiples of so many elements, some vectors of each type: loops over them have no rest."""

    pieces_ahead: int = 8
    """How many pieces of another process may be there before they are reduced: 2 MiB of each."""

    largest_bytes: int = 1 << 30
    """The size of the parts in which more is sent: counts of MPI are 32-bit integers."""

    polls: int = 64
    """How often a device looks for messages, some microseconds in all, before it looks at the clock, for a reason to
    stop and for failures of others."""

    staged_bytes: int = 1 << 10
    """Up to so many bytes for another device of the process are copied out of the sender's buffer, which so need not
    wait until they are taken: a copy of some 20 nanoseconds, instead of a second handshake."""

    spins: int = 40
    """After so many times of these a device that waits for another one of its process sleeps until that wakes it: some
    10 microseconds, about what waking costs. A thread that spins longer takes the core from those it waits for, and
    from the system the reason to run it at once when it can go on."""

    yield_after: int = 50_000
    """After so many nanoseconds of waiting a device lets other threads run between looks: about what it costs to come
    back. On a machine with more devices than cores the one it waits for may be among them."""

    sleep_after: int = 10_000_000
    """After so many nanoseconds of waiting for another device to come, a device sleeps between looks."""

    sleep: int = 50_000
    """How long, in nanoseconds: so late an exchange may end for which a device has waited long."""

    def piece(self, bytes: int, members: int, element_bytes: int) -> int:
        """The size of the pieces of so many bytes that `members` reduce: about as many for each."""
        count, unit = members * -(-bytes // (members * self.piece_bytes)), self.piece_unit * element_bytes
        size = -(-bytes // count)
        return min(-(-size // unit) * unit, bytes)

    def is_small(self, bytes: int) -> bool:
        """Whether so many bytes for one receiver travel with their header."""
        return bytes <= self.small_bytes

    def pieces(self, bytes: int) -> list[tuple[int, int]]:
        """Start and size of the messages in which so many bytes travel without one."""
        return [(start, min(self.largest_bytes, bytes - start)) for start in range(0, bytes, self.largest_bytes)]
