"""Functions, calls, regions and branches that a program can do without."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import cf, func, llvm
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.editing import erase, insert_before, replace_all_uses, walk
from ...passes.func.func_inline_calls import FuncInlineCallsPass, inline
from .cuts import is_terminator
from .drafts import Draft, functions_of, named_by, sweep
from .engine import Reducer


def inline_calls(reducer: Reducer) -> bool:
    """All calls, or as many as possible."""

    def calls(module: ModuleOp) -> list[func.CallOp]:
        return [op for op in walk(module) if isinstance(op, func.CallOp)]

    def all_at_once(draft: Draft) -> bool:
        FuncInlineCallsPass().apply(Context(), draft.module)
        return True

    def some(draft: Draft, chunk: Sequence[func.CallOp]) -> bool:
        functions = {function.sym_name.data: function for function in functions_of(draft.module)}
        for original in chunk:
            call = draft.op(original)
            assert isinstance(call, func.CallOp)
            callee = functions.get(call.callee.string_value())
            if callee is None or len(callee.body.blocks) != 1:
                return False
            inline(call, callee, take=False)
        return True

    if not calls(reducer.best):
        return False
    return reducer.attempt(all_at_once) or reducer.minimise(calls, some)


def drop_functions(reducer: Reducer) -> bool:
    """Functions and other symbols of the module that no other op names."""

    def items(module: ModuleOp) -> list[Operation]:
        names = {name for op in walk(module) if op is not module for name in named_by(op)}
        return [op for op in module.ops if (name := _symbol(op)) is not None and name not in names]

    def edit(draft: Draft, chunk: Sequence[Operation]) -> bool:
        if len(chunk) == len(list(draft.module.ops)):
            return False
        for original in chunk:
            op = draft.op(original)
            op.detach()
            op.erase(safe_erase=False)
        return True

    return reducer.minimise(items, edit)


def _symbol(op: Operation) -> str | None:
    name = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


# -- regions -----------------------------------------------------------------------------------------------------


def inline_regions(reducer: Reducer) -> bool:
    """What a region computes in place of the op around it: a branch of an `if`, a body run once."""
    changed = False
    for number in range(MOST_REGIONS):

        def items(module: ModuleOp, number: int = number) -> list[Operation]:
            return [
                op
                for op in walk(module)
                if op.parent is not None and len(op.regions) > number and _fits(op, op.regions[number])
            ]

        def edit(draft: Draft, chunk: Sequence[Operation], number: int = number) -> bool:
            for original in chunk:
                op = draft.op(original)
                if op.parent is not None:
                    _inline_region(op, op.regions[number])
            return True

        changed |= reducer.minimise(items, edit)
    return changed


MOST_REGIONS = 4
"""So many regions of an op are tried in its place."""


def _arguments_for(op: Operation, block: Block) -> list[SSAValue] | None:
    """The last operands of `op`, one for each argument of a block in it; a loop in `scf` also has a counter."""
    count = len(block.args)
    if op.name == "scf.for":
        return [op.operands[0], *op.operands[3:]]
    values = list(op.operands[len(op.operands) - count :]) if count else []
    same = len(values) == count and all(v.type == a.type for v, a in zip(values, block.args, strict=True))
    return values if same else None


def _fits(op: Operation, region: Region) -> bool:
    if isinstance(op, func.FuncOp | ModuleOp | llvm.FuncOp) or len(region.blocks) != 1:
        return False
    last = region.block.last_op
    return (
        last is not None
        and is_terminator(last)
        and [operand.type for operand in last.operands] == [result.type for result in op.results]
        and _arguments_for(op, region.block) is not None
    )


def _inline_region(op: Operation, region: Region) -> None:
    block = region.block
    values = _arguments_for(op, block)
    last = block.last_op
    assert values is not None and last is not None
    replace_all_uses({a: v for a, v in zip(block.args, values, strict=True) if a is not v})
    returned = list(last.operands)
    erase(last)
    for inner in list(block.ops):
        inner.detach()
        insert_before(inner, op)
    for result, value in zip(op.results, returned, strict=True):
        result.replace_all_uses_with(value)
    parent = op.parent_op()
    erase(op)
    if parent is not None:
        sweep(parent)


# -- branches ----------------------------------------------------------------------------------------------------


def choose_successors(reducer: Reducer) -> bool:
    """One side of conditional branches; blocks that nothing reaches then are dropped."""
    changed = False
    for number in range(2):

        def items(module: ModuleOp) -> list[Operation]:
            return [op for op in walk(module) if isinstance(op, cf.ConditionalBranchOp | llvm.CondBrOp)]

        def edit(draft: Draft, chunk: Sequence[Operation], number: int = number) -> bool:
            for original in chunk:
                branch = draft.op(original)
                if branch.parent is not None:
                    _choose(branch, number)
            return True

        changed |= reducer.minimise(items, edit)
    return changed


def _choose(branch: Operation, number: int) -> None:
    assert isinstance(branch, cf.ConditionalBranchOp | llvm.CondBrOp)
    block = branch.parent
    region = branch.parent_region()
    assert block is not None and region is not None
    if isinstance(branch, cf.ConditionalBranchOp):
        arguments = (branch.then_arguments, branch.else_arguments)[number]
        single: Operation = cf.BranchOp(branch.successors[number], *arguments)
    else:
        arguments = (branch.then_arguments, branch.else_arguments)[number]
        single = llvm.BrOp(branch.successors[number], *arguments)
    erase(branch)
    block.add_op(single)
    _drop_unreached(region)


def _drop_unreached(region: Region) -> None:
    reached: set[Block] = set()
    pending = [region.blocks[0]]
    while pending:
        block = pending.pop()
        if block not in reached:
            reached.add(block)
            if block.last_op is not None:
                pending += block.last_op.successors
    for block in list(region.blocks):
        if block not in reached:
            for op in list(block.ops):
                op.drop_all_references()
            region.detach_block(block)
