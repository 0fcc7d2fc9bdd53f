"""Declarations of functions with attributes of their arguments and results, which xDSL 0.74 reads and prints without:

func.func private @f(i32 {my.attribute}) -> (f32 {other.attribute = 1 : i32})
llvm.func @g(!llvm.ptr {llvm.noalias}, ...) -> (i32 {llvm.signext})
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

if TYPE_CHECKING:
    from xdsl.dialects import func, llvm

NAMES = frozenset({"func.func", "llvm.func"})
"""Ops that declare a function where they have no body."""

AttributesOfValues = ArrayAttr[DictionaryAttr] | None

_LLVM_VISIBILITIES = ("", "hidden", "protected")
_LLVM_UNNAMED_ADDRESSES = ("", "local_unnamed_addr", "unnamed_addr")


def is_declaration(op: Operation) -> bool:
    """Whether it declares a function that it does not define."""
    return op.name in NAMES and not op.regions[0].blocks


def is_declaration_with_attributes(op: Operation) -> bool:
    """Whether it also says something of arguments or results."""
    return is_declaration(op) and ("arg_attrs" in op.properties or "res_attrs" in op.properties)


def attributes_of_arguments(parser: Parser) -> AttributesOfValues:
    """Those of a declaration in custom form whose first token is the present one; None if there are none."""
    while parser.parse_optional_symbol_name() is None:
        parser.parse_identifier()  # the name of the op, visibility, linkage, ...

    def argument() -> DictionaryAttr | None:
        if parser.parse_optional_characters("...") is not None:
            return None
        parser.parse_type()
        attributes = parser.parse_optional_dictionary_attr_dict()
        parser.parse_optional_location()
        return DictionaryAttr(attributes)

    found = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    entries = [entry for entry in found if entry is not None]
    return ArrayAttr(entries) if any(entry.data for entry in entries) else None


def print_declaration(op: Operation, printer: Printer) -> None:
    """What stands behind the name of the op, without the location."""
    words, inputs, outputs, attributes = _of_func(op) if op.name == "func.func" else _of_llvm(op)
    printer.print_string(" ".join(["", *filter(None, words), ""]))
    printer.print_symbol_name(cast(StringAttr, op.properties["sym_name"]).data)
    _print_types(inputs, cast(AttributesOfValues, op.properties.get("arg_attrs")), printer)
    if outputs:
        printer.print_string(" -> ")
        _print_types(outputs, cast(AttributesOfValues, op.properties.get("res_attrs")), printer)
    printer.print_op_attributes(attributes, print_keyword=True)


_Parts = tuple[Sequence[str], Sequence[Attribute | None], Sequence[Attribute], Mapping[str, Attribute]]
"""Words in front of the name, types of arguments (None: any more) and results, other attributes."""


def _of_func(op: Operation) -> _Parts:
    function = cast("func.FuncOp", op)
    visibility = "" if function.sym_visibility is None else function.sym_visibility.data
    return [visibility], function.function_type.inputs.data, function.function_type.outputs.data, op.attributes


def _of_llvm(op: Operation) -> _Parts:
    from xdsl.dialects.llvm import _FUNC_OP_RESERVED_ATTR_NAMES as reserved
    from xdsl.dialects.llvm import LLVMVoidType

    function = cast("llvm.FuncOp", op)
    linkage, convention = function.linkage.linkage.data, function.CConv.convention.data
    unnamed = 0 if function.unnamed_addr is None else function.unnamed_addr.value.data
    words = [
        "" if linkage == "external" else linkage,
        "" if convention == "ccc" else convention,
        _LLVM_VISIBILITIES[function.visibility_.value.data],
        _LLVM_UNNAMED_ADDRESSES[unnamed],
    ]
    type = function.function_type
    inputs = [*type.inputs.data, *([None] if type.is_variadic else [])]
    outputs = [] if isinstance(type.output, LLVMVoidType) else [type.output]
    present = {**op.attributes, **op.properties}
    return words, inputs, outputs, {name: value for name, value in present.items() if name not in reserved}


def _print_types(types: Sequence[Attribute | None], attributes: AttributesOfValues, printer: Printer) -> None:
    known = () if attributes is None else attributes.data

    def print_entry(entry: tuple[int, Attribute | None]) -> None:
        index, type = entry
        if type is None:
            printer.print_string("...")
            return
        printer.print_attribute(type)
        if index < len(known):
            printer.print_op_attributes(known[index].data)

    with printer.in_parens():
        printer.print_list(list(enumerate(types)), print_entry)
