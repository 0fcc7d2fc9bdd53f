"""`stablehlo.constant`.

    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
    %1 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>

The second form is that of quantised constants, whose value holds the integers stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, Signedness, UnitAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from ..dense_syntax import parse_dense, print_dense
from ..editing import new_op
from ..quant import UniformQuantizedType
from .element_types import PerAxisTensor
from .shapes import compatible_types, element_type_of, shape_of, violation
from .syntax import parse_attr_dict, print_attr_dict


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """A tensor known at compile time.

    `value`: dense elements of any type, one for all or one each in row-major order. `output`: a tensor of their type.
    Specification: `constant`.
    """

    name = "stablehlo.constant"

    value = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(PerAxisTensor)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        if parser.parse_optional_punctuation("(") is not None:
            return cls._parse_with_type(parser)
        properties: dict[str, Attribute] = {}
        attributes = parse_attr_dict(parser, cls, properties)
        value = parse_dense(parser)
        return new_op(cls, result_types=(value.type,), properties={"value": value}, attributes=attributes)

    @classmethod
    def _parse_with_type(cls, parser: Parser) -> ConstantOp:
        """What follows the parenthesis of `() <{value = dense<...> : type}> : () -> type`; brackets may be missing."""
        parser.parse_punctuation(")")
        bracketed = parser.parse_optional_punctuation("<") is not None
        parser.parse_punctuation("{")
        parser.parse_keyword("value")
        parser.parse_punctuation("=")
        value = parse_dense(parser)
        attributes: dict[str, Attribute] = {}
        while not bracketed and parser.parse_optional_punctuation(",") is not None:
            name = parser.expect(parser.parse_optional_identifier_or_str_literal, "expected the name of an attribute")
            is_unit = parser.parse_optional_punctuation("=") is None
            attributes[name] = UnitAttr() if is_unit else parser.parse_attribute()
        parser.parse_punctuation("}")
        if bracketed:
            parser.parse_punctuation(">")
            attributes = dict(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        (type,) = parser.parse_function_type().outputs.data
        return new_op(cls, result_types=(type,), properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if quantized := isinstance(element_type_of(self.output), UniformQuantizedType):
            printer.print_string("() <{value = ")
        else:
            print_attr_dict(printer, self, ("value",))
            printer.print_string(" ")
        print_dense(printer, self.value)
        if quantized:
            printer.print_string("}>")
            print_attr_dict(printer, self, ("value",))
            printer.print_string(" : () -> ")
            printer.print_attribute(self.output.type)

    def fold(self) -> Sequence[SSAValue | Attribute]:
        return (self.value,)

    def verify_(self) -> None:
        if not (compatible_types(self.value.type, self.output.type) or self._stores_its_value()):
            violation(self, "C1", f"value of type {self.value.type} for result of type {self.output.type}")

    def _stores_its_value(self) -> bool:
        """Whether the result is quantised, and the value of its shape and storage type; MLIR writes `u8` as `i8`."""
        stored, result = self.value.type.element_type, element_type_of(self.output)
        return (
            isinstance(result, UniformQuantizedType)
            and isinstance(stored, IntegerType)
            and stored.width == result.storage_type.width
            and stored.signedness.data in (Signedness.SIGNLESS, result.storage_type.signedness.data)
            and self.value.get_shape() == shape_of(self.output)
        )


def constant_integers(value: SSAValue) -> tuple[int, ...] | None:
    """The elements of a tensor of integers whose definition is a constant, in row-major order."""
    source = value.owner
    if not isinstance(source, ConstantOp):
        return None
    elements = tuple(int(element) for element in source.value.iter_values() if not isinstance(element, tuple))
    return elements * source.value.type.element_count() if len(elements) == 1 else elements
