"""Sums of vectors together with the errors of their additions.

Knuth's two-sum; see Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005. Where a
reduction is done in many chunks, the sums of the chunks are added up so: one chain of additions would be as far off as
the root of their number.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, StringAttr, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.editing import new_op
from ....dialects.shared_attributes import i64_attribute, vector_type
from ....dialects.xrt import LanewiseOp
from .affine_builder import AffineBuilder

STRICT: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
"""The properties of an addition that is done as it stands."""

_ORDERED_AND_NOT_EQUAL: dict[str, Attribute] = {
    "predicate": i64_attribute(arith.CMPF_COMPARISON_OPERATIONS.index("one")),
    **STRICT,
}


def two_sum(builder: AffineBuilder, total: SSAValue, term: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The sum of two vectors of floats, and what it differs by from the exact sum."""
    new = _apply(builder, arith.AddfOp, total, term)
    added = _apply(builder, arith.SubfOp, new, total)
    kept = _apply(builder, arith.SubfOp, new, added)
    of_total, of_term = _apply(builder, arith.SubfOp, total, kept), _apply(builder, arith.SubfOp, term, added)
    return new, _apply(builder, arith.AddfOp, of_total, of_term)


def with_error(builder: AffineBuilder, total: SSAValue, error: SSAValue) -> SSAValue:
    """The sum of both, where there is an error: that of an infinite sum is not a number, and a zero keeps its sign."""
    type = cast(VectorType[Any], total.type)
    mask = vector_type(i1, type.element_count())
    zero = builder.constant(DenseIntOrFPElementsAttr.from_list(type, [0.0]), type)
    is_error = _lanewise(builder, arith.CmpfOp, [error, zero], mask, _ORDERED_AND_NOT_EQUAL)
    corrected = _apply(builder, arith.AddfOp, total, error)
    return _lanewise(builder, arith.SelectOp, [is_error, corrected, total], type, {})


def _apply(builder: AffineBuilder, op: type[Operation], left: SSAValue, right: SSAValue) -> SSAValue:
    return builder.add(new_op(op, operands=[left, right], result_types=[left.type], properties=dict(STRICT)))


def _lanewise(
    builder: AffineBuilder,
    op: type[Operation],
    operands: list[SSAValue],
    type: Attribute,
    options: dict[str, Attribute],
) -> SSAValue:
    properties: dict[str, Attribute] = {"op": StringAttr(op.name), "options": DictionaryAttr(options)}
    return builder.add(new_op(LanewiseOp, operands=operands, result_types=[type], properties=properties))
