"""Scalars of one element type as those of another.

Integers wrap; floats round to nearest even, and to integers round to zero and saturate, with NaN giving 0; to a boolean
is `!= 0`. From complex to real the imaginary part is dropped; a boolean is whether the real part is not zero.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType, f32, f64
from xdsl.ir import Attribute, Operation

from ...dialects.element_sizes import element_bits
from .arithmetic import Number, complex_of
from .attributes import (
    Kind,
    element_of,
    is_complex,
    is_float,
    is_integer,
    is_narrow_float,
    is_unsigned,
    kind_of,
    part_type,
    signless,
    unsupported,
)


def convert(op: Operation, x: Number) -> Number:
    """`stablehlo.convert`."""
    target = element_of(op.results[0])
    if Kind.OTHER in (kind_of(x.type), kind_of(target)):
        raise unsupported(op, f"no conversion from {x.type} to {target}")
    return converted(x, target)


def converted(x: Number, target: Attribute) -> Number:
    """`x` as a number of type `target`, complex or not. Both types have a lowering."""
    if signless(x.type) == signless(target):
        return x.read_as(target)
    if is_complex(x.type):
        real, imaginary = x.parts()
        if not is_complex(target):
            return converted(real, target)
        return complex_of(*(converted(part, part_type(target)) for part in (real, imaginary)))
    if is_complex(target):
        real = converted(x, part_type(target))
        return complex_of(real, 0.0)
    if is_integer(x.type):
        return _of_integer(x, target)
    if is_narrow_float(x.type):
        x = x.apply(arith.ExtFOp, to=f32)
        if target == f32:
            return x
    return _float_to_integer(x, target) if is_integer(target) else _float_to_float(x, target)


def _of_integer(x: Number, to: Any) -> Number:
    unsigned = is_unsigned(x.type)
    if is_float(to):
        op = arith.UIToFPOp if unsigned else arith.SIToFPOp
        if not is_narrow_float(to):
            return x.apply(op, to=to)
        if isinstance(to, Float8E8M0FNUType) and x.bits > 53:
            x = _digits_of_a_double(x)
        return x.apply(op, to=f64).apply(arith.TruncFOp, to=to)
    if to.bitwidth == 1:
        return x.compare("ne", 0)
    if to.bitwidth < x.bits:
        return x.apply(arith.TruncIOp, to=to)
    return x.apply(arith.ExtUIOp if unsigned else arith.ExtSIOp, to=to)


def _digits_of_a_double(number: Number) -> Number:
    """An integer of 64 bits with as many digits as `f64` holds, the rest cut off: rounding it again sees the same side
    of a tie, which a power of two has on its way up to the next.
    """
    large = number.compare("ugt", 1 << 53)
    return large.select(number & (-1 << 11), number)


def _float_to_float(x: Number, to: Attribute) -> Number:
    target_bits = element_bits(to)
    if x.bits == target_bits or (x.bits == 16 and target_bits < 16):  # f16 and bf16; narrow floats come from f32
        x = x.apply(arith.ExtFOp, to=f32)
    return x.resized(to)


def _float_to_integer(x: Number, to: IntegerType) -> Number:
    if to.bitwidth == 1:
        return x.compare("une", 0.0)
    if x.bits == 16:
        x = x.apply(arith.ExtFOp, to=f32)
    bits, unsigned = to.bitwidth, is_unsigned(to)
    low, high = (0, 1 << bits) if unsigned else (-1 << (bits - 1), 1 << (bits - 1))
    result = x.apply(arith.FPToUIOp if unsigned else arith.FPToSIOp, to=to)
    result = x.compare("oge", float(high)).select(high - 1, result)
    if unsigned:  # also takes NaN to 0
        return x.compare("ogt", 0.0).select(result, 0)
    result = x.compare("ole", float(low)).select(low, result)
    return x.compare("ord", x).select(result, 0)
