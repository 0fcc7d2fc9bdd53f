"""Dimensions and shapes of `chlo.ragged_dot` (JAX's documentation of `ragged_dot_general`)."""

from __future__ import annotations

from xdsl.ir import Operation

from ..stablehlo.shapes import (
    Shape,
    are_unique,
    compatible_dims,
    compatible_shapes,
    in_range,
    show_shape,
    violation,
)
from .attributes import RaggedDotDimensionNumbersAttr


def ragged_dot_shape(lhs: Shape, rhs: Shape, group_sizes: Shape, dims: RaggedDotDimensionNumbersAttr) -> Shape:
    """Batch, lhs free, rhs free dimensions; in front of them the groups of a contracting ragged dimension."""
    lhs_used = dims.lhs_batching_dimensions + dims.lhs_contracting_dimensions
    rhs_used = dims.rhs_batching_dimensions + dims.rhs_contracting_dimensions + dims.rhs_group_dimensions
    (ragged,) = dims.lhs_ragged_dimensions
    return (
        *(group_sizes[-1:] if ragged in dims.lhs_contracting_dimensions else ()),
        *(lhs[dim] for dim in dims.lhs_batching_dimensions),
        *(size for dim, size in enumerate(lhs) if dim not in lhs_used),
        *(size for dim, size in enumerate(rhs) if dim not in rhs_used),
    )


def verify_ragged_dot(
    op: Operation, lhs: Shape, rhs: Shape, group_sizes: Shape, result: Shape, dims: RaggedDotDimensionNumbersAttr
) -> None:
    """Raise the error of what does not fit."""
    _verify_pairs(op, lhs, rhs, dims)
    if len(dims.lhs_ragged_dimensions) != 1:
        violation(op, "lhs_ragged_dimensions", f"expected one, got {list(dims.lhs_ragged_dimensions)}")
    (ragged,) = dims.lhs_ragged_dimensions
    if not in_range((ragged,), len(lhs)):
        violation(op, "lhs_ragged_dimensions", f"dimension {ragged} exceeds the rank {len(lhs)}")
    is_free = ragged not in dims.lhs_batching_dimensions + dims.lhs_contracting_dimensions
    groups = dims.rhs_group_dimensions
    if len(groups) != int(is_free):
        kind = "one dimension, as the ragged one is free" if is_free else "none, as the ragged one is not free"
        violation(op, "rhs_group_dimensions", f"expected {kind}, got {list(groups)}")
    if not group_sizes:
        violation(op, "group_sizes", "expected a tensor of rank 1 or more")
    for group in groups:
        if not in_range((group,), len(rhs)):
            violation(op, "rhs_group_dimensions", f"dimension {group} exceeds the rank {len(rhs)}")
        if group in dims.rhs_batching_dimensions + dims.rhs_contracting_dimensions:
            violation(op, "rhs_group_dimensions", f"dimension {group} is a batching or contracting dimension")
        if not compatible_dims(rhs[group], group_sizes[-1]):
            violation(op, "group_sizes", f"{group_sizes[-1]} groups for {rhs[group]} matrices of rhs")
    outer = _outer_dimensions(lhs, ragged, dims)
    expected = tuple(lhs[dim] for dim in outer)
    if len(group_sizes) > 1 and not compatible_shapes(expected, group_sizes[:-1]):
        shapes = f"{show_shape(expected)} before the groups, got {show_shape(group_sizes[:-1])}"
        violation(op, "group_sizes", f"expected one dimension, or {shapes}")
    expected = ragged_dot_shape(lhs, rhs, group_sizes, dims)
    if not compatible_shapes(expected, result):
        violation(op, "result", f"expected shape {show_shape(expected)}, got {show_shape(result)}")


def _outer_dimensions(lhs: Shape, ragged: int, dims: RaggedDotDimensionNumbersAttr) -> list[int]:
    """The dimensions of lhs along which group sizes may differ: batch dimensions, and those of the kind of the ragged
    one in front of it.
    """
    batching, contracting = dims.lhs_batching_dimensions, dims.lhs_contracting_dimensions
    if ragged in batching:
        return list(batching[: batching.index(ragged)])
    kind = contracting
    if ragged not in contracting:
        kind = tuple(dim for dim in range(len(lhs)) if dim not in batching + contracting)
    return [*batching, *kind[: kind.index(ragged)]]


def _verify_pairs(op: Operation, lhs: Shape, rhs: Shape, dims: RaggedDotDimensionNumbersAttr) -> None:
    """Batching and contracting dimensions, as those of `dot_general`."""
    for side, shape, used in (
        ("lhs", lhs, dims.lhs_batching_dimensions + dims.lhs_contracting_dimensions),
        ("rhs", rhs, dims.rhs_batching_dimensions + dims.rhs_contracting_dimensions),
    ):
        if not are_unique(used):
            violation(op, "dimension_numbers", f"{side} dimensions {list(used)} are not unique")
        if not in_range(used, len(shape)):
            violation(op, "dimension_numbers", f"{side} dimensions {list(used)} exceed the rank {len(shape)}")
    for kind, left, right in (
        ("batching", dims.lhs_batching_dimensions, dims.rhs_batching_dimensions),
        ("contracting", dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions),
    ):
        if len(left) != len(right):
            violation(op, "dimension_numbers", f"{kind} dimensions {list(left)} x {list(right)}")
        for a, b in zip(left, right, strict=True):
            if not compatible_dims(lhs[a], rhs[b]):
                violation(op, "dimension_numbers", f"{kind} dimensions of sizes {lhs[a]} and {rhs[b]}")
