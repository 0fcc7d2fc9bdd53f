"""Ops of MLIR's `llvm` dialect that xDSL 0.74 does not define, or not for vectors.

They carry upstream's names and properties, so their generic form is what `mlir-opt` reads and
prints. `LLVM` takes the place of xDSL's `llvm` dialect in a context.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException


class CastOp(IRDLOperation, ABC):
    """A conversion of one value, scalar or vector, to another type."""

    arg = operand_def()
    res = result_def()

    traits = traits_def(NoMemoryEffect())

    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class FPToSIOp(CastOp):
    """Float to signed integer, towards zero; poison where the result does not fit."""

    name = "llvm.fptosi"


@irdl_op_definition
class FPToUIOp(CastOp):
    """Float to unsigned integer, towards zero; poison where the result does not fit."""

    name = "llvm.fptoui"


@irdl_op_definition
class UIToFPOp(CastOp):
    """Unsigned integer to float, to nearest even."""

    name = "llvm.uitofp"


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """One element of a vector; poison where the position is out of bounds."""

    name = "llvm.extractelement"

    T: ClassVar = VarConstraint("T", AnyAttr())

    vector = operand_def(VectorType.constr(T))
    position = operand_def(IntegerType)
    res = result_def(T)

    traits = traits_def(NoMemoryEffect())

    assembly_format = "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """The poison value of a type."""

    name = "llvm.mlir.poison"

    res = result_def()

    traits = traits_def(NoMemoryEffect())

    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """A jump to the block of the case that equals the value, else to the default block."""

    name = "llvm.switch"

    value = operand_def(IntegerType)
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    case_values = opt_prop_def(DenseIntElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase.constr(i32))
    default_destination = successor_def()
    case_destinations = var_successor_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(IsTerminator())


def _truth(type: Attribute) -> Attribute:
    """What a comparison of values of `type` gives."""
    return VectorType(i1, type.shape) if isinstance(type, VectorType) else i1


@irdl_op_definition
class FCmpOp(IRDLOperation):
    """Comparison of floats, or of vectors of them lane by lane."""

    name = "llvm.fcmp"

    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def()
    predicate = prop_def(IntegerAttr.constr(i64))
    fastmathFlags = prop_def(llvm.FastMathAttr, default_value=llvm.FastMathAttr(None))

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if self.res.type != _truth(self.lhs.type):
            raise VerifyException(f"a comparison of {self.lhs.type} gives {_truth(self.lhs.type)}")

    @classmethod
    def parse(cls, parser: Parser) -> FCmpOp:
        predicate = llvm.FCmpPredicateFlag(parser.parse_str_literal()).to_int()
        lhs = parser.parse_unresolved_operand()
        parser.parse_characters(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_characters(":")
        type = parser.parse_type()
        return cls.create(
            operands=parser.resolve_operands([lhs, rhs], [type, type], parser.pos),
            result_types=[_truth(type)],
            properties={"predicate": IntegerAttr(predicate, i64)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        flag = llvm.FCmpPredicateFlag.from_int(self.predicate.value.data)
        printer.print_string(f' "{flag}" ')
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """One of two values, or for each lane of two vectors."""

    name = "llvm.select"

    T: ClassVar = VarConstraint("T", AnyAttr())

    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)
    fastmathFlags = prop_def(llvm.FastMathAttr, default_value=llvm.FastMathAttr(None))

    traits = traits_def(Pure())

    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"

    irdl_options = (ParsePropInAttrDict(),)

    def verify_(self) -> None:
        if self.cond.type not in (i1, _truth(self.lhs.type)):
            raise VerifyException(f"{self.cond.type} does not select of {self.lhs.type}")


OPS: tuple[type[Operation], ...] = (
    ExtractElementOp,
    FCmpOp,
    FPToSIOp,
    FPToUIOp,
    PoisonOp,
    SelectOp,
    SwitchOp,
    UIToFPOp,
)

_REPLACED = {op.name for op in OPS}

LLVM = Dialect(
    "llvm", [*(op for op in llvm.LLVM.operations if op.name not in _REPLACED), *OPS], [*llvm.LLVM.attributes]
)
"""xDSL's dialect and the ops above, under the one name `llvm`."""
