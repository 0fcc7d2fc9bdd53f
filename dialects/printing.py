"""Printers whose output reads back as the same constants, bit for bit, at every level.

xDSL's own writes `dense<[0.0, -0.0]>` as a splat (its elements are equal as numbers) and forgets the payload of NaNs in
a splat. A scalar float attribute holds a Python float, so what it has is printed, but a signalling NaN, or the payload
of an f16 NaN, is gone before any printer sees it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.printer import Printer
from xdsl.syntax_printer import SyntaxPrinter
from xdsl.targets.mlir import MLIRTarget

from .dense_syntax import print_dense
from .function_syntax import is_declaration_with_attributes, print_declaration


class ExactPrinter(Printer):
    """xDSL's printer, but for dense constants, and attributes of arguments and results of declarations."""

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            print_dense(self, cast(DenseIntOrFPElementsAttr, attribute))
        else:
            super().print_attribute(attribute)

    def print_op(self, op: Operation) -> None:
        if self.print_generic_format or not is_declaration_with_attributes(op):
            super().print_op(op)
            return
        self.print_string(op.name)
        print_declaration(op, self)
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_attribute(op.location)


class TracingPrinter(ExactPrinter):
    """Prints behind each op who has made it, as a comment."""

    def __init__(self, makers: Mapping[Operation, str], stream: IO[str], *, print_generic_format: bool) -> None:
        super().__init__(stream, print_generic_format=print_generic_format)
        self.makers = makers

    def print_op(self, op: Operation) -> None:
        super().print_op(op)
        if op in self.makers:
            self.print_string(f"  // {self.makers[op]}")


class _NumberingPrinter(ExactPrinter):
    """Calls values by numbers, whatever the program calls them."""

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._ssa_values.setdefault(value, str(len(self._ssa_values)))
        self.print_string(f"%{name}")
        return name


def text_of_region(region: Region) -> str:
    """The same text for regions that differ in names and places only."""
    output = io.StringIO()
    _NumberingPrinter(output).print_region(region)
    return " ".join(output.getvalue().split())


class ExactSyntaxPrinter(ExactPrinter, SyntaxPrinter):
    """The same in colours."""


@dataclass(frozen=True)
class ExactMLIRTarget(MLIRTarget):
    """MLIR text, as xDSL's target of this name."""

    name = "mlir"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        printer = (ExactSyntaxPrinter if self.syntax_highlight else ExactPrinter)(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write("\n")
