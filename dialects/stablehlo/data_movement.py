"""Operations that rearrange, repeat, cut and make up elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    FixedBitwidthType,
    IntegerAttr,
    IntegerType,
    TensorType,
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

from .element_types import NumberTensor, ScalarTensor, Tensor
from .interfaces import FoldableOp
from .property_types import I64ArrayProperty, I64Property
from .shapes import (
    Shape,
    are_unique,
    compatible_dims,
    compatible_shapes,
    compatible_types,
    element_type_of,
    in_range,
    is_complex,
    is_permutation,
    join_dims,
    shape_of,
    show,
    show_shape,
    tensor_type,
    violation,
)
from .syntax import (
    I64,
    FunctionalTypes,
    I64Array,
    ResultType,
    SameTypes,
    i64_array,
    parse_attr_dict,
    parse_signature,
    print_attr_dict,
    print_signature,
)

Value = SSAValue | Operation


def _require_element_type(op: Operation, constraint: str, *values: SSAValue) -> None:
    if any(element_type_of(value) != element_type_of(values[0]) for value in values):
        violation(op, constraint, f"expected one element type, got {show(v.type for v in values)}")


def _require_result_shape(op: Operation, constraint: str, expected: Sequence[int]) -> None:
    actual = shape_of(op.results[0])
    if not compatible_shapes(expected, actual):
        violation(
            op,
            constraint,
            f"expected result shape {show_shape(expected)}, got {show_shape(actual)}",
        )


@irdl_op_definition
class IotaOp(ResultType):
    """Each element is its index along `iota_dimension`."""

    name = "stablehlo.iota"

    output = result_def(NumberTensor)
    iota_dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "iota_dimension"),)

    def __init__(self, iota_dimension: int, result_type: Attribute):
        super().__init__(
            result_types=[result_type],
            properties={"iota_dimension": IntegerAttr(iota_dimension, i64)},
        )

    def verify_(self) -> None:
        rank, dim = len(shape_of(self.output)), self.iota_dimension.value.data
        if not 0 <= dim < rank:
            violation(self, "C1", f"iota_dimension {dim} is outside the {rank} dimensions of the result")


@irdl_op_definition
class BroadcastOp(FunctionalTypes, FoldableOp):
    """Repeats the operand along new leading dimensions. Deprecated upstream."""

    name = "stablehlo.broadcast"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    broadcast_sizes = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("sizes", "broadcast_sizes"),)

    def __init__(self, operand: Value, broadcast_sizes: Sequence[int]):
        operand = SSAValue.get(operand)
        shape = (*broadcast_sizes, *shape_of(operand))
        super().__init__(
            operands=[operand],
            result_types=[TensorType(element_type_of(operand), shape)],
            properties={"broadcast_sizes": i64_array(broadcast_sizes)},
        )

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.result)
        _require_result_shape(self, "C2", (*self.broadcast_sizes.get_values(), *shape_of(self.operand)))


@irdl_op_definition
class BroadcastInDimOp(FunctionalTypes, FoldableOp):
    """Operand dimension i becomes result dimension `broadcast_dimensions[i]`; sizes of 1 are repeated."""

    name = "stablehlo.broadcast_in_dim"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    broadcast_dimensions = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("dims", "broadcast_dimensions"),)

    def __init__(self, operand: Value, broadcast_dimensions: Sequence[int], result_type: Attribute):
        super().__init__(
            operands=[operand],
            result_types=[result_type],
            properties={"broadcast_dimensions": i64_array(broadcast_dimensions)},
        )

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.result)
        dims = self.broadcast_dimensions.get_values()
        operand, result = shape_of(self.operand), shape_of(self.result)
        if len(dims) != len(operand):
            violation(
                self,
                "C2",
                f"{len(dims)} broadcast_dimensions for an operand of rank {len(operand)}",
            )
        if not in_range(dims, len(result)):
            violation(
                self,
                "C3",
                f"broadcast_dimensions {list(dims)} exceed the result rank {len(result)}",
            )
        if not are_unique(dims):
            violation(self, "C4", f"broadcast_dimensions {list(dims)} are not unique")
        for size, dim in zip(operand, dims, strict=True):
            if size != 1 and not compatible_dims(size, result[dim]):
                violation(
                    self,
                    "C5",
                    f"operand shape {show_shape(operand)} does not fit result shape {show_shape(result)} "
                    f"at result dimension {dim}",
                )


@irdl_op_definition
class ReshapeOp(FunctionalTypes, FoldableOp):
    """The same elements, in row-major order, in another shape."""

    name = "stablehlo.reshape"

    operand = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute | Sequence[int]):
        operand = SSAValue.get(operand)
        if not isinstance(result_type, Attribute):
            result_type = TensorType(element_type_of(operand), result_type)
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.result)
        operand, result = tensor_type(self.operand), tensor_type(self.result)
        if operand.has_static_shape() and result.has_static_shape():
            counts = operand.element_count(), result.element_count()
            if counts[0] != counts[1]:
                violation(self, "C2", f"{operand} has {counts[0]} elements, {result} has {counts[1]}")


@irdl_op_definition
class TransposeOp(FunctionalTypes, FoldableOp):
    """Result dimension i is operand dimension `permutation[i]`."""

    name = "stablehlo.transpose"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    permutation = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("dims", "permutation"),)

    def __init__(self, operand: Value, permutation: Sequence[int]):
        operand = SSAValue.get(operand)
        shape = shape_of(operand)
        super().__init__(
            operands=[operand],
            result_types=[TensorType(element_type_of(operand), [shape[dim] for dim in permutation])],
            properties={"permutation": i64_array(permutation)},
        )

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.result)
        operand, permutation = shape_of(self.operand), self.permutation.get_values()
        if not is_permutation(permutation, len(operand)):
            violation(
                self,
                "C2",
                f"expected a permutation of {len(operand)} dimensions, got {list(permutation)}",
            )
        _require_result_shape(self, "C3", [operand[dim] for dim in permutation])


@irdl_op_definition
class ReverseOp(SameTypes, FoldableOp):
    """The operand in reverse order along `dimensions`."""

    name = "stablehlo.reverse"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    dimensions = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("dims", "dimensions"),)

    def __init__(self, operand: Value, dimensions: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type],
            properties={"dimensions": i64_array(dimensions)},
        )

    def verify_(self) -> None:
        if not compatible_types(self.operand.type, self.result.type):
            violation(self, "C1", f"expected result type {self.operand.type}, got {self.result.type}")
        dims, rank = self.dimensions.get_values(), len(shape_of(self.operand))
        if not are_unique(dims):
            violation(self, "C2", f"dimensions {list(dims)} are not unique")
        if not in_range(dims, rank):
            violation(self, "C3", f"dimensions {list(dims)} exceed the operand rank {rank}")


@irdl_op_definition
class ConcatenateOp(FunctionalTypes, FoldableOp):
    """The inputs one after the other along `dimension`."""

    name = "stablehlo.concatenate"

    inputs = var_operand_def(Tensor)
    result = result_def(Tensor)
    dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "dimension"),)

    def __init__(self, inputs: Sequence[Value], dimension: int):
        values = [SSAValue.get(value) for value in inputs]
        shape = self.infer_shape([shape_of(value) for value in values], dimension)
        super().__init__(
            operands=[values],
            result_types=[TensorType(element_type_of(values[0]), shape)],
            properties={"dimension": IntegerAttr(dimension, i64)},
        )

    @staticmethod
    def infer_shape(shapes: Sequence[Shape], dimension: int) -> Shape:
        shape = [join_dims(dims) for dims in zip(*shapes, strict=True)]
        sizes = [shape[dimension] for shape in shapes]
        shape[dimension] = DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
        return tuple(shape)

    def verify_(self) -> None:
        _require_element_type(self, "C1", *self.inputs, self.result)
        if not self.inputs:
            violation(self, "C3", "expected at least one input")
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
        _require_result_shape(self, "C6", self.infer_shape(shapes, dim))


@irdl_op_definition
class SliceOp(IRDLOperation, FoldableOp):
    """Elements from `start_indices` below `limit_indices` in steps of `strides`."""

    name = "stablehlo.slice"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    start_indices = prop_def(I64ArrayProperty)
    limit_indices = prop_def(I64ArrayProperty)
    strides = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

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
        shape = self.infer_shape(shape_of(operand), start_indices, limit_indices, strides)
        super().__init__(
            operands=[operand],
            result_types=[TensorType(element_type_of(operand), shape)],
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
        attributes = parse_attr_dict(parser, cls, properties)
        parser.parse_punctuation(":")
        inputs, outputs = parse_signature(parser)
        return cls.create(
            operands=parser.resolve_operands((operand,), inputs, position),
            result_types=outputs,
            properties=properties,
            attributes=attributes,
        )

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
        print_attr_dict(printer, self, ("start_indices", "limit_indices", "strides"))
        print_signature(printer, self)

    def _ranges(self) -> tuple[Shape, Shape, Shape]:
        return (
            self.start_indices.get_values(),
            self.limit_indices.get_values(),
            self.strides.get_values(),
        )

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.result)
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
        _require_result_shape(self, "C5", self.infer_shape(shape, starts, limits, strides))


@irdl_op_definition
class PadOp(FunctionalTypes, FoldableOp):
    """Pads at the edges (a negative amount cuts) and between elements with a scalar."""

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
        shape = self.infer_shape(shape_of(operand), edge_padding_low, edge_padding_high, interior_padding)
        super().__init__(
            operands=[operand, padding_value],
            result_types=[TensorType(element_type_of(operand), shape)],
            properties={
                "edge_padding_low": i64_array(edge_padding_low),
                "edge_padding_high": i64_array(edge_padding_high),
                "interior_padding": i64_array(interior_padding),
            },
        )

    @staticmethod
    def infer_shape(operand: Shape, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Shape:
        return tuple(
            DYNAMIC_INDEX if size == DYNAMIC_INDEX else size + before + max(size - 1, 0) * between + after
            for size, before, after, between in zip(operand, low, high, interior, strict=True)
        )

    def verify_(self) -> None:
        _require_element_type(self, "C1", self.operand, self.padding_value, self.result)
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
        expected = self.infer_shape(shape, low, high, interior)
        if any(size < 0 and size != DYNAMIC_INDEX for size in expected):
            violation(self, "C4", f"padding gives the negative shape {show_shape(expected)}")
        _require_result_shape(self, "C4", expected)


@irdl_op_definition
class BitcastConvertOp(FunctionalTypes, FoldableOp):
    """The same bits as another element type; a last dimension appears or goes if the widths differ."""

    name = "stablehlo.bitcast_convert"

    operand = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        operand, result = tensor_type(self.operand), tensor_type(self.result)
        if isinstance(operand.element_type, ComplexType) != isinstance(result.element_type, ComplexType):
            violation(self, "C2", f"cannot convert between real and complex: {operand} -> {result}")
        from_bits, to_bits = bitwidth(operand.element_type), bitwidth(result.element_type)
        if from_bits is None or to_bits is None:
            return
        source, target = operand.get_shape(), result.get_shape()
        if from_bits > to_bits:
            fits = (
                from_bits % to_bits == 0
                and len(target) == len(source) + 1
                and compatible_shapes(source, target[:-1])
                and compatible_dims(target[-1], from_bits // to_bits)
            )
        elif from_bits < to_bits:
            fits = (
                to_bits % from_bits == 0
                and len(source) == len(target) + 1
                and compatible_shapes(source[:-1], target)
                and compatible_dims(source[-1], to_bits // from_bits)
            )
        else:
            fits = compatible_shapes(source, target)
        if not fits:
            violation(
                self,
                "C1",
                f"{operand} of {from_bits}-bit elements does not fit {result} of {to_bits}-bit elements",
            )


def bitwidth(element_type: Attribute) -> int | None:
    """How many bits an element has; None for types that say nothing about it."""
    if isinstance(element_type, IntegerType):
        return cast(IntegerType, element_type).width.data
    if is_complex(element_type):
        inner = bitwidth(element_type.element_type)
        return None if inner is None else 2 * inner
    if isinstance(element_type, FixedBitwidthType):
        return element_type.bitwidth
    return None
