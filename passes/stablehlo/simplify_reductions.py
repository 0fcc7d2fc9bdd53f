"""Patterns of `stablehlo-simplify` for `reduce`: dimensions of size 1 are not reduced.

The specification lets an implementation use the initial value any number of times, so it has to be
neutral anyway; it is left out where it is a constant known to be neutral for the combiner.
"""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo import fold_elementwise
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.regions import single_op
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import tensor
from ...ir.tensors import int_array, ints


@pattern
def reduce_fewer(op: stablehlo.ReduceOp, rewriter: Rewriter) -> Replacement:
    """Some of the reduced dimensions are of size 1: reshape the operands first."""
    count = len(op.results)
    inputs, inits = op.operands[:count], op.operands[count:]
    shape, dims = shape_of(inputs[0]), ints(op, "dimensions")
    unit = {dim for dim in dims if shape[dim] == 1}
    if dims and not unit:
        return None
    if len(unit) == len(dims) and not is_neutral(op):
        return None
    kept = [dim for dim in range(len(shape)) if dim not in unit]
    smaller = [tensor(x, rewriter).reshape([shape[dim] for dim in kept]).value for x in inputs]
    if len(unit) == len(dims):
        return smaller
    reduced = [position for position, dim in enumerate(kept) if dim in dims]
    new_op = stablehlo.ReduceOp.create(
        operands=(*smaller, *inits),
        result_types=[result.type for result in op.results],
        properties={**op.properties, "dimensions": int_array(reduced)},
        regions=[op.detach_region(0)],
    )
    rewriter.insert(new_op)
    return new_op.results


def is_neutral(op: stablehlo.ReduceOp) -> bool:
    """Whether the combiner is one commutative op on its arguments and the initial value neutral."""
    element_type, init = element_type_of(op.results[0]), splat_of(op.operands[-1])
    if len(op.operands) != 2 or element_type_of(op.operands[0]) != element_type or init is None:
        return False
    first = single_op(op.body)
    return first is not None and fold_elementwise.is_neutral(type(first), element_type, init)
