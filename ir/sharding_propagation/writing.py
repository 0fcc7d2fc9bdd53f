"""Stating in a program the shardings that were found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult

from ...dialects.sdy.sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from ...dialects.sdy.shardings import DimensionSharding, Sharding
from ...dialects.sdy.values import IN_SHARDINGS, SHARDING, manual_axes_of, resolve, set_sharding
from ..sharding_rules.data_flow import MANUAL_COMPUTATION
from .cells import Cell, ManualView
from .graph import Graph, static_shape

Entries = dict[int, Attribute]
"""An attribute for some of the arguments or results of a function."""


def write_shardings(graph: Graph, is_even: bool = True) -> None:
    """States the sharding of every value that is split, or that had one; one without is replicated.

    `is_even`: what was found for arguments and results of functions splits them evenly and by whole axes.
    """
    arguments: dict[FuncOp, Entries] = defaultdict(dict)
    results: dict[FuncOp, Entries] = defaultdict(dict)
    for cell in graph.cells:
        sharding = cell.found()
        if sharding is None or (cell.given is None and not any(dim.axes for dim in sharding.dimensions)):
            continue
        if cell.result_of is not None:
            function, index = cell.result_of
            results[function][index] = TensorShardingAttr.of(at_the_border(cell, sharding, is_even))
        _write_values(cell, sharding, arguments, is_even)
    for function, entries in arguments.items():
        function.arg_attrs = with_entries(function.arg_attrs, len(function.function_type.inputs), entries, SHARDING)
    for function, entries in results.items():
        function.res_attrs = with_entries(function.res_attrs, len(function.function_type.outputs), entries, SHARDING)


def _write_values(cell: Cell, sharding: Sharding, arguments: Mapping[FuncOp, Entries], is_even: bool) -> None:
    for value in cell.values:
        if isinstance(value, OpResult):
            _write_result(value, sharding)
            continue
        assert isinstance(value, BlockArgument)
        owner = value.block.parent_op()
        if isinstance(owner, FuncOp):
            arguments[owner][value.index] = TensorShardingAttr.of(at_the_border(cell, sharding, is_even))
        elif owner is not None and owner.name == MANUAL_COMPUTATION:
            _write_in_sharding(owner, value, cell)


def _write_result(value: OpResult, sharding: Sharding) -> None:
    """Of several results, those of which nothing is known are replicated."""
    op = value.op
    if op.name.startswith("sdy."):
        set_sharding(value, sharding)
        return
    present = op.attributes.get(SHARDING)
    if isinstance(present, TensorShardingPerValueAttr) and len(present.data) == len(op.results):
        shardings = list(present.data)
    else:
        ranks = [len(static_shape(result.type) or ()) for result in op.results]
        shardings = [TensorShardingAttr.of(_replicated(sharding, rank)) for rank in ranks]
    shardings[value.index] = TensorShardingAttr.of(sharding)
    op.attributes[SHARDING] = TensorShardingPerValueAttr(tuple(shardings))


def _replicated(like: Sharding, rank: int) -> Sharding:
    return Sharding(like.mesh, (DimensionSharding(),) * rank, mesh_name=like.mesh_name)


def _write_in_sharding(op: Operation, argument: BlockArgument, cell: Cell) -> None:
    """The op states the sharding of its operand: manual axes, then those found inside."""
    attribute = op.properties[IN_SHARDINGS]
    assert isinstance(attribute, TensorShardingPerValueAttr)
    stated = resolve(attribute.data[argument.index], op)
    outer = Cell(cell.shape)
    outer.give(stated)
    outer.sharding = ManualView(stated, manual_axes_of(op), True).outside(cell.sharding)
    found = outer.found()
    assert found is not None
    shardings = list(attribute.data)
    shardings[argument.index] = TensorShardingAttr.of(found._replace(replicated=stated.replicated))
    op.properties[IN_SHARDINGS] = TensorShardingPerValueAttr(tuple(shardings))


def at_the_border(cell: Cell, sharding: Sharding, is_even: bool = True) -> Sharding:
    """What callers see: dimensions whose sharding was found here are split evenly, and by whole axes."""
    if not is_even or sharding.mesh.is_maximal:
        return sharding
    dimensions: list[DimensionSharding] = []
    for dim, size in enumerate(cell.shape):
        found = sharding.dimensions[dim]
        stated = None if cell.given is None else cell.given.dimensions[dim].axes
        dimensions.append(found if found.axes == stated else _even(sharding, found, size))
    return sharding._replace(dimensions=tuple(dimensions))


def splits_evenly(sharding: Sharding, shape: Sequence[int]) -> bool:
    """Whether it splits all dimensions evenly, and by whole axes."""
    if sharding.mesh.is_maximal:
        return True
    return all(_even(sharding, dim, size) == dim for dim, size in zip(sharding.dimensions, shape, strict=True))


def _even(sharding: Sharding, found: DimensionSharding, size: int) -> DimensionSharding:
    parts = 1
    for index, axis in enumerate(found.axes):
        parts *= sharding.mesh.axis_size(axis)
        if axis.size is not None or size % parts:
            return found._replace(axes=found.axes[:index])
    return found


def with_entries(
    present: ArrayAttr[DictionaryAttr] | None, count: int, entries: Entries, name: str
) -> ArrayAttr[DictionaryAttr]:
    """The dictionaries of `count` arguments or results with some attributes set."""
    dictionaries: list[dict[str, Attribute]] = [{} for _ in range(count)]
    if present is not None:
        dictionaries = [dict(dictionary.data) for dictionary in present]
    for index, attribute in entries.items():
        dictionaries[index][name] = attribute
    return ArrayAttr(map(DictionaryAttr, dictionaries))
