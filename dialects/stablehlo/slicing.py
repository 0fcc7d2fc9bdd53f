"""Operations that put tensors together and take parts of them: concatenation, slices, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .bounds import inferred_type
from .data_movement import require_element_type, require_result_shape
from .element_types import ScalarTensor, Tensor
from .interfaces import FoldableOp
from .property_types import I64ArrayProperty, I64Property
from .shapes import (
    Shape,
    compatible_dims,
    element_type_of,
    join_dims,
    shape_of,
    show_shape,
    violation,
)
from .syntax import (
    I64,
    FunctionalTypes,
    I64Array,
    i64_array,
    parse_tail,
    print_tail,
)
from .traits import MovesElements
from .windows import require_steps

Value = SSAValue | Operation


@irdl_op_definition
class ConcatenateOp(FunctionalTypes, FoldableOp):
    """The inputs one after the other along `dimension`.

    `inputs`: one or more of rank 1 or more, with one element type and one shape but for `dimension`. `result`: their
    sum in that dimension. Specification: `concatenate`.
    """

    name = "stablehlo.concatenate"

    inputs = var_operand_def(Tensor)
    result = result_def(Tensor)
    dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "dimension"),)

    def __init__(self, inputs: Sequence[Value], dimension: int):
        values = [SSAValue.get(value) for value in inputs]
        element_type = element_type_of(values[0])
        super().__init__(
            operands=[values],
            result_types=[inferred_type(element_type, lambda *shapes: self.infer_shape(shapes, dimension), *values)],
            properties={"dimension": IntegerAttr(dimension, i64)},
        )

    @staticmethod
    def infer_shape(shapes: Sequence[Shape], dimension: int) -> Shape:
        shape = [join_dims(dims) for dims in zip(*shapes, strict=True)]
        sizes = [shape[dimension] for shape in shapes]
        shape[dimension] = DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
        return tuple(shape)

    def verify_(self) -> None:
        if not self.inputs:
            violation(self, "C3", "expected at least one input")
        require_element_type(self, "C1", *self.inputs)
        require_element_type(self, "C5", self.inputs[0], self.result)
        shapes = [shape_of(value) for value in self.inputs]
        dim, rank = self.dimension.value.data, len(shapes[0])
        if not 0 <= dim < rank:
            violation(self, "C4", f"dimension {dim} is outside the {rank} dimensions of the inputs")
        for shape in shapes:
            if len(shape) != rank or any(
                i != dim and not compatible_dims(a, b) for i, (a, b) in enumerate(zip(shape, shapes[0], strict=True))
            ):
                violation(
                    self,
                    "C2",
                    f"inputs differ outside dimension {dim}: {', '.join(map(show_shape, shapes))}",
                )
        require_result_shape(self, "C6", self.infer_shape(shapes, dim))


@irdl_op_definition
class SliceOp(IRDLOperation, FoldableOp):
    """Elements from `start_indices` below `limit_indices` in steps of `strides`.

    `operand`: any shape and elements. `result`: `ceil((limit - start) / stride)` elements in each dimension.
    Specification: `slice`.
    """

    name = "stablehlo.slice"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    start_indices = prop_def(I64ArrayProperty)
    limit_indices = prop_def(I64ArrayProperty)
    strides = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

    def __init__(
        self,
        operand: Value,
        start_indices: Sequence[int],
        limit_indices: Sequence[int],
        strides: Sequence[int] | None = None,
    ):
        operand = SSAValue.get(operand)
        if strides is None:
            strides = [1] * len(start_indices)
        ranges = start_indices, limit_indices, strides
        super().__init__(
            operands=[operand],
            result_types=[
                inferred_type(element_type_of(operand), lambda shape: self.infer_shape(shape, *ranges), operand)
            ],
            properties={
                "start_indices": i64_array(start_indices),
                "limit_indices": i64_array(limit_indices),
                "strides": i64_array(strides),
            },
        )

    @staticmethod
    def infer_shape(operand: Shape, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]) -> Shape:
        return tuple(
            DYNAMIC_INDEX if size == DYNAMIC_INDEX else -((start - limit) // stride)
            for size, start, limit, stride in zip(operand, starts, limits, strides, strict=True)
        )

    @classmethod
    def parse(cls, parser: Parser) -> SliceOp:
        position = parser.pos
        operand = parser.parse_unresolved_operand()
        ranges = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: cls._parse_range(parser))
        properties: dict[str, Attribute] = {
            name: i64_array([entry[i] for entry in ranges])
            for i, name in enumerate(("start_indices", "limit_indices", "strides"))
        }
        return parse_tail(parser, cls, (operand,), position, properties)

    @staticmethod
    def _parse_range(parser: Parser) -> tuple[int, int, int]:
        """`start:limit` or `start:limit:stride`"""
        start = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(":")
        limit = parser.parse_integer(allow_boolean=False)
        if parser.parse_optional_punctuation(":") is None:
            return start, limit, 1
        return start, limit, parser.parse_integer(allow_boolean=False)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        ranges = ", ".join(
            f"{start}:{limit}" + (f":{stride}" if stride != 1 else "")
            for start, limit, stride in zip(*self._ranges(), strict=True)
        )
        printer.print_string(f" [{ranges}]")
        print_tail(printer, self, ("start_indices", "limit_indices", "strides"))

    def _ranges(self) -> tuple[Shape, Shape, Shape]:
        return (
            self.start_indices.get_values(),
            self.limit_indices.get_values(),
            self.strides.get_values(),
        )

    def verify_(self) -> None:
        require_element_type(self, "C1", self.operand, self.result)
        shape = shape_of(self.operand)
        starts, limits, strides = self._ranges()
        for name, values in zip(("start_indices", "limit_indices", "strides"), self._ranges(), strict=True):
            if len(values) != len(shape):
                violation(self, "C2", f"{len(values)} {name} for an operand of rank {len(shape)}")
        for size, start, limit, stride in zip(shape, starts, limits, strides, strict=True):
            if not 0 <= start <= limit or (size != DYNAMIC_INDEX and limit > size):
                violation(self, "C3", f"range {start}:{limit} is not inside a dimension of size {size}")
            if stride <= 0:
                violation(self, "C4", f"strides must be positive, got {list(strides)}")
        require_result_shape(self, "C5", self.infer_shape(shape, starts, limits, strides))


def padded_shape(operand: Shape, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Shape:
    """Sizes with `interior` elements between neighbours, `low` in front and `high` behind (negative: cut off)."""
    return tuple(
        DYNAMIC_INDEX if size == DYNAMIC_INDEX else size + before + max(size - 1, 0) * between + after
        for size, before, after, between in zip(operand, low, high, interior, strict=True)
    )


@irdl_op_definition
class PadOp(FunctionalTypes, FoldableOp):
    """`interior_padding` elements between neighbours, then `edge_padding_low` before and `edge_padding_high` behind
    each dimension; negative edges cut off.

    `operand`: any shape and elements. `padding_value`: the same elements, rank 0. `result`: the sizes that follow.
    Specification: `pad`.
    """

    name = "stablehlo.pad"

    operand = operand_def(Tensor)
    padding_value = operand_def(ScalarTensor)
    result = result_def(Tensor)
    edge_padding_low = prop_def(I64ArrayProperty)
    edge_padding_high = prop_def(I64ArrayProperty)
    interior_padding = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (
        I64Array("low", "edge_padding_low"),
        I64Array("high", "edge_padding_high"),
        I64Array("interior", "interior_padding"),
    )

    def __init__(
        self,
        operand: Value,
        padding_value: Value,
        edge_padding_low: Sequence[int],
        edge_padding_high: Sequence[int],
        interior_padding: Sequence[int] | None = None,
    ):
        operand = SSAValue.get(operand)
        if interior_padding is None:
            interior_padding = [0] * len(edge_padding_low)
        amounts = edge_padding_low, edge_padding_high, interior_padding
        super().__init__(
            operands=[operand, padding_value],
            result_types=[
                inferred_type(element_type_of(operand), lambda shape: padded_shape(shape, *amounts), operand)
            ],
            properties={
                "edge_padding_low": i64_array(edge_padding_low),
                "edge_padding_high": i64_array(edge_padding_high),
                "interior_padding": i64_array(interior_padding),
            },
        )

    def verify_(self) -> None:
        require_element_type(self, "C1", self.operand, self.padding_value, self.result)
        shape = shape_of(self.operand)
        low, high, interior = (
            self.edge_padding_low.get_values(),
            self.edge_padding_high.get_values(),
            self.interior_padding.get_values(),
        )
        if not len(low) == len(high) == len(interior) == len(shape):
            violation(
                self,
                "C2",
                f"low, high and interior padding of lengths {len(low)}, {len(high)} and {len(interior)} "
                f"for an operand of rank {len(shape)}",
            )
        if any(amount < 0 for amount in interior):
            violation(self, "C3", f"interior_padding must not be negative, got {list(interior)}")
        for name, amounts in (("edge_padding_low", low), ("edge_padding_high", high), ("interior_padding", interior)):
            require_steps(self, "C4", name, amounts)
        expected = padded_shape(shape, low, high, interior)
        if any(size < 0 and size != DYNAMIC_INDEX for size in expected):
            violation(self, "C4", f"padding gives the negative shape {show_shape(expected)}")
        require_result_shape(self, "C4", expected)
