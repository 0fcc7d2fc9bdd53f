"""Ops with effects, such as callbacks, infeed and `rng`, and tokens: one device runs them, and tells the others.

So they happen as often, in the same order and with the same values as on one device. The device is the first one, or
that which the program names (`sdy.sharding` on a mesh of one device). In computations that are local over some axes,
each device along these runs them on its own values.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ....dialects.sdy.values import SHARDING, resolve
from ....dialects.stablehlo.shapes import is_tensor
from ....ir.purity import is_pure
from ....ir.tensor_builder import Tensor
from .devices import Digits, replicated
from .site import Handler, Site


def is_without_effects(op: Operation) -> bool:
    """Whether `op` may run anywhere and more than once; a call may that does not say that it has effects."""
    if isinstance(op, stablehlo.CustomCallOp):
        return not (op.has_side_effect and op.has_side_effect.value.data) and _named_device(op) is None
    return is_pure(op)


def happens_once(op: Operation) -> bool:
    """Whether `op` has effects, that are those of one device."""
    return EFFECTS.get(type(op)) is once or (isinstance(op, stablehlo.CustomCallOp) and not is_without_effects(op))


def _named_device(op: Operation) -> int | None:
    """The device that the program says runs `op`."""
    attribute = op.attributes.get(SHARDING)
    if not isinstance(attribute, TensorShardingPerValueAttr) or not attribute.data:
        return None
    mesh = resolve(attribute.data[0], op).mesh
    return mesh.device_ids[0] if mesh.is_maximal and mesh.device_ids else None


def once(site: Site) -> None:
    """The op on whole operands, on one of the devices that have the same values."""
    op = site.op
    if isinstance(op, stablehlo.SendOp | stablehlo.RecvOp) and not op.is_host_transfer.value.data:
        _among_devices(site)
        return
    operands = _read(site)
    free = _free(site)
    if not free:
        _define(site, _emitted(site, operands))
        return
    types = [result.type for result in op.results if is_tensor(result.type)]
    root = _root(site, free)
    is_root = Tensor(site.builder, site.emitter.place(free).equals(root).value)
    regions = [
        site.builder.region((), lambda _: [x for x in _emitted(site, operands) if is_tensor(x.value.type)]),
        site.builder.region((), lambda _: [site.builder.splat(t.element_type, t.get_shape(), 0) for t in types]),
    ]
    found = site.builder.emit(stablehlo.IfOp, [is_root], types, {}, regions)
    values = iter([site.emitter.from_root(x, free, root) for x in found])
    _define(site, [next(values) if is_tensor(result.type) else _token(site) for result in op.results])


def _read(site: Site) -> list[Tensor]:
    """Whole operands; tokens as they are."""
    operands = site.op.operands
    layouts = [replicated(len(x.type.shape.data)) if is_tensor(x.type) else None for x in operands]
    return [Tensor(site.builder, value) for value in site.partitioner.in_layouts(operands, layouts)]


def _emitted(site: Site, operands: Sequence[Tensor]) -> list[Tensor]:
    """The op as it is."""
    op = site.op
    attributes = {name: value for name, value in op.attributes.items() if not name.startswith("sdy.")}
    regions = [site.region(region) for region in op.regions]
    return site.builder.emit(type(op), operands, op.result_types, op.properties, regions, attributes)


def _define(site: Site, values: Sequence[Tensor]) -> None:
    """These are the results, tensors as a whole."""
    for index, (result, value) in enumerate(zip(site.op.results, values, strict=True)):
        if is_tensor(result.type):
            site.define(index, replicated(value.rank), value)
        else:
            site.partitioner.define_other(result, value.value)


def _token(site: Site) -> Tensor:
    """What orders nothing: effects happen in the order of the ops."""
    return site.builder.emit(stablehlo.CreateTokenOp, (), (stablehlo.TokenType(),))[0]


def _free(site: Site) -> Digits:
    """The digits over which values here are the same program's."""
    return tuple(digit for digit in range(len(site.devices.sizes)) if digit not in site.emitter.manual)


def _root(site: Site, free: Digits) -> int:
    """The place of the device that runs the op, among those that differ in `free`."""
    named = _named_device(site.op)
    if site.emitter.manual:
        return 0
    named = 0 if named is None else named
    if named not in site.devices.order:
        raise site.unsupported(f"on device {named} of {site.devices.count}, it")
    return site.devices.coordinates(free)[site.devices.order.index(named)]


def _among_devices(site: Site) -> None:
    """A message from one device to another, of a computation that is local."""
    if _free(site):
        raise site.unsupported("a message between devices, which no whole array has,")
    _define(site, _emitted(site, _read(site)))


def _pass_on(site: Site) -> None:
    """A token."""
    _define(site, _emitted(site, _read(site)))


EFFECTS: dict[type[Operation], Handler] = {
    stablehlo.AfterAllOp: _pass_on,
    stablehlo.CreateTokenOp: _pass_on,
    **dict.fromkeys(
        (stablehlo.InfeedOp, stablehlo.OutfeedOp, stablehlo.RecvOp, stablehlo.RngOp, stablehlo.SendOp), once
    ),
}
"""Op type to handler."""
