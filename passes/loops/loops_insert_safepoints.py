"""`loops-insert-safepoints`: what may take long can be stopped.

What it does: puts `xrt.safepoint` ops into functions so that not much more work than `UNINTERRUPTED_WORK` of
`safepoint_plan.py` is done without one: into the body of every `scf.while`, between calls of the program, and into one
loop of a long nest, the outermost whose body is short. Where that body is tiny the loop is cut into strips, with the
safepoint between them, so that the loop over elements stays as it is. `xrt.parallel` gets the mark `long` where its
parts take long, and an entry function the mark `xrt.brief` where it is over at once: straight-line code and short
loops, in one thread, that call nothing outside of the program.

    scf.for %i = %c0 to %c1000000000 step %c1 {
      memref.store %x, %a[%i]

becomes

    scf.for %start = %c0 to %c1000000000 step %c250000 {
      xrt.safepoint 250000
      %end = arith.addi %start, %c250000
      scf.for %i = %start to %end step %c1 {
        memref.store %x, %a[%i]

It needs outlined parallel loops and no affine ops, and leaves everything else as it is. Work is the number of ops of
loop bodies, times trip counts. The places are those where virtual machines look at requests to stop: safepoints, with
Leijonhufvud's and others' loop strip mining (HotSpot, JDK 10) for counting loops.

Not a pattern pass: where a safepoint pays follows from the work of whole functions and loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, SymbolRefAttr, UnitAttr
from xdsl.ir import Block, Operation, Region

from ...decisions.model import cost_model_of
from ...decisions.parallelism import PARTS_PER_THREAD
from ...decisions.safepoints import Safepoints
from ...dialects import locating, xrt
from ...dialects.editing import append, insert_before, new_block, new_op, ops_of, replace_uses, walk
from ...dialects.shared_attributes import INDEX, i64_attribute
from ...dialects.xrt_names import BRIEF, ENTRY
from ...ir import structured
from ...ir.function_passes import Function, FunctionPass, groups, names_of
from ...ir.index_ops import NO_WRAP, index_constant, index_op
from ...ir.llvm_loops import SPLIT_LANES
from ...ir.loops import most_trips, range_of, trip_counts

_MORE_THAN_ONE = frozenset((func.CallOp, xrt.ParallelOp, xrt.CallTargetOp, xrt.TileOp, memref.CopyOp))
"""Ops without regions whose work is not 1, besides constants."""


class _Work:
    """How many ops run, by block and by function."""

    def __init__(self, module: ModuleOp, numbers: Safepoints) -> None:
        self.functions: dict[str, func.FuncOp] = {}
        self._numbers = numbers
        self._of_functions: dict[str, int] = {}
        self._of_blocks: dict[Block, int] = {}
        self._trips: dict[str, int] = {}
        """The most iterations of the bodies of parallel loops."""
        self.parallel: dict[str, list[xrt.ParallelOp]] = {}
        """The parallel loops of each function."""
        self._calls: dict[str, set[str]] = {}
        self._uncounted: set[str] = set()
        """The functions with a loop whose iterations are not known."""
        self.see(module.ops)

    def see(self, functions: Iterable[Operation]) -> list[func.FuncOp]:
        """Note what the functions among `functions`, which have no safepoints yet, call."""
        seen = [function for function in functions if isinstance(function, func.FuncOp)]
        for function in seen:
            caller = function.sym_name.data
            self.functions[caller] = function
            loops, calls = self.parallel[caller], self._calls[caller] = list[xrt.ParallelOp](), set[str]()
            for op in walk(function):
                cls = op.__class__
                if cls is xrt.ParallelOp:
                    loops.append(loop := cast(xrt.ParallelOp, op))
                    name = loop.callee.string_value()
                    self._trips[name] = max(self._trips.get(name, 0), loop.trip_count.value.data)
                elif cls is func.CallOp:
                    calls.add(cast(SymbolRefAttr, op.properties["callee"]).string_value())
                elif cls is scf.ForOp and range_of(op) is None:
                    self._uncounted.add(caller)
        return seen

    def of_function(self, name: str) -> int:
        known = self._of_functions.get(name)
        if known is None:
            self._of_functions[name] = 0  # of one that calls itself
            function = self.functions.get(name)
            known = self._of_functions[name] = 0 if function is None else self.inside(function)
        return known

    def inside(self, op: Operation) -> int:
        """Of the regions of `op`, each done once."""
        work = 0
        for region in op.regions:
            block = region.first_block
            while block is not None:
                work += self.of_block(block)
                block = block.next_block
        return work

    def of_block(self, block: Block) -> int:
        known = self._of_blocks.get(block)
        if known is None:
            known = 0
            for op in ops_of(block):
                cls = op.__class__
                if op.regions or cls in _MORE_THAN_ONE:
                    known += self.of_op(op)
                elif cls is not arith.ConstantOp:
                    known += 1
            self._of_blocks[block] = known
        return known

    def of_op(self, op: Operation) -> int:
        """Of one execution of `op`, with everything in it."""
        cls = op.__class__
        if cls is scf.ForOp:
            return self.trip_count(op) * self.inside(op)
        if cls is scf.WhileOp:
            # It may never end.
            return max(self.inside(op), self._numbers.uninterrupted_work + 1)
        if cls is func.CallOp or cls is xrt.ParallelOp:
            return 1 + self.of_function(cast(SymbolRefAttr, op.properties["callee"]).string_value())
        if cls is xrt.CallTargetOp:
            return self._numbers.called_work
        if cls is xrt.TileOp:
            return cast(xrt.TileOp, op).multiply_adds // SPLIT_LANES
        if cls is memref.CopyOp:
            return cast("MemRefType", op.operands[0].type).element_count()
        return 0 if cls is arith.ConstantOp else 1 + self.inside(op)

    def trip_count(self, loop: Operation) -> int:
        """As far as it is known: exactly, or at most, or taken to be."""
        (count,) = trip_counts(loop)
        if count is None:
            count = most_trips(cast(scf.ForOp, loop))
        if count is not None:
            return count
        function = loop.parent_op()
        if isinstance(function, func.FuncOp) and loop.operands[0] in function.args:
            return self._trips.get(function.sym_name.data, self._numbers.assumed_trips)
        return self._numbers.assumed_trips

    def is_brief(self, entry: str) -> bool:
        """Whether a function is over at once, whatever its arguments are."""
        if self.of_function(entry) > self._numbers.brief_work:
            return False
        seen = [entry]
        for name in seen:
            if self.parallel[name] or name in self._uncounted:
                return False
            seen += [callee for callee in self._calls[name] if callee in self.functions and callee not in seen]
        return True

    def has_long_parts(self, loop: xrt.ParallelOp) -> bool:
        """Whether what one of two threads takes at once is much."""
        body, trips = loop.callee.string_value(), loop.trip_count.value.data
        parts = max(1, min(trips, 2 * PARTS_PER_THREAD))
        share = self.of_function(body) // self._trips[body]
        return share * -(-trips // parts) > self._numbers.long_part_work


class _Inserter:
    """Puts safepoints into blocks that do more than the work without one."""

    def __init__(self, work: _Work, numbers: Safepoints) -> None:
        self._work = work
        self._numbers = numbers
        self._most = numbers.uninterrupted_work

    def protect_function(self, function: func.FuncOp) -> None:
        """One that does more than that."""
        for loop in self._work.parallel[function.sym_name.data]:
            if self._work.has_long_parts(loop):
                loop.long = UnitAttr()
        locating.at(function)
        for block in function.body.blocks:
            self.protect(block, False)

    def protect(self, block: Block, repeated: bool) -> None:
        """`block` is a body that may be `repeated`: the work of two iterations follows each other."""
        done = 0
        for op in list(ops_of(block)):
            work = self._work.of_op(op)
            if done >= self._most and (repeated if op is block.last_op else work > 1):
                insert_before(_safepoint(done), op)
                done = 0
            if work > self._most:
                self._protect_inside(op)
            done += min(work, self._most)

    def _protect_inside(self, op: Operation) -> None:
        locating.at(op)
        if isinstance(op, scf.ForOp):
            self._protect_loop(op)
            return
        for region in op.regions:
            for block in region.blocks:
                self.protect(block, False)
        if isinstance(op, scf.WhileOp):
            _insert_at_start(op.after_region.block, min(self._work.inside(op), self._most))

    def _protect_loop(self, loop: scf.ForOp) -> None:
        body = loop.body.block
        work = self._work.of_block(body)
        if work > self._most:
            self.protect(body, True)
        elif work >= self._numbers.safepoint_work:
            _insert_at_start(body, work)
        else:
            _cut_into_strips(loop, work, self._numbers)


def _safepoint(work: int) -> Operation:
    return new_op(xrt.SafepointOp, properties={"work": i64_attribute(max(1, work))})


def _insert_at_start(block: Block, work: int) -> None:
    insert_before(_safepoint(work), cast(Operation, block.first_op))


def _cut_into_strips(loop: scf.ForOp, work: int, numbers: Safepoints) -> None:
    """A loop over strips around `loop`, whose body does so much `work`; the last strip may be shorter."""
    (trips,) = trip_counts(loop)
    length = numbers.strip_trips(work)
    low, high, step, *inits = loop.operands
    stride = structured.constant_index(step)
    distance = index_constant(length if stride is None else length * stride, loop)
    if stride is None:
        distance = index_op(arith.MuliOp, (distance, step), loop, NO_WRAP)
    body = new_block([INDEX, *(value.type for value in inits)])
    operands, types = [low, high, distance, *inits], [result.type for result in loop.results]
    outer = new_op(scf.ForOp, operands, types, location=loop.location, regions=[Region(body)])
    insert_before(outer, loop)
    for old, new in zip(loop.results, outer.results, strict=True):
        replace_uses(old, new)
    loop.detach()
    append(body, _safepoint(length * work))
    append(body, loop)
    append(body, new_op(scf.YieldOp, operands=loop.results))
    start, *carried = body.args
    end = index_op(arith.AddiOp, (start, distance), loop, NO_WRAP)
    if trips is None or trips % length:
        end = index_op(arith.MinSIOp, (end, high), loop)
    loop.operands = [start, end, step, *carried]


class LoopsInsertSafepointsPass(FunctionPass):
    """See the module docstring."""

    name = "loops-insert-safepoints"

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        numbers = cost_model_of(ctx).safepoints
        return _protected(groups(names_of(module), functions), _Work(module, numbers), numbers)


def _protected(functions: Iterable[list[Function]], work: _Work, numbers: Safepoints) -> Iterator[Function]:
    """`functions`, those that have to be known together in one list, with safepoints."""
    inserter = _Inserter(work, numbers)
    for group in functions:
        for function in work.see(group):
            if ENTRY in function.attributes and work.is_brief(function.sym_name.data):
                function.attributes[BRIEF] = UnitAttr()
            if work.of_function(function.sym_name.data) > numbers.uninterrupted_work:
                inserter.protect_function(function)
        yield from group
