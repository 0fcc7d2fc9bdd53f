"""Collective operations, tokens, queues and channels.

Operations with an effect that take no token themselves (`infeed`, `outfeed`, `send`, `recv`) happen in the order in
which they are built.

Source: XLA's Operation Semantics, sections AfterAll, AllGather, AllReduce, AllToAll, CollectivePermute, Infeed,
Outfeed, PartitionId, Recv, ReduceScatter, ReplicaId, Send.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, overload

from xdsl.dialects.builtin import DictionaryAttr, TensorType
from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.stablehlo.replica_groups import id_matrix
from .arguments import Array, Arrays, Channel, Count, Groups, Integers, Pairs, Token
from .computation import XlaComputation
from .configuration import ChannelHandle, ReplicaGroup
from .core import XlaBuilder, XlaOp, require, same_elements
from .elementwise import add
from .movement import check_dimensions
from .operators import operation
from .reductions import listed, scalar_region
from .shapes import Shape

_GROUPS = {"replica_group_ids": "replica_groups"}
"""What documents call the groups."""


def _groups(replica_groups: Groups, size: int | None = None, argument: str = "shard_count") -> list[list[int]]:
    """Replica ids by group; no groups at all are one with all replicas, of which there are `size` if that is given.

    `argument` is the one that gives the size.
    """
    groups = _listed_groups(replica_groups)
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
        require(len(groups[0]) == size, argument, f"{size} for groups of {len(groups[0])} replicas")
    return groups


def _listed_groups(replica_groups: Groups) -> list[list[int]]:
    groups = [list(group.replica_ids if isinstance(group, ReplicaGroup) else group) for group in replica_groups or ()]
    require(all(groups), "replica_groups", f"expected groups of one replica or more, got {groups}")
    return groups


def _with_channel(op: Operation, channel_id: ChannelHandle | int | None) -> Operation:
    if channel_id is not None:
        op.properties["channel_handle"] = _handle(channel_id).attribute()
    return op


def _handle(channel: Channel) -> ChannelHandle:
    """The channel between devices of that number."""
    return channel if isinstance(channel, ChannelHandle) else ChannelHandle(channel)


def _each(operand: XlaOp, results: XlaOp) -> XlaOp:
    """Results in the shape of the operand: a tuple if that is one."""
    return operand.builder.assemble(operand.shape, iter(results.leaves)) if operand.is_tuple else results


@operation("AllGather", names={"all_gather_dim": "all_gather_dimension", **_GROUPS})
def all_gather(
    operand: Arrays,
    all_gather_dimension: int,
    shard_count: Count,
    replica_groups: Groups = None,
    channel_id: Channel | None = None,
) -> XlaOp:
    """`AllGather`: the operands of the replicas of a group one after another along a dimension, in each of them.

    `shard_count` is the number of replicas in a group; without groups all replicas are one.
    """
    arrays = listed(operand)
    for array in arrays:
        check_dimensions("all_gather_dimension", [all_gather_dimension], array.shape.rank)
    types: list[TensorType] = []
    for array in arrays:
        sizes = list(array.shape.dimensions)
        sizes[all_gather_dimension] *= shard_count
        types.append(TensorType(array.shape.element_type.element_type, sizes))
    groups = _groups(replica_groups, shard_count)
    op = stablehlo.AllGatherOp([a.value for a in arrays], all_gather_dimension, groups, types)
    results = operand.builder.emit(_with_channel(op, channel_id))
    return XlaOp(operand.builder, None, listed(results)) if operand.is_tuple else results


@operation("AllReduce", names=_GROUPS)
def all_reduce(
    operand: Arrays,
    computation: XlaComputation,
    replica_groups: Groups = None,
    channel_id: Channel | None = None,
) -> XlaOp:
    """`AllReduce`: the operands of the replicas of a group, arrays or a tuple of them, combined element by element."""
    arrays = listed(operand)
    require(len(arrays) > 0, "operand", "expected at least one array")
    builder = operand.builder
    regions = [
        scalar_region(builder, "computation", computation, [array.shape.element_type] * 2, 1) for array in arrays
    ]
    op = stablehlo.AllReduceOp([a.value for a in arrays], _groups(replica_groups), regions[0])
    return _each(operand, builder.emit(_with_channel(op, channel_id)))


@overload
def cross_replica_sum(operand: Arrays, replica_groups: Groups = None) -> XlaOp: ...
@overload
def cross_replica_sum(operand: Arrays, replica_group_ids: Integers) -> XlaOp: ...
@operation("CrossReplicaSum")
def cross_replica_sum(operand: XlaOp, replica_groups: Groups = None, replica_group_ids: Any = None) -> XlaOp:
    """`CrossReplicaSum`: `all_reduce` with a sum.

    Older pages have `replica_group_ids`: for each replica the number of its group.
    """
    if replica_group_ids:
        replica_groups = _groups_of_ids(replica_group_ids)
    if operand.is_tuple:
        sums = [cross_replica_sum(element, replica_groups) for element in operand.elements]
        return XlaOp(operand.builder, None, sums)
    return all_reduce(operand, sum_of(operand.shape), replica_groups)


def _groups_of_ids(ids: Sequence[int]) -> list[list[int]]:
    """Replicas by the number of their group, [0, 1, 0, 1] as [[0, 2], [1, 3]]; all groups are of one size."""
    groups = [[replica for replica, own in enumerate(ids) if own == group] for group in sorted(set(ids))]
    same = len({len(group) for group in groups}) == 1
    require(same, "replica_group_ids", f"expected groups of one size, got {list(ids)}, which are {groups}")
    return groups


def sum_of(shape: Shape) -> XlaComputation:
    """The sum of two scalars of the element type of a shape."""
    builder = XlaBuilder("sum")
    scalar = Shape(shape.element_type)
    return builder.build(add(builder.parameter(0, scalar, "x"), builder.parameter(1, scalar, "y")))


@operation("AllToAll", names=_GROUPS)
def all_to_all(
    operand: Arrays,
    split_dimension: int,
    concat_dimension: int,
    split_count: Count,
    replica_groups: Groups = None,
    channel_id: Channel | None = None,
) -> XlaOp:
    """`AllToAll`: the operand split into `split_count` parts, one for each replica of a group; those it gets, joined.

    A tuple of arrays has each of them split.
    """
    arrays = listed(operand)
    for array in arrays:
        check_dimensions("split_dimension", [split_dimension], array.shape.rank)
        check_dimensions("concat_dimension", [concat_dimension], array.shape.rank)
        size = array.shape.dimensions[split_dimension]
        require(size % split_count == 0, "split_count", f"{split_count} does not divide {size}")
    op = stablehlo.AllToAllOp(
        [a.value for a in arrays],
        split_dimension,
        concat_dimension,
        split_count,
        _groups(replica_groups, split_count, "split_count"),
    )
    results = operand.builder.emit(_with_channel(op, channel_id))
    return XlaOp(operand.builder, None, listed(results)) if operand.is_tuple else results


@operation("ReduceScatter", names={"scatter_dim": "scatter_dimension", **_GROUPS})
def reduce_scatter(
    operand: Arrays,
    computation: XlaComputation,
    scatter_dimension: int,
    shard_count: Count,
    replica_groups: Groups = None,
    channel_id: Channel | None = None,
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
        sizes[scatter_dimension] % shard_count == 0,
        "shard_count",
        f"{shard_count} does not divide {sizes[scatter_dimension]}",
    )
    sizes[scatter_dimension] //= shard_count
    builder = operand.builder
    region = scalar_region(builder, "computation", computation, [operand.shape.element_type] * 2, 1)
    result = TensorType(operand.shape.element_type.element_type, sizes)
    groups = _groups(replica_groups, shard_count)
    op = stablehlo.ReduceScatterOp(operand.value, scatter_dimension, groups, region, result)
    return builder.emit(_with_channel(op, channel_id))


@operation("CollectiveBroadcast", names=_GROUPS)
def collective_broadcast(operand: Array, replica_groups: Groups = None, channel_id: Channel | None = None) -> XlaOp:
    """`CollectiveBroadcast`: the operand of the first replica of each group; zeros in replicas of no group."""
    groups = _listed_groups(replica_groups)
    op = stablehlo.CollectiveBroadcastOp(operand.value, groups)
    return operand.builder.emit(_with_channel(op, channel_id))


@operation("CollectivePermute")
def collective_permute(
    operand: Array,
    source_target_pairs: Pairs,
    channel_id: Channel | None = None,
) -> XlaOp:
    """`CollectivePermute`: the operand of another replica, by (source, target) pairs; zeros without a source."""
    for place, name in enumerate(("sources", "targets")):
        ids = sorted(pair[place] for pair in source_target_pairs)
        require(
            all(a != b for a, b in pairwise(ids)), "source_target_pairs", f"{name} occur twice in {source_target_pairs}"
        )
    op = stablehlo.CollectivePermuteOp(operand.value, [list(pair) for pair in source_target_pairs])
    return operand.builder.emit(_with_channel(op, channel_id))


@operation("RaggedAllToAll", names=_GROUPS)
def ragged_all_to_all(
    input: Array,
    input_offsets: Array,
    send_sizes: Array,
    output: Array,
    output_offsets: Array,
    recv_sizes: Array,
    replica_groups: Groups = None,
) -> XlaOp:
    """`RaggedAllToAll`: slices of `input`, of sizes that the program says, go into `output` of replicas of a group."""

    same_elements("output", output, "input", input)
    require(input.shape.rank > 0, "input", f"expected an array with dimensions, got {input.shape}")
    same = input.shape.rank == output.shape.rank and input.shape.dimensions[1:] == output.shape.dimensions[1:]
    require(same, "output", f"expected the sizes of input but for the first, {input.shape}, got {output.shape}")
    vectors = {
        "input_offsets": input_offsets,
        "send_sizes": send_sizes,
        "output_offsets": output_offsets,
        "recv_sizes": recv_sizes,
    }
    for name, vector in vectors.items():
        element, sizes = vector.shape.element_type, vector.shape.dimensions
        is_vector = len(sizes) == 1 and (element.is_signed_integer or element.is_unsigned_integer)
        require(is_vector, name, f"expected a vector of integers, got {vector.shape}")
        require(sizes == input_offsets.shape.dimensions, name, f"{vector.shape}, input_offsets: {input_offsets.shape}")
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
def after_all(builder: XlaBuilder, operands: Sequence[Token]) -> XlaOp:
    """`AfterAll`: a token that waits for all of the given ones."""
    return builder.emit(stablehlo.AfterAllOp(*(operand.value for operand in operands)))


@operation("InfeedWithToken")
def infeed_with_token(token: Token, shape: Shape, config: str = "") -> XlaOp:
    """`InfeedWithToken`: the next item of the infeed queue, of this shape, after `token`: (data, token)."""
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
def outfeed_with_token(operand: Arrays, token: Token, config: str = "") -> XlaOp:
    """`OutfeedWithToken`: puts arrays into the outfeed queue, after `token`; a token."""
    return operand.builder.emit(stablehlo.OutfeedOp(operand.leaves, token.value, config))


@operation("Outfeed")
def outfeed(operand: Arrays, shape_with_layout: Shape | None = None, outfeed_config: str = "") -> None:
    """`Outfeed`: puts an array, or the arrays of a tuple, into the outfeed queue."""
    require(shape_with_layout in (None, operand.shape), "shape_with_layout", f"{shape_with_layout} for {operand.shape}")
    builder = operand.builder
    builder.token = outfeed_with_token(operand, builder.token, outfeed_config)


@operation("SendWithToken", names={"channel_handle": "handle", "channel_id": "handle"})
def send_with_token(operand: Arrays, token: Token, handle: Channel) -> XlaOp:
    """`SendWithToken`: sends arrays to the `recv` of the channel, after `token`; a token."""
    channel = _handle(handle)
    is_host = channel.type.value != 1
    return operand.builder.emit(stablehlo.SendOp(operand.leaves, token.value, channel.attribute(), is_host))


@operation("Send", names={"handle": "channel_handle", "channel_id": "channel_handle"})
def send(operand: Arrays, channel_handle: Channel) -> None:
    """`Send`: sends an array to the `recv` of the channel; gives nothing."""
    builder = operand.builder
    builder.token = send_with_token(operand, builder.token, channel_handle)


@operation("RecvWithToken", names={"channel_handle": "handle", "channel_id": "handle"})
def recv_with_token(token: Token, shape: Shape, handle: Channel) -> XlaOp:
    """`RecvWithToken`: what the `send` of the channel sends, of this shape, after `token`: (data, token)."""
    builder = token.builder
    types = [leaf.type for leaf in shape.leaves]
    channel = _handle(handle)
    is_host = channel.type.value != 1
    results = builder.emit(stablehlo.RecvOp(token.value, types, channel.attribute(), is_host))
    *data, after = results.leaves
    return XlaOp(builder, None, [builder.assemble(shape, iter(data)), XlaOp(builder, after)])


@operation("Recv", takes_builder=True, names={"handle": "channel_handle", "channel_id": "channel_handle"})
def recv(builder: XlaBuilder, shape: Shape, channel_handle: Channel) -> XlaOp:
    """`Recv`: what the `send` of the channel sends, of this shape."""
    data, builder.token = recv_with_token(builder.token, shape, channel_handle).elements
    return data


@operation("SendDone")
def send_done(context: Token) -> XlaOp:
    """`SendDone`: waits for a send whose token is `context`. StableHLO's `send` has completed when its token exists."""
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
