"""Loops whose iterations wait for each other, which no vectoriser takes."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from xdsl.dialects import affine, arith, scf
from xdsl.ir import Block, Operation, Region

from ....dialects.editing import walk
from ....ir.llvm_loops import carries_results
from ..accesses import LOADS, STORES, buffer_of, indices_of


def is_in_order(loop: Operation) -> bool:
    """Whether an iteration of an innermost loop needs what those before have done, other than a sum: it changes
    elements in places that it finds, as a histogram does, or uses what it has found so far, as a cumulative sum does.
    """
    if not isinstance(loop, affine.ForOp | scf.ForOp):
        return False
    return _changes_places(loop.body) or _uses_results_so_far(loop.body.block)


def _changes_places(body: Region) -> bool:
    found = {op.results[0] for op in walk(body) if op.__class__ is arith.IndexCastOp}
    if not found:
        return False
    read = {buffer_of(op) for op in walk(body) if op.__class__ in LOADS}
    written = (op for op in walk(body) if op.__class__ in STORES and not found.isdisjoint(indices_of(op)))
    return any(buffer_of(op) in read for op in written)


def _uses_results_so_far(body: Block) -> bool:
    end = body._last_op
    assert end is not None
    pairs = zip(body.args[1:], end.operands, strict=True)
    return any(carries_results(before, after, arith.CmpfOp | arith.CmpiOp) for before, after in pairs)
