"""Transforms of the few lengths that have straight-line code, on vectors of lines.

A composite length is taken apart with constant roots between the parts (Cooley and Tukey, 1965); a prime one is
computed from sums and differences of the elements at `k` and `p - k`, whose factors are real (Singleton, "An algorithm
for computing the mixed radix fast Fourier transform", 1969).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, FloatAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.fourier_tables import roots
from ...ir.affine_builder import AffineBuilder

STRICT: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}


class Number(NamedTuple):
    """A vector of complex numbers, as its parts."""

    real: SSAValue
    imaginary: SSAValue


class VectorArithmetic:
    """Arithmetic on vectors of `lanes` numbers of the type `part`, appended where `builder` stands."""

    def __init__(self, builder: AffineBuilder, part: AnyFloat, lanes: int, fma: bool) -> None:
        self.builder = builder
        self.part = part
        self.lanes = lanes
        self.vector = VectorType(cast(Attribute, part), [lanes])
        self.fma = fma

    def _binary(self, op: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        return self.builder.add(op.create(operands=[a, b], result_types=[a.type], properties=STRICT))

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a + b`."""
        return self._binary(arith.AddfOp, a, b)

    def subtract(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a - b`."""
        return self._binary(arith.SubfOp, a, b)

    def multiply(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a * b`."""
        return self._binary(arith.MulfOp, a, b)

    def multiply_add(self, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
        """`a * b + c`, rounded once where the CPU can."""
        if not self.fma:
            return self.add(self.multiply(a, b), c)
        return self.builder.add(vector.FMAOp.create(operands=[a, b, c], result_types=[self.vector]))

    def negate(self, a: SSAValue) -> SSAValue:
        """`-a`."""
        return self.builder.add(arith.NegfOp.create(operands=[a], result_types=[self.vector], properties=STRICT))

    def splat(self, number: float, lanes: int = 0) -> SSAValue:
        """A constant vector, with as many lanes as others unless `lanes` says otherwise."""
        type = VectorType(cast(Attribute, self.part), [lanes]) if lanes else self.vector
        value = DenseIntOrFPElementsAttr.from_list(cast(VectorType[Any], type), [number])
        return self.builder.constant(value, type)

    def zero(self) -> SSAValue:
        """A scalar 0."""
        return self.builder.constant(FloatAttr(0.0, self.part), cast(Attribute, self.part))

    def broadcast(self, scalar: SSAValue) -> SSAValue:
        """A vector of equal elements."""
        return self.builder.add(vector.BroadcastOp.create(operands=[scalar], result_types=[self.vector]))

    def plus(self, a: Number, b: Number) -> Number:
        """`a + b`."""
        return Number(self.add(a.real, b.real), self.add(a.imaginary, b.imaginary))

    def minus(self, a: Number, b: Number) -> Number:
        """`a - b`."""
        return Number(self.subtract(a.real, b.real), self.subtract(a.imaginary, b.imaginary))

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
            return Number(self.negate(a.real), self.negate(a.imaginary))
        if eighths in (2 * order, 6 * order):
            return self.turned(a, sign if eighths == 2 * order else -sign)
        root = complex(roots(np.array([power]), order, sign)[0])
        if eighths % order == 0:  # c (1 + i) or c (1 - i)
            scale = self.splat(root.real)
            total = self.add(a.real, a.imaginary)
            if root.real * root.imag > 0:
                parts = (self.subtract(a.real, a.imaginary), total)
            else:
                parts = (total, self.subtract(a.imaginary, a.real))
            return Number(self.multiply(parts[0], scale), self.multiply(parts[1], scale))
        return self.times(a, Number(self.splat(root.real), self.splat(root.imag)))


def transform(values: Sequence[Number], sign: int, arithmetic: VectorArithmetic) -> list[Number]:
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
        for place, value in enumerate(transform(turned, sign, arithmetic)):
            result[rest * place + second] = value
    return result


def _prime(values: Sequence[Number], sign: int, arithmetic: VectorArithmetic) -> list[Number]:
    length = len(values)
    half = range(1, length // 2 + 1)
    sums = [arithmetic.plus(values[k], values[length - k]) for k in half]
    differences = [arithmetic.minus(values[k], values[length - k]) for k in half]
    first = values[0]
    for value in sums:
        first = arithmetic.plus(first, value)
    result: list[Number] = [first] * length
    for j in half:
        even, odd = values[0], None
        for k, total, difference in zip(half, sums, differences, strict=True):
            root = complex(roots(np.array([j * k]), length, sign)[0])
            cosine, sine = arithmetic.splat(root.real), arithmetic.splat(root.imag)
            even = Number(
                arithmetic.multiply_add(total.real, cosine, even.real),
                arithmetic.multiply_add(total.imaginary, cosine, even.imaginary),
            )
            if odd is None:
                odd = Number(
                    arithmetic.multiply(difference.real, sine), arithmetic.multiply(difference.imaginary, sine)
                )
            else:
                odd = Number(
                    arithmetic.multiply_add(difference.real, sine, odd.real),
                    arithmetic.multiply_add(difference.imaginary, sine, odd.imaginary),
                )
        assert odd is not None
        turned = arithmetic.turned(odd, 1)
        result[j], result[length - j] = arithmetic.plus(even, turned), arithmetic.minus(even, turned)
    return result
