"""`linalg-transpose-narrow-factors`: a matrix of a few columns that a large one is multiplied by is copied by columns.

A product of many rows by a few columns, such as the scores of ten classes, leaves most of each vector of columns empty.
As dot products of rows of the one by columns of the other it fills vectors along the reduction, if columns are
contiguous too. Here such a factor is copied, which is little beside reading the other one. So is the kernel of a
convolution to a few features, whose places along a row, with all their features, are neighbours in the image too.

Needs level 2 after fusion, which would undo it. Leaves: products of short or few rows, of other numbers than floats of
32 and 64 bits, and factors that are contiguous along the reduction already. Which products those
are is in `decisions/contractions.py`; plain loops compute them then.

    %y = linalg.generic {maps = [(i, j, k) -> (i, k), (i, j, k) -> (k, j), (i, j, k) -> (i, j)]}
        ins(%x, %w : tensor<1024x1024xf32>, tensor<1024x10xf32>) ...

becomes

    %t = linalg.generic {maps = [(j, k) -> (k, j), (j, k) -> (j, k)]} ins(%w : tensor<1024x10xf32>) ...
    %y = linalg.generic {maps = [(i, j, k) -> (i, k), (i, j, k) -> (j, k), (i, j, k) -> (i, j)]}
        ins(%x, %t : tensor<1024x1024xf32>, tensor<10x1024xf32>) ...

Not a pattern pass: level 2 has no driver of patterns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, Float32Type, Float64Type, ModuleOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...ir import structured
from ...ir.affine import linearize, sums_of
from .generic_builder import moved


def _narrow_factor(op: GenericOp, model: CostModel) -> int | None:
    """Which factor of the product `op` is to be copied."""
    if not structured.is_contraction(op) or structured.number_of_inputs(op) != 2:
        return None
    element = structured.element_type(op.operands[0])
    if not isinstance(element, Float32Type | Float64Type):
        return None
    if any(structured.element_type(value) != element for value in op.operands):
        return None
    extents = structured.loop_extents(op)
    if 0 in extents:
        return None
    for number, other in ((1, 0), (0, 1)):
        column = _column(op, number)
        if column is None:
            continue
        columns, steps = extents[column], prod(_steps(op, extents).values())
        matrix = model.matrix(prod(structured.shape_of(op.operands[other])), element.bitwidth)
        rows, run = prod(extents) // (columns * steps), _run(op, number, other, extents)
        if run and model.contractions.are_narrow(rows, columns, steps, run, matrix):
            return number
    return None


def _steps(op: GenericOp, extents: Sequence[int]) -> dict[int, int]:
    """The extents of the dimensions that `op` reduces over."""
    return {dim: extents[dim] for dim, reduces in enumerate(structured.iterators(op)) if reduces}


def _column(op: GenericOp, number: int) -> int | None:
    """The dimension that is contiguous in a factor which has all those that are reduced besides, and no other."""
    *others, last = structured.indexing_maps(op)[number].results or (None,)
    reduced = {dim for dim, reduces in enumerate(structured.iterators(op)) if reduces}
    if not isinstance(last, AffineDimExpr) or last.position in reduced:
        return None
    dims = [expr.position for expr in others if isinstance(expr, AffineDimExpr)]
    plain = all(isinstance(expr, AffineDimExpr | AffineConstantExpr) for expr in others)
    return last.position if plain and len(dims) == len(reduced) and set(dims) == reduced else None


def _run(op: GenericOp, number: int, other: int, extents: Sequence[int]) -> int:
    """The steps of the reduction that are neighbours in factor `other`, in the order of factor `number`; 0 for none."""
    maps = structured.indexing_maps(op)
    flat = linearize(sums_of(maps[other]), structured.shape_of(op.operands[other]))
    dims = [expr.position for expr in maps[number].results[:-1] if isinstance(expr, AffineDimExpr)]
    run = 1
    for dim in reversed(dims):
        if extents[dim] > 1 and flat.stride(dim) != run:
            break
        run *= extents[dim]
    return run if run > 1 else 0


@dataclass(frozen=True)
class LinalgTransposeNarrowFactorsPass(ModulePass):
    """See the module's docstring. `vector_bits` 0 is the host's."""

    name = "linalg-transpose-narrow-factors"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for block in structured.program_blocks(op):
            for inner in list(block.ops):
                if isinstance(inner, GenericOp) and (number := _narrow_factor(inner, model)) is not None:
                    locating.at(inner)
                    _copy_by_columns(inner, number)


def _copy_by_columns(op: GenericOp, number: int) -> None:
    """Replaces a factor of `op` by a copy whose first dimension was the last one."""
    maps, matrix = list(op.indexing_maps.data), op.operands[number]
    access, shape = maps[number].data, structured.shape_of(matrix)
    maps[number] = AffineMapAttr(AffineMap(access.num_dims, 0, (access.results[-1], *access.results[:-1])))
    rank = len(shape)
    turned = AffineMap(rank, 0, tuple(AffineDimExpr((dim + 1) % rank) for dim in range(rank)))
    op.operands[number] = moved(matrix, turned, (shape[-1], *shape[:-1]), op)
    op.properties["indexing_maps"] = ArrayAttr(maps)
