"""Convolutions."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .attributes import (
    ConvDimensionNumbersAttr,
    Precision,
)
from .bounds import inferred_type
from .contraction import precision_config
from .conv_dimensions import ConvDimensions, parse_conv_dimensions, print_conv_dimensions
from .element_types import PerAxisTensor, Tensor, is_byte_float
from .property_types import (
    BoolArrayProperty,
    I64ArrayProperty,
    I64ElementsProperty,
    I64Property,
    PrecisionConfigProperty,
)
from .quantization import ContractionConstraints, quantized_element_type, verify_quantized_contraction
from .shapes import (
    Shape,
    are_unique,
    compatible_shapes,
    element_type_of,
    in_range,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import (
    i64_array,
    parse_tail,
    print_tail,
)
from .windows import (
    WINDOW_PROPERTIES,
    Window,
    bool_array,
    padding_attr,
    padding_pairs,
    parse_window,
    print_window,
    values_or,
    verify_padding_shape,
    verify_window_values,
)

Value = SSAValue | Operation


CONVOLUTION_CONSTRAINTS = ContractionConstraints(
    quantized="C28", storage="C31", expressed="C32", per_tensor="C33", hybrid="C34"
)


def infer_convolution_shape(lhs: Shape, rhs: Shape, dims: ConvDimensions, window: Window, batch_groups: int) -> Shape:
    """The places the window fits, batch and kernels in the dimensions that `dims` says."""
    shape = [0] * len(lhs)
    batch = lhs[dims.input_batch_dimension]
    shape[dims.output_batch_dimension] = batch if batch == DYNAMIC_INDEX else batch // batch_groups
    shape[dims.output_feature_dimension] = rhs[dims.kernel_output_feature_dimension]
    counts = window.counts([lhs[dim] for dim in dims.input_spatial_dimensions])
    for dim, count in zip(dims.output_spatial_dimensions, counts, strict=True):
        shape[dim] = count
    return tuple(shape)


class ConvolutionBase(IRDLOperation, ABC):
    """What `convolution` and `dynamic_conv` share: all but the padding."""

    window_strides = opt_prop_def(I64ArrayProperty)
    lhs_dilation = opt_prop_def(I64ArrayProperty)
    rhs_dilation = opt_prop_def(I64ArrayProperty)
    window_reversal = opt_prop_def(BoolArrayProperty)
    dimension_numbers = prop_def(ConvDimensionNumbersAttr)
    feature_group_count = prop_def(I64Property)
    batch_group_count = prop_def(I64Property)
    precision_config = opt_prop_def(PrecisionConfigProperty)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        properties: dict[str, Attribute] = {}
        parser.parse_keyword("dim_numbers")
        parser.parse_punctuation("=")
        properties["dimension_numbers"] = ConvDimensionNumbersAttr(parse_conv_dimensions(parser))
        parser.parse_punctuation(",")
        parser.parse_keyword("window")
        parser.parse_punctuation("=")
        parse_window(parser, properties)
        return parse_tail(parser, cls, operands, position, properties)

    def verify_dimensions(self) -> None:
        """All constraints on operands and dimension numbers, but none on padding and result."""
        lhs, rhs = shape_of(self.operands[0]), shape_of(self.operands[1])
        rank = len(lhs)
        if rank != len(rhs):
            violation(self, "C1", f"lhs has rank {rank}, rhs has rank {len(rhs)}")
        spatial = rank - 2
        verify_window_values(self, "window_strides", self.window_strides, spatial, "C2", "C3")
        verify_window_values(self, "lhs_dilation", self.lhs_dilation, spatial, "C5", "C6")
        verify_window_values(self, "rhs_dilation", self.rhs_dilation, spatial, "C7", "C8")
        if self.window_reversal is not None and len(self.window_reversal) != spatial:
            violation(self, "C9", f"expected {spatial} window_reversal, got {len(self.window_reversal)}")
        self._verify_layouts(rank)
        self._verify_group_counts()
        self._verify_features(lhs, rhs)
        if self.precision_config is not None and len(self.precision_config.data) > 2:
            violation(self, "C24", f"expected at most two precisions, got {self.precision_config}")

    def _verify_layouts(self, rank: int) -> None:
        dims = self.dimension_numbers.data
        for side, layout, count, place in (
            ("input", dims[:3], "C12", "C13"),
            ("kernel", dims[3:6], "C17", "C18"),
            ("output", dims[6:], "C19", "C20"),
        ):
            first, second, spatial_dims = layout
            if len(spatial_dims) != rank - 2:
                message = f"expected {rank - 2} {side} spatial dimensions, got {list(spatial_dims)}"
                violation(self, count, message)
            numbers = (first, second, *spatial_dims)
            if not are_unique(numbers) or not in_range(numbers, rank):
                message = f"{side} dimensions {list(numbers)} are not those of a tensor of rank {rank}"
                violation(self, place, message)

    def _verify_group_counts(self) -> None:
        features, batches = self.feature_group_count.value.data, self.batch_group_count.value.data
        if features <= 0:
            violation(self, "C21", f"feature_group_count must be positive, got {features}")
        if batches <= 0:
            violation(self, "C22", f"batch_group_count must be positive, got {batches}")
        if features != 1 and batches != 1:
            message = f"feature_group_count {features} and batch_group_count {batches} exclude each other"
            violation(self, "C23", message)

    def _verify_features(self, lhs: Shape, rhs: Shape) -> None:
        """Sizes of the dimensions that groups divide."""
        dims = self.dimension_numbers.data
        features, batches = self.feature_group_count.value.data, self.batch_group_count.value.data
        input_feature = lhs[dims.input_feature_dimension]
        kernel_input = rhs[dims.kernel_input_feature_dimension]
        kernel_output = rhs[dims.kernel_output_feature_dimension]
        for what, size, groups, constraint in (
            ("input batch", lhs[dims.input_batch_dimension], batches, "C10"),
            ("input feature", input_feature, features, "C11"),
            ("kernel output feature", kernel_output, batches, "C15"),
            ("kernel output feature", kernel_output, features, "C16"),
        ):
            if size != DYNAMIC_INDEX and size % groups:
                message = f"{what} dimension of size {size} is not a multiple of {groups} groups"
                violation(self, constraint, message)
        if DYNAMIC_INDEX not in (input_feature, kernel_input) and kernel_input != input_feature // features:
            violation(
                self,
                "C14",
                f"kernel input feature dimension of size {kernel_input} for {input_feature} input features "
                f"in {features} groups",
            )

    def verify_result_shape(self, padding: tuple[tuple[int, int], ...]) -> None:
        """Rank and sizes of the result; unknown padding is dynamic."""
        lhs, rhs, actual = shape_of(self.operands[0]), shape_of(self.operands[1]), shape_of(self.results[0])
        if len(actual) != len(lhs):
            violation(self, "C26", f"expected a result of rank {len(lhs)}, got {len(actual)}")
        groups = self.batch_group_count.value.data
        expected = infer_convolution_shape(lhs, rhs, self.dimension_numbers.data, self.window(padding), groups)
        if not compatible_shapes(expected, actual):
            violation(self, "C25", f"expected result shape {show_shape(expected)}, got {show_shape(actual)}")

    def verify_element_types(self) -> None:
        """Constraints on element types. Those of the result may be others if nothing is quantised, as upstream has it:
        JAX asks for sums in a wider type. So may operands be floats of a byte of two kinds."""
        lhs, rhs, result = *self.operands[:2], self.results[0]
        dims = self.dimension_numbers.data
        weights = verify_quantized_contraction(self, lhs, rhs, result, CONVOLUTION_CONSTRAINTS)
        if weights is None:
            types = element_type_of(lhs), element_type_of(rhs)
            if types[0] != types[1] and not all(map(is_byte_float, types)):
                violation(self, "C27", f"lhs and rhs differ in element type: {show((lhs.type, rhs.type))}")
            return
        output = quantized_element_type(result)
        for side, quantized, feature, constraint in (
            ("rhs", weights, dims.kernel_output_feature_dimension, "C29"),
            ("result", output, dims.output_feature_dimension, "C30"),
        ):
            if quantized is not None and quantized.axis not in (None, feature):
                violation(
                    self,
                    constraint,
                    f"{side} is quantised along dimension {quantized.axis}, not the output features {feature}",
                )

    def window(self, padding: tuple[tuple[int, int], ...]) -> Window:
        """The kernel as a window over the spatial dimensions of the input."""
        rhs = shape_of(self.operands[1])
        spatial = self.dimension_numbers.kernel_spatial_dimensions
        count = len(spatial)
        return Window(
            tuple(rhs[dim] for dim in spatial),
            values_or(self.window_strides, 1, count),
            values_or(self.lhs_dilation, 1, count),
            values_or(self.rhs_dilation, 1, count),
            padding,
        )


@irdl_op_definition
class ConvolutionOp(ConvolutionBase):
    """Sums of products of a kernel with windows of the input, which may be padded (`padding`, negative: cut), spread
    (`lhs_dilation`) and stepped over (`window_strides`); the kernel may be spread (`rhs_dilation`) and flipped
    (`window_reversal`). `feature_group_count` or `batch_group_count` groups compute apart.

    `lhs`: batch, features and N spatial dimensions in any order; `rhs`: input and output features and N spatial ones,
    as `dimension_numbers` says. `result`: batch, output features and the places of the window. Elements as those of
    `dot_general`. Specification: `convolution`.
    """

    name = "stablehlo.convolution"

    lhs = operand_def(Tensor)
    rhs = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)
    padding = opt_prop_def(I64ElementsProperty)

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        dimension_numbers: ConvDimensionNumbersAttr,
        result_type: Attribute | None = None,
        *,
        window_strides: Sequence[int] | None = None,
        padding: Sequence[Sequence[int]] | None = None,
        lhs_dilation: Sequence[int] | None = None,
        rhs_dilation: Sequence[int] | None = None,
        window_reversal: Sequence[bool] | None = None,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision: Sequence[Precision] | None = None,
        element_type: Attribute | None = None,
    ):
        """Without a result type one of `element_type`, by default that of `lhs`, is inferred."""
        lhs, rhs = SSAValue.get(lhs), SSAValue.get(rhs)
        properties: dict[str, Attribute | None] = {
            "window_strides": None if window_strides is None else i64_array(window_strides),
            "padding": None if padding is None else padding_attr(padding),
            "lhs_dilation": None if lhs_dilation is None else i64_array(lhs_dilation),
            "rhs_dilation": None if rhs_dilation is None else i64_array(rhs_dilation),
            "window_reversal": None if window_reversal is None else bool_array(window_reversal),
            "dimension_numbers": dimension_numbers,
            "feature_group_count": IntegerAttr(feature_group_count, i64),
            "batch_group_count": IntegerAttr(batch_group_count, i64),
            "precision_config": precision_config(precision),
        }
        if result_type is None:
            dims = dimension_numbers.data
            ones = (1,) * len(dims.kernel_spatial_dimensions)
            window = Window(
                tuple(shape_of(rhs)[dim] for dim in dims.kernel_spatial_dimensions),
                tuple(window_strides or ones),
                tuple(lhs_dilation or ones),
                tuple(rhs_dilation or ones),
                tuple((low, high) for low, high in padding or [(0, 0)] * len(ones)),
            )
            result_type = inferred_type(
                element_type or element_type_of(lhs),
                lambda lhs, rhs: infer_convolution_shape(lhs, rhs, dims, window, batch_group_count),
                lhs,
                rhs,
            )
        super().__init__(operands=[lhs, rhs], result_types=[result_type], properties=properties)

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.operands)
        printer.print_string(" dim_numbers = ")
        print_conv_dimensions(printer, self.dimension_numbers.data)
        printer.print_string(", window = ")
        print_window(printer, self.properties)
        print_tail(printer, self, ("dimension_numbers", *WINDOW_PROPERTIES))

    def verify_(self) -> None:
        self.verify_dimensions()
        spatial = len(shape_of(self.lhs)) - 2
        verify_padding_shape(self, "C4", self.padding, spatial)
        self.verify_result_shape(padding_pairs(self.padding, spatial))
        self.verify_element_types()
