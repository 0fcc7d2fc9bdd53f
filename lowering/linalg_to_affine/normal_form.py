"""The form of a nest in which its loops are chosen."""

from __future__ import annotations

from ...decisions.model import CostModel
from ...dialects.records import changed
from .nest import Nest
from .pieces import places_to_cut


def simplify(nest: Nest, model: CostModel) -> Nest:
    """The nest without dimensions of extent 1, with dimensions split where indices divide them, and with dimensions
    merged that every access runs through as one.
    """
    accumulated = {d for i in range(len(nest.outputs)) for d in nest.accumulation[i]}
    reduction = tuple(d in accumulated for d in range(len(nest.extents)))
    if reduction != nest.reduction:
        nest = changed(nest, reduction=reduction)
    nest = nest.permute([d for d, extent in enumerate(nest.extents) if d < nest.rows or extent != 1])
    while (cut := _division_cut(nest, model)) is not None:
        nest = nest.split(*cut)
    while (pair := _mergeable_pair(nest)) is not None:
        nest = nest.merge(*pair)
    return nest


def _division_cut(nest: Nest, model: CostModel) -> tuple[int, int] | None:
    """A dimension and a factor such that splitting makes a `d floordiv factor` or `d mod factor` linear. None that is
    to be cut: of its pieces not all may need the division.
    """
    for access in nest.accesses:
        for division in access.flat.divisions():
            terms = division.lhs.terms
            if len(terms) != 1 or division.lhs.const:
                continue
            ((dim, coefficient),) = terms.items()
            if not isinstance(dim, int) or coefficient != 1 or dim < nest.rows:
                continue
            if nest.extents[dim] % division.divisor == 0 and dim not in places_to_cut(nest, model):
                return dim, division.divisor
    return None


def _mergeable_pair(nest: Nest) -> tuple[int, int] | None:
    """Two dimensions (outer, inner) that are one loop for every access."""
    loops = [d for d in nest.loops if d not in nest.index_dims() and all(d != block.dim for block in nest.blocks)]
    if len(loops) < 2:
        return None
    flats = [access.flat for access in nest.accesses]
    for inner in reversed(loops):
        extent = nest.extents[inner]
        strides = [flat.stride(inner) for flat in flats]
        if None in strides:
            continue
        wanted = [stride * extent for stride in strides if stride is not None]
        for outer in loops:
            if (
                outer != inner
                and nest.reduction[outer] == nest.reduction[inner]
                and [flat.stride(outer) for flat in flats] == wanted
            ):
                return outer, inner
    return None
