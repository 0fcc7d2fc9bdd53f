"""Batch normalisation: sums and counts are of the elements that count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....ir.tensor_builder import Tensor
from ..batch_statistics import FORMULAS, Batch, BatchNormOp
from .values import Bounded, Rule, Site


class _BoundedBatch(Batch):
    """A batch of which not all elements count."""

    def __init__(self, site: Site, op: BatchNormOp, sizes: Mapping[int, Tensor], operands: Sequence[Tensor]) -> None:
        super().__init__(op, operands)
        self._site, self._sizes = site, sizes

    def sum(self, x: Tensor) -> Tensor:
        return super().sum(self._site.masked(Bounded(x, self._sizes), self.dims, self._site.zero))

    def mean(self, total: Tensor) -> Tensor:
        count = self._site.number(1)
        for dim in self.dims:
            count = count * self._site.size(Bounded(self.operand, self._sizes), dim)
        return total / count.convert(total.element_type).broadcast(total.shape, ())


def _batch_norm(site: Site, op: BatchNormOp) -> Sequence[Bounded]:
    """The operand, and the gradient of the output that comes last, are whole; the others have a value per feature."""
    operands, feature = site.operands(), op.feature_index.value.data
    has_gradient = isinstance(op, stablehlo.BatchNormGradOp)
    wholes = [operands[0], *(operands[-1:] if has_gradient else ())]
    vectors = operands[1:-1] if has_gradient else operands[1:]
    sizes, shape = site.common_sizes(wholes), list(site.common_shape(wholes))
    shape[feature] = min(shape[feature], *site.common_shape(vectors))
    for size in site.common_sizes(vectors).values():
        sizes.setdefault(feature, size)

    def fitted(x: Bounded, shape: Sequence[int]) -> Tensor:
        return site.fitted(x.tensor, shape)

    count = shape[feature : feature + 1]
    tensors = [fitted(operands[0], shape), *(fitted(x, count) for x in vectors)]
    tensors += [fitted(x, shape) for x in wholes[1:]]
    output, *per_feature = FORMULAS[type(op)](_BoundedBatch(site, op, sizes, tensors))
    features = {0: sizes[feature]} if feature in sizes else {}
    return [Bounded(output, sizes), *(Bounded(vector, features) for vector in per_feature)]


NORMALIZATION: dict[type[Operation], Rule] = dict.fromkeys(FORMULAS, _batch_norm)
"""Op type to rule."""
