"""Ops that stand for a function of the program, under a name that a compiler may know better."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolUserOpInterface

from ..symbol_lookup import lookup_symbol
from .element_types import TensorTokenOrTuple
from .property_types import I32Property
from .shapes import compatible_type_lists, show, violation
from .syntax import (
    parse_operands,
    parse_tail,
    print_operand_list,
    print_tail,
)

Value = SSAValue | Operation

QUALIFIED_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+")


class Decomposition(SymbolUserOpInterface):
    """The function that a `composite` names is there and takes and gives what the op does."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CompositeOp)
        function = lookup_symbol(op, op.decomposition)
        if not isinstance(function, FuncOp):
            violation(op, "C2", f"{op.decomposition} is no function")
        type = function.function_type
        if not compatible_type_lists(type.inputs.data, op.operand_types):
            violation(op, "C3", f"{op.decomposition} takes {show(type.inputs.data)}, got {show(op.operand_types)}")
        if not compatible_type_lists(type.outputs.data, op.result_types):
            violation(op, "C4", f"{op.decomposition} gives {show(type.outputs.data)}, not {show(op.result_types)}")


@irdl_op_definition
class CompositeOp(IRDLOperation):
    """Stands for the function `decomposition`, under a name with a namespace that a compiler may know better.

    `inputs`, `result`: any number of tensors, tokens or tuples, as the function takes and gives them.
    `composite_attributes` and `version` belong to the name. Specification: `composite`.
    """

    name = "stablehlo.composite"

    inputs = var_operand_def(TensorTokenOrTuple)
    result = var_result_def(TensorTokenOrTuple)
    composite_name = prop_def(StringAttr, prop_name="name")
    composite_attributes = opt_prop_def(DictionaryAttr, default_value=DictionaryAttr({}))
    decomposition = prop_def(SymbolRefAttr)
    version = opt_prop_def(I32Property, default_value=IntegerAttr(0, i32))
    composite_regions = var_region_def()

    traits = traits_def(Decomposition())

    def __init__(
        self,
        composite_name: str,
        inputs: Sequence[Value],
        decomposition: str,
        result_types: Sequence[Attribute],
        composite_attributes: Mapping[str, Attribute] | None = None,
        version: int = 0,
    ):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={
                "name": StringAttr(composite_name),
                "decomposition": SymbolRefAttr(decomposition),
                "composite_attributes": DictionaryAttr(dict(composite_attributes or {})),
                "version": IntegerAttr(version, i32),
            },
            regions=[[]],
        )

    @classmethod
    def parse(cls, parser: Parser) -> CompositeOp:
        properties: dict[str, Attribute] = {"name": StringAttr(parser.parse_str_literal())}
        position = parser.pos
        operands = parse_operands(parser)
        return parse_tail(parser, cls, operands, position, properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.composite_name)
        print_operand_list(printer, self)
        print_tail(printer, self, ("name",))

    def verify_(self) -> None:
        if QUALIFIED_NAME.fullmatch(self.composite_name.data) is None:
            violation(self, "C1", f"expected a name with a namespace, got {self.composite_name}")
