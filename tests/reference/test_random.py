"""Random numbers: bits like those of XLA, and reproducible distributions."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.reference.bit_generators import philox_4x32, threefry_2x32
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.random import NUMPY

from .harness import ELEMENT_TYPES, evaluate, same


def words(*values: int) -> tuple[np.ndarray, ...]:
    return tuple(np.array([v], np.uint32) for v in values)


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_threefry_known_answers(counter: tuple[int, int], key: tuple[int, int], expected: tuple[int, int]) -> None:
    """The known answers of the Random123 library."""
    assert [int(x[0]) for x in threefry_2x32(words(*counter), words(*key))] == list(expected)


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_known_answers(counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """The known answers of the Random123 library."""
    assert [int(x[0]) for x in philox_4x32(NUMPY, words(*counter), words(*key))] == list(expected)


def generate(algorithm: str, state: list[int], shape: tuple[int, ...], dtype: type) -> tuple[np.ndarray, np.ndarray]:
    result = "".join(f"{n}x" for n in shape) + ELEMENT_TYPES[np.dtype(dtype)]
    text = f"""stablehlo.rng_bit_generator %a, algorithm = {algorithm}
        : (tensor<{len(state)}xui64>) -> (tensor<{len(state)}xui64>, tensor<{result}>)"""
    return evaluate(text, np.array(state, np.uint64), results=2)


STATE = [0x123456789ABCDEF0, 0xFFFFFFFFFFFFFFFE, 7]


def test_threefry_bits_and_state() -> None:
    """Values of XLA (jaxlib 0.10.2)."""
    state, bits = generate("THREE_FRY", STATE[:2], (5,), np.uint32)
    assert state.tolist() == [STATE[0], 1]
    state, wide = generate("THREE_FRY", STATE[:2], (2,), np.uint64)
    assert state.tolist() == [STATE[0], 0]
    assert wide.tolist() == [8112081530999492730, 2445923859953712039]
    # The words of one step are neighbours.
    assert bits[:4].tolist() == wide.view(np.uint32).tolist()


def test_threefry_halves_the_first_even_dimension() -> None:
    _, rows = generate("THREE_FRY", STATE[:2], (3, 4), np.uint32)
    _, steps = generate("THREE_FRY", STATE[:2], (6,), np.uint64)
    same(rows.reshape(6, 2), steps.view(np.uint32).reshape(6, 2))
    _, columns = generate("THREE_FRY", STATE[:2], (4, 3), np.uint32)
    same(columns, np.moveaxis(steps.view(np.uint32).reshape(2, 3, 2), 2, 1).reshape(4, 3))


def test_philox_bits_and_state() -> None:
    """Values of XLA (jaxlib 0.10.2)."""
    key = 0x123456789ABCDEF0
    state, bits = generate("PHILOX", [key, 5], (8,), np.uint32)
    assert state.tolist() == [key, 7]
    assert bits[:4].tolist() == [3420639368, 1217886878, 1356354153, 3266970011]
    assert bits[4:].tolist() == [759684988, 1267215015, 1519999152, 1886225229]
    # A state of two words takes the key for the upper half of the counter.
    same(generate("PHILOX", [key, 5, key], (8,), np.uint32)[1], bits)
    same(generate("DEFAULT", [key, 5], (8,), np.uint32)[1], bits)


def test_philox_counter_carries() -> None:
    state, bits = generate("PHILOX", STATE, (12,), np.uint32)
    assert state.tolist() == [STATE[0], 1, 8]
    _, later = generate("PHILOX", [STATE[0], 0, 8], (4,), np.uint32)
    same(bits[8:], later)


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX"])
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.float32, np.int64, np.float64])
@pytest.mark.parametrize("shape", [(), (0,), (3, 5)])
def test_every_type_and_shape(algorithm: str, dtype: type, shape: tuple[int, ...]) -> None:
    _, bits = generate(algorithm, STATE[:2], shape, dtype)
    assert bits.dtype == dtype
    assert bits.shape == shape


def rng(distribution: str, low: np.generic, high: np.generic, size: int, seed: int = 0) -> np.ndarray:
    element = ELEMENT_TYPES[low.dtype]
    text = f"""%shape = stablehlo.constant dense<{size}> : tensor<1xi64>
        %r = stablehlo.rng %a, %b, %shape, distribution = {distribution}
        : (tensor<{element}>, tensor<{element}>, tensor<1xi64>) -> tensor<{size}x{element}>"""
    return evaluate(text, low, high, environment=Environment(seed=seed))


def test_uniform_numbers_lie_in_the_half_open_interval() -> None:
    values = rng("UNIFORM", np.float32(-1), np.float32(3), 2000)
    assert -1 <= values.min() < -0.9
    assert 2.9 < values.max() < 3
    integers = rng("UNIFORM", np.int32(-2), np.int32(3), 500)
    assert set(integers.tolist()) == {-2, -1, 0, 1, 2}


def test_normal_numbers_have_mean_and_deviation() -> None:
    values = rng("NORMAL", np.float64(5), np.float64(2), 5000)
    assert abs(values.mean() - 5) < 0.1
    assert abs(values.std() - 2) < 0.1


def test_numbers_follow_from_the_seed() -> None:
    first, again, other = (rng("UNIFORM", np.float32(0), np.float32(1), 8, seed) for seed in (1, 1, 2))
    same(first, again)
    assert not np.array_equal(first, other)
