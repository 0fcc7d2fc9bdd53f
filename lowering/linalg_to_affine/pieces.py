"""Nests in pieces, in each of which the body does one thing.

A body may select by loop indices what it works on, as what reads a concatenation or a padded tensor does, or read at
`d mod n`, as what reads a rolled one does. Cut where the selection changes or the remainder starts from 0 again, every
piece has a body without it, on accesses with strides:

    for j = 0 to 10: out[j] = j >= 3 ? y[(j + 4) mod 7] : x[j mod 3]
    for j = 0 to 3: out[j] = x[j];  for j = 0 to 7: out[j + 3] = y[j]

Known as index-set splitting (Griebl, Feautrier, Lengauer, "Index Set Splitting", 2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, new_block, walk
from ...dialects.records import changed
from ...ir.affine import AffineSum, from_expr
from ...ir.structured import constant_index
from .nest import Nest
from .scalar_body import analyze, copy_op

Cuts = Mapping[int, Sequence[int]]
"""By dimension the places, in order, where pieces begin, the first excepted."""

_BELOW = {"slt": (0, True), "sle": (1, True), "sge": (0, False), "sgt": (1, False)}
"""By predicate the number below which the difference of the operands is, and whether or not it is."""


def places_to_cut(nest: Nest, model: CostModel) -> Cuts:
    """Where selections in the body change, or remainders in accesses start again. A short contiguous dimension is left
    whole: its copies in the body select once.
    """
    places: dict[int, set[int]] = {}
    for difference, bound, _ in _conditions(nest).values():
        if len(difference.terms) != 1:
            continue
        ((dim, factor),) = difference.terms.items()
        if isinstance(dim, int):
            limit = bound - difference.const
            place = -(-limit // factor) if factor > 0 else -limit // -factor + 1
            places.setdefault(dim, set()).add(place)
    for access in nest.accesses:
        for division in access.flat.divisions():
            if len(division.lhs.terms) == 1 and division.remainder:
                ((dim, factor),) = division.lhs.terms.items()
                splits = not division.lhs.const and isinstance(dim, int) and nest.extents[dim] % division.divisor == 0
                if isinstance(dim, int) and factor == 1 and not splits:
                    starts = range(-division.lhs.const % division.divisor, nest.extents[dim], division.divisor)
                    if len(starts) <= model.loops.cut_remainders:
                        places.setdefault(dim, set()).update(starts)
    found = {
        dim: sorted(place for place in places[dim] if 0 < place < nest.extents[dim])
        for dim in places
        if dim in nest.loops
    }

    def is_short(dim: int) -> bool:
        stores = any(access.flat.stride(dim) == 1 for access in nest.accesses)
        return stores and nest.extents[dim] <= model.loops.interleaved_run

    return {dim: cuts for dim, cuts in found.items() if cuts and not is_short(dim)}


def cut(nest: Nest, cuts: Cuts, model: CostModel) -> list[Nest]:
    """The pieces of `nest` in an order in which they do its work."""
    ranges: list[list[tuple[int, int]]] = []
    for dim, places in cuts.items():
        ranges.append(list(pairwise((0, *places, nest.extents[dim]))))
    pieces: list[Nest] = []
    for box in product(*ranges):
        piece = nest
        for dim, (start, end) in zip(cuts, box, strict=True):
            piece = piece.restrict(dim, start, end - start)
        behind = {dim for dim, (start, _) in zip(cuts, box, strict=True) if start}
        inits = tuple(None if behind & nest.accumulation[index] else init for index, init in enumerate(nest.inits))
        pieces.append(specialised(changed(piece, inits=inits), model))
    return pieces


def main_piece(nest: Nest, cuts: Cuts, model: CostModel) -> Nest:
    """The largest piece."""
    for dim, places in cuts.items():
        start, end = max(pairwise((0, *places, nest.extents[dim])), key=lambda ends: ends[1] - ends[0])
        nest = nest.restrict(dim, start, end - start)
    return specialised(nest, model)


def dims_worth_cutting(nest: Nest, cuts: Cuts, inner: int, model: CostModel) -> list[int]:
    """The dimensions of `cuts` to cut: the innermost loop `inner`, and those around it that are worth it."""
    main = main_piece(nest, cuts, model)
    chosen: list[int] = []
    pieces = 1
    for dim in sorted(cuts, key=lambda dim: dim != inner):
        whole = main_piece(nest, {other: cuts[other] for other in cuts if other != dim}, model)
        read, needed = (len({a for a in each.reads if inner in a.dims}) for each in (whole, main))
        count = pieces * (len(cuts[dim]) + 1)
        work = whole.body.work - main.body.work
        if dim == inner or model.loops.worth_cutting_outside(read - needed, work, count):
            chosen.append(dim)
            pieces = 1 if dim == inner else count
    return [dim for dim in cuts if dim in chosen]


# Conditions


def _conditions(nest: Nest) -> dict[Operation, tuple[AffineSum, int, bool]]:
    """The comparisons in the body between linear functions of the loop indices: whether a difference is below a number,
    or is not.
    """
    if not nest.body.index_dims:
        return {}
    values: dict[SSAValue, AffineSum] = {}
    conditions: dict[Operation, tuple[AffineSum, int, bool]] = {}
    for op in nest.body.ops:
        if isinstance(op, IndexOp):
            values[op.result] = nest.index[op.dim.value.data]
        elif isinstance(op, affine.ApplyOp):
            operands = [_value(operand, values) for operand in op.operands]
            if None not in operands:
                known = [operand for operand in operands if operand is not None]
                values[op.results[0]] = from_expr(op.map.data.results[0], known, nest.extents)
        elif isinstance(op, arith.CmpiOp) and isinstance(op.lhs.type, IndexType):
            lhs, rhs = _value(op.lhs, values), _value(op.rhs, values)
            below = _BELOW.get(arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data])
            if lhs is not None and rhs is not None and below is not None:
                conditions[op] = (lhs + rhs * -1, *below)
    return conditions


def _value(value: SSAValue, values: Mapping[SSAValue, AffineSum]) -> AffineSum | None:
    constant = constant_index(value)
    return values.get(value) if constant is None else AffineSum({}, constant)


def _decided(nest: Nest) -> Iterator[tuple[SSAValue, bool]]:
    """The conditions that hold, or do not hold, at all points of the nest."""
    for op, (difference, bound, positive) in _conditions(nest).items():
        bounds = difference.bounds(nest.extents)
        if bounds is not None and (bounds[1] < bound or bounds[0] >= bound):
            yield op.results[0], (bounds[1] < bound) is positive


def specialised(nest: Nest, model: CostModel) -> Nest:
    """The nest without what its body does not select at any point, inputs included."""
    truth = dict(_decided(nest))
    if not truth:
        return nest
    body = nest.body
    same = dict(body.same)

    def known(value: SSAValue) -> SSAValue:
        while value in same:
            value = same[value]
        return value

    for op in body.ops:
        if isinstance(op, arith.AndIOp):
            lhs, rhs = map(known, op.operands)
            if truth.get(lhs) is False or truth.get(rhs) is False:
                truth[op.result] = False
            elif truth.get(lhs):
                same[op.result] = rhs
            elif truth.get(rhs):
                same[op.result] = lhs
            if truth.get(known(op.result)):
                truth[op.result] = True
        elif isinstance(op, arith.SelectOp):
            chosen = truth.get(known(op.cond))
            if chosen is not None:
                same[op.result] = known(op.lhs if chosen else op.rhs)
    yielded = [known(value) for value in body.yielded]
    needed = set(yielded)
    kept: list[Operation] = []
    for op in reversed(body.ops):
        if not op.results or any(result in needed for result in op.results):
            kept.append(op)
            needed.update(known(operand) for inner in walk(op) for operand in inner.operands)
    count = len(nest.inputs)
    inputs = [at for at in range(count) if body.args[at] in needed]
    args = [*(body.args[at] for at in inputs), *body.args[count:]]
    block = new_block([arg.type for arg in args])
    values: dict[SSAValue, SSAValue] = dict(zip(args, block.args, strict=True))
    same = {value: known(value) for value in same}
    for op in reversed(kept):
        append(block, copy_op(op, values, same))
    append(block, YieldOp(*(values.get(value, value) for value in yielded)))
    return changed(nest, inputs=tuple(nest.inputs[at] for at in inputs), body=analyze(block, model))
