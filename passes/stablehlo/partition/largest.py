"""The largest elements of lines that are split.

A few are found in two steps: each device finds those of its part, and all those of what they found. Of equal elements
the first one counts. Parts are in the order of their lines, and so is what is found in each; padding is less than all
elements but those that are as small, which come in front of it. Many are the first ones of lines that are sorted in
parts (`sorts.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import AnyFloat, i32
from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.chlo.library import TopKOp
from ....dialects.dense import integer_type
from ....dialects.element_sizes import element_bits
from ....dialects.sdy.values import SHARDING
from ....dialects.shared_attributes import i64_attribute, tensor_type
from ....dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from ....dialects.stablehlo.syntax import bool_attr
from ....ir.tensor_builder import Tensor
from ..neutral_elements import neutral_of
from .devices import Layout
from .lines import elements_of_lines
from .site import Site
from .sorts import sort_in_parts
from .values import Value


def largest_of_lines(site: Site, count: int) -> bool:
    """Partitions an op that takes the `count` largest elements of lines, where not bringing whole lines together pays;
    False otherwise.
    """
    return _largest_of_parts(site, count) or _first_of_sorted_parts(site, count)


def _largest_of_parts(site: Site, count: int) -> bool:
    """Each device finds as many of its part, where that exchanges less than whole lines."""
    (value,) = site.operands
    declared = value.wanted or next(iter(value.layouts), None)
    least = _least_element(value.type.element_type)
    if declared is None or least is None or not value.rank or 0 in value.shape:
        return False
    layout = declared.whole()
    if not layout.dimensions[-1] or not _pays(site, value, layout, count):
        return False
    dim, digits = value.rank - 1, layout.dimensions[-1]
    x = site.masked(site.read(0, layout), value.shape, layout, [dim], least)
    found, places = _largest(x, min(count, x.shape[dim]))
    places = places + site.emitter.offset(digits, x.shape[dim]).broadcast(places.shape, ())
    found, places = (site.emitter.all_gather(each, dim, digits) for each in (found, places))
    values, order = _largest(found, count)
    whole = layout.with_dimension(dim, ())
    site.define(0, whole, values)
    site.define(1, whole, elements_of_lines(places, order))
    return True


def _first_of_sorted_parts(site: Site, count: int) -> bool:
    """The lines are sorted in parts, where that pays."""
    (value,) = site.operands
    layout = value.wanted or next(iter(value.layouts), None)
    if layout is None or not value.rank or not layout.dimensions[-1] or not count:
        return False
    partitioner = site.partitioner
    region = site.builder.region([value.type], lambda lines: _first_of_sorted(site, lines[0], count))
    partitioner.keep(region)
    (argument,) = region.block.args
    partitioner.pass_on(argument, site.op.operands[0])
    iota, sort, *slices, returned = region.block.ops
    partitioner.partition(iota, site.builder)
    if not sort_in_parts(Site(partitioner, sort, site.builder)):
        return False
    for op in slices:
        partitioner.partition(op, site.builder)
    for result, operand in zip(site.op.results, returned.operands, strict=True):
        partitioner.pass_on(result, operand)
    return True


def _first_of_sorted(site: Site, x: Tensor, count: int) -> Sequence[Tensor]:
    """Of whole lines: a stable descending sort of values with their indices, and the first `count` of both."""
    builder, last = site.builder, x.rank - 1
    both = x, builder.iota(i32, x.shape, last)
    order = ComparisonType.TOTALORDER if integer_type(x.element_type) is None else None
    scalars = [tensor_type(each.element_type) for each in both for _ in range(2)]
    comparator = builder.region(scalars, lambda values: [values[0].compare(ComparisonDirection.GT, values[1], order)])
    properties: dict[str, Attribute] = {"dimension": i64_attribute(last), "is_stable": bool_attr(True)}
    declared = {SHARDING: site.op.attributes[SHARDING]} if SHARDING in site.op.attributes else {}
    types = [each.type for each in both]
    ordered = builder.emit(stablehlo.SortOp, both, types, properties, [comparator], declared)
    return [each.slice({last: (0, count)}) for each in ordered]


def _least_element(type: Attribute) -> bytes | None:
    """The bytes of an element that no other one is less than; floats are in total order."""
    if integer_type(type) is not None:
        return neutral_of(stablehlo.MaxOp, type)
    bits = element_bits(type) if isinstance(type, AnyFloat) else 0
    return b"\xff" * (bits // 8) if bits and bits % 8 == 0 else None


def _pays(site: Site, value: Value, layout: Layout, k: int) -> bool:
    """Whether exchanging what devices find and searching that costs less than bringing lines together."""
    costs, length, digits = site.partitioner.costs, value.shape[-1], layout.dimensions[-1]
    parts, local = site.devices.parts(digits), site.devices.local_size(length, digits)
    *batch, _ = site.local_shape(value.shape, layout)
    candidates = parts * min(k, local)
    lines, bits = prod(batch), element_bits(value.type.element_type)
    searched = local * costs.sorting(local) + candidates * costs.sorting(candidates)
    in_parts = 2 * costs.step(lines * candidates * (bits + I32_BITS) / 16) + costs.work(lines * searched)
    whole = costs.step(value.bytes(layout.with_dimension(value.rank - 1, ())))
    return in_parts < whole + costs.work(lines * length * costs.sorting(length))


I32_BITS = 32
"""Of an index."""


def _largest(x: Tensor, k: int) -> Sequence[Tensor]:
    """The values and their indices along the last dimension."""
    shape = *x.shape[:-1], k
    types = tensor_type(x.element_type, *shape), tensor_type(i32, *shape)
    return x.builder.emit(TopKOp, (x,), types, {"k": i64_attribute(k)})
