"""What stands between `@SPMDFullToShardShape` and `@SPMDShardToFullShape`, as regions of `sdy.manual_computation`.

The calls say where tensors become parts and where parts become tensors again; what is in between is found by following
values. Constants and the like, which follow from no tensor, are copied into each region that uses them. Where one such
region is in another, calls of the inner one have shardings with groups that are manual already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from ....dialects.editing import append, clone, erase, insert_before, new_block, new_op, replace_uses, walk
from ....dialects.sdy.axis_attributes import ManualAxesAttr
from ....dialects.sdy.regions import ManualComputationOp, ReturnOp
from ....dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ....dialects.sdy.shardings import Sharding
from ....dialects.stablehlo.shapes import is_tensor
from ....errors import UnsupportedError
from ....ir.captures import values_read
from ....ir.purity import is_pure
from .calls import CONSTRAINT, TO_GLOBAL, TO_LOCAL, is_call, open_dimensions, sharding_of_call
from .meshes import Axes


def make_regions(region: Region, axes: Axes) -> None:
    """Makes manual computations of the calls in all blocks of `region`, inner blocks and inner levels first."""
    for block in region.blocks:
        for op in list(block.ops):
            for inner in op.regions:
                make_regions(inner, axes)
        levels = {_level(op, axes) for op in block.ops if is_call(op, TO_LOCAL)}
        levels |= {axes.manual_axes(sharding_of_call(op)) for op in block.ops if is_call(op, TO_GLOBAL)}
        for level in sorted(levels, key=len, reverse=True):
            _Level(block, level, axes).make()


def _constraint(call: Operation) -> Operation | None:
    """The call in front of `call` that says how its operand is spread."""
    owner = call.operands[0].owner
    return owner if isinstance(owner, Operation) and is_call(owner, CONSTRAINT) else None


def _level(call: Operation, axes: Axes) -> tuple[str, ...]:
    """The axes over which the program is local in front of a call that makes tensors local."""
    constraint = _constraint(call)
    return () if constraint is None else axes.manual_axes(sharding_of_call(constraint))


class _Group(NamedTuple):
    """The ops of one region."""

    to_local: list[Operation]
    inside: list[Operation]
    to_global: list[Operation]


class _Level:
    """The regions in a block where the program is local over `level` already."""

    def __init__(self, block: Block, level: tuple[str, ...], axes: Axes) -> None:
        self.block, self.level, self.axes = block, level, axes
        self.order = {op: number for number, op in enumerate(block.ops)}
        self.to_local = [op for op in self.order if is_call(op, TO_LOCAL) and _level(op, axes) == level]
        self.to_global = {
            op: None for op in self.order if is_call(op, TO_GLOBAL) and axes.manual_axes(sharding_of_call(op)) == level
        }
        self.inside = self._followed()

    def _in_block(self, op: Operation) -> Operation:
        """The op of the block that `op` is, or is in."""
        while op.parent is not self.block:
            outer = op.parent_op()
            assert outer is not None
            op = outer
        return op

    def _followed(self) -> set[Operation]:
        """The ops that compute with what became local, up to where it is global again."""
        found: set[Operation] = set()
        pending = list(self.to_local)
        while pending:
            for result in pending.pop().results:
                for use in result.uses:
                    user = self._in_block(use.operation)
                    if user not in found and user not in self.to_global:
                        found.add(user)
                        pending.append(user)
        for op in found:
            if op.next_op is None:
                raise UnsupportedError(f"'{op.name}' op: a local value leaves a computation without @{TO_GLOBAL}", op)
        return found

    def make(self) -> None:
        """Make the manual computations."""
        for group in self._groups():
            self._make(group)

    def _groups(self) -> Iterator[_Group]:
        """Ops that pass local values to each other, together."""
        leader: dict[Operation, Operation] = {op: op for op in (*self.to_local, *self.inside, *self.to_global)}

        def find(op: Operation) -> Operation:
            while leader[op] is not op:
                leader[op] = leader[leader[op]]
                op = leader[op]
            return op

        for op in (*self.inside, *self.to_global):
            for value in values_read(op):
                owner = value.owner
                if isinstance(owner, Operation) and owner in leader and owner not in self.to_global:
                    leader[find(op)] = find(owner)
        groups: defaultdict[Operation, list[Operation]] = defaultdict(list)
        for op in sorted(leader, key=self.order.__getitem__):
            groups[find(op)].append(op)
        for members in groups.values():
            yield _Group(
                [op for op in members if op in self.to_local],
                [op for op in members if op in self.inside],
                [op for op in members if op in self.to_global],
            )

    def _make(self, group: _Group) -> None:
        point = group.to_global[0] if group.to_global else (group.inside or group.to_local)[-1]
        operands = [self._source(call) for call in group.to_local]
        for value, call in zip(operands, group.to_local, strict=True):
            owner = value.owner
            if isinstance(owner, Operation) and self.order.get(owner, -1) >= self.order[point]:
                raise UnsupportedError(f"'{call.name}' op: becomes local behind what is global again already", call)
        manual = self._manual_axes(group)
        in_shardings = [self._in_sharding(call) for call in group.to_local]
        out_shardings = [self._sharding(call, open_dimensions(call)) for call in group.to_global]
        body = new_block([call.results[0].type for call in group.to_local])
        values: dict[SSAValue, SSAValue] = {
            call.results[0]: argument for call, argument in zip(group.to_local, body.args, strict=True)
        }
        op = new_op(
            ManualComputationOp,
            operands,
            [call.results[0].type for call in group.to_global],
            {
                "in_shardings": TensorShardingPerValueAttr.of(in_shardings),
                "out_shardings": TensorShardingPerValueAttr.of(out_shardings),
                "manual_axes": ManualAxesAttr(manual),
            },
            location=point.location,
        )
        insert_before(op, point)
        self._fill(body, group, values)
        op.add_region(Region(body))
        for call, result in zip(group.to_global, op.results, strict=True):
            replace_uses(call.results[0], result)
        for call in (*group.to_global, *reversed(group.to_local)):
            erase(call)

    def _fill(self, body: Block, group: _Group, values: dict[SSAValue, SSAValue]) -> None:
        """Moves the ops of a group to `body`, where they use `values`."""
        for call in group.to_local:
            replace_uses(call.results[0], values[call.results[0]])
        for op in group.inside:
            for value in list(values_read(op)):
                self._bring(value, body, values)
            op.detach()
            append(body, op)
            _use(op, values)
            values |= {result: result for result in op.results}
        returned: list[SSAValue] = []
        for call in group.to_global:
            self._bring(call.operands[0], body, values)
            returned.append(values.get(call.operands[0], call.operands[0]))
        append(body, new_op(ReturnOp, returned))

    def _bring(self, value: SSAValue, body: Block, values: dict[SSAValue, SSAValue]) -> None:
        """Puts a copy of the op that makes `value` into `body`, if it is from outside."""
        owner = value.owner
        if value in values or owner is body:
            return
        if not isinstance(owner, Operation) or not (is_pure(owner) or is_call(owner, CONSTRAINT)):
            where = owner if isinstance(owner, Operation) else self.block.parent_op()
            raise UnsupportedError(f"a value of the global program becomes local without @{TO_LOCAL}", where)
        for operand in dict.fromkeys(values_read(owner)):
            self._bring(operand, body, values)
        append(body, clone(owner, values))

    def _source(self, call: Operation) -> SSAValue:
        """The tensor that becomes local."""
        constraint = _constraint(call)
        return call.operands[0] if constraint is None else constraint.operands[0]

    def _manual_axes(self, group: _Group) -> tuple[str, ...]:
        for call in group.to_local:
            axes = self.axes.manual_axes(sharding_of_call(call))
            return tuple(axis for axis in axes if axis not in self.level)
        for call in group.to_global:
            constraint = _constraint(call)
            if constraint is not None:
                axes = self.axes.manual_axes(sharding_of_call(constraint))
                return tuple(axis for axis in axes if axis not in self.level)
        return tuple(axis for axis in self.axes.names if axis not in self.level)

    def _in_sharding(self, call: Operation) -> Sharding:
        constraint = _constraint(call)
        if constraint is None:
            raise UnsupportedError(f"'{call.name}' op: expected a call of @{CONSTRAINT} in front", call)
        return self._sharding(constraint, (*open_dimensions(constraint), *open_dimensions(call)))

    def _sharding(self, call: Operation, is_open: Sequence[int]) -> Sharding:
        type = call.results[0].type
        rank = len(type.get_shape()) if is_tensor(type) else 0
        return self.axes.sharding(sharding_of_call(call), rank, is_open)


def _use(op: Operation, values: dict[SSAValue, SSAValue]) -> None:
    """Makes `op`, and what is in it, use `values`."""
    for nested in walk(op):
        if any(operand in values and values[operand] is not operand for operand in nested.operands):
            nested.operands = [values.get(operand, operand) for operand in nested.operands]
