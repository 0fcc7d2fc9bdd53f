"""Gather and scatter."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i1, i32, i64
from xdsl.ir import SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)
from ....dialects.stablehlo.syntax import bool_attr, i64_array
from .site import HANDLERS, HloValue, Site


def _gather(site: Site) -> HloValue:
    dims = GatherDimensionNumbersAttr.of(
        offset_dims=site.integers("offset_dims"),
        collapsed_slice_dims=site.integers("collapsed_slice_dims"),
        operand_batching_dims=site.integers("operand_batching_dims", ()),
        start_indices_batching_dims=site.integers("start_indices_batching_dims", ()),
        start_index_map=site.integers("start_index_map"),
        index_vector_dim=site.integer("index_vector_dim"),
    )
    properties = {
        "dimension_numbers": dims,
        "slice_sizes": i64_array(site.integers("slice_sizes")),
        "indices_are_sorted": bool_attr(site.flag("indices_are_sorted")),
    }
    return site.emit(stablehlo.GatherOp, site.tensors(2), properties)


def _scatter(site: Site) -> HloValue:
    operands = site.tensors()
    if len(operands) % 2 == 0:
        site.error(f"expected inputs, indices and as many updates, got {len(operands)} operands")
    dims = ScatterDimensionNumbersAttr.of(
        update_window_dims=site.integers("update_window_dims"),
        inserted_window_dims=site.integers("inserted_window_dims"),
        input_batching_dims=site.integers("input_batching_dims", ()),
        scatter_indices_batching_dims=site.integers("scatter_indices_batching_dims", ()),
        scatter_dims_to_operand_dims=site.integers("scatter_dims_to_operand_dims"),
        index_vector_dim=site.integer("index_vector_dim"),
    )
    count = len(operands) // 2
    indices = _whole_windows(site, dims, operands)
    properties = {
        "scatter_dimension_numbers": dims,
        "indices_are_sorted": bool_attr(site.flag("indices_are_sorted") and indices is operands[count]),
        "unique_indices": bool_attr(site.flag("unique_indices")),
    }
    operands[count] = indices
    return site.emit(stablehlo.ScatterOp, operands, properties, [site.region(site.computation("to_apply"))])


def _whole_windows(site: Site, dims: ScatterDimensionNumbersAttr, operands: list[SSAValue]) -> SSAValue:
    """Indices for which windows are inside or outside as a whole.

    XLA drops a window that is partly outside, StableHLO only those of its elements that are: the indices of such a
    window become ones where all of it is outside.
    """
    count = len(operands) // 2
    indices = operands[count]
    shape, window = site.array_shape(0).dims, _window_sizes(site, dims, count)
    places = dims.scatter_dims_to_operand_dims
    if window is None or all(window[place] == 1 for place in places):
        return indices
    axis, sizes = dims.index_vector_dim, list(site.array_shape(count).dims)
    element = site.array_shape(count).element
    wide = i32 if element in ("s2", "s4", "s8", "s16", "s32", "u2", "u4", "u8", "u16") else i64
    if axis == len(sizes):
        sizes.append(1)
    vectors = TensorType(wide, sizes)

    def along(values: list[int]) -> SSAValue:
        """A number for each component of the index vectors."""
        numbers = DenseIntOrFPElementsAttr.from_list(TensorType(wide, [len(values)]), values)
        return site.new(stablehlo.BroadcastInDimOp(site.new(stablehlo.ConstantOp(numbers)), [axis], vectors))

    def compare(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return site.new(stablehlo.CompareOp(lhs, rhs, ComparisonDirection.LE, ComparisonType.SIGNED))

    given = site.new(stablehlo.ConvertOp(indices, TensorType(wide, site.array_shape(count).dims)))
    if len(sizes) != len(site.array_shape(count).dims):
        given = site.new(stablehlo.ReshapeOp(given, sizes))
    last = along([shape[place] - window[place] for place in places])
    fits = site.new(stablehlo.AndOp(compare(along([0] * len(places)), given), compare(given, last)))
    rest = [size for dim, size in enumerate(sizes) if dim != axis]
    inside: SSAValue | None = None
    for component in range(sizes[axis]):
        low = [component if dim == axis else 0 for dim in range(len(sizes))]
        high = [component + 1 if dim == axis else size for dim, size in enumerate(sizes)]
        part = site.new(stablehlo.ReshapeOp(site.new(stablehlo.SliceOp(fits, low, high)), rest))
        inside = part if inside is None else site.new(stablehlo.AndOp(inside, part))
    assert inside is not None
    others = [dim for dim in range(len(sizes)) if dim != axis]
    mask = site.new(stablehlo.BroadcastInDimOp(inside, others, TensorType(i1, sizes)))
    result = site.new(stablehlo.SelectOp(mask, given, along([shape[place] for place in places])))
    return site.new(stablehlo.ReshapeOp(result, site.array_shape(count).dims))


def _window_sizes(site: Site, dims: ScatterDimensionNumbersAttr, count: int) -> list[int] | None:
    """Of each dimension of the operand; None if the shapes are dynamic or do not fit, which the verifier reports."""
    shapes = [site.array_shape(index) for index in (0, count, count + 1)]
    operand, indices, updates = shapes
    inserted = (*dims.inserted_window_dims, *dims.input_batching_dims)
    kept = [dim for dim in range(len(operand.dims)) if dim not in inserted]
    axis = dims.index_vector_dim
    vector = 1 if axis == len(indices.dims) else indices.dims[axis] if 0 <= axis < len(indices.dims) else -1
    if (
        any(any(shape.dynamic) for shape in shapes)
        or len(kept) != len(dims.update_window_dims)
        or any(not 0 <= dim < len(updates.dims) for dim in dims.update_window_dims)
        or vector != len(dims.scatter_dims_to_operand_dims)
        or any(not 0 <= dim < len(operand.dims) for dim in dims.scatter_dims_to_operand_dims)
    ):
        return None
    sizes = dict(zip(kept, (updates.dims[dim] for dim in dims.update_window_dims), strict=True))
    return [sizes.get(dim, 1) for dim in range(len(operand.dims))]


HANDLERS.update({"gather": _gather, "scatter": _scatter})
