"""Bufferization of the program tier: which value lives in which buffer.

The program consists of calls, views, constants and structured control flow. A value gets the buffer of its
destination; a destination that is a live tensor is copied first, a dead one is updated in place. Loops carry pointers
to the buffers of their values where these change places, nothing else (`carried.py`). Where a value ends up (an output,
a loop-carried buffer, the result of a branch) is known before it is computed, so that it is computed there (`targets`)
wherever what the buffer held is not read any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence, Set
from contextlib import contextmanager
from functools import cache, partial

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr, TensorType, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use

from ...decisions.model import CostModel
from ...dialects import locating, xrt
from ...dialects.editing import append, clone, discard_block, new_block, new_op
from ...dialects.shared_attributes import function_type, i64_attribute
from ...dialects.xrt_names import KERNEL, NUM_INPUTS, NUM_OUTPUTS
from ...errors import UnsupportedError
from ...ir.structured import RESHAPES
from ...ir.views import buffer_of
from .carried import CarriedBuffers, Move, drop_arguments
from .donation import Donations, Pair, note, pointwise_pairs, requested
from .residence import Residence
from .types import Reshape, alloc, buffer_type, load, view

Call = func.CallOp | xrt.CallTargetOp
"""The last operands are destinations, one per result."""


Places = Callable[[], Iterable[SSAValue]]
"""The buffers in the first free one of which a value is wanted."""


class ProgramBufferizer:
    """Rewrites the entry functions of a module, whose kernels are on level 3."""

    def __init__(self, module: ModuleOp, model: CostModel, donate: bool = False):
        self.model = model
        self.donate = donate
        functions = (op for op in module.body.block.ops if isinstance(op, func.FuncOp) and KERNEL in op.attributes)
        kernels = {function.sym_name.data: function.body.block for function in functions}

        @cache
        def pairs_of(kernel: str) -> frozenset[Pair]:
            return frozenset(pointwise_pairs(kernels[kernel]) if kernel in kernels else ())

        self.pointwise = pairs_of
        self.memory = Residence(self.pointwise)
        self.targets: dict[SSAValue, tuple[Places, Sequence[Reshape]]] = {}
        """Values that should be computed straight into given buffers, seen through the reshapes that follow them."""
        self.block = Block()
        """The block that is filled."""
        self.unchanging: list[tuple[BlockArgument, SSAValue]] = []
        """Arguments of loops for pointers that do not change, inner loops first (`CarriedBuffers.unchanging`)."""
        self.globals: dict[DenseIntOrFPElementsAttr, memref.GlobalOp] = {}

    # -- functions ---------------------------------------------------------------------------------------------

    def run(self, function: func.FuncOp) -> None:
        """Bufferizes the entry `function` in place: `(inputs..., outputs...) -> ()`."""
        donations = requested(function) if self.donate else {}
        while refused := self._run(function, donations):
            donations = {result: argument for result, argument in donations.items() if result not in refused}
        note(function, donations)

    def _run(self, function: func.FuncOp, donations: Donations) -> set[int]:
        """`run`, with results in the memory of arguments; those that would have to be copied there, and no change."""
        self.memory, self.targets, self.unchanging = Residence(self.pointwise), {}, []
        old = function.body.block
        terminator = old.last_op
        assert isinstance(terminator, func.ReturnOp)
        inputs = [buffer_type(t) for t in old.arg_types]
        outputs = [buffer_type(v.type) for v in terminator.operands]
        self.block = new = new_block([*inputs, *outputs])
        for before, after in zip(old.args, new.args, strict=False):
            after.name_hint = before.name_hint
            self.memory.place(before, after)
        given = set(donations.values())
        self.memory.read_only.update(arg for number, arg in enumerate(new.args[: len(inputs)]) if number not in given)
        destinations = [
            new.args[donations.get(number, len(inputs) + number)] for number in range(len(terminator.operands))
        ]
        self.memory.number(old)
        self._aim(old, terminator.operands, map(_only, destinations))
        self._block(old)
        refused = {
            result
            for result in donations
            if not self.memory.may_be(self.memory.buffers[terminator.operands[result]], destinations[result])
        }
        if refused:
            discard_block(new)
            return refused
        self._move([self.memory.buffers[value] for value in terminator.operands], destinations)
        append(new, func.ReturnOp())
        drop_arguments(reversed(self.unchanging))
        function.regions[0].detach_block(old)
        function.regions[0].add_block(new)
        discard_block(old)
        function.properties["function_type"] = function_type((*inputs, *outputs))
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
        places, reshapes = self.targets.get(result, (tuple, ()))
        for buffer in places():
            if buffer_of(buffer) in taken:
                continue
            if self.memory.is_free(buffer, result, op, updated, in_place=in_place, in_regions=in_regions):
                for reshape in reversed(reshapes):
                    buffer = self._add(view(reshape, buffer, back=True))
                return buffer
        return None

    # -- targets -----------------------------------------------------------------------------------------------

    def _aim(self, block: Block, values: Sequence[SSAValue], places: Iterable[Places]) -> None:
        """Asks for values, results of ops in `block`, to be computed each in its places."""
        for value, target in zip(values, places, strict=True):
            if isinstance(value.type, TensorType):
                self._aim_one(block, value, target)

    def _aim_one(self, block: Block, value: SSAValue | None, places: Places) -> None:
        """`_aim` for one value, and for what it is a view or a new version of."""
        reshapes: tuple[Reshape, ...] = ()
        while value is not None and value not in self.targets:
            owner = value.owner
            if not isinstance(owner, Operation) or owner.parent is not block:
                return
            if isinstance(owner, Reshape):
                value, reshapes = owner.operands[0], (owner, *reshapes)
                continue
            self.targets[value] = places, reshapes
            value = _earlier_version(owner, value)
            if value is not None and (
                not value.has_one_use()
                or self.memory.last_use(buffer_of(value, RESHAPES), block) > self.memory.position[owner]
            ):
                return

    # -- ops ---------------------------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        """Appends the bufferized ops of `block` except its terminator."""
        for op in block.ops:
            if op.next_op is None:
                return
            if locating.is_on:
                locating.at(op)
            if isinstance(op, Call):
                self._call(op)
            elif isinstance(op, tensor.EmptyOp):
                if not all(map(_is_destination, op.tensor.uses)):
                    self.memory.place(op.tensor, self._alloc(op.tensor))
            elif isinstance(op, Reshape):
                self.memory.place(op.results[0], self._add(view(op, self.memory.buffers[op.operands[0]])))
            elif isinstance(op, tensor.ExtractOp):
                operands = [self.memory.buffers.get(v, v) for v in op.operands]
                self.memory.buffers[op.result] = self._add(load(op, *operands))
            elif isinstance(op, arith.ConstantOp) and isinstance(op.result.type, TensorType):
                self._constant(op)
            elif isinstance(op, scf.WhileOp):
                self._while(op)
            elif isinstance(op, scf.IfOp | scf.IndexSwitchOp):
                self._branches(op)
            elif any(isinstance(r.type, TensorType) for r in op.results):
                raise UnsupportedError(f"convert-tensor-to-memref: no buffer form for {op.name} in the program")
            else:
                append(self.block, clone(op, self.memory.buffers))

    def _add(self, op: Operation) -> SSAValue:
        append(self.block, op)
        return op.results[0]

    @contextmanager
    def _inside(self, block: Block) -> Generator[None]:
        """Fills `block` for a while."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    def _copy(self, source: SSAValue, destination: SSAValue) -> None:
        if buffer_of(source) is not buffer_of(destination):
            append(self.block, memref.CopyOp(source, destination))

    def _move(self, sources: Sequence[SSAValue], destinations: Sequence[SSAValue]) -> None:
        """Copies each of `sources` to its destination, as if all moved at once."""
        moves: list[Move] = []
        aliases = self.memory.aliases
        written: set[SSAValue] = set()
        may_be_written: set[SSAValue] = set()
        for source, destination in zip(sources, destinations, strict=True):
            root, target = buffer_of(source), buffer_of(destination)
            if root is target:
                continue
            overlaps = not written.isdisjoint((root, *aliases.get(root, ())))
            if overlaps or root in may_be_written:
                saved = self._add(alloc(source.type))
                self._copy(source, saved)
                source = saved
            moves.append((source, destination))
            written.add(target)
            may_be_written.update(aliases.get(target, ()))
        for source, destination in moves:
            self._copy(source, destination)

    def _alloc(self, value: SSAValue) -> SSAValue:
        buffer = self._add(alloc(value.type))
        buffer.name_hint = value.name_hint
        return buffer

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        assert isinstance(value, DenseIntOrFPElementsAttr)
        type = buffer_type(op.result.type)
        constant = self.globals.get(value)
        if constant is None:
            name = StringAttr(f"constant_{len(self.globals)}")
            constant = memref.GlobalOp.get(name, type, value, constant=UnitAttr(), alignment=64)
            self.globals[value] = constant
        buffer = self._add(memref.GetGlobalOp(constant.sym_name.data, type))
        self.memory.place(op.result, buffer)
        self.memory.read_only.add(buffer)

    def _call(self, op: Call) -> None:
        count = len(op.operands) - len(op.results)
        inputs = [self.memory.buffers.get(v, v) for v in op.operands[:count]]
        roots = {buffer_of(b) for b in inputs}
        outputs: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for destination, result in zip(op.operands[count:], op.results, strict=True):
            if isinstance(destination.owner, tensor.EmptyOp):
                buffer = self._target(result, op, taken, in_place=True) or self._alloc(result)
            else:
                current = self.memory.buffers[destination]
                root = buffer_of(current)
                if root not in roots and root not in taken and self.memory.may_overwrite(destination, op):
                    buffer = current
                else:
                    buffer = self._target(result, op, taken) or self._alloc(result)
                    self._copy(current, buffer)
            outputs.append(buffer)
            taken.add(buffer_of(buffer))
            self.memory.place(result, buffer)
        append(self.block, new_op(type(op), [*inputs, *outputs], properties=op.properties, location=op.location))

    def _while(self, op: scf.WhileOp) -> None:
        """Carried values are in buffers that exist before the loop, to which it carries pointers if need be."""
        before, after = op.before_region.block, op.after_region.block
        condition, latch = before.last_op, after.last_op
        assert isinstance(condition, scf.ConditionOp) and isinstance(latch, scf.YieldOp)
        carried, outer = CarriedBuffers(self._carried_buffers(op), self.model), self.block
        placed = len(self.memory.placed)
        for argument, buffer in zip(before.args, carried.before.args, strict=True):
            self.memory.place(argument, buffer)
        self.memory.read_only.update(carried.before.args)
        with self._inside(carried.before):
            self._block(before)
            forwarded = [self._forwarded(self.memory.buffers[value], carried, outer) for value in condition.args]
        for argument, place in zip(after.args, forwarded, strict=True):
            self.memory.place(argument, carried.after.args[place] if isinstance(place, int) else place)
        with self._inside(carried.after):
            places = [partial(carried.candidates, number) for number in range(len(latch.operands))]
            self._aim(after, latch.operands, places)
            self._block(after)
            sources = [self.memory.buffers[value] for value in latch.operands]
            following, moves = carried.advance([buffer_of(source) for source in sources], sources)
            self._move([source for source, _ in moves], [destination for _, destination in moves])
        kept = carried.kept(following)
        self.unchanging += carried.unchanging(kept)
        flag = self.memory.buffers.get(condition.condition, condition.condition)
        append(carried.before, scf.ConditionOp(flag, *(carried.before.args[number] for number in kept)))
        append(carried.after, scf.YieldOp(*(following[number] for number in kept)))
        pointers = [carried.first[number] for number in kept]
        loop = scf.WhileOp(pointers, [v.type for v in pointers], Region(carried.before), Region(carried.after))
        for op_before in (*carried.allocations, loop):
            append(self.block, op_before)
        last = {**dict(enumerate(carried.first)), **dict(zip(kept, loop.results, strict=True))}
        roots = {buffer_of(buffer) for buffer in pointers}
        might_be = frozenset(roots.union(*(self.memory.aliases.get(root, ()) for root in roots)))
        self.memory.aliases.update((pointer, might_be) for pointer in loop.results)
        self.memory.leave(placed)
        for result, place in zip(op.results, forwarded, strict=True):
            self.memory.place(result, last[place] if isinstance(place, int) else place)

    def _forwarded(self, buffer: SSAValue, carried: CarriedBuffers, around: Block) -> int | SSAValue:
        """Where the body of a loop finds what its condition forwards: the number of a pointer, or a buffer of its own
        from `around` the loop.
        """
        if isinstance(buffer, BlockArgument) and buffer.owner is carried.before:
            return buffer.index
        new = alloc(buffer.type)
        append(around, new)
        self._copy(buffer, new.memref)
        return new.memref

    def _carried_buffers(self, op: scf.WhileOp) -> list[SSAValue]:
        """The buffers of carried values before the loop, holding their initial values."""
        readers = Counter(buffer_of(self.memory.buffers[init]) for init in op.arguments)
        first: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for number, init in enumerate(op.arguments):
            current = self.memory.buffers[init]
            root = buffer_of(current)
            buffer = self._target(op.results[number], op, taken, init) if number < len(op.results) else None
            if buffer is None and (readers[root] > 1 or not self.memory.may_overwrite(init, op)):
                buffer = self._alloc(init)
            if buffer is None or buffer_of(buffer) is root:
                buffer = current
            self._copy(current, buffer)
            first.append(buffer)
            taken.add(buffer_of(buffer))
        return first

    def _branches(self, op: scf.IfOp | scf.IndexSwitchOp) -> None:
        """Every branch computes its results into the same buffers."""
        results: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for result in op.results:
            results.append(self._target(result, op, taken, in_regions=True) or self._alloc(result))
            taken.add(buffer_of(results[-1]))
        regions: list[Region] = []
        for region in op.regions:
            regions.append(Region())
            for block in region.blocks:
                regions[-1].add_block(self._branch(block, results))
        condition = self.memory.buffers.get(op.operands[0], op.operands[0])
        branches = new_op(
            type(op), (condition,), (), op.properties, op.attributes, regions=regions, location=op.location
        )
        append(self.block, branches)
        for result, buffer in zip(op.results, results, strict=True):
            self.memory.place(result, buffer)

    def _branch(self, block: Block, results: Sequence[SSAValue]) -> Block:
        """`block` with what it yields in the buffers `results`."""
        terminator, placed = block.last_op, len(self.memory.placed)
        assert isinstance(terminator, scf.YieldOp)
        with self._inside(new_block()):
            self._aim(block, terminator.operands, map(_only, results))
            self._block(block)
            self._move([self.memory.buffers[value] for value in terminator.operands], results)
            append(self.block, scf.YieldOp())
            new = self.block
        self.memory.leave(placed)
        return new


def _only(buffer: SSAValue) -> Places:
    return lambda: (buffer,)


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
