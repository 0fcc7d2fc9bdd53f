"""`llvm-mark-short-loops`: which loops LLVM replaces by copies of their bodies.

A loop of a few iterations without other loops in it is marked `xrt.unroll`, and so is a loop around such loops: rows of
three colours or four coordinates are no work for a vector, but side by side with their neighbours they are. Loops of
vector code stay: they are as good as unrolled, and a function of nothing else needs no optimiser; and so do searches
and gathers, which go to places that they find: they have nothing side by side. How often a loop runs whose counter is
hidden (`llvm-hide-counters`) LLVM does not know: it would warn that it cannot unroll it. LLVM unrolls no other loops
(`runtime/llvm_pipeline.py`): they are long, or tiled already.

    ^loop(%i: i64):
      ...
      %more = llvm.icmp "slt" %next, %three : i64
      llvm.cond_br %more, ^loop(%next : i64), ^end

to

      llvm.cond_br %more, ^loop(%next : i64), ^end {xrt.unroll}

Needs control flow as `convert-scf-to-cf` makes it: a loop is a conditional jump back to its first block, and inner
loops stand before the jump of the outer one.

Not a pattern pass: it looks at loops in the control flow graph of a function.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block

from ...decisions.llvm import LlvmTiers
from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...dialects.xrt_names import UNROLL
from ...ir.function_passes import BlocksPass
from ...ir.llvm_loops import HIDDEN_COUNTER, follows_places, is_in_order, loops_of, operation_count, trip_count
from ...ir.vectors import is_vector_code


def _mark(blocks: Sequence[Block], model: LlvmTiers) -> None:
    repeated = [1] * len(blocks)
    """How often unrolling repeats each block."""
    kept = -1
    """The last block that starts a loop which stays."""
    for loop in loops_of(blocks):
        trips = trip_count(loop.branch)
        last = blocks[loop.end]
        if (
            loop.start <= kept
            or trips is None
            or not _is_unrolled(model, trips, [(blocks[index], repeated[index]) for index in loop.positions])
            or is_vector_code(ops_of(last))
            or any(argument.type == HIDDEN_COUNTER for argument in blocks[loop.start].args)
            or (loop.start == loop.end and (follows_places(last) or is_in_order(last)))
        ):
            kept = max(kept, loop.start)
            continue
        for index in loop.positions:
            repeated[index] *= trips
        loop.branch.attributes[UNROLL] = UnitAttr()


def _is_unrolled(model: LlvmTiers, trips: int, body: Sequence[tuple[Block, int]]) -> bool:
    """Whether a loop of `trips` iterations over blocks, each repeated so often, is worth it."""
    if not model.worth_full_unrolling(trips, len(body)):
        return False
    return model.worth_full_unrolling(trips, sum(operation_count(block) * repeated for block, repeated in body))


class LlvmMarkShortLoopsPass(BlocksPass):
    """See the module docstring."""

    name = "llvm-mark-short-loops"

    def rewrite_blocks(self, function: llvm.FuncOp, blocks: Sequence[Block], model: CostModel) -> None:
        _mark(blocks, model.llvm)
