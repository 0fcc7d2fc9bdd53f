"""Counter-based random bits, in arithmetic on words that every engine does alike.

Threefry-2x32 and Philox-4x32 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011),
with states and orders of elements that give the same bits as XLA. As in `distributions.py`, the functions compute with
arrays of NumPy or with tensors that emit StableHLO.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol

from . import distributions
from .distributions import Numbers


class Engine(distributions.Engine, Protocol):
    """What else has no operator."""

    def repeated(self, element: Numbers, count: int) -> Numbers:
        """A vector of one element as one of `count`."""
        ...

    def counted(self, start: Numbers, count: int) -> Numbers:
        """`count` numbers of ui64 from that in a vector of one element on."""
        ...

    def joined(self, parts: Sequence[Numbers], dim: int) -> Numbers:
        """One behind the other along a dimension."""
        ...

    def first(self, value: Numbers, dim: int, count: int) -> Numbers:
        """The first `count` elements along a dimension."""
        ...


THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
THREEFRY_PARITY = 0x1BD11BDA
PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
PHILOX_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
"""The constants of the paper."""

Words = tuple[Numbers, ...]
"""Of ui32 and one shape, the least significant word first."""


def split(engine: Engine, value: Numbers) -> Words:
    """The words of numbers of ui64."""
    return engine.convert(value, "ui32"), engine.convert(value >> 32, "ui32")


def join(engine: Engine, low: Numbers, high: Numbers) -> Numbers:
    """Numbers of ui64 from their words."""
    return engine.convert(low, "ui64") | (engine.convert(high, "ui64") << 32)


def threefry_2x32(counter: Words, key: Words) -> Words:
    """Twenty rounds of Threefry-2x32."""
    schedule = (*key, key[0] ^ key[1] ^ THREEFRY_PARITY)
    first, second = counter[0] + schedule[0], counter[1] + schedule[1]
    for group in range(5):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            first = first + second
            second = ((second << distance) | (second >> (32 - distance))) ^ first
        first = first + schedule[(group + 1) % 3]
        second = second + (schedule[(group + 2) % 3] + (group + 1))
    return first, second


def philox_4x32(engine: Engine, counter: Words, key: Words) -> Words:
    """Ten rounds of Philox-4x32."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        low0, high0 = split(engine, engine.convert(x0, "ui64") * PHILOX_MULTIPLIERS[0])
        low1, high1 = split(engine, engine.convert(x2, "ui64") * PHILOX_MULTIPLIERS[1])
        x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
        k0, k1 = k0 + PHILOX_KEY_STEPS[0], k1 + PHILOX_KEY_STEPS[1]
    return x0, x1, x2, x3


class _Steps:
    """The steps that a counter takes from a state: vectors of one element, the key, the counter and its upper half."""

    def __init__(self, engine: Engine, state: Sequence[Numbers], count: int) -> None:
        self.engine, self.state, self.count = engine, state, count
        self.key = tuple(engine.repeated(word, count) for word in split(engine, state[0]))

    def lower(self) -> Numbers:
        return self.engine.counted(self.state[1], self.count)

    def upper(self, lower: Numbers) -> Numbers:
        """The upper half of a counter of 128 bits, which the lower one carries into; it may start as the key."""
        engine, state = self.engine, self.state
        upper, start = (engine.repeated(x, self.count) for x in (state[2] if len(state) == 3 else state[0], state[1]))
        return engine.select(engine.less(lower, start), upper + 1, upper)

    def next(self) -> Numbers:
        """The state after all steps."""
        engine, (key, start, *upper) = self.engine, self.state
        counter = start + self.count
        upper = [engine.select(engine.less(counter, start), x + 1, x) for x in upper]
        return engine.joined([key, counter, *upper], 0)


def philox_steps(shape: Sequence[int], width: int) -> int:
    """How many steps of the counter give elements of `width` bits."""
    return -(-prod(shape) // (2 if width == 64 else 4))


def philox(engine: Engine, state: Sequence[Numbers], shape: Sequence[int], width: int) -> tuple[Numbers, Numbers]:
    """The next state, and words of 32 bits in row-major order, or pairs of them where elements have 64."""
    steps = _Steps(engine, state, philox_steps(shape, width))
    lower = steps.lower()
    words = philox_4x32(engine, (*split(engine, lower), *split(engine, steps.upper(lower))), steps.key)
    if width == 64:
        words = join(engine, *words[:2]), join(engine, *words[2:])
    following = steps.next()
    columns = engine.joined([word.reshape((steps.count, 1)) for word in words], 1)
    flat = columns.reshape((len(words) * steps.count,))
    return following, engine.first(flat, 0, prod(shape)).reshape(shape)


def threefry(engine: Engine, state: Sequence[Numbers], shape: Sequence[int], width: int) -> tuple[Numbers, Numbers]:
    """The next state, and the two words of each step: an element of 64 bits, or neighbours along one dimension, the
    first of even size or the first of the largest.
    """
    axis = next((dim for dim, size in enumerate(shape) if size % 2 == 0), 0)
    if width != 64 and shape and shape[axis] % 2:
        axis = max(range(len(shape)), key=shape.__getitem__)
    half = (*shape[:axis], -(-shape[axis] // 2), *shape[axis + 1 :]) if width != 64 and shape else shape
    steps = _Steps(engine, state, prod(half))
    words = threefry_2x32(split(engine, steps.lower()), steps.key)
    if width == 64:
        return steps.next(), join(engine, *words).reshape(shape)
    if not shape:
        return steps.next(), words[0].reshape(())
    places = (*half[: axis + 1], 1, *half[axis + 1 :])
    pairs = engine.joined([word.reshape(places) for word in words], axis + 1)
    bits = pairs.reshape((*half[:axis], 2 * half[axis], *half[axis + 1 :]))
    return steps.next(), engine.first(bits, axis, shape[axis])
