"""Ops in which several devices take part, and those that talk to the host."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import ChannelHandleAttr
from ....dialects.stablehlo.replica_groups import id_rows
from ....dialects.stablehlo.shapes import shape_of
from ..cursor import escape
from .computation import PRINTERS, Site, tuple_text
from .values import braces, flag, rows

CONTEXT_SHAPE = "u32[]"


def _groups(site: Site, groups: Attribute) -> list[tuple[int, ...]]:
    found = id_rows(groups)
    if found is None:
        site.unsupported("replica_groups that name the axes of a mesh have no form in HLO text")
    return [tuple(device for device in row if device >= 0) for row in found]


def _channel(channel: ChannelHandleAttr | None) -> list[str]:
    return [f"channel_id={channel.handle}"] if channel is not None and channel.handle > 0 else []


def _collective(
    site: Site,
    op: stablehlo.AllGatherOp
    | stablehlo.AllReduceOp
    | stablehlo.AllToAllOp
    | stablehlo.CollectiveBroadcastOp
    | stablehlo.CollectiveReduceOp
    | stablehlo.ReduceScatterOp,
) -> list[str]:
    return [*_channel(op.channel_handle), rows("replica_groups", _groups(site, op.replica_groups))]


def _global_ids(attribute: Attribute | None) -> list[str]:
    return [] if attribute is None else ["use_global_device_ids=true"]


def _all_gather(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.AllGatherOp)
    dimensions = braces("dimensions", [op.all_gather_dim.value.data])
    site.finish("all-gather", None, [*_collective(site, op), dimensions, *_global_ids(op.use_global_device_ids)])


def _all_reduce(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.AllReduceOp)
    to_apply = f"to_apply=%{site.region(op.computation)}"
    site.finish("all-reduce", None, [*_collective(site, op), *_global_ids(op.use_global_device_ids), to_apply])


def _cross_replica_sum(site: Site) -> None:
    """An all-reduce with addition."""
    op = site.op
    assert isinstance(op, stablehlo.CrossReplicaSumOp)
    element = f"{site.shape(op.operand).partition('[')[0]}[]"
    addition = site.program.new_computation("add")
    arguments = [addition.parameter(element, hint) for hint in ("lhs", "rhs")]
    name = site.program.close(addition, addition.instruction(element, "add", arguments))
    site.finish("all-reduce", None, [rows("replica_groups", _groups(site, op.replica_groups)), f"to_apply=%{name}"])


def _reduce_scatter(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ReduceScatterOp)
    dimensions = braces("dimensions", [op.scatter_dimension.value.data])
    to_apply = f"to_apply=%{site.region(op.computation)}"
    attributes = [*_collective(site, op), *_global_ids(op.use_global_device_ids), dimensions, to_apply]
    site.finish("reduce-scatter", None, attributes)


def _all_to_all(site: Site) -> None:
    """HLO splits and puts together along one dimension; the parts go to another one by a transpose."""
    op = site.op
    assert isinstance(op, stablehlo.AllToAllOp)
    split, concat = op.split_dimension.value.data, op.concat_dimension.value.data
    count = op.split_count.value.data
    attributes = [*_collective(site, op), braces("dimensions", [split])]
    for operand, result in zip(op.operands, op.results, strict=True):
        name = site.computation.name_of(operand)
        shape = site.shape(operand)
        name = site.emit("all-to-all", [name], attributes, shape)
        if split != concat:
            name = _regroup(site, name, operand, result, split, concat, count)
        site.alias(result, name)


def _regroup(site: Site, name: str, operand: SSAValue, result: SSAValue, split: int, concat: int, count: int) -> str:
    """The parts along `split` one after the other along `concat`."""
    element = site.shape(operand).partition("[")[0]
    sizes = list(shape_of(operand))
    parts = [*sizes[:split], count, sizes[split] // count, *sizes[split + 1 :]]
    name = site.emit("reshape", [name], shape=_array(element, parts))
    order = [dim for dim in range(len(parts)) if dim != split]
    order.insert(order.index(concat if concat < split else concat + 1), split)
    name = site.emit("transpose", [name], [braces("dimensions", order)], _array(element, [parts[dim] for dim in order]))
    return site.emit("reshape", [name], shape=site.shape(result))


def _array(element: str, sizes: Sequence[int]) -> str:
    return f"{element}[{','.join(map(str, sizes))}]"


def _dynamic_root(op: stablehlo.CollectiveBroadcastOp | stablehlo.CollectiveReduceOp) -> list[str]:
    return [] if op.has_dynamic_root is None else ["has_dynamic_root=true"]


def _collective_broadcast(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CollectiveBroadcastOp)
    site.finish("collective-broadcast", None, [*_collective(site, op), *_dynamic_root(op)])


def _collective_reduce(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CollectiveReduceOp)
    to_apply = f"to_apply=%{site.region(op.computation)}"
    options = [*_global_ids(op.use_global_device_ids), *_dynamic_root(op)]
    site.finish("collective-reduce", None, [*_collective(site, op), *options, to_apply])


def _collective_permute(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CollectivePermuteOp)
    pairs = rows("source_target_pairs", id_rows(op.source_target_pairs) or [])
    site.finish("collective-permute", None, [*_channel(op.channel_handle), pairs])


def _id(site: Site) -> None:
    site.finish("replica-id" if isinstance(site.op, stablehlo.ReplicaIdOp) else "partition-id")


def _after_all(site: Site) -> None:
    site.finish("after-all")


def _infeed(site: Site) -> None:
    """`((data, ...), token)`"""
    op = site.op
    assert isinstance(op, stablehlo.InfeedOp)
    *data, token = op.results
    data_shapes = [site.shape(result) for result in data]
    shape = tuple_text([tuple_text(data_shapes), "token[]"])
    config = _config("infeed_config", op.infeed_config)
    name = site.emit("infeed", site.operands(), [*config, *site.notes()], shape)
    values = site.computation.element(name, 0, tuple_text(data_shapes))
    site.take_apart(values, data, data_shapes)
    site.alias(token, site.computation.element(name, 1, "token[]"))


def _outfeed(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.OutfeedOp)
    *data, token = site.operands()
    shapes = [site.shape(operand) for operand in op.operands[:-1]]
    values = site.computation.make_tuple(data, shapes)
    config = _config("outfeed_config", op.outfeed_config)
    site.finish("outfeed", [values, token], [f"outfeed_shape={tuple_text(shapes)}", *config])


def _config(name: str, config: StringAttr | None) -> list[str]:
    return [] if config is None or not config.data else [f'{name}="{escape(config.data)}"']


def _transfer(op: stablehlo.SendOp | stablehlo.RecvOp) -> list[str]:
    attributes = [f"channel_id={op.channel_handle.handle}", *flag("is_host_transfer", op.is_host_transfer)]
    pairs = id_rows(op.source_target_pairs) if op.source_target_pairs is not None else None
    if pairs:
        text = rows("", pairs)[1:]
        attributes.append(f'frontend_attributes={{_xla_send_recv_source_target_pairs="{text}"}}')
    return attributes


def _send(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.SendOp)
    *data, token = site.operands()
    shapes = [site.shape(operand) for operand in op.operands[:-1]]
    if len(data) == 1:
        value, shape = data[0], shapes[0]
    else:
        value, shape = site.computation.make_tuple(data, shapes), tuple_text(shapes)
    attributes = _transfer(op)
    pending = site.emit("send", [value, token], attributes, tuple_text([shape, CONTEXT_SHAPE, "token[]"]))
    site.finish("send-done", [pending], attributes)


def _recv(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.RecvOp)
    *data, token = op.results
    shapes = [site.shape(result) for result in data]
    shape = shapes[0] if len(data) == 1 else tuple_text(shapes)
    attributes = _transfer(op)
    pending = site.emit("recv", site.operands(), attributes, tuple_text([shape, CONTEXT_SHAPE, "token[]"]))
    done = site.emit("recv-done", [pending], attributes, tuple_text([shape, "token[]"]))
    value = site.computation.element(done, 0, shape)
    if len(data) == 1:
        site.alias(data[0], value)
    else:
        site.take_apart(value, data, shapes)
    site.alias(token, site.computation.element(done, 1, "token[]"))


def _async_start(site: Site) -> None:
    """`((operands), results, context)`"""
    op = site.op
    assert isinstance(op, stablehlo.AsyncStartOp)
    future = op.result.type
    assert isinstance(future, stablehlo.FutureType)
    operands = tuple_text(site.shape(operand) for operand in op.operands)
    calls = f"calls=%{site.region(op.body, 'async_computation')}"
    shape = tuple_text([operands, _results_shape(site, future), CONTEXT_SHAPE])
    site.alias(op.result, site.emit("async-start", site.operands(), [calls, *site.notes()], shape))


def _results_shape(site: Site, future: stablehlo.FutureType) -> str:
    shapes = [site.shape(type) for type in future.types.data]
    return shapes[0] if len(shapes) == 1 else tuple_text(shapes)


def _async_done(site: Site) -> None:
    site.finish("async-done")


PRINTERS.update(
    {
        stablehlo.AfterAllOp: _after_all,
        stablehlo.AllGatherOp: _all_gather,
        stablehlo.AllReduceOp: _all_reduce,
        stablehlo.AllToAllOp: _all_to_all,
        stablehlo.AsyncDoneOp: _async_done,
        stablehlo.AsyncStartOp: _async_start,
        stablehlo.CollectiveBroadcastOp: _collective_broadcast,
        stablehlo.CollectiveReduceOp: _collective_reduce,
        stablehlo.CollectivePermuteOp: _collective_permute,
        stablehlo.CreateTokenOp: _after_all,
        stablehlo.CrossReplicaSumOp: _cross_replica_sum,
        stablehlo.InfeedOp: _infeed,
        stablehlo.OutfeedOp: _outfeed,
        stablehlo.PartitionIdOp: _id,
        stablehlo.RecvOp: _recv,
        stablehlo.ReduceScatterOp: _reduce_scatter,
        stablehlo.ReplicaIdOp: _id,
        stablehlo.SendOp: _send,
    }
)
