"""Random numbers (StableHLO specification, `rng`, `rng_bit_generator`).

The bit generators are Threefry-2x32 and Philox-4x32 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3" (SC 2011), with states and orders of elements that give the same bits as XLA.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np

from ..dialects.stablehlo import shape_rules
from ..dialects.xrt_names import RANDOM_STATE
from ..errors import InvalidProgramError, UnsupportedError
from . import distributions
from .arrays import Array, bit_width, is_complex, is_float, is_unsigned, narrow
from .conversion import from_bits, to_bits
from .custom_calls import backend_options, custom_call_target
from .registry import Call, reference

Words = tuple[Array, ...]
"""Equally shaped arrays of uint32, least significant first."""

_LOW = np.uint64(0xFFFFFFFF)


class _NumPy:
    """NumPy as an engine of `distributions`."""

    dtypes: ClassVar[dict[str, type[np.generic]]] = {
        "i1": np.bool_,
        "i64": np.int64,
        "ui32": np.uint32,
        "ui64": np.uint64,
        "f32": np.float32,
        "f64": np.float64,
    }

    def convert(self, value: Array, type: str) -> Array:
        return value.astype(self.dtypes[type])

    def bitcast(self, value: Array, type: str) -> Array:
        return value.view(self.dtypes[type])

    def less(self, lhs: Array, rhs: Array) -> Array:
        return lhs < rhs

    def select(self, condition: Array, on_true: Array, on_false: Array) -> Array:
        return np.where(condition, on_true, on_false)

    def sqrt(self, value: Array) -> Array:
        return np.sqrt(value)


@reference("stablehlo.rng")
def rng(call: Call, a: Array, b: Array, shape: Array) -> Array:
    """From the generator of the environment, seeded so that every run gives the same numbers.

    Philox, as in `rng_bit_generator`: `distributions` says which bits become which numbers.
    """
    sizes, dtype = tuple(int(n) for n in shape), call.result()[1]
    if any(size < 0 for size in sizes):
        raise InvalidProgramError(shape_rules.broken(call.op.name, shape_rules.RNG, sizes), call.op)
    call.require_shape(sizes)
    is_normal = call.enum("rng_distribution") == "NORMAL"
    if is_complex(dtype) or (is_normal and not is_float(dtype)):
        raise UnsupportedError(f"{call.op.name}: random numbers of type {dtype.name}", call.op)
    bounds = [np.broadcast_to(x, sizes) for x in (a, b)]
    if not is_float(dtype):
        return _integers(call, bounds, dtype)
    wide = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    words = _draw(call, sizes, 8 * wide.itemsize)
    low, high = (x.astype(wide) for x in bounds)
    if is_normal:
        return narrow(distributions.normal(_NumPy(), words, low, high), dtype)
    values = narrow(distributions.uniform_float(_NumPy(), words, low, high), dtype)
    return np.where(values.astype(wide) < high, values, bounds[0])


def _integers(call: Call, bounds: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    shape, wide = bounds[0].shape, np.uint64 if is_unsigned(dtype) or dtype == np.bool_ else np.int64
    if bit_width(dtype) == 64:
        words = list(_draw(call, (2, *shape), 64))
    else:
        words = [_draw(call, shape, 64)]
    low, high = (np.ascontiguousarray(x.astype(wide)).reshape(shape) for x in bounds)
    return narrow(distributions.uniform_integer(_NumPy(), words, low, high), dtype)


def _draw(call: Call, shape: tuple[int, ...], width: int) -> Array:
    """The next words of the generator of the environment."""
    return philox(call.interpreter.environment.random_state(philox_steps(shape, width)), shape, width)[1]


@custom_call_target(RANDOM_STATE)
def random_state(call: Call) -> Array:
    """The state from which the generator of the environment makes the next `steps` steps."""
    return call.interpreter.environment.random_state(call.int("steps"))


@custom_call_target("rng_get_and_update_state")
def rng_get_and_update_state(call: Call) -> Array:
    """The same for HLO's op of this name, whose `delta` is the option `steps`."""
    steps = backend_options(call).get("steps")
    if not isinstance(steps, int):
        raise InvalidProgramError("custom call of @rng_get_and_update_state without a number of steps", call.op)
    return call.interpreter.environment.random_state(steps)


@reference("stablehlo.rng_bit_generator")
def rng_bit_generator(call: Call, initial_state: Array) -> tuple[Array, Array]:
    """The state is a key and a counter: u64[2], or u64[3] for Philox, whose counter has 128 bits."""
    shape, dtype = call.result(1)
    state, words = initial_state.astype(np.uint64).reshape(-1), initial_state
    if initial_state.dtype != np.uint64:
        state = from_bits(to_bits(words).reshape(-1, 64), np.dtype(np.uint64))
    algorithm = call.enum("rng_algorithm")
    if algorithm == "THREE_FRY" and state.size == 2:
        new_state, bits = threefry(state, shape, bit_width(dtype))
    elif algorithm in ("PHILOX", "DEFAULT") and state.size in (2, 3):
        new_state, bits = philox(state, shape, bit_width(dtype))
    else:
        raise UnsupportedError(f"{call.op.name}: algorithm {algorithm} with a state of type {words.dtype}", call.op)
    new = from_bits(to_bits(new_state).reshape(*initial_state.shape, bit_width(words.dtype)), words.dtype)
    return new, _as_type(bits, dtype)


def _as_type(bits: Array, dtype: np.dtype[Any]) -> Array:
    """Elements of `dtype` with the low bits of `bits`."""
    width = bit_width(dtype)
    return from_bits(to_bits(bits)[..., :width], dtype)


def _split(value: Array) -> Words:
    return (value & _LOW).astype(np.uint32), (value >> np.uint64(32)).astype(np.uint32)


def _join(low: Array, high: Array) -> Array:
    return low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))


def threefry2x32(counter: Words, key: Words) -> Words:
    """Twenty rounds of Threefry-2x32."""
    rotations = ((13, 15, 26, 6), (17, 29, 16, 24))
    schedule = (*key, key[0] ^ key[1] ^ np.uint32(0x1BD11BDA))
    first, second = counter[0] + schedule[0], counter[1] + schedule[1]
    for i in range(5):
        for distance in rotations[i % 2]:
            first = first + second
            second = (second << np.uint32(distance)) | (second >> np.uint32(32 - distance))
            second = first ^ second
        first = first + schedule[(i + 1) % 3]
        second = second + schedule[(i + 2) % 3] + np.uint32(i + 1)
    return first, second


def _halved(shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """`shape` with one dimension halved, rounded up: the first even one, otherwise the first of the largest."""
    axis = next((d for d, n in enumerate(shape) if n % 2 == 0), int(np.argmax(shape)))
    return (*shape[:axis], -(-shape[axis] // 2), *shape[axis + 1 :]), axis


def threefry(state: Array, shape: tuple[int, ...], width: int) -> tuple[Array, Array]:
    """The next state and random bits: two words of 32 bits for each step of the counter.

    Elements of 64 bits are such pairs. Narrower ones take the two words as neighbours along one dimension.
    """
    key = _split(state[0:1])
    if width == 64:
        counters = state[1] + np.arange(prod(shape), dtype=np.uint64)
        bits = _join(*threefry2x32(_split(counters), key)).reshape(shape)
        return np.array([state[0], state[1] + np.uint64(prod(shape))]), bits
    half, axis = _halved(shape) if shape else ((1,), 0)
    counters = (state[1] + np.arange(prod(half), dtype=np.uint64)).reshape(half)
    first, second = threefry2x32(_split(counters), key)
    if not shape:
        bits = first.reshape(())
    else:
        pairs = np.stack([first, second], axis + 1).reshape(*half[:axis], 2 * half[axis], *half[axis + 1 :])
        bits = pairs[tuple(slice(n) for n in shape)]
    return np.array([state[0], state[1] + np.uint64(prod(half))]), bits


def philox4x32(counter: Words, key: Words) -> Words:
    """Ten rounds of Philox-4x32."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        low0, high0 = _split(x0.astype(np.uint64) * np.uint64(0xD2511F53))
        low1, high1 = _split(x2.astype(np.uint64) * np.uint64(0xCD9E8D57))
        x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
        k0, k1 = k0 + np.uint32(0x9E3779B9), k1 + np.uint32(0xBB67AE85)
    return x0, x1, x2, x3


def philox_steps(shape: Sequence[int], width: int) -> int:
    """How many steps of the counter give elements of `width` bits."""
    return -(-prod(shape) // (2 if width == 64 else 4))


def philox(state: Array, shape: tuple[int, ...], width: int) -> tuple[Array, Array]:
    """The next state and random bits: four words of 32 bits for each step of the counter, in row-major order.

    A state without the upper half of the counter takes the key for it.
    """
    words = prod(shape) * (2 if width == 64 else 1)
    steps = philox_steps(shape, width)
    low = state[1] + np.arange(steps, dtype=np.uint64)
    high = np.where(low < state[1], np.uint64(1), np.uint64(0)) + (state[2] if state.size == 3 else state[0])
    outputs = philox4x32((*_split(low), *_split(high)), _split(state[0:1]))
    flat = np.stack(outputs, -1).reshape(-1)[:words]
    bits = flat.reshape(*shape, 2) if width == 64 else flat.reshape(shape)
    if width == 64:
        bits = _join(bits[..., 0], bits[..., 1])
    next_low = state[1] + np.uint64(steps)
    carry = np.uint64(next_low < state[1])
    new_state = [state[0], next_low, *([state[2] + carry] if state.size == 3 else [])]
    return np.array(new_state, np.uint64), bits
