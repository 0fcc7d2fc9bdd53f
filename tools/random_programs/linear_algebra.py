"""Random factorisations, transforms, normalisations and random bits."""

from __future__ import annotations

import math

import numpy as np

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import FftType, RngAlgorithm, Transpose
from .elements import COMPLEX, F32, F64, FLOATS, PART, U64, UNSIGNED, WIDE_INTEGERS, Element
from .generator import Array, Generator, Shape
from .known import INTEGER, WILD, Known, Unfit, rounded

SOLVED = [F32, F64, *COMPLEX]


def fft(g: Generator) -> None:
    kind = g.random.choice(list(FftType))
    element = g.choice([F32, F64] if kind is FftType.RFFT else COMPLEX)
    x = g.pick([element], least_rank=1)
    rank = g.random.randint(1, min(3, len(x.shape)))
    length = list(x.shape[-rank:])
    shape, result = x.shape, element
    if kind is FftType.RFFT:
        result = next(whole for whole, part in PART.items() if part is element)
        shape = (*shape[:-1], shape[-1] // 2 + 1)
    elif kind is FftType.IRFFT:
        result = PART[element]
        length[-1] = max(0, 2 * shape[-1] - g.random.choice([1, 2]))
        shape = (*shape[:-1], length[-1])
    if 0 in shape or 0 in length:
        raise Unfit
    terms = math.prod(length)
    inverse = kind in (FftType.IFFT, FftType.IRFFT)
    bound = x.known.bound * (2 if inverse else terms)
    error = x.known.error * (2 if inverse else terms)
    known = rounded(result, bound, error, 1 + math.log2(1 + terms))
    g.keep(hlo.FftOp(x.ssa, kind, length), result, shape, known)


def _matrices(g: Generator, element: Element, shape: Shape) -> Array:
    """Well-conditioned lower triangular matrices: the diagonal is 1, 2 or 4."""
    array = g.numbers(element, shape) * element.dtype.type(0.25)
    size = shape[-1]
    diagonal = np.exp2(g.numpy.integers(0, 3, shape[:-1]))
    lower = np.tril(array, -1) / max(1, size)
    return (lower + diagonal[..., None] * np.eye(size)).astype(element.dtype)


def cholesky(g: Generator) -> None:
    """Of a product `l * l^H`; the other triangle holds something else."""
    element = g.choice(SOLVED)
    size = g.random.choice([1, 2, 3, 5, 8, 33])
    batch = g.shape(g.random.randint(0, 2), 8)
    if 0 in batch:
        raise Unfit
    factors = _matrices(g, element, (*batch, size, size))
    array = factors @ np.conj(np.swapaxes(factors, -1, -2))
    lower = g.random.random() < 0.5
    if g.random.random() < 0.3:
        unread = np.triu(array, 1) if lower else np.tril(array, -1)
        array = array - unread + 7 * np.sign(np.abs(unread))
    a = g.given(element, array.astype(element.dtype), Known(0.0, 64.0))
    known = Known(0.0, 16.0, 256 * size * element.eps, exact=False, bits=False)
    g.keep(hlo.CholeskyOp(a.ssa, lower), element, a.shape, known)


def triangular_solve(g: Generator) -> None:
    element = g.choice(SOLVED)
    size, columns = g.random.choice([1, 2, 3, 5, 8, 33]), g.random.choice([1, 2, 7])
    batch = g.shape(g.random.randint(0, 2), 8)
    lower, unit, left = (g.random.random() < 0.5 for _ in range(3))
    array = _matrices(g, element, (*batch, size, size))
    if not lower:
        array = np.swapaxes(array, -1, -2)
    a = g.given(element, np.ascontiguousarray(array), Known(0.0, 4.0))
    b = g.pick([element], shape=(*batch, size, columns) if left else (*batch, columns, size))
    form = g.random.choice([Transpose.NO_TRANSPOSE, Transpose.TRANSPOSE, Transpose.ADJOINT])
    known = rounded(element, 8 * b.known.bound, 8 * b.known.error, 8 * size)
    g.keep(hlo.TriangularSolveOp(a.ssa, b.ssa, left, lower, unit, form), element, b.shape, known)


def batch_norm(g: Generator) -> None:
    """The three forms, with an epsilon that keeps quotients small."""
    x = g.pick([F32, F64], exact=True, least_rank=1)
    if 0 in x.shape:
        raise Unfit
    feature = g.random.randrange(len(x.shape))
    features = (x.shape[feature],)
    scale, offset, mean = (g.pick([x.element], shape=features, exact=True) for _ in range(3))
    bound = x.known.bound + mean.known.bound + 1
    wide = 8 * bound * (scale.known.bound + 1) + offset.known.bound
    known = rounded(x.element, wide, 0, 64)
    kind = g.random.choice(["training", "inference", "grad"])
    if kind == "training":
        op = hlo.BatchNormTrainingOp(x.ssa, scale.ssa, offset.ssa, 0.5, feature)
        one = rounded(x.element, bound, 0, 16)
        square = rounded(x.element, bound * bound, 0, 64)
        g.keep_all(op, [(x.element, x.shape, known), (x.element, features, one), (x.element, features, square)])
        return
    spread = g.pick([x.element], shape=features, exact=True)
    variance = g.add(hlo.AbsOp(spread.ssa), spread.known)
    if kind == "inference":
        op = hlo.BatchNormInferenceOp(x.ssa, scale.ssa, offset.ssa, mean.ssa, variance, 0.5, feature)
        g.keep(op, x.element, x.shape, known)
        return
    change = g.pick([x.element], shape=x.shape, exact=True)
    count = x.size // max(1, features[0])
    large = rounded(x.element, wide * bound * bound * count * (change.known.bound + 1), 0, 4)
    op = hlo.BatchNormGradOp(x.ssa, scale.ssa, mean.ssa, variance, change.ssa, 0.5, feature)
    g.keep_all(op, [(x.element, x.shape, large), (x.element, features, large), (x.element, features, large)])


def random_bits(g: Generator) -> None:
    algorithm = g.random.choice(list(RngAlgorithm))
    words = 3 if algorithm is not RngAlgorithm.THREE_FRY and g.random.random() < 0.5 else 2
    state = g.pick([U64], shape=(words,))
    element = g.choice([*WIDE_INTEGERS, *UNSIGNED, *FLOATS])
    shape = g.shape(limit=256)
    from .generator import tensor_of

    known = WILD if element.rounds else INTEGER
    op = hlo.RngBitGeneratorOp(state.ssa, algorithm, tensor_of(element, shape))
    g.keep_all(op, [(U64, (words,), INTEGER), (element, shape, known)])
