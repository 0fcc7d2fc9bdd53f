"""Fourier transforms: dimensions that are not transformed stay split; of those that are, one at a time is whole.

A transform over several dimensions is one after the other over each. The digits of the dimension that is next go to
another one (`all_to_all`), so that nothing is gathered while there is one. A single complex dimension in p parts, each
a multiple of p long, is transformed in parts (`split_transforms.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, prod

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.attributes import FftType
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from .devices import Devices, Layout
from .factors import Rule, choose, cost_of_choice, partition, rule_for
from .site import Handler, Site
from .split_transforms import transformed_along, transformed_in_parts
from .values import Value


def _fft(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.FftOp)
    lengths = op.fft_length.get_values()
    rule = rule_for(op)
    steps = 2.5 * prod(shape_of(op.operand)) * log2(max(prod(lengths), 2))
    rule = rule._replace(products=steps / max(prod(rule.sizes), 1))
    if len(lengths) > 1 and 0 not in rule.sizes and _pays_one_by_one(site, rule, steps):
        _one_by_one(site, op, len(lengths))
    elif (layout := _split_line(site, op)) is not None and _pays_in_parts(site, rule, layout, steps):
        x = site.read(0, layout)
        site.define(0, layout, transformed_in_parts(site, x, layout.dimensions[-1], op.fft_type.data))
    else:
        partition(site, rule)


def _split_line(site: Site, op: stablehlo.FftOp) -> Layout | None:
    """The layout of the operand, if its parts can be transformed as they are."""
    (value,) = site.operands
    layout = value.wanted or next(iter(value.layouts), None)
    if layout is None or len(op.lengths) != 1 or op.fft_type.data not in (FftType.FFT, FftType.IFFT):
        return None
    parts, length = site.devices.parts(layout.dimensions[-1]), value.shape[-1]
    is_even = length > 0 and length % (parts * parts) == 0 and length < 1 << 31
    return layout.whole() if parts > 1 and is_even else None


def _pays_in_parts(site: Site, rule: Rule, layout: Layout, steps: float) -> bool:
    """Whether three exchanges of what a device has cost less than what is exchanged and computed otherwise."""
    (value,), costs = site.operands, site.partitioner.costs
    choice = choose(site, rule)
    result = site.partitioner.define(site.op.results[0])
    exchanged = 3 * costs.step(value.bytes(layout)) + costs.copy(3 * value.bytes(layout))
    in_parts = value.cost(layout) + exchanged + result.cost_from(layout)
    share = steps / site.devices.parts(layout.used)
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
