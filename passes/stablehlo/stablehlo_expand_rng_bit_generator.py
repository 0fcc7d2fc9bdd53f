"""`stablehlo-expand-rng-bit-generator`: counter-based random bits become integer arithmetic.

The state is a key and a counter, `tensor<2xui64>`. Each step of the counter is enciphered with the key by Threefry-2x32
(20 rounds) into two words of 32 bits, or by Philox-4x32 (10 rounds) into four; `DEFAULT` is Philox. Philox also takes
`tensor<3xui64>`: its counter has 128 bits, and without the third element the upper half starts as the key. The bits,
their order and the next state are those of XLA:

- Philox: words in row-major order, two for an element of 64 bits, low word first;
- Threefry, 64 bits: one step for an element. Fewer bits: the two words of a step are neighbours along one dimension,
  the first of even size, or the first of the largest;
- an element of fewer than 32 bits takes the low bits of a word.

Needs: static shapes, a state of 64-bit integers. Leaves: no `rng_bit_generator`; unsigned arithmetic on
`tensor<...xui32>`, of which nothing is known at compile time but the counter's offsets.

    %0, %1 = stablehlo.rng_bit_generator %state, algorithm = PHILOX
        : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)

becomes (of ten rounds)

    %low = stablehlo.slice %state [1:2] : (tensor<2xui64>) -> tensor<1xui64>
    %counter = stablehlo.add %low, %iota : tensor<1xui64>
    %product = stablehlo.multiply %x0, %m0 : tensor<1xui64>       // a product of words has 64 bits
    %high = stablehlo.shift_right_logical %product, %c32 : tensor<1xui64>
    ...

The generators are those of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.attributes import RngAlgorithm
from ...dialects.stablehlo.shapes import element_type_of, is_complex, shape_of
from ...errors import UnsupportedError
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder

UI32 = IntegerType(32, Signedness.UNSIGNED)
UI64 = IntegerType(64, Signedness.UNSIGNED)

THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
THREEFRY_PARITY = 0x1BD11BDA
PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
PHILOX_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
"""The constants of the paper."""

Words = tuple[Tensor, ...]
"""Tensors of ui32 of one shape, the least significant word first."""


def split(value: Tensor) -> Words:
    """The words of a tensor of ui64."""
    return value.convert(UI32), (value >> 32).convert(UI32)


def join(low: Tensor, high: Tensor) -> Tensor:
    """A tensor of ui64 from its words."""
    return low.convert(UI64) | (high.convert(UI64) << 32)


def rotate_left(word: Tensor, distance: int) -> Tensor:
    return (word << distance) | (word >> (32 - distance))


def threefry_2x32(counter: Words, key: Words) -> Words:
    schedule = (*key, key[0] ^ key[1] ^ THREEFRY_PARITY)
    first, second = counter[0] + schedule[0], counter[1] + schedule[1]
    for group in range(5):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            first = first + second
            second = rotate_left(second, distance) ^ first
        first = first + schedule[(group + 1) % 3]
        second = second + (schedule[(group + 2) % 3] + (group + 1))
    return first, second


def philox_4x32(counter: Words, key: Words) -> Words:
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        low0, high0 = split(x0.convert(UI64) * PHILOX_MULTIPLIERS[0])
        low1, high1 = split(x2.convert(UI64) * PHILOX_MULTIPLIERS[1])
        x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
        k0, k1 = k0 + PHILOX_KEY_STEPS[0], k1 + PHILOX_KEY_STEPS[1]
    return x0, x1, x2, x3


class _State:
    """The state of a generator: its elements, and the steps that the counter takes."""

    def __init__(self, state: Tensor, builder: TensorBuilder, steps: int) -> None:
        self.elements = [state.slice({0: (i, i + 1)}) for i in range(state.shape[0])]
        self.steps = steps
        self._builder = builder
        self.key = tuple(word.broadcast((steps,), (0,)) for word in split(self.elements[0]))

    def counters(self) -> Tensor:
        """The lower half of the counter at each step."""
        return self.elements[1].broadcast((self.steps,), (0,)) + self._builder.iota(UI64, (self.steps,), 0)

    def upper_counters(self, counters: Tensor) -> Tensor:
        """The upper half of a counter of 128 bits, which the lower one carries into."""
        upper = self.elements[2] if len(self.elements) == 3 else self.elements[0]
        upper, start = (element.broadcast((self.steps,), (0,)) for element in (upper, self.elements[1]))
        return counters.less(start).select(upper + 1, upper)

    def next(self) -> Tensor:
        """The state after all steps."""
        counter = self.elements[1] + self.steps
        following = [self.elements[0], counter]
        if len(self.elements) == 3:
            following.append(counter.less(self.elements[1]).select(self.elements[2] + 1, self.elements[2]))
        return self._builder.concatenate(following, 0)


def interleaved(tensors: Sequence[Tensor], builder: TensorBuilder) -> Tensor:
    """One element of each tensor of rank 1 in turn."""
    columns = [tensor.reshape((*tensor.shape, 1)) for tensor in tensors]
    return builder.concatenate(columns, 1).reshape((sum(tensor.shape[0] for tensor in tensors),))


def philox(state: Tensor, shape: Sequence[int], width: int, builder: TensorBuilder) -> tuple[Tensor, Tensor]:
    """The next state, and words of 32 bits, or pairs of them where elements have 64."""
    count = prod(shape)
    per_step = 2 if width == 64 else 4
    generator = _State(state, builder, -(-count // per_step))
    counters = generator.counters()
    words = philox_4x32((*split(counters), *split(generator.upper_counters(counters))), generator.key)
    if width == 64:
        words = join(words[0], words[1]), join(words[2], words[3])
    return generator.next(), interleaved(words, builder).slice({0: (0, count)}).reshape(shape)


def threefry(state: Tensor, shape: Sequence[int], width: int, builder: TensorBuilder) -> tuple[Tensor, Tensor]:
    """As `philox`."""
    if width == 64:
        generator = _State(state, builder, prod(shape))
        words = threefry_2x32(split(generator.counters()), generator.key)
        return generator.next(), join(*words).reshape(shape)
    if not shape:
        generator = _State(state, builder, 1)
        return generator.next(), threefry_2x32(split(generator.counters()), generator.key)[0].reshape(())
    axis = next((dim for dim, size in enumerate(shape) if size % 2 == 0), max(range(len(shape)), key=shape.__getitem__))
    half = (*shape[:axis], -(-shape[axis] // 2), *shape[axis + 1 :])
    generator = _State(state, builder, prod(half))
    words = threefry_2x32(split(generator.counters()), generator.key)
    places = (*half[: axis + 1], 1, *half[axis + 1 :])
    pairs = builder.concatenate([word.reshape(places) for word in words], axis + 1)
    bits = pairs.reshape((*half[:axis], 2 * half[axis], *half[axis + 1 :]))
    return generator.next(), bits.slice({axis: (0, shape[axis])})


def as_elements(bits: Tensor, element_type: Attribute, width: int) -> Tensor:
    """The low `width` bits of each element as `element_type`."""
    if width == 1:
        return (bits & 1).convert(element_type)
    return bits.convert(IntegerType(width, Signedness.UNSIGNED)).bitcast(element_type)


def rng_bit_generator(op: stablehlo.RngBitGeneratorOp, builder: TensorBuilder) -> list[Tensor]:
    (state,) = builder.wrap(op.initial_state)
    state_type, element_type = state.element_type, element_type_of(op.output)
    width = element_bits(element_type)
    is_philox = op.rng_algorithm.data != RngAlgorithm.THREE_FRY
    sizes = (2, 3) if is_philox else (2,)
    if element_bits(state_type) != 64 or state.rank != 1 or state.shape[0] not in sizes:
        raise UnsupportedError(f"{op.name}: {op.rng_algorithm.data} with a state of type {state.type}", op)
    if width > 64 or is_complex(element_type):
        raise UnsupportedError(f"{op.name}: random bits of type {op.output.type}", op)
    generate = philox if is_philox else threefry
    following, bits = generate(state.bitcast(UI64), shape_of(op.output), width, builder)
    return [following.bitcast(state_type), as_elements(bits, element_type, width)]


class StablehloExpandRngBitGeneratorPass(ExpansionPass):
    """Replace random bit generators. See the module's documentation."""

    name = "stablehlo-expand-rng-bit-generator"

    EXPANDED: ClassVar = {stablehlo.RngBitGeneratorOp: rng_bit_generator}
