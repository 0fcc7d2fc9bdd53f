"""How an op walks over what it reads and writes, by which it may share rows with others.

The leading indices of what an op writes are rows. A reduction may also be *over* the rows of others, as a sum by
columns of what they work on row by row:

    %dy = linalg.generic {maps (i, j) -> (i, j) ...} ins(%g, %x) ...       // rows i
    %db = linalg.generic {maps (i, j) -> (i, j), (j)} ins(%dy) ...         // over the rows

One loop over the rows does both; what is reduced is complete behind it, so nothing in the kernel may read it. Ops with
no link between them that read the same tensor in the same order are siblings: one pass over it does for all. XLA has
the word, and multi-output fusions are what becomes of them there.

    %s = linalg.generic {maps (i, j) -> (i, j), (i)} ins(%x) ...           // the sum of each row
    %m = linalg.generic {maps (i, j) -> (i, j), (i)} ins(%x) ...           // the greatest element of each row
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from ....decisions.model import CostModel
from ....dialects.editing import ops_of
from ....dialects.element_sizes import element_bytes
from ....ir import structured
from ....ir.combiners import combiner_of
from ....properties import cached_property


class Walk:
    """The loops of a generic: `accesses` are the maps of its `inputs`, `dims` the loops that are indices of its first
    output, which has `shape`; `operations` is what one element of what it computes costs.
    """

    def __init__(self, op: GenericOp, model: CostModel) -> None:
        maps, count = structured.indexing_maps(op), structured.number_of_inputs(op)
        self.op = op
        self.inputs, self.outputs = structured.inputs(op), structured.outputs(op)
        self.accesses, self.stores = maps[:count], maps[count:]
        self.dims = dims_of(self.stores[0])
        self.shape = structured.shape_of(self.outputs[0])
        self.extents = structured.loop_extents(op)
        self.is_scalar = all(size == 1 for size in self.extents)
        self.reduces = any(structured.iterators(op))
        self.operations = sum(model.operations.scalar_cost(inner.name) for inner in ops_of(op.body.block))

    @cached_property
    def rows(self) -> int:
        """How many leading indices all outputs have in common."""
        return min([len(self.dims), *(matching(store, self.dims) for store in self.stores[1:])])

    @cached_property
    def streams(self) -> dict[SSAValue, list[AffineMap]]:
        """The inputs every element of which is for one iteration of the loops, and how they are read."""
        found: dict[SSAValue, list[AffineMap]] = {}
        for operand, access in zip(self.inputs, self.accesses, strict=True):
            if len(access.results) == access.num_dims and access.is_projected_permutation():
                found.setdefault(operand, []).append(access)
        return found

    def places(self, operand: SSAValue, order: list[int]) -> set[tuple[int, ...]]:
        """For every way in which `operand` is a stream: the loop, of the loops in `order`, of each dimension."""
        return {tuple(map(order.index, dims_of(access))) for access in self.streams.get(operand, ())}

    def row_bytes(self, rows: int) -> int:
        """Bytes of one row of the outputs."""
        total = 0
        for output in self.outputs:
            size = element_bytes(structured.element_type(output))
            for extent in structured.shape_of(output)[rows:]:
                size *= extent
            total += size
        return total

    def extents_in(self, order: Sequence[int]) -> tuple[int, ...]:
        """The extents of the loops in `order`."""
        return tuple(self.extents[dim] for dim in order)

    def row_order(self, rows: int) -> list[int]:
        """The loops, those of the first `rows` indices of the first output in front."""
        leading = [expr.position for expr in self.stores[0].results[:rows] if isinstance(expr, AffineDimExpr)]
        return [*leading, *(dim for dim in range(len(self.extents)) if dim not in leading)]

    def order_behind(self, rows: list[int]) -> list[int]:
        """The loops, `rows` in front of the others, which are in the order of an input that starts with `rows`."""
        for access in (access for accesses in self.streams.values() for access in accesses):
            dims = dims_of(access)
            if dims[: len(rows)] == rows:
                return dims
        return [*rows, *(dim for dim in range(len(self.extents)) if dim not in rows)]

    def loops_over_rows(self, accesses: Sequence[AffineMap]) -> list[int]:
        """The loops that are the leading indices of all `accesses`, and over which the op reduces all that it computes,
        in any order.
        """
        if not accesses or not self._combines:
            return []
        reduced = structured.iterators(self.op)
        leading: list[int] = []
        for expr, *others in zip(*(access.results for access in accesses), strict=False):
            if not isinstance(expr, AffineDimExpr) or any(other != expr for other in others):
                break
            if not reduced[expr.position] or expr.position in leading:
                break
            leading.append(expr.position)
        return leading

    @cached_property
    def _combines(self) -> bool:
        """Whether this is a reduction of which every result may be formed in any order."""
        block, terminator = self.op.body.block, self.op.body.block.last_op
        if terminator is None or not self.reduces:
            return False
        pairs = zip(block.args[len(self.inputs) :], terminator.operands, strict=True)
        return all(combiner_of(block, *pair) is not None for pair in pairs)


def dims_of(access: AffineMap) -> list[int]:
    """The loops that are indices of `access`, in the order of these."""
    return [expr.position for expr in access.results if isinstance(expr, AffineDimExpr)]


def matching(access: AffineMap, dims: list[int], shape: Sequence[int] = ()) -> int:
    """The length of the common prefix of the results of a map and the plain dimensions `dims`. Of those with one step,
    as `shape` says, 0 is the same.
    """
    count = 0
    for expr, dim in zip(access.results, dims, strict=False):
        if not isinstance(expr, AffineDimExpr) or expr.position != dim:
            if count >= len(shape) or shape[count] != 1 or not isinstance(expr, AffineConstantExpr):
                break
        count += 1
    return count
