"""Calls of what StableHLO does not define, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
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
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from ..dense import dense_values
from ..xrt_names import SIGNATURE
from .attributes import OutputOperandAliasAttr
from .element_types import Argument
from .property_types import ArrayProperty, BoolProperty, I32Property
from .shapes import compatible_type_lists, is_tensor, violation
from .syntax import (
    bool_attr,
    parse_tail,
    print_tail,
)
from .tuples import element_at, result_elements

Value = SSAValue | Operation

CALL_CHECKS: list[Callable[[CustomCallOp], None]] = []
"""What is asked of calls of known targets: each raises `VerifyException` for one that has another form than it knows.
They are added where the dialects are put together, as they know this op and the ops that some calls stand for."""


def called_functions(op: CustomCallOp) -> list[SymbolRefAttr]:
    """Those that `called_computations` names."""
    named = op.called_computations or op.attributes.get("called_computations")
    elements = cast("ArrayAttr[Attribute]", named).data if isinstance(named, ArrayAttr) else ()
    return [element for element in elements if isinstance(element, SymbolRefAttr)]


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
    """Calls a function outside of the program by name. Has effects if `has_side_effect` is set.

    `inputs`, `result`: any number of tensors, tokens, tuples, futures or buffers. `backend_config`, `api_version`,
    layouts, tilings, aliases and computations are for the function called. Specification: `custom_call`.
    """

    name = "stablehlo.custom_call"

    inputs = var_operand_def(Argument)
    result = var_result_def(Argument)
    call_target_name = prop_def(StringAttr)
    has_side_effect = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    backend_config = opt_prop_def(AnyAttr())
    api_version = opt_prop_def(I32Property, default_value=IntegerAttr(1, i32))
    called_computations = opt_prop_def(ArrayProperty, default_value=ArrayAttr([]))
    operand_layouts = opt_prop_def(ArrayProperty)
    result_layouts = opt_prop_def(ArrayProperty)
    result_tilings = opt_prop_def(ArrayProperty)
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
        return parse_tail(parser, cls, operands, position, properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.call_target_name.data)
        printer.print_operands(self.operands)
        print_tail(printer, self, ("call_target_name",))

    def verify_(self) -> None:
        result_types = result_elements(self.result_types)
        for name, layouts, types in (
            ("operand_layouts", self.operand_layouts, self.operand_types),
            ("result_layouts", self.result_layouts, result_types),
        ):
            if layouts is None:
                if types and (self.operand_layouts or self.result_layouts) is not None:
                    violation(self, name, "expected layouts of operands and results, or none")
                continue
            if len(layouts.data) != len(types):
                violation(self, name, f"expected {len(types)} layouts, got {len(layouts.data)}")
            for layout, type in zip(layouts.data, types, strict=True):
                if not isinstance(layout, DenseIntOrFPElementsAttr) or not isinstance(
                    layout.get_element_type(), IndexType | IntegerType
                ):
                    violation(self, name, f"expected a tensor of index type, got {layout}")
                rank = len(type.get_shape()) if is_tensor(type) else 0
                order = cast("Sequence[int]", dense_values(cast("DenseIntOrFPElementsAttr", layout)))
                if sorted(order) != list(range(rank)):
                    violation(self, name, f"{layout} is no permutation of the dimensions of {type}")
        if self.result_tilings and (count := len(self.result_tilings.data)) not in (0, len(self.result_types)):
            violation(self, "result_tilings", f"expected {len(self.result_types)} tilings, got {count}")
        for name in self.called_computations or ():
            if not isinstance(name, SymbolRefAttr):
                violation(self, "called_computations", f"expected the name of a function, got {name}")
        self._verify_aliases()
        for check in CALL_CHECKS:
            check(self)

    def _verify_aliases(self) -> None:
        """What `output_operand_aliases` names is there, and each result has the type of its operand."""
        name, signature = "output_operand_aliases", self.attributes.get(SIGNATURE)
        if not isinstance(signature, FunctionType):
            signature = FunctionType.from_lists(self.operand_types, self.result_types)
        outputs = signature.outputs.data
        for alias in self.output_operand_aliases or ():
            if not isinstance(alias, OutputOperandAliasAttr):
                violation(self, name, f"expected an output_operand_alias, got {alias}")
            operand_type = element_at(signature.inputs.data, (alias.operand_index, *alias.operand_tuple_indices))
            if operand_type is None:
                violation(self, name, f"{alias}: there is no such operand")
            result_type = element_at(outputs, (*((0,) if len(outputs) == 1 else ()), *alias.output_tuple_indices))
            if result_type is None:
                violation(self, name, f"{alias}: there is no such result")
            if not compatible_type_lists([operand_type], [result_type]):
                violation(self, name, f"{alias}: the operand is {operand_type}, the result {result_type}")
