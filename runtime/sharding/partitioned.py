"""Programs that are that of one device already, such as HLO text after XLA's partitioner."""

from __future__ import annotations

from typing import NamedTuple, NoReturn, cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.sdy.values import meshes_of, result_shardings, sharding_of
from ...dialects.xrt_names import GLOBAL_TYPE
from ...errors import ArgumentError
from ...ir.device_programs import between_partitions

REPLICAS = "mhlo.num_replicas"

PARTITIONED = "mhlo.spmd_partitioned"
"""Of a module: XLA's partitioner has made it: the names of its computations end with `_spmd`."""

PARTITIONED_SUFFIX = "_spmd"
"""What XLA's partitioner adds to the names of computations."""


class Found(NamedTuple):
    """What tells the program of one device with shardings: they say what was split, not what is to be."""

    reason: str
    op: Operation | None = None


def refuse_replicas(module: ModuleOp) -> None:
    """Raises `ArgumentError` for a program of several replicas: devices are partitions."""
    count = module.attributes.get(REPLICAS)
    if isinstance(count, IntegerAttr) and count.value.data > 1:
        raise ArgumentError(
            f"argument devices: the program is for {count.value.data} replicas ({REPLICAS}); compile it without devices"
            " and run it with run_grid"
        )


def partitioned(module: ModuleOp) -> Found | None:
    """Why a program is that of one device already, though it says how arguments or results are split; else None."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if not any(_is_sharded(function) for function in functions):
        return None
    found = between_partitions(module)
    if any(op.name == "sdy.manual_computation" for op in walk(module)):
        # Older annotations mark what depends on devices by its operands, of which this op has none.
        found = (op for op in found if not isinstance(op, stablehlo.PartitionIdOp))
    op = next(found, None)
    if op is not None:
        return Found(f"'{op.name}' op: depends on the partition that runs it, outside of any manual computation", op)
    if any(GLOBAL_TYPE in function.attributes for function in functions):
        return Found("stablehlo-partition-spmd has made it")
    if PARTITIONED in module.attributes:
        return Found("XLA's partitioner has made it")
    return None


def refuse_partitioned(found: Found, devices: int) -> NoReturn:
    """Raises `ArgumentError`."""
    raise ArgumentError(
        f"argument devices: the program is that of one device already; compile it with partitions={devices} and run it"
        f" with run_grid ({found.reason})",
        found.op,
    )


def _is_sharded(function: FuncOp) -> bool:
    """Whether it says of an argument or result that it is split."""
    meshes = meshes_of(cast("ModuleOp", function.get_toplevel_object()))
    shardings = (*(sharding_of(argument, meshes) for argument in function.args), *result_shardings(function, meshes))
    return any(dim.axes for sharding in shardings if sharding is not None for dim in sharding.dimensions)
