"""The `check` dialect: what tests expect of values. Text-compatible with upstream's (stablehlo/tests/CheckOps.td).

```mlir
check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
check.expect_close %result, %wanted, max_ulp_difference = 3 : tensor<f32>, tensor<f32>
```

Only the reference interpreter executes them; `reference/checks.py` says when a check holds.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, TypeVar, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    f64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .dense_syntax import parse_dense, print_dense
from .editing import new_op
from .stablehlo.element_types import FloatOrComplexTensor, Tensor
from .stablehlo.property_types import PropertyConstraint

Value = SSAValue | Operation

ui32 = IntegerType(32, Signedness.UNSIGNED)
ui64 = IntegerType(64, Signedness.UNSIGNED)

_F64: AttrConstraint[Attribute] = PropertyConstraint(FloatAttr, "an f64 value", "type", f64)
_UI64: AttrConstraint[Attribute] = PropertyConstraint(IntegerAttr, "a ui64 value", "type", ui64)
_UI32: AttrConstraint[Attribute] = PropertyConstraint(IntegerAttr, "a ui32 value", "type", ui32)


Check = TypeVar("Check", bound="CheckOp")


class CheckOp(IRDLOperation, ABC):
    """Compares two tensors of one type: operands, or an operand and a constant."""

    OPTIONS: ClassVar[tuple[tuple[str, str, Attribute], ...]] = ()
    """Options `, keyword = value`: keyword, property and type."""

    def verify_same_type(self, lhs: Attribute, rhs: Attribute) -> None:
        if lhs != rhs:
            raise VerifyException(f"{self.name}: {lhs} is compared with {rhs}")

    @classmethod
    def parse_options(cls, parser: Parser) -> dict[str, Attribute]:
        properties: dict[str, Attribute] = {}
        for keyword, name, type in cls.OPTIONS:
            if parser.parse_optional_punctuation(",") is None:
                break
            parser.parse_keyword(keyword)
            parser.parse_punctuation("=")
            properties[name] = _parse_option(parser, type)
        return properties

    def print_options(self, printer: Printer) -> None:
        for keyword, name, _ in self.OPTIONS:
            value = self.properties.get(name)
            if value is None:
                continue
            printer.print_string(f", {keyword} = ")
            if isinstance(value, IntegerAttr):
                printer.print_string(str(value.value.data))
            elif isinstance(value, FloatAttr):
                printer.print_float(value.value.data, f64)
            else:
                printer.print_attribute(value)


def _parse_option(parser: Parser, type: Attribute) -> Attribute:
    """A value whose type is known."""
    if isinstance(type, IntegerType):
        return IntegerAttr(parser.parse_integer(allow_boolean=False, allow_negative=False), cast(IntegerType, type))
    if type == f64:
        return FloatAttr(float(parser.parse_number()), f64)
    return StringAttr(parser.parse_str_literal())


class OperandsCheck(CheckOp, ABC):
    """`check.name %actual, %expected, options : type`"""

    @classmethod
    def parse(cls, parser: Parser) -> OperandsCheck:
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        properties = cls.parse_options(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        operands = parser.resolve_operands((lhs, rhs), (type, type), parser.pos)
        return _create(cls, operands, properties, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        self.print_options(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    def verify_(self) -> None:
        self.verify_same_type(*self.operand_types)


class ConstantCheck(CheckOp, ABC):
    """`check.name %actual, dense<...> : type, options`"""

    @classmethod
    def parse(cls, parser: Parser) -> ConstantCheck:
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        position = parser.pos
        value = parse_dense(parser)
        properties: dict[str, Attribute] = {"value": value, **cls.parse_options(parser)}
        attributes = parser.parse_optional_attr_dict()
        return _create(cls, parser.resolve_operands((lhs,), (value.type,), position), properties, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(", ")
        value = cast(DenseIntOrFPElementsAttr, self.properties["value"])
        print_dense(printer, value)
        self.print_options(printer)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        value = cast(DenseIntOrFPElementsAttr, self.properties["value"])
        self.verify_same_type(self.operand_types[0], value.type)


def _create(
    cls: type[Check], operands: Sequence[SSAValue], properties: dict[str, Attribute], attributes: dict[str, Attribute]
) -> Check:
    """The op, with attributes of the dictionary that are properties as such."""
    names = {name for _, name, _ in cls.OPTIONS}
    properties |= {name: value for name, value in attributes.items() if name in names}
    rest = {name: value for name, value in attributes.items() if name not in names}
    return new_op(cls, operands=operands, properties=properties, attributes=rest)


@irdl_op_definition
class ExpectEqOp(OperandsCheck):
    """The operands are equal element by element."""

    name = "check.expect_eq"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)

    def __init__(self, lhs: Value, rhs: Value):
        super().__init__(operands=[lhs, rhs])


@irdl_op_definition
class ExpectEqConstOp(ConstantCheck):
    """The operand is equal to a constant element by element."""

    name = "check.expect_eq_const"

    lhs = operand_def(Tensor)
    value = prop_def(DenseIntOrFPElementsAttr)

    def __init__(self, lhs: Value, value: DenseIntOrFPElementsAttr):
        super().__init__(operands=[lhs], properties={"value": value})


@irdl_op_definition
class ExpectAlmostEqOp(OperandsCheck):
    """The operands differ by at most `tolerance`, 1e-4 if it is not given."""

    name = "check.expect_almost_eq"

    lhs = operand_def(FloatOrComplexTensor)
    rhs = operand_def(FloatOrComplexTensor)
    tolerance = opt_prop_def(_F64)

    OPTIONS: ClassVar = (("tolerance", "tolerance", f64),)

    def __init__(self, lhs: Value, rhs: Value, tolerance: float | None = None):
        properties = {} if tolerance is None else {"tolerance": FloatAttr(tolerance, f64)}
        super().__init__(operands=[lhs, rhs], properties=properties)


@irdl_op_definition
class ExpectAlmostEqConstOp(ConstantCheck):
    """The operand differs from a constant by at most `tolerance`, 1e-4 if it is not given."""

    name = "check.expect_almost_eq_const"

    lhs = operand_def(FloatOrComplexTensor)
    value = prop_def(DenseIntOrFPElementsAttr)
    tolerance = opt_prop_def(_F64)

    OPTIONS: ClassVar = (("tolerance", "tolerance", f64),)

    def __init__(self, lhs: Value, value: DenseIntOrFPElementsAttr, tolerance: float | None = None):
        properties: dict[str, Attribute] = {"value": value}
        if tolerance is not None:
            properties["tolerance"] = FloatAttr(tolerance, f64)
        super().__init__(operands=[lhs], properties=properties)


@irdl_op_definition
class ExpectCloseOp(CheckOp):
    """The operands are `min_ulp_difference` to `max_ulp_difference` floats apart."""

    name = "check.expect_close"

    actual = operand_def(FloatOrComplexTensor)
    expected = operand_def(FloatOrComplexTensor)
    max_ulp_difference = prop_def(_UI64)
    min_ulp_difference = opt_prop_def(_UI64)

    OPTIONS: ClassVar = (
        ("max_ulp_difference", "max_ulp_difference", ui64),
        ("min_ulp_difference", "min_ulp_difference", ui64),
    )

    def __init__(self, actual: Value, expected: Value, max_ulp_difference: int = 1, min_ulp_difference: int = 0):
        properties: dict[str, Attribute] = {"max_ulp_difference": IntegerAttr(max_ulp_difference, ui64)}
        if min_ulp_difference:
            properties["min_ulp_difference"] = IntegerAttr(min_ulp_difference, ui64)
        super().__init__(operands=[actual, expected], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> ExpectCloseOp:
        actual = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        expected = parser.parse_unresolved_operand()
        properties = cls.parse_options(parser)
        parser.parse_punctuation(":")
        attributes = parser.parse_optional_attr_dict()
        first = parser.parse_type()
        parser.parse_punctuation(",")
        second = parser.parse_type()
        operands = parser.resolve_operands((actual, expected), (first, second), parser.pos)
        return _create(cls, operands, properties, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        self.print_options(printer)
        printer.print_string(" :")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_list(self.operand_types, printer.print_attribute)

    def verify_(self) -> None:
        self.verify_same_type(*self.operand_types)


@irdl_op_definition
class ExpectSerializedEqOp(CheckOp):
    """The operand is what `interpreter.probe` of the same `probe_id` wrote, the time after `iteration` times."""

    name = "check.expect_serialized_eq"

    expected = operand_def(Tensor)
    probe_id = prop_def(StringAttr)
    iteration = opt_prop_def(_UI32)

    OPTIONS: ClassVar = (("probe_id", "probe_id", StringAttr("")), ("iter", "iteration", ui32))

    def __init__(self, expected: Value, probe_id: str, iteration: int = 0):
        properties: dict[str, Attribute] = {"probe_id": StringAttr(probe_id)}
        if iteration:
            properties["iteration"] = IntegerAttr(iteration, ui32)
        super().__init__(operands=[expected], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> ExpectSerializedEqOp:
        expected = parser.parse_unresolved_operand()
        properties = cls.parse_options(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = parser.resolve_operands((expected,), (parser.parse_type(),), parser.pos)
        return _create(cls, operands, properties, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.expected)
        self.print_options(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.expected.type)


CHECK = Dialect(
    "check",
    [
        ExpectAlmostEqConstOp,
        ExpectAlmostEqOp,
        ExpectCloseOp,
        ExpectEqConstOp,
        ExpectEqOp,
        ExpectSerializedEqOp,
    ],
    [],
)
