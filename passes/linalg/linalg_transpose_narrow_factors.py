"""`linalg-transpose-narrow-factors`: a matrix of a few columns that a large one is multiplied by is copied by columns.

A product of many rows by a few columns, such as the scores of ten classes, leaves most of each vector of columns empty.
As dot products of rows of the one by columns of the other it fills vectors along the reduction, if columns are
contiguous too. Here such a factor is copied, which is little beside reading the other one.

Needs level 2 after fusion, which would undo it. Leaves: products of short or few rows, of several reductions, of other
numbers than floats of 32 and 64 bits, and factors that are contiguous along the reduction already. Which products those
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

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, Float32Type, Float64Type, ModuleOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...ir import structured
from .generic_builder import moved

_TURNED = AffineMap(2, 0, (AffineDimExpr(1), AffineDimExpr(0)))


def _narrow_factor(op: GenericOp, model: CostModel) -> int | None:
    """Which factor of the product `op` is to be copied."""
    if not structured.is_contraction(op) or structured.number_of_inputs(op) != 2:
        return None
    element = structured.element_type(op.operands[0])
    if not isinstance(element, Float32Type | Float64Type):
        return None
    if any(structured.element_type(value) != element for value in op.operands):
        return None
    reductions = [dim for dim, reduces in enumerate(structured.iterators(op)) if reduces]
    if len(reductions) != 1:
        return None
    step, extents = AffineDimExpr(reductions[0]), structured.loop_extents(op)
    if 0 in extents:
        return None
    maps = structured.indexing_maps(op)
    for number, other in ((1, 0), (0, 1)):
        narrow, wide = maps[number].results, maps[other].results
        if len(narrow) != 2 or narrow[0] != step or wide[-1] != step or not isinstance(narrow[1], AffineDimExpr):
            continue
        columns, steps = extents[narrow[1].position], extents[reductions[0]]
        rows, bits, target = prod(extents) // (columns * steps), element.bitwidth, model.target
        if model.contractions.are_narrow(rows, columns, steps, bits // 8, target.lanes(bits), target.l1_bytes):
            return number
    return None


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
                    maps = list(inner.indexing_maps.data)
                    access = maps[number].data
                    maps[number] = AffineMapAttr(AffineMap(access.num_dims, 0, tuple(reversed(access.results))))
                    matrix = inner.operands[number]
                    rows, columns = structured.shape_of(matrix)
                    inner.operands[number] = moved(matrix, _TURNED, (columns, rows), inner)
                    inner.properties["indexing_maps"] = ArrayAttr(maps)
