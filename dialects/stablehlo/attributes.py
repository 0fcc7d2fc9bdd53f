"""The types and attributes of StableHLO.

Structured attributes keep plain Python values: `dims.offset_dims` is a tuple of ints. Their text form is that of
upstream's dialect, fields with an empty or zero value left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, TensorType
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import (
    Attribute,
    Data,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from .conv_dimensions import ConvDimensions, parse_conv_dimensions, print_conv_dimensions
from .struct_attribute import Dims, Field, StructAttr, parse_dim


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.token`: orders operations with side effects."""

    name = "stablehlo.token"


@irdl_attr_definition
class FutureType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.future<types>`: the pending results of an `async_start`."""

    name = "stablehlo.future"

    types: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        types = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_type)
        return (ArrayAttr(types),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.types.data, printer.print_attribute)

    def verify(self) -> None:
        for type in self.types.data:
            if not isinstance(type, TensorType):
                raise VerifyException(f"{self.name}: expected ranked tensors, got {type}")


# Enumerations


class ComparisonDirection(StrEnum):
    EQ = "EQ"
    NE = "NE"
    GE = "GE"
    GT = "GT"
    LE = "LE"
    LT = "LT"


class ComparisonType(StrEnum):
    NOTYPE = "NOTYPE"
    FLOAT = "FLOAT"
    TOTALORDER = "TOTALORDER"
    WEAKORDER = "WEAKORDER"
    SIGNED = "SIGNED"
    UNSIGNED = "UNSIGNED"


class Precision(StrEnum):
    DEFAULT = "DEFAULT"
    HIGH = "HIGH"
    HIGHEST = "HIGHEST"


class FftType(StrEnum):
    FFT = "FFT"
    IFFT = "IFFT"
    RFFT = "RFFT"
    IRFFT = "IRFFT"


class Transpose(StrEnum):
    TRANSPOSE_INVALID = "TRANSPOSE_INVALID"
    NO_TRANSPOSE = "NO_TRANSPOSE"
    TRANSPOSE = "TRANSPOSE"
    ADJOINT = "ADJOINT"


class RngDistribution(StrEnum):
    UNIFORM = "UNIFORM"
    NORMAL = "NORMAL"


class RngAlgorithm(StrEnum):
    DEFAULT = "DEFAULT"
    THREE_FRY = "THREE_FRY"
    PHILOX = "PHILOX"


class ResultAccuracyMode(StrEnum):
    DEFAULT = "DEFAULT"
    HIGHEST = "HIGHEST"
    TOLERANCE = "TOLERANCE"


@irdl_attr_definition
class ComparisonDirectionAttr(EnumAttribute[ComparisonDirection], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.comparison_direction"


@irdl_attr_definition
class ComparisonTypeAttr(EnumAttribute[ComparisonType], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.comparison_type"


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.precision"


@irdl_attr_definition
class FftTypeAttr(EnumAttribute[FftType], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.fft_type"


@irdl_attr_definition
class TransposeAttr(EnumAttribute[Transpose], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.transpose"


@irdl_attr_definition
class RngDistributionAttr(EnumAttribute[RngDistribution], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.rng_distribution"


@irdl_attr_definition
class RngAlgorithmAttr(EnumAttribute[RngAlgorithm], SpacedOpaqueSyntaxAttribute):
    name = "stablehlo.rng_algorithm"


@irdl_attr_definition
class ResultAccuracyModeAttr(EnumAttribute[ResultAccuracyMode]):
    """`#stablehlo.result_accuracy_mode<TOLERANCE>`."""

    name = "stablehlo.result_accuracy_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ResultAccuracyMode:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ResultAccuracyMode)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@irdl_attr_definition
class DotDimensionNumbersAttr(StructAttr):
    name = "stablehlo.dot"

    lhs_batching_dimensions = Field[Dims](())
    rhs_batching_dimensions = Field[Dims](())
    lhs_contracting_dimensions = Field[Dims](())
    rhs_contracting_dimensions = Field[Dims](())


@irdl_attr_definition
class GatherDimensionNumbersAttr(StructAttr):
    name = "stablehlo.gather"

    offset_dims = Field[Dims](())
    collapsed_slice_dims = Field[Dims](())
    operand_batching_dims = Field[Dims](())
    start_indices_batching_dims = Field[Dims](())
    start_index_map = Field[Dims](())
    index_vector_dim = Field[int](0)


@irdl_attr_definition
class ScatterDimensionNumbersAttr(StructAttr):
    name = "stablehlo.scatter"

    update_window_dims = Field[Dims](())
    inserted_window_dims = Field[Dims](())
    input_batching_dims = Field[Dims](())
    scatter_indices_batching_dims = Field[Dims](())
    scatter_dims_to_operand_dims = Field[Dims](())
    index_vector_dim = Field[int](0)


@irdl_attr_definition
class DotAlgorithmAttr(StructAttr):
    name = "stablehlo.dot_algorithm"

    lhs_precision_type = Field[Attribute](None, required=True)
    rhs_precision_type = Field[Attribute](None, required=True)
    accumulation_type = Field[Attribute](None, required=True)
    lhs_component_count = Field[int](1, required=True)
    rhs_component_count = Field[int](1, required=True)
    num_primitive_operations = Field[int](1, required=True)
    allow_imprecise_accumulation = Field[bool](False, required=True)


@irdl_attr_definition
class ChannelHandleAttr(StructAttr):
    """A channel: `handle` names it, `type` is 1 (device to device), 2 (device to host) or 3 (host to device)."""

    name = "stablehlo.channel_handle"

    handle = Field[int](0, required=True)
    type = Field[int](0, required=True)


@irdl_attr_definition
class OutputOperandAliasAttr(StructAttr):
    """One result of a custom call shares the buffer of one operand."""

    name = "stablehlo.output_operand_alias"

    output_tuple_indices = Field[Dims]((), required=True)
    operand_index = Field[int](0, required=True)
    operand_tuple_indices = Field[Dims]((), required=True)


@irdl_attr_definition
class ResultAccuracyAttr(StructAttr):
    """The accuracy asked of a transcendental function: a mode, or tolerances if the mode is TOLERANCE."""

    name = "stablehlo.result_accuracy"

    atol = Field[float](0.0)
    rtol = Field[float](0.0)
    ulps = Field[int](0)
    mode = Field[ResultAccuracyModeAttr](ResultAccuracyModeAttr(ResultAccuracyMode.DEFAULT), required=True)

    def verify(self) -> None:
        super().verify()
        if self.mode.data != ResultAccuracyMode.TOLERANCE and (self.atol or self.rtol or self.ulps):
            raise VerifyException(f"{self.name}: tolerances need mode TOLERANCE, got mode {self.mode.data}")
        if self.atol < 0 or self.rtol < 0 or self.ulps < 0:
            raise VerifyException(f"{self.name}: negative tolerance")


# Attributes with a syntax of their own


@irdl_attr_definition
class ConvDimensionNumbersAttr(Data[ConvDimensions]):
    """What each dimension of input, kernel and output is: `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`."""

    name = "stablehlo.conv"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ConvDimensions:
        with parser.in_angle_brackets():
            return parse_conv_dimensions(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_conv_dimensions(printer, self.data)

    @property
    def input_batch_dimension(self) -> int:
        return self.data.input_batch_dimension

    @property
    def input_feature_dimension(self) -> int:
        return self.data.input_feature_dimension

    @property
    def input_spatial_dimensions(self) -> Dims:
        return self.data.input_spatial_dimensions

    @property
    def kernel_input_feature_dimension(self) -> int:
        return self.data.kernel_input_feature_dimension

    @property
    def kernel_output_feature_dimension(self) -> int:
        return self.data.kernel_output_feature_dimension

    @property
    def kernel_spatial_dimensions(self) -> Dims:
        return self.data.kernel_spatial_dimensions

    @property
    def output_batch_dimension(self) -> int:
        return self.data.output_batch_dimension

    @property
    def output_feature_dimension(self) -> int:
        return self.data.output_feature_dimension

    @property
    def output_spatial_dimensions(self) -> Dims:
        return self.data.output_spatial_dimensions


@irdl_attr_definition
class TypeExtensionsAttr(Data[Dims]):
    """`#stablehlo.bounds<?, 6>`: upper bounds of dynamic dimensions, as the encoding of a tensor type."""

    name = "stablehlo.bounds"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Dims:
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: parse_dim(parser)))

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<" + ", ".join("?" if d == DYNAMIC_INDEX else str(d) for d in self.data) + ">")

    def verify(self) -> None:
        if any(bound < 0 and bound != DYNAMIC_INDEX for bound in self.data):
            raise VerifyException(f"bounds must not be negative, got {list(self.data)}")

    @property
    def bounds(self) -> Dims:
        return self.data


@irdl_attr_definition
class TypeExtensionsSpelledOut(ParametrizedAttribute):
    """`#stablehlo.type_extensions<bounds = [?, 6]>`: reads as `#stablehlo.bounds<?, 6>`."""

    name = "stablehlo.type_extensions"

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> TypeExtensionsAttr:  # pyright: ignore[reportIncompatibleMethodOverride]
        (bounds,) = params
        assert isinstance(bounds, TypeExtensionsAttr)
        return bounds

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("bounds")
            parser.parse_punctuation("=")
            dims = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser))
        return (TypeExtensionsAttr(tuple(dims)),)


ATTRIBUTES: list[type[Attribute]] = [
    TokenType,
    FutureType,
    ChannelHandleAttr,
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    ConvDimensionNumbersAttr,
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    FftTypeAttr,
    GatherDimensionNumbersAttr,
    OutputOperandAliasAttr,
    PrecisionAttr,
    ResultAccuracyAttr,
    ResultAccuracyModeAttr,
    RngAlgorithmAttr,
    RngDistributionAttr,
    ScatterDimensionNumbersAttr,
    TransposeAttr,
    TypeExtensionsAttr,
    TypeExtensionsSpelledOut,
]
