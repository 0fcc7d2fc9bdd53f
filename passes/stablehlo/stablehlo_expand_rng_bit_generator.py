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

The generators, of Salmon, Moraes, Dror and Shaw, are those of the reference interpreter: `reference/bit_generators.py`.
"""

from __future__ import annotations

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
from ...reference import bit_generators
from .stablehlo_expand_rng import ENGINE, UI64


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
    generate = bit_generators.philox if is_philox else bit_generators.threefry
    words = state.bitcast(UI64)
    elements = [words.slice({0: (i, i + 1)}) for i in range(state.shape[0])]
    following, bits = generate(ENGINE, elements, shape_of(op.output), width)
    return [following.bitcast(state_type), as_elements(bits, element_type, width)]


class StablehloExpandRngBitGeneratorPass(ExpansionPass):
    """Replace random bit generators. See the module's documentation."""

    name = "stablehlo-expand-rng-bit-generator"

    EXPANDED: ClassVar = {stablehlo.RngBitGeneratorOp: rng_bit_generator}
