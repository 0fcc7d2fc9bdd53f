"""Random values of quantised types and of bounded sizes, from ordinary ones and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FloatData, IntAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation

from ...dialects import stablehlo as hlo
from ...dialects.quant import UniformQuantizedType
from ...dialects.stablehlo.attributes import TypeExtensionsAttr
from .bodies import reducer
from .effects import hidden
from .elements import F32, I8, I32, NARROW_SIGNED, NARROW_UNSIGNED, NUMBERS, SIGNED, UNSIGNED
from .generator import Generator, Shape
from .known import INTEGER, Unfit, correctly_rounded

STORAGE = [I8, UNSIGNED[0], SIGNED[1], NARROW_SIGNED[1], NARROW_UNSIGNED[1]]
SCALES = (0.125, 0.25, 0.5, 1.0)
"""Powers of two: quantised numbers are on a grid."""


def _quantized_type(g: Generator, shape: Shape) -> UniformQuantizedType:
    storage = g.choice(STORAGE)
    low, high = UniformQuantizedType.storage_range(storage.attribute)  # pyright: ignore[reportArgumentType]
    axis = g.random.randrange(len(shape)) if shape and g.random.random() < 0.3 else None
    count = 1 if axis is None else shape[axis]
    scales = [FloatData(g.random.choice(SCALES)) for _ in range(count)]
    zeros = [IntAttr(g.random.randint(max(low, -3), min(high, 3))) for _ in range(count)]
    dimension = NoneAttr() if axis is None else IntAttr(axis)
    parameters = (storage.attribute, F32.attribute, IntAttr(low), IntAttr(high), dimension)
    return UniformQuantizedType(*parameters, ArrayAttr(scales), ArrayAttr(zeros))  # pyright: ignore


def quantized(g: Generator) -> None:
    """Quantised numbers, arithmetic on those with one scale, dequantised again."""
    x = g.pick([F32], exact=True)
    if not x.known.step or 0 in x.shape:
        raise Unfit
    type = TensorType(_quantized_type(g, x.shape), x.shape)
    a = hidden(g, hlo.UniformQuantizeOp(x.ssa, type))
    makes: list[Callable[..., Operation]] = [hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp]
    for _ in range(g.random.randint(0, 2) if type.element_type.axis is None else 0):
        y = g.like(x, exact=True)
        b = hidden(g, hlo.UniformQuantizeOp(y.ssa, type))
        make = g.random.choice(makes)
        a = hidden(g, make(a, b))
    if type.element_type.axis is None and x.shape and g.random.random() < 0.5:
        a = hidden(g, hlo.ReverseOp(a, [g.random.randrange(len(x.shape))]))
    wide = max(abs(type.element_type.storage_min.data), type.element_type.storage_max.data) + 3
    known = correctly_rounded(F32, (x.known,), min(SCALES), float(wide))
    g.keep(hlo.UniformDequantizeOp(a, TensorType(F32.attribute, x.shape)), F32, x.shape, known)


def _bounded(type: Attribute, shape: Sequence[int], dim: int) -> TensorType[Attribute]:
    bounds = TypeExtensionsAttr(tuple(n if d == dim else DYNAMIC_INDEX for d, n in enumerate(shape)))
    return TensorType(type, [DYNAMIC_INDEX if d == dim else n for d, n in enumerate(shape)], bounds)


def bounded(g: Generator) -> None:
    """The first elements along a dimension: elementwise ops, then a reduction of them."""
    x = g.pick(NUMBERS, least_rank=1)
    dim = g.random.randrange(len(x.shape))
    if x.shape[dim] == 0 or g.depth:
        raise Unfit
    size = g.indices(I32, (), 0, x.shape[dim])
    cut = hlo.SetDimensionSizeOp(x.ssa, size.ssa, dim)
    cut.results[0]._type = _bounded(x.element.attribute, x.shape, dim)  # pyright: ignore
    value = hidden(g, cut)
    if x.element.rounds and g.random.random() < 0.5:
        value = hidden(g, hlo.NegOp(value))
    body, starts, (known,) = reducer(g, [x], x.shape[dim])
    init = g.scalar(x.element, starts[0])
    kept = tuple(n for d, n in enumerate(x.shape) if d != dim)
    if g.random.random() < 0.3:
        g.keep(hlo.GetDimensionSizeOp(value, dim), I32, (), INTEGER)
    g.keep(hlo.ReduceOp([value], [init], [dim], body), x.element, kept, known)
