"""Operations whose result shape is a value, and sizes of dimensions."""

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
from .constant import constant_integers
from .convolution import ConvolutionBase
from .element_types import (
    DimensionTensor,
    IntegerTensor,
    NumberTensor,
    PerAxisTensor,
    ScalarI32Tensor,
    ScalarTensor,
    Tensor,
)
from .gather_scatter import GATHER_TERMS, GatherConstraints, verify_gather
from .interfaces import FoldableOp
from .property_types import BoolProperty, I64ArrayProperty, I64Property
from .quantization import (
    verify_broadcast_elements,
    verify_broadcast_parameters,
    verify_moved_elements,
    verify_reshaped_axis,
)
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
    tensor_type,
    violation,
)
from .slicing import padded_shape
from .syntax import I64, FunctionalTypes, I64Array, bool_attr, i64_array

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
    """`broadcast_in_dim` to the shape `output_dimensions`. The `known_..._dimensions` say of which it is known whether
    they are repeated.

    `operand`, `result`: as those of `broadcast_in_dim`. `output_dimensions`: rank 1, one integer per dimension of the
    result. Specification: `dynamic_broadcast_in_dim`.
    """

    name = "stablehlo.dynamic_broadcast_in_dim"

    operand = operand_def(PerAxisTensor)
    output_dimensions = operand_def(DimensionTensor)
    result = result_def(PerAxisTensor)
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
        verify_broadcast_elements(self, "C1", self.operand, self.result)
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
        verify_broadcast_parameters(self, "C6", self.operand, self.result, dims)
        _verify_size(self, "C7", "output_dimensions", self.output_dimensions, len(result))
        expanding = () if (e := self.known_expanding_dimensions) is None else e.get_values()
        kept = () if (k := self.known_nonexpanding_dimensions) is None else k.get_values()
        known = (*expanding, *kept)
        if not are_unique(known):
            violation(self, "C8", f"known dimensions {list(known)} repeat")
        for kind, numbers, constraint in (("expanding", expanding, "C9"), ("nonexpanding", kept, "C10")):
            if not in_range(numbers, len(operand)):
                violation(self, constraint, f"known {kind} dimensions {list(numbers)} exceed rank {len(operand)}")


@irdl_op_definition
class DynamicConvOp(ConvolutionBase):
    """`convolution` with computed padding.

    `lhs`, `rhs`, `result`: as those of `convolution`. `padding`: N x 2 integers, low and high. Specification:
    `dynamic_conv`.
    """

    name = "stablehlo.dynamic_conv"

    lhs = operand_def(Tensor)
    rhs = operand_def(PerAxisTensor)
    padding = operand_def(IntegerTensor)
    result = result_def(PerAxisTensor)

    def verify_(self) -> None:
        self.verify_dimensions()
        rank = len(shape_of(self.lhs))
        if not compatible_shapes(shape_of(self.padding), (rank - 2, 2)):
            violation(self, "C4", f"padding of type {self.padding.type} for rank {rank}")
        self.verify_result_shape(((DYNAMIC_INDEX, DYNAMIC_INDEX),) * (rank - 2))
        self.verify_element_types()


DYNAMIC_GATHER_TERMS = GATHER_TERMS._replace(
    dropped_sorted="C6",
    dropped_range="C7",
    index_map_unique="C9",
    index_map_range="C10",
    batching_sorted="operand_batching_dims",
    batching_range="operand_batching_dims",
    indices_batching_unique="start_indices_batching_dims",
    indices_batching_range="start_indices_batching_dims",
    vector_dim_batching="start_indices_batching_dims",
    batching_count="operand_batching_dims",
    batching_sizes="operand_batching_dims",
)
"""Batching dimensions are in no specification of the op."""

DYNAMIC_GATHER_CONSTRAINTS = GatherConstraints(
    number="C11", range="C12", collapsed="C8", batching="operand_batching_dims", shape="C13"
)


@irdl_op_definition
class DynamicGatherOp(IRDLOperation):
    """`gather` with computed slice sizes.

    `operand`, `start_indices`, `result`: as those of `gather`. `slice_sizes`: rank 1, one integer per dimension of the
    operand. Specification: `dynamic_gather`.
    """

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
        _verify_size(self, "C11", "slice_sizes", self.slice_sizes, len(operand))
        verify_gather(
            self,
            DYNAMIC_GATHER_TERMS,
            DYNAMIC_GATHER_CONSTRAINTS,
            operand,
            shape_of(self.start_indices),
            self.dimension_numbers,
            constant_integers(self.slice_sizes) or (DYNAMIC_INDEX,) * len(operand),
            shape_of(self.result),
        )
        _verify_element_types(self, "C14", self.operand, self.result)


@irdl_op_definition
class DynamicIotaOp(FunctionalTypes):
    """`iota` of the shape `output_shape`.

    `output_shape`: rank 1, one integer per dimension. `result`: integer, float, complex or quantised elements.
    Specification: `dynamic_iota`.
    """

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
    """`pad` by computed amounts.

    `operand`, `padding_value`, `result`: as those of `pad`. `edge_padding_low`, `edge_padding_high`,
    `interior_padding`: rank 1, one integer per dimension. Specification: `dynamic_pad`.
    """

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
        low, high, interior = (constant_integers(value) for value in self.operands[2:])
        if interior is not None and any(amount < 0 for amount in interior):
            violation(self, "C3", f"interior_padding must not be negative, got {list(interior)}")
        if low is not None and high is not None and interior is not None:
            expected = padded_shape(shape_of(self.operand), low, high, interior)
            if not compatible_shapes(expected, shape_of(self.result)):
                violation(self, "C4", f"expected result shape {show_shape(expected)}, got {self.result.type}")


@irdl_op_definition
class DynamicReshapeOp(FunctionalTypes):
    """`reshape` to the shape `output_shape`.

    `operand`, `result`: as those of `reshape`. `output_shape`: rank 1, one integer per dimension of the result.
    Specification: `dynamic_reshape`.
    """

    name = "stablehlo.dynamic_reshape"

    operand = operand_def(PerAxisTensor)
    output_shape = operand_def(DimensionTensor)
    result = result_def(PerAxisTensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, output_shape: Value, result_type: Attribute):
        super().__init__(operands=[operand, output_shape], result_types=[result_type])

    def verify_(self) -> None:
        verify_moved_elements(self, "C1", self.operand, self.result)
        operand, result = tensor_type(self.operand), tensor_type(self.result)
        if operand.has_static_shape() and result.has_static_shape():
            counts = operand.element_count(), result.element_count()
            if counts[0] != counts[1]:
                violation(self, "C2", f"{operand} has {counts[0]} elements, {result} has {counts[1]}")
        verify_reshaped_axis(self, "C3", self.operand, self.result)
        _verify_size(self, "C4", "output_shape", self.output_shape, len(shape_of(self.result)))


@irdl_op_definition
class RealDynamicSliceOp(FunctionalTypes):
    """`slice` with computed start indices, limits and strides.

    `operand`, `result`: one rank and element type. `start_indices`, `limit_indices`, `strides`: rank 1, one integer per
    dimension, of one type. Not in the specification; upstream's definition of the op (StablehloOps.td).
    """

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
        bounds = [element_type_of(value) for value in self.operands[1:]]
        if any(bound != bounds[0] for bound in bounds):
            violation(self, "index_type", f"expected one index type, got {show(self.operand_types[1:])}")
        _verify_element_types(self, "element_type", self.operand, self.result)
        if len(shape_of(self.result)) != rank:
            violation(self, "rank", f"expected rank {rank} of the result, got {self.result.type}")


@irdl_op_definition
class GetDimensionSizeOp(FunctionalTypes, FoldableOp):
    """The size of dimension `dimension`.

    `operand`: rank 1 or more, any elements. `result`: i32 of rank 0. Specification: `get_dimension_size`.
    """

    name = "stablehlo.get_dimension_size"

    operand = operand_def(PerAxisTensor)
    result = result_def(ScalarI32Tensor)
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
    """The operand with `size` elements in dimension `dimension`, which is bounded by what it was.

    `operand`: rank 1 or more, any elements; `size`: i32 of rank 0. `result`: the same type, that dimension dynamic with
    a bound. Not in the specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.set_dimension_size"

    operand = operand_def(Tensor)
    size = operand_def(ScalarI32Tensor)
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
            violation(self, "dimension", f"dimension {dim} exceeds the rank {len(operand)}")
        _verify_element_types(self, "element_type", self.operand, self.result)
        expected = list(operand)
        expected[dim] = DYNAMIC_INDEX
        if not compatible_shapes(expected, result):
            violation(self, "shape", f"expected shape {show_shape(expected)}, got {show_shape(result)}")
