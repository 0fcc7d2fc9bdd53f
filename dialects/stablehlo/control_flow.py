"""Loops, branches, tuples, barriers and the terminator of regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, TupleType, i1, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursivelySpeculatable, RecursiveMemoryEffect

from ..editing import new_op
from .element_types import (
    ScalarBooleanTensor,
    ScalarIntegerTensor,
    TensorOrToken,
    TensorTokenOrTuple,
    Tuple,
)
from .interfaces import FoldableOp
from .property_types import I32Property
from .regions import entry_block, returned_types, scalar, verify_signature
from .shapes import compatible_type_lists, compatible_types, show, violation
from .syntax import (
    FormattedOp,
    parse_attr_dict,
    parse_operands,
    parse_tail,
    parse_type_list,
    print_attr_dict,
    print_operand_list,
    print_tail,
)

Value = SSAValue | Operation


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends a region with its results.

    `results_`: any number of tensors, tokens or tuples. Specification: the terminator of input functions.
    """

    name = "stablehlo.return"

    results_ = var_operand_def(TensorTokenOrTuple)

    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: Value):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        function = self.parent_op()
        if isinstance(function, FuncOp):
            wanted, given = function.function_type.outputs.data, self.operand_types
            if not compatible_type_lists(wanted, given):
                violation(self, "results", f"expected {show(wanted)}, the results of the function, got {show(given)}")

    @classmethod
    def parse(cls, parser: Parser) -> ReturnOp:
        position = parser.pos
        operands = parse_operands(parser)
        attributes = parse_attr_dict(parser, cls, {})
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parse_type_list(parser)
        return new_op(cls, operands=parser.resolve_operands(operands, types, position), attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_operand_list(printer, self)
        print_attr_dict(printer, self)
        if self.operands:
            printer.print_string(" : ")
            printer.print_list(self.operand_types, printer.print_attribute)


@irdl_op_definition
class WhileOp(IRDLOperation):
    """Runs `body` on the loop-carried values as long as `cond` of them is true.

    `operand`, `result`: any number of tensors, tokens or tuples, of the same types in order. `cond`: these to i1 of
    rank 0; `body`: these to the same types. Specification: `while`.
    """

    name = "stablehlo.while"

    operand = var_operand_def(TensorTokenOrTuple)
    result = var_result_def(TensorTokenOrTuple)
    cond = region_def()
    body = region_def()

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, operand: Sequence[Value], cond: Region, body: Region):
        values = [SSAValue.get(value) for value in operand]
        super().__init__(
            operands=[values],
            result_types=[[value.type for value in values]],
            regions=[cond, body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        position = parser.pos
        names: list[Parser.UnresolvedArgument] = []
        operands: list[UnresolvedOperand] = []

        def parse_binding() -> None:
            names.append(parser.parse_argument(expect_type=False))
            parser.parse_punctuation("=")
            operands.append(parser.parse_unresolved_operand())

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_binding)
        types: list[Attribute] = []
        if operands:
            parser.parse_punctuation(":")
            types = parse_type_list(parser)
        values = parser.resolve_operands(operands, types, position)
        attributes = parse_attr_dict(parser, cls, {}, keyword=True)
        arguments = [name.resolve(type) for name, type in zip(names, types, strict=True)]
        parser.parse_keyword("cond")
        cond = parser.parse_region(arguments)
        parser.parse_keyword("do")
        body = parser.parse_region(arguments)
        return new_op(cls, operands=values, result_types=types, attributes=attributes, regions=(cond, body))

    def print(self, printer: Printer) -> None:
        names: list[str] = []
        printer.print_string("(")
        for argument, operand in zip(self.body.block.args, self.operands, strict=True):
            if names:
                printer.print_string(", ")
            names.append(printer.print_ssa_value(argument))
            printer.print_string(" = ")
            printer.print_ssa_value(operand)
        printer.print_string(")")
        if self.operands:
            printer.print_string(" : ")
            printer.print_list(self.operand_types, printer.print_attribute)
        print_attr_dict(printer, self, keyword=True)
        for argument, name in zip(self.cond.block.args, names, strict=True):
            printer._ssa_values[argument] = name  # pyright: ignore[reportPrivateUsage]
        printer.print_string("\ncond ")
        printer.print_region(self.cond, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        types = list(self.operand_types)
        verify_signature(self, "C1", self.cond, "cond", types, (scalar(i1),))
        verify_signature(self, "C2", self.body, "body", types, types)
        if not compatible_type_lists(types, self.result_types):
            violation(self, "C3", f"expected results {show(types)}, got {show(self.result_types)}")


@irdl_op_definition
class IfOp(IRDLOperation):
    """The results of `true_branch` if the predicate is true, else of `false_branch`; the other one does not run.

    `pred`: i1 of rank 0. `result`: any number of tensors or tokens, which both branches, without arguments, return.
    Specification: `if`.
    """

    name = "stablehlo.if"

    pred = operand_def(ScalarBooleanTensor)
    result = var_result_def(TensorOrToken)
    true_branch = region_def()
    false_branch = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        pred: Value,
        true_branch: Region,
        false_branch: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        if result_types is None:
            result_types = _returned(true_branch)
        super().__init__(operands=[pred], result_types=[result_types], regions=[true_branch, false_branch])

    def verify_(self) -> None:
        _verify_branches(
            self,
            (self.true_branch, self.false_branch),
            ("true_branch", "false_branch"),
            ("C1", "C2", "C3"),
        )


@irdl_op_definition
class CaseOp(IRDLOperation):
    """The results of the branch that the index names, of the last one if it is out of range; no other one runs.

    `index`: an integer of rank 0. `branches`: one or more, without arguments. `result`: any number of tensors or
    tokens, which all of them return. Specification: `case`.
    """

    name = "stablehlo.case"

    index = operand_def(ScalarIntegerTensor)
    result = var_result_def(TensorOrToken)
    branches = var_region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        index: Value,
        branches: Sequence[Region],
        result_types: Sequence[Attribute] | None = None,
    ):
        if result_types is None:
            result_types = _returned(branches[0])
        super().__init__(operands=[index], result_types=[result_types], regions=[branches])

    def verify_(self) -> None:
        if not self.branches:
            violation(self, "C1", "expected at least one branch")
        names = [f"branch {index}" for index in range(len(self.branches))]
        _verify_branches(self, self.branches, names, ("C2", "C3", "C4"))


def _returned(region: Region) -> Sequence[Attribute]:
    last = region.block.last_op
    assert last is not None
    return tuple(last.operand_types)


def _verify_branches(
    op: Operation,
    regions: Sequence[Region],
    names: Sequence[str],
    constraints: tuple[str, str, str],
) -> None:
    """Branches take nothing, return the same types, and these are the types of the results."""
    takes, agree, result = constraints
    outputs: list[Sequence[Attribute]] = []
    for region, name in zip(regions, names, strict=True):
        block = entry_block(op, takes, region, name)
        if block.args:
            violation(
                op,
                takes,
                f"expected no arguments of {name}, got {show(a.type for a in block.args)}",
            )
        outputs.append(tuple(returned_types(op, agree, block, name)))
    for types, name in zip(outputs, names, strict=True):
        if not compatible_type_lists(types, outputs[0]):
            violation(op, agree, f"{names[0]} returns {show(outputs[0])}, {name} returns {show(types)}")
    if not compatible_type_lists(outputs[0], op.result_types):
        violation(op, result, f"expected results {show(outputs[0])}, got {show(op.result_types)}")


@irdl_op_definition
class OptimizationBarrierOp(IRDLOperation):
    """Passes its operands on; nothing may move across it.

    `operand`, `result`: any number of tensors or tokens, of the same types in order. Specification:
    `optimization_barrier`.
    """

    name = "stablehlo.optimization_barrier"

    operand = var_operand_def(TensorOrToken)
    result = var_result_def(TensorOrToken)

    traits = traits_def(Pure())

    def __init__(self, *operand: Value):
        values = [SSAValue.get(value) for value in operand]
        super().__init__(operands=[values], result_types=[[value.type for value in values]])

    @classmethod
    def parse(cls, parser: Parser) -> OptimizationBarrierOp:
        attributes = parse_attr_dict(parser, cls, {})
        position = parser.pos
        if parser.parse_optional_punctuation("(") is not None:
            parser.parse_punctuation(")")
            return new_op(cls, attributes=attributes)
        operands = parse_operands(parser)
        parser.parse_punctuation(":")
        types = parse_type_list(parser)
        return new_op(
            cls,
            operands=parser.resolve_operands(operands, types, position),
            result_types=types,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_attr_dict(printer, self)
        if not self.operands:
            printer.print_string("()")
            return
        print_operand_list(printer, self)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)

    def verify_(self) -> None:
        if not compatible_type_lists(self.operand_types, self.result_types):
            violation(
                self,
                "C1",
                f"expected results {show(self.operand_types)}, got {show(self.result_types)}",
            )


def tuple_type(types: Sequence[Attribute]) -> TupleType:
    return TupleType(ArrayAttr(cast(Sequence[TypeAttribute], types)))


@irdl_op_definition
class TupleOp(FormattedOp):
    """A tuple of its operands.

    `val`: any number of tensors, tokens or tuples. `result`: the tuple of their types. Specification: `tuple`.
    """

    name = "stablehlo.tuple"

    val = var_operand_def(TensorTokenOrTuple)
    result = result_def(Tuple)

    traits = traits_def(Pure())

    def __init__(self, *val: Value):
        values = [SSAValue.get(value) for value in val]
        super().__init__(operands=[values], result_types=[tuple_type([value.type for value in values])])

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, TupleType):
            parser.raise_error(f"expected a tuple type, got {type}")
        return type.types.data, (type,)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        expected = tuple_type(list(self.operand_types))
        if not compatible_types(expected, self.result.type):
            violation(self, "C1", f"expected result type {expected}, got {self.result.type}")


@irdl_op_definition
class GetTupleElementOp(IRDLOperation, FoldableOp):
    """Element `index` of a tuple.

    `operand`: a tuple. `result`: of the type of that element. Specification: `get_tuple_element`.
    """

    name = "stablehlo.get_tuple_element"

    operand = operand_def(Tuple)
    result = result_def(TensorTokenOrTuple)
    index = prop_def(I32Property)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, index: int):
        operand = SSAValue.get(operand)
        assert isinstance(operand.type, TupleType)
        super().__init__(
            operands=[operand],
            result_types=[operand.type.types.data[index]],
            properties={"index": IntegerAttr(index, i32)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> GetTupleElementOp:
        position = parser.pos
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        properties: dict[str, Attribute] = {"index": IntegerAttr(parser.parse_integer(), i32)}
        parser.parse_punctuation("]")
        return parse_tail(parser, cls, (operand,), position, properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(f"[{self.index.value.data}]")
        print_tail(printer, self, ("index",))

    def verify_(self) -> None:
        assert isinstance(self.operand.type, TupleType)
        elements, index = self.operand.type.types.data, self.index.value.data
        if not 0 <= index < len(elements):
            violation(self, "C1", f"index {index} is outside a tuple of {len(elements)} elements")
        if not compatible_types(elements[index], self.result.type):
            violation(self, "C2", f"expected result type {elements[index]}, got {self.result.type}")
