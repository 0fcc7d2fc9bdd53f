"""Operations whose result shape is a value, sizes of dimensions, and quantisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    TensorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .attributes import GatherDimensionNumbersAttr, TypeExtensionsAttr
from .convolution import ConvolutionBase
from .element_types import (
    DimensionTensor,
    FloatTensor,
    IntegerTensor,
    NumberTensor,
    ScalarIntegerTensor,
    ScalarTensor,
    Tensor,
)
from .indexing import verify_gather
from .interfaces import FoldableOp
from .property_types import BoolProperty, I64ArrayProperty, I64Property
from .quantization import expressed_type, quantized_element_type
from .shapes import (
    Shape,
    are_unique,
    compatible_dims,
    compatible_shapes,
    element_type_of,
    in_range,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import I64, FunctionalTypes, I64Array, SameTypes, bool_attr, i64_array

Value = SSAValue | Operation


def _verify_size(op: Operation, constraint: str, name: str, value: SSAValue, rank: int) -> None:
    """A tensor of rank 1 has one element per dimension."""
    if not compatible_dims(shape_of(value)[0], rank):
        violation(op, constraint, f"{name} of type {value.type} for {rank} dimensions")


def _verify_element_types(op: Operation, constraint: str, *values: SSAValue) -> None:
    if any(element_type_of(value) != element_type_of(values[0]) for value in values):
        violation(op, constraint, f"expected one element type, got {show(v.type for v in values)}")


@irdl_op_definition
class DynamicBroadcastInDimOp(FunctionalTypes):
    """`broadcast_in_dim` to the shape `output_dimensions`."""

    name = "stablehlo.dynamic_broadcast_in_dim"

    operand = operand_def(Tensor)
    output_dimensions = operand_def(DimensionTensor)
    result = result_def(Tensor)
    broadcast_dimensions = prop_def(I64ArrayProperty)
    known_expanding_dimensions = opt_prop_def(I64ArrayProperty)
    known_nonexpanding_dimensions = opt_prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("dims", "broadcast_dimensions"),)

    def __init__(
        self,
        operand: Value,
        output_dimensions: Value,
        broadcast_dimensions: Sequence[int],
        result_type: Attribute,
    ):
        super().__init__(
            operands=[operand, output_dimensions],
            result_types=[result_type],
            properties={"broadcast_dimensions": i64_array(broadcast_dimensions)},
        )

    def verify_(self) -> None:
        _verify_element_types(self, "C1", self.operand, self.result)
        operand, result = shape_of(self.operand), shape_of(self.result)
        dims = self.broadcast_dimensions.get_values()
        if len(dims) != len(operand):
            violation(self, "C2", f"{len(dims)} broadcast_dimensions for rank {len(operand)}")
        if not in_range(dims, len(result)):
            violation(self, "C3", f"broadcast_dimensions {list(dims)} exceed rank {len(result)}")
        if not are_unique(dims):
            violation(self, "C4", f"broadcast_dimensions {list(dims)} are not unique")
        for size, dim in zip(operand, dims, strict=True):
            if size != 1 and not compatible_dims(size, result[dim]):
                violation(self, "C5", f"{self.operand.type} does not fit {self.result.type}")
        _verify_size(self, "C6", "output_dimensions", self.output_dimensions, len(result))
        expanding = () if (e := self.known_expanding_dimensions) is None else e.get_values()
        kept = () if (k := self.known_nonexpanding_dimensions) is None else k.get_values()
        known = (*expanding, *kept)
        if not are_unique(known):
            violation(self, "C7", f"known dimensions {list(known)} repeat")
        if not in_range(known, len(operand)):
            violation(self, "C8", f"known dimensions {list(known)} exceed rank {len(operand)}")


@irdl_op_definition
class DynamicConvOp(ConvolutionBase):
    """`convolution` with computed padding."""

    name = "stablehlo.dynamic_conv"

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    padding = operand_def(IntegerTensor)
    result = result_def(Tensor)

    def verify_(self) -> None:
        self.verify_dimensions()
        rank = len(shape_of(self.lhs))
        if not compatible_shapes(shape_of(self.padding), (rank - 2, 2)):
            violation(self, "C4", f"padding of type {self.padding.type} for rank {rank}")
        if len(shape_of(self.result)) != rank:
            violation(self, "C26", f"expected rank {rank} of the result, got {self.result.type}")


@irdl_op_definition
class DynamicGatherOp(IRDLOperation):
    """`gather` with computed slice sizes."""

    name = "stablehlo.dynamic_gather"

    operand = operand_def(Tensor)
    start_indices = operand_def(IntegerTensor)
    slice_sizes = operand_def(IntegerTensor)
    result = result_def(Tensor)
    dimension_numbers = prop_def(GatherDimensionNumbersAttr)
    indices_are_sorted = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))

    traits = traits_def(Pure())

    def __init__(
        self,
        operand: Value,
        start_indices: Value,
        slice_sizes: Value,
        dimension_numbers: GatherDimensionNumbersAttr,
        result_type: Attribute,
        indices_are_sorted: bool = False,
    ):
        super().__init__(
            operands=[operand, start_indices, slice_sizes],
            result_types=[result_type],
            properties={
                "dimension_numbers": dimension_numbers,
                "indices_are_sorted": bool_attr(indices_are_sorted),
            },
        )

    def verify_(self) -> None:
        operand = shape_of(self.operand)
        _verify_size(self, "C20", "slice_sizes", self.slice_sizes, len(operand))
        verify_gather(
            self,
            operand,
            shape_of(self.start_indices),
            self.dimension_numbers,
            (DYNAMIC_INDEX,) * len(operand),
            shape_of(self.result),
        )
        _verify_element_types(self, "C23", self.operand, self.result)


@irdl_op_definition
class DynamicIotaOp(FunctionalTypes):
    """`iota` of the shape `output_shape`."""

    name = "stablehlo.dynamic_iota"

    output_shape = operand_def(DimensionTensor)
    result = result_def(NumberTensor)
    iota_dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "iota_dimension"),)

    def __init__(self, output_shape: Value, iota_dimension: int, result_type: Attribute):
        super().__init__(
            operands=[output_shape],
            result_types=[result_type],
            properties={"iota_dimension": IntegerAttr(iota_dimension, i64)},
        )

    def verify_(self) -> None:
        rank, dim = len(shape_of(self.result)), self.iota_dimension.value.data
        if not 0 <= dim < rank:
            violation(self, "C1", f"iota_dimension {dim} exceeds the rank {rank}")
        _verify_size(self, "C2", "output_shape", self.output_shape, rank)


@irdl_op_definition
class DynamicPadOp(FunctionalTypes):
    """`pad` by computed amounts."""

    name = "stablehlo.dynamic_pad"

    operand = operand_def(Tensor)
    padding_value = operand_def(ScalarTensor)
    edge_padding_low = operand_def(DimensionTensor)
    edge_padding_high = operand_def(DimensionTensor)
    interior_padding = operand_def(DimensionTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(
        self,
        operand: Value,
        padding_value: Value,
        edge_padding_low: Value,
        edge_padding_high: Value,
        interior_padding: Value,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[
                operand,
                padding_value,
                edge_padding_low,
                edge_padding_high,
                interior_padding,
            ],
            result_types=[result_type],
        )

    def verify_(self) -> None:
        _verify_element_types(self, "C1", self.operand, self.padding_value, self.result)
        rank = len(shape_of(self.operand))
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding"):
            _verify_size(self, "C2", name, getattr(self, name), rank)
        if len(shape_of(self.result)) != rank:
            violation(self, "C4", f"expected rank {rank} of the result, got {self.result.type}")


@irdl_op_definition
class DynamicReshapeOp(FunctionalTypes):
    """`reshape` to the shape `output_shape`."""

    name = "stablehlo.dynamic_reshape"

    operand = operand_def(Tensor)
    output_shape = operand_def(DimensionTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, output_shape: Value, result_type: Attribute):
        super().__init__(operands=[operand, output_shape], result_types=[result_type])

    def verify_(self) -> None:
        _verify_element_types(self, "C1", self.operand, self.result)
        _verify_size(self, "C4", "output_shape", self.output_shape, len(shape_of(self.result)))


@irdl_op_definition
class RealDynamicSliceOp(FunctionalTypes):
    """`slice` with computed start indices, limits and strides."""

    name = "stablehlo.real_dynamic_slice"

    operand = operand_def(Tensor)
    start_indices = operand_def(DimensionTensor)
    limit_indices = operand_def(DimensionTensor)
    strides = operand_def(DimensionTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(
        self,
        operand: Value,
        start_indices: Value,
        limit_indices: Value,
        strides: Value,
        result_type: Attribute,
    ):
        super().__init__(operands=[operand, start_indices, limit_indices, strides], result_types=[result_type])

    def verify_(self) -> None:
        rank = len(shape_of(self.operand))
        for name in ("start_indices", "limit_indices", "strides"):
            _verify_size(self, "size", name, getattr(self, name), rank)
        if len(shape_of(self.result)) != rank:
            violation(self, "rank", f"expected rank {rank} of the result, got {self.result.type}")


@irdl_op_definition
class GetDimensionSizeOp(FunctionalTypes, FoldableOp):
    """The size of one dimension."""

    name = "stablehlo.get_dimension_size"

    operand = operand_def(Tensor)
    result = result_def(ScalarIntegerTensor)
    dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "dimension"),)

    def __init__(self, operand: Value, dimension: int):
        super().__init__(
            operands=[operand],
            result_types=[TensorType(i32, ())],
            properties={"dimension": IntegerAttr(dimension, i64)},
        )

    def verify_(self) -> None:
        rank, dim = len(shape_of(self.operand)), self.dimension.value.data
        if not 0 <= dim < rank:
            violation(self, "C1", f"dimension {dim} exceeds the rank {rank}")


@irdl_op_definition
class SetDimensionSizeOp(FunctionalTypes):
    """The operand with one dimension of size `size`, bounded by what it was."""

    name = "stablehlo.set_dimension_size"

    operand = operand_def(Tensor)
    size = operand_def(ScalarIntegerTensor)
    result = result_def(Tensor)
    dimension = prop_def(I64Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64("dim", "dimension"),)

    def __init__(self, operand: Value, size: Value, dimension: int):
        operand = SSAValue.get(operand)
        shape = shape_of(operand)
        super().__init__(
            operands=[operand, size],
            result_types=[self.infer_result_type(operand, shape, dimension)],
            properties={"dimension": IntegerAttr(dimension, i64)},
        )

    @staticmethod
    def infer_result_type(operand: SSAValue, shape: Shape, dimension: int) -> Attribute:
        """A dynamic dimension; its static size becomes its bound, and what has a bound keeps it."""
        encoding = getattr(operand.type, "encoding", None)
        bounds = list(encoding.bounds) if isinstance(encoding, TypeExtensionsAttr) else [DYNAMIC_INDEX] * len(shape)
        if shape[dimension] != DYNAMIC_INDEX:
            bounds[dimension] = shape[dimension]
        sizes = list(shape)
        sizes[dimension] = DYNAMIC_INDEX
        return TensorType(element_type_of(operand), sizes, TypeExtensionsAttr(tuple(bounds)))

    def verify_(self) -> None:
        operand, result = shape_of(self.operand), shape_of(self.result)
        dim = self.dimension.value.data
        if not 0 <= dim < len(operand):
            violation(self, "C1", f"dimension {dim} exceeds the rank {len(operand)}")
        _verify_element_types(self, "C2", self.operand, self.result)
        expected = list(operand)
        expected[dim] = DYNAMIC_INDEX
        if not compatible_shapes(expected, result):
            violation(self, "C3", f"expected shape {show_shape(expected)}, got {show_shape(result)}")


@irdl_op_definition
class UniformQuantizeOp(SameTypes):
    """Converts to a quantised element type."""

    name = "stablehlo.uniform_quantize"

    operand = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        if not compatible_shapes(shape_of(self.operand), shape_of(self.result)):
            violation(self, "C1", f"{self.operand.type} -> {self.result.type}")
        target = quantized_element_type(self.result)
        if target is None or expressed_type(self.operand) != target.expressed_type:
            violation(self, "C2", f"{self.operand.type} -> {self.result.type}")


@irdl_op_definition
class UniformDequantizeOp(SameTypes):
    """Converts from a quantised element type."""

    name = "stablehlo.uniform_dequantize"

    operand = operand_def(Tensor)
    result = result_def(FloatTensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        if not compatible_shapes(shape_of(self.operand), shape_of(self.result)):
            violation(self, "C1", f"{self.operand.type} -> {self.result.type}")
        source = quantized_element_type(self.operand)
        if source is None or source.expressed_type != element_type_of(self.result):
            violation(self, "C2", f"{self.operand.type} -> {self.result.type}")
