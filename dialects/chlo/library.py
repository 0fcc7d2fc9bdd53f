"""Constants and library calls."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    ConstantLike,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
)

from ..dense_syntax import parse_dense, print_dense
from ..editing import new_op
from ..stablehlo.bounds import inferred_type
from ..stablehlo.element_types import (
    IntegerTensor,
    Tensor,
)
from ..stablehlo.property_types import ArrayProperty, BoolProperty, I64Property
from ..stablehlo.regions import verify_signature
from ..stablehlo.shapes import (
    compatible_dims,
    compatible_types,
    element_type_of,
    join_dims,
    shape_of,
    violation,
    with_element_type,
)
from ..stablehlo.syntax import (
    bool_attr,
    parse_attr_dict,
    parse_signature,
    print_attr_dict,
    print_signature,
)
from ..stablehlo.traits import Elementwise
from .attributes import RaggedDotDimensionNumbersAttr
from .ragged_dot import ragged_dot_shape, verify_ragged_dot

Value = SSAValue | Operation


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A tensor known at compile time.

    `value`: dense elements of any type. `output`: a tensor of their type. Upstream: ChloOps.td.
    """

    name = "chlo.constant"

    value = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(Tensor)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parse_attr_dict(parser, cls, {})
        value = parse_dense(parser)
        return new_op(cls, result_types=(value.type,), properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attr_dict(printer, self, ("value",))
        printer.print_string(" ")
        print_dense(printer, self.value)


@irdl_op_definition
class ConstantLikeOp(IRDLOperation):
    """A tensor of the shape of `operand`, which may be dynamic, filled with `value`.

    `operand`: any shape and elements. `result`: its shape, elements of the type of `value`. Upstream: ChloOps.td.
    """

    name = "chlo.constant_like"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    value = prop_def(IntegerAttr | FloatAttr)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, operand: Value, value: IntegerAttr | FloatAttr):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[with_element_type(operand.type, value.type)],
            properties={"value": value},
        )

    def verify_(self) -> None:
        value = self.value
        assert isinstance(value, IntegerAttr | FloatAttr)
        expected = with_element_type(self.operand.type, value.type)
        if not compatible_types(expected, self.result.type):
            violation(self, "type", f"expected result type {expected}, got {self.result.type}")


@irdl_op_definition
class TopKOp(IRDLOperation):
    """The `k` largest elements of each row of the last dimension in descending order, NaN first, and their indices; of
    equal ones the first index.

    `operand`: rank 1 or more; any elements that have an order. `values`: k in the last dimension, the same elements;
    `indices`: the same shape, elements i32. Upstream: ChloOps.td.
    """

    name = "chlo.top_k"

    operand = operand_def(Tensor)
    values = result_def(Tensor)
    indices = result_def(Tensor)
    k = prop_def(I64Property)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, k: int):
        operand = SSAValue.get(operand)
        types = [
            inferred_type(element_type, lambda shape: (*shape[:-1], k), operand)
            for element_type in (element_type_of(operand), i32)
        ]
        super().__init__(
            operands=[operand],
            result_types=[*types],
            properties={"k": IntegerAttr(k, i64)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> TopKOp:
        parser.parse_punctuation("(")
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        parser.parse_keyword("k")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {"k": IntegerAttr(parser.parse_integer(), i64)}
        parser.parse_punctuation(")")
        attributes = parse_attr_dict(parser, cls, properties)
        parser.parse_punctuation(":")
        operand_type = parser.parse_type()
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        return new_op(
            cls,
            operands=(parser.resolve_operand(operand, operand_type),),
            result_types=results,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_ssa_value(self.operand)
        printer.print_string(f", k = {self.k.value.data})")
        print_attr_dict(printer, self, ("k",))
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> (")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(")")

    def verify_(self) -> None:
        shape, k = shape_of(self.operand), self.k.value.data
        if not shape:
            violation(self, "rank", f"expected at least one dimension, got {self.operand.type}")
        if k < 0 or (shape[-1] != DYNAMIC_INDEX and k > shape[-1]):
            violation(self, "k", f"k = {k} of a last dimension of size {shape[-1]}")
        expected = (*shape[:-1], k)
        element = element_type_of(self.operand)
        for value, element_type in ((self.values, element), (self.indices, i32)):
            if not compatible_types(TensorType(element_type, expected), value.type):
                violation(
                    self,
                    "type",
                    f"expected result type {TensorType(element_type, expected)}, got {value.type}",
                )


@irdl_op_definition
class RaggedDotOp(IRDLOperation):
    """A matrix product of which one dimension of lhs falls into groups of sizes `group_sizes`. Where that is a free
    dimension, rhs has one matrix per group, along its group dimension. Where it is a contracting one, the result has a
    leading dimension of groups. Where it is a batch dimension, the groups change nothing.

    `lhs`, `rhs`: any elements, shapes as those of `stablehlo.dot_general` but for the group dimension of rhs;
    `group_sizes`: rank 1 or more, integers. `result`: groups if any, batch, free dimensions of lhs, of rhs. Upstream:
    ChloOps.td; `ragged_dot_general` of JAX.
    """

    name = "chlo.ragged_dot"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    group_sizes = operand_def(IntegerTensor)
    result = result_def(Tensor)
    ragged_dot_dimension_numbers = prop_def(RaggedDotDimensionNumbersAttr)
    precision_config = opt_prop_def(ArrayProperty)

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: Value,
        rhs: Value,
        group_sizes: Value,
        ragged_dot_dimension_numbers: RaggedDotDimensionNumbersAttr,
        result_type: Attribute | None = None,
    ):
        lhs, rhs, group_sizes = SSAValue.get(lhs), SSAValue.get(rhs), SSAValue.get(group_sizes)
        if result_type is None:
            result_type = inferred_type(
                element_type_of(lhs),
                lambda lhs, rhs, sizes: ragged_dot_shape(lhs, rhs, sizes, ragged_dot_dimension_numbers),
                lhs,
                rhs,
                group_sizes,
            )
        super().__init__(
            operands=[lhs, rhs, group_sizes],
            result_types=[result_type],
            properties={"ragged_dot_dimension_numbers": ragged_dot_dimension_numbers},
        )

    def verify_(self) -> None:
        verify_ragged_dot(
            self,
            shape_of(self.lhs),
            shape_of(self.rhs),
            shape_of(self.group_sizes),
            shape_of(self.result),
            self.ragged_dot_dimension_numbers,
        )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Runs `body` along dimension `dimension` of the inputs, from the end if `is_reverse`, carrying values on and
    collecting outputs.

    `inputs`: any number, of one size in that dimension; `inits`: the first carried values. `outputs`: one slice per
    step in that dimension; `carries`: the last carried values. `body`: slices of the inputs and carried values to
    slices of the outputs and carried values. Upstream: ChloOps.td.
    """

    name = "chlo.scan"

    inputs = var_operand_def(Tensor)
    inits = var_operand_def(Tensor)
    outputs = var_result_def(Tensor)
    carries = var_result_def(Tensor)
    dimension = prop_def(I64Property)
    scan_dim_size = opt_prop_def(I64Property)
    is_reverse = opt_prop_def(BoolProperty)
    is_associative = opt_prop_def(BoolProperty)
    body = region_def()

    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )
    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        inits: Sequence[Value],
        dimension: int,
        body: Region,
        output_types: Sequence[Attribute],
        is_reverse: bool = False,
    ):
        carried = [SSAValue.get(value) for value in inits]
        super().__init__(
            operands=[inputs, carried],
            result_types=[output_types, [value.type for value in carried]],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "is_reverse": bool_attr(is_reverse),
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        position = parser.pos
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        parser.parse_keyword("inits")
        inits = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        parser.parse_keyword("dimension")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {"dimension": IntegerAttr(parser.parse_integer(), i64)}
        attributes = parse_attr_dict(parser, cls, properties, keyword=True)
        body = parser.parse_region()
        parser.parse_punctuation(":")
        input_types, output_types = parse_signature(parser)
        carries = len(inits)
        for name, sizes in (
            ("operandSegmentSizes", (len(inputs), carries)),
            ("resultSegmentSizes", (len(output_types) - carries, carries)),
        ):
            properties[name] = DenseArrayBase.from_list(i32, sizes)
        return new_op(
            cls,
            operands=parser.resolve_operands(inputs + inits, input_types, position),
            result_types=output_types,
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.inputs)
        printer.print_string(" inits ")
        printer.print_operands(self.inits)
        printer.print_string(f" dimension={self.dimension.value.data}")
        shown = ("dimension", "operandSegmentSizes", "resultSegmentSizes")
        print_attr_dict(printer, self, shown, keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_signature(printer, self)

    def verify_(self) -> None:
        dim = self.dimension.value.data
        for values in (self.inputs, self.outputs):
            for value in values:
                if not 0 <= dim < len(shape_of(value)):
                    violation(self, "dimension", f"dimension {dim} of {value.type}")
        if not self.inputs and not self.outputs:
            violation(self, "inputs", "expected at least one input or output")
        steps = [*(() if (size := self.scan_dim_size) is None else (size.value.data,))]
        steps += [shape_of(value)[dim] for value in (*self.inputs, *self.outputs)]
        if not all(compatible_dims(join_dims(steps), count) for count in steps):
            violation(self, "dimension", f"sizes {steps} of dimension {dim} differ")
        slices = [self._slice_type(value, dim) for value in self.inputs]
        expected = [*slices, *(value.type for value in self.inits)]
        outputs = [self._slice_type(value, dim) for value in self.outputs]
        verify_signature(self, "body", self.body, "body", expected, [*outputs, *(v.type for v in self.carries)])

    @staticmethod
    def _slice_type(value: SSAValue, dim: int) -> Attribute:
        shape = list(shape_of(value))
        del shape[dim]
        return TensorType(element_type_of(value), shape)
