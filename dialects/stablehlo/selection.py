"""Comparing, clamping and choosing, place by place."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
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
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from .element_types import (
    BooleanTensor,
    ElementKind,
    Tensor,
    element_kind,
)
from .interfaces import FoldableOp
from .shapes import (
    compatible_element_types,
    compatible_shapes,
    compatible_types,
    element_type_of,
    shape_of,
    show,
    tensor_type,
    violation,
    with_element_type,
)
from .syntax import (
    FormattedOp,
    SameTypes,
    parse_signature,
    parse_tail,
    print_signature,
    print_tail,
)
from .traits import Elementwise

K = ElementKind
Value = SSAValue | Operation


@irdl_op_definition
class ClampOp(SameTypes, FoldableOp):
    """`min(max(operand, min), max)` by element.

    `operand`, `result`: one type; any shape and elements. `min`, `max`: the same type, or of rank 0 for all elements.
    Specification: `clamp`.
    """

    name = "stablehlo.clamp"

    min = operand_def(Tensor)
    operand = operand_def(Tensor)
    max = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, min: Value, operand: Value, max: Value):
        operand = SSAValue.get(operand)
        super().__init__(operands=[min, operand, max], result_types=[operand.type])

    def verify_(self) -> None:
        shape, element_type = shape_of(self.operand), element_type_of(self.operand)
        for bound, constraint in ((self.min, "C1"), (self.max, "C2")):
            bound_shape = shape_of(bound)
            if bound_shape and not compatible_shapes(bound_shape, shape):
                violation(self, constraint, f"bound of shape {bound_shape} for operand of shape {shape}")
            if not compatible_element_types(element_type_of(bound), element_type):
                violation(
                    self,
                    "C3",
                    f"bound of type {bound.type} for operand of type {self.operand.type}",
                )
        if not compatible_types(self.operand.type, self.result.type):
            violation(self, "C4", f"expected result type {self.operand.type}, got {self.result.type}")


@irdl_op_definition
class SelectOp(FormattedOp, FoldableOp):
    """`on_true` where `pred` is true, else `on_false`.

    `on_true`, `on_false`, `result`: one type; any shape and elements. `pred`: i1 in their shape, or of rank 0 for all
    elements. Specification: `select`.
    """

    name = "stablehlo.select"

    pred = operand_def(BooleanTensor)
    on_true = operand_def(Tensor)
    on_false = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, pred: Value, on_true: Value, on_false: Value):
        on_true = SSAValue.get(on_true)
        super().__init__(operands=[pred, on_true, on_false], result_types=[on_true.type])

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        if parser.parse_optional_punctuation("(") is not None:
            return parse_signature(parser, opened=True)
        pred = parser.parse_type()
        parser.parse_punctuation(",")
        type = parser.parse_type()
        return (pred, type, type), (type,)

    def print_types(self, printer: Printer) -> None:
        result = self.results[0].type
        if self.operands[1].type == result and self.operands[2].type == result:
            printer.print_string(" : ")
            printer.print_list((self.operands[0].type, result), printer.print_attribute)
        else:
            print_signature(printer, self)

    def verify_(self) -> None:
        on_true, on_false, result = self.on_true.type, self.on_false.type, self.result.type
        pred = shape_of(self.pred)
        if pred and not compatible_shapes(pred, shape_of(self.on_true)):
            violation(self, "C1", f"predicate of type {self.pred.type} for operands of type {on_true}")
        if not (compatible_types(on_true, on_false) and compatible_types(on_true, result)):
            violation(
                self,
                "C2",
                f"expected operands and result of one type, got {show((on_true, on_false))} -> {result}",
            )


@irdl_op_definition
class CompareOp(IRDLOperation, FoldableOp):
    """Compares by element: EQ, NE, GE, GT, LE or LT. `compare_type` tells the order of floats of IEEE (FLOAT) from the
    total one (TOTALORDER) and one with all NaNs equal and greatest (WEAKORDER, not in the specification). The element
    type says whether integers are signed, and a `compare_type` that does not fit it is of no effect, as upstream.
    Complex numbers compare lexicographically.

    `lhs`, `rhs`: one type; any shape and elements. `result`: their shape, elements i1. Specification: `compare`.
    """

    name = "stablehlo.compare"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(BooleanTensor)
    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)

    traits = traits_def(Pure(), Elementwise())

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        comparison_direction: ComparisonDirection | ComparisonDirectionAttr,
        compare_type: ComparisonType | ComparisonTypeAttr | None = None,
    ):
        lhs = SSAValue.get(lhs)
        if isinstance(comparison_direction, ComparisonDirection):
            comparison_direction = ComparisonDirectionAttr(comparison_direction)
        if isinstance(compare_type, ComparisonType):
            compare_type = ComparisonTypeAttr(compare_type)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[with_element_type(lhs.type, i1)],
            properties={"comparison_direction": comparison_direction, "compare_type": compare_type},
        )

    @classmethod
    def parse(cls, parser: Parser) -> CompareOp:
        position = parser.pos
        properties: dict[str, Attribute] = {
            "comparison_direction": ComparisonDirectionAttr(parser.parse_str_enum(ComparisonDirection))
        }
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        if parser.parse_optional_punctuation(",") is not None:
            properties["compare_type"] = ComparisonTypeAttr(parser.parse_str_enum(ComparisonType))
        return parse_tail(parser, cls, (lhs, rhs), position, properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.comparison_direction.data}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        if self.compare_type is not None:
            printer.print_string(f", {self.compare_type.data}")
        print_tail(printer, self, ("comparison_direction", "compare_type"))

    def verify_(self) -> None:
        lhs, rhs = tensor_type(self.lhs), tensor_type(self.rhs)
        if not compatible_element_types(lhs.element_type, rhs.element_type):
            violation(self, "C1", f"operands differ in element type: {show((lhs, rhs))}")
        shape = lhs.get_shape()
        if not compatible_shapes(shape, rhs.get_shape()) or not compatible_shapes(shape, shape_of(self.result)):
            violation(self, "C2", f"expected one shape, got {show((lhs, rhs))} -> {self.result.type}")

    @staticmethod
    def default_type(element_type: Attribute) -> ComparisonType:
        """The compare type that fits an element type."""
        kind = element_kind(element_type)
        if kind in K.FLOAT | K.COMPLEX:
            return ComparisonType.FLOAT
        if kind in K.UNSIGNED | K.BOOLEAN:
            return ComparisonType.UNSIGNED
        return ComparisonType.SIGNED if kind in K.SIGNED else ComparisonType.NOTYPE
