"""Collective operations, tokens, queues and channels.

Operations with an effect that take no token themselves (`infeed`, `outfeed`, `send`, `recv`) happen in the order in
which they are built.

Source: XLA's Operation Semantics, sections AfterAll, AllGather, AllReduce, AllToAll, CollectivePermute, Infeed,
Outfeed, PartitionId, Recv, ReduceScatter, ReplicaId, Send.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects.builtin import DictionaryAttr, TensorType
from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.stablehlo.collectives import id_matrix
from .configuration import ChannelHandle, ReplicaGroup
from .core import XlaBuilder, XlaComputation, XlaOp, operation, require
from .elementwise import add
from .movement import check_dimensions
from .reductions import listed, scalar_region
from .shapes import Shape

Groups = Sequence[ReplicaGroup | Sequence[int]] | None


def _groups(replica_groups: Groups, size: int | None = None) -> list[list[int]]:
    """Replica ids by group; no groups at all are one with all replicas, of which there are `size` if that is given."""
    groups = [list(group.replica_ids if isinstance(group, ReplicaGroup) else group) for group in replica_groups or ()]
    if not groups:
        return [list(range(size))] if size is not None else []
    ids = [replica for group in groups for replica in group]
    require(sorted(ids) == list(range(len(ids))), "replica_groups", f"{groups} do not name every replica once")
    require(
        len({len(group) for group in groups}) == 1 or size is None,
        "replica_groups",
        f"expected groups of one size, got {groups}",
    )
    if size is not None:
        require(len(groups[0]) == size, "shard_count", f"{size} for groups of {len(groups[0])} replicas")
    return groups


def _with_channel(op: Operation, channel_id: ChannelHandle | int | None) -> Operation:
    if channel_id is not None:
        handle = channel_id if isinstance(channel_id, ChannelHandle) else ChannelHandle(channel_id)
        op.properties["channel_handle"] = handle.attribute()
    return op


def _each(operand: XlaOp, results: XlaOp) -> XlaOp:
    """Results in the shape of the operand: a tuple if that is one."""
    return operand.builder.assemble(operand.shape, iter(results.leaves)) if operand.is_tuple else results


@operation("AllGather")
def all_gather(
    operand: XlaOp,
    all_gather_dimension: int,
    shard_count: int,
    replica_groups: Groups = None,
    channel_id: ChannelHandle | int | None = None,
) -> XlaOp:
    """`AllGather`: the operands of the replicas of a group one after another along a dimension, in each of them.

    `shard_count` is the number of replicas in a group; without groups all replicas are one.
    """
    arrays = listed(operand)
    for array in arrays:
        check_dimensions("all_gather_dimension", [all_gather_dimension], array.shape.rank)
    require(shard_count > 0, "shard_count", f"expected a positive number, got {shard_count}")
    types: list[TensorType] = []
    for array in arrays:
        sizes = list(array.shape.dimensions)
        sizes[all_gather_dimension] *= shard_count
        types.append(TensorType(array.shape.element_type.element_type, sizes))
    groups = _groups(replica_groups, shard_count)
    op = stablehlo.AllGatherOp([a.value for a in arrays], all_gather_dimension, groups, types)
    results = operand.builder.emit(_with_channel(op, channel_id))
    return XlaOp(operand.builder, None, listed(results)) if operand.is_tuple else results


@operation("AllReduce")
def all_reduce(
    operand: XlaOp,
    computation: XlaComputation,
    replica_groups: Groups = None,
    channel_id: ChannelHandle | int | None = None,
) -> XlaOp:
    """`AllReduce`: the operands of the replicas of a group, arrays or a tuple of them, combined element by element."""
    arrays = listed(operand)
    builder = operand.builder
    region = scalar_region(builder, "computation", computation, 2, 1)
    op = stablehlo.AllReduceOp([a.value for a in arrays], _groups(replica_groups), region)
    return _each(operand, builder.emit(_with_channel(op, channel_id)))


@operation("CrossReplicaSum")
def cross_replica_sum(operand: XlaOp, replica_groups: Groups = None) -> XlaOp:
    """`CrossReplicaSum`: `all_reduce` with a sum."""
    if operand.is_tuple:
        sums = [cross_replica_sum(element, replica_groups) for element in operand.elements]
        return XlaOp(operand.builder, None, sums)
    return all_reduce(operand, sum_of(operand.shape), replica_groups)


def sum_of(shape: Shape) -> XlaComputation:
    """The sum of two scalars of the element type of a shape."""
    builder = XlaBuilder("sum")
    scalar = Shape(shape.element_type)
    return builder.build(add(builder.parameter(0, scalar, "x"), builder.parameter(1, scalar, "y")))


@operation("AllToAll")
def all_to_all(
    operand: XlaOp,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: Groups = None,
    channel_id: ChannelHandle | int | None = None,
) -> XlaOp:
    """`AllToAll`: the operand split into `split_count` parts, one for each replica of a group; those it gets, joined.

    A tuple of arrays has each of them split.
    """
    arrays = listed(operand)
    for array in arrays:
        check_dimensions("split_dimension", [split_dimension], array.shape.rank)
        check_dimensions("concat_dimension", [concat_dimension], array.shape.rank)
        size = array.shape.dimensions[split_dimension]
        require(split_count > 0 and size % split_count == 0, "split_count", f"{split_count} does not divide {size}")
    op = stablehlo.AllToAllOp(
        [a.value for a in arrays],
        split_dimension,
        concat_dimension,
        split_count,
        _groups(replica_groups, split_count),
    )
    results = operand.builder.emit(_with_channel(op, channel_id))
    return XlaOp(operand.builder, None, listed(results)) if operand.is_tuple else results


@operation("ReduceScatter")
def reduce_scatter(
    operand: XlaOp,
    computation: XlaComputation,
    scatter_dimension: int,
    shard_count: int,
    replica_groups: Groups = None,
    channel_id: ChannelHandle | int | None = None,
) -> XlaOp:
    """`ReduceScatter`: `all_reduce`, of whose result each replica of a group gets the part of its place in it."""
    if operand.is_tuple:
        parts = [
            reduce_scatter(element, computation, scatter_dimension, shard_count, replica_groups, channel_id)
            for element in operand.elements
        ]
        return XlaOp(operand.builder, None, parts)
    check_dimensions("scatter_dimension", [scatter_dimension], operand.shape.rank)
    sizes = list(operand.shape.dimensions)
    require(
        shard_count > 0 and sizes[scatter_dimension] % shard_count == 0,
        "shard_count",
        f"{shard_count} does not divide {sizes[scatter_dimension]}",
    )
    sizes[scatter_dimension] //= shard_count
    builder = operand.builder
    region = scalar_region(builder, "computation", computation, 2, 1)
    result = TensorType(operand.shape.element_type.element_type, sizes)
    groups = _groups(replica_groups, shard_count)
    op = stablehlo.ReduceScatterOp(operand.value, scatter_dimension, groups, region, result)
    return builder.emit(_with_channel(op, channel_id))


@operation("CollectiveBroadcast")
def collective_broadcast(
    operand: XlaOp, replica_groups: Groups = None, channel_id: ChannelHandle | int | None = None
) -> XlaOp:
    """`CollectiveBroadcast`: the operand of the first replica of each group; zeros in replicas of no group."""
    groups = [list(group.replica_ids if isinstance(group, ReplicaGroup) else group) for group in replica_groups or ()]
    op = stablehlo.CollectiveBroadcastOp(operand.value, groups)
    return operand.builder.emit(_with_channel(op, channel_id))


@operation("CollectivePermute")
def collective_permute(
    operand: XlaOp,
    source_target_pairs: Sequence[tuple[int, int]],
    channel_id: ChannelHandle | int | None = None,
) -> XlaOp:
    """`CollectivePermute`: the operand of another replica, by (source, target) pairs; zeros without a source."""
    for place, name in enumerate(("sources", "targets")):
        ids = sorted(pair[place] for pair in source_target_pairs)
        require(
            all(a != b for a, b in pairwise(ids)), "source_target_pairs", f"{name} occur twice in {source_target_pairs}"
        )
    op = stablehlo.CollectivePermuteOp(operand.value, [list(pair) for pair in source_target_pairs])
    return operand.builder.emit(_with_channel(op, channel_id))


@operation("RaggedAllToAll")
def ragged_all_to_all(
    input: XlaOp,
    input_offsets: XlaOp,
    send_sizes: XlaOp,
    output: XlaOp,
    output_offsets: XlaOp,
    recv_sizes: XlaOp,
    replica_groups: Groups = None,
) -> XlaOp:
    """`RaggedAllToAll`: slices of `input`, of sizes that the program says, go into `output` of replicas of a group."""

    operands = (input, output, input_offsets, send_sizes, output_offsets, recv_sizes)
    config = DictionaryAttr({"replica_groups": id_matrix(_groups(replica_groups))})
    op = stablehlo.CustomCallOp("ragged_all_to_all", [o.value for o in operands], [output.shape.type], False, config, 4)
    return input.builder.emit(op)


@operation("ReplicaId", takes_builder=True)
def replica_id(builder: XlaBuilder) -> XlaOp:
    """`ReplicaId`: the number of the replica, U32."""
    return builder.emit(stablehlo.ReplicaIdOp())


@operation("PartitionId", takes_builder=True)
def partition_id(builder: XlaBuilder) -> XlaOp:
    """`PartitionId`: the number of the partition, U32."""
    return builder.emit(stablehlo.PartitionIdOp())


# Tokens, queues, channels


@operation("CreateToken", takes_builder=True)
def create_token(builder: XlaBuilder) -> XlaOp:
    """`CreateToken`: a token that waits for nothing."""
    return builder.emit(stablehlo.AfterAllOp())


@operation("AfterAll", takes_builder=True)
def after_all(builder: XlaBuilder, operands: Sequence[XlaOp]) -> XlaOp:
    """`AfterAll`: a token that waits for all of the given ones."""
    for operand in operands:
        require(operand.shape.is_token, "operands", f"expected tokens, got {operand.shape}")
    return builder.emit(stablehlo.AfterAllOp(*(operand.value for operand in operands)))


@operation("InfeedWithToken")
def infeed_with_token(token: XlaOp, shape: Shape, config: str = "") -> XlaOp:
    """`InfeedWithToken`: the next item of the infeed queue, of this shape, after `token`: (data, token)."""
    require(token.shape.is_token, "token", f"expected a token, got {token.shape}")
    require(
        all(part.is_array for part in (shape.tuple_shapes if shape.is_tuple else (shape,))),
        "shape",
        f"expected an array or a tuple of arrays, got {shape}",
    )
    builder = token.builder
    types = [leaf.type for leaf in shape.leaves]
    results = builder.emit(stablehlo.InfeedOp(token.value, types, config))
    *data, after = results.leaves
    return XlaOp(builder, None, [builder.assemble(shape, iter(data)), XlaOp(builder, after)])


@operation("Infeed", takes_builder=True)
def infeed(builder: XlaBuilder, shape: Shape, config: str = "") -> XlaOp:
    """`Infeed`: the next item of the infeed queue, of this shape; the empty tuple reads nothing."""
    if shape.is_tuple and not shape.tuple_shapes:
        return XlaOp(builder, None, [])
    data, builder.token = infeed_with_token(builder.token, shape, config).elements
    return data


@operation("OutfeedWithToken")
def outfeed_with_token(operand: XlaOp, token: XlaOp, config: str = "") -> XlaOp:
    """`OutfeedWithToken`: puts arrays into the outfeed queue, after `token`; a token."""
    require(token.shape.is_token, "token", f"expected a token, got {token.shape}")
    return operand.builder.emit(stablehlo.OutfeedOp(operand.leaves, token.value, config))


@operation("Outfeed")
def outfeed(operand: XlaOp, shape_with_layout: Shape | None = None, outfeed_config: str = "") -> None:
    """`Outfeed`: puts an array, or the arrays of a tuple, into the outfeed queue."""
    require(shape_with_layout in (None, operand.shape), "shape_with_layout", f"{shape_with_layout} for {operand.shape}")
    builder = operand.builder
    builder.token = outfeed_with_token(operand, builder.token, outfeed_config)


@operation("SendWithToken")
def send_with_token(operand: XlaOp, token: XlaOp, handle: ChannelHandle) -> XlaOp:
    """`SendWithToken`: sends arrays to the `recv` of the channel, after `token`; a token."""
    require(token.shape.is_token, "token", f"expected a token, got {token.shape}")
    is_host = handle.type.value != 1
    return operand.builder.emit(stablehlo.SendOp(operand.leaves, token.value, handle.attribute(), is_host))


@operation("Send")
def send(operand: XlaOp, channel_handle: ChannelHandle) -> None:
    """`Send`: sends an array to the `recv` of the channel; gives nothing."""
    builder = operand.builder
    builder.token = send_with_token(operand, builder.token, channel_handle)


@operation("RecvWithToken")
def recv_with_token(token: XlaOp, shape: Shape, handle: ChannelHandle) -> XlaOp:
    """`RecvWithToken`: what the `send` of the channel sends, of this shape, after `token`: (data, token)."""
    require(token.shape.is_token, "token", f"expected a token, got {token.shape}")
    builder = token.builder
    types = [leaf.type for leaf in shape.leaves]
    is_host = handle.type.value != 1
    results = builder.emit(stablehlo.RecvOp(token.value, types, handle.attribute(), is_host))
    *data, after = results.leaves
    return XlaOp(builder, None, [builder.assemble(shape, iter(data)), XlaOp(builder, after)])


@operation("Recv", takes_builder=True)
def recv(builder: XlaBuilder, shape: Shape, channel_handle: ChannelHandle) -> XlaOp:
    """`Recv`: what the `send` of the channel sends, of this shape."""
    data, builder.token = recv_with_token(builder.token, shape, channel_handle).elements
    return data


@operation("SendDone")
def send_done(context: XlaOp) -> XlaOp:
    """`SendDone`: waits for a send whose token is `context`. StableHLO's `send` has completed when its token exists."""
    require(context.shape.is_token, "context", f"expected the token of a send, got {context.shape}")
    return context


@operation("RecvDone")
def recv_done(context: XlaOp) -> XlaOp:
    """`RecvDone`: the data of a receive, waited for; `context` is what `recv_with_token` gave."""
    require(
        context.is_tuple and len(context.elements) == 2 and context.elements[1].shape.is_token,
        "context",
        f"expected (data, token) of a receive, got {context.shape}",
    )
    return context.elements[0]
