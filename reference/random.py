"""Random numbers (StableHLO specification, `rng`, `rng_bit_generator`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..dialects.stablehlo import shape_rules
from ..dialects.xrt_names import RANDOM_STATE
from ..errors import InvalidProgramError, UnsupportedError
from . import distributions
from .arrays import Array, bit_width, is_complex, is_float, is_unsigned, narrow
from .bit_generators import philox, philox_steps, threefry
from .conversion import from_bits, to_bits
from .custom_calls import backend_options, custom_call_target
from .registry import Call, reference


class _NumPy:
    """NumPy as an engine of `distributions` and `bit_generators`."""

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

    def repeated(self, element: Array, count: int) -> Array:
        return np.broadcast_to(element, (count,))

    def counted(self, start: Array, count: int) -> Array:
        return start + np.arange(count, dtype=np.uint64)

    def joined(self, parts: Sequence[Array], dim: int) -> Array:
        return np.concatenate(parts, dim)

    def first(self, value: Array, dim: int, count: int) -> Array:
        return value[(slice(None),) * dim + (slice(count),)]


NUMPY = _NumPy()


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
        return narrow(distributions.normal(NUMPY, words, low, high), dtype)
    values = narrow(distributions.uniform_float(NUMPY, words, low, high), dtype)
    return np.where(values.astype(wide) < high, values, bounds[0])


def _integers(call: Call, bounds: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    shape, wide = bounds[0].shape, np.uint64 if is_unsigned(dtype) or dtype == np.bool_ else np.int64
    if bit_width(dtype) == 64:
        words = list(_draw(call, (2, *shape), 64))
    else:
        words = [_draw(call, shape, 64)]
    low, high = (np.ascontiguousarray(x.astype(wide)).reshape(shape) for x in bounds)
    return narrow(distributions.uniform_integer(NUMPY, words, low, high), dtype)


def _draw(call: Call, shape: tuple[int, ...], width: int) -> Array:
    """The next words of the generator of the environment."""
    state = call.interpreter.environment.random_state(philox_steps(shape, width))
    return philox(NUMPY, _elements(state), shape, width)[1]


def _elements(state: Array) -> list[Array]:
    return [state[i : i + 1] for i in range(state.size)]


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
        new_state, bits = threefry(NUMPY, _elements(state), shape, bit_width(dtype))
    elif algorithm in ("PHILOX", "DEFAULT") and state.size in (2, 3):
        new_state, bits = philox(NUMPY, _elements(state), shape, bit_width(dtype))
    else:
        raise UnsupportedError(f"{call.op.name}: algorithm {algorithm} with a state of type {words.dtype}", call.op)
    new = from_bits(to_bits(new_state).reshape(*initial_state.shape, bit_width(words.dtype)), words.dtype)
    return new, _as_type(bits, dtype)


def _as_type(bits: Array, dtype: np.dtype[Any]) -> Array:
    """Elements of `dtype` with the low bits of `bits`."""
    width = bit_width(dtype)
    return from_bits(to_bits(bits)[..., :width], dtype)
