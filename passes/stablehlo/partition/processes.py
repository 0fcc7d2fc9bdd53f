"""Collectives and ids that the program itself has: in computations that are local over some axes, or among replicas.

They exchange the parts of devices as they are, where each group is of devices with the same part; the dimensions that
they join or take apart are whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from .devices import replicated
from .factors import Dimensions, RuleWriter, partition
from .site import Handler, Site, integer


def _elementwise(site: Site) -> None:
    """Each operand and its result are split alike."""
    _whole_along(site, ())


def _whole_along(site: Site, whole: Sequence[int]) -> None:
    """The same, but for dimensions of which every device has all."""
    writer = RuleWriter()
    operands: list[Dimensions] = []
    results: list[Dimensions] = []
    for index, operand in enumerate(site.op.operands):
        dims = writer.dimensions(shape_of(operand), whole)
        operands.append(dims)
        if index < len(site.op.results):
            sizes = shape_of(site.op.results[index])
            results.append(tuple((writer.new(sizes[d], whole=True),) if d in whole else x for d, x in enumerate(dims)))
    partition(site, writer.rule(operands, results))


def _all_gather(site: Site) -> None:
    _whole_along(site, (integer(site.op, "all_gather_dim"),))


def _reduce_scatter(site: Site) -> None:
    _whole_along(site, (integer(site.op, "scatter_dimension"),))


def _all_to_all(site: Site) -> None:
    _whole_along(site, (integer(site.op, "split_dimension"), integer(site.op, "concat_dimension")))


def _id(site: Site) -> None:
    """Each device its own."""
    site.define(0, replicated(0), site.emit((), (replicated(0),))[0])


PROCESSES: dict[type[Operation], Handler] = {
    stablehlo.AllGatherOp: _all_gather,
    stablehlo.AllReduceOp: _elementwise,
    stablehlo.AllToAllOp: _all_to_all,
    stablehlo.CollectiveBroadcastOp: _elementwise,
    stablehlo.CollectivePermuteOp: _elementwise,
    stablehlo.CrossReplicaSumOp: _elementwise,
    stablehlo.PartitionIdOp: _id,
    stablehlo.ReduceScatterOp: _reduce_scatter,
    stablehlo.ReplicaIdOp: _id,
}
"""Op type to handler."""
