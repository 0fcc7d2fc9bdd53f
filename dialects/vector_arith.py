"""Ops of `arith` on vectors which xDSL has for scalars only: names, properties and syntax are upstream's.

    %m = arith.cmpf olt, %a, %b : vector<8xf32>
    %s = arith.select %m, %a, %b : vector<8xi1>, vector<8xf32>
    %i = arith.fptosi %s : vector<8xf32> to vector<8xi32>

xDSL knows an op by its class, and these have one each beside that for scalars (`ON_VECTORS`). In text both have one
name; the dialect `ARITH` makes of it what the types say.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.arith import FastMathFlagsAttr as FastMath
from xdsl.dialects.builtin import AnyFloatConstr, IntegerAttr, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .shared_attributes import i64_attribute

_FLOATS = VectorType.constr(AnyFloatConstr)
_INTEGERS = VectorType.constr(IntegerType)
_TRUTHS = VectorType.constr(i1)
_NO_FLAGS = FastMath("none")


class _Lanewise(IRDLOperation, ABC):
    """An op on each lane of vectors of one shape."""

    traits = traits_def(Pure())

    def verify_(self) -> None:
        shapes = {cast("VectorType[Attribute]", type).shape for type in (*self.operand_types, *self.result_types)}
        if len(shapes) != 1:
            raise VerifyException(f"'{self.name}' op: operands and result have as many lanes as each other")


_PREDICATES = {"arith.cmpf": CMPF_COMPARISON_OPERATIONS, "arith.cmpi": CMPI_COMPARISON_OPERATIONS}


class _Comparison(_Lanewise, ABC):
    def print(self, printer: Printer) -> None:
        printer.print_string(f" {_PREDICATES[self.name][cast('Any', self).predicate.value.data]}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        flags = self.properties.get("fastmath", _NO_FLAGS)
        if flags != _NO_FLAGS:
            printer.print_string(" fastmath")
            cast("FastMath", flags).print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)


@irdl_op_definition
class VectorCmpfOp(_Comparison):
    """Comparison of floats, lane by lane."""

    name = "arith.cmpf"

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(_FLOATS)
    rhs = operand_def(_FLOATS)
    fastmath = prop_def(FastMath, default_value=_NO_FLAGS)
    result = result_def(_TRUTHS)


@irdl_op_definition
class VectorCmpiOp(_Comparison):
    """Comparison of integers, lane by lane."""

    name = "arith.cmpi"

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(_INTEGERS)
    rhs = operand_def(_INTEGERS)
    result = result_def(_TRUTHS)


@irdl_op_definition
class VectorSelectOp(_Lanewise):
    """One of two values for each lane."""

    name = "arith.select"

    cond = operand_def(_TRUTHS)
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list((self.cond.type, self.result.type), printer.print_attribute)

    def verify_(self) -> None:
        if not self.lhs.type == self.rhs.type == self.result.type:
            raise VerifyException(f"'{self.name}' op: the values to choose from and the result have one type")
        super().verify_()


class _Cast(_Lanewise, ABC):
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" to ")
        printer.print_attribute(self.results[0].type)


class _IntegerCast(_Cast, ABC):
    input = operand_def(_INTEGERS)
    result = result_def(_INTEGERS)


class _IntegerToFloat(_Cast, ABC):
    input = operand_def(_INTEGERS)
    result = result_def(_FLOATS)


class _FloatToInteger(_Cast, ABC):
    input = operand_def(_FLOATS)
    result = result_def(_INTEGERS)


@irdl_op_definition
class VectorExtSIOp(_IntegerCast):
    """Wider signed integers, lane by lane."""

    name = "arith.extsi"


@irdl_op_definition
class VectorExtUIOp(_IntegerCast):
    """Wider unsigned integers, lane by lane."""

    name = "arith.extui"


@irdl_op_definition
class VectorTruncIOp(_IntegerCast):
    """The low bits, lane by lane."""

    name = "arith.trunci"


@irdl_op_definition
class VectorSIToFPOp(_IntegerToFloat):
    """Signed integers as floats, lane by lane."""

    name = "arith.sitofp"


@irdl_op_definition
class VectorUIToFPOp(_IntegerToFloat):
    """Unsigned integers as floats, lane by lane."""

    name = "arith.uitofp"


@irdl_op_definition
class VectorFPToSIOp(_FloatToInteger):
    """Floats as signed integers, towards zero, lane by lane."""

    name = "arith.fptosi"


@irdl_op_definition
class VectorFPToUIOp(_FloatToInteger):
    """Floats as unsigned integers, towards zero, lane by lane."""

    name = "arith.fptoui"


ON_VECTORS: dict[type[Operation], type[Operation]] = {
    arith.CmpfOp: VectorCmpfOp,
    arith.CmpiOp: VectorCmpiOp,
    arith.ExtSIOp: VectorExtSIOp,
    arith.ExtUIOp: VectorExtUIOp,
    arith.FPToSIOp: VectorFPToSIOp,
    arith.FPToUIOp: VectorFPToUIOp,
    arith.SelectOp: VectorSelectOp,
    arith.SIToFPOp: VectorSIToFPOp,
    arith.TruncIOp: VectorTruncIOp,
    arith.UIToFPOp: VectorUIToFPOp,
}
"""The class of an op on vectors, by that on scalars."""

_ON_SCALARS = {vector.name: scalar for scalar, vector in ON_VECTORS.items()}


class _ByType(IRDLOperation, ABC):
    """What a name stands for in text: makes ops on scalars or on vectors, as the first operand is."""

    on_vectors: ClassVar[type[Operation]]

    @classmethod
    def create(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        location: Any = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Operation:
        is_vector = bool(operands) and isinstance(operands[0].type, VectorType)
        return (cls.on_vectors if is_vector else _ON_SCALARS[cls.name]).create(
            operands=operands,
            result_types=result_types,
            properties=dict(properties or {}),
            attributes=dict(attributes or {}),
            location=location,
            successors=successors,
            regions=regions,
        )

    @classmethod
    def parse(cls, parser: Parser) -> Operation:  # pyright: ignore[reportIncompatibleMethodOverride]
        if cls.name in _PREDICATES:
            return cls._parse_comparison(parser, _PREDICATES[cls.name])
        return cls._parse_select(parser) if cls.on_vectors is VectorSelectOp else cls._parse_cast(parser)

    @classmethod
    def _parse_comparison(cls, parser: Parser, predicates: Sequence[str]) -> Operation:
        start = parser.pos
        predicate = parser.parse_identifier()
        if predicate not in predicates:
            parser.raise_error(f"expected one of {', '.join(predicates)}", start, parser.pos)
        properties: dict[str, Attribute] = {"predicate": i64_attribute(predicates.index(predicate))}
        parser.parse_punctuation(",")
        operands = _parse_operands(parser, 2)
        if predicates is CMPF_COMPARISON_OPERATIONS:
            given = parser.parse_optional_keyword("fastmath") is not None
            properties["fastmath"] = FastMath(FastMath.parse_parameter(parser)) if given else _NO_FLAGS
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type: Attribute = parser.parse_type()
        result = _truth(type)
        return cls.create(
            operands=parser.resolve_operands(operands, [type, type], parser.pos),
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )

    @classmethod
    def _parse_select(cls, parser: Parser) -> Operation:
        operands = _parse_operands(parser, 3)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        condition, type = i1, parser.parse_type()
        if parser.parse_optional_punctuation(",") is not None:
            condition, type = type, parser.parse_type()
        return cls.create(
            operands=parser.resolve_operands(operands, [condition, type, type], parser.pos),
            result_types=[type],
            attributes=attributes,
        )

    @classmethod
    def _parse_cast(cls, parser: Parser) -> Operation:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        return cls.create(
            operands=[parser.resolve_operand(operand, source)],
            result_types=[parser.parse_type()],
            attributes=attributes,
        )


def _truth(type: Attribute) -> Attribute:
    return VectorType(i1, cast("VectorType[Attribute]", type).shape) if isinstance(type, VectorType) else i1


def _parse_operands(parser: Parser, count: int) -> list[UnresolvedOperand]:
    operands = [parser.parse_unresolved_operand()]
    while len(operands) < count:
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
    return operands


def _by_type(on_vectors: type[Operation]) -> type[Operation]:
    return type(f"{on_vectors.__name__}OrScalar", (_ByType, on_vectors), {"on_vectors": on_vectors})


ARITH = Dialect(
    "arith",
    [
        *(op for op in arith.Arith.operations if op not in ON_VECTORS),
        *map(_by_type, ON_VECTORS.values()),
    ],
    [*arith.Arith.attributes],
)
"""xDSL's dialect, in which ops take vectors where they do upstream."""
