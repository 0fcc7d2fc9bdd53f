"""Transforms of the few lengths that have straight-line code, on vectors of lines.

A composite length is taken apart with constant roots between the parts (Cooley and Tukey, 1965); a prime one is
computed from sums and differences of the elements at `k` and `p - k`, whose factors are real (Singleton, "An algorithm
for computing the mixed radix fast Fourier transform", 1969).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, SSAValue

from ...decisions.fourier_tables import roots
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder
from ...ir.vector_arithmetic import VectorArithmetic


class Number(NamedTuple):
    """A vector of complex numbers, as its parts."""

    real: SSAValue
    imaginary: SSAValue


class ComplexArithmetic(VectorArithmetic):
    """Arithmetic on vectors of `lanes` complex numbers with parts of the type `part`."""

    def __init__(self, builder: AffineBuilder, part: AnyFloat, lanes: int, fma: bool) -> None:
        super().__init__(builder, fma)
        self.vector = vector_type(cast(Attribute, part), lanes)

    def constant(self, number: float) -> SSAValue:
        """A vector of equal parts."""
        return self.splat(number, self.vector)

    def plus(self, a: Number, b: Number) -> Number:
        """`a + b`."""
        return Number(*map(self.add, a, b))

    def minus(self, a: Number, b: Number) -> Number:
        """`a - b`."""
        return Number(*map(self.subtract, a, b))

    def scaled(self, a: Number, factor: SSAValue) -> Number:
        """`a` times real numbers."""
        return Number(*(self.multiply(part, factor) for part in a))

    def plus_scaled(self, a: Number, factor: SSAValue, b: Number) -> Number:
        """`a` times real numbers, and `b`."""
        return Number(*(self.multiply_add(x, factor, y) for x, y in zip(a, b, strict=True)))

    def times(self, a: Number, b: Number) -> Number:
        """`a * b`."""
        real = self.multiply_add(self.negate(a.imaginary), b.imaginary, self.multiply(a.real, b.real))
        imaginary = self.multiply_add(a.imaginary, b.real, self.multiply(a.real, b.imaginary))
        return Number(real, imaginary)

    def turned(self, a: Number, sign: int) -> Number:
        """`sign * i * a`."""
        if sign > 0:
            return Number(self.negate(a.imaginary), a.real)
        return Number(a.imaginary, self.negate(a.real))

    def rotated(self, a: Number, power: int, order: int, sign: int) -> Number:
        """`a` times `exp(sign * 2 pi i * power / order)`."""
        power %= order
        eighths = 8 * power
        if eighths == 0:
            return a
        if eighths == 4 * order:
            return Number(*map(self.negate, a))
        if eighths in (2 * order, 6 * order):
            return self.turned(a, sign if eighths == 2 * order else -sign)
        root = complex(roots(np.array([power]), order, sign)[0])
        if eighths % order == 0:  # c (1 + i) or c (1 - i)
            scale = self.constant(root.real)
            total = self.add(a.real, a.imaginary)
            if root.real * root.imag > 0:
                return self.scaled(Number(self.subtract(a.real, a.imaginary), total), scale)
            return self.scaled(Number(total, self.subtract(a.imaginary, a.real)), scale)
        return self.times(a, Number(self.constant(root.real), self.constant(root.imag)))


def transform(values: Sequence[Number], sign: int, arithmetic: ComplexArithmetic) -> list[Number]:
    """The transform of `values`; `sign` is that of the exponent."""
    length = len(values)
    if length == 1:
        return list(values)
    if length == 2:
        return [arithmetic.plus(*values), arithmetic.minus(*values)]
    factor = next(divisor for divisor in range(2, length + 1) if length % divisor == 0)
    if factor == length:
        return _prime(values, sign, arithmetic)
    rest = length // factor
    # k = rest * k1 + k2 for the results, j = factor * j2 + j1 for the elements
    columns = [transform(values[first::factor], sign, arithmetic) for first in range(factor)]
    result: list[Number] = [values[0]] * length
    for second in range(rest):
        turned = [
            arithmetic.rotated(column[second], first * second, length, sign) for first, column in enumerate(columns)
        ]
        result[second::rest] = transform(turned, sign, arithmetic)
    return result


def _prime(values: Sequence[Number], sign: int, arithmetic: ComplexArithmetic) -> list[Number]:
    length = len(values)
    half = range(1, length // 2 + 1)
    sums = [arithmetic.plus(values[k], values[length - k]) for k in half]
    differences = [arithmetic.minus(values[k], values[length - k]) for k in half]
    result: list[Number] = [reduce(arithmetic.plus, sums, values[0])] * length
    for j in half:
        even, odd = values[0], None
        for k, total, difference in zip(half, sums, differences, strict=True):
            root = complex(roots(np.array([j * k]), length, sign)[0])
            cosine, sine = arithmetic.constant(root.real), arithmetic.constant(root.imag)
            even = arithmetic.plus_scaled(total, cosine, even)
            odd = arithmetic.plus_scaled(difference, sine, odd) if odd else arithmetic.scaled(difference, sine)
        assert odd is not None
        turned = arithmetic.turned(odd, 1)
        result[j], result[length - j] = arithmetic.plus(even, turned), arithmetic.minus(even, turned)
    return result
