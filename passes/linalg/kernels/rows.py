"""The leading indices of what an op writes: the rows that it may share with others."""

from __future__ import annotations

from collections.abc import Set

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from ....dialects.element_sizes import element_bytes
from ....ir import structured


def output_dims(op: GenericOp) -> list[int]:
    """The loop dimensions of the first output, in the order of its indices."""
    return dims_of(op.indexing_maps.data[structured.number_of_inputs(op)].data)


def dims_of(access: AffineMap) -> list[int]:
    """The loops that are indices of `access`, in the order of these."""
    return [expr.position for expr in access.results if isinstance(expr, AffineDimExpr)]


def leading_dims(op: GenericOp) -> int:
    """How many leading indices all outputs have in common."""
    first = output_dims(op)
    common = len(first)
    for attr in op.indexing_maps.data[structured.number_of_inputs(op) + 1 :]:
        common = min(common, matching(attr.data, first))
    return common


def matching(indexing_map: AffineMap, dims: list[int], single: Set[int] = frozenset()) -> int:
    """The length of the common prefix of a map's results and the plain dimensions `dims`, of which those in `single`
    are of one step: 0 is the same.
    """
    count = 0
    for expr, dim in zip(indexing_map.results, dims, strict=False):
        if dim in single and isinstance(expr, AffineConstantExpr):
            count += 1
            continue
        if not isinstance(expr, AffineDimExpr) or expr.position != dim:
            break
        count += 1
    return count


def row_bytes(op: GenericOp, rows: int) -> int:
    """Bytes of one row of the outputs of `op`."""
    total = 0
    for output in structured.outputs(op):
        size = element_bytes(structured.element_type(output))
        for extent in structured.shape_of(output)[rows:]:
            size *= extent
        total += size
    return total


def row_order(op: GenericOp, rows: int) -> list[int]:
    """The loop dimensions of `op`, those of the first `rows` indices of its first output in front."""
    out = op.indexing_maps.data[structured.number_of_inputs(op)].data
    leading = [expr.position for expr in out.results[:rows] if isinstance(expr, AffineDimExpr)]
    return [*leading, *(dim for dim in range(out.num_dims) if dim not in leading)]
