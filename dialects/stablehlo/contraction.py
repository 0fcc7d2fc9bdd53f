"""Matrix products and convolutions."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
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
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure

from .attributes import (
    ConvDimensionNumbersAttr,
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    Precision,
    PrecisionAttr,
)
from .conv_dimensions import parse_conv_dimensions, print_conv_dimensions
from .element_types import Tensor
from .property_types import (
    BoolArrayProperty,
    I64ArrayProperty,
    I64ElementsProperty,
    I64Property,
    PrecisionConfigProperty,
)
from .shapes import (
    Shape,
    are_unique,
    compatible_dims,
    compatible_shapes,
    element_type_of,
    in_range,
    shape_of,
    show_shape,
    violation,
)
from .syntax import (
    Field,
    FunctionalTypes,
    String,
    i64_array,
    int_list,
    parse_attr_dict,
    parse_signature,
    print_attr_dict,
    print_signature,
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


class PrecisionConfig(Field):
    """`precision = [DEFAULT, HIGHEST]`"""

    def __init__(self) -> None:
        super().__init__("precision", "precision_config", optional=True)

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties["precision_config"] = ArrayAttr(
            parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: PrecisionAttr(parser.parse_str_enum(Precision))
            )
        )

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        value = properties["precision_config"]
        assert isinstance(value, ArrayAttr)
        return f"[{', '.join(p.data if isinstance(p, PrecisionAttr) else str(p) for p in value.data)}]"


class Algorithm(Field):
    """`algorithm = <lhs_precision_type = tf32, ...>`"""

    def __init__(self) -> None:
        super().__init__("algorithm", "algorithm", optional=True)

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        parameters = DotAlgorithmAttr.parse_parameter(parser)
        properties["algorithm"] = DotAlgorithmAttr(parameters)

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        return str(properties["algorithm"]).removeprefix(f"#{DotAlgorithmAttr.name}")


class DotDimensions(Field):
    """`batching_dims = [0] x [0], contracting_dims = [2] x [1]`, the batching part only if there is one."""

    def __init__(self) -> None:
        super().__init__("contracting_dims", "dot_dimension_numbers")

    def parse_optional(self, parser: Parser, properties: dict[str, Attribute]) -> bool:
        lhs_batch: Sequence[int] = ()
        rhs_batch: Sequence[int] = ()
        if parser.parse_optional_keyword("batching_dims") is not None:
            lhs_batch, rhs_batch = self._parse_pair(parser)
            parser.parse_punctuation(",")
        parser.parse_keyword("contracting_dims")
        lhs, rhs = self._parse_pair(parser)
        properties["dot_dimension_numbers"] = DotDimensionNumbersAttr(
            (tuple(lhs_batch), tuple(rhs_batch), tuple(lhs), tuple(rhs))
        )
        return True

    @staticmethod
    def _parse_pair(parser: Parser) -> tuple[list[int], list[int]]:
        parser.parse_punctuation("=")
        lhs = int_list(parser)
        parser.parse_keyword("x")
        return lhs, int_list(parser)

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        raise AssertionError("parse_optional handles both keywords")

    def text(self, properties: Mapping[str, Attribute]) -> str | None:
        dims = properties["dot_dimension_numbers"]
        assert isinstance(dims, DotDimensionNumbersAttr)
        lhs_batch, rhs_batch, lhs, rhs = map(list, dims.data)
        batching = f"batching_dims = {lhs_batch} x {rhs_batch}, " if lhs_batch or rhs_batch else ""
        return f"{batching}contracting_dims = {lhs} x {rhs}"

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        raise AssertionError("text handles both keywords")


def precision_config(precision: Sequence[Precision] | None) -> ArrayAttr[PrecisionAttr] | None:
    return None if precision is None else ArrayAttr([PrecisionAttr(p) for p in precision])


@irdl_op_definition
class DotGeneralOp(FunctionalTypes):
    """The sum of products over contracting dimensions; result dimensions are batch, lhs free, rhs free."""

    name = "stablehlo.dot_general"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
    dot_dimension_numbers = prop_def(DotDimensionNumbersAttr)
    precision_config = opt_prop_def(PrecisionConfigProperty)
    algorithm = opt_prop_def(DotAlgorithmAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (DotDimensions(), PrecisionConfig(), Algorithm())

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        dot_dimension_numbers: DotDimensionNumbersAttr,
        result_type: Attribute | None = None,
        precision: Sequence[Precision] | None = None,
        algorithm: DotAlgorithmAttr | None = None,
    ):
        lhs, rhs = SSAValue.get(lhs), SSAValue.get(rhs)
        if result_type is None:
            shape = self.infer_shape(shape_of(lhs), shape_of(rhs), dot_dimension_numbers)
            result_type = TensorType(element_type_of(lhs), shape)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={
                "dot_dimension_numbers": dot_dimension_numbers,
                "precision_config": precision_config(precision),
                "algorithm": algorithm,
            },
        )

    @staticmethod
    def infer_shape(lhs: Shape, rhs: Shape, dims: DotDimensionNumbersAttr) -> Shape:
        lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = dims.data
        return (
            *(lhs[dim] for dim in lhs_batch),
            *(n for d, n in enumerate(lhs) if d not in lhs_batch and d not in lhs_contracting),
            *(n for d, n in enumerate(rhs) if d not in rhs_batch and d not in rhs_contracting),
        )

    def verify_(self) -> None:
        lhs, rhs, result = shape_of(self.lhs), shape_of(self.rhs), shape_of(self.result)
        dims = self.dot_dimension_numbers
        lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = dims.data
        if len(lhs_batch) != len(rhs_batch):
            violation(self, "C1", f"batching dimensions {list(lhs_batch)} x {list(rhs_batch)}")
        if len(lhs_contracting) != len(rhs_contracting):
            violation(
                self,
                "C2",
                f"contracting dimensions {list(lhs_contracting)} x {list(rhs_contracting)}",
            )
        for side, used, shape, unique, ranges in (
            ("lhs", (lhs_batch, lhs_contracting), lhs, "C3", ("C5", "C6")),
            ("rhs", (rhs_batch, rhs_contracting), rhs, "C4", ("C7", "C8")),
        ):
            if not are_unique(used[0] + used[1]):
                violation(self, unique, f"{side} dimensions {list(used[0] + used[1])} are not unique")
            for numbers, constraint in zip(used, ranges, strict=True):
                if not in_range(numbers, len(shape)):
                    violation(
                        self,
                        constraint,
                        f"{side} dimensions {list(numbers)} exceed the rank {len(shape)}",
                    )
        for pairs, constraint in (
            (zip(lhs_batch, rhs_batch, strict=True), "C9"),
            (zip(lhs_contracting, rhs_contracting, strict=True), "C10"),
        ):
            for a, b in pairs:
                if not compatible_dims(lhs[a], rhs[b]):
                    violation(
                        self,
                        constraint,
                        f"lhs dimension {a} of size {lhs[a]} does not fit rhs dimension {b} of size {rhs[b]}",
                    )
        if self.precision_config is not None and len(self.precision_config.data) not in (0, 2):
            violation(self, "C11", f"expected two precisions, got {self.precision_config}")
        expected = self.infer_shape(lhs, rhs, dims)
        if not compatible_shapes(expected, result):
            violation(
                self,
                "C12",
                f"expected result shape {show_shape(expected)}, got {show_shape(result)}",
            )


@irdl_op_definition
class DotOp(FunctionalTypes):
    """The product of vectors or matrices, without batch dimensions. Deprecated upstream."""

    name = "stablehlo.dot"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
    precision_config = opt_prop_def(PrecisionConfigProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (PrecisionConfig(),)

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        result_type: Attribute | None = None,
        precision: Sequence[Precision] | None = None,
    ):
        lhs, rhs = SSAValue.get(lhs), SSAValue.get(rhs)
        if result_type is None:
            shape = shape_of(lhs)[:-1] + shape_of(rhs)[1:]
            result_type = TensorType(element_type_of(lhs), shape)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={"precision_config": precision_config(precision)},
        )

    def verify_(self) -> None:
        lhs, rhs = shape_of(self.lhs), shape_of(self.rhs)
        if not (1 <= len(lhs) <= 2 and 1 <= len(rhs) <= 2) or not compatible_dims(lhs[-1], rhs[0]):
            violation(self, "operands", f"shapes {show_shape(lhs)} and {show_shape(rhs)} do not fit")
        expected = lhs[:-1] + rhs[1:]
        if not compatible_shapes(expected, shape_of(self.result)):
            violation(
                self,
                "result",
                f"expected shape {show_shape(expected)}, got {show_shape(shape_of(self.result))}",
            )


@irdl_op_definition
class EinsumOp(FunctionalTypes):
    """A contraction written as an equation. Deprecated upstream."""

    name = "stablehlo.einsum"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
    einsum_config = prop_def(StringAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (String("config", "einsum_config"),)

    def __init__(self, lhs: Value, rhs: Value, einsum_config: str, result_type: Attribute):
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={"einsum_config": StringAttr(einsum_config)},
        )


@irdl_op_definition
class UnaryEinsumOp(FunctionalTypes):
    """A reduction or transposition written as an equation. Deprecated upstream."""

    name = "stablehlo.unary_einsum"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    einsum_config = prop_def(StringAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (String("config", "einsum_config"),)

    def __init__(self, operand: Value, einsum_config: str, result_type: Attribute):
        super().__init__(
            operands=[operand],
            result_types=[result_type],
            properties={"einsum_config": StringAttr(einsum_config)},
        )


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
        dims = self.dimension_numbers.data
        for side, layout, count, place in (
            ("input", dims[:3], "C12", "C13"),
            ("kernel", dims[3:6], "C17", "C18"),
            ("output", dims[6:], "C19", "C20"),
        ):
            first, second, spatial_dims = layout
            if len(spatial_dims) != spatial:
                violation(
                    self,
                    count,
                    f"expected {spatial} {side} spatial dimensions, got {list(spatial_dims)}",
                )
            numbers = (first, second, *spatial_dims)
            if not are_unique(numbers) or not in_range(numbers, rank):
                violation(
                    self,
                    place,
                    f"{side} dimensions {list(numbers)} are not those of a tensor of rank {rank}",
                )
        features, batches = self.feature_group_count.value.data, self.batch_group_count.value.data
        if features <= 0:
            violation(self, "C21", f"feature_group_count must be positive, got {features}")
        if batches <= 0:
            violation(self, "C22", f"batch_group_count must be positive, got {batches}")
        if features != 1 and batches != 1:
            violation(
                self,
                "C23",
                f"feature_group_count {features} and batch_group_count {batches} exclude each other",
            )
        input_batch, input_feature = (
            lhs[dims.input_batch_dimension],
            lhs[dims.input_feature_dimension],
        )
        kernel_input = rhs[dims.kernel_input_feature_dimension]
        kernel_output = rhs[dims.kernel_output_feature_dimension]
        for what, size, groups, constraint in (
            ("input batch", input_batch, batches, "C10"),
            ("input feature", input_feature, features, "C11"),
            ("kernel output feature", kernel_output, batches, "C15"),
            ("kernel output feature", kernel_output, features, "C16"),
        ):
            if size != DYNAMIC_INDEX and size % groups:
                violation(
                    self,
                    constraint,
                    f"{what} dimension of size {size} is not a multiple of {groups} groups",
                )
        if DYNAMIC_INDEX not in (input_feature, kernel_input) and kernel_input != input_feature // features:
            violation(
                self,
                "C14",
                f"kernel input feature dimension of size {kernel_input} for {input_feature} input features "
                f"in {features} groups",
            )
        if self.precision_config is not None and len(self.precision_config.data) not in (0, 2):
            violation(self, "C24", f"expected two precisions, got {self.precision_config}")

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
    """Products of windows of `lhs` with the kernel `rhs`, in groups of features or of batches."""

    name = "stablehlo.convolution"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
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
    ):
        lhs, rhs = SSAValue.get(lhs), SSAValue.get(rhs)
        element_type = element_type_of(lhs)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type or TensorType(element_type, ())],
            properties={
                "window_strides": None if window_strides is None else i64_array(window_strides),
                "padding": None if padding is None else padding_attr(padding),
                "lhs_dilation": None if lhs_dilation is None else i64_array(lhs_dilation),
                "rhs_dilation": None if rhs_dilation is None else i64_array(rhs_dilation),
                "window_reversal": None if window_reversal is None else bool_array(window_reversal),
                "dimension_numbers": dimension_numbers,
                "feature_group_count": IntegerAttr(feature_group_count, i64),
                "batch_group_count": IntegerAttr(batch_group_count, i64),
                "precision_config": precision_config(precision),
            },
        )
        if result_type is None:
            inferred = TensorType(element_type, self.infer_shape())
            Rewriter.replace_value_with_new_type(self.result, inferred)

    def infer_shape(self) -> Shape:
        lhs, rhs = shape_of(self.lhs), shape_of(self.rhs)
        dims, groups = self.dimension_numbers.data, self.batch_group_count.value.data
        spatial = dims.input_spatial_dimensions
        window = self.window(padding_pairs(self.padding, len(spatial)))
        shape = [0] * len(lhs)
        batch = lhs[dims.input_batch_dimension]
        shape[dims.output_batch_dimension] = batch if batch == DYNAMIC_INDEX else batch // groups
        shape[dims.output_feature_dimension] = rhs[dims.kernel_output_feature_dimension]
        counts = window.counts([lhs[dim] for dim in spatial])
        for dim, count in zip(dims.output_spatial_dimensions, counts, strict=True):
            shape[dim] = count
        return tuple(shape)

    @classmethod
    def parse(cls, parser: Parser) -> ConvolutionOp:
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
        attributes = parse_attr_dict(parser, cls, properties)
        parser.parse_punctuation(":")
        inputs, outputs = parse_signature(parser)
        return cls.create(
            operands=parser.resolve_operands(operands, inputs, position),
            result_types=outputs,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.operands)
        printer.print_string(" dim_numbers = ")
        print_conv_dimensions(printer, self.dimension_numbers.data)
        printer.print_string(", window = ")
        print_window(printer, self.properties)
        print_attr_dict(printer, self, ("dimension_numbers", *WINDOW_PROPERTIES))
        print_signature(printer, self)

    def verify_(self) -> None:
        self.verify_dimensions()
        rank = len(shape_of(self.lhs))
        verify_padding_shape(self, "C4", self.padding, rank - 2)
        expected, actual = self.infer_shape(), shape_of(self.result)
        if len(actual) != rank:
            violation(self, "C26", f"expected a result of rank {rank}, got {len(actual)}")
        if not compatible_shapes(expected, actual):
            violation(
                self,
                "C25",
                f"expected result shape {show_shape(expected)}, got {show_shape(actual)}",
            )
