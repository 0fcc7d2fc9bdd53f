"""What tells the program of one device from one on whole arrays: ops that depend on the partition that runs them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from ..dialects import stablehlo
from ..dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ..dialects.stablehlo.traits import AcrossProcesses
from ..reference.process_groups import channel_of


def between_partitions(op: Operation) -> Iterator[Operation]:
    """The ops in `op` that depend on the partition they run on, outside of manual computations."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if isinstance(inner, stablehlo.PartitionIdOp) or (_is_collective(inner) and channel_of(inner) > 0):
                    yield inner
                if inner.name != "sdy.manual_computation":
                    yield from between_partitions(inner)


def _is_collective(op: Operation) -> bool:
    if isinstance(op, stablehlo.CustomCallOp):
        return op.call_target_name.data == RAGGED_ALL_TO_ALL
    return op.has_trait(AcrossProcesses, value_if_unregistered=False)
