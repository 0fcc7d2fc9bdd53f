"""Ops that read or write slices at places that a tensor of indices names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...dialects import stablehlo
from ...dialects.stablehlo.indexed_dimensions import IndexedDimensions
from ...dialects.stablehlo.shapes import Shape, shape_of
from .builder import Dim, RuleBuilder, sharding_rule
from .rule import Combination, FactorKind


class _Tensors(NamedTuple):
    """The shapes of the tensor that has the windows, of the indices, and of the windows that are read or written."""

    operand: Shape
    indices: Shape
    windows: Shape
    dims: IndexedDimensions


class _Dims(NamedTuple):
    """The dimensions that go together: of the operand, of the indices, and of the windows."""

    operand: Dim = None
    indices: Dim = None
    windows: Dim = None


class _WindowDims(NamedTuple):
    """As `_Dims`, of a dimension of the windows."""

    operand: Dim
    indices: Dim
    windows: int


@sharding_rule(stablehlo.GatherOp, stablehlo.DynamicGatherOp)
def gather(op: stablehlo.GatherOp | stablehlo.DynamicGatherOp, rule: RuleBuilder) -> None:
    """A dimension of which a slice has one element can be split: the device that has the element gives it."""
    shapes = shape_of(op.operand), shape_of(op.start_indices), shape_of(op.result)
    tensors = _Tensors(*shapes, IndexedDimensions(*op.dimension_numbers.data))
    others = [None] * (len(op.operands) - 2)

    def add(
        dims: _Dims | _WindowDims, size: int, kind: FactorKind = FactorKind.PASS_THROUGH, is_blocked: bool = False
    ) -> None:
        combination = Combination.OWNER if kind is FactorKind.REDUCTION else None
        operands = [dims.operand, dims.indices, *others]
        rule.add(size, operands, [dims.windows], kind, is_blocked=is_blocked, combination=combination)

    for dims in _window_and_batch_dims(tensors):
        size = tensors.windows[dims.windows]
        if dims.operand is None or dims.indices is not None or tensors.operand[dims.operand] == size:
            add(dims, size)
        elif size == 1:
            add(_Dims(operand=dims.operand), tensors.operand[dims.operand], FactorKind.REDUCTION)
            add(_Dims(windows=dims.windows), size, FactorKind.NEED_REPLICATION)
        else:
            add(dims, tensors.operand[dims.operand], FactorKind.NEED_REPLICATION, is_blocked=True)
    for dim in tensors.dims.dropped:
        size = tensors.operand[dim]
        add(_Dims(operand=dim), size, FactorKind.NEED_REPLICATION if size == 1 else FactorKind.REDUCTION)
    if tensors.dims.vector_dim < len(tensors.indices):
        dim = tensors.dims.vector_dim
        add(_Dims(indices=dim), tensors.indices[dim], FactorKind.NEED_REPLICATION)


@sharding_rule(stablehlo.ScatterOp)
def scatter(op: stablehlo.ScatterOp, rule: RuleBuilder) -> None:
    """Each device writes what falls into its part. Updates can be split where the computation may combine the results
    of the devices.
    """
    count = len(op.inputs)
    shapes = shape_of(op.inputs[0]), shape_of(op.scatter_indices), shape_of(op.updates[0])
    tensors = _Tensors(*shapes, IndexedDimensions(*op.scatter_dimension_numbers.data))
    of_updates = FactorKind.REDUCTION if _is_associative(op) else FactorKind.NEED_REPLICATION

    def add(dims: _Dims | _WindowDims, size: int, kind: FactorKind = FactorKind.PASS_THROUGH) -> None:
        combination = Combination.BODY if kind is FactorKind.REDUCTION else None
        operands = [*[dims.operand] * count, dims.indices, *[dims.windows] * count]
        rule.add(size, operands, [dims.operand] * count, kind, combination=combination)

    for dims in _window_and_batch_dims(tensors):
        size = tensors.windows[dims.windows]
        if dims.operand is None:
            add(dims, size, of_updates)
        elif dims.indices is not None or tensors.operand[dims.operand] == size:
            add(dims, size)
        else:
            add(_Dims(operand=dims.operand), tensors.operand[dims.operand], FactorKind.NEED_REPLICATION)
            add(_Dims(windows=dims.windows), size, FactorKind.NEED_REPLICATION)
    for dim in tensors.dims.dropped:
        add(_Dims(operand=dim), tensors.operand[dim])
    if tensors.dims.vector_dim < len(tensors.indices):
        dim = tensors.dims.vector_dim
        add(_Dims(indices=dim), tensors.indices[dim], FactorKind.NEED_REPLICATION)


def _window_and_batch_dims(tensors: _Tensors) -> Iterator[_WindowDims]:
    """For each dimension of the windows: the one of the operand that it is part of, or that of the indices."""
    dims = tensors.dims
    kept = iter([dim for dim in range(len(tensors.operand)) if dim not in (*dims.dropped, *dims.batching)])
    of_indices = iter([dim for dim in range(len(tensors.indices)) if dim != dims.vector_dim])
    batching = dict(zip(dims.indices_batching, dims.batching, strict=True))
    for dim in range(len(tensors.windows)):
        if dim in dims.window:
            yield _WindowDims(next(kept), None, dim)
        else:
            index = next(of_indices)
            yield _WindowDims(batching.get(index), index, dim)


def _is_associative(op: stablehlo.ScatterOp) -> bool:
    """Whether the computation is one known op for all inputs, which combines a value with its update."""
    block = op.update_computation.block
    count = len(op.inputs)
    yielded = block.last_op.operands if block.last_op is not None else ()
    names: set[str] = set()
    for index, value in enumerate(yielded):
        combiner = value.owner
        if not isinstance(combiner, ASSOCIATIVE_OPS) or {*combiner.operands} != {
            block.args[index],
            block.args[index + count],
        }:
            return False
        names.add(combiner.name)
    return len(names) == 1


ASSOCIATIVE_OPS = (
    stablehlo.AddOp,
    stablehlo.MulOp,
    stablehlo.MaxOp,
    stablehlo.MinOp,
    stablehlo.AndOp,
    stablehlo.OrOp,
)
"""By which the results of several devices can be combined in any order."""


@sharding_rule(stablehlo.TorchIndexSelectOp)
def torch_index_select(op: stablehlo.TorchIndexSelectOp, rule: RuleBuilder) -> None:
    along, batch = op.dim.value.data, op.batch_dims.value.data
    operand, index = shape_of(op.operand), shape_of(op.index)
    results = iter(range(len(operand) + len(index)))
    for dim, size in enumerate(operand):
        if dim == along:
            for index_dim in range(batch, len(index)):
                rule.add(index[index_dim], [None, index_dim], [next(results)])
            rule.add(size, [dim, None], [None], FactorKind.REDUCTION, combination=Combination.OWNER)
        else:
            rule.add(size, [dim, dim if dim < batch else None], [next(results)])
