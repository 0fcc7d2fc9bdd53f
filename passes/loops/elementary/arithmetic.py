"""The arithmetic that elementary functions are written in.

A function is a Python function from `Float`s to a `Float`; the operators build operations of an
`Arithmetic`, which emits IR (`ir_arithmetic`) or, in the tests, evaluates with NumPy. Plain Python
numbers stand for constants. Every operation is that of IEEE 754 with round to nearest even, without
exceptions, and keeps subnormals; there are no branches.

`a.multiply_add(b, c)` is fused where the target can and two roundings elsewhere: functions must be
right with either. `Integer` has the width of its `Float` and wraps around.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Handle: TypeAlias = Any
"""What an `Arithmetic` computes with: SSA values or arrays."""


@dataclass(frozen=True)
class Format:
    """A binary interchange format of IEEE 754.

    `fraction_bits` excludes the implicit one. `magic` is the number whose sum with an integer of
    small magnitude has that integer in its low bits (Goldberg, "What every computer scientist
    should know about floating-point arithmetic"; also Hecker's float-to-int trick).
    """

    bits: int
    fraction_bits: int

    @property
    def bias(self) -> int:
        return (1 << (self.bits - self.fraction_bits - 2)) - 1

    @property
    def one_bits(self) -> int:
        return self.bias << self.fraction_bits

    @property
    def sign_bit(self) -> int:
        return -(1 << (self.bits - 1))

    @property
    def magic(self) -> float:
        return math.ldexp(1.5, self.fraction_bits)

    @property
    def epsilon(self) -> float:
        return math.ldexp(1.0, -self.fraction_bits)

    @property
    def smallest_normal(self) -> float:
        return math.ldexp(1.0, 1 - self.bias)


SINGLE = Format(32, 23)
DOUBLE = Format(64, 52)


class Arithmetic(ABC):
    """Operations on handles of one format. `fused`: whether `multiply_add` rounds once."""

    format: Format
    fused: bool

    @abstractmethod
    def apply(self, operation: str, *operands: Handle) -> Handle:
        """One operation of the tables in this package's implementations, by name."""

    @abstractmethod
    def float_constant(self, value: float) -> Handle:
        """`value` rounded to the format."""

    @abstractmethod
    def integer_constant(self, value: int) -> Handle:
        """`value`, from the most negative integer to the largest unsigned one of the width."""

    @abstractmethod
    def double(self) -> Arithmetic:
        """The same arithmetic in double precision."""

    @property
    def is_single(self) -> bool:
        return self.format.bits == 32

    def constant(self, value: float) -> Float:
        return Float(self, self.float_constant(value))

    def integer(self, value: int) -> Integer:
        return Integer(self, self.integer_constant(value))


class _Value:
    __slots__ = ("arithmetic", "handle")

    def __init__(self, arithmetic: Arithmetic, handle: Handle) -> None:
        self.arithmetic = arithmetic
        self.handle = handle


class Float(_Value):
    """A floating point number."""

    __slots__ = ()

    def _coerce(self, other: Float | float) -> Handle:
        if isinstance(other, Float):
            return other.handle
        return self.arithmetic.float_constant(other)

    def _binary(self, operation: str, other: Float | float) -> Float:
        return Float(self.arithmetic, self.arithmetic.apply(operation, self.handle, self._coerce(other)))

    def _reversed(self, operation: str, other: float) -> Float:
        return Float(
            self.arithmetic,
            self.arithmetic.apply(operation, self.arithmetic.float_constant(other), self.handle),
        )

    def _unary(self, operation: str) -> Float:
        return Float(self.arithmetic, self.arithmetic.apply(operation, self.handle))

    def _compare(self, operation: str, other: Float | float) -> Mask:
        return Mask(self.arithmetic, self.arithmetic.apply(operation, self.handle, self._coerce(other)))

    def __add__(self, other: Float | float) -> Float:
        return self._binary("add", other)

    def __radd__(self, other: float) -> Float:
        return self._reversed("add", other)

    def __sub__(self, other: Float | float) -> Float:
        return self._binary("subtract", other)

    def __rsub__(self, other: float) -> Float:
        return self._reversed("subtract", other)

    def __mul__(self, other: Float | float) -> Float:
        return self._binary("multiply", other)

    def __rmul__(self, other: float) -> Float:
        return self._reversed("multiply", other)

    def __truediv__(self, other: Float | float) -> Float:
        return self._binary("divide", other)

    def __rtruediv__(self, other: float) -> Float:
        return self._reversed("divide", other)

    def __neg__(self) -> Float:
        return self._unary("negate")

    def __abs__(self) -> Float:
        return self._unary("absolute")

    def __lt__(self, other: Float | float) -> Mask:
        """Less than; false for NaN, like the other comparisons."""
        return self._compare("less", other)

    def __le__(self, other: Float | float) -> Mask:
        return self._compare("less_equal", other)

    def __gt__(self, other: Float | float) -> Mask:
        return self._compare("greater", other)

    def __ge__(self, other: Float | float) -> Mask:
        return self._compare("greater_equal", other)

    def equals(self, other: Float | float) -> Mask:
        return self._compare("equal", other)

    def is_nan(self) -> Mask:
        return self._compare("unordered", self)

    def sqrt(self) -> Float:
        return self._unary("sqrt")

    def floor(self) -> Float:
        return self._unary("floor")

    def round_even(self) -> Float:
        return self._unary("round_even")

    def copy_sign(self, sign: Float) -> Float:
        return self._binary("copy_sign", sign)

    def at_least(self, bound: float) -> Float:
        """The larger of both; NaN stays NaN."""
        return self._binary("at_least", bound)

    def at_most(self, bound: float) -> Float:
        """The smaller of both; NaN stays NaN."""
        return self._binary("at_most", bound)

    def fused_multiply_add(self, factor: Float | float, addend: Float | float) -> Float:
        """`self * factor + addend` rounded once, whether or not the target is fast at it."""
        arithmetic = self.arithmetic
        operands = (self.handle, self._coerce(factor), self._coerce(addend))
        return Float(arithmetic, arithmetic.apply("fused_multiply_add", *operands))

    def multiply_add(self, factor: Float | float, addend: Float | float) -> Float:
        """`self * factor + addend`, rounded once where the target has the instruction."""
        if self.arithmetic.fused:
            return self.fused_multiply_add(factor, addend)
        return self * factor + addend

    def polynomial(self, coefficients: Sequence[float]) -> Float:
        """`coefficients[0] + self * coefficients[1] + ...` by Horner's rule."""
        result: Float | float = coefficients[-1]
        if len(coefficients) == 1:
            return self.arithmetic.constant(coefficients[0])
        for coefficient in reversed(coefficients[:-1]):
            result = self.multiply_add(result, coefficient)
        assert isinstance(result, Float)
        return result

    def bits(self) -> Integer:
        return Integer(self.arithmetic, self.arithmetic.apply("float_to_bits", self.handle))

    def to_double(self) -> Float:
        double = self.arithmetic.double()
        return Float(double, double.apply("extend", self.handle))

    def to_single(self, single: Arithmetic) -> Float:
        """This double rounded to `single`, the arithmetic it was extended from."""
        return Float(single, single.apply("truncate", self.handle))


class Integer(_Value):
    """An integer as wide as the format."""

    __slots__ = ()

    def _binary(self, operation: str, other: Integer | int) -> Integer:
        arithmetic = self.arithmetic
        handle = other.handle if isinstance(other, Integer) else arithmetic.integer_constant(other)
        return Integer(arithmetic, arithmetic.apply(operation, self.handle, handle))

    def __add__(self, other: Integer | int) -> Integer:
        return self._binary("integer_add", other)

    def __sub__(self, other: Integer | int) -> Integer:
        return self._binary("integer_subtract", other)

    def __rsub__(self, other: int) -> Integer:
        return self.arithmetic.integer(other) - self

    def __mul__(self, other: Integer | int) -> Integer:
        return self._binary("integer_multiply", other)

    def __and__(self, other: Integer | int) -> Integer:
        return self._binary("and", other)

    def __or__(self, other: Integer | int) -> Integer:
        return self._binary("or", other)

    def __xor__(self, other: Integer | int) -> Integer:
        return self._binary("xor", other)

    def __lshift__(self, count: Integer | int) -> Integer:
        return self._binary("shift_left", count)

    def __rshift__(self, count: Integer | int) -> Integer:
        """Arithmetic shift: rounds towards minus infinity."""
        return self._binary("shift_right", count)

    def logical_shift_right(self, count: Integer | int) -> Integer:
        return self._binary("logical_shift_right", count)

    def equals(self, other: Integer | int) -> Mask:
        arithmetic = self.arithmetic
        handle = other.handle if isinstance(other, Integer) else arithmetic.integer_constant(other)
        return Mask(arithmetic, arithmetic.apply("integer_equal", self.handle, handle))

    def as_float(self) -> Float:
        """The number with these bits."""
        return Float(self.arithmetic, self.arithmetic.apply("bits_to_float", self.handle))

    def to_float(self) -> Float:
        """The integer as a number, exact for magnitudes below a quarter of the significand's range.

        By the magic number: vector units convert 64-bit integers slowly or not at all.
        """
        magic = self.arithmetic.format.magic
        offset = self.arithmetic.constant(magic).bits()
        return (self + offset).as_float() - magic


class Mask(_Value):
    """The outcome of a comparison."""

    __slots__ = ()

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.arithmetic, self.arithmetic.apply("mask_and", self.handle, other.handle))

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.arithmetic, self.arithmetic.apply("mask_or", self.handle, other.handle))

    def __invert__(self) -> Mask:
        return Mask(self.arithmetic, self.arithmetic.apply("mask_not", self.handle))

    def select(self, true: Float | float, false: Float | float) -> Float:
        arithmetic = self.arithmetic
        operands = [
            value.handle if isinstance(value, Float) else arithmetic.float_constant(value) for value in (true, false)
        ]
        return Float(arithmetic, arithmetic.apply("select", self.handle, *operands))

    def select_integer(self, true: Integer | int, false: Integer | int) -> Integer:
        arithmetic = self.arithmetic
        operands = [
            value.handle if isinstance(value, Integer) else arithmetic.integer_constant(value)
            for value in (true, false)
        ]
        return Integer(arithmetic, arithmetic.apply("select_integer", self.handle, *operands))


def power_of_two(exponent: Integer) -> Float:
    """2 to the `exponent`, which must lie between those of the smallest and largest normal."""
    format = exponent.arithmetic.format
    return ((exponent << format.fraction_bits) + format.one_bits).as_float()
