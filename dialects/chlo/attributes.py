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

    FIELDS = (
        Field("lhs_batching_dimensions", ()),
        Field("rhs_batching_dimensions", ()),
        Field("lhs_contracting_dimensions", ()),
        Field("rhs_contracting_dimensions", ()),
        Field("lhs_ragged_dimensions", ()),
        Field("rhs_group_dimensions", ()),
    )

    @property
    def lhs_batching_dimensions(self) -> Dims:
        return self.data[0]

    @property
    def rhs_batching_dimensions(self) -> Dims:
        return self.data[1]

    @property
    def lhs_contracting_dimensions(self) -> Dims:
        return self.data[2]

    @property
    def rhs_contracting_dimensions(self) -> Dims:
        return self.data[3]

    @property
    def lhs_ragged_dimensions(self) -> Dims:
        return self.data[4]

    @property
    def rhs_group_dimensions(self) -> Dims:
        return self.data[5]


ATTRIBUTES: list[type[Attribute]] = [
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    PrecisionAttr,
    RaggedDotDimensionNumbersAttr,
]
