"""Where the axes that split a value come from: which statement of the program, through which ops."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ...dialects.sdy.shardings import Sharding
from ...errors import place_of
from .cells import Cell
from .graph import Graph
from .parts import Part, part_of
from .steps import Step
from .strategies import Shardings
from .writing import Entries, at_the_border, with_entries

ORIGINS = "sdy.sharding_origins"
"""The attribute: for each axis that splits a value, its origin in words."""

SHOWN = 8
"""How many of the ops on the way are named: the first and the last of them."""


class Origin(NamedTuple):
    """Of an axis of a dimension."""

    stated: str
    """What the program says it of."""
    through: Operation | None = None
    """The op that it was propagated through last."""
    before: Origin | None = None

    def __str__(self) -> str:
        ops: list[str] = []
        place: Origin | None = self
        while place is not None and place.through is not None:
            ops.append("func.return" if isinstance(place.through, FuncOp) else place.through.name)
            place = place.before
        ops.reverse()
        if len(ops) > SHOWN:
            ops[SHOWN // 2 : -SHOWN // 2] = [f"({len(ops) - SHOWN} more)"]
        return f"{self.stated} through {', '.join(ops)}" if ops else self.stated


class Explanation:
    """A listener of propagation that remembers origins."""

    def __init__(self, graph: Graph):
        self._graph = graph
        self._origins: dict[Cell, dict[tuple[int, str, int], Origin]] = defaultdict(dict)
        """By dimension, axis, and where in the axis a part begins."""

    def __call__(self, step: Step, before: Shardings, after: Shardings) -> None:
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            cell = step.cells[index]
            if cell is None or new is None or new is old:
                continue
            for dim, parts in enumerate(new.dims):
                for part in parts:
                    if old is None or part not in old.dims[dim]:
                        self._note(cell, dim, part, self._found(step, before, index, dim, part))

    def _note(self, cell: Cell, dim: int, part: Part, origin: Origin) -> None:
        self._origins[cell].setdefault((dim, part.name, part.pre_size), origin)

    def _found(self, step: Step, before: Shardings, index: int, dim: int, part: Part) -> Origin:
        """The origin in the tensor of the step that had the axis, in a dimension of the same factor."""
        tensors = (*step.rule.operands, *step.rule.results)
        for other, cell in enumerate(step.cells):
            sharding = before[other]
            if cell is None or sharding is None or other == index:
                continue
            for other_dim, factors in enumerate(tensors[other]):
                if not set(factors) & set(tensors[index][dim]):
                    continue
                if any(part.overlaps(having) for having in sharding.dims[other_dim]):
                    source = self.origin(cell, other_dim, part)
                    return Origin(source.stated, step.op, source)
        return Origin("unknown", step.op)

    def origin(self, cell: Cell, dim: int, part: Part) -> Origin:
        """Where an axis of a dimension of a cell comes from; from itself, if nothing was propagated."""
        for (known_dim, name, pre_size), origin in self._origins[cell].items():
            if known_dim == dim and name == part.name and pre_size <= part.pre_size:
                return origin
        return Origin(_name_of(cell))

    def write(self) -> None:
        """Says it at each value that is split, in the attribute `ORIGINS`."""
        arguments: dict[FuncOp, Entries] = defaultdict(dict)
        results: dict[FuncOp, Entries] = defaultdict(dict)
        by_result: dict[OpResult, DictionaryAttr] = {}
        for cell in self._graph.cells:
            found = cell.found()
            if found is None:
                continue
            at_border = self._attribute(cell, at_the_border(cell, found))
            if cell.result_of is not None:
                results[cell.result_of[0]][cell.result_of[1]] = at_border
            for value in cell.values:
                owner = value.block.parent_op() if isinstance(value, BlockArgument) else None
                if isinstance(value, BlockArgument) and isinstance(owner, FuncOp):
                    arguments[owner][value.index] = at_border
                elif isinstance(value, OpResult):
                    by_result[value] = self._attribute(cell, found)
        _write_results(by_result)
        for function, entries in arguments.items():
            count = len(function.function_type.inputs)
            function.arg_attrs = with_entries(function.arg_attrs, count, entries, ORIGINS)
        for function, entries in results.items():
            count = len(function.function_type.outputs)
            function.res_attrs = with_entries(function.res_attrs, count, entries, ORIGINS)

    def _attribute(self, cell: Cell, sharding: Sharding) -> DictionaryAttr:
        entries: dict[str, Attribute] = {}
        for dim, dimension in enumerate(sharding.dimensions):
            for axis in dimension.axes:
                name = axis.name if axis.size is None else f"{axis.name}:({axis.pre_size}){axis.size}"
                origin = self.origin(cell, dim, part_of(axis, sharding.mesh))
                entries[name] = StringAttr(str(origin))
        return DictionaryAttr(entries)


def _write_results(by_result: dict[OpResult, DictionaryAttr]) -> None:
    for op in dict.fromkeys(result.op for result in by_result):
        found = [by_result.get(result, DictionaryAttr({})) for result in op.results]
        if any(attribute.data for attribute in found):
            op.attributes[ORIGINS] = found[0] if len(found) == 1 else ArrayAttr(found)


def _name_of(cell: Cell) -> str:
    if cell.result_of is not None:
        function, index = cell.result_of
        return f"result {index} of @{function.sym_name.data}"
    return _name_of_value(cell.values[0])


def _name_of_value(value: SSAValue) -> str:
    if isinstance(value, BlockArgument):
        owner = value.block.parent_op()
        name = f"@{owner.sym_name.data}" if isinstance(owner, FuncOp) else "a region" if owner is None else owner.name
        return f"argument {value.index} of {name}"
    assert isinstance(value, OpResult)
    place = place_of(value.op)
    return f"{value.op.name}{'' if place is None else f' at {place}'}"
