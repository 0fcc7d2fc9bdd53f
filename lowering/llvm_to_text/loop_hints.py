"""What LLVM is told about loops.

A loop of a few iterations without other loops in it is marked `llvm.loop.unroll.full`, and so is a loop around such
loops: rows of three colours or four coordinates are no work for a vector, but side by side with their neighbours they
are. Loops of vector code stay: they are as good as unrolled, and a function of nothing else needs no optimiser; and so
do searches and gathers, which go to places that they find: they have nothing side by side. LLVM unrolls no other loops
(see `runtime/llvm_pipeline.py`): they are long, or tiled already.

```
  br i1 %9, label %b2, label %b3                        before
  br i1 %9, label %b2, label %b3, !llvm.loop !1         after
!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
```
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block

from ...decisions.cost_model import worth_full_unrolling
from ...ir.llvm_loops import follows_places, operation_count, trip_count
from ...ir.vectors import is_vector_code
from .instructions import Declarations


def loop_hints(blocks: Sequence[Block], declarations: Declarations) -> dict[Block, str]:
    """The metadata of the jumps that end these blocks, each with a comma before it; declares it.

    A loop is a conditional jump back to its first block; inner loops stand before the jump of the outer one.
    """
    hints: dict[Block, str] = {}
    positions = {block: position for position, block in enumerate(blocks)}
    repeated = [1] * len(blocks)
    """How often unrolling repeats each block."""
    kept = -1
    """The last block that starts a loop which stays."""
    for position, block in enumerate(blocks):
        branch = block.last_op
        if branch is None:
            continue
        starts = [start for successor in branch.successors if (start := positions[successor]) <= position]
        if not starts:
            continue
        start = min(starts)
        trips = trip_count(branch)
        inside = range(start, position + 1)
        if (
            start <= kept
            or trips is None
            or not _is_unrolled(trips, [(blocks[index], repeated[index]) for index in inside])
            or is_vector_code(block.ops)
            or (start == position and follows_places(block))
        ):
            kept = max(kept, start)
            continue
        for index in inside:
            repeated[index] *= trips
        hints[block] = f", !llvm.loop {declarations.loop('llvm.loop.unroll.full')}"
    return hints


def _is_unrolled(trips: int, body: Sequence[tuple[Block, int]]) -> bool:
    """Whether a loop of `trips` iterations over blocks, each repeated so often, is worth it."""
    if not worth_full_unrolling(trips, len(body)):
        return False
    return worth_full_unrolling(trips, sum(operation_count(block) * repeated for block, repeated in body))
