"""Reading and writing slices at the places that a tensor of indices names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i1
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
from .bounds import bounded_type, greatest_shape, whole_sizes
from .element_types import IntegerTensor, Tensor
from .interfaces import FoldableOp
from .property_types import BoolProperty, I64ArrayProperty
from .regions import ReducerConstraints, verify_reducer
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
from .syntax import bool_attr, i64_array

Value = SSAValue | Operation


def _is_sorted(dims: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(dims))


def _index_depth(indices: Shape, index_vector_dim: int) -> int:
    """How many coordinates an index has; scalars are vectors of one coordinate."""
    return indices[index_vector_dim] if index_vector_dim < len(indices) else 1


class GatherConstraints(NamedTuple):
    """The names of the constraints on `gather` and `dynamic_gather`; batching dimensions are in no specification of the
    latter."""

    rank: str
    vector_dim: str
    depth: str
    offset_order: str
    offset_range: str
    collapsed_unique: str
    collapsed_sorted: str
    collapsed_range: str
    collapsed_sizes: str
    index_map_unique: str
    index_map_range: str
    sizes_count: str
    sizes_range: str
    shape: str
    batching_sorted: str = "operand_batching_dims"
    batching_range: str = "operand_batching_dims"
    batching_sizes: str = "operand_batching_dims"
    indices_batching_unique: str = "start_indices_batching_dims"
    indices_batching_range: str = "start_indices_batching_dims"
    vector_dim_batching: str = "start_indices_batching_dims"
    batching_count: str = "operand_batching_dims"
    batching_dims: str = "operand_batching_dims"


GATHER_CONSTRAINTS = GatherConstraints(
    rank="C1",
    vector_dim="C2",
    depth="C3",
    offset_order="C4",
    offset_range="C5",
    collapsed_unique="C6",
    collapsed_sorted="C7",
    collapsed_range="C8",
    collapsed_sizes="C9",
    batching_sorted="C10",
    batching_range="C11",
    batching_sizes="C12",
    indices_batching_unique="C13",
    indices_batching_range="C14",
    vector_dim_batching="C15",
    batching_count="C16",
    batching_dims="C17",
    index_map_unique="C18",
    index_map_range="C19",
    sizes_count="C20",
    sizes_range="C21",
    shape="C22",
)


@irdl_op_definition
class GatherOp(IRDLOperation, FoldableOp):
    """Slices of `slice_sizes` of `operand` at the places that `start_indices` names, clamped so that they lie inside.
    `dimension_numbers` says which dimension of indices holds their coordinates, what these are coordinates of, and
    where slices go in the result.

    `operand`: any shape and elements; `start_indices`: integers of any shape. `result`: dimensions of the indices and,
    at `offset_dims`, of the slices; the same elements. Specification: `gather`.
    """

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
        super().__init__(
            operands=[operand, start_indices],
            result_types=[infer_gather_type(operand, start_indices, dimension_numbers, slice_sizes)],
            properties={
                "dimension_numbers": dimension_numbers,
                "slice_sizes": i64_array(slice_sizes),
                "indices_are_sorted": bool_attr(indices_are_sorted),
            },
        )

    def verify_(self) -> None:
        verify_gather(
            self,
            GATHER_CONSTRAINTS,
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


def infer_gather_type(
    operand: SSAValue, indices: SSAValue, dims: GatherDimensionNumbersAttr, slice_sizes: Sequence[int]
) -> Attribute:
    """All of a dimension of bounded size is as much as there is."""
    whole = whole_sizes(operand, slice_sizes)
    return bounded_type(
        element_type_of(operand),
        infer_gather_shape(shape_of(indices), dims, whole),
        infer_gather_shape(greatest_shape(indices), dims, slice_sizes),
    )


def verify_gather(
    op: Operation,
    names: GatherConstraints,
    operand: Shape,
    indices: Shape,
    dims: GatherDimensionNumbersAttr,
    slice_sizes: Sequence[int],
    result: Shape,
) -> None:
    """All constraints but that on element types; an unknown slice size is dynamic."""
    rank = len(operand)
    offset, collapsed, index_map = dims.offset_dims, dims.collapsed_slice_dims, dims.start_index_map
    batching, indices_batching = dims.operand_batching_dims, dims.start_indices_batching_dims
    vector_dim = dims.index_vector_dim
    if rank != len(offset) + len(collapsed) + len(batching):
        violation(
            op,
            names.rank,
            f"offset_dims, collapsed_slice_dims and operand_batching_dims name "
            f"{len(offset)} + {len(collapsed)} + {len(batching)} of the {rank} operand dimensions",
        )
    if not 0 <= vector_dim <= len(indices):
        violation(op, names.vector_dim, f"index_vector_dim {vector_dim} exceeds start_indices of rank {len(indices)}")
    depth = _index_depth(indices, vector_dim)
    if not compatible_dims(len(index_map), depth):
        violation(op, names.depth, f"start_index_map {list(index_map)} for indices of {depth} coordinates")
    if not are_unique(offset) or not _is_sorted(offset):
        violation(op, names.offset_order, f"offset_dims {list(offset)} are not unique and sorted")
    if not in_range(offset, len(result)):
        violation(op, names.offset_range, f"offset_dims {list(offset)} exceed the result rank {len(result)}")
    if not are_unique(collapsed + batching):
        violation(
            op,
            names.collapsed_unique,
            f"collapsed_slice_dims and operand_batching_dims {list(collapsed + batching)} repeat",
        )
    if not _is_sorted(collapsed):
        violation(op, names.collapsed_sorted, f"collapsed_slice_dims {list(collapsed)} are not sorted")
    if not in_range(collapsed, rank):
        violation(op, names.collapsed_range, f"collapsed_slice_dims {list(collapsed)} exceed the operand rank {rank}")
    if not _is_sorted(batching):
        violation(op, names.batching_sorted, f"operand_batching_dims {list(batching)} are not sorted")
    if not in_range(batching, rank):
        violation(op, names.batching_range, f"operand_batching_dims {list(batching)} exceed the operand rank {rank}")
    if not are_unique(indices_batching):
        violation(
            op, names.indices_batching_unique, f"start_indices_batching_dims {list(indices_batching)} are not unique"
        )
    if not in_range(indices_batching, len(indices)):
        violation(
            op,
            names.indices_batching_range,
            f"start_indices_batching_dims {list(indices_batching)} exceed rank {len(indices)}",
        )
    if vector_dim in indices_batching:
        violation(
            op, names.vector_dim_batching, f"index_vector_dim {vector_dim} is one of the start_indices_batching_dims"
        )
    if len(batching) != len(indices_batching):
        violation(
            op,
            names.batching_count,
            f"batching dimensions {list(batching)} and {list(indices_batching)} differ in number",
        )
    for a, b in zip(batching, indices_batching, strict=True):
        if not compatible_dims(operand[a], indices[b]):
            violation(op, names.batching_dims, f"batching dimensions of sizes {operand[a]} and {indices[b]}")
    if not are_unique(index_map + batching):
        violation(
            op,
            names.index_map_unique,
            f"start_index_map and operand_batching_dims {list(index_map + batching)} repeat",
        )
    if not in_range(index_map, rank):
        violation(op, names.index_map_range, f"start_index_map {list(index_map)} exceeds the operand rank {rank}")
    if len(slice_sizes) != rank:
        violation(op, names.sizes_count, f"{len(slice_sizes)} slice_sizes for an operand of rank {rank}")
    for size, slice_size in zip(operand, slice_sizes, strict=True):
        if slice_size == DYNAMIC_INDEX:
            continue
        if slice_size < 0 or (size != DYNAMIC_INDEX and slice_size > size):
            violation(
                op,
                names.sizes_range,
                f"slice_sizes {list(slice_sizes)} do not fit operand shape {show_shape(operand)}",
            )
    for numbers, constraint in ((collapsed, names.collapsed_sizes), (batching, names.batching_sizes)):
        for dim in numbers:
            if slice_sizes[dim] > 1:
                violation(
                    op,
                    constraint,
                    f"slice size {slice_sizes[dim]} in dimension {dim}, which the result lacks",
                )
    expected = infer_gather_shape(indices, dims, slice_sizes)
    if not compatible_shapes(expected, result):
        violation(op, names.shape, f"expected result shape {show_shape(expected)}, got {show_shape(result)}")


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`inputs` with `updates` combined into the places that `scatter_indices` names, by `update_computation`; updates
    outside are dropped. Several inputs together.

    `inputs`, `result`: N of one shape, any elements; `scatter_indices`: integers of any shape; `updates`: N of one
    shape: dimensions of the indices and, at `update_window_dims`, of the parts. `update_computation`: a reducer.
    Specification: `scatter`.
    """

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
        verify_reducer(
            self,
            ReducerConstraints("C23", "C25"),
            self.update_computation,
            "update_computation",
            [element_type_of(value) for value in inputs],
            [element_type_of(value) for value in self.result],
        )
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
