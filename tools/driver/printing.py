"""How `xla-opt` prints programs: one form, set by flags, for results, dumps between passes and reproducers."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import IO, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FloatData,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    NameLoc,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.syntax_printer import SyntaxPrinter

from ...dialects.printing import ExactPrinter
from .numbering import numbered

ELIDED = "dense_resource<__elided__>"

IDENTIFIER = re.compile(r"[A-Za-z_$.-][\w$.-]*", re.ASCII)


@dataclass(frozen=True)
class Form:
    """What the flags say about printing."""

    generic: bool = False
    properties_as_attributes: bool = False
    locations: bool = False
    colours: bool = False
    skip_regions: bool = False
    value_names: bool = True
    unique_numbers: bool = False
    names_from_locations: bool = False
    most_elements: int | None = None
    longest_resource: int | None = None

    @property
    def is_upstream(self) -> bool:
        """Whether the text is that of mlir-opt, the order of attributes included."""
        return self.generic and not self.value_names

    @staticmethod
    def of(args: argparse.Namespace) -> Form:
        """That of a command line."""
        return Form(
            generic=args.print_op_generic or args.mlir_print_op_generic,
            properties_as_attributes=args.print_no_properties,
            locations=args.print_debuginfo or args.mlir_print_debuginfo,
            colours=args.syntax_highlight,
            skip_regions=args.mlir_print_skip_regions,
            value_names=args.mlir_print_value_names and not args.mlir_print_unique_ssa_ids,
            unique_numbers=args.mlir_print_unique_ssa_ids,
            names_from_locations=args.mlir_use_nameloc_as_prefix,
            most_elements=args.mlir_elide_elementsattrs_if_larger,
            longest_resource=args.mlir_elide_resource_strings_if_larger,
        )

    def printer(self, stream: IO[str], makers: Mapping[Operation, str] | None = None) -> FormPrinter:
        """A printer of this form; `makers` are printed behind their ops, as comments."""
        printer = (_ColouredFormPrinter if self.colours else FormPrinter)(
            stream,
            print_generic_format=self.generic,
            print_properties_as_attributes=self.properties_as_attributes,
            print_debuginfo=self.locations,
        )
        printer.form = self
        printer.makers = makers or {}
        printer.numbers = None
        printer.predecessors = {}
        return printer

    def text(self, op: Operation) -> str:
        """`op` by itself."""
        stream = io.StringIO()
        self.printer(stream).print_op(op)
        return stream.getvalue()

    def program(
        self, module: ModuleOp, dialects: Iterable[Dialect], makers: Mapping[Operation, str] | None = None
    ) -> str:
        """A module with the resources it refers to, as a file."""
        stream = io.StringIO()
        printer = self.printer(stream, makers)
        printer.print_op(module)
        printer.print_metadata(dialects)
        return stream.getvalue() + "\n"


class FormPrinter(ExactPrinter):
    """Prints as a `Form` says."""

    form: Form
    makers: Mapping[Operation, str]
    numbers: Mapping[SSAValue, str] | None
    """Of the op that is printed first, if values are called by numbers."""
    predecessors: dict[Region, Mapping[Block, Sequence[Block]]]

    def print_attribute(self, attribute: Attribute) -> None:
        most = self.form.most_elements
        if most is not None and isinstance(attribute, DenseIntOrFPElementsAttr):
            dense = cast("DenseIntOrFPElementsAttr", attribute)
            if len(dense) > most and not dense.is_splat():
                self.print_string(f"{ELIDED} : ")
                self.print_attribute(dense.get_type())
                return
        if self.form.is_upstream and isinstance(attribute, ArrayAttr):
            with self.in_square_brackets():
                self.print_list(cast("ArrayAttr", attribute).data, self._print_element)
            return
        super().print_attribute(cast(Attribute, attribute))

    def _print_element(self, attribute: Attribute) -> None:
        """As in MLIR, which leaves out types that its parser assumes."""
        match attribute:
            case IntegerAttr(value=IntAttr(data=number), type=type) if type == i64:
                self.print_int(number)
            case FloatAttr(value=FloatData(data=number), type=type) if type == f64 and isfinite(number):
                self.print_float(number, f64)
            case _:
                self.print_attribute(attribute)

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        super().print_attr_dict(dict(sorted(attr_dict.items())) if self.form.is_upstream else attr_dict)

    def print_successors(self, successors: Sequence[Block]) -> None:
        if successors:
            with self.in_square_brackets():
                self.print_list(successors, self.print_block_name)

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        if self.form.skip_regions:
            self.print_string("{...}")
        else:
            super().print_region(region, print_entry_block_args, print_empty_block, print_block_terminators)

    def print_metadata(self, dialects: Iterable[Dialect]) -> None:
        dialects = list(dialects)
        longest = self.form.longest_resource
        for dialect in dialects:
            interface = dialect.get_interface(OpAsmDialectInterface)
            keys = self._dialect_resources.get(dialect.name)
            if longest is not None and interface is not None and keys:
                texts = interface.build_resources(keys)
                self._dialect_resources[dialect.name] = {key for key in keys if len(texts.get(key, "")) <= longest}
        super().print_metadata(dialects)

    def print_op(self, op: Operation) -> None:
        if self.numbers is None and not self.form.value_names:
            self.numbers = numbered(op, is_unique=self.form.generic or self.form.unique_numbers)
        super().print_op(op)
        if op in self.makers:
            self.print_string(f"  // {self.makers[op]}")

    def _print_results(self, op: Operation) -> None:
        number = self.numbers.get(op.results[0]) if self.numbers is not None and len(op.results) > 1 else None
        if number is not None and not self.form.names_from_locations:
            self.print_string(f"%{number.removesuffix('#0')}:{len(op.results)} = ")
        else:
            super()._print_results(op)

    def print_block(self, block: Block, print_block_args: bool = True, print_block_terminator: bool = True) -> None:
        if print_block_args:
            self._print_new_line()
            self.print_block_name(block)
            if block.args:
                with self.in_parens():
                    self.print_list(block.args, self.print_block_argument)
            self.print_string(":")
            self._print_predecessors(block)
        super().print_block(block, False, print_block_terminator)

    def _print_predecessors(self, block: Block) -> None:
        """Where the block is reached from, as a comment."""
        region = block.parent
        if region is None or region.blocks.first is region.blocks.last:
            return
        if region not in self.predecessors:
            self.predecessors[region] = _predecessors(region)
        names = [self._get_block_name(other) for other in self.predecessors[region].get(block, ())]
        if len(names) > 1:
            self.print_string(f"  // {len(names)} preds: {', '.join(f'^{name}' for name in names)}")
        elif names:
            self.print_string(f"  // pred: ^{names[0]}")
        elif block is not region.blocks.first:
            self.print_string("  // no predecessors")

    def print_ssa_value(self, value: SSAValue) -> str:
        if value not in self._ssa_values:
            hint = _name_of_location(value) if self.form.names_from_locations else None
            if hint is not None:
                self._name(value, hint)
            elif self.numbers and value in self.numbers:
                self._ssa_values[value] = self.numbers[value]
        return super().print_ssa_value(value)

    def _name(self, value: SSAValue, hint: str) -> None:
        count = self.ssa_names.get(hint, 0)
        self.ssa_names[hint] = count + 1
        self._ssa_values[value] = f"{hint}_{count - 1}" if count else hint

    def _populate_block_name(self, block: Block, block_index: int | None = None) -> None:
        if not self.form.value_names:
            self._blocks[block] = f"bb{self._get_new_valid_block_id() if block_index is None else block_index}"
        else:
            super()._populate_block_name(block, block_index)


def _predecessors(region: Region) -> Mapping[Block, Sequence[Block]]:
    """The blocks that branch to a block, in their order, as often as they do."""
    found: dict[Block, list[Block]] = {}
    for block in region.blocks:
        if block.last_op is not None:
            for successor in block.last_op.successors:
                found.setdefault(successor, []).append(block)
    return found


class _ColouredFormPrinter(FormPrinter, SyntaxPrinter):
    """The same in colours."""


def _name_of_location(value: SSAValue) -> str | None:
    owner = value.owner
    location = owner.location if isinstance(owner, Operation) else getattr(value, "location", None)
    if isinstance(location, NameLoc) and IDENTIFIER.fullmatch(location.desc.data):
        return location.desc.data
    return None
