"""Reading and writing parts of tensors at computed places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
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
from xdsl.traits import Pure, RecursivelySpeculatable, RecursiveMemoryEffect

from .attributes import GatherDimensionNumbersAttr, ScatterDimensionNumbersAttr
from .element_types import IntegerTensor, ScalarIntegerTensor, Tensor
from .interfaces import FoldableOp
from .property_types import BoolProperty, I64ArrayProperty, I64Property
from .regions import verify_reducer
from .shapes import (
    Shape,
    are_unique,
    compatible_dims,
    compatible_shapes,
    compatible_types,
    element_type_of,
    in_range,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import FunctionalTypes, I64Array, bool_attr, i64_array

Value = SSAValue | Operation


def _is_sorted(dims: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(dims))


def _index_depth(indices: Shape, index_vector_dim: int) -> int:
    """How many coordinates an index has; scalars are vectors of one coordinate."""
    return indices[index_vector_dim] if index_vector_dim < len(indices) else 1


@irdl_op_definition
class DynamicSliceOp(FunctionalTypes, FoldableOp):
    """A slice of static size at computed start indices, clamped into range."""

    name = "stablehlo.dynamic_slice"

    operand = operand_def(Tensor)
    start_indices = var_operand_def(ScalarIntegerTensor)
    result = result_def(Tensor)
    slice_sizes = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (I64Array("sizes", "slice_sizes"),)

    def __init__(self, operand: Value, start_indices: Sequence[Value], slice_sizes: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand, start_indices],
            result_types=[TensorType(element_type_of(operand), slice_sizes)],
            properties={"slice_sizes": i64_array(slice_sizes)},
        )

    def verify_(self) -> None:
        if element_type_of(self.operand) != element_type_of(self.result):
            violation(
                self,
                "C1",
                f"operand of type {self.operand.type}, result of type {self.result.type}",
            )
        shape, sizes = shape_of(self.operand), self.slice_sizes.get_values()
        if not len(self.start_indices) == len(sizes) == len(shape):
            violation(
                self,
                "C2",
                f"{len(self.start_indices)} start_indices and {len(sizes)} slice_sizes "
                f"for an operand of rank {len(shape)}",
            )
        if any(value.type != self.start_indices[0].type for value in self.start_indices):
            violation(
                self,
                "C3",
                f"start_indices differ in type: {show(v.type for v in self.start_indices)}",
            )
        for size, slice_size in zip(shape, sizes, strict=True):
            if slice_size < 0 or (size != DYNAMIC_INDEX and slice_size > size):
                violation(
                    self,
                    "C4",
                    f"slice_sizes {list(sizes)} do not fit operand shape {show_shape(shape)}",
                )
        if not compatible_shapes(sizes, shape_of(self.result)):
            violation(
                self,
                "C5",
                f"expected result shape {list(sizes)}, got {show_shape(shape_of(self.result))}",
            )


@irdl_op_definition
class DynamicUpdateSliceOp(FunctionalTypes, FoldableOp):
    """`operand` with `update` written at computed start indices, clamped into range."""

    name = "stablehlo.dynamic_update_slice"

    operand = operand_def(Tensor)
    update = operand_def(Tensor)
    start_indices = var_operand_def(ScalarIntegerTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, update: Value, start_indices: Sequence[Value]):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand, update, start_indices], result_types=[operand.type])

    def verify_(self) -> None:
        if not compatible_types(self.operand.type, self.result.type):
            violation(self, "C1", f"expected result type {self.operand.type}, got {self.result.type}")
        if element_type_of(self.update) != element_type_of(self.operand):
            violation(
                self,
                "C2",
                f"update of type {self.update.type} for operand of type {self.operand.type}",
            )
        shape, update = shape_of(self.operand), shape_of(self.update)
        if len(update) != len(shape):
            violation(self, "C3", f"update of rank {len(update)} for an operand of rank {len(shape)}")
        if len(self.start_indices) != len(shape):
            violation(
                self,
                "C4",
                f"{len(self.start_indices)} start_indices for an operand of rank {len(shape)}",
            )
        if any(value.type != self.start_indices[0].type for value in self.start_indices):
            violation(
                self,
                "C5",
                f"start_indices differ in type: {show(v.type for v in self.start_indices)}",
            )
        for size, update_size in zip(shape, update, strict=True):
            if DYNAMIC_INDEX not in (size, update_size) and update_size > size:
                violation(
                    self,
                    "C6",
                    f"update shape {show_shape(update)} exceeds operand shape {show_shape(shape)}",
                )


@irdl_op_definition
class GatherOp(IRDLOperation, FoldableOp):
    """Slices of `operand` at the places that `start_indices` name, put together."""

    name = "stablehlo.gather"

    operand = operand_def(Tensor)
    start_indices = operand_def(IntegerTensor)
    result = result_def(Tensor)
    dimension_numbers = prop_def(GatherDimensionNumbersAttr)
    slice_sizes = prop_def(I64ArrayProperty)
    indices_are_sorted = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))

    traits = traits_def(Pure())

    def __init__(
        self,
        operand: Value,
        start_indices: Value,
        dimension_numbers: GatherDimensionNumbersAttr,
        slice_sizes: Sequence[int],
        indices_are_sorted: bool = False,
    ):
        operand, start_indices = SSAValue.get(operand), SSAValue.get(start_indices)
        shape = infer_gather_shape(shape_of(start_indices), dimension_numbers, slice_sizes)
        super().__init__(
            operands=[operand, start_indices],
            result_types=[TensorType(element_type_of(operand), shape)],
            properties={
                "dimension_numbers": dimension_numbers,
                "slice_sizes": i64_array(slice_sizes),
                "indices_are_sorted": bool_attr(indices_are_sorted),
            },
        )

    def verify_(self) -> None:
        verify_gather(
            self,
            shape_of(self.operand),
            shape_of(self.start_indices),
            self.dimension_numbers,
            self.slice_sizes.get_values(),
            shape_of(self.result),
        )
        if element_type_of(self.operand) != element_type_of(self.result):
            violation(
                self,
                "C23",
                f"operand of type {self.operand.type}, result of type {self.result.type}",
            )


def infer_gather_shape(indices: Shape, dims: GatherDimensionNumbersAttr, slice_sizes: Sequence[int]) -> Shape:
    """The sizes of the index dimensions around the sizes of the slice dimensions at `offset_dims`."""
    batch = iter([size for dim, size in enumerate(indices) if dim != dims.index_vector_dim])
    dropped = dims.collapsed_slice_dims + dims.operand_batching_dims
    offset = iter([size for dim, size in enumerate(slice_sizes) if dim not in dropped])
    rank = len(dims.offset_dims) + len(indices) - (dims.index_vector_dim < len(indices))
    return tuple(next(offset) if dim in dims.offset_dims else next(batch) for dim in range(rank))


def verify_gather(
    op: Operation,
    operand: Shape,
    indices: Shape,
    dims: GatherDimensionNumbersAttr,
    slice_sizes: Sequence[int],
    result: Shape,
) -> None:
    """Constraints C1 to C22 of `gather`; an unknown slice size is dynamic."""
    rank = len(operand)
    offset, collapsed, index_map = dims.offset_dims, dims.collapsed_slice_dims, dims.start_index_map
    batching, indices_batching = dims.operand_batching_dims, dims.start_indices_batching_dims
    vector_dim = dims.index_vector_dim
    if rank != len(offset) + len(collapsed) + len(batching):
        violation(
            op,
            "C1",
            f"offset_dims, collapsed_slice_dims and operand_batching_dims name "
            f"{len(offset)} + {len(collapsed)} + {len(batching)} of the {rank} operand dimensions",
        )
    if not 0 <= vector_dim <= len(indices):
        violation(op, "C2", f"index_vector_dim {vector_dim} exceeds start_indices of rank {len(indices)}")
    depth = _index_depth(indices, vector_dim)
    if not compatible_dims(len(index_map), depth):
        violation(op, "C3", f"start_index_map {list(index_map)} for indices of {depth} coordinates")
    if not are_unique(offset) or not _is_sorted(offset):
        violation(op, "C4", f"offset_dims {list(offset)} are not unique and sorted")
    if not in_range(offset, len(result)):
        violation(op, "C5", f"offset_dims {list(offset)} exceed the result rank {len(result)}")
    if not are_unique(collapsed + batching):
        violation(
            op,
            "C6",
            f"collapsed_slice_dims and operand_batching_dims {list(collapsed + batching)} repeat",
        )
    if not _is_sorted(collapsed):
        violation(op, "C7", f"collapsed_slice_dims {list(collapsed)} are not sorted")
    if not in_range(collapsed, rank):
        violation(op, "C8", f"collapsed_slice_dims {list(collapsed)} exceed the operand rank {rank}")
    if not _is_sorted(batching):
        violation(op, "C10", f"operand_batching_dims {list(batching)} are not sorted")
    if not in_range(batching, rank):
        violation(op, "C11", f"operand_batching_dims {list(batching)} exceed the operand rank {rank}")
    if not are_unique(indices_batching):
        violation(op, "C13", f"start_indices_batching_dims {list(indices_batching)} are not unique")
    if not in_range(indices_batching, len(indices)):
        violation(
            op,
            "C14",
            f"start_indices_batching_dims {list(indices_batching)} exceed rank {len(indices)}",
        )
    if vector_dim in indices_batching:
        violation(op, "C15", f"index_vector_dim {vector_dim} is one of the start_indices_batching_dims")
    if len(batching) != len(indices_batching):
        violation(
            op,
            "C16",
            f"batching dimensions {list(batching)} and {list(indices_batching)} differ in number",
        )
    for a, b in zip(batching, indices_batching, strict=True):
        if not compatible_dims(operand[a], indices[b]):
            violation(op, "C17", f"batching dimensions of sizes {operand[a]} and {indices[b]}")
    if not are_unique(index_map + batching):
        violation(
            op,
            "C18",
            f"start_index_map and operand_batching_dims {list(index_map + batching)} repeat",
        )
    if not in_range(index_map, rank):
        violation(op, "C19", f"start_index_map {list(index_map)} exceeds the operand rank {rank}")
    if len(slice_sizes) != rank:
        violation(op, "C20", f"{len(slice_sizes)} slice_sizes for an operand of rank {rank}")
    for size, slice_size in zip(operand, slice_sizes, strict=True):
        if slice_size == DYNAMIC_INDEX:
            continue
        if slice_size < 0 or (size != DYNAMIC_INDEX and slice_size > size):
            violation(
                op,
                "C21",
                f"slice_sizes {list(slice_sizes)} do not fit operand shape {show_shape(operand)}",
            )
    for numbers, constraint in ((collapsed, "C9"), (batching, "C12")):
        for dim in numbers:
            if slice_sizes[dim] > 1:
                violation(
                    op,
                    constraint,
                    f"slice size {slice_sizes[dim]} in dimension {dim}, which the result lacks",
                )
    expected = infer_gather_shape(indices, dims, slice_sizes)
    if not compatible_shapes(expected, result):
        violation(op, "C22", f"expected result shape {show_shape(expected)}, got {show_shape(result)}")


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`inputs` with `updates` combined into the places that `scatter_indices` name; places out of range are skipped."""

    name = "stablehlo.scatter"

    inputs = var_operand_def(Tensor)
    scatter_indices = operand_def(IntegerTensor)
    updates = var_operand_def(Tensor)
    result = var_result_def(Tensor)
    scatter_dimension_numbers = prop_def(ScatterDimensionNumbersAttr)
    indices_are_sorted = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    unique_indices = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    update_computation = region_def()

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        scatter_indices: Value,
        updates: Sequence[Value],
        scatter_dimension_numbers: ScatterDimensionNumbersAttr,
        update_computation: Region,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        result_types: Sequence[Attribute] | None = None,
    ):
        values = [SSAValue.get(value) for value in inputs]
        super().__init__(
            operands=[values, scatter_indices, updates],
            result_types=[result_types or [value.type for value in values]],
            properties={
                "scatter_dimension_numbers": scatter_dimension_numbers,
                "indices_are_sorted": bool_attr(indices_are_sorted),
                "unique_indices": bool_attr(unique_indices),
            },
            regions=[update_computation],
        )

    def verify_(self) -> None:
        inputs, updates = list(self.inputs), list(self.updates)
        if not inputs or len(self.result) != len(inputs):
            violation(
                self,
                "C5",
                f"{len(inputs)} inputs, {len(updates)} updates, {len(self.result)} results",
            )
        for values, constraint in ((inputs, "C1"), (updates, "C3")):
            if not all(compatible_shapes(shape_of(v), shape_of(values[0])) for v in values):
                violation(self, constraint, f"shapes differ: {show(v.type for v in values)}")
        for value, update in zip(inputs, updates, strict=True):
            if element_type_of(value) != element_type_of(update):
                violation(self, "C6", f"update of type {update.type} for input of type {value.type}")
        self._verify_dimensions(shape_of(inputs[0]), shape_of(self.scatter_indices), shape_of(updates[0]))
        elements = [element_type_of(value) for value in self.result]
        verify_reducer(self, "C23", self.update_computation, "update_computation", elements, elements)
        for value, result in zip(inputs, self.result, strict=True):
            if not compatible_shapes(shape_of(value), shape_of(result)):
                violation(self, "C24", f"input of type {value.type}, result of type {result.type}")

    def _verify_dimensions(self, operand: Shape, indices: Shape, update: Shape) -> None:
        rank = len(operand)
        dims = self.scatter_dimension_numbers
        window, inserted = dims.update_window_dims, dims.inserted_window_dims
        batching, indices_batching = dims.input_batching_dims, dims.scatter_indices_batching_dims
        index_map, vector_dim = dims.scatter_dims_to_operand_dims, dims.index_vector_dim
        if rank != len(window) + len(inserted) + len(batching):
            violation(
                self,
                "C2",
                f"update_window_dims, inserted_window_dims and input_batching_dims name "
                f"{len(window)} + {len(inserted)} + {len(batching)} of the {rank} input dimensions",
            )
        if not are_unique(window) or not _is_sorted(window):
            violation(self, "C7", f"update_window_dims {list(window)} are not unique and sorted")
        if not in_range(window, len(update)):
            violation(
                self,
                "C8",
                f"update_window_dims {list(window)} exceed the update rank {len(update)}",
            )
        if not are_unique(inserted + batching):
            violation(
                self,
                "C9",
                f"inserted_window_dims and input_batching_dims {list(inserted + batching)} repeat",
            )
        if not _is_sorted(inserted):
            violation(self, "C10", f"inserted_window_dims {list(inserted)} are not sorted")
        if not in_range(inserted, rank):
            violation(self, "C11", f"inserted_window_dims {list(inserted)} exceed the input rank {rank}")
        if not _is_sorted(batching):
            violation(self, "C12", f"input_batching_dims {list(batching)} are not sorted")
        if not in_range(batching, rank):
            violation(self, "C13", f"input_batching_dims {list(batching)} exceed the input rank {rank}")
        if not are_unique(indices_batching):
            violation(
                self,
                "C14",
                f"scatter_indices_batching_dims {list(indices_batching)} are not unique",
            )
        if not in_range(indices_batching, len(indices)):
            violation(
                self,
                "C15",
                f"scatter_indices_batching_dims {list(indices_batching)} exceed rank {len(indices)}",
            )
        if vector_dim in indices_batching:
            violation(
                self,
                "C16",
                f"index_vector_dim {vector_dim} is one of the scatter_indices_batching_dims",
            )
        if len(batching) != len(indices_batching):
            violation(
                self,
                "C17",
                f"batching dimensions {list(batching)} and {list(indices_batching)} differ in number",
            )
        for a, b in zip(batching, indices_batching, strict=True):
            if not compatible_dims(operand[a], indices[b]):
                violation(self, "C18", f"batching dimensions of sizes {operand[a]} and {indices[b]}")
        if not 0 <= vector_dim <= len(indices):
            violation(
                self,
                "C22",
                f"index_vector_dim {vector_dim} exceeds scatter_indices of rank {len(indices)}",
            )
        depth = _index_depth(indices, vector_dim)
        if not compatible_dims(len(index_map), depth):
            violation(
                self,
                "C19",
                f"scatter_dims_to_operand_dims {list(index_map)} for indices of {depth} coordinates",
            )
        if not are_unique(index_map + batching):
            violation(
                self,
                "C20",
                f"scatter_dims_to_operand_dims and input_batching_dims {list(index_map + batching)} repeat",
            )
        if not in_range(index_map, rank):
            violation(
                self,
                "C21",
                f"scatter_dims_to_operand_dims {list(index_map)} exceed the input rank {rank}",
            )
        self._verify_update_shape(operand, indices, update)

    def _verify_update_shape(self, operand: Shape, indices: Shape, update: Shape) -> None:
        dims = self.scatter_dimension_numbers
        scatter_sizes = [n for dim, n in enumerate(indices) if dim != dims.index_vector_dim]
        if len(update) != len(scatter_sizes) + len(dims.update_window_dims):
            violation(
                self,
                "C4",
                f"expected updates of rank {len(scatter_sizes) + len(dims.update_window_dims)}, got {len(update)}",
            )
        dropped = dims.inserted_window_dims + dims.input_batching_dims
        bounds = [n for dim, n in enumerate(operand) if dim not in dropped]
        for dim, bound in zip(dims.update_window_dims, bounds, strict=True):
            if DYNAMIC_INDEX not in (update[dim], bound) and update[dim] > bound:
                violation(
                    self,
                    "C4",
                    f"update dimension {dim} of size {update[dim]} exceeds the input's {bound}",
                )
        actual = [n for dim, n in enumerate(update) if dim not in dims.update_window_dims]
        if not compatible_shapes(actual, scatter_sizes):
            violation(
                self,
                "C4",
                f"expected scatter dimensions {show_shape(scatter_sizes)} of updates, got {show_shape(actual)}",
            )


@irdl_op_definition
class TorchIndexSelectOp(IRDLOperation):
    """Slices of `operand` along `dim` at the places in `index`. Deprecated upstream."""

    name = "stablehlo.torch_index_select"

    operand = operand_def(Tensor)
    index = operand_def(IntegerTensor)
    result = result_def(Tensor)
    dim = prop_def(I64Property)
    batch_dims = prop_def(I64Property)

    traits = traits_def(Pure())

    def __init__(
        self, operand: Value, index: Value, dim: int, batch_dims: int = 0, result_type: Attribute | None = None
    ):
        operand, index = SSAValue.get(operand), SSAValue.get(index)
        if result_type is None:
            shape = self.infer_shape(shape_of(operand), shape_of(index), dim, batch_dims)
            result_type = TensorType(element_type_of(operand), shape)
        super().__init__(
            operands=[operand, index],
            result_types=[result_type],
            properties={"dim": IntegerAttr(dim, i64), "batch_dims": IntegerAttr(batch_dims, i64)},
        )

    @staticmethod
    def infer_shape(operand: Shape, index: Shape, dim: int, batch_dims: int) -> Shape:
        """Dimension `dim` gives way to the dimensions of the index beyond the batch."""
        return (*operand[:dim], *index[batch_dims:], *operand[dim + 1 :])

    def verify_(self) -> None:
        operand, index = shape_of(self.operand), shape_of(self.index)
        dim, batch_dims = self.dim.value.data, self.batch_dims.value.data
        if not 0 <= dim < len(operand):
            violation(self, "dim", f"dim {dim} is outside the {len(operand)} dimensions of the operand")
        if not 0 <= batch_dims <= min(dim, len(index)):
            violation(self, "batch_dims", f"{batch_dims} batch_dims for dim {dim} and an index of rank {len(index)}")
        if not compatible_shapes(operand[:batch_dims], index[:batch_dims]):
            violation(
                self,
                "batch_dims",
                f"shapes {show_shape(operand)} and {show_shape(index)} differ in the first {batch_dims}",
            )
        if element_type_of(self.operand) != element_type_of(self.result):
            violation(self, "result", f"operand of type {self.operand.type}, result of type {self.result.type}")
        expected = self.infer_shape(operand, index, dim, batch_dims)
        if not compatible_shapes(expected, shape_of(self.result)):
            violation(self, "result", f"expected shape {show_shape(expected)}, got {show_shape(shape_of(self.result))}")
