"""Ops of Shardy's dialect: declarations, and computations that are local over some axes already."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from xdsl.ir import SSAValue

from ....dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ....dialects.sdy.shardings import AxisRef, Mesh, Sharding
from ....dialects.sdy.values import IN_SHARDINGS, OUT_SHARDINGS, manual_axes_of, resolve
from ....dialects.stablehlo.shapes import shape_of
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

    Inside, values are global with respect to the other axes only, which split them on both sides if they do so evenly.
    Over a mesh whose devices have an order of its own, parts are moved to them and back.
    """
    op, partitioner, emitter = site.op, site.partitioner, site.emitter
    inputs, outputs = (_shardings(site, name) for name in (IN_SHARDINGS, OUT_SHARDINGS))
    mesh = next((sharding.mesh for sharding in (*inputs, *outputs) if sharding.mesh.size > 1), None)
    order = None if mesh is None else site.devices.strangers.get(mesh)
    if order is not None and emitter.manual:
        raise site.unsupported("a computation over devices in an order of its own inside of another one")
    manual = _manual_digits(site, mesh)
    taken, layouts = _layouts(site, inputs, op.operands, manual), _layouts(site, outputs, op.results, manual)
    operands = _operands(site, taken, order)
    outer, emitter.manual = emitter.manual, tuple(sorted({*emitter.manual, *manual}))
    with nullcontext() if order is None else emitter.in_order(order):
        for argument, operand, layout in zip(op.regions[0].block.args, operands, taken, strict=True):
            if layout is None:
                partitioner.define_other(argument, operand)
            else:
                partitioner.bind(argument, Tensor(site.builder, operand), _inside(layout, manual))
        returned = partitioner.ops(op.regions[0].block, site.builder)
        inner = [None if layout is None else _inside(layout, manual) for layout in layouts]
        values = partitioner.in_layouts(returned, inner)
    emitter.manual = outer
    for index, (value, layout) in enumerate(zip(values, layouts, strict=True)):
        if layout is None:
            partitioner.define_other(op.results[index], value)
            continue
        result = Tensor(site.builder, value)
        if order is not None and layout.used:
            result = emitter.moved(result, order, site.devices.order)
        site.define(index, layout, result)


def _layouts(
    site: Site, shardings: Sequence[Sharding], values: Sequence[SSAValue], manual: Digits
) -> list[Layout | None]:
    """What `shardings` say of the global `values`, as far as it means the same inside."""
    found: list[Layout | None] = []
    for sharding, value in zip(shardings, values, strict=True):
        layout = site.partitioner.layout(sharding, value)
        if layout is not None:
            for dim, size in enumerate(shape_of(value)):
                layout = layout.with_dimension(dim, _crossing(site, layout.dimensions[dim], size, manual))
        found.append(layout)
    return found


def _crossing(site: Site, digits: Digits, size: int, manual: Digits) -> Digits:
    """Those of `digits` that split a dimension of `size` alike on both sides: what the manual ones among them leave on
    a device has to be split evenly, as nobody outside knows of a padding in the middle.
    """
    own, free = tuple(digit for digit in digits if digit in manual), [digit for digit in digits if digit not in manual]
    if not own:
        return digits
    local, parts = site.devices.local_size(size, own), site.devices.parts
    while free and local % parts(free):
        free.pop()
    return (*own, *free)


def _operands(site: Site, layouts: Sequence[Layout | None], order: Sequence[int] | None) -> list[SSAValue]:
    """The operands in `layouts`, on the devices whose numbers `order` gives."""
    values = site.partitioner.in_layouts(site.op.operands, layouts)
    if order is None:
        return values
    return [
        site.emitter.moved(Tensor(site.builder, value), site.devices.order, order).value
        if layout is not None and layout.used
        else value
        for value, layout in zip(values, layouts, strict=True)
    ]


def _shardings(site: Site, name: str) -> list[Sharding]:
    attribute = site.op.properties[name]
    assert isinstance(attribute, TensorShardingPerValueAttr)
    return [resolve(sharding, site.op) for sharding in attribute.data]


def _manual_digits(site: Site, mesh: Mesh | None) -> Digits:
    axes = manual_axes_of(site.op)
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
