"""Who takes part in a collective, by host: devices are numbered replica times partitions plus partition."""

from __future__ import annotations

from collections import Counter

from xdsl.ir import Operation

from ...dialects.stablehlo import CollectivePermuteOp, RecvOp, SendOp
from ...dialects.stablehlo.replica_groups import id_rows
from ...reference.process_groups import groups_of
from ...reference.processes import ProcessGrid
from .collectives import Shape

TRANSFERS = (CollectivePermuteOp, SendOp, RecvOp)


def shapes_of(op: Operation, grid: ProcessGrid, devices_per_host: int) -> set[Shape]:
    """The different groups of a collective. Raises `InvalidProgramError` for groups that do not fit the grid."""
    devices = grid.replicas * grid.partitions
    if isinstance(op, SendOp | RecvOp):
        pairs = op.properties.get("source_target_pairs")
        rows = id_rows(pairs) if pairs is not None else None
        ends = rows or [(0, devices - 1)]
        return {_shape(list(pair), devices_per_host) for pair in ends}
    groups = groups_of(op, grid)
    numbered = ([replica * grid.partitions + partition for replica, partition in group] for group in groups)
    return {_shape(group, devices_per_host) for group in numbered}


def _shape(group: list[int], devices_per_host: int) -> Shape:
    hosts = Counter(device // devices_per_host for device in set(group))
    return Shape(hosts.total(), len(hosts), len(set(hosts.values())) <= 1)
