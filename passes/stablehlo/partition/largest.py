"""The largest elements of lines that are split: each device finds those of its part, and all those of what they found.

Of equal elements the first one counts. Parts are in the order of their lines, and so is what is found in each; padding
is less than all elements but those that are as small, which come in front of it.
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
from ....dialects.shared_attributes import i64_attribute, tensor_type
from ....ir.tensor_builder import Tensor
from ..neutral_elements import neutral_of
from .devices import Layout
from .lines import elements_of_lines
from .site import Site
from .values import Value


def largest_of_parts(site: Site, count: int) -> bool:
    """Partitions an op that takes the `count` largest elements of lines, where that exchanges less than whole lines;
    False otherwise.
    """
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
