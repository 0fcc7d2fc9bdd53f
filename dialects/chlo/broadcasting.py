"""Operations of StableHLO with implicit broadcasting of their operands."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ComplexType,
    DenseArrayBase,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    Commutative,
    Pure,
)

from ..stablehlo.bounds import inferred_type
from ..stablehlo.element_types import (
    BooleanOrIntegerTensor,
    BooleanTensor,
    PlainFloatTensor,
    Tensor,
)
from ..stablehlo.property_types import I64ArrayProperty
from ..stablehlo.shapes import (
    Shape,
    compatible_dims,
    compatible_element_types,
    compatible_shapes,
    element_type_of,
    join_dims,
    shape_of,
    show,
    show_shape,
    violation,
)
from ..stablehlo.syntax import (
    FunctionalTypes,
    i64_array,
)
from .attributes import ComparisonDirectionAttr, ComparisonTypeAttr

Value = SSAValue | Operation


def broadcast_shape(op: Operation | type[Operation], *shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape of operands aligned at their last dimension, sizes of 1 repeated."""
    rank = max(map(len, shapes))
    result: list[int] = []
    for dims in zip(*[(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes], strict=True):
        sizes = [dim for dim in dims if dim != 1] or [1]
        size = join_dims(sizes)
        if not all(compatible_dims(size, dim) for dim in sizes):
            violation(op, "broadcast", f"shapes {', '.join(map(show_shape, shapes))} do not fit")
        result.append(size)
    return tuple(result)


class BroadcastBinaryOp(FunctionalTypes, ABC):
    """A binary operation whose operands broadcast; `broadcast_dimensions` places the one of lower rank."""

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
    broadcast_dimensions = opt_prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        result_type: Attribute | None = None,
        broadcast_dimensions: Sequence[int] | None = None,
    ):
        if result_type is None:
            result_type = self.infer_result_type(SSAValue.get(lhs), SSAValue.get(rhs), broadcast_dimensions)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={
                "broadcast_dimensions": None if broadcast_dimensions is None else i64_array(broadcast_dimensions)
            },
        )

    @classmethod
    def infer_element_type(cls, operand: Attribute) -> Attribute:
        return operand

    @classmethod
    def infer_result_type(cls, lhs: SSAValue, rhs: SSAValue, broadcast_dimensions: Sequence[int] | None) -> Attribute:
        element_type = cls.infer_element_type(element_type_of(lhs))
        return inferred_type(element_type, lambda lhs, rhs: cls.common_shape(lhs, rhs, broadcast_dimensions), lhs, rhs)

    @classmethod
    def common_shape(cls, lhs: Shape, rhs: Shape, places: Sequence[int] | None) -> Shape:
        """That of the result, the operand of lower rank standing at `places`."""
        if places is not None and len(lhs) != len(rhs):
            small, large = sorted((lhs, rhs), key=len)
            if len(places) != len(small) or any(not 0 <= p < len(large) for p in places):
                violation(
                    cls,
                    "broadcast",
                    f"broadcast_dimensions {list(places)} for ranks {len(lhs)} and {len(rhs)}",
                )
            aligned = [1] * len(large)
            for place, size in zip(places, small, strict=True):
                aligned[int(place)] = size
            lhs, rhs = large, tuple(aligned)
        return broadcast_shape(cls, lhs, rhs)

    def verify_(self) -> None:
        lhs, rhs = shape_of(self.operands[0]), shape_of(self.operands[1])
        element = element_type_of(self.operands[0])
        if not compatible_element_types(element, element_type_of(self.operands[1])):
            violation(self, "type", f"expected one element type, got {show(self.operand_types)}")
        dims = self.properties.get("broadcast_dimensions")
        places = [int(place) for place in dims.get_values()] if isinstance(dims, DenseArrayBase) else None
        expected = self.common_shape(lhs, rhs, places)
        result = shape_of(self.results[0])
        if not compatible_shapes(expected, result):
            violation(
                self,
                "broadcast",
                f"expected result shape {show_shape(expected)}, got {show_shape(result)}",
            )
        expected_element = self.infer_element_type(element)
        if not compatible_element_types(element_type_of(self.results[0]), expected_element):
            violation(
                self,
                "type",
                f"expected result elements {expected_element}, got {self.results[0].type}",
            )


class CommutativeBroadcastOp(BroadcastBinaryOp, ABC):
    traits = traits_def(Commutative())


class LogicalBroadcastOp(CommutativeBroadcastOp, ABC):
    lhs = operand_def(BooleanOrIntegerTensor)
    rhs = operand_def(BooleanOrIntegerTensor)


class FloatBroadcastOp(BroadcastBinaryOp, ABC):
    lhs = operand_def(PlainFloatTensor)
    rhs = operand_def(PlainFloatTensor)


@irdl_op_definition
class BroadcastAddOp(CommutativeBroadcastOp):
    """`stablehlo.add` of operands that broadcast.

    `lhs`, `rhs`: one element type, any; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_add"


@irdl_op_definition
class BroadcastAndOp(LogicalBroadcastOp):
    """`stablehlo.and` of operands that broadcast.

    `lhs`, `rhs`: one element type, i1 or integer; `broadcast_dimensions` places the one of lower rank, by default at
    the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_and"


@irdl_op_definition
class BroadcastAtan2Op(BroadcastBinaryOp):
    """`stablehlo.atan2` of operands that broadcast.

    `lhs`, `rhs`: one element type, float or complex; `broadcast_dimensions` places the one of lower rank, by default at
    the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_atan2"


@irdl_op_definition
class BroadcastComplexOp(FloatBroadcastOp):
    """`stablehlo.complex` of operands that broadcast.

    `lhs`, `rhs`: one element type, f32 or f64; `broadcast_dimensions` places the one of lower rank, by default at the
    last dimensions; sizes of 1 are repeated. `result`: their common shape, complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_complex"

    @classmethod
    def infer_element_type(cls, operand: Attribute) -> Attribute:
        return ComplexType(operand)  # pyright: ignore[reportArgumentType]


@irdl_op_definition
class BroadcastDivOp(BroadcastBinaryOp):
    """`stablehlo.divide` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer, float or complex; `broadcast_dimensions` places the one of lower rank, by
    default at the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream:
    ChloOps.td.
    """

    name = "chlo.broadcast_divide"


@irdl_op_definition
class BroadcastMaxOp(CommutativeBroadcastOp):
    """`stablehlo.maximum` of operands that broadcast.

    `lhs`, `rhs`: one element type, any; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_maximum"


@irdl_op_definition
class BroadcastMinOp(CommutativeBroadcastOp):
    """`stablehlo.minimum` of operands that broadcast.

    `lhs`, `rhs`: one element type, any; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_minimum"


@irdl_op_definition
class BroadcastMulOp(CommutativeBroadcastOp):
    """`stablehlo.multiply` of operands that broadcast.

    `lhs`, `rhs`: one element type, any; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_multiply"


@irdl_op_definition
class BroadcastNextAfterOp(FloatBroadcastOp):
    """`chlo.next_after` of operands that broadcast.

    `lhs`, `rhs`: one element type, float; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_next_after"


@irdl_op_definition
class BroadcastOrOp(LogicalBroadcastOp):
    """`stablehlo.or` of operands that broadcast.

    `lhs`, `rhs`: one element type, i1 or integer; `broadcast_dimensions` places the one of lower rank, by default at
    the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_or"


@irdl_op_definition
class BroadcastPolygammaOp(FloatBroadcastOp):
    """`chlo.polygamma` of operands that broadcast.

    `lhs`, `rhs`: one element type, float; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_polygamma"


@irdl_op_definition
class BroadcastPowOp(BroadcastBinaryOp):
    """`stablehlo.power` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer, float or complex; `broadcast_dimensions` places the one of lower rank, by
    default at the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream:
    ChloOps.td.
    """

    name = "chlo.broadcast_power"


@irdl_op_definition
class BroadcastRemOp(BroadcastBinaryOp):
    """`stablehlo.remainder` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer, float or complex; `broadcast_dimensions` places the one of lower rank, by
    default at the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream:
    ChloOps.td.
    """

    name = "chlo.broadcast_remainder"


@irdl_op_definition
class BroadcastShiftLeftOp(BroadcastBinaryOp):
    """`stablehlo.shift_left` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_shift_left"


@irdl_op_definition
class BroadcastShiftRightArithmeticOp(BroadcastBinaryOp):
    """`stablehlo.shift_right_arithmetic` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_shift_right_arithmetic"


@irdl_op_definition
class BroadcastShiftRightLogicalOp(BroadcastBinaryOp):
    """`stablehlo.shift_right_logical` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_shift_right_logical"


@irdl_op_definition
class BroadcastSubOp(BroadcastBinaryOp):
    """`stablehlo.subtract` of operands that broadcast.

    `lhs`, `rhs`: one element type, integer, float or complex; `broadcast_dimensions` places the one of lower rank, by
    default at the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream:
    ChloOps.td.
    """

    name = "chlo.broadcast_subtract"


@irdl_op_definition
class BroadcastXorOp(LogicalBroadcastOp):
    """`stablehlo.xor` of operands that broadcast.

    `lhs`, `rhs`: one element type, i1 or integer; `broadcast_dimensions` places the one of lower rank, by default at
    the last dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_xor"


@irdl_op_definition
class BroadcastZetaOp(FloatBroadcastOp):
    """`chlo.zeta` of operands that broadcast.

    `lhs`, `rhs`: one element type, float; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, the same elements. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_zeta"


@irdl_op_definition
class BroadcastCompareOp(BroadcastBinaryOp):
    """`stablehlo.compare` of operands that broadcast.

    `lhs`, `rhs`: one element type, any; `broadcast_dimensions` places the one of lower rank, by default at the last
    dimensions; sizes of 1 are repeated. `result`: their common shape, elements i1. Upstream: ChloOps.td.
    """

    name = "chlo.broadcast_compare"

    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)

    @classmethod
    def infer_element_type(cls, operand: Attribute) -> Attribute:
        return i1


@irdl_op_definition
class BroadcastSelectOp(FunctionalTypes):
    """`stablehlo.select` of operands that broadcast, aligned at their last dimensions.

    `pred`: i1; `on_true`, `on_false`: one element type. `result`: their common shape, sizes of 1 repeated. Upstream:
    ChloOps.td.
    """

    name = "chlo.broadcast_select"

    pred = operand_def(BooleanTensor)
    on_true = operand_def(Tensor)
    on_false = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, pred: Value, on_true: Value, on_false: Value, result_type: Attribute | None = None):
        if result_type is None:
            values = [SSAValue.get(value) for value in (pred, on_true, on_false)]
            element_type = element_type_of(values[1])
            result_type = inferred_type(element_type, lambda *shapes: broadcast_shape(type(self), *shapes), *values)
        super().__init__(operands=[pred, on_true, on_false], result_types=[result_type])

    def verify_(self) -> None:
        if element_type_of(self.on_true) != element_type_of(self.on_false):
            violation(self, "type", f"expected one element type, got {show(self.operand_types)}")
        expected = broadcast_shape(self, *(shape_of(value) for value in self.operands))
        if not compatible_shapes(expected, shape_of(self.result)):
            violation(
                self,
                "broadcast",
                f"expected result shape {show_shape(expected)}, got {self.result.type}",
            )
