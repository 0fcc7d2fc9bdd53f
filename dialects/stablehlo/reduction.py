"""Operations that combine elements with a function: reductions, map and sort."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IntegerAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Commutative, RecursivelySpeculatable, RecursiveMemoryEffect

from ..editing import new_op
from .bounds import inferred_type
from .control_flow import ReturnOp
from .element_types import ScalarTensor, Tensor
from .elementwise_binary import BinaryOp
from .property_types import BoolProperty, I64ArrayProperty, I64Property
from .regions import ReducerConstraints, scalar, single_op, verify_reducer, verify_signature
from .shapes import (
    Shape,
    are_unique,
    compatible_shapes,
    compatible_type_lists,
    element_type_of,
    in_range,
    shape_of,
    show,
    show_shape,
    violation,
    with_element_type,
)
from .syntax import (
    bool_attr,
    i64_array,
    int_list,
    parse_attr_dict,
    parse_signature,
    print_tail,
)
from .traits import Elementwise

Value = SSAValue | Operation


def same_shapes(values: Sequence[SSAValue]) -> bool:
    """Whether all tensors have one shape, dynamic dimensions aside."""
    first = shape_of(values[0])
    return all(compatible_shapes(first, shape_of(value)) for value in values[1:])


def element_types(values: Sequence[SSAValue]) -> list[Attribute]:
    """The element type of each tensor."""
    return [element_type_of(value) for value in values]


def verify_init_values(op: Operation, constraint: str, inputs: Sequence[SSAValue], inits: Sequence[SSAValue]) -> None:
    """An initial value has the element type of its input."""
    for value, init in zip(inputs, inits, strict=True):
        if element_type_of(value) != element_type_of(init):
            violation(op, constraint, f"init_value of type {init.type} for input of type {value.type}")


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Combines the elements along `dimensions` with `body`, starting from `init_values`, in any order; several inputs
    together.

    `inputs`: N of one shape, any elements; `init_values`: N of rank 0. `result`: N without the reduced dimensions, of
    the types that `body` returns: a function of N accumulators and N values, of rank 0, into which elements can be
    promoted. Specification: `reduce`.
    """

    name = "stablehlo.reduce"

    inputs = var_operand_def(Tensor)
    init_values = var_operand_def(ScalarTensor)
    result = var_result_def(Tensor)
    dimensions = prop_def(I64ArrayProperty)
    body = region_def()

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        init_values: Sequence[Value],
        dimensions: Sequence[int],
        body: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        inputs = [SSAValue.get(value) for value in inputs]
        inits = [SSAValue.get(value) for value in init_values]
        if result_types is None:
            result_types = [
                inferred_type(element_type_of(init), lambda shape: self.infer_shape(shape, dimensions), value)
                for value, init in zip(inputs, inits, strict=True)
            ]
        super().__init__(
            operands=[inputs, inits],
            result_types=[result_types],
            properties={"dimensions": i64_array(dimensions)},
            regions=[body],
        )

    @staticmethod
    def infer_shape(shape: Shape, dimensions: Sequence[int]) -> Shape:
        return tuple(size for dim, size in enumerate(shape) if dim not in dimensions)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        position = parser.pos
        inputs: list[UnresolvedOperand] = []
        inits: list[UnresolvedOperand] = []
        while True:
            parser.parse_punctuation("(")
            inputs.append(parser.parse_unresolved_operand())
            parser.parse_keyword("init")
            parser.parse_punctuation(":")
            inits.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(")")
            if parser.parse_optional_punctuation(",") is None:
                break
        combiner = None
        if parser.parse_optional_keyword("applies") is not None:
            combiner = _parse_combiner(parser)
        parser.parse_keyword("across")
        parser.parse_keyword("dimensions")
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {"dimensions": i64_array(int_list(parser))}
        attributes = parse_attr_dict(parser, cls, properties)
        parser.parse_punctuation(":")
        input_types, output_types = parse_signature(parser)
        operands = parser.resolve_operands(inputs + inits, input_types, position)
        if combiner is None:
            parser.parse_keyword("reducer")
            body = parser.parse_region(_parse_reducer_arguments(parser))
        else:
            body = _combiner_region(combiner, scalar(element_type_of(operands[0])))
        return new_op(
            cls,
            operands=operands,
            result_types=output_types,
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        separator = "("
        for value, init in zip(self.inputs, self.init_values, strict=True):
            printer.print_string(separator)
            printer.print_ssa_value(value)
            printer.print_string(" init: ")
            printer.print_ssa_value(init)
            separator = "), ("
        printer.print_string(")")
        combiner = self.combiner()
        if combiner is not None:
            printer.print_string(f" applies {combiner.name}")
        dims = ", ".join(map(str, self.dimensions.get_values()))
        printer.print_string(f" across dimensions = [{dims}]")
        print_tail(printer, self, ("dimensions",))
        if combiner is None:
            printer.print_string("\n", indent=0)
            printer.print_string(" " * 5 + "reducer")
            args, count = self.body.block.args, len(self.inputs)
            for index in range(count):
                printer.print_string("(")
                printer.print_block_argument(args[index])
                printer.print_string(", ")
                printer.print_block_argument(args[index + count])
                printer.print_string(") ")
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False)

    def combiner(self) -> BinaryOp | None:
        """The one commutative operation the body consists of, if the body is as simple as that."""
        op = single_op(self.body)
        if not isinstance(op, BinaryOp) or not op.has_trait(Commutative) or op.attributes:
            return None
        if tuple(op.operands) != tuple(self.body.block.args):
            return None
        type = scalar(element_type_of(self.operands[0]))
        return op if op.lhs.type == op.rhs.type == op.result.type == type else None

    def verify_(self) -> None:
        inputs, inits = list(self.inputs), list(self.init_values)
        if not inputs or len(self.result) != len(inputs):
            violation(
                self,
                "C3",
                f"{len(inputs)} inputs, {len(inits)} init_values, {len(self.result)} results",
            )
        if not same_shapes(inputs):
            violation(self, "C1", f"inputs differ in shape: {show(v.type for v in inputs)}")
        verify_init_values(self, "C2", inputs, inits)
        dims, shape = self.dimensions.get_values(), shape_of(inputs[0])
        if not in_range(dims, len(shape)):
            violation(self, "C4", f"dimensions {list(dims)} exceed the rank {len(shape)}")
        if not are_unique(dims):
            violation(self, "C5", f"dimensions {list(dims)} are not unique")
        elements = element_types(self.result)
        verify_reducer(self, ReducerConstraints("C6", "C8"), self.body, "body", element_types(inputs), elements)
        expected = self.infer_shape(shape, dims)
        for value in self.result:
            if not compatible_shapes(expected, shape_of(value)):
                violation(
                    self,
                    "C7",
                    f"expected result shape {show_shape(expected)}, got {show_shape(shape_of(value))}",
                )


def _parse_combiner(parser: Parser) -> type[BinaryOp]:
    name = parser.parse_identifier()
    op_type = parser.ctx.get_optional_op(name)
    if op_type is None or not issubclass(op_type, BinaryOp) or not op_type.has_trait(Commutative):
        parser.raise_error(f"expected a commutative operation of two operands, got {name}")
    return op_type


def _combiner_region(combiner: type[BinaryOp], type: Attribute) -> Region:
    block = Block(arg_types=(type, type))
    op = new_op(combiner, operands=block.args, result_types=(type,))
    block.add_ops((op, new_op(ReturnOp, operands=op.results)))
    return Region(block)


def _parse_reducer_arguments(parser: Parser) -> list[Parser.Argument]:
    """`(%a: type, %b: type) (%c: type, %d: type)`: accumulators first, then values."""
    firsts: list[Parser.Argument] = []
    seconds: list[Parser.Argument] = []
    while parser.parse_optional_punctuation("(") is not None:
        firsts.append(_parse_argument(parser))
        parser.parse_punctuation(",")
        seconds.append(_parse_argument(parser))
        parser.parse_punctuation(")")
    return firsts + seconds


def _parse_argument(parser: Parser) -> Parser.Argument:
    argument = parser.parse_argument(expect_type=False)
    parser.parse_punctuation(":")
    return Parser.Argument(argument.name, parser.parse_type(), parser.parse_optional_location())


@irdl_op_definition
class MapOp(IRDLOperation):
    """Applies a function of scalars at every place of the inputs. `dimensions` are all dimensions in order.

    `inputs`: one or more of one shape, any elements; `computation`: one element of each to one of the result. `result`:
    their shape. Specification: `map`.
    """

    name = "stablehlo.map"

    inputs = var_operand_def(Tensor)
    result = result_def(Tensor)
    dimensions = prop_def(I64ArrayProperty)
    computation = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable(), Elementwise())

    def __init__(self, inputs: Sequence[Value], computation: Region, result_type: Attribute | None = None):
        values = [SSAValue.get(value) for value in inputs]
        if result_type is None:
            end = computation.block.last_op
            assert end is not None
            result_type = with_element_type(values[0].type, element_type_of(end.operands[0]))
        super().__init__(
            operands=[values],
            result_types=[result_type],
            properties={"dimensions": i64_array(range(len(shape_of(values[0]))))},
            regions=[computation],
        )

    def verify_(self) -> None:
        if not self.inputs:
            violation(self, "C2", "expected at least one input")
        if not same_shapes((*self.inputs, self.result)):
            violation(
                self,
                "C1",
                f"expected one shape, got {show(self.operand_types)} -> {self.result.type}",
            )
        dims, rank = self.dimensions.get_values(), len(shape_of(self.inputs[0]))
        if list(dims) != list(range(rank)):
            violation(self, "C3", f"expected dimensions {list(range(rank))}, got {list(dims)}")
        elements = [scalar(element) for element in element_types(self.inputs)]
        output = scalar(element_type_of(self.result))
        verify_signature(self, "C4", self.computation, "computation", elements, (output,))


@irdl_op_definition
class SortOp(IRDLOperation):
    """Sorts slices along `dimension` (negative: from the end) together, by `comparator`: whether the first of two
    elements of each input comes first. Equal elements keep their order if `is_stable`, here always.

    `inputs`, `result`: one or more, of the same types in order, in one shape. `comparator`: two elements of each input
    in turn to i1. Specification: `sort`.
    """

    name = "stablehlo.sort"

    inputs = var_operand_def(Tensor)
    result = var_result_def(Tensor)
    dimension = opt_prop_def(I64Property, default_value=IntegerAttr(-1, i64))
    is_stable = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    comparator = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        comparator: Region,
        dimension: int = -1,
        is_stable: bool = False,
    ):
        values = [SSAValue.get(value) for value in inputs]
        super().__init__(
            operands=[values],
            result_types=[[value.type for value in values]],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "is_stable": bool_attr(is_stable),
            },
            regions=[comparator],
        )

    def verify_(self) -> None:
        if not self.inputs:
            violation(self, "C1", "expected at least one input")
        if not compatible_type_lists(self.operand_types, self.result_types):
            violation(
                self,
                "C2",
                f"expected results {show(self.operand_types)}, got {show(self.result_types)}",
            )
        if not same_shapes((*self.inputs, *self.result)):
            violation(self, "C3", f"inputs and results differ in shape: {show(self.operand_types)}")
        rank = len(shape_of(self.inputs[0]))
        dimension = self.dimension.value.data
        if not -rank <= dimension < rank:
            violation(self, "C4", f"dimension {dimension} is outside [{-rank}, {rank})")
        arguments = [scalar(element) for element in element_types(self.inputs) for _ in range(2)]
        verify_signature(self, "C5", self.comparator, "comparator", arguments, (scalar(i1),))
