"""Patterns of `stablehlo-simplify` for gathers at places that are known, slices and repetitions, and of transposes.

Images are enlarged to the nearest pixel by a gather at 0, 0, 1, 1, 2, ..., computed from an `iota`. Where places go up
or down in equal steps, each as often, a slice, its reverse or a broadcast says the same, and fuses.

`x[i, :, j]` is a gather of a transpose of all of `x` for JAX; what it takes is found in `x` too.

What is taken whole is taken as one dimension where that is how it is read.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...dialects import stablehlo
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.attributes import GatherDimensionNumbersAttr
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import tensor
from ...ir.tensors import Tensor, int_array, ints
from .known_elements import known_elements


class _Steps(NamedTuple):
    """`length` places from `start` on in steps of `step`, each of them `repeats` times in a row."""

    start: int
    step: int
    length: int
    repeats: int


def _steps_of(places: NDArray[Any]) -> _Steps | None:
    """What `places`, at least one, are; None if they are no such steps."""
    changes = np.flatnonzero(np.diff(places))
    repeats = int(changes[0]) + 1 if len(changes) else len(places)
    if len(places) % repeats:
        return None
    count, start = len(places) // repeats, int(places[0])
    step = int(places[repeats]) - start if count > 1 else 1
    expected = start + step * np.arange(count)
    return _Steps(start, step, count, repeats) if np.array_equal(places, np.repeat(expected, repeats)) else None


def _gathered_dim(op: stablehlo.GatherOp) -> int | None:
    """The dimension along which `op` takes whole slices of one element each; None if it does anything else."""
    numbers, shape = op.dimension_numbers, shape_of(op.operands[0])
    indices = shape_of(op.operands[1])
    if len(numbers.start_index_map) != 1 or numbers.operand_batching_dims or 0 in shape_of(op.results[0]):
        return None
    (dim,) = numbers.start_index_map
    depth = numbers.index_vector_dim
    batch = [size for place, size in enumerate(indices) if place != depth]
    sizes = [1 if other == dim else size for other, size in enumerate(shape)]
    if len(batch) != 1 or list(numbers.collapsed_slice_dims) != [dim] or list(ints(op, "slice_sizes")) != sizes:
        return None
    return dim


def _taken(x: Tensor, dim: int, steps: _Steps) -> Tensor:
    """The elements of `x` at `steps` along `dim`."""
    stride, shape = abs(steps.step), list(x.shape)
    extent = stride * (steps.length - 1) + 1
    starts, sizes, strides = [0] * len(shape), [*shape], [1] * len(shape)
    starts[dim] = steps.start if steps.step > 0 else steps.start - extent + 1
    sizes[dim], strides[dim] = steps.length, stride
    x = x.window(starts, sizes, strides)
    if steps.step < 0:
        x = x.reverse([dim])
    if steps.repeats == 1:
        return x
    repeated = [*sizes[: dim + 1], steps.repeats, *sizes[dim + 1 :]]
    x = x.broadcast(repeated, [place + (place > dim) for place in range(len(sizes))])
    return x.reshape([*sizes[:dim], steps.length * steps.repeats, *sizes[dim + 1 :]])


@pattern
def gather_of_steps(op: stablehlo.GatherOp, rewriter: Rewriter) -> Replacement:
    """Places in equal steps along one dimension, each as often in a row as the others."""
    dim = _gathered_dim(op)
    places = known_elements(op.operands[1]) if dim is not None else None
    if dim is None or places is None:
        return None
    x = tensor(op.operands[0], rewriter)
    # In Python's integers: an index of few bits does not hold the size.
    clamped = np.clip(places.reshape(-1).astype(object), 0, x.shape[dim] - 1).astype(np.int64)
    steps = _steps_of(clamped)
    if steps is None:
        return None
    taken = _taken(x, dim, steps)
    order = [other for other in range(x.rank) if other != dim]
    (at,) = (place for place in range(x.rank) if place not in op.dimension_numbers.offset_dims)
    return taken.transpose([*order[:at], dim, *order[at:]]).value


@pattern
def gather_of_transpose(op: stablehlo.GatherOp, source: stablehlo.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Fewer elements than were transposed, and for nobody else, are taken from where they are."""
    permutation, numbers, result = ints(source, "permutation"), op.dimension_numbers, op.results[0]
    (x,), uses = source.operands, list(source.results[0].uses)
    if len(uses) > 1 or prod(shape_of(result)) >= prod(shape_of(x)):
        return None
    batches = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    batching = sorted((permutation[dim], place) for dim, place in batches)
    left = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept = [old for dim, old in enumerate(permutation) if dim not in left]
    order = list(range(len(shape_of(result))))
    for place, old in zip(numbers.offset_dims, kept, strict=True):
        order[place] = numbers.offset_dims[sorted(kept).index(old)]
    sizes = dict(zip(permutation, ints(op, "slice_sizes"), strict=True))
    moved = GatherDimensionNumbersAttr.of(
        offset_dims=numbers.offset_dims,
        collapsed_slice_dims=sorted(permutation[dim] for dim in numbers.collapsed_slice_dims),
        operand_batching_dims=[dim for dim, _ in batching],
        start_indices_batching_dims=[place for _, place in batching],
        start_index_map=[permutation[dim] for dim in numbers.start_index_map],
        index_vector_dim=numbers.index_vector_dim,
    )
    shape = list(shape_of(result))
    for dim, place in enumerate(order):
        shape[place] = shape_of(result)[dim]
    properties = {"dimension_numbers": moved, "slice_sizes": int_array([sizes[dim] for dim in range(len(sizes))])}
    gather = stablehlo.GatherOp.create(
        operands=(x, op.operands[1]),
        result_types=[tensor_type(element_type_of(result), *shape)],
        properties={**op.properties, **properties},
    )
    rewriter.insert(gather)
    return tensor(gather.results[0], rewriter).transpose(order).value


def whole_dims(op: stablehlo.GatherOp) -> int:
    """How many of the last dimensions of the operand are taken whole, as the last ones of the result."""
    numbers, shape = op.dimension_numbers, shape_of(op.operands[0])
    moved = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims, *numbers.start_index_map}
    sizes, offsets, last = ints(op, "slice_sizes"), numbers.offset_dims, len(shape_of(op.results[0])) - 1
    count = 0
    while count < len(offsets) and offsets[-1 - count] == last - count:
        dim = len(shape) - 1 - count
        if dim in moved or sizes[dim] != shape[dim]:
            break
        count += 1
    return count


@pattern
def reshape_of_gather(op: stablehlo.ReshapeOp, source: stablehlo.GatherOp, rewriter: Rewriter) -> Replacement:
    """Whole last dimensions that only the reshape reads, as one dimension, are taken as one."""
    shape, taken, x = shape_of(op.results[0]), shape_of(source.results[0]), shape_of(source.operands[0])
    joined = len(taken) - len(shape) + 1
    if not 1 < joined <= whole_dims(source) or not source.results[0].has_one_use() or shape[:-1] != taken[:-joined]:
        return None
    numbers, sizes = source.dimension_numbers, ints(source, "slice_sizes")
    fewer = GatherDimensionNumbersAttr.of(
        offset_dims=numbers.offset_dims[: len(numbers.offset_dims) - joined + 1],
        collapsed_slice_dims=numbers.collapsed_slice_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.start_indices_batching_dims,
        start_index_map=numbers.start_index_map,
        index_vector_dim=numbers.index_vector_dim,
    )
    length = prod(x[-joined:])
    properties = {"dimension_numbers": fewer, "slice_sizes": int_array([*sizes[:-joined], length])}
    operand = tensor(source.operands[0], rewriter).reshape([*x[:-joined], length])
    gather = stablehlo.GatherOp.create(
        operands=(operand.value, source.operands[1]),
        result_types=[op.results[0].type],
        properties={**source.properties, **properties},
    )
    rewriter.insert(gather)
    return gather.results[0]
