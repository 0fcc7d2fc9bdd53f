"""Reductions: a dimension that is reduced and split leaves parts, which an all_reduce or reduce_scatter combines.

That takes a computation of one associative op. Results of any other computation, or of several operands together, are
gathered along a new dimension and reduced once more; body and init value form a monoid, as the specification demands.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import splat_bytes
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array, ints
from ..bounded_dimensions.reductions import neutral_of
from .factors import Choice, Dimensions, Rule, RuleWriter, choose, elementwise_rule, partition
from .site import Handler, Site, integer


def _reduce(site: Site) -> None:
    count = len(site.op.results)
    writer = RuleWriter()
    dims = writer.dimensions(shape_of(site.op.operands[0]))
    reduced = ints(site.op, "dimensions")
    kept: Dimensions = tuple(own for dim, own in enumerate(dims) if dim not in reduced)
    rule = writer.rule([dims] * count + [()] * count, [kept] * count)
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
    repeats = _may_repeat(site.op.operands[1], combiner, neutral)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, init = operands
        masked = site.masked(x, shape, choice.operands[0], reduced, neutral)
        starts_anew = choice.results[0].partial and not repeats
        return site.emit([masked, init.number(neutral) if starts_anew else init], choice.results)

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


IDEMPOTENT = (stablehlo.MaxOp, stablehlo.MinOp, stablehlo.AndOp, stablehlo.OrOp)
"""Combining twice with the same element is combining once."""


def _may_repeat(init: SSAValue, combiner: type[Operation], neutral: bytes) -> bool:
    """Whether it changes nothing that each part starts from `init`: also for sums from 0, of whatever sign."""
    if combiner in IDEMPOTENT:
        return True
    element = splat_bytes(init.owner.value) if isinstance(init.owner, stablehlo.ConstantOp) else None
    return element is not None and (element == neutral or (combiner is stablehlo.AddOp and not any(element)))


def _reduce_again(site: Site, rule: Rule, reduced: Sequence[int]) -> None:
    """The results of all devices along a new first dimension, reduced once more."""
    choice = choose(site, rule)
    count = len(site.op.results)
    read = [site.read(index, layout) for index, layout in enumerate(choice.operands)]
    shape, inits = shape_of(site.op.operands[0]), read[count:]
    inputs = [
        site.masked(x, shape, layout, reduced, init)
        for x, layout, init in zip(read[:count], choice.operands[:count], inits, strict=True)
    ]
    results = site.emit([*inputs, *inits], [layout.whole() for layout in choice.results])
    if digits := choice.results[0].partial:
        parts = [site.emitter.stacked(x, digits) for x in results]
        starts = [init.convert(x.element_type) for init, x in zip(inits, parts, strict=True)]
        types, properties = [x.type for x in results], {"dimensions": int_array([0])}
        body = site.region(site.op.regions[0])
        results = site.builder.emit(stablehlo.ReduceOp, [*parts, *starts], types, properties, [body])
    for index, (tensor, layout) in enumerate(zip(results, choice.results, strict=True)):
        site.define(index, layout.whole(), tensor)


def _map(site: Site) -> None:
    """Elementwise; `dimensions` are all of them."""
    partition(site, elementwise_rule(site.op))


def _sort(site: Site) -> None:
    """Lines are whole."""
    writer = RuleWriter()
    shape = shape_of(site.op.operands[0])
    dimension = integer(site.op, "dimension") % max(len(shape), 1)
    dims = writer.dimensions(shape, [dimension])
    partition(site, writer.rule([dims] * len(site.op.operands), [dims] * len(site.op.results)))


REDUCTIONS: dict[type[Operation], Handler] = {
    stablehlo.MapOp: _map,
    stablehlo.ReduceOp: _reduce,
    stablehlo.SortOp: _sort,
}
"""Op type to handler."""
