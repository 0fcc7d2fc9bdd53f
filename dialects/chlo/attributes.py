"""The attributes of CHLO."""

from __future__ import annotations

from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    irdl_attr_definition,
)

from ..stablehlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    Dims,
    Field,
    Precision,
    StructAttr,
)

Value = SSAValue | Operation


@irdl_attr_definition
class ComparisonDirectionAttr(EnumAttribute[ComparisonDirection], SpacedOpaqueSyntaxAttribute):
    name = "chlo.comparison_direction"


@irdl_attr_definition
class ComparisonTypeAttr(EnumAttribute[ComparisonType], SpacedOpaqueSyntaxAttribute):
    name = "chlo.comparison_type"


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    name = "chlo.precision"


@irdl_attr_definition
class RaggedDotDimensionNumbersAttr(StructAttr):
    """The dimensions of a `ragged_dot`: those of a `dot_general`, the ragged one of lhs and the group one of rhs."""

    name = "chlo.ragged_dot"

    lhs_batching_dimensions = Field[Dims](())
    rhs_batching_dimensions = Field[Dims](())
    lhs_contracting_dimensions = Field[Dims](())
    rhs_contracting_dimensions = Field[Dims](())
    lhs_ragged_dimensions = Field[Dims](())
    rhs_group_dimensions = Field[Dims](())


ATTRIBUTES: list[type[Attribute]] = [
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    PrecisionAttr,
    RaggedDotDimensionNumbersAttr,
]
