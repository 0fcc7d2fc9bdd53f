"""The program as propagation sees it: cells, and steps between them in the order of the program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import stablehlo
from ...dialects.sdy.annotations import ShardingGroupOp
from ...dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ...dialects.sdy.sharding_rules import OpShardingRule
from ...dialects.sdy.shardings import Sharding
from ...dialects.sdy.values import (
    IN_SHARDINGS,
    OUT_SHARDINGS,
    Meshes,
    manual_axes_of,
    meshes_of,
    resolve,
    result_shardings,
    sharding_of,
)
from ...errors import InvalidProgramError
from ..sharding_rules import rule_of
from ..sharding_rules.data_flow import MANUAL_COMPUTATION, Edge, edges_of
from .cells import Cell, ManualView
from .steps import Step, class_of


class Graph:
    """The cells and steps of a module."""

    def __init__(self, module: ModuleOp):
        self.meshes: Meshes = meshes_of(module)
        self.steps: list[Step] = []
        self.results: list[Step] = []
        """Between what an entry function returns and its results."""
        self.cells: list[Cell] = []
        self.unknown_calls: list[stablehlo.CustomCallOp] = []
        """Calls without a rule: nothing is propagated through them."""
        self.of_value: dict[SSAValue, Cell] = {}
        self._uses: dict[Cell, list[tuple[int, int]]] = defaultdict(list)
        """By cell: where a value is used in the program, and the step of the use."""
        self._definitions: dict[Cell, list[int]] = defaultdict(list)
        self._position = 0
        functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
        self._functions = {function.sym_name.data: function for function in functions}
        self._calls = _calls_of(functions)
        self._visited: set[func.FuncOp] = set()
        self._unify_edges(module)
        self._unify_groups(module)
        entries = [function for function in functions if not self._calls[function.sym_name.data]]
        for function in (*entries, *functions):
            self._add_function(function)
        self._connect()

    def cell(self, value: SSAValue) -> Cell | None:
        """The cell of a value: of a tensor of rank 1 or more of static shape."""
        if (found := self.of_value.get(value)) is not None:
            return found
        shape = static_shape(value.type)
        if not shape:
            return None
        cell = self._new(Cell(shape, [value]))
        self.of_value[value] = cell
        if (sharding := sharding_of(value, self.meshes)) is not None:
            cell.give(sharding)
            if isinstance(value, OpResult) and value.op.name == MANUAL_COMPUTATION:
                cell.sharding = ManualView(sharding, manual_axes_of(value.op), True).outside(cell.sharding)
        return cell

    def _new(self, cell: Cell) -> Cell:
        self.cells.append(cell)
        return cell

    def _unify_edges(self, module: ModuleOp) -> None:
        """The targets of an edge have one cell, with the sharding of the owner."""
        for op in module.walk():
            for edge in edges_of(op):
                if (cell := self.cell(edge.owner)) is not None:
                    cell.values.extend(edge.targets[1:])
                    self.of_value.update(dict.fromkeys(edge.targets, cell))

    def _unify_groups(self, module: ModuleOp) -> None:
        groups: dict[int, Cell] = {}
        for op in module.walk():
            if not isinstance(op, ShardingGroupOp) or (cell := self.cell(op.tensor)) is None:
                continue
            first = groups.setdefault(op.group_id.value.data, cell)
            if first is not cell:
                self._join(op, first, cell)

    def _join(self, op: ShardingGroupOp, first: Cell, other: Cell) -> None:
        """Makes one cell of two; a tensor of which the program states another sharding keeps its own."""
        number = op.group_id.value.data
        if first.shape != other.shape:
            shapes = f"{list(first.shape)} and {list(other.shape)}"
            raise InvalidProgramError(f"sharding group {number} has tensors of shapes {shapes}", op)
        if first.given is not None and other.given is not None and first.sharding != other.sharding:
            return
        if first.given is None and other.given is not None:
            first.give(other.given)
            first.sharding = other.sharding
        first.values.extend(other.values)
        self.of_value.update(dict.fromkeys(other.values, first))
        self.cells.remove(other)

    def _add_function(self, function: func.FuncOp) -> None:
        """The steps of a function, those of one that is called where it is called first."""
        if function in self._visited:
            return
        self._visited.add(function)
        block = function.body.blocks[0]
        calls = self._calls[function.sym_name.data]
        for index, argument in enumerate(block.args):
            if calls:
                self._add_edge(function, Edge(tuple(call.operands[index] for call in calls), (argument,)))
            else:
                self.cell(argument)
        self._add_block(block)
        if not calls and block.last_op is not None:
            self._add_results(function, block.last_op.operands)

    def _add_results(self, function: func.FuncOp, returned: Sequence[SSAValue]) -> None:
        for index, (value, sharding) in enumerate(zip(returned, result_shardings(function, self.meshes), strict=True)):
            source = self.cell(value)
            if source is None:
                continue
            cell = self._new(Cell(source.shape, result_of=(function, index)))
            if sharding is not None:
                cell.give(sharding)
            self.results.append(Step(function, identity_rule(cell.shape, 1), (source, cell)))

    def _add_block(self, block: Block) -> None:
        for op in block.ops:
            self._position += 1
            self._add_op(op)

    def _add_op(self, op: Operation) -> None:
        position = self._position
        edges = list(edges_of(op))
        for edge in edges:
            if isinstance(edge.owner, BlockArgument):
                self._add_edge(op, edge, position)
        if edges:
            for region in op.regions:
                for block in region.blocks:
                    self._add_block(block)
        for edge in edges:
            if not isinstance(edge.owner, BlockArgument):
                self._add_edge(op, edge, position)
        if isinstance(op, func.CallOp):
            self._add_call(op)
        elif not edges:
            self._add_rule(op, position)

    def _add_rule(self, op: Operation, position: int) -> None:
        if (rule := self._rule_of(op)) is not None:
            cells = [self.cell(value) for value in (*op.operands, *op.results)]
            self._add_step(Step(op, rule, cells, class_of(op), _reads_alone(op)), position)

    def _rule_of(self, op: Operation) -> OpShardingRule | None:
        values = (*op.operands, *op.results)
        if not any([self.cell(value) is not None for value in values]):
            return None
        if any([is_dynamic(value.type) for value in values]):
            return None
        rule = rule_of(op)
        if rule is None and isinstance(op, stablehlo.CustomCallOp) and op.results:
            self.unknown_calls.append(op)
        return None if rule is None else rule.plain()

    def _add_call(self, call: func.CallOp) -> None:
        callee = self._functions.get(call.callee.string_value())
        if callee is None:
            return
        self._add_function(callee)
        last = callee.body.blocks[0].last_op
        for source, result in zip(last.operands if last is not None else (), call.results, strict=True):
            self._add_edge(call, Edge((source,), (result,)))

    def _add_edge(self, op: Operation, edge: Edge, position: int | None = None) -> None:
        target = self.cell(edge.owner)
        if target is None:
            return
        sources = [self.cell(source) for source in edge.sources]
        rule = identity_rule(target.shape, len(sources))
        self._add_step(Step(op, rule, [*sources, target], view=self._view_of(op, edge.owner)), position)

    def _view_of(self, op: Operation, owner: SSAValue) -> ManualView | None:
        if op.name != MANUAL_COMPUTATION:
            return None
        assert isinstance(owner, BlockArgument | OpResult)
        return ManualView(self._stated(op, owner), manual_axes_of(op), isinstance(owner, BlockArgument))

    def _stated(self, op: Operation, owner: BlockArgument | OpResult) -> Sharding:
        attribute = op.properties[IN_SHARDINGS if isinstance(owner, BlockArgument) else OUT_SHARDINGS]
        assert isinstance(attribute, TensorShardingPerValueAttr)
        return resolve(attribute.data[owner.index], op, self.meshes)

    def _add_step(self, step: Step, position: int | None) -> None:
        number, count = len(self.steps), len(step.rule.operands)
        self.steps.append(step)
        for cell in step.cells[:count]:
            if cell is not None:
                self._uses[cell].append((self._position if position is None else position, number))
        for cell in step.cells[count:]:
            if cell is not None:
                self._definitions[cell].append(number)

    def _connect(self) -> None:
        """What is to be done again after a change: the step that makes a value, then those that read it; the list is
        worked off from its end.
        """
        for cell in self.cells:
            uses = sorted(self._uses[cell], reverse=True)
            cell.affected = list(dict.fromkeys([*self._definitions[cell], *(step for _, step in uses)]))


def identity_rule(shape: Sequence[int], sources: int) -> OpShardingRule:
    """The rule of an edge: all dimensions alike."""
    factors = tuple((dim,) for dim in range(len(shape)))
    return OpShardingRule(tuple(shape), (factors,) * sources, (factors,))


def static_shape(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a tensor, if it is static."""
    if not isinstance(type, TensorType):
        return None
    shape = cast("TensorType[Attribute]", type).get_shape()
    return None if DYNAMIC_INDEX in shape else shape


def is_dynamic(type: Attribute) -> bool:
    """Whether it is a tensor of dynamic shape."""
    return isinstance(type, TensorType) and static_shape(type) is None  # pyright: ignore[reportUnknownArgumentType]


def _calls_of(functions: Sequence[func.FuncOp]) -> dict[str, list[func.CallOp]]:
    """The calls of each function, in order."""
    calls: dict[str, list[func.CallOp]] = {function.sym_name.data: [] for function in functions}
    for call in _all_calls(functions):
        if (name := call.callee.string_value()) in calls:
            calls[name].append(call)
    return calls


def _all_calls(functions: Sequence[func.FuncOp]) -> Iterator[func.CallOp]:
    for function in functions:
        for op in function.walk():
            if isinstance(op, func.CallOp):
                yield op


def _reads_alone(op: Operation) -> bool:
    """Whether no other op, and not this one twice, reads its operands; scalars do not count."""
    return all(value.has_one_use() or static_shape(value.type) == () for value in op.operands)
