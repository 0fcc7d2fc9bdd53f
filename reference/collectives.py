"""Ops in which several processes take part (StableHLO specification, sections of those names)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ..dialects.stablehlo import AllToAllOp, CollectiveBroadcastOp, CollectivePermuteOp, CustomCallOp
from ..dialects.stablehlo.mesh_attributes import ReplicaGroupMeshAxesAttr
from ..errors import InvalidProgramError
from .arrays import Array, dense_array
from .custom_calls import custom_call_target
from .environment import Environment
from .meshes import groups_of_mesh
from .processes import ProcessGrid, ProcessId
from .reduction import reduce_axis
from .registry import Call, reference

ProcessGroups = Sequence[Sequence[ProcessId]]


def _key(call: Call) -> str:
    """By what processes find each other: the op and its channel."""
    channel, name = _channel(call), _name(call)
    return f"{name} on channel {channel}" if channel > 0 else name


def _name(call: Call) -> str:
    """The op, also where a pass has made it a call of `xrt.members`."""
    return call.string("op") if isinstance(call.op, CustomCallOp) else call.op.name


def _channel(call: Call) -> int:
    handle: Any = call.attribute("channel_handle")
    return 0 if handle is None else handle.handle


def _id_groups(call: Call, name: str = "replica_groups") -> list[list[int]]:
    groups = call.attribute(name)
    if isinstance(groups, ReplicaGroupMeshAxesAttr):
        return groups_of_mesh(groups)
    return [[int(id) for id in row] for row in call.array(name)]


def _replica_groups(call: Call) -> ProcessGroups:
    """The strategy of `all_gather`, `all_reduce` and `reduce_scatter`."""
    grid, groups = call.process.grid, _id_groups(call)
    if _channel(call) <= 0:
        return grid.cross_replica(groups)
    if call.attribute("use_global_device_ids") is None:
        return grid.cross_replica_and_partition(groups)
    return grid.flattened_ids(groups)


def _by_channel(call: Call, groups: list[list[int]]) -> ProcessGroups:
    """The strategy of `all_to_all`, `collective_broadcast` and `collective_permute`."""
    grid = call.process.grid
    return grid.cross_replica(groups) if _channel(call) <= 0 else grid.cross_partition(groups)


def _pairs(call: Call) -> ProcessGroups:
    """The sources and targets of `collective_permute`."""
    pairs = _id_groups(call, "source_target_pairs")
    return _by_channel(call, pairs) if pairs else []


def groups_of(op: Operation, grid: ProcessGrid) -> list[list[ProcessId]]:
    """The groups of processes of a collective in `grid`, or the pairs of one between pairs."""
    from .interpreter import Interpreter

    call = Call(op, Interpreter(None, Environment(process=grid.process(0, 0))))
    if isinstance(op, CollectivePermuteOp):
        groups = _pairs(call)
    elif isinstance(op, AllToAllOp | CollectiveBroadcastOp):
        groups = _by_channel(call, _id_groups(call))
    else:
        groups = _replica_groups(call)
    return [list(group) for group in groups]


@custom_call_target("xrt.members")
def members(call: Call, *operands: Array) -> tuple[Array, ...]:
    """For each operand those of all members of the group, filled up with zeros; how many they are, the own place.

    A process in no group gets zeros, and is not the first of one.
    """
    groups = _replica_groups(call)
    if all(call.process.id not in group for group in groups):
        zeros = tuple(np.zeros(*call.result(index)) for index in range(len(operands)))
        return (*zeros, np.array(1, np.int32), np.array(1, np.int32))
    place, values = call.process.exchange(_key(call), groups, operands)
    stacks: list[Array] = []
    for index, parts in enumerate(zip(*values, strict=True)):
        stack = np.zeros(*call.result(index))
        stack[: len(parts)] = np.stack(parts)
        stacks.append(stack)
    return (*stacks, np.array(len(values), np.int32), np.array(place, np.int32))


def _reduced(call: Call, values: Sequence[Array]) -> Array:
    return reduce_axis(call, [np.stack(values)])[0]


@reference("stablehlo.all_gather")
def all_gather(call: Call, *operands: Array) -> tuple[Array, ...]:
    _, members = call.process.exchange(_key(call), _replica_groups(call), operands)
    dimension = call.int("all_gather_dim")
    return tuple(np.concatenate(values, dimension) for values in zip(*members, strict=True))


@reference("stablehlo.all_reduce")
def all_reduce(call: Call, *operands: Array) -> tuple[Array, ...]:
    _, members = call.process.exchange(_key(call), _replica_groups(call), call.promoted(*operands))
    return tuple(_reduced(call, values) for values in zip(*members, strict=True))


@reference("stablehlo.reduce_scatter")
def reduce_scatter(call: Call, operand: Array) -> Array:
    """The part of the reduction that has the place of the process in its group."""
    place, members = call.process.exchange(_key(call), _replica_groups(call), call.promoted(operand)[0])
    return np.split(_reduced(call, members), len(members), call.int("scatter_dimension"))[place]


def _data_and_roots(call: Call, operands: Sequence[Array]) -> tuple[Sequence[Array], Sequence[int]]:
    """What is sent, and for each result the place of the root in the group."""
    if call.attribute("has_dynamic_root") is None:
        return operands, [0] * len(operands)
    return operands[:-1], [int(root) for root in operands[-1]]


@reference("stablehlo.collective_reduce")
def collective_reduce(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The reduction for the root of a group; zeros for the others and for a process in no group."""
    data, roots = _data_and_roots(call, operands)
    groups, values = _replica_groups(call), call.promoted(*data)
    if all(call.process.id not in group for group in groups):
        return tuple(np.zeros_like(value) for value in values)
    place, members = call.process.exchange(_key(call), groups, values)
    return tuple(
        _reduced(call, parts) if place == root else np.zeros_like(parts[place])
        for root, parts in zip(roots, zip(*members, strict=True), strict=True)
    )


@reference("stablehlo.cross-replica-sum")
def cross_replica_sum(call: Call, operand: Array) -> Array:
    """`all_reduce` with addition."""
    groups = call.process.grid.cross_replica(_id_groups(call))
    _, members = call.process.exchange(_key(call), groups, operand)
    total = members[0]
    for member in members[1:]:
        total = total + member
    return total


@reference("stablehlo.all_to_all")
def all_to_all(call: Call, *operands: Array) -> tuple[Array, ...]:
    """Part i of every member goes to member i."""
    split, concat, count = call.int("split_dimension"), call.int("concat_dimension"), call.int("split_count")
    place, members = call.process.exchange(_key(call), _by_channel(call, _id_groups(call)), operands)
    return tuple(
        np.concatenate([np.split(value, count, split)[place] for value in values], concat)
        for values in zip(*members, strict=True)
    )


@custom_call_target("ragged_all_to_all")
def ragged_all_to_all(
    call: Call,
    operand: Array,
    output: Array,
    input_offsets: Array,
    send_sizes: Array,
    output_offsets: Array,
    recv_sizes: Array,
) -> Array:
    """Rows of `operand` go into `output` of the members of the group: `send_sizes[i]` from `input_offsets[i]` on, to
    row `output_offsets[i]` of the member that part i is for. Each member has as many parts as the others. What members
    receive follows from what is sent, so `recv_sizes` is only checked (`jax.lax.ragged_all_to_all`)."""
    config: Any = call.get("backend_config")
    groups = [[int(id) for id in row] for row in dense_array(config.data["replica_groups"])]
    group = _by_channel(call, groups)
    place, members = call.process.exchange(
        "ragged_all_to_all", group, (operand, input_offsets, send_sizes, output_offsets)
    )
    result = np.array(output)
    parts = len(send_sizes) // len(members)
    for sender, (rows, starts, sizes, targets) in enumerate(members):
        for part in range(parts):
            index = place * parts + part
            start, size, target = int(starts[index]), int(sizes[index]), int(targets[index])
            expected = int(recv_sizes[sender * parts + part])
            if size != expected:
                message = f"recv_sizes: {size} rows come from member {sender}, not {expected}"
                raise InvalidProgramError(message, call.op)
            if start < 0 or start + size > len(rows) or target < 0 or target + size > len(result):
                message = f"{size} rows from row {start} of {len(rows)} to row {target} of {len(result)}"
                raise InvalidProgramError(message, call.op)
            result[target : target + size] = rows[start : start + size]
    return result


@reference("stablehlo.collective_broadcast")
def collective_broadcast(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The values of the root of the group; zeros for a process in no group."""
    data, roots = _data_and_roots(call, operands)
    groups = _by_channel(call, _id_groups(call))
    if all(call.process.id not in group for group in groups):
        return tuple(np.zeros_like(value) for value in data)
    _, members = call.process.exchange(_key(call), groups, data)
    if any(not 0 <= root < len(members) for root in roots):
        raise InvalidProgramError(f"'{_name(call)}' op: roots {list(roots)} of a group of {len(members)}", call.op)
    return tuple(members[root][index] for index, root in enumerate(roots))


@reference("stablehlo.collective_permute")
def collective_permute(call: Call, operand: Array) -> Array:
    """The value of the source whose target the process is; zeros if there is none."""
    process, grid = call.process, call.process.grid
    pairs = _pairs(call)
    for source, target in pairs:
        if source == process.id:
            grid.mail[_key(call), source, target].append(operand)
    sender = next((source for source, target in pairs if target == process.id), None)
    if sender is None:
        return np.zeros_like(operand)
    box = grid.mail[_key(call), sender, process.id]
    process.wait(lambda: bool(box), f"process {sender} in {_key(call)}")
    return box.popleft()


@reference("stablehlo.partition_id")
def partition_id(call: Call) -> Array:
    return np.array(call.process.partition, np.uint32)


@reference("stablehlo.replica_id")
def replica_id(call: Call) -> Array:
    return np.array(call.process.replica, np.uint32)
