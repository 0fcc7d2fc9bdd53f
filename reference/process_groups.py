"""Which processes a collective op brings together, and what they have to agree on.

StableHLO specification, section "Collective ops": the strategies by which ids become groups of processes, and what
each op demands of its groups. Asked by the reference, by compiled programs and by the compiler, which finds what is
wrong with the groups of a program as soon as it knows the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DictionaryAttr, FunctionType, IntegerAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from ..dialects.printing import text_of_region
from ..dialects.stablehlo import (
    AllGatherOp,
    AllToAllOp,
    CollectiveBroadcastOp,
    CollectivePermuteOp,
    CollectiveReduceOp,
    CustomCallOp,
    ReduceScatterOp,
)
from ..dialects.stablehlo.mesh_attributes import ReplicaGroupMeshAxesAttr
from ..dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ..dialects.stablehlo.replica_groups import id_rows, verify_id_rows
from ..dialects.stablehlo.shapes import shape_of
from ..errors import InvalidProgramError, XlaError, place_of
from .meshes import groups_of_mesh
from .processes import Groups, ProcessGrid, ProcessId, Terms

NAME = "op"
"""The attribute of a call of the runtime with the name of the collective that it stands for."""

_BY_CHANNEL = frozenset(op.name for op in (AllToAllOp, CollectiveBroadcastOp)) | {RAGGED_ALL_TO_ALL}
"""The collectives whose ids are replicas, or, with a channel, partitions."""

_WITH_OUTSIDERS = frozenset(op.name for op in (CollectiveBroadcastOp, CollectiveReduceOp))
"""The collectives that say what a process in no group gets."""

TYPES = "types"
"""The attribute of such a call with the types of the operands and results of that collective."""

_ADDRESSES = ("replica_groups", "channel_handle", "use_global_device_ids", "source_target_pairs", NAME, TYPES)
"""The attributes that are compared as the groups that they make."""


class Collective(NamedTuple):
    """A collective op in a grid of processes."""

    key: str
    """By what processes find each other: the op and its channel."""

    groups: list[list[ProcessId]]
    """Those of processes that act together, or pairs of source and target."""

    terms: Terms


def collective(op: Operation, grid: ProcessGrid) -> Collective:
    """What `op` means in `grid`. Raises `InvalidProgramError` for groups that break a rule of the op."""
    found = grid.collectives.get(op)
    if found is None:
        name, channel, groups = name_of(op), channel_of(op), groups_of(op, grid)
        key = f"{name} on channel {channel}" if channel > 0 else name
        found = grid.collectives[op] = Collective(key, groups, _terms(op, groups))
    return found


def name_of(op: Operation) -> str:
    """That of the op, also where a pass or a frontend has made it a custom call."""
    if not isinstance(op, CustomCallOp):
        return op.name
    name: Any = op.attributes.get(NAME)
    return op.call_target_name.data if name is None else name.data


def groups_of(op: Operation, grid: ProcessGrid) -> list[list[ProcessId]]:
    """The groups of processes of a collective in `grid`, or the pairs of one between pairs."""
    try:
        if isinstance(op, CollectivePermuteOp):
            pairs = id_rows(op.source_target_pairs) or []
            return _by_channel(op, pairs, grid) if pairs else []
        ids = _id_groups(op)
        groups = _by_channel(op, ids, grid) if name_of(op) in _BY_CHANNEL else _replica_groups(op, ids, grid)
    except XlaError as error:
        raise InvalidProgramError(f"'{name_of(op)}' op: {error.message}", op) from None
    except VerifyException as error:
        raise InvalidProgramError(str(error), op) from None
    _verify_members(op, groups, grid)
    _verify_sizes(op, groups)
    return groups


def channel_of(op: Operation) -> int:
    """The channel of a collective; 0 if it has none."""
    handle: Any = op.properties.get("channel_handle", op.attributes.get("channel_handle"))
    if handle is not None:
        return handle.handle
    config = op.properties.get("backend_config") if name_of(op) == RAGGED_ALL_TO_ALL else None
    channel = config.data.get("channel_id") if isinstance(config, DictionaryAttr) else None
    return channel.value.data if isinstance(channel, IntegerAttr) else 0


def _id_groups(op: Operation) -> Groups:
    groups = _groups_attribute(op)
    if isinstance(groups, ReplicaGroupMeshAxesAttr):
        return groups_of_mesh(groups)
    rows = None if groups is None else id_rows(groups)
    if rows is None:
        raise InvalidProgramError(f"expected a matrix of ids as replica_groups, got {groups}")
    return rows


def _groups_attribute(op: Operation) -> Attribute | None:
    if name_of(op) != RAGGED_ALL_TO_ALL:
        return op.properties.get("replica_groups", op.attributes.get("replica_groups"))
    config = op.properties.get("backend_config")
    groups = config.data.get("replica_groups") if isinstance(config, DictionaryAttr) else None
    if groups is not None and (rows := id_rows(groups)) is not None:
        verify_id_rows(op, rows, "replica_groups", "replica_groups")
    return groups


def _replica_groups(op: Operation, ids: Groups, grid: ProcessGrid) -> list[list[ProcessId]]:
    """The strategy of `all_gather`, `all_reduce`, `collective_reduce` and `reduce_scatter`."""
    if channel_of(op) <= 0:
        return grid.cross_replica(ids)
    if op.properties.get("use_global_device_ids", op.attributes.get("use_global_device_ids")) is None:
        return grid.cross_replica_and_partition(ids)
    return grid.flattened_ids(ids)


def _by_channel(op: Operation, ids: Groups, grid: ProcessGrid) -> list[list[ProcessId]]:
    """The strategy of `all_to_all`, `collective_broadcast` and `collective_permute`."""
    return grid.cross_replica(ids) if channel_of(op) <= 0 else grid.cross_partition(ids)


def _verify_members(op: Operation, groups: list[list[ProcessId]], grid: ProcessGrid) -> None:
    """Every process is in a group, but for ops that say what the others get."""
    if name_of(op) in _WITH_OUTSIDERS:
        return
    members = {process for group in groups for process in group}
    outside = [process for process in grid.processes if process not in members]
    if outside:
        listed = ", ".join(map(str, outside))
        raise InvalidProgramError(
            f"'{name_of(op)}' op: the groups {groups} leave out process {listed} of {grid.replicas} replicas and "
            f"{grid.partitions} partitions",
            op,
        )


def _verify_sizes(op: Operation, groups: list[list[ProcessId]]) -> None:
    """As many members as the op has parts."""
    sizes = {len(group) for group in groups}
    if isinstance(op, AllToAllOp):
        expected = op.split_count.value.data
    elif isinstance(op, AllGatherOp):
        expected = _ratio(op, op.result, op.operands_, op.all_gather_dim.value.data)
    elif isinstance(op, ReduceScatterOp):
        expected = _ratio(op, [op.operand], [op.result], op.scatter_dimension.value.data)
    elif name_of(op) == RAGGED_ALL_TO_ALL:
        _verify_ragged(op, groups, sizes)
        return
    else:
        return
    if expected is not None and sizes != {expected}:
        found = " and ".join(map(str, sorted(sizes)))
        raise InvalidProgramError(f"'{name_of(op)}' op: types for groups of {expected} processes, not of {found}", op)


def _verify_ragged(op: Operation, groups: list[list[ProcessId]], sizes: set[int]) -> None:
    """Groups of one size, and as many parts for each member."""
    if len(sizes) > 1:
        raise InvalidProgramError(f"'{name_of(op)}' op: expected groups of one size, got {groups}", op)
    (parts,) = shape_of(op.operands[-1])
    if any(parts % size for size in sizes):
        raise InvalidProgramError(f"'{name_of(op)}' op: {parts} parts for groups of {max(sizes)} processes", op)


def _ratio(op: Operation, whole: Sequence[Any], parts: Sequence[Any], dimension: int) -> int | None:
    """How many parts a whole has along `dimension`; None where the types do not say."""
    for total, part in zip(whole, parts, strict=True):
        size, of = shape_of(part)[dimension], shape_of(total)[dimension]
        if size > 0 and of >= 0:
            if of % size:
                raise InvalidProgramError(f"'{op.name}' op: parts of {part.type} are not {total.type}", op)
            return of // size
    return None


# What members of a group agree on


def _terms(op: Operation, groups: list[list[ProcessId]]) -> Terms:
    """Everything that the op says, but for its place in the program."""
    types: Any = op.attributes.get(TYPES) or FunctionType.from_lists(op.operand_types, op.result_types)
    agreed = {"operands": _types(types.inputs), "results": _types(types.outputs), "groups": str(groups)}
    agreed |= {name: str(value) for name, value in _inherent(op).items() if name not in _ADDRESSES}
    for index, region in enumerate(op.regions):
        agreed["computation" if index == 0 else f"computation {index}"] = text_of_region(region)
    return Terms(name_of(op), agreed, place_of(op))


def _inherent(op: Operation) -> dict[str, Attribute]:
    """The attributes that change what the op does."""
    if not isinstance(op, CustomCallOp):
        return op.properties
    return op.attributes if NAME in op.attributes else {}


def _types(types: Iterable[Attribute]) -> str:
    return ", ".join(map(str, types)) or "none"
