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

from collections.abc import Mapping
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, SymbolRefAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...decisions.parallelism import PARTS_PER_THREAD
from ...dialects import xrt
from ...dialects.editing import append, clone, insert_before, new_op, ops_of, replace_uses, walk
from ...dialects.shared_attributes import i64_attribute, index_attribute
from ...dialects.xrt_names import BRIEF, ENTRY
from ...ir import structured
from ...ir.loops import range_of, trip_counts

_INDEX = IndexType()


_MORE_THAN_ONE = frozenset((func.CallOp, xrt.ParallelOp, xrt.CallTargetOp, memref.CopyOp))
"""Ops without regions whose work is not 1, besides constants."""


class _Work:
    """How many ops run, by block and by function."""

    def __init__(self, functions: Mapping[str, func.FuncOp], model: CostModel) -> None:
        self.model = model
        self.unbounded = model.safepoints.uninterrupted_work + 1
        """The least work of what may never end."""
        self._functions = functions
        self._of_functions: dict[str, int] = {}
        self._of_blocks: dict[Block, int] = {}
        self.trips: dict[str, int] = {}
        """The most iterations of the bodies of parallel loops."""
        self.parallel: dict[str, list[xrt.ParallelOp]] = {}
        """The parallel loops of each function."""
        for caller, function in functions.items():
            found = [cast(xrt.ParallelOp, op) for op in walk(function) if op.__class__ is xrt.ParallelOp]
            self.parallel[caller] = found
            for loop in found:
                name = loop.callee.string_value()
                self.trips[name] = max(self.trips.get(name, 0), loop.trip_count.value.data)

    def of_function(self, name: str) -> int:
        if name not in self._of_functions:
            self._of_functions[name] = 0  # of one that calls itself
            function = self._functions.get(name)
            blocks = () if function is None else function.body.blocks
            for block in blocks:
                self._of_functions[name] += self.of_block(block)
        return self._of_functions[name]

    def of_block(self, block: Block) -> int:
        if block not in self._of_blocks:
            work = 0
            for op in ops_of(block):
                cls = op.__class__
                if op.regions or cls in _MORE_THAN_ONE:
                    work += self.of_op(op)
                elif cls is not arith.ConstantOp:
                    work += 1
            self._of_blocks[block] = work
        return self._of_blocks[block]

    def of_op(self, op: Operation) -> int:
        """Of one execution of `op`, with everything in it."""
        cls = op.__class__
        if cls is arith.ConstantOp:
            return 0
        if cls is func.CallOp or cls is xrt.ParallelOp:
            return 1 + self.of_function(cast(SymbolRefAttr, op.properties["callee"]).string_value())
        if cls is xrt.CallTargetOp:
            return self.model.safepoints.called_work
        if cls is memref.CopyOp:
            return cast("MemRefType", op.operands[0].type).element_count()
        if not op.regions:
            return 1
        inside = 0
        for region in op.regions:
            for block in region.blocks:
                inside += self.of_block(block)
        if cls is scf.WhileOp:
            return max(inside, self.unbounded)
        return self.trip_count(op) * inside if cls is scf.ForOp else 1 + inside

    def trip_count(self, loop: Operation) -> int:
        """As far as it is known: exactly, or at most, or taken to be."""
        (count,) = trip_counts(loop)
        if count is not None:
            return count
        function = loop.parent_op()
        if isinstance(function, func.FuncOp) and loop.operands[0] in function.args:
            return self.trips.get(function.sym_name.data, self.model.safepoints.assumed_trips)
        return self.model.safepoints.assumed_trips


class _Inserter:
    """Puts safepoints into blocks that do more than the work without one."""

    def __init__(self, work: _Work) -> None:
        self.model = work.model
        self._work = work

    def protect(self, block: Block, repeated: bool) -> None:
        """`block` is a body that may be `repeated`: the work of two iterations follows each other."""
        done = 0
        for op in list(ops_of(block)):
            work = self._work.of_op(op)
            if done >= self.model.safepoints.uninterrupted_work and (repeated if op is block.last_op else work > 1):
                insert_before(_safepoint(done), op)
                done = 0
            if work > self.model.safepoints.uninterrupted_work:
                self._protect_inside(op)
            done += min(work, self.model.safepoints.uninterrupted_work)

    def _protect_inside(self, op: Operation) -> None:
        if isinstance(op, scf.WhileOp):
            for region in op.regions:
                self.protect(region.block, False)
            body = op.after_region.block
            work = sum(self._work.of_block(region.block) for region in op.regions)
            _insert_at_start(body, _safepoint(min(work, self.model.safepoints.uninterrupted_work)))
        elif isinstance(op, scf.ForOp):
            self._protect_loop(op)
        else:
            for region in op.regions:
                for block in region.blocks:
                    self.protect(block, False)

    def _protect_loop(self, loop: scf.ForOp) -> None:
        body = loop.body.block
        work = self._work.of_block(body)
        if work > self.model.safepoints.uninterrupted_work:
            self.protect(body, True)
        elif work >= self.model.safepoints.safepoint_work:
            _insert_at_start(body, _safepoint(work))
        else:
            _cut_into_strips(loop, work, self.model)


def _safepoint(work: int) -> Operation:
    return new_op(xrt.SafepointOp, properties={"work": i64_attribute(max(1, work))})


def _insert_at_start(block: Block, op: Operation) -> None:
    assert block.first_op is not None
    insert_before(op, block.first_op)


def _cut_into_strips(loop: scf.ForOp, work: int, model: CostModel) -> None:
    """A loop over strips around `loop`, and where these do not divide it evenly, the rest behind it."""
    (trips,) = trip_counts(loop)
    length = model.safepoints.strip_trips(trips, max(work, 1))
    low, high, step, *inits = loop.operands
    stride = structured.constant_index(step)
    if trips is None or stride is None:
        stride = length if stride is None else length * stride
        distance = _constant(stride, loop)
        if structured.constant_index(step) is None:
            distance = _before(loop, arith.MuliOp, distance, step)
        _strips(loop, low, high, distance, inits, length * work, bounded=True)
        return
    start = structured.constant_index(low)
    assert start is not None
    whole = trips // length * length
    middle = _constant(start + whole * stride, loop)
    rest = None
    if whole < trips:
        rest = clone(loop)
        block = loop.parent
        assert block is not None
        block.insert_op_after(rest, loop)
        for old, new in zip(loop.results, rest.results, strict=True):
            replace_uses(old, new)
        rest.operands[0] = middle
    outer = _strips(loop, low, middle, _constant(length * stride, loop), inits, length * work, bounded=False)
    if rest is not None:
        for number, result in enumerate(outer.results):
            rest.operands[3 + number] = result


def _strips(
    loop: scf.ForOp,
    low: SSAValue,
    high: SSAValue,
    distance: SSAValue,
    inits: list[SSAValue],
    work: int,
    bounded: bool,
) -> Operation:
    """Replaces `loop` by a loop from `low` to `high` by `distance` around it; the last strip may be shorter if it is
    `bounded` by `high`.
    """
    body = Block(arg_types=[_INDEX, *(value.type for value in inits)])
    outer = new_op(
        scf.ForOp,
        operands=[low, high, distance, *inits],
        result_types=[result.type for result in loop.results],
        location=loop.location,
        regions=[Region(body)],
    )
    insert_before(outer, loop)
    for old, new in zip(loop.results, outer.results, strict=True):
        replace_uses(old, new)
    loop.detach()
    append(body, _safepoint(work))
    start, *carried = body.args
    end = new_op(arith.AddiOp, operands=[start, distance], result_types=[_INDEX], properties=_NO_WRAP)
    append(body, end)
    if bounded:
        end = new_op(arith.MinSIOp, operands=[end.results[0], high], result_types=[_INDEX])
        append(body, end)
    loop.operands = [start, end.results[0], loop.operands[2], *carried]
    append(body, loop)
    append(body, new_op(scf.YieldOp, operands=loop.results))
    return outer


_NO_WRAP = {"overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])}


def _constant(value: int, anchor: Operation) -> SSAValue:
    op = new_op(arith.ConstantOp, result_types=[_INDEX], properties={"value": index_attribute(value)})
    insert_before(op, anchor)
    return op.results[0]


def _before(anchor: Operation, op_class: type[Operation], *operands: SSAValue) -> SSAValue:
    op = new_op(op_class, operands=operands, result_types=[_INDEX], properties=_NO_WRAP)
    insert_before(op, anchor)
    return op.results[0]


class LoopsInsertSafepointsPass(ModulePass):
    """See the module docstring."""

    name = "loops-insert-safepoints"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = {function.sym_name.data: function for function in op.ops if isinstance(function, func.FuncOp)}
        work = _Work(functions, model)
        for name, function in functions.items():
            if ENTRY in function.attributes and _is_brief(name, functions, work, model):
                function.attributes[BRIEF] = UnitAttr()
        long = [name for name in functions if work.of_function(name) > model.safepoints.uninterrupted_work]
        if not long:
            return
        for name in long:
            for loop in work.parallel[name]:
                if _has_long_parts(loop, work, model):
                    loop.long = UnitAttr()
        inserter = _Inserter(work)
        for name in long:
            for block in functions[name].body.blocks:
                inserter.protect(block, False)


def _is_brief(entry: str, functions: Mapping[str, func.FuncOp], work: _Work, model: CostModel) -> bool:
    """Whether the function is over at once, whatever its arguments are."""
    if work.of_function(entry) > model.safepoints.brief_work:
        return False
    seen, pending = {entry}, [functions[entry]]
    while pending:
        for op in walk(pending.pop()):
            if isinstance(op, xrt.ParallelOp) or (isinstance(op, scf.ForOp) and range_of(op) is None):
                return False
            if isinstance(op, func.CallOp) and (name := op.callee.string_value()) in functions.keys() - seen:
                seen.add(name)
                pending.append(functions[name])
    return True


def _has_long_parts(loop: xrt.ParallelOp, work: _Work, model: CostModel) -> bool:
    """Whether what one of two threads takes at once is much."""
    body, trips = loop.callee.string_value(), loop.trip_count.value.data
    parts = max(1, min(trips, 2 * PARTS_PER_THREAD))
    share = work.of_function(body) // work.trips[body]
    return share * -(-trips // parts) > model.safepoints.long_part_work
