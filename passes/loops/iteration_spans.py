"""Which elements of a buffer an iteration of a loop accesses, from affine maps alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import MemRefType, NoneAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from ...ir import structured

LOOPS = (affine.ForOp, affine.ParallelOp)
AFFINE_LOADS = (affine.LoadOp, affine.VectorLoadOp)
AFFINE_STORES = (affine.StoreOp, affine.VectorStoreOp)

MOST_VALUES = 4096
"""The longest loop whose iterations are gone through to find the range of a quotient of its counter."""


def trip_count(loop: Operation) -> int | None:
    """The trip count of a loop from 0 in steps of 1."""
    if isinstance(loop, affine.ForOp):
        lower, upper, step = loop.lowerBoundMap.data, loop.upperBoundMap.data, loop.step.value.data
    elif isinstance(loop, affine.ParallelOp):
        lower, upper = loop.lowerBoundsMap.data, loop.upperBoundsMap.data
        step = loop.steps.data[0].value.data if len(loop.steps.data) == 1 else 0
    else:
        return None
    bounds = [*lower.results, *upper.results]
    if step != 1 or len(bounds) != 2 or not all(isinstance(bound, AffineConstantExpr) for bound in bounds):
        return None
    start, end = (cast(AffineConstantExpr, bound).value for bound in bounds)
    return end if start == 0 else None


class Index(NamedTuple):
    """A sum of `const`, multiples of loop counters, and for other functions of a counter all their values."""

    const: int
    multiples: dict[SSAValue, int]
    values: dict[SSAValue, tuple[int, ...]]


class Span(NamedTuple):
    """Where the accesses of iteration `n` of a loop lie: elements `stride * n + first` to `stride * n + last`."""

    stride: int
    first: int
    last: int


Known = dict[SSAValue, Index | None]
"""Indices met so far."""


def _value(operand: SSAValue, known: Known) -> Index | None:
    """`operand` in terms of loop counters."""
    if operand in known:
        return known[operand]
    owner = operand.owner
    if isinstance(owner, affine.ApplyOp):
        map = owner.map.data
        index = _evaluate(map.results[0], owner.mapOperands, map.num_dims, known)
    elif isinstance(owner, Block):
        index = Index(0, {operand: 1}, {}) if owner.parent_op().__class__ in LOOPS else None
    else:
        constant = structured.constant_index(operand)
        index = None if constant is None else Index(constant, {}, {})
    known[operand] = index
    return index


def _evaluate(expr: AffineExpr, operands: Sequence[SSAValue], dims: int, known: Known) -> Index | None:
    """`expr` of a map with `dims` dimensions, whose symbols are the operands behind these."""
    kind = expr.__class__
    if kind is AffineConstantExpr:
        return Index(cast(AffineConstantExpr, expr).value, {}, {})
    if kind is AffineDimExpr:
        return _value(operands[cast(AffineDimExpr, expr).position], known)
    if kind is AffineSymExpr:
        return _value(operands[dims + cast(AffineSymExpr, expr).position], known)
    binary = cast(AffineBinaryOpExpr, expr)
    lhs, rhs = (_evaluate(side, operands, dims, known) for side in (binary.lhs, binary.rhs))
    if lhs is None or rhs is None:
        return None
    if binary.kind is AffineBinaryOpKind.Add:
        return _sum(lhs, rhs)
    if rhs.multiples or rhs.values:
        return None
    if binary.kind is AffineBinaryOpKind.Mul:
        return _scaled(lhs, rhs.const)
    return _quotient(lhs, binary.kind, rhs.const)


def _sum(lhs: Index, rhs: Index) -> Index:
    if not rhs.multiples and not rhs.values:
        return Index(lhs.const + rhs.const, lhs.multiples, lhs.values)
    multiples, values = dict(lhs.multiples), dict(lhs.values)
    for counter, factor in rhs.multiples.items():
        multiples[counter] = multiples.get(counter, 0) + factor
    for counter, terms in rhs.values.items():
        known = values.get(counter)
        values[counter] = terms if known is None else tuple(a + b for a, b in zip(known, terms, strict=True))
    return Index(lhs.const + rhs.const, multiples, values)


def _scaled(index: Index, factor: int) -> Index:
    if factor == 1:
        return index
    return Index(
        index.const * factor,
        {counter: multiple * factor for counter, multiple in index.multiples.items()},
        {counter: tuple(value * factor for value in values) for counter, values in index.values.items()},
    )


def _quotient(index: Index, kind: AffineBinaryOpKind, divisor: int) -> Index | None:
    """A quotient or remainder of what depends on one counter only."""
    counters = {*index.multiples, *index.values}
    if len(counters) != 1 or divisor < 1 or kind not in (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.Mod):
        return None
    (counter,) = counters
    values = _values(index, counter)
    if values is None:
        return None
    divided = [value // divisor if kind is AffineBinaryOpKind.FloorDiv else value % divisor for value in values]
    return Index(0, {}, {counter: tuple(divided)})


def _values(index: Index, counter: SSAValue) -> list[int] | None:
    """The values that `const` and the terms of `counter` take in its loop, in order."""
    extent = _trip_count_of(counter)
    if extent is None or extent > MOST_VALUES:
        return None
    factor, others = index.multiples.get(counter, 0), index.values.get(counter, (0,) * extent)
    return [index.const + factor * step + other for step, other in enumerate(others)]


def _trip_count_of(counter: SSAValue) -> int | None:
    loop = cast(Block, counter.owner).parent_op()
    return None if loop is None or counter is not cast(Block, counter.owner).args[0] else trip_count(loop)


def span_of(access: Operation, counter: SSAValue, known: Known) -> Span | None:
    """What the load or store `access` touches in an iteration of the loop over `counter`."""
    position = 0 if access.__class__ in AFFINE_LOADS else 1
    buffer = access.operands[position]
    type = cast("MemRefType[Attribute]", buffer.type)
    map = cast("affine.LoadOp", access).map.data
    operands = access.operands[position + 1 :]
    if not isinstance(type.layout, NoneAttr):
        return None
    flat = Index(0, {}, {})
    for expr, size in zip(map.results, type.get_shape(), strict=True):
        index = _evaluate(expr, operands, map.num_dims, known)
        if index is None:
            return None
        flat = _sum(_scaled(flat, size), index)
    moved = access.results[0].type if access.results else access.operands[0].type
    lanes = moved.get_shape()[0] if isinstance(moved, VectorType) else 1
    return _range(flat, counter, lanes)


def _range(flat: Index, counter: SSAValue, lanes: int) -> Span | None:
    if counter in flat.values:
        return None
    first = last = flat.const
    for other in {*flat.multiples, *flat.values} - {counter}:
        if other in flat.values:
            values = _values(Index(0, flat.multiples, flat.values), other)
            if values is None:
                return None
        else:
            extent = _trip_count_of(other)
            if not extent:
                return None
            values = (0, flat.multiples[other] * (extent - 1))
        first, last = first + min(values), last + max(values)
    return Span(flat.multiples.get(counter, 0), first, last + lanes - 1)
