"""Ops with no link between them that walk over the same tensor in the same order: one pass over it does for all.

    %s = linalg.generic {maps (i, j) -> (i, j), (i)} ins(%x) ...   // the sum of each row
    %m = linalg.generic {maps (i, j) -> (i, j), (i)} ins(%x) ...   // the greatest element of each row

XLA calls them siblings, and what becomes of them a multi-output fusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from ....decisions.model import CostModel
from ....dialects.element_sizes import element_bytes
from ....ir import structured
from .rows import dims_of


def streams(op: GenericOp) -> Iterator[tuple[int, SSAValue]]:
    """The inputs of `op`, and their numbers, every element of which is for one iteration of its loops."""
    for index, operand in enumerate(structured.inputs(op)):
        indexing_map = op.indexing_maps.data[index].data
        if len(indexing_map.results) == indexing_map.num_dims and indexing_map.is_projected_permutation():
            yield index, operand


def worth_one_pass(first: GenericOp, second: GenericOp, operand: SSAValue, distance: int, model: CostModel) -> bool:
    """Whether reading `operand` once instead of twice pays for both ops, which are `distance` ops apart."""
    size = element_bytes(structured.element_type(operand)) * prod(structured.shape_of(operand))
    return model.kernels.worth_reading_once(size, _reduces(first) and _reduces(second), distance)


def accesses_of(op: GenericOp, operand: SSAValue) -> list[AffineMap]:
    """How `op` reads `operand` from end to end."""
    return [op.indexing_maps.data[index].data for index, value in streams(op) if value is operand]


def walks(op: GenericOp, operand: SSAValue, order: list[int]) -> set[tuple[int, ...]]:
    """For every such access: the loop, of the loops in `order`, that each dimension of `operand` belongs to."""
    return {tuple(map(order.index, dims_of(access))) for access in accesses_of(op, operand)}


def _reduces(op: GenericOp) -> bool:
    return any(structured.iterators(op))
