"""Calls of what StableHLO does not define."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
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
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from .element_types import TensorTokenOrTuple
from .property_types import ArrayProperty, BoolProperty, I32Property
from .shapes import violation
from .syntax import (
    bool_attr,
    parse_attr_dict,
    parse_operands,
    parse_signature,
    print_attr_dict,
    print_operand_list,
    print_signature,
)

Value = SSAValue | Operation


class CustomCallEffect(MemoryEffect):
    """Effects as the call declares them: none, or reading and writing anything if `has_side_effect` is set."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        flag = op.properties.get("has_side_effect")
        if isinstance(flag, IntegerAttr) and flag.value.data:
            return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}
        return set()


@irdl_op_definition
class CustomCallOp(IRDLOperation):
    """Calls a function outside of the program by name."""

    name = "stablehlo.custom_call"

    inputs = var_operand_def(TensorTokenOrTuple)
    result = var_result_def(TensorTokenOrTuple)
    call_target_name = prop_def(StringAttr)
    has_side_effect = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    backend_config = opt_prop_def(AnyAttr())
    api_version = opt_prop_def(I32Property, default_value=IntegerAttr(1, i32))
    called_computations = opt_prop_def(ArrayProperty, default_value=ArrayAttr([]))
    operand_layouts = opt_prop_def(ArrayProperty)
    result_layouts = opt_prop_def(ArrayProperty)
    output_operand_aliases = opt_prop_def(ArrayProperty, default_value=ArrayAttr([]))

    traits = traits_def(CustomCallEffect())

    def __init__(
        self,
        call_target_name: str,
        inputs: Sequence[Value],
        result_types: Sequence[Attribute],
        has_side_effect: bool = False,
        backend_config: Attribute | None = None,
        api_version: int = 1,
    ):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            properties={
                "call_target_name": StringAttr(call_target_name),
                "has_side_effect": bool_attr(has_side_effect),
                "backend_config": backend_config,
                "api_version": IntegerAttr(api_version, i32),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> CustomCallOp:
        properties: dict[str, Attribute] = {"call_target_name": parser.parse_symbol_name()}
        position = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
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
        printer.print_string(" ")
        printer.print_symbol_name(self.call_target_name.data)
        printer.print_operands(self.operands)
        print_attr_dict(printer, self, ("call_target_name",))
        print_signature(printer, self)

    def verify_(self) -> None:
        for name, layouts, types in (
            ("operand_layouts", self.operand_layouts, self.operand_types),
            ("result_layouts", self.result_layouts, self.result_types),
        ):
            if layouts is None:
                continue
            if len(layouts.data) != len(types):
                violation(self, name, f"expected {len(types)} layouts, got {len(layouts.data)}")
            for layout in layouts.data:
                if not isinstance(layout, DenseIntOrFPElementsAttr):
                    violation(self, name, f"expected a tensor of index type, got {layout}")


@irdl_op_definition
class CompositeOp(IRDLOperation):
    """Stands for the function `decomposition`, under a name that a compiler may know better."""

    name = "stablehlo.composite"

    inputs = var_operand_def(TensorTokenOrTuple)
    result = var_result_def(TensorTokenOrTuple)
    composite_name = prop_def(StringAttr, prop_name="name")
    composite_attributes = opt_prop_def(DictionaryAttr, default_value=DictionaryAttr({}))
    decomposition = prop_def(SymbolRefAttr)
    version = opt_prop_def(I32Property, default_value=IntegerAttr(0, i32))
    composite_regions = var_region_def()

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
        printer.print_string(" ")
        printer.print_attribute(self.composite_name)
        print_operand_list(printer, self)
        print_attr_dict(printer, self, ("name",))
        print_signature(printer, self)

    def verify_(self) -> None:
        namespace, _, rest = self.composite_name.data.partition(".")
        if not namespace or not rest:
            violation(self, "C1", f"expected a name with a namespace, got {self.composite_name}")
