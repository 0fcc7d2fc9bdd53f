"""Mutations of bytes, of MLIR bytecode by its sections, and of a FlatBuffer around it.

A change inside a section keeps the lengths in front of it right, so that damage reaches what the section holds.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ...runtime.formats import BYTECODE_MAGIC

Mutation = Callable[[bytes, bytes, Random], bytes]

EXTREME_BYTES = (0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF)
MOST_PADDING = 1 << 16
"""In front of a section: what is aligned to more begins where no section begins."""

EXTREME_NUMBERS = (0, 1, 63, 64, 2**14 - 1, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def varint(value: int) -> bytes:
    """A number as MLIR bytecode has it: the zeros at the low end of the first byte count the bytes after it."""
    for extra in range(8):
        if value < 1 << 7 * (extra + 1):
            return ((value << 1 | 1) << extra).to_bytes(extra + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def _place(data: bytes, random: Random) -> int:
    return random.randrange(len(data)) if data else 0


def _range(data: bytes, random: Random) -> tuple[int, int]:
    start = _place(data, random)
    return start, min(len(data), start + random.choice([1, 1, 2, 4, 8, random.randint(1, 64)]))


def flip_bit(data: bytes, donor: bytes, random: Random) -> bytes:
    place = _place(data, random)
    return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :] if data else data


def set_byte(data: bytes, donor: bytes, random: Random) -> bytes:
    place = _place(data, random)
    value = random.choice(EXTREME_BYTES) if random.random() < 0.5 else random.randrange(256)
    return data[:place] + bytes([value]) + data[place + 1 :]


def step_byte(data: bytes, donor: bytes, random: Random) -> bytes:
    """By one or two: the number of another string, type, attribute or value."""
    if not data:
        return data
    place = _place(data, random)
    return data[:place] + bytes([(data[place] + random.choice([-4, -2, -1, 1, 2, 4])) % 256]) + data[place + 1 :]


def delete_range(data: bytes, donor: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:start] + data[end:]


def duplicate_range(data: bytes, donor: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:end] + data[start:end] * random.choice([1, 1, 1, 10, 1000]) + data[end:]


def overwrite_range(data: bytes, donor: bytes, random: Random) -> bytes:
    """By bytes of the other file, the length staying the same."""
    start, end = _range(data, random)
    first = _place(donor, random)
    new = donor[first : first + end - start]
    return data[:start] + new + data[start + len(new) :]


def splice_range(data: bytes, donor: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    first, last = _range(donor, random)
    return data[:start] + donor[first:last] + data[end:]


def insert_number(data: bytes, donor: bytes, random: Random) -> bytes:
    place = _place(data, random)
    return data[:place] + varint(random.choice(EXTREME_NUMBERS)) + data[place + random.randint(0, 1) :]


def truncate(data: bytes, donor: bytes, random: Random) -> bytes:
    return data[: _place(data, random)]


MUTATIONS: list[tuple[Mutation, float]] = [
    (flip_bit, 3), (set_byte, 3), (step_byte, 4), (delete_range, 1), (duplicate_range, 1), (overwrite_range, 2),
    (splice_range, 1), (insert_number, 1.5), (truncate, 0.3),
]  # fmt: skip
"""Mutations and how often they are drawn, relative to others."""

IN_PLACE: list[Mutation] = [flip_bit, set_byte, step_byte, step_byte, overwrite_range]


def mutate_bytes(data: bytes, donor: bytes, random: Random) -> bytes:
    """One mutation of any bytes."""
    return random.choices([mutation for mutation, _ in MUTATIONS], [weight for _, weight in MUTATIONS])[0](
        data, donor, random
    )


# -- containers --------------------------------------------------------------------------------------------------


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    """A number and where it ends."""
    first = data[place]
    extra = (first & -first).bit_length() - 1 if first else 8
    value = int.from_bytes(data[place : place + extra + 1], "little")
    return (value >> 8 if extra == 8 else value >> extra + 1), place + extra + 1


def sections_of(data: bytes) -> tuple[int, list[tuple[int, int, bytes]]]:
    """Where the sections of bytecode begin; each as its number, its alignment (0 without) and its content.

    Raises IndexError or ValueError for bytes that are no bytecode.
    """
    _, place = _read_varint(data, len(BYTECODE_MAGIC))
    place = start = data.index(b"\0", place) + 1
    sections: list[tuple[int, int, bytes]] = []
    while place < len(data):
        number = data[place]
        length, place = _read_varint(data, place + 1)
        alignment = 0
        if number & 0x80:
            alignment, place = _read_varint(data, place)
            place += -place % max(1, alignment)
        sections.append((number & 0x7F, alignment, data[place : place + length]))
        place += length
    return start, sections


def with_sections(header: bytes, sections: list[tuple[int, int, bytes]]) -> bytes:
    """Bytecode of sections, with their lengths and paddings."""
    out = bytearray(header)
    for number, alignment, content in sections:
        out += bytes([number | (0x80 if alignment else 0)]) + varint(len(content))
        if alignment:
            out += varint(alignment)
            out += b"\xcb" * min(-len(out) % alignment, MOST_PADDING)
        out += content
    return bytes(out)


def mutate_bytecode(data: bytes, donor: bytes, random: Random) -> bytes:
    """A mutation of what one section holds, of the order of sections, or of any bytes."""
    if random.random() < 0.25:
        return mutate_bytes(data, donor, random)
    try:
        start, sections = sections_of(data)
        _, others = sections_of(donor)
    except (IndexError, ValueError):
        return mutate_bytes(data, donor, random)
    if not sections or not others:
        return mutate_bytes(data, donor, random)
    place = random.randrange(len(sections))
    number, alignment, content = sections[place]
    kind = random.random()
    if kind < 0.04:
        sections.insert(random.randrange(len(sections) + 1), random.choice(others))
    elif kind < 0.08:
        del sections[place]
    elif kind < 0.12:
        sections[place] = random.choice(others)
    else:
        same = [other for other_number, _, other in others if other_number == number]
        content = mutate_bytes(content, random.choice(same) if same else donor, random)
        sections[place] = number, alignment, content
    return with_sections(data[:start], sections)


def mutate_export(data: bytes, donor: bytes, random: Random) -> bytes:
    """A mutation of the FlatBuffer, or in place of the bytecode in it."""
    inner = data.find(BYTECODE_MAGIC)
    if inner < 0 or random.random() < 0.15:
        return mutate_bytes(data, donor, random)
    mutate = random.choice(IN_PLACE)
    if random.random() < 0.4:
        return mutate(data[:inner], donor, random) + data[inner:]
    return data[:inner] + mutate(data[inner:], donor[donor.find(BYTECODE_MAGIC) :], random)
