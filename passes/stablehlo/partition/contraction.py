"""Matrix products: a contracting dimension that is split leaves sums of parts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....ir.sharding_rules import FactorKind
from ....ir.tensor_builder import Tensor
from .factors import Choice, partition, rule_for
from .site import Handler, Site


def _product(site: Site) -> None:
    rule = rule_for(site.op, (FactorKind.PASS_THROUGH, FactorKind.REDUCTION), products=1)
    summed = rule.reductions()
    contracting = [[dim for dim, own in enumerate(dims) if not summed.isdisjoint(own)] for dims in rule.operands]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        """Padding of contracting dimensions is 0 on both sides: what it is otherwise may be no number."""
        shapes = map(shape_of, site.op.operands)
        masked = [
            site.masked(x, shape, layout, dims, 0)
            for x, shape, layout, dims in zip(operands, shapes, choice.operands, contracting, strict=True)
        ]
        return site.emit(masked, choice.results, is_wide=True)

    partition(site, rule, emit)


CONTRACTIONS: dict[type[Operation], Handler] = dict.fromkeys((stablehlo.DotGeneralOp, stablehlo.DotOp), _product)
"""Op type to handler."""
