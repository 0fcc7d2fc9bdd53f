"""`stablehlo-expand-computations`: ops whose computation works with tensors become loops around it.

The computation of a `reduce`, `map`, `sort` and the like is a function of tensors of rank 0, and nearly always one of
scalars, which later passes put inside their loops. But the specification allows any op in it. An op whose computation
holds a tensor of several elements, or anything else than scalar arithmetic and control flow, becomes a `while` over
single elements, with the computation in its body as it stands. That is slow, and rare.

Needs: static shapes; calls are inlined. Leaves: computations on tensors of one element; such a one may read elements
of tensors from outside, at indices it computes.

    %0 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<f32>):
      %1 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %2 = stablehlo.multiply %1, %weights : tensor<8xf32>
      ...
    }) : (tensor<100xf32>) -> tensor<100xf32>

becomes

    %0:2 = stablehlo.while(%i = %zero, %result = %blank) : tensor<i32>, tensor<100xf32>
      cond { %i < 100 }
      do {
        %a = reshape(dynamic_slice %x, %i)
        %1 = stablehlo.broadcast_in_dim %a, ...
        ...
        %next = dynamic_update_slice %result, %3, %i
      }

Places in a tensor are numbered in row-major order. Where windows and reductions read is a sum of two numbers, that of
the result's element and that of the element in the window, from a table each. `sort` merges the
places of the elements in the steps in which `convert-stablehlo-to-linalg` merges elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import Elementwise, MovesElements, ops_with
from ...ir.expansion import Expansion, ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...ir.tensors import ints

Table: TypeAlias = NDArray[np.int64]

_READS = (stablehlo.DynamicSliceOp, stablehlo.SliceOp)
"""Ops that read one element of a tensor from outside."""

ON_SCALARS: frozenset[type[Operation]] = frozenset(
    (
        *ops_with(Elementwise, stablehlo.OPS),
        *ops_with(MovesElements, stablehlo.OPS),
        stablehlo.BitcastConvertOp,
        stablehlo.CaseOp,
        stablehlo.ConstantOp,
        stablehlo.IfOp,
        stablehlo.IotaOp,
        stablehlo.OptimizationBarrierOp,
        stablehlo.ReduceOp,
        stablehlo.ReturnOp,
        stablehlo.WhileOp,
    )
) - {stablehlo.BroadcastOp, stablehlo.GatherOp, stablehlo.UniformDequantizeOp, stablehlo.UniformQuantizeOp}
"""What `convert-stablehlo-to-linalg` puts inside a loop, if it is about single elements."""


def is_on_scalars(region: Region) -> bool:
    """Whether the computation is one of scalars, but for elements it reads of tensors from outside."""
    for op in walk(region):
        if type(op) not in ON_SCALARS:
            return False
        operands: Sequence[SSAValue] = op.operands
        if isinstance(op, _READS) and not _is_inside(op.operands[0], region):
            operands = op.operands[1:]
        if any(prod(shape_of(value)) != 1 for value in (*operands, *op.results)):
            return False
        if isinstance(op, stablehlo.ReduceOp) and any(
            element_type_of(result) != element_type_of(operand)
            for result, operand in zip(op.results, op.inputs, strict=True)
        ):
            return False
    return True


def _is_inside(value: SSAValue, region: Region) -> bool:
    owner = value.owner
    return region.is_ancestor(owner)


# Elements by number


def _blank(builder: TensorBuilder, element_type: Attribute, size: int) -> Tensor:
    """A tensor of rank 1 that is about to be written, of zero bits."""
    return builder.splat(element_type, (size,), bytes(cast(Any, element_type).compile_time_size))


def _read(flat: Tensor, number: Tensor) -> Tensor:
    return flat.dynamic_slice({0: number}, {0: 1}).reshape(())


def _written(flat: Tensor, element: Tensor, number: Tensor) -> Tensor:
    return flat.updated(element.reshape((1,)), {0: number})


def _flat(values: Sequence[Tensor]) -> list[Tensor]:
    return [value.reshape((prod(value.shape),)) for value in values]


def _table(builder: TensorBuilder, numbers: Table) -> Tensor:
    return builder.constant(numbers.reshape(-1), i64)


def _numbers(shape: Sequence[int], dims: Sequence[int]) -> Table:
    """The numbers in `shape` of the elements along `dims`, at 0 in the others, in row-major order."""
    steps = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    return _sums([np.arange(shape[dim]) * steps[dim] for dim in dims])


def _sums(terms: Sequence[Table]) -> Table:
    """All sums of one term of each array, those of the last varying fastest."""
    total = np.zeros(1, np.int64)
    for term in terms:
        total = (total[:, None] + term).reshape(-1)
    return total


def _when(
    builder: TensorBuilder, condition: Tensor, then: Callable[[], Sequence[Tensor]], otherwise: Sequence[Tensor]
) -> list[Tensor]:
    """`then()` where `condition` holds: what it computes may not end otherwise."""
    regions = (builder.region((), lambda _: then()), builder.region((), lambda _: otherwise))
    return builder.emit(stablehlo.IfOp, (condition,), [value.type for value in otherwise], {}, regions)


# The ops


def map_(op: stablehlo.MapOp, builder: TensorBuilder) -> Tensor:
    inputs = _flat(builder.wrap(*op.inputs))
    shape = shape_of(op.results[0])

    def body(number: Tensor, state: list[Tensor]) -> list[Tensor]:
        (result,) = builder.inline(op.computation, [_read(flat, number) for flat in inputs])
        return [_written(state[0], result, number)]

    blank = _blank(builder, element_type_of(op.results[0]), prod(shape))
    return builder.loop(prod(shape), [blank], body)[0].reshape(shape)


def _fold(
    op: stablehlo.ReduceOp | stablehlo.ReduceWindowOp,
    builder: TensorBuilder,
    inputs: Sequence[Tensor],
    starts: Table,
    offsets: Table,
) -> list[Tensor]:
    """For every start, the initial values combined with the elements of `inputs` at the start plus each offset."""
    flat = _flat(inputs)
    start_of, offset_of = _table(builder, starts), _table(builder, offsets)
    types = [element_type_of(result) for result in op.results]
    initial = [value.convert(type) for value, type in zip(builder.wrap(*op.init_values), types, strict=True)]

    def body(number: Tensor, state: list[Tensor]) -> list[Tensor]:
        start = _read(start_of, number)

        def combine(step: Tensor, accumulators: list[Tensor]) -> list[Tensor]:
            place = start + _read(offset_of, step)
            return builder.inline(op.body, [*accumulators, *(_read(values, place) for values in flat)])

        combined = builder.loop(len(offsets), initial, combine)
        return [_written(result, value, number) for result, value in zip(state, combined, strict=True)]

    results = builder.loop(len(starts), [_blank(builder, type, len(starts)) for type in types], body)
    return [flat.reshape(shape_of(result)) for flat, result in zip(results, op.results, strict=True)]


def reduce(op: stablehlo.ReduceOp, builder: TensorBuilder) -> Sequence[Tensor]:
    shape, reduced = shape_of(op.inputs[0]), sorted(ints(op, "dimensions"))
    kept = [dim for dim in range(len(shape)) if dim not in reduced]
    return _fold(op, builder, builder.wrap(*op.inputs), _numbers(shape, kept), _numbers(shape, reduced))


def reduce_window(op: stablehlo.ReduceWindowOp, builder: TensorBuilder) -> Sequence[Tensor]:
    window = op.window
    low, high = ({dim: pair[side] for dim, pair in enumerate(window.padding)} for side in (0, 1))
    holes = {dim: dilation - 1 for dim, dilation in enumerate(window.base_dilations)}
    operands = zip(builder.wrap(*op.inputs), builder.wrap(*op.init_values), strict=True)
    padded = [operand.pad(high, low, holes, value) for operand, value in operands]
    shape = padded[0].shape
    steps = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    along = zip(shape_of(op.results[0]), window.strides, steps, strict=True)
    inside = zip(window.sizes, window.window_dilations, steps, strict=True)
    starts, offsets = (_sums([np.arange(n) * by * step for n, by, step in each]) for each in (along, inside))
    return _fold(op, builder, padded, starts, offsets)


def sort(op: stablehlo.SortOp, builder: TensorBuilder) -> Sequence[Tensor]:
    inputs = _flat(builder.wrap(*op.inputs))
    shape = shape_of(op.inputs[0])
    assert op.dimension is not None
    dim = op.dimension.value.data % len(shape)
    size = shape[dim]
    rows = _numbers(shape, [other for other in range(len(shape)) if other != dim])
    row_of, step = _table(builder, rows), prod(shape[dim + 1 :])

    def row(number: Tensor, state: list[Tensor]) -> list[Tensor]:
        start = _read(row_of, number)

        def elements(place: Tensor) -> list[Tensor]:
            return [_read(flat, start + place * step) for flat in inputs]

        def less(right: Tensor, left: Tensor) -> Tensor:
            pairs = zip(elements(right), elements(left), strict=True)
            return builder.inline(op.comparator, [value for pair in pairs for value in pair])[0]

        order = _merge_sorted(builder, size, less)

        def write(number: Tensor, state: list[Tensor]) -> list[Tensor]:
            at = start + number.convert(i64) * step
            found = elements(_read(order, number))
            return [_written(flat, value, at) for flat, value in zip(state, found, strict=True)]

        return builder.loop(size, state, write)

    blanks = [_blank(builder, flat.element_type, flat.shape[0]) for flat in inputs]
    return [flat.reshape(shape) for flat in builder.loop(len(rows), blanks, row)]


def _merge_sorted(builder: TensorBuilder, size: int, less: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """The places of a row in order: two runs, each sorted by merging neighbours of 1, 2, 4, ... places, then merged.

    A permutation whatever `less(right, left)` says.
    """
    run = -(-size // 2)

    def merge(order: Tensor, blocks: Callable[[Tensor], tuple[Tensor, Tensor, Tensor]]) -> Tensor:
        def step(number: Tensor, state: list[Tensor]) -> list[Tensor]:
            left, result = state
            at = number.convert(i64)
            start, middle, end = blocks(at)
            left = at.equals(start).select(start, left)
            right = middle + at - left
            heads = _read(order, left), _read(order, right)
            is_due = left.at_least(middle) | less(heads[1], heads[0])
            takes_right = is_due & right.less(end)
            taken = _written(result, takes_right.select(heads[1], heads[0]), number)
            return [left + 1 - takes_right.convert(i64), taken]

        return builder.loop(size, [builder.splat(i64, (), 0), order], step)[1]

    def merge_neighbours(number: Tensor, state: list[Tensor]) -> list[Tensor]:
        exponent = number.convert(i64)
        width = exponent.number(1) << exponent

        def blocks(at: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            is_first = at.less(run)
            begin, limit = (is_first.select(at.number(a), at.number(b)) for a, b in ((0, run), (run, size)))
            start = begin + (at - begin) / (width * 2) * (width * 2)
            return start, (start + width).minimum(limit), (start + width * 2).minimum(limit)

        return [merge(state[0], blocks)]

    (order,) = builder.loop((run - 1).bit_length(), [builder.iota(i64, (size,), 0)], merge_neighbours)
    return merge(order, lambda at: (at.number(0), at.number(run), at.number(size)))


def _scattered(
    builder: TensorBuilder,
    computation: Region,
    state: list[Tensor],
    place: Tensor,
    inside: Tensor,
    new: Callable[[], list[Tensor]],
) -> list[Tensor]:
    """`state` with what `computation` makes of its elements at `place` and of `new()`, if that is inside."""
    place = inside.select(place, 0)
    both = [_read(flat, place) for flat in state] + new()
    values = _when(builder, inside, lambda: builder.inline(computation, both), both[: len(state)])
    return [_written(flat, value, place) for flat, value in zip(state, values, strict=True)]


def scatter(op: stablehlo.ScatterOp, builder: TensorBuilder) -> Sequence[Tensor]:
    dims = op.scatter_dimension_numbers
    shape, update_shape = shape_of(op.inputs[0]), shape_of(op.updates[0])
    rank, vector = len(shape), dims.index_vector_dim
    types = [element_type_of(result) for result in op.results]
    inputs = [value.convert(type) for value, type in zip(builder.wrap(*op.inputs), types, strict=True)]
    if 0 in shape or 0 in update_shape:
        return inputs
    # The part of each place that is known: where the update's element stands in its window, and its batch.
    at = np.indices(update_shape).reshape(len(update_shape), -1)
    batch_dims = [dim for dim in range(len(update_shape)) if dim not in dims.update_window_dims]
    hidden = (*dims.inserted_window_dims, *dims.input_batching_dims)
    windowed = [dim for dim in range(rank) if dim not in hidden]
    known = np.zeros((rank, at.shape[1]), np.int64)
    for dim, window_dim in zip(windowed, dims.update_window_dims, strict=True):
        known[dim] = at[window_dim]
    for dim, index_dim in zip(dims.input_batching_dims, dims.scatter_indices_batching_dims, strict=True):
        known[dim] = at[batch_dims[index_dim - (index_dim > vector)]]
    batch_shape = [update_shape[dim] for dim in batch_dims]
    steps = [prod(batch_shape[i + 1 :]) for i in range(len(batch_shape))]
    batch = sum((at[dim] * step for dim, step in zip(batch_dims, steps, strict=True)), np.zeros(at.shape[1], np.int64))
    (indices,) = builder.wrap(op.scatter_indices)
    components = len(dims.scatter_dims_to_operand_dims)
    if vector < indices.rank:
        order = [*(dim for dim in range(indices.rank) if dim != vector), vector]
        indices = indices.transpose(order)
    (indices,), updates = _flat([indices]), _flat(builder.wrap(*op.updates))
    known_of, batch_of = [_table(builder, row) for row in known], _table(builder, batch)

    def body(number: Tensor, state: list[Tensor]) -> list[Tensor]:
        places = [_read(table, number) for table in known_of]
        first = _read(batch_of, number) * components
        for component, dim in enumerate(dims.scatter_dims_to_operand_dims):
            places[dim] = places[dim] + _read(indices, first + component).wide()
        inside, place = builder.splat(i1, (), 1), builder.splat(i64, (), 0)
        for dim, value in enumerate(places):
            inside = inside & value.at_least(0) & value.less(shape[dim])
            place = place * shape[dim] + value
        return _scattered(
            builder, op.update_computation, state, place, inside, lambda: [_read(flat, number) for flat in updates]
        )

    return [flat.reshape(shape) for flat in builder.loop(at.shape[1], _flat(inputs), body)]


def select_and_scatter(op: stablehlo.SelectAndScatterOp, builder: TensorBuilder) -> Tensor:
    operand, source, initial = builder.wrap(*op.operands)
    shape, type = tuple(operand.shape), element_type_of(op.results[0])
    rank, result = len(shape), initial.convert(type).broadcast((prod(shape),), ())
    if 0 in shape or 0 in source.shape:
        return result.reshape(shape)
    window = op.window
    # The number of each element of each window, -1 for padding.
    low = [before for before, _ in window.padding]
    strides, low, sizes = (np.reshape(np.array(each), (rank, 1, 1)) for each in (window.strides, low, shape))
    corner = np.indices(source.shape).reshape(rank, -1, 1) * strides
    places = corner - low + np.indices(window.sizes).reshape(rank, 1, -1)
    inside = ((places >= 0) & (places < sizes)).all(axis=0)
    numbers = np.zeros(inside.shape, np.int64)
    for dim in range(rank):
        numbers = numbers * shape[dim] + places[dim]
    count = prod(window.sizes)
    number_of = _table(builder, np.where(inside, numbers, -1))
    values, sources = _flat([operand, source])

    def body(at: Tensor, state: list[Tensor]) -> list[Tensor]:
        first = at.convert(i64) * count

        def choose(step: Tensor, state: list[Tensor]) -> list[Tensor]:
            best, chosen = state
            number = _read(number_of, first + step.convert(i64))
            is_inside = number.at_least(0)
            is_first = chosen.less(0)
            value = _read(values, is_inside.select(number, 0))
            (keeps,) = _when(
                builder,
                is_inside & is_first.equals(0),
                lambda: builder.inline(op.select, [best, value]),
                [is_inside.equals(0)],
            )
            return [keeps.select(best, value), keeps.select(chosen, number)]

        start = [_read(values, builder.splat(i64, (), 0)), builder.splat(i64, (), -1)]
        _, chosen = builder.loop(count, start, choose)
        return _scattered(builder, op.scatter, state, chosen, chosen.at_least(0), lambda: [_read(sources, at)])

    return builder.loop(len(numbers), [result], body)[0].reshape(shape)


def _on_tensors(expansion: Expansion) -> Expansion:
    """`expansion` of ops of which a computation is not on scalars."""
    return lambda op, builder: None if all(map(is_on_scalars, op.regions)) else expansion(op, builder)


class StablehloExpandComputationsPass(ExpansionPass):
    """Replace ops with computations on tensors. See the module's documentation."""

    name = "stablehlo-expand-computations"

    EXPANDED: ClassVar = {
        stablehlo.MapOp: _on_tensors(map_),
        stablehlo.ReduceOp: _on_tensors(reduce),
        stablehlo.ReduceWindowOp: _on_tensors(reduce_window),
        stablehlo.ScatterOp: _on_tensors(scatter),
        stablehlo.SelectAndScatterOp: _on_tensors(select_and_scatter),
        stablehlo.SortOp: _on_tensors(sort),
    }
