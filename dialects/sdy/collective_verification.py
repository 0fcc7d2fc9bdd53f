"""Whether the axes that a collective of the `sdy` dialect names lead from the sharding of its operand to its own.

Axes are compared as digits: those of a dimension, with the ones that the op adds or removes behind, merged.

Source: openxla/shardy, shardy/dialect/sdy/ir/verifiers.cc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, cast

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from . import collectives as sdy
from .collectives import CollectiveOp
from .sharding_verification import verify_axis_list, verify_disjoint, verify_order
from .shardings import AxisRef, Mesh, Sharding, in_mesh_order, merged


def verify_collective(op: CollectiveOp, before: Sharding | None, after: Sharding) -> None:
    """Raises VerifyException unless `op` makes `after` of `before`, the sharding of its operand if there is one."""
    if before is None:
        if not isinstance(op, MAY_LACK_SHARDING):
            raise VerifyException("collective on operand without sharding")
        before = after._replace(
            dimensions=tuple(each._replace(axes=()) for each in after.dimensions), replicated=(), unreduced=()
        )
    if before.mesh.axes != after.mesh.axes:
        raise VerifyException("result mesh does not match operand mesh")
    if len(before.dimensions) != len(after.dimensions):
        raise VerifyException(
            f"result sharding has rank {len(after.dimensions)} but operand sharding has rank {len(before.dimensions)}"
        )
    AXES_CHECKS[op.__class__](cast(Any, op), before, after)


MAY_LACK_SHARDING = (sdy.AllSliceOp, sdy.AllReduceOp, sdy.ReduceScatterOp)


def _axes(sharding: Sharding, extra: Sequence[Sequence[AxisRef]] | None = None) -> list[tuple[AxisRef, ...]]:
    """The axes of each dimension, with `extra` ones behind."""
    if extra is None:
        extra = [()] * len(sharding.dimensions)
    if len(extra) != len(sharding.dimensions):
        raise VerifyException(
            f"result sharding has rank {len(sharding.dimensions)} but collective axes has rank {len(extra)}"
        )
    return [merged((*each.axes, *more), sharding.mesh) for each, more in zip(sharding.dimensions, extra, strict=True)]


def _verify_axes(lists: Iterable[Sequence[AxisRef]], mesh: Mesh) -> None:
    axes: list[AxisRef] = []
    for each in lists:
        verify_axis_list(each, mesh)
        axes += each
    verify_disjoint(axes, mesh)


def _raise_mismatch(dimension: int | None = None) -> NoReturn:
    where = "" if dimension is None else f" on dimension {dimension}"
    raise VerifyException(f"result sharding doesn't match expected sharding{where}")


def _compare(expected: Sequence[object], actual: Sequence[object]) -> None:
    for dimension, (wanted, found) in enumerate(zip(expected, actual, strict=True)):
        if wanted != found:
            _raise_mismatch(dimension)


def _verify_gather(op: sdy.AllGatherOp, before: Sharding, after: Sharding) -> None:
    _verify_axes(op.gathering_axes.data, after.mesh)
    _compare(_axes(before), _axes(after, op.gathering_axes.data))


def _verify_slice(op: sdy.AllSliceOp, before: Sharding, after: Sharding) -> None:
    _verify_axes(op.slicing_axes.data, after.mesh)
    _compare(_axes(before, op.slicing_axes.data), _axes(after))


def _verify_reduce_scatter(op: sdy.ReduceScatterOp, before: Sharding, after: Sharding) -> None:
    _verify_axes(op.reduce_scatter_axes.data, after.mesh)
    _compare(_axes(before, op.reduce_scatter_axes.data), _axes(after))


def _verify_all_to_all(op: sdy.AllToAllOp, before: Sharding, after: Sharding) -> None:
    parameters, rank = op.params.data, len(after.dimensions)
    if not parameters:
        raise VerifyException("parameter list is empty")
    _verify_axes([parameter.axes for parameter in parameters], after.mesh)
    dimensions = [dimension for parameter in parameters for dimension in (parameter.source, parameter.target)]
    for dimension in dimensions:
        if not 0 <= dimension < rank:
            raise VerifyException(f"dimension {dimension} is out of range [0, {rank})")
    if len(set(dimensions)) < len(dimensions):
        raise VerifyException("overlapping source/target dimensions in all-to-all params")
    sources = [parameter.source for parameter in parameters]
    if sources != sorted(sources):
        raise VerifyException("source dimensions are not sorted in ascending order")
    taken: list[Sequence[AxisRef]] = [()] * rank
    given: list[Sequence[AxisRef]] = [()] * rank
    for parameter in parameters:
        taken[parameter.source] = given[parameter.target] = parameter.axes
    _compare(_axes(before, given), _axes(after, taken))


def _verify_permute(op: sdy.CollectivePermuteOp, before: Sharding, after: Sharding) -> None:
    for dimension in range(len(after.dimensions)):
        if before.parts(dimension) != after.parts(dimension):
            raise VerifyException(
                f"sharded size of result doesn't match operand on dimension {dimension}: "
                f"{after.parts(dimension)} != {before.parts(dimension)}"
            )


def _verify_all_reduce(op: sdy.AllReduceOp, before: Sharding, after: Sharding) -> None:
    axes = op.reduction_axes.data
    _verify_axes([axes], after.mesh)
    verify_order(axes, after.mesh, "reduction")
    if _axes(before) != _axes(after):
        raise VerifyException("operand and result shardings are not equivalent")
    used = [axis for each in before.dimensions for axis in each.axes]
    _verify_apart(axes, [*used, *before.replicated], after.mesh, "reduction axis overlaps with those of the operand")
    _verify_apart(axes, after.unreduced, after.mesh, "reduction axis overlaps with result unreduced axes")


def _verify_apart(axes: Sequence[AxisRef], others: Sequence[AxisRef], mesh: Mesh, message: str) -> None:
    try:
        verify_disjoint([*axes, *others], mesh)
    except VerifyException as error:
        raise VerifyException(f"{message}: {error}") from None


def _verify_sharded_to_unreduced(op: sdy.ShardedToUnreducedOp, before: Sharding, after: Sharding) -> None:
    _verify_axes(op.axes.data, after.mesh)
    _compare(_axes(before), _axes(after, op.axes.data))
    _verify_unreduced([axis for axes in op.axes.data for axis in axes], before, after)


def _verify_replicated_to_unreduced(op: sdy.ReplicatedToUnreducedOp, before: Sharding, after: Sharding) -> None:
    axes = op.axes.data
    if not axes:
        raise VerifyException("axes must not be empty")
    _verify_axes([axes], after.mesh)
    verify_order(axes, after.mesh, "replicated-to-unreduced")
    _compare(_axes(before), _axes(after))
    used = [axis for each in before.dimensions for axis in each.axes]
    _verify_apart(axes, [*used, *before.unreduced], after.mesh, "axis overlaps with those of the operand")
    _verify_unreduced(axes, before, after)


def _verify_unreduced(axes: Sequence[AxisRef], before: Sharding, after: Sharding) -> None:
    if in_mesh_order((*before.unreduced, *axes), after.mesh) != in_mesh_order(after.unreduced, after.mesh):
        raise VerifyException("the unreduced axes of the result should be those of the operand and these")


AXES_CHECKS: dict[type[Operation], Callable[[Any, Sharding, Sharding], None]] = {
    sdy.AllGatherOp: _verify_gather,
    sdy.AllReduceOp: _verify_all_reduce,
    sdy.AllSliceOp: _verify_slice,
    sdy.AllToAllOp: _verify_all_to_all,
    sdy.CollectivePermuteOp: _verify_permute,
    sdy.ReduceScatterOp: _verify_reduce_scatter,
    sdy.ReplicatedToUnreducedOp: _verify_replicated_to_unreduced,
    sdy.ShardedToUnreducedOp: _verify_sharded_to_unreduced,
}
