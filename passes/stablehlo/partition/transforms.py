"""Fourier transforms: dimensions that are not transformed stay split; of those that are, one at a time is whole.

A transform over several dimensions is one after the other over each. The digits of the dimension that is next go to
another one (`all_to_all`), so that nothing is gathered while there is one. A single dimension in p parts, of a line
whose length is a multiple of p, is transformed in parts (`split_transforms.py`, `real_transforms.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2, prod
from typing import NamedTuple

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.attributes import FftType
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from .devices import Devices, Layout
from .factors import Rule, choose, cost_of_choice, partition, rule_for
from .real_transforms import coefficients_in_parts, line_in_parts
from .site import Handler, Site
from .split_transforms import transformed_along, transformed_in_parts
from .values import Value


class InParts(NamedTuple):
    """What it takes to transform a line in parts."""

    elements: int
    """How much larger the complex line is than the operand."""
    exchanges: float
    """Of a part of that line; half of it where only coefficients of a real line move."""


IN_PARTS = {
    FftType.FFT: InParts(1, 3),
    FftType.IFFT: InParts(1, 3),
    FftType.RFFT: InParts(2, 2.5),
    FftType.IRFFT: InParts(2, 3),
}


def _fft(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.FftOp)
    lengths = op.fft_length.get_values()
    rule = rule_for(op)
    steps = 2.5 * site.partitioner.costs.transform_products * prod(shape_of(op.operand)) * log2(max(prod(lengths), 2))
    rule = rule._replace(products=steps / max(prod(rule.sizes), 1))
    if len(lengths) > 1 and 0 not in rule.sizes and _pays_one_by_one(site, rule, steps):
        _one_by_one(site, op, len(lengths))
    elif (layout := _split_line(site, op)) is not None and _pays_in_parts(site, rule, layout, op.fft_type.data, steps):
        site.define(0, layout, _in_parts(site, op, layout))
    else:
        partition(site, rule)


def _split_line(site: Site, op: stablehlo.FftOp) -> Layout | None:
    """The layout of the operand, if its parts can be transformed as they are."""
    (value,) = site.operands
    layout = value.wanted or next(iter(value.layouts), None)
    if layout is None or len(op.lengths) != 1:
        return None
    parts, length = site.devices.parts(layout.dimensions[-1]), op.lengths[0]
    is_even = length % parts == 0 and (length % 2 == 0 or op.fft_type.data != FftType.IRFFT)
    return layout.whole() if parts > 1 and is_even and parts * parts <= length // 2 < 1 << 30 else None


def _in_parts(site: Site, op: stablehlo.FftOp, layout: Layout) -> Tensor:
    """The part of this device of the result, of its part of the operand."""
    x, digits, kind = site.read(0, layout), layout.dimensions[-1], op.fft_type.data
    if kind == FftType.RFFT:
        return coefficients_in_parts(site, x, digits)
    if kind == FftType.IRFFT:
        return line_in_parts(site, x, digits, op.lengths[0])
    return transformed_in_parts(site, x, digits, kind)


def _pays_in_parts(site: Site, rule: Rule, layout: Layout, kind: FftType, steps: float) -> bool:
    """Whether exchanging parts of a complex line costs less than what is exchanged and computed otherwise."""
    (value,), costs = site.operands, site.partitioner.costs
    choice = choose(site, rule)
    result = site.partitioner.define(site.op.results[0])
    elements, exchanges = IN_PARTS[kind]
    line = elements * value.bytes(layout)
    exchanged = ceil(exchanges) * costs.step(0) + exchanges * (line + costs.copy(line))
    in_parts = value.cost(layout) + exchanged + result.cost_from(layout)
    share = elements * steps / site.devices.parts(layout.used)
    return in_parts + costs.work(share) < cost_of_choice(site, rule, choice)


def _pays_one_by_one(site: Site, rule: Rule, steps: float) -> bool:
    """Whether devices would do the same work otherwise, and exchanging twice costs less than that."""
    (value,) = site.operands
    layout = value.wanted or next(iter(value.layouts), None)
    choice = choose(site, rule)
    used = {digit for digits in choice.assignment.values() for digit in digits}
    if layout is None or used.issuperset(layout.whole().used):
        return False
    costs = site.partitioner.costs
    parts, shared = site.devices.parts(layout.whole().used), site.devices.parts(used)
    gathered = value.cost(choice.operands[0]) + costs.work(steps / shared)
    return 2 * costs.step(value.bytes(layout)) + costs.work(steps / parts) < gathered


def _one_by_one(site: Site, op: stablehlo.FftOp, count: int) -> None:
    """Real elements come first or last: the last dimension is that which has half of them."""
    (value,) = site.operands
    kind, last = op.fft_type.data, value.rank - 1
    others = list(range(value.rank - count, last))
    layout = (value.wanted or next(iter(value.layouts))).whole()
    others.sort(key=lambda dim: bool(layout.dimensions[dim]))
    inner = FftType.IFFT if kind in (FftType.IFFT, FftType.IRFFT) else FftType.FFT
    stages = [(dim, inner) for dim in others]
    is_late = kind == FftType.IRFFT or (kind != FftType.RFFT and bool(layout.dimensions[last]))
    stages.insert(len(stages) if is_late else 0, (last, kind))
    lengths = dict(zip(range(value.rank - count, value.rank), op.lengths, strict=True))
    for dim, stage in stages:
        layout = _with_whole(site.devices, layout, value.shape, dim)
        x = Tensor(site.builder, value.in_layout(layout).value)
        transformed = transformed_along(x, dim, lengths[dim], stage)
        shape = [transformed.shape[dim] if d == dim else size for d, size in enumerate(value.shape)]
        value = Value(site.emitter, tensor_type(transformed.element_type, *shape), None, site.partitioner.costs)
        value.add(layout, transformed)
    site.define(0, layout, value.in_layout(layout))


def _with_whole(devices: Devices, layout: Layout, shape: Sequence[int], dim: int) -> Layout:
    """The layout with `dim` whole, its digits on the dimension that has most elements left."""
    digits = layout.dimensions[dim]
    others = [d for d in range(len(shape)) if d != dim]
    if not digits:
        return layout
    parts = devices.parts(digits)
    local = {d: devices.local_size(shape[d], layout.dimensions[d]) for d in others}
    target = max(others, key=lambda d: (local[d] % parts == 0, local[d]))
    layout = layout.with_dimension(dim, ())
    return layout.with_dimension(target, (*layout.dimensions[target], *digits)) if local[target] > 1 else layout


TRANSFORMS: dict[type[Operation], Handler] = {stablehlo.FftOp: _fft}
"""Op type to handler."""
