"""Loops in the control flow of an `llvm.func`: jumps backwards, and what the blocks in between are made of."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType, i64
from xdsl.ir import Block, Operation, SSAValue

from ..dialects.editing import ops_of
from ..dialects.llvm_extras import FCmpOp, PoisonOp

_SIGNED_LESS = 2

HIDDEN_COUNTER = VectorType(i64, [1])
"""The type of a counter that `llvm-hide-counters` has hidden: LLVM does not know how often such a loop runs."""

SPLIT_LANES = 16
"""The lanes of the widest vectors a CPU has for most elements: wider ones are several in machine code."""


NO_INSTRUCTION = frozenset((llvm.ConstantOp, llvm.AddressOfOp, llvm.ZeroOp, llvm.UndefOp, PoisonOp))
"""Ops that LLVM IR writes where their result is used."""


def operation_count(block: Block) -> int:
    """The ops of a block; those on wide vectors count as often as they are split into `SPLIT_LANES`."""
    count = 0
    for op in ops_of(block):
        count += 1
        for value in op.results or op.operands:
            if value.type.__class__ is VectorType:
                count += -(-cast("VectorType", value.type).shape.data[0].data // SPLIT_LANES) - 1
            break
    return count


class Loop(NamedTuple):
    """Blocks of a function from one to another that ends with a jump back to it; the positions of both."""

    start: int
    end: int
    branch: Operation

    @property
    def positions(self) -> range:
        return range(self.start, self.end + 1)


def innermost_loops(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a function that jump back to themselves and are entered by an unconditional jump."""
    loops: list[Block] = []
    for block in blocks:
        branch = block._last_op
        if branch is not None and block in branch._successors:
            sources = [use.operation.parent for use in block.uses]
            preheader = sources[sources[0] is block] if len(sources) == 2 else None
            if preheader is not None and preheader is not block and isinstance(preheader.last_op, llvm.BrOp):
                loops.append(block)
    return loops


def loops_of(blocks: Sequence[Block]) -> list[Loop]:
    """The loops of a function by where they end, whose blocks are in an order in which only loops jump backwards."""
    positions = {id(block): position for position, block in enumerate(blocks)}
    loops: list[Loop] = []
    for position, block in enumerate(blocks):
        branch = block._last_op
        if branch is not None and branch._successors:
            start = min([positions[id(successor)] for successor in branch._successors])
            if start <= position:
                loops.append(Loop(start, position, branch))
    return loops


def trip_count(branch: Operation | None) -> int | None:
    """How often a loop runs whose conditional jump back is `branch`: the constant bound of its counter, which starts
    at 0 and is compared after it has been increased.
    """
    if not isinstance(branch, llvm.CondBrOp):
        return None
    condition = branch.operands[0].owner
    if not isinstance(condition, llvm.ICmpOp) or condition.predicate.value.data != _SIGNED_LESS:
        return None
    bound = condition.rhs.owner
    if not isinstance(bound, llvm.ConstantOp) or not isinstance(bound.value, IntegerAttr):
        return None
    return bound.value.value.data


def step_count(blocks: Sequence[Block]) -> int | None:
    """How many ops a run of a function takes that calls no others and has no jumps forwards over much; None if it has a
    loop whose trips are not known.

    Counted as by `operation_count`, with `blocks` in an order in which only loops jump backwards.
    """
    repeated = [1] * len(blocks)
    for loop in loops_of(blocks):
        trips = trip_count(loop.branch)
        if trips is None:
            return None
        for index in loop.positions:
            repeated[index] *= trips
    return sum(operation_count(block) * times for block, times in zip(blocks, repeated, strict=True))


def follows_places(body: Block) -> bool:
    """Whether a loop of one block computes addresses from integers that it loads or that its last iteration has found,
    not from its counter alone: what it does is not side by side.
    """
    found = _found(body)
    return any(op.__class__ is llvm.GEPOp and not found.isdisjoint(op._operands[1:]) for op in ops_of(body))


def is_in_order(body: Block) -> bool:
    """Whether an iteration of a loop of one block needs what those before have done, other than a sum: it changes
    elements in places that it finds, or uses what it has found so far. LLVM's vectoriser does not take such a loop.
    """
    return _uses_results_so_far(body) or _changes_places(body)


def _counter_sum(body: Block) -> Operation | None:
    """What increases the counter of a loop of one block."""
    comparison = body.last_op.operands[0].owner if isinstance(body.last_op, llvm.CondBrOp) else None
    counted = comparison.lhs.owner if isinstance(comparison, llvm.ICmpOp) else None
    return counted if isinstance(counted, llvm.AddOp) else None


def _found(body: Block) -> set[SSAValue]:
    """What a loop of one block computes from integers that it loads or that its last iteration has found."""
    counted = _counter_sum(body)
    if counted is None:
        return set()
    found: set[SSAValue] = {
        argument
        for argument in body.args
        if argument.type.__class__ is IntegerType and argument not in counted._operands
    }
    for op in ops_of(body):
        if op.__class__ is llvm.LoadOp:
            if op.results[0].type.__class__ is IntegerType:
                found.add(op.results[0])
        elif op.__class__ is not llvm.GEPOp and not found.isdisjoint(op._operands):
            found.update(op.results)
    return found


def _changes_places(body: Block) -> bool:
    found, read, written = _found(body), set[SSAValue](), set[SSAValue]()
    for op in ops_of(body):
        if op.__class__ is llvm.LoadOp:
            read.add(_buffer(op._operands[0], found)[0])
        elif op.__class__ is llvm.StoreOp:
            buffer, in_found_place = _buffer(op._operands[1], found)
            written |= {buffer} if in_found_place else set()
    return not read.isdisjoint(written)


def _buffer(pointer: SSAValue, found: set[SSAValue]) -> tuple[SSAValue, bool]:
    """What an address is computed from, and whether by indices that are `found`."""
    by_found = False
    while isinstance(owner := pointer.owner, llvm.GEPOp):
        by_found = by_found or not found.isdisjoint(owner._operands[1:])
        pointer = owner._operands[0]
    return pointer, by_found


def _uses_results_so_far(body: Block) -> bool:
    end, counted = body._last_op, _counter_sum(body)
    if counted is None or not isinstance(end, llvm.CondBrOp):
        return False
    passed = end.then_arguments if end.then_block is body else end.else_arguments
    pairs = zip(body.args, passed, strict=True)
    return any(
        before not in counted._operands and carries_results(before, after, FCmpOp | llvm.ICmpOp)
        for before, after in pairs
    )


def carries_results(before: SSAValue, after: SSAValue, comparisons: type[Operation] | UnionType) -> bool:
    """Whether an iteration of a loop of one block computes `after`, which it passes on, from `before`, and uses one of
    them for something else than `comparisons`.
    """
    block = before.owner
    pending, seen = [after], {after}
    while pending:
        value = pending.pop()
        if isinstance(value.owner, Operation) and value.owner.parent is block:
            pending += [operand for operand in value.owner._operands if operand not in seen]
            seen.update(value.owner._operands)
    if before not in seen or before is after:
        return False
    uses = {
        value: [
            use.operation
            for use in value.uses
            if use.operation.parent is block and not isinstance(use.operation, comparisons)
        ]
        for value in (before, after)
    }
    return len(uses[before]) > 1 or len(uses[after]) > 1
