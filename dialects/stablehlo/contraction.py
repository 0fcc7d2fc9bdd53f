"""Matrix products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
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
from xdsl.parser import Parser
from xdsl.traits import Pure

from .attributes import (
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    Precision,
    PrecisionAttr,
)
from .bounds import inferred_type
from .dot_algorithms import verify_algorithm
from .einsum_equation import EinsumEquation
from .element_types import PerAxisTensor, Tensor
from .property_types import (
    PrecisionConfigProperty,
)
from .quantization import ContractionConstraints, verify_quantized_contraction
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
    int_list,
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
        return f"[{', '.join(precision.data for precision in cast(ArrayAttr[PrecisionAttr], value).data)}]"


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


DOT_GENERAL_CONSTRAINTS = ContractionConstraints(
    quantized="C14", storage="C17", expressed="C18", per_tensor="C19", hybrid="C20"
)


@irdl_op_definition
class DotGeneralOp(FunctionalTypes):
    """Sums of products over pairs of contracting dimensions, for each index of pairs of batch dimensions.

    `lhs`, `rhs`: any shapes and elements whose paired dimensions agree in size. `result`: batch dimensions, free ones
    of lhs, free ones of rhs; elements of the type accumulated in. rhs may be quantised alone, or all are.
    `precision_config` and `algorithm` say how exact products must be. Specification: `dot_general`.
    """

    name = "stablehlo.dot_general"

    lhs = operand_def(Tensor)
    rhs = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)
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
            result_type = self.infer_result_type(lhs, rhs, dot_dimension_numbers, element_type_of(lhs))
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={
                "dot_dimension_numbers": dot_dimension_numbers,
                "precision_config": precision_config(precision),
                "algorithm": algorithm,
            },
        )

    @classmethod
    def infer_result_type(
        cls, lhs: SSAValue, rhs: SSAValue, dims: DotDimensionNumbersAttr, element_type: Attribute
    ) -> Attribute:
        return inferred_type(element_type, lambda lhs, rhs: cls.infer_shape(lhs, rhs, dims), lhs, rhs)

    @staticmethod
    def infer_shape(lhs: Shape, rhs: Shape, dims: DotDimensionNumbersAttr) -> Shape:
        lhs_batch, lhs_contracting = dims.lhs_batching_dimensions, dims.lhs_contracting_dimensions
        rhs_batch, rhs_contracting = dims.rhs_batching_dimensions, dims.rhs_contracting_dimensions
        return (
            *(lhs[dim] for dim in lhs_batch),
            *(n for d, n in enumerate(lhs) if d not in lhs_batch and d not in lhs_contracting),
            *(n for d, n in enumerate(rhs) if d not in rhs_batch and d not in rhs_contracting),
        )

    def verify_(self) -> None:
        lhs, rhs, result = shape_of(self.lhs), shape_of(self.rhs), shape_of(self.result)
        dims = self.dot_dimension_numbers
        lhs_batch, lhs_contracting = dims.lhs_batching_dimensions, dims.lhs_contracting_dimensions
        rhs_batch, rhs_contracting = dims.rhs_batching_dimensions, dims.rhs_contracting_dimensions
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
        if self.precision_config is not None and len(self.precision_config.data) > 2:
            violation(self, "C11", f"expected at most two precisions, got {self.precision_config}")
        if self.algorithm is not None:
            verify_algorithm(self, self.algorithm, self.precision_config)
        expected = self.infer_shape(lhs, rhs, dims)
        if not compatible_shapes(expected, result):
            violation(
                self,
                "C12",
                f"expected result shape {show_shape(expected)}, got {show_shape(result)}",
            )
        weights = verify_quantized_contraction(self, self.lhs, self.rhs, self.result, DOT_GENERAL_CONSTRAINTS)
        if weights is not None and any(zero_point.data for zero_point in weights.zero_points):
            violation(self, "C15", f"the zero points of rhs must be 0: {self.rhs.type}")
        if weights is not None and weights.axis in rhs_contracting:
            violation(self, "C16", f"rhs is quantised along the contracting dimension {weights.axis}")


@irdl_op_definition
class DotOp(FunctionalTypes):
    """The product of vectors or matrices: last dimension of lhs by first of rhs. Deprecated: `dot_general`.

    `lhs`, `rhs`: rank 1 or 2, any elements. `result`: what is left of their shapes. Not in the specification;
    upstream's definition of the op (StablehloOps.td).
    """

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
            result_type = inferred_type(element_type_of(lhs), lambda lhs, rhs: lhs[:-1] + rhs[1:], lhs, rhs)
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


def _einsum_type(config: str, *operands: SSAValue) -> Attribute:
    def shape(*shapes: Shape) -> Shape:
        return EinsumEquation.parse(config, shapes).result_shape(shapes)

    return inferred_type(element_type_of(operands[0]), shape, *operands)


def _verify_einsum(op: EinsumOp | UnaryEinsumOp) -> None:
    try:
        equation = op.equation
    except ValueError as error:
        violation(op, "einsum_config", str(error))
    expected = equation.result_shape([shape_of(value) for value in op.operands])
    if not compatible_shapes(expected, shape_of(op.result)):
        violation(op, "result", f"expected shape {show_shape(expected)}, got {show_shape(shape_of(op.result))}")


@irdl_op_definition
class EinsumOp(FunctionalTypes):
    """A product of two tensors as an equation, such as `ab,bc->ac`: indices that the result lacks are summed over.
    Deprecated: `dot_general`.

    `lhs`, `rhs`: any elements, shapes that fit `einsum_config`; `...` stands for leading dimensions. `result`: the
    sizes of its indices. Not in the specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.einsum"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)
    einsum_config = prop_def(StringAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (String("config", "einsum_config"),)

    def __init__(self, lhs: Value, rhs: Value, einsum_config: str, result_type: Attribute | None = None):
        lhs, rhs = SSAValue.get(lhs), SSAValue.get(rhs)
        if result_type is None:
            result_type = _einsum_type(einsum_config, lhs, rhs)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[result_type],
            properties={"einsum_config": StringAttr(einsum_config)},
        )

    @property
    def equation(self) -> EinsumEquation:
        """What `einsum_config` says; on an op that verifies it raises nothing."""
        return EinsumEquation.parse(self.einsum_config.data, [shape_of(value) for value in self.operands])

    def verify_(self) -> None:
        _verify_einsum(self)


@irdl_op_definition
class UnaryEinsumOp(FunctionalTypes):
    """A sum, diagonal or transposition as an equation, such as `ab->b`. Deprecated.

    `operand`: any elements, a shape that fits `einsum_config`. `result`: the sizes of its indices. Not in the
    specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.unary_einsum"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    einsum_config = prop_def(StringAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (String("config", "einsum_config"),)

    def __init__(self, operand: Value, einsum_config: str, result_type: Attribute | None = None):
        operand = SSAValue.get(operand)
        if result_type is None:
            result_type = _einsum_type(einsum_config, operand)
        super().__init__(
            operands=[operand],
            result_types=[result_type],
            properties={"einsum_config": StringAttr(einsum_config)},
        )

    @property
    def equation(self) -> EinsumEquation:
        """What `einsum_config` says; on an op that verifies it raises nothing."""
        return EinsumEquation.parse(self.einsum_config.data, [shape_of(value) for value in self.operands])

    def verify_(self) -> None:
        _verify_einsum(self)
