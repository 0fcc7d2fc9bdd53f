"""`stablehlo.constant`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from ..dense_syntax import parse_dense, print_dense
from .element_types import Tensor
from .shapes import compatible_types, violation
from .syntax import parse_attr_dict, print_attr_dict


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """A tensor known at compile time."""

    name = "stablehlo.constant"

    value = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(Tensor)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        properties: dict[str, Attribute] = {}
        attributes = parse_attr_dict(parser, cls, properties)
        value = parse_dense(parser)
        return cls.create(result_types=(value.type,), properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attr_dict(printer, self, ("value",))
        printer.print_string(" ")
        print_dense(printer, self.value)

    def fold(self) -> Sequence[SSAValue | Attribute]:
        return (self.value,)

    def verify_(self) -> None:
        if not compatible_types(self.value.type, self.output.type):
            violation(self, "C1", f"value of type {self.value.type} for result of type {self.output.type}")
