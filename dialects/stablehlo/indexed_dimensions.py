"""The dimension numbers that `gather`, `dynamic_gather` and `scatter` share: how a tensor of indices names windows of
another tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from xdsl.ir import Operation

from .attributes import GatherDimensionNumbersAttr, ScatterDimensionNumbersAttr
from .shapes import Shape, are_unique, compatible_dims, in_range, violation

Dims = Sequence[int]


class Terms(NamedTuple):
    """What an op calls its tensors and dimension numbers, and the constraints on them."""

    operand: str
    """The tensor that has the windows."""
    indices: str
    windows: str
    """The tensor of the windows that are read or written."""
    window_dims: str
    """Its dimensions that are dimensions of a window."""
    dropped_dims: str
    """Dimensions of the operand in which a window has one element, and `windows` none."""
    batching_dims: str
    """Those in which it goes with a dimension of the indices."""
    indices_batching_dims: str
    index_map: str
    """The dimension of the operand for each coordinate of an index."""

    rank: str
    window_order: str
    window_range: str
    dropped_unique: str
    dropped_sorted: str
    dropped_range: str
    vector_dim: str
    depth: str
    index_map_unique: str
    index_map_range: str
    batching_sorted: str
    batching_range: str
    indices_batching_unique: str
    indices_batching_range: str
    vector_dim_batching: str
    batching_count: str
    batching_sizes: str


class IndexedDimensions(NamedTuple):
    """The values of the dimension numbers, in the order of both attributes."""

    window: Dims
    dropped: Dims
    batching: Dims
    indices_batching: Dims
    index_map: Dims
    vector_dim: int


class _Subject(NamedTuple):
    """What is verified."""

    op: Operation
    terms: Terms
    dims: IndexedDimensions
    operand: Shape
    indices: Shape


def verify_indexed_dimensions(
    op: Operation,
    terms: Terms,
    attribute: GatherDimensionNumbersAttr | ScatterDimensionNumbersAttr,
    operand: Shape,
    indices: Shape,
    windows_rank: int,
) -> None:
    """All constraints on the dimension numbers of `op` for operand and indices of these shapes. Unknown sizes fit."""
    subject = _Subject(op, terms, IndexedDimensions(*attribute.data), operand, indices)
    _verify_rank(subject)
    _verify_vector_dim(subject)
    _verify_window_dims(subject, windows_rank)
    _verify_operand_dims(subject)
    _verify_batching_of_indices(subject)
    _verify_index_map(subject)


def _verify_rank(subject: _Subject) -> None:
    op, terms, dims, operand, _ = subject
    counts = len(dims.window), len(dims.dropped), len(dims.batching)
    if len(operand) != sum(counts):
        violation(
            op,
            terms.rank,
            f"{terms.window_dims}, {terms.dropped_dims} and {terms.batching_dims} name "
            f"{' + '.join(map(str, counts))} of the {len(operand)} {terms.operand} dimensions",
        )


def _verify_vector_dim(subject: _Subject) -> None:
    op, terms, dims, _, indices = subject
    if not 0 <= dims.vector_dim <= len(indices):
        message = f"index_vector_dim {dims.vector_dim} exceeds {terms.indices} of rank {len(indices)}"
        violation(op, terms.vector_dim, message)
    depth = index_depth(indices, dims.vector_dim)
    if not compatible_dims(len(dims.index_map), depth):
        violation(op, terms.depth, f"{terms.index_map} {list(dims.index_map)} for indices of {depth} coordinates")


def _verify_window_dims(subject: _Subject, windows_rank: int) -> None:
    op, terms, dims, *_ = subject
    words = f"{terms.window_dims} {list(dims.window)}"
    if not are_unique(dims.window) or not _is_sorted(dims.window):
        violation(op, terms.window_order, f"{words} are not unique and sorted")
    if not in_range(dims.window, windows_rank):
        violation(op, terms.window_range, f"{words} exceed the {terms.windows} rank {windows_rank}")


def _verify_operand_dims(subject: _Subject) -> None:
    op, terms, dims, operand, _ = subject
    both = [*dims.dropped, *dims.batching]
    if not are_unique(both):
        violation(op, terms.dropped_unique, f"{terms.dropped_dims} and {terms.batching_dims} {both} repeat")
    for name, numbers, order, place in (
        (terms.dropped_dims, dims.dropped, terms.dropped_sorted, terms.dropped_range),
        (terms.batching_dims, dims.batching, terms.batching_sorted, terms.batching_range),
    ):
        words = f"{name} {list(numbers)}"
        if not _is_sorted(numbers):
            violation(op, order, f"{words} are not sorted")
        if not in_range(numbers, len(operand)):
            violation(op, place, f"{words} exceed the {terms.operand} rank {len(operand)}")


def _verify_batching_of_indices(subject: _Subject) -> None:
    op, terms, dims, operand, indices = subject
    words = f"{terms.indices_batching_dims} {list(dims.indices_batching)}"
    if not are_unique(dims.indices_batching):
        violation(op, terms.indices_batching_unique, f"{words} are not unique")
    if not in_range(dims.indices_batching, len(indices)):
        violation(op, terms.indices_batching_range, f"{words} exceed rank {len(indices)}")
    if dims.vector_dim in dims.indices_batching:
        message = f"index_vector_dim {dims.vector_dim} is one of the {terms.indices_batching_dims}"
        violation(op, terms.vector_dim_batching, message)
    if len(dims.batching) != len(dims.indices_batching):
        message = f"batching dimensions {list(dims.batching)} and {list(dims.indices_batching)} differ in number"
        violation(op, terms.batching_count, message)
    for a, b in zip(dims.batching, dims.indices_batching, strict=True):
        if not compatible_dims(operand[a], indices[b]):
            violation(op, terms.batching_sizes, f"batching dimensions of sizes {operand[a]} and {indices[b]}")


def _verify_index_map(subject: _Subject) -> None:
    op, terms, dims, operand, _ = subject
    both = [*dims.index_map, *dims.batching]
    if not are_unique(both):
        violation(op, terms.index_map_unique, f"{terms.index_map} and {terms.batching_dims} {both} repeat")
    if not in_range(dims.index_map, len(operand)):
        message = f"{terms.index_map} {list(dims.index_map)} exceeds the {terms.operand} rank {len(operand)}"
        violation(op, terms.index_map_range, message)


def _is_sorted(dims: Dims) -> bool:
    return all(a <= b for a, b in pairwise(dims))


def index_depth(indices: Shape, vector_dim: int) -> int:
    """How many coordinates an index has; scalars are vectors of one coordinate."""
    return indices[vector_dim] if vector_dim < len(indices) else 1
