"""`llvm-hide-counters`: loops of vector code count in vectors of one lane.

Functions whose innermost loops all are of vector code, but for gathers beside them with little arithmetic, need no more
of LLVM than a code generator. Half its time is strength reduction, which looks for a cheaper form of all the scalars
that depend on a counter, for each loop around them again; addresses here are pointers and constants already, and it
finds nothing. It does not look into vectors, and in machine code a vector of one lane is its element on most CPUs.

    ^loop(%i: i64):
      ...
      llvm.cond_br %more, ^loop(%next : i64), ^end

to

    ^loop(%lane: vector<1xi64>):
      %i = llvm.extractelement %lane[%c0 : i64]
      ...
      %next_lane = llvm.insertelement %next, %poison[%c0 : i64]
      llvm.cond_br %more, ^loop(%next_lane : vector<1xi64>), ^end

Where such a vector is not its element in machine code, nothing changes. Needs and leaves control flow as
`convert-scf-to-cf` makes it.

Not a pattern pass: it applies to functions whose loops are all vector code.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, i64
from xdsl.ir import Block, Operation, SSAValue

from ...decisions.llvm import LlvmTiers
from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...dialects.editing import become, insert_before, new_op, ops_of, replace_uses
from ...dialects.llvm_extras import ExtractElementOp, PoisonOp
from ...ir.function_passes import BlocksPass
from ...ir.llvm_loops import HIDDEN_COUNTER, follows_places, innermost_loops, operation_count
from ...ir.vectors import is_vector_code

_ZERO_INTEGER = IntegerAttr(0, i64)
_ZERO = DenseIntOrFPElementsAttr.from_list(HIDDEN_COUNTER, [0])


def _needs_no_loop_optimizer(blocks: Sequence[Block], model: LlvmTiers) -> bool:
    """Whether there are loops and vector code, and all innermost loops are that or short gathers, which stay."""
    loops = innermost_loops(blocks)
    others = [loop for loop in loops if not is_vector_code(ops_of(loop))]
    if not loops or not all(map(follows_places, others)):
        return False
    if any(model.worth_vectorizing_gathers(operation_count(body)) for body in others):
        return False
    return len(others) < len(loops) or any(is_vector_code(ops_of(block)) for block in blocks)


def _hide(blocks: Sequence[Block]) -> None:
    """Makes what a jump backwards passes as a number a vector of one lane, wherever it comes from."""
    entry = blocks[0].first_op
    assert entry is not None
    constants = _Constants.in_front_of(entry)
    positions = {id(block): position for position, block in enumerate(blocks)}
    for position, block in enumerate(blocks):
        branches = list(dict.fromkeys([use.operation for use in block.uses]))
        if any(positions[id(branch.parent)] >= position for branch in branches):
            hidden = [index for index, argument in enumerate(block.args) if argument.type == i64]
            for index in hidden:
                _hide_argument(block, block.args[index], constants)
            for branch in branches:
                _pass_lanes(branch, block, hidden, constants)


class _Constants(NamedTuple):
    """Where a counter starts from nothing: `poison` of the vector type; the position 0; the vector of a 0."""

    poison: SSAValue
    position: SSAValue
    zero: SSAValue

    @staticmethod
    def in_front_of(op: Operation) -> _Constants:
        poison = new_op(PoisonOp, result_types=[HIDDEN_COUNTER])
        position = new_op(llvm.ConstantOp, result_types=[i64], properties={"value": _ZERO_INTEGER})
        zero = new_op(llvm.ConstantOp, result_types=[HIDDEN_COUNTER], properties={"value": _ZERO})
        for constant in (poison, position, zero):
            insert_before(constant, op)
        return _Constants(poison.results[0], position.results[0], zero.results[0])

    def lane(self, value: SSAValue, branch: Operation) -> SSAValue:
        """The vector of `value`, made in front of `branch`."""
        if isinstance(value.owner, llvm.ConstantOp) and value.owner.properties["value"] == _ZERO_INTEGER:
            return self.zero
        if locating.is_on:
            locating.at(branch)
        insert = new_op(llvm.InsertElementOp, [self.poison, value, self.position], [HIDDEN_COUNTER])
        insert_before(insert, branch)
        return insert.results[0]


def _hide_argument(block: Block, counter: SSAValue, constants: _Constants) -> None:
    first = block.first_op
    assert first is not None
    locating.at(first)
    extract = new_op(ExtractElementOp, (), [i64])
    insert_before(extract, first)
    replace_uses(counter, extract.results[0])
    counter._type = HIDDEN_COUNTER
    become(extract, ExtractElementOp, {}, [counter, constants.position])


def _pass_lanes(branch: Operation, block: Block, hidden: Sequence[int], constants: _Constants) -> None:
    """Makes vectors of what `branch` passes to the arguments `hidden` of `block`."""
    assert isinstance(branch, llvm.BrOp | llvm.CondBrOp)
    operands = list(branch._operands)
    start = len(operands) - sum([len(successor.args) for successor in branch._successors])
    for successor in branch._successors:
        if successor is block:
            for index in hidden:
                operands[start + index] = constants.lane(operands[start + index], branch)
        start += len(successor.args)
    become(branch, branch.__class__, branch.properties, operands, branch.attributes)


@dataclass(frozen=True)
class LlvmHideCountersPass(BlocksPass):
    """See the module docstring. `vector_bits` 0 is the host."""

    name = "llvm-hide-counters"

    vector_bits: int = 0

    def model(self, ctx: Context) -> CostModel:
        return cost_model_of(ctx, self.vector_bits)

    def rewrite_blocks(self, function: llvm.FuncOp, blocks: Sequence[Block], model: CostModel) -> None:
        if model.target.lane_is_scalar and _needs_no_loop_optimizer(blocks, model.llvm):
            _hide(blocks)
