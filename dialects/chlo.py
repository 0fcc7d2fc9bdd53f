"""The CHLO dialect: what front ends of StableHLO write beyond it.

Special functions, operations with implicit broadcasting and a few library calls. `chlo-legalize-to-stablehlo` decomposes
them. Text-compatible with upstream's dialect of that name.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Dialect, Operation, Region, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    Commutative,
    ConstantLike,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
)

from .dense_syntax import parse_dense, print_dense
from .stablehlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    Dims,
    Field,
    Precision,
    StructAttr,
)
from .stablehlo.element_types import (
    BooleanOrIntegerTensor,
    BooleanTensor,
    ComplexTensor,
    FloatOrComplexTensor,
    FloatTensor,
    IntegerTensor,
    NumberTensor,
    Tensor,
)
from .stablehlo.property_types import ArrayProperty, BoolProperty, I64ArrayProperty, I64Property
from .stablehlo.regions import verify_signature
from .stablehlo.shapes import (
    compatible_dims,
    compatible_shapes,
    compatible_types,
    element_type_of,
    join_dims,
    shape_of,
    show,
    show_shape,
    violation,
    with_element_type,
)
from .stablehlo.syntax import (
    FormattedOp,
    FunctionalTypes,
    bool_attr,
    i64_array,
    parse_attr_dict,
    parse_signature,
    print_attr_dict,
    print_signature,
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


class ArrowTypes(FormattedOp, ABC):
    """`: operand types -> result type`, without parentheses."""

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        operands = [parser.parse_type()]
        while parser.parse_optional_punctuation(",") is not None:
            operands.append(parser.parse_type())
        parser.parse_punctuation("->")
        return operands, (parser.parse_type(),)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)


# Functions of one tensor


class UnaryOp(ArrowTypes, ABC):
    """One operand and a result of the same type."""

    operand = operand_def(FloatOrComplexTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute | None = None):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand], result_types=[result_type or self.infer_result_type(operand.type)])

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return operand_type

    def verify_(self) -> None:
        expected = self.infer_result_type(self.operands[0].type)
        if not compatible_types(expected, self.results[0].type):
            violation(self, "type", f"expected result type {expected}, got {self.results[0].type}")


class FloatUnaryOp(UnaryOp, ABC):
    operand = operand_def(FloatTensor)


class FloatPredicateOp(UnaryOp, ABC):
    """One float operand and a result of i1 of the same shape."""

    operand = operand_def(FloatTensor)
    result = result_def(BooleanTensor)

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return with_element_type(operand_type, i1)


@irdl_op_definition
class AcosOp(UnaryOp):
    name = "chlo.acos"


@irdl_op_definition
class AcoshOp(UnaryOp):
    name = "chlo.acosh"


@irdl_op_definition
class AsinAcosKernelOp(UnaryOp):
    """The part that the complex arc sine and arc cosine share."""

    name = "chlo._asin_acos_kernel"
    operand = operand_def(ComplexTensor)


@irdl_op_definition
class AsinOp(UnaryOp):
    name = "chlo.asin"


@irdl_op_definition
class AsinhOp(UnaryOp):
    name = "chlo.asinh"


@irdl_op_definition
class AtanOp(UnaryOp):
    name = "chlo.atan"


@irdl_op_definition
class AtanhOp(UnaryOp):
    name = "chlo.atanh"


@irdl_op_definition
class BesselI1eOp(FloatUnaryOp):
    """The exponentially scaled modified Bessel function of order 1."""

    name = "chlo.bessel_i1e"


@irdl_op_definition
class ConjOp(UnaryOp):
    name = "chlo.conj"
    operand = operand_def(NumberTensor)


@irdl_op_definition
class CoshOp(UnaryOp):
    name = "chlo.cosh"


@irdl_op_definition
class DigammaOp(FloatUnaryOp):
    name = "chlo.digamma"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    name = "chlo.erf"


@irdl_op_definition
class ErfInvOp(FloatUnaryOp):
    name = "chlo.erf_inv"


@irdl_op_definition
class ErfcOp(FloatUnaryOp):
    name = "chlo.erfc"


@irdl_op_definition
class IsInfOp(FloatPredicateOp):
    name = "chlo.is_inf"


@irdl_op_definition
class IsNegInfOp(FloatPredicateOp):
    name = "chlo.is_neg_inf"


@irdl_op_definition
class IsPosInfOp(FloatPredicateOp):
    name = "chlo.is_pos_inf"


@irdl_op_definition
class LgammaOp(FloatUnaryOp):
    name = "chlo.lgamma"


@irdl_op_definition
class SinhOp(UnaryOp):
    name = "chlo.sinh"


@irdl_op_definition
class SquareOp(UnaryOp):
    name = "chlo.square"
    operand = operand_def(Tensor)


@irdl_op_definition
class TanOp(UnaryOp):
    name = "chlo.tan"


# Functions of two tensors of one type


class BinaryOp(ArrowTypes, ABC):
    """Two operands and a result of one type."""

    traits = traits_def(Pure())

    def __init__(self, lhs: Value, rhs: Value):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        lhs, rhs, result = self.operands[0].type, self.operands[1].type, self.results[0].type
        if not (compatible_types(lhs, rhs) and compatible_types(lhs, result)):
            violation(self, "type", f"expected one type, got {show((lhs, rhs))} -> {result}")


@irdl_op_definition
class MulhiOp(BinaryOp):
    """The upper half of the bits of the product."""

    name = "chlo.mulhi"
    lhs = operand_def(IntegerTensor)
    rhs = operand_def(IntegerTensor)
    result = result_def(IntegerTensor)


@irdl_op_definition
class NextAfterOp(BinaryOp):
    """The next number after `x` in the direction of `y`."""

    name = "chlo.next_after"
    x = operand_def(FloatTensor)
    y = operand_def(FloatTensor)
    result = result_def(FloatTensor)


@irdl_op_definition
class PolygammaOp(BinaryOp):
    name = "chlo.polygamma"
    n = operand_def(FloatTensor)
    x = operand_def(FloatTensor)
    result = result_def(FloatTensor)


@irdl_op_definition
class ZetaOp(BinaryOp):
    name = "chlo.zeta"
    x = operand_def(FloatTensor)
    q = operand_def(FloatTensor)
    result = result_def(FloatTensor)


# Operations with implicit broadcasting


def broadcast_shape(op: Operation, *shapes: Sequence[int]) -> tuple[int, ...]:
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
        result_type: Attribute,
        broadcast_dimensions: Sequence[int] | None = None,
    ):
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

    def verify_(self) -> None:
        lhs, rhs = shape_of(self.operands[0]), shape_of(self.operands[1])
        element = element_type_of(self.operands[0])
        if element != element_type_of(self.operands[1]):
            violation(self, "type", f"expected one element type, got {show(self.operand_types)}")
        dims = self.properties.get("broadcast_dimensions")
        if isinstance(dims, DenseArrayBase) and len(lhs) != len(rhs):
            small, large = sorted((lhs, rhs), key=len)
            places = dims.get_values()
            if len(places) != len(small) or any(not 0 <= p < len(large) for p in places):
                violation(
                    self,
                    "broadcast",
                    f"broadcast_dimensions {list(places)} for ranks {len(lhs)} and {len(rhs)}",
                )
            aligned = [1] * len(large)
            for place, size in zip(places, small, strict=True):
                aligned[int(place)] = size
            lhs, rhs = large, tuple(aligned)
        expected = broadcast_shape(self, lhs, rhs)
        result = shape_of(self.results[0])
        if not compatible_shapes(expected, result):
            violation(
                self,
                "broadcast",
                f"expected result shape {show_shape(expected)}, got {show_shape(result)}",
            )
        expected_element = self.infer_element_type(element)
        if element_type_of(self.results[0]) != expected_element:
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
    lhs = operand_def(FloatTensor)
    rhs = operand_def(FloatTensor)


@irdl_op_definition
class BroadcastAddOp(CommutativeBroadcastOp):
    name = "chlo.broadcast_add"


@irdl_op_definition
class BroadcastAndOp(LogicalBroadcastOp):
    name = "chlo.broadcast_and"


@irdl_op_definition
class BroadcastAtan2Op(BroadcastBinaryOp):
    name = "chlo.broadcast_atan2"


@irdl_op_definition
class BroadcastComplexOp(FloatBroadcastOp):
    name = "chlo.broadcast_complex"

    @classmethod
    def infer_element_type(cls, operand: Attribute) -> Attribute:
        return ComplexType(operand)  # pyright: ignore[reportArgumentType]


@irdl_op_definition
class BroadcastDivOp(BroadcastBinaryOp):
    name = "chlo.broadcast_divide"


@irdl_op_definition
class BroadcastMaxOp(CommutativeBroadcastOp):
    name = "chlo.broadcast_maximum"


@irdl_op_definition
class BroadcastMinOp(CommutativeBroadcastOp):
    name = "chlo.broadcast_minimum"


@irdl_op_definition
class BroadcastMulOp(CommutativeBroadcastOp):
    name = "chlo.broadcast_multiply"


@irdl_op_definition
class BroadcastNextAfterOp(FloatBroadcastOp):
    name = "chlo.broadcast_next_after"


@irdl_op_definition
class BroadcastOrOp(LogicalBroadcastOp):
    name = "chlo.broadcast_or"


@irdl_op_definition
class BroadcastPolygammaOp(FloatBroadcastOp):
    name = "chlo.broadcast_polygamma"


@irdl_op_definition
class BroadcastPowOp(BroadcastBinaryOp):
    name = "chlo.broadcast_power"


@irdl_op_definition
class BroadcastRemOp(BroadcastBinaryOp):
    name = "chlo.broadcast_remainder"


@irdl_op_definition
class BroadcastShiftLeftOp(BroadcastBinaryOp):
    name = "chlo.broadcast_shift_left"


@irdl_op_definition
class BroadcastShiftRightArithmeticOp(BroadcastBinaryOp):
    name = "chlo.broadcast_shift_right_arithmetic"


@irdl_op_definition
class BroadcastShiftRightLogicalOp(BroadcastBinaryOp):
    name = "chlo.broadcast_shift_right_logical"


@irdl_op_definition
class BroadcastSubOp(BroadcastBinaryOp):
    name = "chlo.broadcast_subtract"


@irdl_op_definition
class BroadcastXorOp(LogicalBroadcastOp):
    name = "chlo.broadcast_xor"


@irdl_op_definition
class BroadcastZetaOp(FloatBroadcastOp):
    name = "chlo.broadcast_zeta"


@irdl_op_definition
class BroadcastCompareOp(BroadcastBinaryOp):
    name = "chlo.broadcast_compare"

    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)

    @classmethod
    def infer_element_type(cls, operand: Attribute) -> Attribute:
        return i1


@irdl_op_definition
class BroadcastSelectOp(FunctionalTypes):
    """`stablehlo.select` whose operands broadcast."""

    name = "chlo.broadcast_select"

    pred = operand_def(BooleanTensor)
    on_true = operand_def(Tensor)
    on_false = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, pred: Value, on_true: Value, on_false: Value, result_type: Attribute):
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


# Constants and library calls


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A tensor known at compile time."""

    name = "chlo.constant"

    value = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(Tensor)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parse_attr_dict(parser, cls, {})
        value = parse_dense(parser)
        return cls.create(result_types=(value.type,), properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attr_dict(printer, self, ("value",))
        printer.print_string(" ")
        print_dense(printer, self.value)


@irdl_op_definition
class ConstantLikeOp(IRDLOperation):
    """A tensor of the shape of `operand` filled with one value."""

    name = "chlo.constant_like"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    value = prop_def(IntegerAttr | FloatAttr)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, value: IntegerAttr | FloatAttr):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[with_element_type(operand.type, value.type)],
            properties={"value": value},
        )

    def verify_(self) -> None:
        value = self.value
        assert isinstance(value, IntegerAttr | FloatAttr)
        expected = with_element_type(self.operand.type, value.type)
        if not compatible_types(expected, self.result.type):
            violation(self, "type", f"expected result type {expected}, got {self.result.type}")


@irdl_op_definition
class TopKOp(IRDLOperation):
    """The `k` largest elements of the last dimension in descending order, and their indices."""

    name = "chlo.top_k"

    operand = operand_def(Tensor)
    values = result_def(Tensor)
    indices = result_def(Tensor)
    k = prop_def(I64Property)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, k: int):
        operand = SSAValue.get(operand)
        shape = (*shape_of(operand)[:-1], k)
        super().__init__(
            operands=[operand],
            result_types=[TensorType(element_type_of(operand), shape), TensorType(i32, shape)],
            properties={"k": IntegerAttr(k, i64)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> TopKOp:
        parser.parse_punctuation("(")
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        parser.parse_keyword("k")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {"k": IntegerAttr(parser.parse_integer(), i64)}
        parser.parse_punctuation(")")
        attributes = parse_attr_dict(parser, cls, properties)
        parser.parse_punctuation(":")
        operand_type = parser.parse_type()
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        return cls.create(
            operands=(parser.resolve_operand(operand, operand_type),),
            result_types=results,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.operand)
        printer.print_string(f", k = {self.k.value.data})")
        print_attr_dict(printer, self, ("k",))
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> (")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(")")

    def verify_(self) -> None:
        shape, k = shape_of(self.operand), self.k.value.data
        if not shape:
            violation(self, "rank", f"expected at least one dimension, got {self.operand.type}")
        if k < 0 or (shape[-1] != DYNAMIC_INDEX and k > shape[-1]):
            violation(self, "k", f"k = {k} of a last dimension of size {shape[-1]}")
        expected = (*shape[:-1], k)
        element = element_type_of(self.operand)
        for value, element_type in ((self.values, element), (self.indices, i32)):
            if not compatible_types(TensorType(element_type, expected), value.type):
                violation(
                    self,
                    "type",
                    f"expected result type {TensorType(element_type, expected)}, got {value.type}",
                )


@irdl_op_definition
class RaggedDotOp(IRDLOperation):
    """A matrix product of which one dimension falls into groups of sizes `group_sizes`."""

    name = "chlo.ragged_dot"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    group_sizes = operand_def(IntegerTensor)
    result = result_def(Tensor)
    ragged_dot_dimension_numbers = prop_def(RaggedDotDimensionNumbersAttr)
    precision_config = opt_prop_def(ArrayProperty)

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        group_sizes: Value,
        ragged_dot_dimension_numbers: RaggedDotDimensionNumbersAttr,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[lhs, rhs, group_sizes],
            result_types=[result_type],
            properties={"ragged_dot_dimension_numbers": ragged_dot_dimension_numbers},
        )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Runs `body` along one dimension of the inputs, carrying values on and collecting outputs."""

    name = "chlo.scan"

    inputs = var_operand_def(Tensor)
    inits = var_operand_def(Tensor)
    outputs = var_result_def(Tensor)
    carries = var_result_def(Tensor)
    dimension = prop_def(I64Property)
    scan_dim_size = opt_prop_def(I64Property)
    is_reverse = opt_prop_def(BoolProperty)
    is_associative = opt_prop_def(BoolProperty)
    body = region_def()

    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )
    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        inits: Sequence[Value],
        dimension: int,
        body: Region,
        output_types: Sequence[Attribute],
        is_reverse: bool = False,
    ):
        carried = [SSAValue.get(value) for value in inits]
        super().__init__(
            operands=[inputs, carried],
            result_types=[output_types, [value.type for value in carried]],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "is_reverse": bool_attr(is_reverse),
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        position = parser.pos
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        parser.parse_keyword("inits")
        inits = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        parser.parse_keyword("dimension")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {"dimension": IntegerAttr(parser.parse_integer(), i64)}
        attributes = parse_attr_dict(parser, cls, properties, keyword=True)
        body = parser.parse_region()
        parser.parse_punctuation(":")
        input_types, output_types = parse_signature(parser)
        carries = len(inits)
        for name, sizes in (
            ("operandSegmentSizes", (len(inputs), carries)),
            ("resultSegmentSizes", (len(output_types) - carries, carries)),
        ):
            properties[name] = DenseArrayBase.from_list(i32, sizes)
        return cls.create(
            operands=parser.resolve_operands(inputs + inits, input_types, position),
            result_types=output_types,
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.inputs)
        printer.print_string(" inits ")
        printer.print_operands(self.inits)
        printer.print_string(f" dimension={self.dimension.value.data}")
        shown = ("dimension", "operandSegmentSizes", "resultSegmentSizes")
        print_attr_dict(printer, self, shown, keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_signature(printer, self)

    def verify_(self) -> None:
        dim = self.dimension.value.data
        for values in (self.inputs, self.outputs):
            for value in values:
                if not 0 <= dim < len(shape_of(value)):
                    violation(self, "dimension", f"dimension {dim} of {value.type}")
        if not self.inputs and not self.outputs:
            violation(self, "inputs", "expected at least one input or output")
        slices = [self._slice_type(value, dim) for value in self.inputs]
        expected = [*slices, *(value.type for value in self.inits)]
        outputs = [self._slice_type(value, dim) for value in self.outputs]
        verify_signature(self, "body", self.body, "body", expected, [*outputs, *(v.type for v in self.carries)])

    @staticmethod
    def _slice_type(value: SSAValue, dim: int) -> Attribute:
        shape = list(shape_of(value))
        del shape[dim]
        return TensorType(element_type_of(value), shape)


OPS: list[type[Operation]] = [
    value
    for value in list(globals().values())
    if isinstance(value, type)
    and issubclass(value, Operation)
    and value.__module__ == __name__
    and "name" in vars(value)
]

ATTRIBUTES: list[type[Attribute]] = [
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    PrecisionAttr,
    RaggedDotDimensionNumbersAttr,
]

CHLO = Dialect("chlo", OPS, ATTRIBUTES)
