"""`stablehlo-expand-rng`: random numbers of a distribution become arithmetic on random bits.

The bits are those of `rng_bit_generator` with `PHILOX`, from a state that the runtime hands out: it counts the steps
that the calls have taken, so that each call, and each iteration of a loop, gets bits of its own, and the seed of a run
decides on them all. `reference/distributions.py` makes numbers of the bits; the reference interpreter computes with the
same functions, and gives the same numbers for the same seed.

Needs: static shapes; a shape operand that is no constant is checked when the program runs. Leaves: no `rng`. Types
other than floats, integers and booleans, and normal numbers of types other than floats, are an `UnsupportedError`.

    %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>

becomes, for 6 words of 32 bits in two steps,

    %1 = stablehlo.custom_call @xrt.random_state() {has_side_effect = true, steps = 2 : i64} : () -> tensor<3xui64>
    %2, %3 = stablehlo.rng_bit_generator %1, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<6xui32>)
    %4 = stablehlo.shift_right_logical %3, %c8 : tensor<6xui32>
    %5 = stablehlo.convert %4 : (tensor<6xui32>) -> tensor<6xf32>
    %6 = stablehlo.multiply %5, %c : tensor<6xf32>
    ...                                                    // a (1 - u) + b u

XLA's RngExpander does likewise, with other bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import i64_attribute
from ...dialects.stablehlo.attributes import RngAlgorithm, RngAlgorithmAttr, RngDistribution
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.xrt_names import RANDOM_STATE
from ...errors import UnsupportedError
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...reference import bit_generators, distributions
from .run_time_checks import check_shapes

UI32 = IntegerType(32, Signedness.UNSIGNED)
UI64 = IntegerType(64, Signedness.UNSIGNED)


class _Emitting:
    """StableHLO as an engine of `distributions` and `bit_generators`."""

    types: ClassVar[dict[str, Attribute]] = {"i1": i1, "i64": i64, "ui32": UI32, "ui64": UI64, "f32": f32, "f64": f64}

    def convert(self, value: Tensor, type: str) -> Tensor:
        return value.convert(self.types[type])

    def bitcast(self, value: Tensor, type: str) -> Tensor:
        return value.bitcast(self.types[type])

    def less(self, lhs: Tensor, rhs: Tensor) -> Tensor:
        return lhs.less(rhs)

    def select(self, condition: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
        return condition.select(on_true, on_false)

    def sqrt(self, value: Tensor) -> Tensor:
        return value.sqrt()

    def repeated(self, element: Tensor, count: int) -> Tensor:
        return element.broadcast((count,), (0,))

    def counted(self, start: Tensor, count: int) -> Tensor:
        return self.repeated(start, count) + start.builder.iota(UI64, (count,), 0)

    def joined(self, parts: Sequence[Tensor], dim: int) -> Tensor:
        return parts[0].builder.concatenate(parts, dim)

    def first(self, value: Tensor, dim: int, count: int) -> Tensor:
        return value.slice({dim: (0, count)})


ENGINE = _Emitting()

_NARROW: tuple[Attribute, IntegerType] = (f32, UI32)
_WIDE: tuple[Attribute, IntegerType] = (f64, UI64)
"""In which type numbers are computed, and the words of random bits that takes."""


def random_words(builder: TensorBuilder, shape: Sequence[int], type: IntegerType) -> Tensor:
    """Fresh random bits."""
    properties: dict[str, Attribute] = {
        "call_target_name": StringAttr(RANDOM_STATE),
        "has_side_effect": IntegerAttr(1, i1),
    }
    attributes = {"steps": i64_attribute(bit_generators.philox_steps(shape, type.width.data))}
    (state,) = builder.emit(stablehlo.CustomCallOp, (), (TensorType(UI64, [3]),), properties, attributes=attributes)
    algorithm = {"rng_algorithm": RngAlgorithmAttr(RngAlgorithm.PHILOX)}
    types = (state.type, TensorType(type, shape))
    return builder.emit(stablehlo.RngBitGeneratorOp, (state,), types, algorithm)[1]


def rng(op: stablehlo.RngOp, builder: TensorBuilder) -> Tensor:
    shape, element_type = shape_of(op.result), element_type_of(op.result)
    if not isinstance(op.shape.owner, stablehlo.ConstantOp):
        check_shapes(builder, op, (), builder.wrap(op.shape))
    bounds = [x.broadcast(shape, ()) for x in builder.wrap(op.a, op.b)]
    is_normal = op.rng_distribution.data == RngDistribution.NORMAL
    if isinstance(element_type, IntegerType) and not is_normal:
        return _integers(builder, bounds, cast(IntegerType, element_type))
    if not isinstance(element_type, AnyFloat):
        raise UnsupportedError(f"{op.name}: random numbers of type {op.result.type}", op)
    wide, word = _WIDE if isinstance(element_type, Float64Type) else _NARROW
    words = random_words(builder, shape, word)
    low, high = (x.convert(wide) for x in bounds)
    if is_normal:
        return distributions.normal(ENGINE, words, low, high).convert(element_type)
    values: Tensor = distributions.uniform_float(ENGINE, words, low, high).convert(element_type)
    return values.convert(wide).less(high).select(values, bounds[0])


def _integers(builder: TensorBuilder, bounds: Sequence[Tensor], element_type: IntegerType) -> Tensor:
    shape, width = bounds[0].shape, element_bits(element_type)
    if width == 64:
        both = random_words(builder, (2, *shape), UI64)
        words = [both.slice({0: (i, i + 1)}).reshape(shape) for i in range(2)]
    else:
        words = [random_words(builder, shape, UI64)]
    is_unsigned = element_type.signedness.data == Signedness.UNSIGNED or width == 1
    low, high = (x.convert(UI64 if is_unsigned else i64) for x in bounds)
    values: Any = distributions.uniform_integer(ENGINE, words, low, high)
    return values.convert(element_type)


class StablehloExpandRngPass(ExpansionPass):
    """Replace random numbers. See the module's documentation."""

    name = "stablehlo-expand-rng"

    EXPANDED: ClassVar = {stablehlo.RngOp: rng}
