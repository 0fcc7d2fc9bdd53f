"""Ops of Shardy's dialect: declarations, and computations that are local over some axes already."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ....dialects.sdy.shardings import AxisRef, Sharding
from ....dialects.sdy.values import IN_SHARDINGS, OUT_SHARDINGS, manual_axes_of, resolve
from ....ir.tensor_builder import Tensor
from .constants import constant
from .devices import Digits, Layout
from .site import Handler, Site


def _declared(site: Site) -> None:
    """The operand; its result is declared in another layout."""
    site.partitioner.pass_on(site.op.results[0], site.op.operands[0])


def _nothing(site: Site) -> None:
    """Says something to propagation."""


def _named_computation(site: Site) -> None:
    """The ops in it, in its place."""
    partitioner, block = site.partitioner, site.op.regions[0].block
    for argument, operand in zip(block.args, site.op.operands, strict=True):
        partitioner.pass_on(argument, operand)
    for result, value in zip(site.op.results, partitioner.ops(block, site.builder), strict=True):
        partitioner.pass_on(result, value)


def _manual_computation(site: Site) -> None:
    """The ops in it on operands in the layouts it demands, of which it sees what its axes leave.

    Inside, values are global with respect to the other axes only.
    """
    op, partitioner, block = site.op, site.partitioner, site.op.regions[0].block
    inputs, outputs = (_shardings(site, name) for name in (IN_SHARDINGS, OUT_SHARDINGS))
    manual = _manual_digits(site, (*inputs, *outputs))
    for argument, operand, sharding in zip(block.args, op.operands, inputs, strict=True):
        layout = partitioner.layout(sharding, operand)
        if layout is None:
            partitioner.define_other(argument, partitioner.other(operand))
            continue
        tensor = Tensor(site.builder, partitioner.value(operand).in_layout(layout).value)
        partitioner.bind(argument, tensor, _inside(layout, manual))
    outer, site.emitter.manual = site.emitter.manual, tuple(sorted({*site.emitter.manual, *manual}))
    returned = partitioner.ops(block, site.builder)
    layouts = [partitioner.layout(sharding, value) for sharding, value in zip(outputs, returned, strict=True)]
    inner = [None if layout is None else _inside(layout, manual) for layout in layouts]
    values = partitioner.in_layouts(returned, inner)
    site.emitter.manual = outer
    for index, (value, layout) in enumerate(zip(values, layouts, strict=True)):
        if layout is None:
            partitioner.define_other(op.results[index], value)
        else:
            site.define(index, layout, Tensor(site.builder, value))


def _shardings(site: Site, name: str) -> list[Sharding]:
    attribute = site.op.properties[name]
    assert isinstance(attribute, TensorShardingPerValueAttr)
    return [resolve(sharding, site.op) for sharding in attribute.data]


def _manual_digits(site: Site, shardings: Sequence[Sharding]) -> Digits:
    axes = manual_axes_of(site.op)
    mesh = next((sharding.mesh for sharding in shardings if sharding.mesh.size > 1), None)
    if mesh in site.devices.strangers:
        raise site.unsupported("a computation over the devices of a mesh in an order that no axes of the others have")
    return () if mesh is None else site.devices.all_digits(mesh, [AxisRef(axis) for axis in axes])


def _inside(layout: Layout, manual: Digits) -> Layout:
    """The layout of what the computation sees."""
    dimensions = tuple(tuple(digit for digit in digits if digit not in manual) for digits in layout.dimensions)
    return Layout(dimensions, tuple(digit for digit in layout.partial if digit not in manual))


SHARDING: dict[str, Handler] = {
    "sdy.constant": constant,
    "sdy.data_flow_edge": _declared,
    "sdy.func_data_flow_edge": _declared,
    "sdy.mesh": _nothing,
    "sdy.manual_computation": _manual_computation,
    "sdy.named_computation": _named_computation,
    "sdy.propagation_barrier": _declared,
    "sdy.reshard": _declared,
    "sdy.sharding_constraint": _declared,
    "sdy.sharding_group": _nothing,
    **dict.fromkeys(
        (
            "sdy.all_gather",
            "sdy.all_reduce",
            "sdy.all_slice",
            "sdy.all_to_all",
            "sdy.collective_permute",
            "sdy.reduce_scatter",
            "sdy.replicated_to_unreduced",
            "sdy.sharded_to_unreduced",
        ),
        _declared,
    ),
}
"""Op name to handler. The collectives of the dialect say how a value gets from the layout it has to another one, which
is that of their result."""
