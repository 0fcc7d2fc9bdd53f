"""Random data movement."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import StringAttr

from ...dialects import stablehlo as hlo
from .elements import BOOL, COMPLEX, I32, INTEGERS, REALS
from .generator import Generator, tensor_of
from .known import INTEGER, Known, Unfit, correctly_rounded, joined


def iota(g: Generator) -> None:
    shape = g.shape(g.random.randint(1, 4))
    dim = g.random.randrange(len(shape))
    element = g.choice([*INTEGERS, *REALS, *COMPLEX])
    known = correctly_rounded(element, (), 1.0, float(shape[dim]))
    g.keep(hlo.IotaOp(dim, tensor_of(element, shape)), element, shape, known)


def broadcast(g: Generator) -> None:
    x = g.any()
    rank = g.random.randint(len(x.shape), max(5, len(x.shape)))
    dims = g.random.sample(range(rank), len(x.shape))
    shape = list(g.shape(rank, 64))
    for size, dim in zip(x.shape, dims, strict=True):
        if size != 1:
            shape[dim] = size
    if math.prod(shape) > g.most:
        raise Unfit
    g.keep(hlo.BroadcastInDimOp(x.ssa, dims, tensor_of(x.element, shape)), x.element, tuple(shape), x.known)


def leading_broadcast(g: Generator) -> None:
    x = g.any()
    sizes = g.shape(g.random.randint(0, 2), 16)
    g.keep(hlo.BroadcastOp(x.ssa, sizes), x.element, (*sizes, *x.shape), x.known)


def reshape(g: Generator) -> None:
    x = g.any()
    if x.size == 0:
        shape = (*g.shape(g.random.randint(0, 2), 16), 0)
    else:
        factors: list[int] = []
        rest = x.size
        for prime in (2, 3, 5, 7, 11, 13, 17):
            while rest % prime == 0:
                factors.append(prime)
                rest //= prime
        rank = g.random.randint(1 if x.size > 1 else 0, 5)
        sizes = [1] * rank
        for factor in [*factors, rest] if rank else []:
            sizes[g.random.randrange(rank)] *= factor
        shape = tuple(sizes)
    g.keep(hlo.ReshapeOp(x.ssa, shape), x.element, shape, x.known)


def transpose(g: Generator) -> None:
    x = g.any(least_rank=1)
    permutation = g.random.sample(range(len(x.shape)), len(x.shape))
    g.keep(hlo.TransposeOp(x.ssa, permutation), x.element, tuple(x.shape[d] for d in permutation), x.known)


def reverse(g: Generator) -> None:
    x = g.any(least_rank=1)
    dims = g.random.sample(range(len(x.shape)), g.random.randint(0, len(x.shape)))
    g.keep(hlo.ReverseOp(x.ssa, dims), x.element, x.shape, x.known)


def slice_(g: Generator) -> None:
    x = g.any(least_rank=1)
    starts = [g.random.randint(0, n) if g.random.random() < 0.1 else g.random.randint(0, n // 2) for n in x.shape]
    limits = [g.random.randint(s, n) if g.random.random() < 0.5 else n for s, n in zip(starts, x.shape, strict=True)]
    strides = [g.random.choice([1, 1, 2, 3]) for _ in x.shape]
    shape = tuple(-((s - e) // k) for s, e, k in zip(starts, limits, strides, strict=True))
    g.keep(hlo.SliceOp(x.ssa, starts, limits, strides), x.element, shape, x.known)


def pad(g: Generator) -> None:
    x = g.any()
    padding = g.any([x.element], shape=())
    rank = len(x.shape)
    low, high, interior = g.sizes(-2, 3, rank), g.sizes(-2, 3, rank), [g.random.choice([0, 0, 1, 2]) for _ in x.shape]
    zipped = zip(x.shape, low, high, interior, strict=True)
    shape = tuple(a + b + n + max(n - 1, 0) * i for n, a, b, i in zipped)
    if any(n < 0 for n in shape):
        raise Unfit
    known = joined(x.known, padding.known)
    g.keep(hlo.PadOp(x.ssa, padding.ssa, low, high, interior), x.element, shape, known)


def concatenate(g: Generator) -> None:
    x = g.any(least_rank=1)
    dim = g.random.randrange(len(x.shape))
    parts = [x]
    for _ in range(g.random.randint(0, 3)):
        shape = list(x.shape)
        if g.random.random() < 0.5:
            shape[dim] = g.random.randint(0, 5)
        parts.append(g.any([x.element], shape=tuple(shape)))
    g.random.shuffle(parts)
    shape = (*x.shape[:dim], sum(p.shape[dim] for p in parts), *x.shape[dim + 1 :])
    op = hlo.ConcatenateOp([p.ssa for p in parts], dim)
    g.keep(op, x.element, shape, joined(*(p.known for p in parts)))


def dimension_size(g: Generator) -> None:
    x = g.any(least_rank=1)
    g.keep(hlo.GetDimensionSizeOp(x.ssa, g.random.randrange(len(x.shape))), I32, (), INTEGER)


def barrier(g: Generator) -> None:
    values = [g.any() for _ in range(g.random.randint(1, 3))]
    op = hlo.OptimizationBarrierOp(*(v.ssa for v in values))
    g.keep_all(op, [(v.element, v.shape, v.known) for v in values])


def identity_call(g: Generator) -> None:
    """A custom call that is registered as the identity."""
    x = g.any([BOOL, *INTEGERS, *REALS, *COMPLEX])
    op = hlo.CustomCallOp("Sharding", [x.ssa], [x.ssa.type], backend_config=StringAttr(""))
    known = x.known if x.known.tame else Known(0.0, math.inf, exact=x.known.exact, bits=x.known.bits)
    g.keep(op, x.element, x.shape, known)
