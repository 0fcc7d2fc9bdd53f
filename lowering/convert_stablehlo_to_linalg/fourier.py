"""`fft`: a `fourier.transform` for each axis.

A transform that is too long for one kernel, or has too few lines to fill the lanes of a vector, is two passes of
shorter ones with a multiplication by roots of unity between them, and a transposition (Bailey, "FFTs in external or
hierarchical memory", 1990). A long real signal of even length is a complex one of half the length, whose spectrum is
taken apart (Cooley, Lewis and Welch, "The Finite Fourier Transform", 1969). Lengths with large prime factors are gone:
`stablehlo-expand-fft` has rewritten them.

    %0 = stablehlo.fft %x, type = FFT, length = [8, 16] : tensor<4x8x16xcomplex<f32>>

becomes

    %y = fourier.transform %x, %roots16 outs(%e) axis 2 stages [8, 2] : ...
    %0 = fourier.transform %y, %roots8 outs(%f) axis 1 stages [8] : ...
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import complex
from xdsl.dialects.builtin import AffineMapAttr, BytesAttr, ComplexType, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, SSAValue

from ...decisions import fourier_tables as plan
from ...dialects import fourier, stablehlo
from ...dialects.stablehlo.attributes import FftType
from ...dialects.stablehlo.shapes import shape_of
from ...reference.arrays import dtype_of
from .arithmetic import Number, complex_of
from .attributes import (
    affine_map,
    constant_expression,
    dimension,
    element_of,
    identity,
    projection,
    result_type,
    slice_map,
    unsupported,
)
from .builder import Lowered, Lowering, Scalars
from .loops import Array


def lower_fft(ctx: Lowering, op: stablehlo.FftOp) -> Sequence[Lowered]:
    """The transforms of the axes, the last one first, but that of real results last."""
    value, kind, lengths = ctx.tensor(op.operand), op.fft_type.data, op.lengths
    shape = result_type(op).get_shape()
    if any(plan.stage_radices(length) is None for length in lengths):
        raise unsupported(op, f"lengths {list(lengths)} have large prime factors; run stablehlo-expand-fft first")
    first = len(shape) - len(lengths)
    axes = [*range(first, first + len(lengths))]
    if kind != FftType.IRFFT:
        axes.reverse()
    transforms = _Transforms(ctx, inverse=kind in (FftType.IFFT, FftType.IRFFT))
    for axis in axes:
        half = axis == first + len(lengths) - 1
        if half and kind == FftType.RFFT and ctx.model.fourier.worth_half_length(lengths[-1]):
            value = transforms.of_real(value, axis)
        else:
            real = half and kind == FftType.IRFFT
            value = transforms.along(value, axis, lengths[axis - first], shape[axis], hermitian=real, real=real)
    return [value]


def _complex(part: Attribute) -> Attribute:
    return ComplexType(cast(Any, part))


class _Transforms:
    """One-dimensional transforms in one direction."""

    def __init__(self, ctx: Lowering, inverse: bool):
        self.ctx = ctx
        self.inverse = inverse

    def along(
        self, value: SSAValue, axis: int, length: int, wanted: int, hermitian: bool = False, real: bool = False
    ) -> SSAValue:
        """The first `wanted` results of transforms of `length` along `axis`; `real` for their real parts."""
        ctx, shape, model = self.ctx, shape_of(value), self.ctx.model.fourier
        outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
        too_few = max(outer, inner) < model.lines and length >= model.split_length
        first, second = plan.halves(length)
        if (length <= model.kernel_length and not too_few) or second == 1:
            return self._kernel(value, axis, length, wanted, hermitian, real)
        if hermitian:
            value = self._mirrored(value, axis, length)
        # j = second * j1 + j2, k = k1 + first * k2
        value = self.along(ctx.reshape(value, (outer, first, second * inner)), 1, first, first)
        value = self._rotated(ctx.reshape(value, (outer, first, second, inner)), first, second)
        value = self.along(ctx.reshape(value, (outer * first, second, inner)), 1, second, second)
        value = ctx.reshape(value, (outer, first, second, inner))
        return self._ordered(value, (*shape[:axis], wanted, *shape[axis + 1 :]), real)

    def of_real(self, value: SSAValue, axis: int) -> SSAValue:
        """The first half of the spectra of real signals along `axis`, of even length n.

        Let z[j] = x[2 j] + i x[2 j + 1], of length m = n / 2. Then, with w = exp(-2 pi i / n),

            X[k] = (Z[k] + conj Z[m - k]) / 2 - i w^k (Z[k] - conj Z[m - k]) / 2,

        where Z[m] is Z[0].
        """
        ctx, shape, part = self.ctx, shape_of(value), element_of(value)
        rank, half, number = len(shape), shape[axis] // 2, _complex(part)

        def sized(size: int) -> TensorType[Attribute]:
            return TensorType(number, (*shape[:axis], size, *shape[axis + 1 :]))

        def at_axis(there: int, elsewhere: int) -> list[int]:
            return [there if dim == axis else elsewhere for dim in range(rank)]

        def every(source: SSAValue, start: int, step: int, size: int) -> tuple[SSAValue, AffineMapAttr]:
            extents = sized(size).get_shape()
            return source, slice_map(shape_of(source), at_axis(start, 0), at_axis(step, 1), extents)

        pairs = [every(value, start, 2, half) for start in range(2)]
        packed = ctx.elementwise(pairs, sized(half), lambda args: complex_of(*args))
        packed = self.along(packed, axis, half, half)
        factors = ctx.dense_constant(_halved_powers(half, number)), projection(rank, (axis,))
        mirrored = [every(packed, 1, 1, half - 1), every(packed, half - 1, -1, half - 1)]
        middle = ctx.elementwise([*mirrored, factors], sized(half - 1), _separated)
        first = affine_map(rank, [constant_expression(0) if dim == axis else dimension(dim) for dim in range(rank)])
        signs = ctx.dense_constant(_dense(np.array([1, -1]), part))
        edges = [(packed, first), (signs, projection(rank, (axis,)))]
        edge = ctx.elementwise(edges, sized(2), _real_edge)
        result = ctx.insert_slice(edge, ctx.empty(sized(half + 1)), [0] * rank, at_axis(half, 1))
        return ctx.insert_slice(middle, result, at_axis(1, 0))

    def _kernel(self, value: SSAValue, axis: int, length: int, wanted: int, hermitian: bool, real: bool) -> SSAValue:
        ctx, shape = self.ctx, shape_of(value)
        part = fourier.part_type(element_of(value))
        stages = plan.stage_radices(length)
        assert stages is not None
        roots = ctx.dense_constant(_roots(stages, part))
        result = TensorType(part if real else _complex(part), (*shape[:axis], wanted, *shape[axis + 1 :]))
        destination = ctx.empty(result)
        op = fourier.TransformOp(value, roots, destination, axis, stages, inverse=self.inverse, hermitian=hermitian)
        op.location = ctx.location
        ctx.block.add_op(op)
        return op.results[0]

    def _mirrored(self, value: SSAValue, axis: int, length: int) -> SSAValue:
        """All `length` elements of a spectrum from its first half."""
        ctx, shape, spectrum = self.ctx, shape_of(value), Array(self.ctx, value)

        def body(_: Scalars) -> Number:
            indices = [ctx.loop_index(dim) for dim in range(len(shape))]
            index = indices[axis]
            is_first = index.compare("slt", shape[axis])
            indices[axis] = is_first.select(index, length - index)
            real, imaginary = spectrum[indices].parts()
            return complex_of(real, is_first.select(imaginary, -imaginary))

        return ctx.elementwise((), TensorType(spectrum.element, (*shape[:axis], length, *shape[axis + 1 :])), body)

    def _rotated(self, value: SSAValue, first: int, second: int) -> SSAValue:
        """(outer, k1, j2, inner) times the powers k1 * j2 of the root of unity of order `first * second`."""
        number, sign = element_of(value), 1 if self.inverse else -1
        factors = self.ctx.dense_constant(_twiddles(first, second, sign, number))
        operands = [(value, identity(4)), (factors, projection(4, (1, 2)))]
        return self.ctx.elementwise(operands, TensorType(number, shape_of(value)), lambda args: args[0] * args[1])

    def _ordered(self, value: SSAValue, shape: Sequence[int], real: bool) -> SSAValue:
        """(outer, k1, k2, inner) in the order of k = k1 + first * k2, as `shape`."""
        ctx, element = self.ctx, element_of(value)
        outer, first, second, inner = shape_of(value)
        result: Attribute = fourier.part_type(element) if real else element
        value = ctx.elementwise(
            [(value, projection(4, (0, 2, 1, 3)))],
            TensorType(result, (outer, second, first, inner)),
            lambda args: args[0].apply(complex.ReOp, to=result) if real else args[0],
        )
        length, wanted = first * second, prod(shape) // (outer * inner)
        value = ctx.reshape(value, (outer, length, inner))
        if wanted != length:
            some = (outer, wanted, inner)
            map = slice_map((outer, length, inner), (0, 0, 0), (1, 1, 1), some)
            value = ctx.moved(value, map, TensorType(result, some))
        return ctx.reshape(value, shape)


def _separated(args: Scalars) -> Number:
    """X[k] of Z[k], Z[m - k] and w^k / 2."""
    (ar, ai), (br, bi), (wr, wi) = (arg.parts() for arg in args)
    half = ar.constant(0.5)
    odd_real, odd_imaginary = ai + bi, br - ar
    real = odd_real * wr - odd_imaginary * wi
    imaginary = odd_real * wi + odd_imaginary * wr
    return complex_of((ar + br) * half + real, (ai - bi) * half + imaginary)


def _real_edge(args: Scalars) -> Number:
    """X[0] of Z[0] and 1, X[m] of Z[0] and -1."""
    real, imaginary = args[0].parts()
    zero = real.constant(0.0)
    return complex_of(real + imaginary * args[1], zero)


@lru_cache(1 << 6)
def _roots(stages: tuple[int, ...], part: Attribute) -> DenseIntOrFPElementsAttr:
    return _dense(plan.stage_roots(stages), part)


@lru_cache(1 << 6)
def _twiddles(first: int, second: int, sign: int, number: Attribute) -> DenseIntOrFPElementsAttr:
    """Of shape (k1, j2)."""
    return _dense(np.ascontiguousarray(plan.twiddles(first, second, sign).T), number)


@lru_cache(1 << 6)
def _halved_powers(half: int, number: Attribute) -> DenseIntOrFPElementsAttr:
    """Halves of the powers 1 to `half` - 1 of the root of unity of order 2 `half`."""
    return _dense(plan.roots(np.arange(1, half), 2 * half, -1) / 2, number)


def _dense(array: NDArray[Any], element_type: Attribute) -> DenseIntOrFPElementsAttr:
    type: Any = TensorType(element_type, array.shape)
    return DenseIntOrFPElementsAttr(type, BytesAttr(array.astype(dtype_of(element_type)).tobytes()))
