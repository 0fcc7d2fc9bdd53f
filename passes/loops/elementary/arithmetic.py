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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

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

    def apply(self, result: type[ValueT], operation: str, *others: _Value | float) -> ValueT:
        """An operation on this value and others. Python's numbers are integers where one of the values is."""
        arithmetic = self.arithmetic
        is_integer = Integer in (self.__class__, result)
        constant = cast(Any, arithmetic.integer_constant if is_integer else arithmetic.float_constant)
        handles = [other.handle if isinstance(other, _Value) else constant(other) for other in others]
        return result(arithmetic, arithmetic.apply(operation, self.handle, *handles))


ValueT = TypeVar("ValueT", bound=_Value)


def unary(operation: str) -> Callable[[Float], Float]:
    return lambda x: x.apply(Float, operation)


def binary(operation: str) -> Callable[[Float, Float | float], Float]:
    return lambda x, y: x.apply(Float, operation, y)


def _reversed(operation: str) -> Callable[[Float, float], Float]:
    return lambda y, x: y.arithmetic.constant(x).apply(Float, operation, y)


def _comparison(operation: str) -> Callable[[Float, Float | float], Mask]:
    return lambda x, y: x.apply(Mask, operation, y)


def _on_integers(operation: str) -> Callable[[Integer, Integer | int], Integer]:
    return lambda x, y: x.apply(Integer, operation, y)


def _on_masks(operation: str) -> Callable[[Mask, Mask], Mask]:
    return lambda x, y: x.apply(Mask, operation, y)


class Float(_Value):
    """A floating point number. Comparisons are false for NaN; at least or at most anything it stays NaN."""

    __slots__ = ()

    __add__ = binary("add")
    __sub__ = binary("subtract")
    __mul__ = binary("multiply")
    __truediv__ = binary("divide")
    __radd__ = _reversed("add")
    __rsub__ = _reversed("subtract")
    __rmul__ = _reversed("multiply")
    __rtruediv__ = _reversed("divide")
    __neg__ = unary("negate")
    __abs__ = unary("absolute")
    __lt__ = _comparison("less")
    __le__ = _comparison("less_equal")
    __gt__ = _comparison("greater")
    __ge__ = _comparison("greater_equal")
    equals = _comparison("equal")
    sqrt = unary("sqrt")
    floor = unary("floor")
    round_even = unary("round_even")
    copy_sign = binary("copy_sign")
    at_least = binary("at_least")
    at_most = binary("at_most")

    def is_nan(self) -> Mask:
        return self.apply(Mask, "unordered", self)

    def fused_multiply_add(self, factor: Float | float, addend: Float | float) -> Float:
        """`self * factor + addend` rounded once, whether or not the target is fast at it."""
        return self.apply(Float, "fused_multiply_add", factor, addend)

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
        return self.apply(Integer, "float_to_bits")

    def to_double(self) -> Float:
        double = self.arithmetic.double()
        return Float(double, double.apply("extend", self.handle))

    def to_single(self, single: Arithmetic) -> Float:
        """This double rounded to `single`, the arithmetic it was extended from."""
        return Float(single, single.apply("truncate", self.handle))


class Integer(_Value):
    """An integer as wide as the format. `>>` rounds towards minus infinity."""

    __slots__ = ()

    __add__ = _on_integers("integer_add")
    __sub__ = _on_integers("integer_subtract")
    __mul__ = _on_integers("integer_multiply")
    __and__ = _on_integers("and")
    __or__ = _on_integers("or")
    __xor__ = _on_integers("xor")
    __lshift__ = _on_integers("shift_left")
    __rshift__ = _on_integers("shift_right")
    logical_shift_right = _on_integers("logical_shift_right")

    def __rsub__(self, other: int) -> Integer:
        return self.arithmetic.integer(other) - self

    def equals(self, other: Integer | int) -> Mask:
        return self.apply(Mask, "integer_equal", other)

    def as_float(self) -> Float:
        """The number with these bits."""
        return self.apply(Float, "bits_to_float")

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

    __and__ = _on_masks("mask_and")
    __or__ = _on_masks("mask_or")

    def __invert__(self) -> Mask:
        return self.apply(Mask, "mask_not")

    def select(self, true: Float | float, false: Float | float) -> Float:
        return self.apply(Float, "select", true, false)

    def select_integer(self, true: Integer | int, false: Integer | int) -> Integer:
        return self.apply(Integer, "select_integer", true, false)


def power_of_two(exponent: Integer) -> Float:
    """2 to the `exponent`, which must lie between those of the smallest and largest normal."""
    format = exponent.arithmetic.format
    return ((exponent << format.fraction_bits) + format.one_bits).as_float()
