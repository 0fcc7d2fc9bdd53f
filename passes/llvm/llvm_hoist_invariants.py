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

from collections.abc import Iterable, Iterator

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.editing import erase, insert_before, new_op, ops_of, replace_uses
from ...ir.function_passes import Function, FunctionPass
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
    for op in tuple(ops_of(body)):
        if op.__class__ in _MOVED and not any(_is_in(operand, body) for operand in op._operands):
            op.detach()
            insert_before(op, exit)
        elif op.__class__ is llvm.GEPOp:
            _take_apart(op, body, exit)


def _is_in(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    return (owner if type(owner) is Block else owner.parent) is block


def _take_apart(op: Operation, body: Block, exit: Operation) -> None:
    """Moves the part of the index that does not change in `body` to a pointer in front of `exit`."""
    if len(op.operands) != 2:
        return
    base, index = op.operands
    if _is_in(base, body) or not isinstance(sum := index.owner, llvm.AddOp):
        return
    outside = [part for part in sum.operands if not _is_in(part, body)]
    if len(outside) != 1:
        return
    (fixed,) = outside
    moving = sum.operands[sum.operands[0] is fixed]
    properties = {name: value for name, value in op.properties.items() if name != "inbounds"}
    properties["noWrapFlags"] = _NUSW
    types = [op.results[0].type]
    start = new_op(llvm.GEPOp, [base, fixed], types, properties)
    insert_before(start, exit)
    pointer = new_op(llvm.GEPOp, [start.results[0], moving], types, properties)
    insert_before(pointer, op)
    replace_uses(op.results[0], pointer.results[0])
    erase(op)
    if not any(True for _ in index.uses):
        erase(sum)


class LlvmHoistInvariantsPass(FunctionPass):
    """See the module docstring."""

    name = "llvm-hoist-invariants"

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        for function in functions:
            if isinstance(function, llvm.FuncOp):
                for loop in innermost_loops(list(function.body.blocks)):
                    if loop.is_vector_code:
                        _hoist(loop)
            yield function
