"""Propagation to a fixed point: by priorities of the user, then of ops, along a worklist of steps.

A step is taken again when the sharding of one of its tensors changes. The worklist is a stack, in the order of the
program at first; so what a change leads to is done before the next op. Priorities are nested loops: all levels of ops
for the axes of one priority of the user before those of the next. Source: Shardy's docs/propagation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...dialects.sdy.shardings import Mesh
from .cells import Cell, parts_of
from .graph import Graph
from .parts import Parts
from .projection import TensorSharding
from .steps import LEVELS, Step
from .strategies import AGGRESSIVE, Shardings, Strategy, propagated

Listener = Callable[[Step, Shardings, Shardings], None]
"""Told of a step that changed something: the shardings before and after."""


class _Deferred(NamedTuple):
    """A dimension that is split when its priority comes."""

    cell: Cell
    dim: int
    axes: Parts
    is_closed: bool


def propagate(
    graph: Graph,
    strategies: Sequence[Strategy] = (AGGRESSIVE,),
    by_op_priority: bool = True,
    listener: Listener | None = None,
) -> None:
    """Gives every cell of `graph` its sharding."""
    worker = _Propagation(graph, listener)
    levels = range(LEVELS) if by_op_priority else (LEVELS - 1,)
    deferred = _defer(graph)
    for priority in (0, *sorted(deferred)):
        for dimension in deferred.get(priority, ()):
            _restore(dimension)
        for level in levels:
            for strategy in strategies:
                worker.run(strategy, level)


class _Propagation:
    """The worklist, and what steps on equal shardings came to."""

    def __init__(self, graph: Graph, listener: Listener | None):
        self.graph = graph
        self.listener = listener
        self._known: dict[object, Shardings] = {}
        self._waiting: list[int] = []
        self._is_waiting: set[int] = set()

    def run(self, strategy: Strategy, level: int) -> None:
        """Takes all steps, and those again that a change makes worth while."""
        for step in self.graph.results:
            self._take(step, strategy, LEVELS - 1)
        self._waiting = list(reversed(range(len(self.graph.steps))))
        self._is_waiting = set(self._waiting)
        while self._waiting:
            number = self._waiting.pop()
            self._is_waiting.discard(number)
            for cell in self._take(self.graph.steps[number], strategy, level):
                for affected in cell.affected:
                    if affected != number and affected not in self._is_waiting:
                        self._waiting.append(affected)
                        self._is_waiting.add(affected)
        for step in self.graph.results:
            self._take(step, strategy, LEVELS - 1)

    def _take(self, step: Step, strategy: Strategy, level: int) -> list[Cell]:
        """Propagates among the tensors of a step; gives the cells that changed."""
        mesh = _common_mesh(step)
        if mesh is None:
            return []
        before = _seen(step)
        directions = step.directions(level)
        key = (step.rule, before, directions, strategy.name, step.is_elementwise)
        after = self._known.get(key)
        if after is None:
            after = self._known[key] = propagated(step.rule, before, directions, strategy, step.is_elementwise)
        changed = [index for index in range(len(after)) if after[index] != before[index]]
        if changed and self.listener is not None:
            self.listener(step, before, after)
        return [cell for index in changed if (cell := _write(step, index, after[index], mesh)) is not None]


def _seen(step: Step) -> Shardings:
    """The shardings of the tensors of a step."""
    shardings = tuple([None if cell is None else cell.sharding for cell in step.cells])
    return shardings if step.view is None else (*shardings[:-1], step.view.seen(shardings[-1]))


def _write(step: Step, index: int, sharding: TensorSharding | None, mesh: Mesh) -> Cell | None:
    cell = step.cells[index]
    if cell is None:
        return None
    if step.view is not None and index == len(step.cells) - 1:
        sharding = step.view.kept(sharding)
    if cell.mesh is None:
        cell.mesh_name = next(other.mesh_name for other in step.cells if other is not None and other.mesh == mesh)
        cell.mesh = mesh
    if cell.sharding == sharding:
        return None
    cell.sharding = sharding
    return cell


def _common_mesh(step: Step) -> Mesh | None:
    """The mesh of the tensors of a step, if there is exactly one, of several devices."""
    found: Mesh | None = None
    for cell in step.cells:
        if cell is None or cell.mesh is None or cell.mesh is found:
            continue
        if found is not None and found != cell.mesh:
            return None
        found = cell.mesh
    return None if found is None or found.is_maximal else found


def _defer(graph: Graph) -> dict[int, list[_Deferred]]:
    """Dimensions of later priorities, by priority: until then they are closed, and their axes not to be used."""
    deferred: dict[int, list[_Deferred]] = {}
    for cell in graph.cells:
        given, sharding = cell.given, cell.sharding
        if given is None or sharding is None:
            continue
        dims, are_closed, replicated = list(sharding.dims), list(sharding.are_closed), list(sharding.replicated)
        for dim, dimension in enumerate(given.dimensions):
            if dimension.priority:
                axes = parts_of(dimension.axes, given.mesh)
                deferred.setdefault(dimension.priority, []).append(_Deferred(cell, dim, axes, dimension.is_closed))
                dims[dim], are_closed[dim] = (), True
                replicated += axes
        cell.sharding = TensorSharding(tuple(dims), tuple(are_closed), tuple(replicated), sharding.unreduced)
    return deferred


def _restore(dimension: _Deferred) -> None:
    cell, dim, axes, is_closed = dimension
    sharding = cell.sharding
    assert sharding is not None
    dims, are_closed = list(sharding.dims), list(sharding.are_closed)
    dims[dim], are_closed[dim] = axes, is_closed
    replicated = tuple(part for part in sharding.replicated if part not in axes)
    cell.sharding = TensorSharding(tuple(dims), tuple(are_closed), replicated, sharding.unreduced)
