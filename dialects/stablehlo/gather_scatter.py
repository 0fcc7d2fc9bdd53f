"""Reading and writing slices at the places that a tensor of indices names."""

from __future__ import annotations

from collections.abc import Sequence
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
from .indexed_dimensions import Terms, verify_indexed_dimensions
from .interfaces import FoldableOp
from .property_types import BoolProperty, I64ArrayProperty
from .regions import ReducerConstraints, verify_reducer
from .shapes import (
    Shape,
    compatible_shapes,
    element_type_of,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import bool_attr, i64_array
from .traits import MovesElements

Value = SSAValue | Operation


class GatherConstraints(NamedTuple):
    """The constraints on the sizes of slices, by what they are about."""

    number: str
    range: str
    collapsed: str
    batching: str
    shape: str


GATHER_TERMS = Terms(
    operand="operand",
    indices="start_indices",
    windows="result",
    window_dims="offset_dims",
    dropped_dims="collapsed_slice_dims",
    batching_dims="operand_batching_dims",
    indices_batching_dims="start_indices_batching_dims",
    index_map="start_index_map",
    rank="C1",
    vector_dim="C2",
    depth="C3",
    window_order="C4",
    window_range="C5",
    dropped_unique="C6",
    dropped_sorted="C7",
    dropped_range="C8",
    batching_sorted="C10",
    batching_range="C11",
    indices_batching_unique="C13",
    indices_batching_range="C14",
    vector_dim_batching="C15",
    batching_count="C16",
    batching_sizes="C17",
    index_map_unique="C18",
    index_map_range="C19",
)

GATHER_CONSTRAINTS = GatherConstraints(number="C20", range="C21", collapsed="C9", batching="C12", shape="C22")

SCATTER_TERMS = Terms(
    operand="input",
    indices="scatter_indices",
    windows="update",
    window_dims="update_window_dims",
    dropped_dims="inserted_window_dims",
    batching_dims="input_batching_dims",
    indices_batching_dims="scatter_indices_batching_dims",
    index_map="scatter_dims_to_operand_dims",
    rank="C2",
    window_order="C7",
    window_range="C8",
    dropped_unique="C9",
    dropped_sorted="C10",
    dropped_range="C11",
    batching_sorted="C12",
    batching_range="C13",
    indices_batching_unique="C14",
    indices_batching_range="C15",
    vector_dim_batching="C16",
    batching_count="C17",
    batching_sizes="C18",
    depth="C19",
    index_map_unique="C20",
    index_map_range="C21",
    vector_dim="C22",
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

    traits = traits_def(Pure(), MovesElements())

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
            GATHER_TERMS,
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
    terms: Terms,
    constraints: GatherConstraints,
    operand: Shape,
    indices: Shape,
    dims: GatherDimensionNumbersAttr,
    slice_sizes: Sequence[int],
    result: Shape,
) -> None:
    """All constraints but that on element types; an unknown slice size is dynamic."""
    verify_indexed_dimensions(op, terms, dims, operand, indices, len(result))
    if len(slice_sizes) != len(operand):
        violation(op, constraints.number, f"{len(slice_sizes)} slice_sizes for an operand of rank {len(operand)}")
    for size, slice_size in zip(operand, slice_sizes, strict=True):
        if slice_size == DYNAMIC_INDEX:
            continue
        if slice_size < 0 or (size != DYNAMIC_INDEX and slice_size > size):
            message = f"slice_sizes {list(slice_sizes)} do not fit operand shape {show_shape(operand)}"
            violation(op, constraints.range, message)
    for numbers, constraint in (
        (dims.collapsed_slice_dims, constraints.collapsed),
        (dims.operand_batching_dims, constraints.batching),
    ):
        for dim in numbers:
            if slice_sizes[dim] > 1:
                message = f"slice size {slice_sizes[dim]} in dimension {dim}, which the result lacks"
                violation(op, constraint, message)
    expected = infer_gather_shape(indices, dims, slice_sizes)
    if not compatible_shapes(expected, result):
        violation(op, constraints.shape, f"expected result shape {show_shape(expected)}, got {show_shape(result)}")


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
        operand, indices, update = shape_of(inputs[0]), shape_of(self.scatter_indices), shape_of(updates[0])
        verify_indexed_dimensions(self, SCATTER_TERMS, self.scatter_dimension_numbers, operand, indices, len(update))
        self._verify_update_shape(operand, indices, update)
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
