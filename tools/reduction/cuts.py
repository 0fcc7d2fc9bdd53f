"""Ops, arguments and results that a program can do without."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from ...dialects.editing import erase, insert_before, replace_uses, walk
from .drafts import (
    Draft,
    entry_function,
    erase_with_users_gone,
    functions_of,
    open_functions,
    sweep,
    update_type,
    without_items,
)
from .engine import Reducer


def is_terminator(op: Operation) -> bool:
    """Whether an op ends its block."""
    return op.has_trait(IsTerminator, value_if_unregistered=False)


# -- results -----------------------------------------------------------------------------------------------------


def return_earlier(reducer: Reducer) -> bool:
    """Let a function end behind the first op, found by bisection, whose results are interesting alone."""
    if not reducer.may_change_signatures:
        return False
    changed = False
    for number in range(len(open_functions(reducer.best))):
        changed |= _return_earlier(reducer, number)
    return changed


def _ends(module: ModuleOp, number: int) -> list[Operation]:
    functions = open_functions(module)
    if number >= len(functions) or len(functions[number].body.blocks) != 1:
        return []
    return [op for op in functions[number].body.block.ops if op.results and not is_terminator(op)]


def _return_earlier(reducer: Reducer, number: int) -> bool:
    changed = False
    candidates = _ends(reducer.best, number)
    low, high = 0, len(candidates) - 1
    while low <= high:
        middle = (low + high) // 2
        if reducer.attempt(lambda draft, op=candidates[middle]: _returned(draft, op)):
            changed, candidates = True, _ends(reducer.best, number)
            high = min(middle, len(candidates)) - 1
        else:
            low = middle + 1
    return changed


def _returned(draft: Draft, original: Operation) -> bool:
    op = draft.op(original)
    function, block = entry_function(op), op.parent
    assert function is not None and block is not None
    last = block.last_op
    if not isinstance(last, ReturnOp) or (op.next_op is last and tuple(last.operands) == tuple(op.results)):
        return False
    while (behind := block.last_op) is not op:
        assert behind is not None
        erase(behind)
    block.add_op(ReturnOp(*op.results))
    function.properties.pop("res_attrs", None)
    update_type(function)
    sweep(function)
    return True


def drop_results(reducer: Reducer) -> bool:
    """Results of functions that nothing calls."""

    def edit(draft: Draft, chunk: Sequence[tuple[Operation, int]]) -> bool:
        for original in dict.fromkeys(op for op, _ in chunk):
            removed = {index for op, index in chunk if op is original}
            last = draft.op(original)
            function = entry_function(last)
            assert function is not None
            last.operands = [value for index, value in enumerate(last.operands) if index not in removed]
            without_items(function, "res_attrs", removed)
            update_type(function)
            sweep(function)
        return True

    return reducer.may_change_signatures and reducer.minimise(_returned_values, edit)


def _returned_values(module: ModuleOp) -> list[tuple[Operation, int]]:
    return [
        (block.last_op, index)
        for function in open_functions(module)
        if len(function.body.blocks) == 1
        for block in function.body.blocks
        if isinstance(block.last_op, ReturnOp)
        for index in range(len(block.last_op.operands))
    ]


# -- ops ---------------------------------------------------------------------------------------------------------


def cut_ops(reducer: Reducer) -> bool:
    """Ops of functions that nothing calls: what others need of them becomes arguments."""

    def items(module: ModuleOp) -> list[Operation]:
        return [
            op
            for function in open_functions(module)
            if len(function.body.blocks) == 1
            for op in function.body.block.ops
            if not is_terminator(op)
        ]

    def edit(draft: Draft, chunk: Sequence[Operation]) -> bool:
        ops = [draft.op(original) for original in chunk]
        inside = {id(op) for op in ops}
        for op in ops:
            function = entry_function(op)
            assert function is not None
            for result in op.results:
                if any(not _is_inside(use.operation, inside) for use in result.uses):
                    replace_uses(result, draft.as_argument(result, function))
        for op in reversed(ops):
            if op.parent is not None:  # not swept with a user
                erase_with_users_gone(op)
        return True

    return reducer.may_change_signatures and reducer.minimise(items, edit)


def _is_inside(op: Operation, ops: set[int]) -> bool:
    current: Operation | None = op
    while current is not None:
        if id(current) in ops:
            return True
        current = current.parent_op()
    return False


def replace_by_operands(reducer: Reducer) -> bool:
    """Ops by operands of the types of their results; those without results are dropped."""

    def items(module: ModuleOp) -> list[Operation]:
        return [op for op in _plain_ops(module) if not op.results or _stand_ins(op) is not None]

    def edit(draft: Draft, chunk: Sequence[Operation]) -> bool:
        for original in reversed(chunk):
            op = draft.op(original)
            if op.parent is None:
                continue
            values = _stand_ins(op)
            if values is None:
                return False
            for result, value in zip(op.results, values, strict=True):
                replace_uses(result, value)
            erase_with_users_gone(op)
        return True

    return reducer.minimise(items, edit)


def _stand_ins(op: Operation) -> list[SSAValue] | None:
    """An operand for each result."""
    found: list[SSAValue] = []
    for index, result in enumerate(op.results):
        same = [operand for operand in op.operands if operand.type == result.type]
        preferred = [o for o in op.operands[index : index + 1] if o.type == result.type]
        if not same:
            return None
        found.append((preferred or same)[0])
    return found


def replace_inner_ops(reducer: Reducer) -> bool:
    """Ops in regions by arguments of their block, values around them, or new arguments of the function."""

    def items(module: ModuleOp) -> list[Operation]:
        return [op for op in _plain_ops(module) if not isinstance(op.parent_op(), FuncOp)]

    def by_arguments_of_blocks(draft: Draft, chunk: Sequence[Operation]) -> bool:
        for original in chunk:
            op = draft.op(original)
            block = op.parent
            if block is None:
                continue
            values = [next((arg for arg in block.args if arg.type == result.type), None) for result in op.results]
            for result, value in zip(op.results, values, strict=True):
                if result.first_use is None:
                    continue
                if value is None:
                    return False
                replace_uses(result, value)
            erase_with_users_gone(op)
        return True

    def by_arguments_of_functions(draft: Draft, chunk: Sequence[Operation]) -> bool:
        changeable = {id(draft.op(function)) for function in open_functions(reducer.best)}
        for original in chunk:
            op = draft.op(original)
            if op.parent is None:
                continue
            function = entry_function(op)
            if function is None or id(function) not in changeable:
                return False
            for result in op.results:
                if result.first_use is not None:
                    replace_uses(result, draft.as_argument(result, function))
            erase_with_users_gone(op)
        return True

    changed = reducer.minimise(items, by_arguments_of_blocks)
    if reducer.may_change_signatures:
        changed |= reducer.minimise(items, by_arguments_of_functions)
    return changed


def _plain_ops(module: ModuleOp) -> list[Operation]:
    """The ops in functions, without those that end blocks."""
    return [
        op
        for op in walk(module)
        if op.parent_op() is not None and entry_function(op) is not None
        if not is_terminator(op)
    ]


# -- values that go round ----------------------------------------------------------------------------------------


def drop_carried_values(reducer: Reducer) -> bool:
    """What `stablehlo.while` carries and nobody reads behind it."""

    def items(module: ModuleOp) -> list[tuple[Operation, int]]:
        return [
            (op, index)
            for op in walk(module)
            if op.name == "stablehlo.while" and len(op.results) > 1
            for index, result in enumerate(op.results)
            if result.first_use is None
        ]

    def edit(draft: Draft, chunk: Sequence[tuple[Operation, int]]) -> bool:
        for original in dict.fromkeys(op for op, _ in chunk):
            _without_carried(draft.op(original), {index for op, index in chunk if op is original})
        return True

    return reducer.minimise(items, edit)


def _without_carried(loop: Operation, removed: set[int]) -> None:
    operands = list(loop.operands)
    body = loop.regions[1].block.last_op
    assert body is not None
    body.operands = [value for index, value in enumerate(body.operands) if index not in removed]
    for region in loop.regions:
        sweep_block(region.block)
    for region in loop.regions:
        for index in sorted(removed, reverse=True):
            argument = region.block.args[index]
            if argument.first_use is not None:
                replace_uses(argument, operands[index])
            region.block.erase_arg(argument)
    kept = [result for index, result in enumerate(loop.results) if index not in removed]
    smaller = type(loop).create(
        operands=[value for index, value in enumerate(operands) if index not in removed],
        result_types=[result.type for result in kept],
        properties=loop.properties,
        attributes=loop.attributes,
        regions=[loop.detach_region(region) for region in list(loop.regions)],
    )
    insert_before(smaller, loop)
    for old, new in zip(kept, smaller.results, strict=True):
        replace_uses(old, new)
    erase(loop)


def sweep_block(block: Block) -> None:
    """Erase what a block does not need."""
    parent = block.parent_op()
    if parent is not None:
        sweep(parent)


# -- arguments ---------------------------------------------------------------------------------------------------


def drop_unused_arguments(reducer: Reducer) -> bool:
    """Arguments of functions that nothing calls."""

    def items(module: ModuleOp) -> list[BlockArgument]:
        return [arg for f in open_functions(module) for arg in f.body.blocks[0].args if arg.first_use is None]

    def edit(draft: Draft, chunk: Sequence[BlockArgument]) -> bool:
        for function in functions_of(draft.module):
            block = function.body.blocks[0]
            removed = {arg.index for value in chunk for arg in block.args if draft.value(value) is arg}
            for index in sorted(removed, reverse=True):
                draft.provenance.pop(block.args[index], None)
                block.erase_arg(block.args[index])
            without_items(function, "arg_attrs", removed)
            update_type(function)
        return True

    return reducer.may_change_signatures and reducer.minimise(items, edit)


def merge_arguments(reducer: Reducer) -> bool:
    """Let one argument of each type do for all."""

    def items(module: ModuleOp) -> list[BlockArgument]:
        found: list[BlockArgument] = []
        for function in open_functions(module):
            args = function.body.blocks[0].args
            found += [a for a in args if a.first_use and any(b.type == a.type for b in args[: a.index])]
        return found

    def edit(draft: Draft, chunk: Sequence[BlockArgument]) -> bool:
        for value in chunk:
            argument = draft.value(value)
            assert isinstance(argument, BlockArgument)
            first = next(arg for arg in argument.block.args if arg.type == argument.type)
            replace_uses(argument, first)
        return True

    return reducer.may_change_signatures and reducer.minimise(items, edit) and drop_unused_arguments(reducer)
