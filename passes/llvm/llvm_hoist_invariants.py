"""`llvm-hoist-invariants`: what does not change in a loop of vector code is computed in front of it.

Looks at innermost loops of one block that compute with vectors; LLVM's optimiser, which does the same for all others,
does not run on these. Arithmetic, addresses and broadcasts whose operands come from outside move to the block in front
of the loop. A sum in an address is taken apart for that, so that the loop adds what changes to a pointer.

    ^loop(%k: i64):
      %row = llvm.mul %i, %stride
      %at = llvm.add %row, %k
      %p = llvm.getelementptr %base[%at]

to

      %row = llvm.mul %i, %stride
      %start = llvm.getelementptr %base[%row]
      llvm.br ^loop(...)
    ^loop(%k: i64):
      %p = llvm.getelementptr %start[%k]

Needs control flow as `convert-scf-to-cf` makes it. The address of a part of a sum may lie outside the buffer, so both
are `nusw` instead of `inbounds`.

Not a pattern pass: it moves ops out of loops that are found in the control flow graph of a function.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects import locating
from ...dialects.editing import become, erase, insert_before, new_op, ops_of
from ...ir.function_passes import BlocksPass
from ...ir.llvm_loops import InnermostLoop, innermost_loops

_MOVED = {
    llvm.AddOp,
    llvm.SubOp,
    llvm.MulOp,
    llvm.GEPOp,
    llvm.InsertElementOp,
    llvm.ShuffleVectorOp,
}
"""Ops without effects that cost little where the loop would not have run them."""


_NUSW = IntegerAttr(2, i32)


def _hoist(loop: InnermostLoop) -> None:
    body, exit = loop.body, loop.preheader.last_op
    assert exit is not None
    for op in ops_of(body):
        if op.__class__ in _MOVED and not any([_is_in(operand, body) for operand in op._operands]):
            op.detach()
            insert_before(op, exit)
        elif op.__class__ is llvm.GEPOp and len(op._operands) == 2:
            _take_apart(op, body, exit)


def _is_in(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    return (owner if owner.__class__ is Block else owner.parent) is block


def _take_apart(op: Operation, body: Block, exit: Operation) -> None:
    """Moves the part of the index that does not change in `body` to a pointer in front of `exit`."""
    base, index = op._operands
    sum = index.owner
    if _is_in(base, body) or not isinstance(sum, llvm.AddOp):
        return
    moving, fixed = sum._operands
    if not _is_in(moving, body):
        moving, fixed = fixed, moving
    if _is_in(fixed, body) or not _is_in(moving, body):
        return
    properties = {name: value for name, value in op.properties.items() if name != "inbounds"}
    properties["noWrapFlags"] = _NUSW
    locating.at(op)
    start = new_op(llvm.GEPOp, [base, fixed], [op.results[0].type], properties)
    insert_before(start, exit)
    become(op, llvm.GEPOp, properties, [start.results[0], moving])
    if index.first_use is None:
        erase(sum)


class LlvmHoistInvariantsPass(BlocksPass):
    """See the module docstring."""

    name = "llvm-hoist-invariants"

    def rewrite_blocks(self, function: llvm.FuncOp, blocks: Sequence[Block], model: CostModel) -> None:
        for loop in innermost_loops(blocks):
            if loop.is_vector_code:
                _hoist(loop)
