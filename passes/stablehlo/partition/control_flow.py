"""Loops, branches, calls and ops that pass values on: each value as its declaration says, inside and outside alike."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.editing import clone_region, new_op
from ....dialects.stablehlo.shapes import is_tensor
from ....ir.tensor_builder import Tensor
from .devices import Layout, replicated
from .site import Handler, Site

Layouts = list[Layout | None]
"""None for what is no tensor."""


def _declared(site: Site, values: Sequence[SSAValue]) -> Layouts:
    return [site.partitioner.wanted(value) if is_tensor(value.type) else None for value in values]


def _read(site: Site, values: Sequence[SSAValue], layouts: Layouts) -> list[SSAValue]:
    return site.partitioner.in_layouts(values, layouts)


def _emit(site: Site, operands: Sequence[SSAValue], layouts: Layouts, regions: Sequence[object] = ()) -> None:
    """The op again, with results in these layouts."""
    op, partitioner = site.op, site.partitioner
    types = [partitioner.type_in(result, layout) for result, layout in zip(op.results, layouts, strict=True)]
    attributes = {name: value for name, value in op.attributes.items() if not name.startswith("sdy.")}
    new = new_op(type(op), operands, types, op.properties, attributes, regions=regions, location=op.location)  # pyright: ignore
    site.builder.insert(new)
    for old, result, layout in zip(op.results, new.results, layouts, strict=True):
        if layout is None:
            partitioner.define_other(old, result)
        else:
            partitioner.define(old).add(layout, Tensor(site.builder, result))


def _while(site: Site) -> None:
    """The values of the loop are as its results are declared; the condition is the same on all devices."""
    op = site.op
    layouts = _declared(site, op.results)
    operands = _read(site, op.operands, layouts)
    condition, body = op.regions
    regions = [
        site.partitioner.region(op, condition, layouts, [replicated(0)]),
        site.partitioner.region(op, body, layouts, layouts),
    ]
    _emit(site, operands, layouts, regions)


def _branches(site: Site) -> None:
    """All devices take the same branch."""
    op = site.op
    layouts = _declared(site, op.results)
    operands = _read(site, op.operands, [replicated(0)])
    _emit(site, operands, layouts, [site.partitioner.region(op, region, [], layouts) for region in op.regions])


def _barrier(site: Site) -> None:
    layouts = _declared(site, site.op.results)
    _emit(site, _read(site, site.op.operands, layouts), layouts)


def _call(site: Site) -> None:
    """Arguments and results as the function declares them."""
    assert isinstance(site.op, func.CallOp)
    arguments, results = site.partitioner.signature(site.op)
    _emit(site, _read(site, site.op.operands, arguments), results)


def _composite(site: Site) -> None:
    """The ops of its decomposition in its place."""
    partitioner, op = site.partitioner, site.op
    assert isinstance(op, stablehlo.CompositeOp)
    # A copy for each: what is known of a value is known of the value of one call.
    region = clone_region(partitioner.body_of(op), {})
    for argument, operand in zip(region.block.args, op.operands, strict=True):
        partitioner.pass_on(argument, operand)
    for result, value in zip(op.results, partitioner.ops(region.block, site.builder), strict=True):
        partitioner.pass_on(result, value)
    partitioner.keep(region)


def _tokens(site: Site) -> None:
    """Tokens are the same everywhere."""
    layouts: Layouts = [None] * len(site.op.operands)
    _emit(site, _read(site, site.op.operands, layouts), [None])


CONTROL_FLOW: dict[type[Operation], Handler] = {
    func.CallOp: _call,
    stablehlo.AfterAllOp: _tokens,
    stablehlo.CaseOp: _branches,
    stablehlo.CompositeOp: _composite,
    stablehlo.CreateTokenOp: _tokens,
    stablehlo.IfOp: _branches,
    stablehlo.OptimizationBarrierOp: _barrier,
    stablehlo.WhileOp: _while,
}
"""Op type to handler."""
