"""Instructions in which several devices take part, and those that talk to the host.

A collective without `replica_groups` is one of all replicas (or partitions) that the module is for. The two
instructions of a split collective are the collective and its result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import ChannelHandleAttr
from ....dialects.stablehlo.replica_groups import id_matrix, pair_matrix
from ....dialects.stablehlo.syntax import bool_attr
from .. import attribute_values
from ..device_groups import device_groups
from ..shapes import Shape, TokenShape, TupleShape
from .site import HANDLERS, HloValue, Site

DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE = 1, 2, 3
TYPED_FFI = 4
"""The version of custom calls whose configuration is a dictionary."""


def _groups(site: Site) -> Attribute:
    rows = site.read("replica_groups", device_groups, [])
    if not any(rows):
        across_partitions = site.has("channel_id") and site.program.replicas == 1
        count = site.program.partitions if across_partitions else site.program.replicas
        rows = [tuple(range(count))]
    return id_matrix(rows)


def _channel(site: Site, kind: int = DEVICE_TO_DEVICE) -> ChannelHandleAttr | None:
    channel = site.integer("channel_id", 0)
    return ChannelHandleAttr((channel, kind)) if channel > 0 else None


def _collective(site: Site) -> dict[str, Attribute | None]:
    properties: dict[str, Attribute | None] = {"replica_groups": _groups(site), "channel_handle": _channel(site)}
    if site.flag("use_global_device_ids"):
        properties["use_global_device_ids"] = UnitAttr()
    return properties


def _all_gather(site: Site) -> HloValue:
    properties = {**_collective(site), "all_gather_dim": site.dimension()}
    return site.emit(stablehlo.AllGatherOp, site.tensors(), properties)


def _all_reduce(site: Site) -> HloValue:
    return site.emit(stablehlo.AllReduceOp, site.tensors(), _collective(site), [_combining(site)])


_COMBINERS = (
    stablehlo.AddOp,
    stablehlo.AndOp,
    stablehlo.MaxOp,
    stablehlo.MinOp,
    stablehlo.MulOp,
    stablehlo.OrOp,
    stablehlo.XorOp,
)


def _combining(site: Site) -> Region:
    """The computation of a reduction. XLA:CPU makes wider elements of narrow ones, but not in computations: there they
    are meant to be those of the operands.
    """
    body = site.region(site.computation("to_apply"))
    first, *others = body.block.ops
    element = _elements(site.tensors(least=1)[0])
    if isinstance(first, _COMBINERS) and len(others) == 1 and _bits(_elements(first.results[0])) < _bits(element):
        for value in (*body.block.args, *first.results):
            Rewriter.replace_value_with_new_type(value, TensorType(element, ()))
    return body


def _elements(value: SSAValue) -> Attribute:
    return cast("TensorType[Attribute]", value.type).element_type


def _bits(element: Attribute) -> int:
    return element.bitwidth if isinstance(element, IntegerType | AnyFloat) else 0


def _reduce_scatter(site: Site) -> HloValue:
    properties = {**_collective(site), "scatter_dimension": site.dimension()}
    return _one_by_one(site, stablehlo.ReduceScatterOp, properties, lambda: [_combining(site)])


def _one_by_one(
    site: Site,
    op_type: type[Operation],
    properties: Mapping[str, Attribute | None],
    regions: Callable[[], list[Region]] = list,
) -> HloValue:
    """A collective of several operands whose op takes one: an op for each."""
    operands = site.tensors()
    if len(operands) == 1 and not isinstance(site.shape, TupleShape):
        return site.emit(op_type, operands, properties, regions())
    types = site.types()
    if len(types) != len(operands):
        site.error(f"{len(operands)} operands and {len(types)} results")
    return tuple(
        site.create(op_type, [operand], [type], properties, regions()).results[0]
        for operand, type in zip(operands, types, strict=True)
    )


def _all_to_all(site: Site) -> HloValue:
    """With a dimension the array is split and put together along it; without one there is an operand per device."""
    if not site.has("dimensions"):
        return _all_to_all_of_tuple(site)
    dimension = site.dimension()
    groups = _groups(site)
    assert isinstance(groups, DenseIntOrFPElementsAttr)
    properties: dict[str, Attribute | None] = {
        "split_dimension": dimension,
        "concat_dimension": dimension,
        "split_count": IntegerAttr(groups.get_shape()[1], i64),
        "replica_groups": groups,
        "channel_handle": _channel(site),
    }
    return site.emit(stablehlo.AllToAllOp, site.tensors(1), properties)


def _all_to_all_of_tuple(site: Site) -> HloValue:
    """The operands as parts of one array along a new leading dimension."""
    operands = site.tensors()
    groups = _groups(site)
    assert isinstance(groups, DenseIntOrFPElementsAttr)
    count = groups.get_shape()[1]
    if len(operands) != count or not isinstance(site.shape, TupleShape):
        site.error(f"{len(operands)} operands for groups of {count} devices")
    dims = site.array_shape(0).dims
    parts = [site.new(stablehlo.ReshapeOp(operand, (1, *dims))) for operand in operands]
    whole = site.new(stablehlo.ConcatenateOp(parts, 0))
    zero = IntegerAttr(0, i64)
    properties: dict[str, Attribute | None] = {
        "split_dimension": zero,
        "concat_dimension": zero,
        "split_count": IntegerAttr(count, i64),
        "replica_groups": groups,
        "channel_handle": _channel(site),
    }
    (result,) = site.create(stablehlo.AllToAllOp, [whole], [whole.type], properties).results
    elements: list[HloValue] = []
    for index in range(count):
        limits = [index + 1, *dims]
        part = site.new(stablehlo.SliceOp(result, [index, *[0] * len(dims)], limits))
        elements.append(site.new(stablehlo.ReshapeOp(part, dims)))
    return tuple(elements)


def _rooted(site: Site) -> dict[str, Attribute | None]:
    """The properties of a collective that has a root."""
    properties = _collective(site)
    if site.flag("has_dynamic_root"):
        properties["has_dynamic_root"] = UnitAttr()
    return properties


def _collective_broadcast(site: Site) -> HloValue:
    return site.emit(stablehlo.CollectiveBroadcastOp, site.tensors(), _rooted(site))


def _collective_reduce(site: Site) -> HloValue:
    body = site.region(site.computation("to_apply"))
    return site.emit(stablehlo.CollectiveReduceOp, site.tensors(), _rooted(site), [body])


def _collective_permute(site: Site) -> HloValue:
    if site.has("slice_sizes"):
        site.unsupported("a permute that writes into other buffers has no counterpart in StableHLO")
    pairs = site.read("source_target_pairs", attribute_values.integer_lists)
    properties = {"source_target_pairs": pair_matrix(pairs), "channel_handle": _channel(site)}
    return _one_by_one(site, stablehlo.CollectivePermuteOp, properties)


def _ragged_all_to_all(site: Site) -> HloValue:
    """The custom call that JAX and the builder of XLA write for it; a channel says that partitions are meant."""
    config: dict[str, Attribute] = {"replica_groups": _groups(site)}
    if site.has("channel_id"):
        config["channel_id"] = IntegerAttr(site.integer("channel_id"), i64)
    properties: dict[str, Attribute] = {
        "call_target_name": StringAttr("ragged_all_to_all"),
        "has_side_effect": bool_attr(False),
        "backend_config": DictionaryAttr(config),
        "api_version": IntegerAttr(TYPED_FFI, i32),
    }
    return site.emit(stablehlo.CustomCallOp, site.tensors(6), properties)


def _with_shape(site: Site, shape: Shape) -> Site:
    other = Site(site.scope, site.instruction)
    other.shape = shape
    return other


def _all_gather_start(site: Site) -> HloValue:
    """`(operands, results)`"""
    values = site.values()
    result = _all_gather(_with_shape(site, site.parts("(operands, results)")[1]))
    return (values[0] if len(values) == 1 else tuple(values), result)


def _collective_permute_start(site: Site) -> HloValue:
    """`(operand, result, context, ...)`, or tuples of operands and of results"""
    values = site.values()
    parts = site.parts("(operand, result, context)")
    result = _collective_permute(_with_shape(site, parts[1]))
    return (values[0] if len(values) == 1 else tuple(values), result, *[None] * (len(parts) - 2))


def _identity(site: Site) -> HloValue:
    (value,) = site.values(1)
    return value


def _id(site: Site) -> HloValue:
    op_type = stablehlo.ReplicaIdOp if site.instruction.opcode == "replica-id" else stablehlo.PartitionIdOp
    return site.emit(op_type, site.tensors(0))


def _send(site: Site) -> HloValue:
    """`(data, context, token)`"""
    *data, token = site.flat_values() or site.tensors(1)
    op_type = stablehlo.SendOp
    types = site.types(TokenShape())
    op = site.create(op_type, [*data, token], types, _transfer(site, DEVICE_TO_HOST))
    return (data[0] if len(data) == 1 else tuple(data), None, op.results[0])


def _recv(site: Site) -> HloValue:
    """`(data, context, token)`"""
    data = site.parts("(data, context, token)")[0]
    types = [*site.types(data), *site.types(TokenShape())]
    op = site.create(stablehlo.RecvOp, site.tensors(1), types, _transfer(site, HOST_TO_DEVICE))
    *values, token = op.results
    return (tuple(values) if isinstance(data, TupleShape) else values[0], None, token)


def _transfer(site: Site, host_kind: int) -> dict[str, Attribute | None]:
    is_host = site.flag("is_host_transfer")
    kind = host_kind if is_host else DEVICE_TO_DEVICE
    entries = site.read("frontend_attributes", attribute_values.dictionary, {})
    pairs = entries.get("_xla_send_recv_source_target_pairs")
    rows: list[tuple[int, ...]] | None = None
    if pairs is not None:
        cursor = site.program.hlo.cursor.copy(0)
        cursor.text = pairs
        rows = attribute_values.integer_lists(cursor)
    return {
        "channel_handle": ChannelHandleAttr((site.integer("channel_id", 0), kind)),
        "is_host_transfer": bool_attr(is_host),
        "source_target_pairs": None if rows is None else pair_matrix(rows),
    }


def _send_done(site: Site) -> HloValue:
    (value,) = site.values(1)
    if not isinstance(value, tuple) or not value:
        site.error("the operand is not that of a send")
    return value[-1]


def _recv_done(site: Site) -> HloValue:
    """`(data, token)`"""
    (value,) = site.values(1)
    if not isinstance(value, tuple) or len(value) != 3:
        site.error("the operand is not that of a recv")
    return (value[0], value[2])


def _infeed(site: Site) -> HloValue:
    """`((data, ...), token)`"""
    properties: dict[str, Attribute] = {"infeed_config": StringAttr(site.string("infeed_config", ""))}
    return site.emit(stablehlo.InfeedOp, site.tensors(1), properties)


def _outfeed(site: Site) -> HloValue:
    """A token, which older texts leave out of the shape."""
    properties: dict[str, Attribute] = {"outfeed_config": StringAttr(site.string("outfeed_config", ""))}
    if site.shape == TupleShape(()):
        site.create(stablehlo.OutfeedOp, site.flat_values(), site.types(TokenShape()), properties)
        return ()
    return site.emit(stablehlo.OutfeedOp, site.flat_values(), properties)


HANDLERS.update(
    {
        "all-gather": _all_gather,
        "all-gather-start": _all_gather_start,
        "all-reduce": _all_reduce,
        "all-reduce-done": _identity,
        "all-reduce-start": _all_reduce,
        "all-to-all": _all_to_all,
        "collective-broadcast": _collective_broadcast,
        "collective-permute": _collective_permute,
        "collective-permute-start": _collective_permute_start,
        "collective-reduce": _collective_reduce,
        "infeed": _infeed,
        "outfeed": _outfeed,
        "partition-id": _id,
        "ragged-all-to-all": _ragged_all_to_all,
        "recv": _recv,
        "recv-done": _recv_done,
        "reduce-scatter": _reduce_scatter,
        "replica-id": _id,
        "send": _send,
        "send-done": _send_done,
    }
)
