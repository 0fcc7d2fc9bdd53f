"""Sums of vectors with the errors of their additions (`ir/compensated_sums.py`).

Where a reduction is done in many chunks, the sums of the chunks are added up so: the error of one chain of additions
would grow as the root of their number.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, StringAttr, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import i64_attribute, vector_type
from ...dialects.xrt import LanewiseOp
from ...ir import compensated_sums
from ...ir.affine_builder import AffineBuilder

STRICT: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
"""The properties of an addition that is done as it stands."""

_ORDERED_AND_NOT_EQUAL: dict[str, Attribute] = {
    "predicate": i64_attribute(arith.CMPF_COMPARISON_OPERATIONS.index("one")),
    **STRICT,
}


def two_sum(builder: AffineBuilder, total: SSAValue, term: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The sum of two vectors of floats, and what it differs by from the exact sum."""
    return compensated_sums.two_sum(
        total, term, partial(_apply, builder, arith.AddfOp), partial(_apply, builder, arith.SubfOp)
    )


def with_error(builder: AffineBuilder, total: SSAValue, error: SSAValue) -> SSAValue:
    """A vector of sums with their errors."""
    type = cast(VectorType[Any], total.type)

    def is_nonzero(value: SSAValue) -> SSAValue:
        mask = vector_type(i1, type.element_count())
        zero = builder.constant(DenseIntOrFPElementsAttr.from_list(type, [0.0]), type)
        return _lanewise(builder, arith.CmpfOp, [value, zero], mask, _ORDERED_AND_NOT_EQUAL)

    def select(condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        return _lanewise(builder, arith.SelectOp, [condition, yes, no], type, {})

    add = partial(_apply, builder, arith.AddfOp)
    return compensated_sums.with_error(total, error, add, is_nonzero, select)


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
