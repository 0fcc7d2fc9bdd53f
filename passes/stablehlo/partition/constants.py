"""Constants and iota: every device makes its own part; nothing is exchanged."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.dense import splat_bytes
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.tensor_builder import Tensor
from .devices import Layout, replicated
from .site import Handler, Site, integer


def constant(site: Site) -> None:
    """A splat is one of the local shape; of other constants a device keeps its part."""
    (result,) = site.op.results
    element_type, shape = element_type_of(result), shape_of(result)
    element = splat_bytes(site.op.properties["value"])
    if element is None:
        types, value = (result.type,), {"value": site.op.properties["value"]}
        site.define(0, replicated(len(shape)), site.builder.emit(stablehlo.ConstantOp, (), types, value)[0])
    else:
        builder = site.builder
        site.define_made(lambda layout: builder.splat(element_type, site.local_shape(shape, layout), element))


def _iota(site: Site) -> None:
    """Counting from where the part of the device begins."""
    (result,) = site.op.results
    element_type, shape = element_type_of(result), shape_of(result)
    dimension = integer(site.op, "iota_dimension")
    builder, emitter = site.builder, site.emitter

    def make(layout: Layout) -> Tensor:
        local = site.local_shape(shape, layout)
        digits = layout.dimensions[dimension]
        if not digits:
            return builder.iota(element_type, local, dimension)
        # In i32, as narrow elements count from 0 again where their range ends.
        places = builder.iota(i32, local, dimension)
        start = Tensor(builder, emitter.offset(digits, local[dimension]).value)
        return (places + start.broadcast(local, ())).convert(element_type)

    site.define_made(make)


CONSTANTS: dict[type[Operation], Handler] = {stablehlo.ConstantOp: constant, stablehlo.IotaOp: _iota}
"""Op type to handler."""
