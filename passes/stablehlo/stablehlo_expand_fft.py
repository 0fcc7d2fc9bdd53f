"""`stablehlo-expand-fft`: Fourier transforms of lengths with large prime factors become products or longer transforms.

Works on real and imaginary parts, as a dimension of size 2 of a real tensor. The axes are transformed from the first
to the last: a product contracts the leading dimensions, part and axis, and appends the digits of the result as trailing
ones, so that the next axis is the leading one. `fourier_plan.py` says how lengths are taken apart.

A prime that is too large for a matrix is a convolution with a chirp, by two longer transforms (Bluestein, 1970).

Needs: static shapes. Leaves: `fft` where all lengths have no factors beyond 13, for which there is a kernel. Inverse
transforms divide by the length. The last product of an RFFT computes no more than what it returns; IRFFT ignores the
imaginary parts that a real result cannot have.

    %0 = stablehlo.fft %x, type = FFT, length = [323] : tensor<323xcomplex<f32>>

becomes, with 323 = 17 * 19

    %re = stablehlo.reshape (stablehlo.real %x) : tensor<17x19xf32>                         // n = 19 j + i
    %a = stablehlo.dot_general %re, %F, contracting_dims = [0] x [0] : ... -> tensor<19x34xf32>
    %b = stablehlo.dot_general %im, %G, contracting_dims = [0] x [0] : ... -> tensor<19x34xf32>
    %y = (%a + %b) as tensor<19x2x17xf32>                                                   // i, part, k
    %z = %y * cosines + reverse(%y, dims = [1]) * sines, transposed to part, i, k
    %w = stablehlo.dot_general %z, %H, contracting_dims = [0] x [0] : ... -> tensor<17x38xf32>
    %0 = stablehlo.complex of both parts of %w, transposed to 17 k' + k

Small transforms as matrix products are what FFT libraries for matrix units do (tcFFT, 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from ...decisions import fourier_tables as plan
from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import FftType, FftTypeAttr
from ...dialects.stablehlo.shapes import element_type_of, real_type, shape_of
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...ir.tensors import int_array

Parts = Sequence[Tensor]
"""Tensors of shape (parts, axis, rest): one of both parts, one of real parts, or one of each."""


def fft(op: stablehlo.FftOp, builder: TensorBuilder) -> Tensor | None:
    (operand,) = builder.wrap(op.operand)
    kind, lengths = op.fft_type.data, op.lengths
    result_type, result_shape = element_type_of(op.result), shape_of(op.result)
    if 0 in operand.shape or 0 in result_shape:
        return builder.splat(result_type, result_shape, 0)
    if all(plan.stage_radices(length) for length in lengths):
        return None
    batch = prod(result_shape[: -len(lengths)])
    sizes = operand.shape[-len(lengths) :]
    inverse = kind in (FftType.IFFT, FftType.IRFFT)
    transform = _Transform(builder, real_type(result_type), 1 if inverse else -1)
    if len(lengths) == 1 and kind != FftType.IRFFT and builder.model.fourier.radices(lengths[0]) is None:
        rows = operand.reshape((batch, lengths[0]))
        rows = rows.with_imaginary(rows.number(0)) if kind == FftType.RFFT else rows
        return transform.convolved(rows, result_shape[-1], 1 / lengths[0] if inverse else 1.0).reshape(result_shape)
    components = [operand] if kind == FftType.RFFT else [operand.real(), operand.imaginary()]
    parts: Parts = [_batch_last(x, batch).reshape((1, sizes[0], -1)) for x in components]
    for axis, length in enumerate(lengths[:-1]):
        digits = transform.apply(parts, length, 2)
        following = sizes[axis + 1]
        ordered = _ordered(digits, (following, digits.shape[0] // following))
        parts = [ordered.reshape((2, following, -1))]
    if kind == FftType.IRFFT:
        parts = _hermitian(parts, lengths[-1])
    digits = transform.apply(parts, result_shape[-1], 1 if kind == FftType.IRFFT else 2)
    part = digits.rank - 2
    ordered = [_ordered(digits.slice({part: (i, i + 1)}), digits.shape[:1]) for i in range(digits.shape[part])]
    real, *imaginary = (x.reshape(x.shape[1:]) for x in ordered)
    result = real.with_imaginary(*imaginary) if imaginary else real
    return result.reshape((result.shape[0], -1)).slice({1: (0, result_shape[-1])}).reshape(result_shape)


def _batch_last(x: Tensor, batch: int) -> Tensor:
    return x.reshape((batch, -1)).transpose((1, 0)) if batch > 1 else x


def _ordered(digits: Tensor, leading: Sequence[int]) -> Tensor:
    """(rest, first digit, ..., part, last digit) to (part, rest as `leading`, last digit, ..., first digit)."""
    digits = digits.reshape((*leading, *digits.shape[1:]))
    part, first = digits.rank - 2, len(leading)
    return digits.transpose((part, *range(first), part + 1, *reversed(range(first, part))))


def _hermitian(parts: Parts, length: int) -> Parts:
    """The whole spectrum of a real signal of `length` elements from the first half of it."""
    mirrored = length - length // 2
    if mirrored == 1:
        return parts
    whole: list[Tensor] = []
    for index, half in enumerate(parts):
        rest = half.slice({1: (1, mirrored)}).reverse([1])
        if len(parts) == 2:
            rest = -rest if index == 1 else rest
        else:
            rest = rest * half.constant(np.array([1.0, -1.0])).broadcast(rest.shape, [0])
        whole.append(half.concatenate(rest, 1))
    return whole


class _Transform:
    """One-dimensional transforms in a direction: `sign` is that of the exponent. Forward ones are not scaled."""

    def __init__(self, builder: TensorBuilder, element_type: Attribute, sign: int):
        self.builder = builder
        self.element_type = element_type
        self.sign = sign

    def constant(self, array: NDArray[Any]) -> Tensor:
        return self.builder.constant(array, self.element_type)

    def apply(self, parts: Parts, columns: int, outputs: int) -> Tensor:
        """The transform along the axis: (rest, first digit, ..., part, last digit).

        Digit `d` counts the product of the radices before it. The last one counts only as far as the first `columns`
        results need. `outputs` is 1 if only real parts are wanted.
        """
        length = parts[0].shape[1]
        scale = 1 / length if self.sign > 0 else 1.0
        radices = self.builder.model.fourier.radices(length)
        if radices is None:
            return self.convolve(parts, columns, outputs, scale)
        rest = trailing = parts[0].shape[2]
        remaining = length
        for radix in radices[:-1]:
            remaining //= radix
            y = self.product(parts, radix, (remaining, trailing, 2, radix), 1.0)
            y = self.rotate(y, plan.twiddles(radix, remaining, self.sign), (0, 3), 2)
            trailing *= radix
            parts = [y.transpose((2, 0, 1, 3)).reshape((2, remaining, trailing))]
        last = radices[-1]
        needed = (columns - 1) // (length // last) + 1
        return self.product(parts, last, (rest, *radices[:-1], outputs, needed), scale)

    def product(self, parts: Parts, radix: int, shape: Sequence[int], scale: float) -> Tensor:
        """Transforms of length `radix`, the slowest digit of the axis: (rest of the axis and rest, part, digit).

        The result comes as `shape`, which ends in the parts and digits that are wanted.
        """
        outputs, columns = shape[-2:]
        inputs = sum(part.shape[0] for part in parts)
        matrix = plan.matrix(radix, self.sign, inputs, columns, outputs, scale)
        total: Tensor | None = None
        first = 0
        for part in parts:
            count = part.shape[0]
            rows = matrix[first : first + count].reshape(count * radix, outputs * columns)
            first += count
            product = part.reshape((count * radix, -1)).dot(self.constant(rows), ((), ()), ((0,), (0,))).reshape(shape)
            total = product if total is None else total + product
        assert total is not None
        return total

    def rotate(self, z: Tensor, factors: NDArray[np.complex128], dims: Sequence[int], part: int) -> Tensor:
        """`z`, complex with its parts along dimension `part`, times `factors` along the dimensions `dims`."""
        cosines = self.constant(factors.real).broadcast(z.shape, dims)
        sines = self.constant(np.stack([-factors.imag, factors.imag])).broadcast(z.shape, (part, *dims))
        return z * cosines + z.reverse([part]) * sines

    def convolve(self, parts: Parts, columns: int, outputs: int, scale: float) -> Tensor:
        """The transform of `parts` as a convolution, the axis as a whole one digit."""
        real, *imaginary = (part.reshape(part.shape[1:]).transpose((1, 0)) for part in _each(parts))
        result = self.convolved(real.with_imaginary(imaginary[0] if imaginary else real.number(0)), columns, scale)
        both = [result.real(), *([result.imaginary()] if outputs == 2 else [])]
        return self.builder.concatenate([part.reshape((part.shape[0], 1, columns)) for part in both], 1)

    def convolved(self, x: Tensor, columns: int, scale: float) -> Tensor:
        """The first results of transforms of complex rows: j k = (j^2 + k^2 - (k - j)^2) / 2."""
        length = x.shape[1]
        size = plan.convolution_length(length)
        chirp = plan.chirp(length, self.sign)

        def times(x: Tensor, factors: NDArray[np.complex128]) -> Tensor:
            return x * x.constant(factors).broadcast(x.shape, (1,))

        def transformed(x: Tensor, kind: FftType) -> Tensor:
            properties = {"fft_type": FftTypeAttr(kind), "fft_length": int_array((size,))}
            return self.builder.emit(stablehlo.FftOp, (x,), (x.type,), properties)[0]

        spectrum = transformed(times(x, chirp).pad({1: size - length}), FftType.FFT)
        product = times(spectrum, plan.chirp_spectrum(length, size, self.sign))
        return times(transformed(product, FftType.IFFT).slice({1: (0, columns)}), scale * chirp[:columns])


def _each(parts: Parts) -> Sequence[Tensor]:
    """A tensor for each part."""
    return [part.slice({0: (i, i + 1)}) for part in parts for i in range(part.shape[0])]


class StablehloExpandFftPass(ExpansionPass):
    """`stablehlo-expand-fft`: see the module."""

    name = "stablehlo-expand-fft"

    EXPANDED: ClassVar = {stablehlo.FftOp: fft}
