"""Matrix products: a contracting dimension that is split leaves sums of parts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import DotDimensionNumbersAttr
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from .factors import Choice, Dimensions, RuleWriter, partition
from .site import Handler, Site


def _dot_general(site: Site) -> None:
    numbers = site.op.properties["dot_dimension_numbers"]
    assert isinstance(numbers, DotDimensionNumbersAttr)
    batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    contracting = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    _product(site, batch, contracting)


def _dot(site: Site) -> None:
    """The last dimension of the left operand with the first one of the right."""
    rank = len(shape_of(site.op.operands[0]))
    _product(site, ((), ()), ((rank - 1,), (0,)))


Pair = tuple[Sequence[int], Sequence[int]]
"""Dimensions of the left and of the right operand, one by one of the same size."""


def _product(site: Site, batch: Pair, contracting: Pair) -> None:
    writer = RuleWriter()
    left, right = (shape_of(operand) for operand in site.op.operands)
    lhs = writer.dimensions(left)
    pairs = [*zip(*batch, strict=True), *zip(*contracting, strict=True)]
    shared = {there: lhs[here] for here, there in pairs}
    rhs: Dimensions = tuple(shared[dim] if dim in shared else (writer.new(size),) for dim, size in enumerate(right))
    result = [lhs[dim] for dim in batch[0]]
    result += [own for dim, own in enumerate(lhs) if dim not in (*batch[0], *contracting[0])]
    result += [own for dim, own in enumerate(rhs) if dim not in (*batch[1], *contracting[1])]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        """Padding of contracting dimensions is 0 on both sides: what it is otherwise may be no number."""
        masked = [
            site.masked(x, shape, layout, dims, 0)
            for x, shape, layout, dims in zip(operands, (left, right), choice.operands, contracting, strict=True)
        ]
        return site.emit(masked, choice.results, is_wide=True)

    partition(site, writer.rule([lhs, rhs], [tuple(result)], products=1), emit)


CONTRACTIONS: dict[type[Operation], Handler] = {stablehlo.DotGeneralOp: _dot_general, stablehlo.DotOp: _dot}
"""Op type to handler."""
