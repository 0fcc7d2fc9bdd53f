"""Reductions: a dimension that is reduced and split leaves parts, which an all_reduce or reduce_scatter combines.

That takes a computation of one associative op. Results of any other computation, or of several operands together, are
gathered along a new dimension and reduced once more; body and init value form a monoid, as the specification demands.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.sharding_rules import FactorKind
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array, ints
from ..neutral_elements import neutral_of, reduce_counted
from .factors import Choice, Rule, choose, partition, rule_for
from .monoids import may_repeat
from .site import Handler, Site, parts_type


def _reduce(site: Site) -> None:
    count = len(site.op.results)
    rule = rule_for(site.op, (FactorKind.PASS_THROUGH, FactorKind.REDUCTION))
    reduced = ints(site.op, "dimensions")
    combiner = single_op(site.op.regions[0]) if count == 1 else None
    result = site.op.results[0]
    neutral = None if combiner is None else neutral_of(type(combiner), element_type_of(result))
    if combiner is None or neutral is None or element_type_of(site.op.operands[0]) != element_type_of(result):
        _reduce_again(site, rule, reduced)
    else:
        _reduce_parts(site, rule, reduced, type(combiner), neutral)


def _reduce_parts(site: Site, rule: Rule, reduced: Sequence[int], combiner: type[Operation], neutral: bytes) -> None:
    """Parts start from the init value if it may take part more than once, otherwise from the neutral element."""
    shape = shape_of(site.op.operands[0])
    repeats = may_repeat(site.op.operands[1], combiner, neutral)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, init = operands
        masked = site.masked(x, shape, choice.operands[0], reduced, neutral)
        if not choice.results[0].partial:
            return site.emit([masked, init], choice.results)
        wide = parts_type(x.element_type) if combiner in ROUNDING else x.element_type
        parts, start = masked.convert(wide), (init if repeats else init.number(neutral)).convert(wide)
        local = site.local_shape(shape_of(site.op.results[0]), choice.results[0])
        types, properties = [tensor_type(wide, *local)], {"dimensions": int_array(reduced)}
        return site.builder.emit(stablehlo.ReduceOp, [parts, start], types, properties, [parts.combination(combiner)])

    if repeats:
        partition(site, rule, emit, combiner)
        return
    choice = choose(site, rule)
    operands = [site.read(index, layout) for index, layout in enumerate(choice.operands)]
    (local,) = emit(site, operands, choice)
    (layout,) = choice.results
    if layout.partial:
        total = site.value(0, layout, local, combiner).in_layout(layout.whole())
        start = operands[1].broadcast(total.shape, ())
        (local,) = site.builder.emit(combiner, (start, total), (total.type,))
    site.define(0, layout.whole(), local)


ROUNDING = (stablehlo.AddOp, stablehlo.MulOp)
"""What rounds, if elements are narrow."""


def _reduce_again(site: Site, rule: Rule, reduced: Sequence[int]) -> None:
    """The results of all devices along a new first dimension, reduced once more.

    Parts start from nothing (`neutral_elements.py`), so that the init value counts once, and padding never.
    """
    choice = choose(site, rule)
    digits = choice.results[0].partial
    read = [site.read(index, layout) for index, layout in enumerate(choice.operands)]
    if not digits:
        for index, tensor in enumerate(site.emit(read, choice.results)):
            site.define(index, choice.results[index], tensor)
        return
    count = len(site.op.results)
    inputs, inits = read[:count], read[count:]
    shape, layout = shape_of(site.op.operands[0]), choice.operands[0]
    counts = site.builder.splat(i1, inputs[0].shape, 1)
    counts = site.masked(counts, shape, layout, reduced, 0)
    nothing = site.builder.splat(i1, (), 0)
    body, builder = site.region(site.op.regions[0]), site.builder
    *parts, are_some = reduce_counted(builder, body, [*inputs, counts], [*inits, nothing], reduced)
    gathered = [site.emitter.stacked(x, digits) for x in (*parts, are_some)]
    starts = [init.convert(x.element_type) for init, x in zip(inits, parts, strict=True)]
    results = reduce_counted(builder, body, gathered, [*starts, nothing.number(1)], (0,))
    for index, tensor in enumerate(results[:count]):
        site.define(index, choice.results[index].whole(), tensor)


REDUCTIONS: dict[type[Operation], Handler] = {stablehlo.ReduceOp: _reduce}
"""Op type to handler."""
