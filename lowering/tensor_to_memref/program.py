"""Bufferization of the program tier: which value lives in which buffer.

The program consists of calls, views, constants and structured control flow. A value gets the buffer of its
destination; a destination that is a live tensor is copied first, a dead one is updated in place. Loop-carried
values live in fixed buffers for the whole loop. Where a value ends up (an output, a loop-carried buffer, the
result of a branch) is known before it is computed, so that it is computed there (`targets`) wherever what the buffer
held is not read any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import xrt
from ...dialects.editing import clone, new_op
from ...dialects.shared_attributes import i64_attribute
from ...errors import UnsupportedError
from .donation import Donations, note, pointwise_pairs, requested
from .types import alloc, buffer_type, view_back, view_like

Reshape = tensor.ExpandShapeOp | tensor.CollapseShapeOp
Call = func.CallOp | xrt.CallTargetOp
"""The last operands are destinations, one per result."""


class ProgramBufferizer:
    """Rewrites the entry functions of a module."""

    def __init__(self, module: ModuleOp, donate: bool = False):
        self.module = module
        self.donate = donate
        self.pointwise = pointwise_pairs(module) if donate else {}
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.targets: dict[SSAValue, SSAValue] = {}
        """Values that should be computed straight into a given buffer."""
        self.base: dict[SSAValue, SSAValue] = {}
        """For a view of a buffer, the buffer."""
        self.residents: dict[SSAValue, list[SSAValue]] = {}
        """The values that live, or lived, in a buffer or a view of it."""
        self.read_only: set[SSAValue] = set()
        self.position: dict[Operation, int] = {}
        self.ops: list[Operation] = []
        self.constants: dict[DenseIntOrFPElementsAttr, str] = {}
        self.globals: list[Operation] = []

    # -- functions ---------------------------------------------------------------------------------------------

    def run(self, function: func.FuncOp) -> None:
        """Bufferizes the entry `function` in place: `(inputs..., outputs...) -> ()`."""
        donations = requested(function) if self.donate else {}
        while refused := self._run(function, donations):
            donations = {result: argument for result, argument in donations.items() if result not in refused}
        note(function, donations)

    def _run(self, function: func.FuncOp, donations: Donations) -> set[int]:
        """`run`, with results in the memory of arguments; those that would have to be copied there, and no change."""
        self.buffers, self.targets, self.base, self.residents, self.read_only = {}, {}, {}, {}, set()
        constants = len(self.globals)
        old = function.body.block
        terminator = old.last_op
        assert isinstance(terminator, func.ReturnOp)
        inputs = [buffer_type(t) for t in old.arg_types]
        outputs = [buffer_type(v.type) for v in terminator.operands]
        new = Block(arg_types=[*inputs, *outputs])
        for before, after in zip(old.args, new.args, strict=False):
            after.name_hint = before.name_hint
            self._place(before, after)
        given = set(donations.values())
        self.read_only.update(arg for number, arg in enumerate(new.args[: len(inputs)]) if number not in given)
        destinations = [
            new.args[donations.get(number, len(inputs) + number)] for number in range(len(terminator.operands))
        ]
        self._number(old)
        self.ops = []
        self._aim(old, terminator.operands, destinations)
        self._block(old)
        refused = {
            result
            for result in donations
            if self._root(self.buffers[terminator.operands[result]]) is not destinations[result]
        }
        if refused:
            for op in self.ops:
                op.drop_all_references()
            self.constants = dict(list(self.constants.items())[:constants])
            del self.globals[constants:]
            return refused
        for value, destination in zip(terminator.operands, destinations, strict=True):
            self._copy(self.buffers[value], destination)
        self.ops.append(func.ReturnOp())
        new.add_ops(self.ops)
        function.regions[0].detach_block(old)
        function.regions[0].add_block(new)
        _drop(old)
        function.properties["function_type"] = FunctionType.from_lists([*inputs, *outputs], [])
        function.properties.pop("arg_attrs", None)
        function.properties.pop("res_attrs", None)
        function.attributes["xrt.num_inputs"] = i64_attribute(len(inputs))
        function.attributes["xrt.num_outputs"] = i64_attribute(len(outputs))
        return set()

    def _number(self, block: Block) -> None:
        for index, op in enumerate(block.ops):
            self.position[op] = index

    # -- what is alive -----------------------------------------------------------------------------------------

    def _last_use(self, value: SSAValue, block: Block) -> float:
        """The position in `block` of the last op that reads `value` or a view of it; -1 where there is none.

        A reader inside a region counts as just after the op of `block` that holds it.
        """
        last = -1.0
        for use in value.uses:
            op: Operation | None = use.operation
            nested = 0.0
            while op is not None and op.parent is not block:
                op = op.parent_op()
                nested = 0.5
            if op is None:
                return float("inf")
            last = max(last, self.position[op] + nested)
            if isinstance(use.operation, Reshape):
                last = max(last, self._last_use(use.operation.results[0], block))
        return last

    @staticmethod
    def _origin(value: SSAValue) -> SSAValue:
        """The value that `value` is a view of."""
        while isinstance(value.owner, Reshape):
            value = value.owner.operands[0]
        return value

    def _may_overwrite(self, value: SSAValue, op: Operation) -> bool:
        """Whether the buffer of `value` may be reused by `op`, its last reader."""
        origin = self._origin(value)
        block = op.parent
        assert block is not None
        owner = origin.owner
        if (owner if isinstance(owner, Block) else owner.parent) is not block:
            return False
        if self._root(self.buffers[value]) in self.read_only:
            return False
        return self._last_use(origin, block) <= self.position[op]

    def _root(self, buffer: SSAValue) -> SSAValue:
        return self.base.get(buffer, buffer)

    def _place(self, value: SSAValue, buffer: SSAValue) -> None:
        """Notes that `value` lives in `buffer`."""
        self.buffers[value] = buffer
        self.residents.setdefault(self._root(buffer), []).append(value)

    def _target(
        self, result: SSAValue, op: Operation, updated: SSAValue | None = None, in_place: bool = False
    ) -> SSAValue | None:
        """The buffer `op` should compute `result` in, if `op` and what follows read nothing else that lives there.

        `op` itself may read `updated`, and with `in_place` what it reads element by element where it writes the result.
        """
        target = self.targets.get(result)
        if target is None:
            return None
        block, position = op.parent, self.position[op]
        assert block is not None
        for value in self.residents.get(self._root(target), ()):
            owner = value.owner
            if (owner if isinstance(owner, Block) else owner.parent) is block:
                last = self._last_use(value, block)
                if last > position:
                    return None
                if last == position and value is not updated and not (in_place and self._pointwise(op, value, result)):
                    return None
        return target

    def _pointwise(self, op: Operation, value: SSAValue, result: SSAValue) -> bool:
        """Whether `op` reads `value` at most where it writes `result`. Views of `value` are values of their own."""
        if not isinstance(op, func.CallOp):
            return False
        pairs, number = self.pointwise.get(op.callee.string_value(), ()), op.results.index(result)
        return all((i, number) in pairs for i, operand in enumerate(op.operands) if operand is value)

    # -- targets -----------------------------------------------------------------------------------------------

    def _aim(self, block: Block, values: Sequence[SSAValue], buffers: Sequence[SSAValue]) -> None:
        """Asks for `values[i]`, results of ops in `block`, to be computed in `buffers[i]`."""
        for value, buffer in zip(values, buffers, strict=True):
            if isinstance(value.type, TensorType):
                self._aim_one(block, value, buffer)

    def _aim_one(self, block: Block, value: SSAValue, buffer: SSAValue) -> None:
        owner = value.owner
        if not isinstance(owner, Operation) or owner.parent is not block or value in self.targets:
            return
        if isinstance(owner, Reshape):
            back = view_back(owner, buffer)
            self._view(back, buffer)
            self.ops.append(back)
            self._aim_one(block, owner.operands[0], back.results[0])
            return
        self.targets[value] = buffer
        if isinstance(owner, Call):
            earlier = _destination(owner, value)
        elif isinstance(owner, scf.WhileOp):
            earlier = owner.arguments[owner.results.index(value)]
        else:
            return
        if earlier.has_one_use() and self._last_use(self._origin(earlier), block) <= self.position[owner]:
            self._aim_one(block, earlier, buffer)

    # -- ops ---------------------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        """Appends the bufferized ops of `block` except its terminator."""
        for op in block.ops:
            if op.next_op is None:
                return
            if isinstance(op, Call):
                self._call(op)
            elif isinstance(op, tensor.EmptyOp):
                if any(not isinstance(use.operation, Call) for use in op.tensor.uses):
                    self._place(op.tensor, self._alloc(op.tensor))
            elif isinstance(op, Reshape):
                source = self.buffers[op.operands[0]]
                view = view_like(op, source)
                self.ops.append(view)
                self._view(view, source)
                self._place(op.results[0], view.results[0])
            elif isinstance(op, tensor.ExtractOp):
                operands = [self.buffers.get(v, v) for v in op.operands]
                load = new_op(memref.LoadOp, operands=operands, result_types=op.result_types)
                self.ops.append(load)
                self.buffers[op.result] = load.results[0]
            elif isinstance(op, arith.ConstantOp) and isinstance(op.result.type, TensorType):
                self._constant(op)
            elif isinstance(op, scf.WhileOp):
                self._while(op)
            elif isinstance(op, scf.IfOp | scf.IndexSwitchOp):
                self._branches(op)
            elif any(isinstance(r.type, TensorType) for r in op.results):
                raise UnsupportedError(f"convert-tensor-to-memref: no buffer form for {op.name} in the program")
            else:
                self.ops.append(clone(op, self.buffers))

    def _view(self, view: Operation, source: SSAValue) -> None:
        self.base[view.results[0]] = self._root(source)

    def _copy(self, source: SSAValue, destination: SSAValue) -> None:
        if self._root(source) is not self._root(destination):
            self.ops.append(memref.CopyOp(source, destination))

    def _alloc(self, value: SSAValue) -> SSAValue:
        new = alloc(value.type)
        new.memref.name_hint = value.name_hint
        self.ops.append(new)
        return new.memref

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        assert isinstance(value, DenseIntOrFPElementsAttr)
        name = self.constants.get(value)
        if name is None:
            name = f"constant_{len(self.constants)}"
            self.constants[value] = name
            self.globals.append(
                memref.GlobalOp.get(
                    StringAttr(name),
                    buffer_type(op.result.type),
                    value,
                    constant=UnitAttr(),
                    alignment=64,
                )
            )
        get = memref.GetGlobalOp(name, buffer_type(op.result.type))
        self.ops.append(get)
        self._place(op.result, get.memref)
        self.read_only.add(get.memref)

    def _call(self, op: Call) -> None:
        count = len(op.operands) - len(op.results)
        inputs = [self.buffers.get(v, v) for v in op.operands[:count]]
        roots = {self._root(b) for b in inputs}
        outputs: list[SSAValue] = []
        for destination, result in zip(op.operands[count:], op.results, strict=True):
            if isinstance(destination.owner, tensor.EmptyOp):
                buffer = self._target(result, op, in_place=True)
                if buffer is None:
                    buffer = self._alloc(result)
            else:
                current = self.buffers[destination]
                free = self._may_overwrite(destination, op) and self._root(current) not in roots
                if free and all(self._root(current) is not self._root(o) for o in outputs):
                    buffer = current
                else:
                    buffer = self._target(result, op)
                    if buffer is None:
                        buffer = self._alloc(result)
                    self._copy(current, buffer)
            outputs.append(buffer)
            self._place(result, buffer)
        self.ops.append(type(op).create(operands=[*inputs, *outputs], properties=op.properties, location=op.location))

    def _nested(self, block: Block) -> list[Operation]:
        """The bufferized ops of a region's block, without terminator; the caller has set up arguments and targets."""
        self.ops, outer = [], self.ops
        self._block(block)
        self.ops, inner = outer, self.ops
        return inner

    def _while(self, op: scf.WhileOp) -> None:
        """All carried values in fixed buffers: the loop itself carries nothing."""
        before, after = op.before_region.block, op.after_region.block
        condition, latch = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp) and isinstance(latch, scf.YieldOp)
        carried = [self._carried_buffer(op, i) for i in range(len(op.arguments))]
        for argument, buffer in zip(before.args, carried, strict=True):
            self._place(argument, buffer)
        self._number(before)
        self.read_only.update(carried)
        before_ops = self._nested(before)
        self.read_only.difference_update(carried)
        forwarded: list[SSAValue] = []
        outer, self.ops = self.ops, before_ops
        for j, value in enumerate(condition.args):
            buffer = self.buffers[value]
            if j < len(carried) and buffer is carried[j]:
                forwarded.append(buffer)
                continue
            new = alloc(value.type)
            outer.append(new)
            self._copy(buffer, new.memref)
            forwarded.append(new.memref)
        before_ops.append(scf.ConditionOp(self.buffers.get(condition.condition, condition.condition)))
        self.ops = outer
        for argument, buffer in zip(after.args, forwarded, strict=True):
            self._place(argument, buffer)
        self._number(after)
        same = len(forwarded) == len(carried) and all(a is b for a, b in zip(forwarded, carried, strict=True))
        self.ops, outer = [], self.ops
        if same:
            self._aim(after, latch.operands, carried)
        self._block(after)
        self._carry(latch.operands, carried)
        self.ops.append(scf.YieldOp())
        self.ops, after_ops = outer, self.ops
        self.ops.append(scf.WhileOp((), (), Region(Block(before_ops)), Region(Block(after_ops))))
        for result, buffer in zip(op.results, forwarded, strict=True):
            self._place(result, buffer)

    def _carried_buffer(self, op: scf.WhileOp, index: int) -> SSAValue:
        """The fixed buffer of carried value `index`, holding its initial value."""
        init = op.arguments[index]
        current = self.buffers[init]
        target = self._target(op.results[index], op, init) if index < len(op.results) else None
        root = self._root(current)
        if target is not None and self._root(target) is root:
            return current
        shared = sum(self._root(self.buffers[other]) is root for other in op.arguments) > 1
        if target is None and not shared and self._may_overwrite(init, op):
            return current
        buffer = target if target is not None else self._alloc(init)
        self._copy(current, buffer)
        return buffer

    def _carry(self, values: Sequence[SSAValue], carried: Sequence[SSAValue]) -> None:
        """Moves the next iteration's values into the fixed buffers, as if all moved at once."""
        moves = [
            (self.buffers[v], c)
            for v, c in zip(values, carried, strict=True)
            if self._root(self.buffers[v]) is not self._root(c)
        ]
        overwritten = {self._root(c) for _, c in moves}
        for i, (source, destination) in enumerate(moves):
            if self._root(source) in overwritten:
                saved = alloc(source.type)
                self.ops.append(saved)
                self.ops.append(memref.CopyOp(source, saved.memref))
                moves[i] = (saved.memref, destination)
        for source, destination in moves:
            self._copy(source, destination)

    def _branches(self, op: scf.IfOp | scf.IndexSwitchOp) -> None:
        """Every branch computes its results into the same buffers."""
        results = [target if (target := self._target(r, op)) is not None else self._alloc(r) for r in op.results]
        regions: list[Region] = []
        for region in op.regions:
            if not region.blocks:
                regions.append(Region())
                continue
            block = region.block
            terminator = block.last_op
            assert isinstance(terminator, scf.YieldOp)
            self._number(block)
            self.ops, outer = [], self.ops
            self._aim(block, terminator.operands, results)
            self._block(block)
            for value, buffer in zip(terminator.operands, results, strict=True):
                self._copy(self.buffers[value], buffer)
            self.ops.append(scf.YieldOp())
            self.ops, inner = outer, self.ops
            regions.append(Region(Block(inner)))
        condition = op.operands[0]
        self.ops.append(
            type(op).create(
                operands=[self.buffers.get(condition, condition)],
                properties=op.properties,
                attributes=op.attributes,
                regions=regions,
                location=op.location,
            )
        )
        for result, buffer in zip(op.results, results, strict=True):
            self._place(result, buffer)


def _destination(op: Call, result: SSAValue) -> SSAValue:
    """The destination of a call that `result` is the new version of."""
    return op.operands[len(op.operands) - len(op.results) + op.results.index(result)]


def _drop(block: Block) -> None:
    for op in block.ops:
        op.drop_all_references()
    block.drop_all_references()
