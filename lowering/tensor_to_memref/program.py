"""Bufferization of the program tier: which value lives in which buffer.

The program consists of calls, views, constants and structured control flow. A value gets the buffer of its
destination; a destination that is a live tensor is copied first, a dead one is updated in place. Loops carry pointers
to the buffers of their values where these change places, nothing else (`carried.py`). Where a value ends up (an output,
a loop-carried buffer, the result of a branch) is known before it is computed, so that it is computed there (`targets`)
wherever what the buffer held is not read any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import partial

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use

from ...decisions.model import CostModel
from ...dialects import xrt
from ...dialects.editing import append, clone, new_op
from ...dialects.shared_attributes import i64_attribute
from ...dialects.xrt_names import NUM_INPUTS, NUM_OUTPUTS
from ...errors import UnsupportedError
from ...ir.views import buffer_of
from .carried import CarriedBuffers, Move, drop_arguments
from .donation import Donations, note, pointwise_pairs, requested
from .residence import Overwritten, Reshape, Residence
from .types import alloc, buffer_type, view_back, view_like

Call = func.CallOp | xrt.CallTargetOp
"""The last operands are destinations, one per result."""


@dataclass(frozen=True)
class Target:
    """Where a value is wanted: in the first free one of some buffers, seen through the reshapes that follow it."""

    buffers: Callable[[], Iterable[SSAValue]]
    reshapes: tuple[Reshape, ...] = ()

    @staticmethod
    def at(buffer: SSAValue) -> Target:
        """`buffer` alone."""
        return Target(lambda: (buffer,))


class ProgramBufferizer:
    """Rewrites the entry functions of a module."""

    def __init__(self, module: ModuleOp, model: CostModel, donate: bool = False):
        self.module = module
        self.model = model
        self.donate = donate
        self.pointwise = pointwise_pairs(module)
        self.memory = Residence(self.pointwise)
        self.targets: dict[SSAValue, Target] = {}
        """Values that should be computed straight into given buffers."""
        self.ops: list[Operation] = []
        self.unchanging: list[tuple[BlockArgument, SSAValue]] = []
        """Arguments of loops for pointers that do not change, inner loops first (`CarriedBuffers.unchanging`)."""
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
        self.memory, self.targets = Residence(self.pointwise), {}
        constants = len(self.globals)
        old = function.body.block
        terminator = old.last_op
        assert isinstance(terminator, func.ReturnOp)
        inputs = [buffer_type(t) for t in old.arg_types]
        outputs = [buffer_type(v.type) for v in terminator.operands]
        new = Block(arg_types=[*inputs, *outputs])
        for before, after in zip(old.args, new.args, strict=False):
            after.name_hint = before.name_hint
            self.memory.place(before, after)
        given = set(donations.values())
        self.memory.read_only.update(arg for number, arg in enumerate(new.args[: len(inputs)]) if number not in given)
        destinations = [
            new.args[donations.get(number, len(inputs) + number)] for number in range(len(terminator.operands))
        ]
        self.memory.number(old)
        self.ops, self.unchanging = [], []
        self._aim(old, terminator.operands, [Target.at(buffer) for buffer in destinations])
        self._block(old)
        refused = {
            result
            for result in donations
            if not self.memory.may_be(self.memory.buffers[terminator.operands[result]], destinations[result])
        }
        if refused:
            for op in self.ops:
                op.drop_all_references()
            self.constants = dict(list(self.constants.items())[:constants])
            del self.globals[constants:]
            return refused
        self._move([self.memory.buffers[value] for value in terminator.operands], destinations)
        self.ops.append(func.ReturnOp())
        drop_arguments(reversed(self.unchanging))
        for op in self.ops:
            append(new, op)
        function.regions[0].detach_block(old)
        function.regions[0].add_block(new)
        _drop(old)
        function.properties["function_type"] = FunctionType.from_lists([*inputs, *outputs], [])
        function.properties.pop("arg_attrs", None)
        function.properties.pop("res_attrs", None)
        function.attributes[NUM_INPUTS] = i64_attribute(len(inputs))
        function.attributes[NUM_OUTPUTS] = i64_attribute(len(outputs))
        return set()

    def _target(
        self,
        result: SSAValue,
        op: Operation,
        taken: Set[SSAValue],
        updated: SSAValue | None = None,
        *,
        in_place: bool = False,
        in_regions: bool = False,
    ) -> SSAValue | None:
        """The buffer `op` should compute `result` in, if `op` and what follows read nothing else that lives there, and
        none of its other results is in one of the buffers `taken` (roots).

        What `op` itself may read there: `Residence.is_free`.
        """
        target = self.targets.get(result)
        if target is None:
            return None
        for buffer in target.buffers():
            if buffer_of(buffer) in taken:
                continue
            if self.memory.is_free(buffer, result, op, updated, in_place=in_place, in_regions=in_regions):
                for reshape in reversed(target.reshapes):
                    view = view_back(reshape, buffer)
                    self.ops.append(view)
                    buffer = view.results[0]
                return buffer
        return None

    # -- targets -----------------------------------------------------------------------------------------------

    def _aim(self, block: Block, values: Sequence[SSAValue], targets: Sequence[Target]) -> None:
        """Asks for `values[i]`, results of ops in `block`, to be computed at `targets[i]`."""
        for value, target in zip(values, targets, strict=True):
            if isinstance(value.type, TensorType):
                self._aim_one(block, value, target)

    def _aim_one(self, block: Block, value: SSAValue, target: Target) -> None:
        """`_aim` for one value, and for what it is a view or a new version of."""
        while True:
            owner = value.owner
            if not isinstance(owner, Operation) or owner.parent is not block or value in self.targets:
                return
            if isinstance(owner, Reshape):
                value, target = owner.operands[0], Target(target.buffers, (owner, *target.reshapes))
                continue
            self.targets[value] = target
            earlier = _earlier_version(owner, value)
            if earlier is None or not earlier.has_one_use():
                return
            if self.memory.last_use(self.memory.origin(earlier), block) > self.memory.position[owner]:
                return
            value = earlier

    # -- ops ---------------------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        """Appends the bufferized ops of `block` except its terminator."""
        for op in block.ops:
            if op.next_op is None:
                return
            if isinstance(op, Call):
                self._call(op)
            elif isinstance(op, tensor.EmptyOp):
                if not all(map(_is_destination, op.tensor.uses)):
                    self.memory.place(op.tensor, self._alloc(op.tensor))
            elif isinstance(op, Reshape):
                source = self.memory.buffers[op.operands[0]]
                view = view_like(op, source)
                self.ops.append(view)
                self.memory.place(op.results[0], view.results[0])
            elif isinstance(op, tensor.ExtractOp):
                operands = [self.memory.buffers.get(v, v) for v in op.operands]
                load = new_op(memref.LoadOp, operands=operands, result_types=op.result_types)
                self.ops.append(load)
                self.memory.buffers[op.result] = load.results[0]
            elif isinstance(op, arith.ConstantOp) and isinstance(op.result.type, TensorType):
                self._constant(op)
            elif isinstance(op, scf.WhileOp):
                self._while(op)
            elif isinstance(op, scf.IfOp | scf.IndexSwitchOp):
                self._branches(op)
            elif any(isinstance(r.type, TensorType) for r in op.results):
                raise UnsupportedError(f"convert-tensor-to-memref: no buffer form for {op.name} in the program")
            else:
                self.ops.append(clone(op, self.memory.buffers))

    def _copy(self, source: SSAValue, destination: SSAValue) -> None:
        if buffer_of(source) is not buffer_of(destination):
            self.ops.append(memref.CopyOp(source, destination))

    def _move(self, sources: Sequence[SSAValue], destinations: Sequence[SSAValue]) -> None:
        """Copies each of `sources` to its destination, as if all moved at once."""
        moves: list[Move] = []
        overwritten = Overwritten(self.memory)
        for source, destination in zip(sources, destinations, strict=True):
            if buffer_of(source) is buffer_of(destination):
                continue
            if overwritten.may_hold(source):
                saved = alloc(source.type)
                self.ops.append(saved)
                self.ops.append(memref.CopyOp(source, saved.memref))
                source = saved.memref
            moves.append((source, destination))
            overwritten.add(destination)
        self.ops.extend(memref.CopyOp(source, destination) for source, destination in moves)

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
        self.memory.place(op.result, get.memref)
        self.memory.read_only.add(get.memref)

    def _call(self, op: Call) -> None:
        count = len(op.operands) - len(op.results)
        inputs = [self.memory.buffers.get(v, v) for v in op.operands[:count]]
        roots = {buffer_of(b) for b in inputs}
        outputs: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for destination, result in zip(op.operands[count:], op.results, strict=True):
            if isinstance(destination.owner, tensor.EmptyOp):
                buffer = self._target(result, op, taken, in_place=True)
                if buffer is None:
                    buffer = self._alloc(result)
            else:
                current = self.memory.buffers[destination]
                root = buffer_of(current)
                if root not in roots and root not in taken and self.memory.may_overwrite(destination, op):
                    buffer = current
                else:
                    buffer = self._target(result, op, taken)
                    if buffer is None:
                        buffer = self._alloc(result)
                    self._copy(current, buffer)
            outputs.append(buffer)
            taken.add(buffer_of(buffer))
            self.memory.place(result, buffer)
        self.ops.append(type(op).create(operands=[*inputs, *outputs], properties=op.properties, location=op.location))

    def _nested(self, block: Block) -> list[Operation]:
        """The bufferized ops of a region's block, without terminator; the caller has set up arguments and targets."""
        self.ops, outer = [], self.ops
        self._block(block)
        self.ops, inner = outer, self.ops
        return inner

    def _while(self, op: scf.WhileOp) -> None:
        """Carried values are in buffers that exist before the loop, to which it carries pointers if need be."""
        before, after = op.before_region.block, op.after_region.block
        condition, latch = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp) and isinstance(latch, scf.YieldOp)
        carried = CarriedBuffers(self._carried_buffers(op), self.model)
        placed = len(self.memory.placed)
        for argument, buffer in zip(before.args, carried.before.args, strict=True):
            self.memory.place(argument, buffer)
        self.memory.read_only.update(carried.before.args)
        before_ops = self._nested(before)
        forwarded: list[int | SSAValue] = []
        outer, self.ops = self.ops, before_ops
        for value in condition.args:
            buffer = self.memory.buffers[value]
            if isinstance(buffer, BlockArgument) and buffer.owner is carried.before:
                forwarded.append(buffer.index)
                continue
            new = alloc(value.type)
            outer.append(new)
            self._copy(buffer, new.memref)
            forwarded.append(new.memref)
        self.ops = outer
        for argument, place in zip(after.args, forwarded, strict=True):
            self.memory.place(argument, carried.after.args[place] if isinstance(place, int) else place)
        self.ops, outer = [], self.ops
        targets = [Target(partial(carried.candidates, i)) for i in range(len(latch.operands))]
        self._aim(after, latch.operands, targets)
        self._block(after)
        sources = [self.memory.buffers[value] for value in latch.operands]
        following, moves = carried.advance([buffer_of(source) for source in sources], sources)
        self._move([source for source, _ in moves], [destination for _, destination in moves])
        self.ops, after_ops = outer, self.ops
        kept = carried.kept(following)
        self.unchanging += carried.unchanging(kept)
        before_ops.append(
            scf.ConditionOp(
                self.memory.buffers.get(condition.condition, condition.condition),
                *(carried.before.args[number] for number in kept),
            )
        )
        after_ops.append(scf.YieldOp(*(following[number] for number in kept)))
        for block, ops in ((carried.before, before_ops), (carried.after, after_ops)):
            for inner in ops:
                append(block, inner)
        pointers = [carried.first[number] for number in kept]
        loop = scf.WhileOp(pointers, [v.type for v in pointers], Region(carried.before), Region(carried.after))
        self.ops.extend((*carried.allocations, loop))
        last = {**dict(enumerate(carried.first)), **dict(zip(kept, loop.results, strict=True))}
        roots = {buffer_of(buffer) for buffer in pointers}
        might_be = frozenset(roots.union(*(self.memory.aliases.get(root, ()) for root in roots)))
        self.memory.aliases.update((pointer, might_be) for pointer in loop.results)
        self.memory.leave(placed)
        for result, place in zip(op.results, forwarded, strict=True):
            self.memory.place(result, last[place] if isinstance(place, int) else place)

    def _carried_buffers(self, op: scf.WhileOp) -> list[SSAValue]:
        """The buffers of carried values before the loop, holding their initial values."""
        readers = Counter(buffer_of(self.memory.buffers[init]) for init in op.arguments)
        first: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for number, init in enumerate(op.arguments):
            shared = readers[buffer_of(self.memory.buffers[init])] > 1
            result = op.results[number] if number < len(op.results) else None
            first.append(self._carried_buffer(op, init, result, shared, taken))
            taken.add(buffer_of(first[-1]))
        return first

    def _carried_buffer(
        self, op: scf.WhileOp, init: SSAValue, result: SSAValue | None, shared: bool, taken: Set[SSAValue]
    ) -> SSAValue:
        """The buffer of a carried value that begins as `init`, which others do as well if it is `shared`."""
        current = self.memory.buffers[init]
        target = None if result is None else self._target(result, op, taken, init)
        if target is not None and buffer_of(target) is buffer_of(current):
            return current
        if target is None and not shared and self.memory.may_overwrite(init, op):
            return current
        buffer = target if target is not None else self._alloc(init)
        self._copy(current, buffer)
        return buffer

    def _branches(self, op: scf.IfOp | scf.IndexSwitchOp) -> None:
        """Every branch computes its results into the same buffers."""
        results: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for result in op.results:
            target = self._target(result, op, taken, in_regions=True)
            results.append(self._alloc(result) if target is None else target)
            taken.add(buffer_of(results[-1]))
        regions: list[Region] = []
        for region in op.regions:
            if not region.blocks:
                regions.append(Region())
                continue
            block = region.block
            terminator = block.last_op
            assert isinstance(terminator, scf.YieldOp)
            placed = len(self.memory.placed)
            self.ops, outer = [], self.ops
            self._aim(block, terminator.operands, [Target.at(buffer) for buffer in results])
            self._block(block)
            self._move([self.memory.buffers[value] for value in terminator.operands], results)
            self.ops.append(scf.YieldOp())
            self.ops, inner = outer, self.ops
            self.memory.leave(placed)
            regions.append(Region(Block(inner)))
        condition = op.operands[0]
        self.ops.append(
            type(op).create(
                operands=[self.memory.buffers.get(condition, condition)],
                properties=op.properties,
                attributes=op.attributes,
                regions=regions,
                location=op.location,
            )
        )
        for result, buffer in zip(op.results, results, strict=True):
            self.memory.place(result, buffer)


def _earlier_version(op: Operation, result: SSAValue) -> SSAValue | None:
    """What `result` of a call or a loop is the new version of; `None` for other ops."""
    assert isinstance(result, OpResult)
    if isinstance(op, Call):
        return op.operands[len(op.operands) - len(op.results) + result.index]
    return op.arguments[result.index] if isinstance(op, scf.WhileOp) else None


def _is_destination(use: Use) -> bool:
    """Whether a call writes into the value; what has no elements can be an input of a call too."""
    op = use.operation
    return isinstance(op, Call) and use.index >= len(op.operands) - len(op.results)


def _drop(block: Block) -> None:
    for op in block.ops:
        op.drop_all_references()
    block.drop_all_references()
