"""Reductions over the rows of a kernel, such as sums by columns of what it works on row by row.

    %dy = linalg.generic {maps (i, j) -> (i, j) ...} ins(%g, %x) ...       // rows i
    %db = linalg.generic {maps (i, j) -> (i, j), (j)} ins(%dy) ...         // over the rows

One loop over the rows does both; what is reduced is complete behind it, so nothing in the kernel may read it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ....ir import structured
from ....ir.combiners import combiner_of
from .rows import dims_of
from .siblings import streams


def loops_over_rows(op: GenericOp, accesses: Sequence[AffineMap]) -> list[int]:
    """The loops of `op` that are the leading indices of all `accesses`, and over which it reduces all it computes, in
    any order.
    """
    if not accesses or not _combines(op):
        return []
    reduced = structured.iterators(op)
    leading: list[int] = []
    for exprs in zip(*(access.results for access in accesses), strict=False):
        expr = exprs[0]
        if not isinstance(expr, AffineDimExpr) or any(other != expr for other in exprs):
            break
        if not reduced[expr.position] or expr.position in leading:
            break
        leading.append(expr.position)
    return leading


def order_behind(op: GenericOp, rows: list[int]) -> list[int]:
    """The loops of `op`, `rows` in front of the others, which are in the order of an input that starts with `rows`."""
    for index, _ in streams(op):
        dims = dims_of(op.indexing_maps.data[index].data)
        if dims[: len(rows)] == rows:
            return dims
    return [*rows, *(dim for dim in range(len(op.iterator_types.data)) if dim not in rows)]


def extents_in(op: GenericOp, order: list[int]) -> tuple[int, ...]:
    """The extents of the loops of `op` in `order`."""
    extents = structured.loop_extents(op)
    return tuple(extents[dim] for dim in order)


def _combines(op: GenericOp) -> bool:
    """Whether `op` is a reduction of which every result may be formed in any order."""
    block, terminator = op.body.block, op.body.block.last_op
    if terminator is None or not any(structured.iterators(op)):
        return False
    accumulators = block.args[structured.number_of_inputs(op) :]
    return all(combiner_of(block, *pair) is not None for pair in zip(accumulators, terminator.operands, strict=True))
