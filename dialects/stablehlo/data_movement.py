"""Operations that make up, repeat, rearrange and reinterpret elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ComplexType,
    IndexType,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ..element_sizes import element_bits
from .bounds import broadcast_type, inferred_type, reshaped_type
from .element_types import NumberTensor, PerAxisTensor, Tensor
from .interfaces import FoldableOp
from .property_types import I64ArrayProperty, I64Property
from .quantization import (
    quantized_element_type,
    verify_broadcast_elements,
    verify_broadcast_parameters,
    verify_moved_elements,
    verify_reshaped_axis,
)
from .shapes import (
    are_unique,
    compatible_dims,
    compatible_shapes,
    compatible_types,
    element_type_of,
    in_range,
    is_permutation,
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
)
from .traits import MovesElements

Value = SSAValue | Operation


def require_element_type(op: Operation, constraint: str, *values: SSAValue) -> None:
    """All tensors have one element type."""
    if any(element_type_of(value) != element_type_of(values[0]) for value in values):
        violation(op, constraint, f"expected one element type, got {show(v.type for v in values)}")


def require_result_shape(op: Operation, constraint: str, expected: Sequence[int]) -> None:
    """The shape of the one result, dynamic dimensions aside."""
    actual = shape_of(op.results[0])
    if not compatible_shapes(expected, actual):
        violation(
            op,
            constraint,
            f"expected result shape {show_shape(expected)}, got {show_shape(actual)}",
        )


@irdl_op_definition
class IotaOp(ResultType):
    """Each element is its index along `iota_dimension`; beyond the range of the type it wraps around.

    `output`: rank 1 or more; integer, float, complex or quantised elements. Specification: `iota`.
    """

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
    """Repeats the operand along new leading dimensions. Deprecated: `broadcast_in_dim`.

    `operand`: any shape and elements. `result`: `broadcast_sizes` in front of its shape, the same elements. Not in the
    specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.broadcast"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    broadcast_sizes = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

    FIELDS: ClassVar = (I64Array("sizes", "broadcast_sizes"),)

    def __init__(self, operand: Value, broadcast_sizes: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[inferred_type(element_type_of(operand), lambda shape: (*broadcast_sizes, *shape), operand)],
            properties={"broadcast_sizes": i64_array(broadcast_sizes)},
        )

    def verify_(self) -> None:
        if any(size < 0 for size in self.broadcast_sizes.get_values()):
            violation(self, "broadcast_sizes", f"negative sizes {list(self.broadcast_sizes.get_values())}")
        require_element_type(self, "element_type", self.operand, self.result)
        require_result_shape(self, "shape", (*self.broadcast_sizes.get_values(), *shape_of(self.operand)))


@irdl_op_definition
class BroadcastInDimOp(FunctionalTypes, FoldableOp):
    """Operand dimension `i` becomes result dimension `broadcast_dimensions[i]`; along the others, and where a size is
    1, elements are repeated.

    `operand`: any shape and elements. `result`: the same elements; sizes of the operand that are not 1 are kept.
    Parameters of quantisation per axis stay with their dimension. Specification: `broadcast_in_dim`.
    """

    name = "stablehlo.broadcast_in_dim"

    operand = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)
    broadcast_dimensions = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

    FIELDS: ClassVar = (I64Array("dims", "broadcast_dimensions"),)

    def __init__(self, operand: Value, broadcast_dimensions: Sequence[int], result_type: Attribute | Sequence[int]):
        operand = SSAValue.get(operand)
        if not isinstance(result_type, Attribute):
            result_type = broadcast_type(operand, result_type, broadcast_dimensions)
        super().__init__(
            operands=[operand],
            result_types=[result_type],
            properties={"broadcast_dimensions": i64_array(broadcast_dimensions)},
        )

    def verify_(self) -> None:
        verify_broadcast_elements(self, "C1", self.operand, self.result)
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
        verify_broadcast_parameters(self, "C6", self.operand, self.result, dims)


@irdl_op_definition
class ReshapeOp(FunctionalTypes, FoldableOp):
    """The same elements, in row-major order, in another shape.

    `operand`, `result`: as many elements of the same type. A dimension with parameters of quantisation of its own is
    kept. Specification: `reshape`.
    """

    name = "stablehlo.reshape"

    operand = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)

    traits = traits_def(Pure(), MovesElements())

    def __init__(self, operand: Value, result_type: Attribute | Sequence[int]):
        operand = SSAValue.get(operand)
        if not isinstance(result_type, Attribute):
            result_type = reshaped_type(operand, result_type)
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        verify_moved_elements(self, "C1", self.operand, self.result)
        operand, result = tensor_type(self.operand), tensor_type(self.result)
        if operand.has_static_shape() and result.has_static_shape():
            counts = operand.element_count(), result.element_count()
            if counts[0] != counts[1]:
                violation(self, "C2", f"{operand} has {counts[0]} elements, {result} has {counts[1]}")
        verify_reshaped_axis(self, "C3", self.operand, self.result)


@irdl_op_definition
class TransposeOp(FunctionalTypes, FoldableOp):
    """Result dimension `i` is operand dimension `permutation[i]`.

    `operand`: any shape and elements. `result`: sizes in the new order, the same elements. Specification: `transpose`.
    """

    name = "stablehlo.transpose"

    operand = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)
    permutation = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

    FIELDS: ClassVar = (I64Array("dims", "permutation"),)

    def __init__(self, operand: Value, permutation: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[
                inferred_type(element_type_of(operand), lambda shape: [shape[dim] for dim in permutation], operand)
            ],
            properties={"permutation": i64_array(permutation)},
        )

    def verify_(self) -> None:
        verify_moved_elements(self, "C1", self.operand, self.result)
        operand, permutation = shape_of(self.operand), self.permutation.get_values()
        if not is_permutation(permutation, len(operand)):
            violation(
                self,
                "C2",
                f"expected a permutation of {len(operand)} dimensions, got {list(permutation)}",
            )
        require_result_shape(self, "C3", [operand[dim] for dim in permutation])
        source, target = quantized_element_type(self.operand), quantized_element_type(self.result)
        if source is not None and target is not None and target.axis is not None:
            if source.axis != permutation[target.axis]:
                violation(self, "C4", f"quantised along another dimension: {source} -> {target}")


@irdl_op_definition
class ReverseOp(SameTypes, FoldableOp):
    """The operand in reverse order along each of `dimensions`.

    `operand`, `result`: one type; any shape and elements. Specification: `reverse`.
    """

    name = "stablehlo.reverse"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    dimensions = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

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
class BitcastConvertOp(FunctionalTypes, FoldableOp):
    """The same bits as another element type. Elements of fewer bits come in a further last dimension, the least
    significant part first; elements of more bits take the last dimension away.

    `operand`, `result`: any shape; elements both complex or both not. Quantised elements count as their storage type.
    Specification: `bitcast_convert`.
    """

    name = "stablehlo.bitcast_convert"

    operand = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        operand, result = tensor_type(self.operand), tensor_type(self.result)
        if isinstance(operand.element_type, ComplexType) != isinstance(result.element_type, ComplexType):
            violation(self, "C2", f"cannot convert between real and complex: {operand} -> {result}")
        if any(isinstance(type.element_type, IndexType) for type in (operand, result)):
            return
        from_bits, to_bits = element_bits(operand.element_type), element_bits(result.element_type)
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
