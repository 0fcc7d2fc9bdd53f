"""Batch normalisation: sums and counts are of the elements that count."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....ir.tensor_builder import Tensor
from ..stablehlo_expand_batch_norm import FORMULAS, Batch, BatchNormOp
from .values import Bounded, Rule, Site


class _BoundedBatch(Batch):
    """A batch of which not all elements count."""

    def __init__(self, site: Site, op: BatchNormOp, operands: Sequence[Bounded]) -> None:
        super().__init__(op, [x.tensor for x in operands])
        self._site, self._sizes = site, operands[0].sizes

    def sum(self, x: Tensor) -> Tensor:
        return super().sum(self._site.masked(Bounded(x, self._sizes), self.dims, self._site.zero).tensor)

    def mean(self, total: Tensor) -> Tensor:
        count = self._site.number(1)
        for dim in self.dims:
            count = count * self._site.size(Bounded(self.operand, self._sizes), dim)
        return total / count.convert(total.element_type).broadcast(total.shape, ())


def _batch_norm(site: Site, op: BatchNormOp) -> Sequence[Bounded]:
    """The operand, and the gradient of the output that comes last, are whole; the others have a value per feature."""
    operands, feature = site.operands(), op.feature_index.value.data
    operands = site.aligned(operands, [range(x.rank) if x.rank == operands[0].rank else (feature,) for x in operands])
    results = FORMULAS[type(op)](_BoundedBatch(site, op, operands))
    return [Bounded(result, x.sizes) for result, x in zip(results, operands, strict=False)]


NORMALIZATION: dict[type[Operation], Rule] = dict.fromkeys(FORMULAS, _batch_norm)
"""Op type to rule."""
