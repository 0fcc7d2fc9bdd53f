"""The arithmetic that elementary functions are written in.

A function is a Python function from `Float`s to a `Float`; the operators build operations of an
`Arithmetic`, which emits IR (`ir_arithmetic`) or, in the tests, evaluates with NumPy. Plain Python
numbers stand for constants. Every operation is that of IEEE 754 with round to nearest even, without
exceptions; there are no branches but for `either`. Subnormals are kept or flushed to zero as the program's mode says
(`decisions/denormals.py`), and functions are right with either: what they return is never an operand as it is.

`a.multiply_add(b, c)` is fused where the target can and two roundings elsewhere: functions must be
right with either. `Integer` has the width of its `Float` and wraps around.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

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
    """Operations on handles of one format. `fused`: whether `multiply_add` rounds once; `flushes`: whether results that
    would be subnormal are to be zeros, which integers do not become by themselves.
    """

    format: Format
    fused: bool
    flushes: bool = False

    @abstractmethod
    def apply(self, kind: type[Value], operation: str, *operands: Handle) -> Handle:
        """A value of a kind by the operation with this name in MLIR, of a comparison with its predicate; `at_least` and
        `at_most` are operations too.
        """

    @abstractmethod
    def number(self, kind: type[Value], value: float) -> Handle:
        """A constant, rounded to the format; integers go up to the largest unsigned one of its width."""

    @abstractmethod
    def double(self) -> Arithmetic:
        """The same arithmetic in double precision."""

    def either(
        self, condition: Mask, short: Callable[[], tuple[Value, ...]], general: Callable[[], tuple[Value, ...]]
    ) -> tuple[Value, ...]:
        """The values of `short` under a condition, else those of `general`, which are right in any case: of many
        numbers at a time they are all there is.
        """
        return general()

    @property
    def is_single(self) -> bool:
        return self.format.bits == 32

    def constant(self, value: float) -> Float:
        return Float(self, self.number(Float, value))


class Value:
    __slots__ = ("arithmetic", "handle")

    def __init__(self, arithmetic: Arithmetic, handle: Handle) -> None:
        self.arithmetic = arithmetic
        self.handle = handle

    def apply(self, result: type[ValueT], operation: str, *others: Value | float) -> ValueT:
        """An operation on this value and others. Python's numbers are of its kind; of the result's if it is a mask."""
        arithmetic, cls = self.arithmetic, self.__class__
        kind = result if cls is Mask else cls
        handles = [other.handle if isinstance(other, Value) else arithmetic.number(kind, other) for other in others]
        return result(arithmetic, arithmetic.apply(result, operation, self.handle, *handles))


ValueT = TypeVar("ValueT", bound=Value)


def unary(operation: str) -> Callable[[ValueT], ValueT]:
    return lambda x: x.apply(x.__class__, operation)


def binary(operation: str) -> Callable[[ValueT, ValueT | float], ValueT]:
    return lambda x, y: x.apply(x.__class__, operation, y)


def _reversed(operation: str) -> Callable[[ValueT, float], ValueT]:
    def apply(y: ValueT, x: float) -> ValueT:
        cls, arithmetic = y.__class__, y.arithmetic
        return cls(arithmetic, arithmetic.number(cls, x)).apply(cls, operation, y)

    return apply


def _comparison(operation: str) -> Callable[[ValueT, ValueT | float], Mask]:
    return lambda x, y: x.apply(Mask, operation, y)


class Float(Value):
    """A floating point number. Comparisons are false for NaN; at least or at most anything it stays NaN."""

    __slots__ = ()

    __add__ = binary("arith.addf")
    __sub__ = binary("arith.subf")
    __mul__ = binary("arith.mulf")
    __truediv__ = binary("arith.divf")
    __radd__ = _reversed("arith.addf")
    __rsub__ = _reversed("arith.subf")
    __rmul__ = _reversed("arith.mulf")
    __rtruediv__ = _reversed("arith.divf")
    __neg__ = unary("arith.negf")
    __abs__ = unary("math.absf")
    __lt__ = _comparison("arith.cmpf olt")
    __le__ = _comparison("arith.cmpf ole")
    __gt__ = _comparison("arith.cmpf ogt")
    __ge__ = _comparison("arith.cmpf oge")
    equals = _comparison("arith.cmpf oeq")
    sqrt = unary("math.sqrt")
    floor = unary("math.floor")
    round_even = unary("math.roundeven")
    copy_sign = binary("math.copysign")
    at_least = binary("at_least")
    at_most = binary("at_most")

    def is_nan(self) -> Mask:
        return self.apply(Mask, "arith.cmpf uno", self)

    def result(self) -> Float:
        """The same small number as a result of arithmetic: flushed where that flushes subnormals."""
        return (self + self) * 0.5

    def fused_multiply_add(self, factor: Float | float, addend: Float | float) -> Float:
        """`self * factor + addend` rounded once, whether or not the target is fast at it."""
        return self.apply(Float, "math.fma", factor, addend)

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
        return self.apply(Integer, "arith.bitcast")

    def to_double(self) -> Float:
        double = self.arithmetic.double()
        return Float(double, double.apply(Float, "arith.extf", self.handle))

    def to_single(self, single: Arithmetic) -> Float:
        """This double rounded to `single`, the arithmetic it was extended from."""
        return Float(single, single.apply(Float, "arith.truncf", self.handle))


class Integer(Value):
    """An integer as wide as the format. `>>` rounds towards minus infinity."""

    __slots__ = ()

    __add__ = binary("arith.addi")
    __sub__ = binary("arith.subi")
    __mul__ = binary("arith.muli")
    __and__ = binary("arith.andi")
    __or__ = binary("arith.ori")
    __xor__ = binary("arith.xori")
    __lshift__ = binary("arith.shli")
    __rshift__ = binary("arith.shrsi")
    logical_shift_right = binary("arith.shrui")
    __rsub__ = _reversed("arith.subi")
    equals = _comparison("arith.cmpi eq")

    def as_float(self) -> Float:
        """The number with these bits."""
        return self.apply(Float, "arith.bitcast")

    def to_float(self) -> Float:
        """The integer as a number, exact for magnitudes below a quarter of the significand's range.

        By the magic number: vector units convert 64-bit integers slowly or not at all.
        """
        magic = self.arithmetic.format.magic
        offset = self.arithmetic.constant(magic).bits()
        return (self + offset).as_float() - magic


class Mask(Value):
    """The outcome of a comparison."""

    __slots__ = ()

    __and__ = binary("arith.andi")
    __or__ = binary("arith.ori")

    def __invert__(self) -> Mask:
        return self.apply(Mask, "arith.xori", 1)

    def select(self, true: Float | float, false: Float | float) -> Float:
        return self.apply(Float, "arith.select", true, false)

    def select_integer(self, true: Integer | int, false: Integer | int) -> Integer:
        return self.apply(Integer, "arith.select", true, false)


def power_of_two(exponent: Integer) -> Float:
    """2 to the `exponent`, which must lie between those of the smallest and largest normal."""
    format = exponent.arithmetic.format
    return ((exponent << format.fraction_bits) + format.one_bits).as_float()
