"""Rules of `stablehlo-simplify` for `while`, `if` and `case`.

A value that a loop carries unchanged is captured by the loop's regions instead; a carried value
that nothing reads is dropped. A branch chosen by a constant takes the place of its `if` or `case`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import stablehlo
from .rewriting import Rewriter, Rules, is_pure
from .simplify_indexing import constant_values

Replacement = Sequence[SSAValue] | SSAValue | None


def carry_less(op: stablehlo.WhileOp, rewriter: Rewriter) -> Replacement:
    """Drop carried values that do not change or are not read."""
    cond, body = (region.block for region in op.regions)
    terminator = body.last_op
    assert terminator is not None
    count = len(op.operands)
    invariant = {i for i in range(count) if terminator.operands[i] is body.args[i]}
    live = _live_carried(op, cond, body, terminator) - invariant
    if len(live) == count:
        return None
    for index in invariant:
        for block in (cond, body):
            rewriter.replace_uses(block.args[index], op.operands[index])
    kept = sorted(live)
    terminator.operands = [terminator.operands[i] for i in kept]
    dead_arguments = {block.args[i] for block in (cond, body) for i in range(count) if i not in live}
    _erase_users(body, dead_arguments)
    for argument in dead_arguments:
        argument.block.erase_arg(argument)
    new_op = stablehlo.WhileOp.create(
        operands=[op.operands[i] for i in kept],
        result_types=[op.results[i].type for i in kept],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(0), op.detach_region(0)],
    )
    rewriter.insert(new_op)
    results = iter(new_op.results)
    return [next(results) if i in live else op.operands[i] for i in range(count)]


def _live_carried(op: stablehlo.WhileOp, cond: Block, body: Block, terminator: Operation) -> set[int]:
    """The carried values that a result, the condition or an effect depends on."""
    live: set[int] = set()
    visited: set[Operation] = set()
    worklist: list[SSAValue] = []

    def carry(index: int) -> None:
        if index not in live:
            live.add(index)
            worklist.append(terminator.operands[index])

    for result in op.results:
        if result.first_use is not None:
            carry(result.index)
    for argument in cond.args:
        if argument.first_use is not None:
            carry(argument.index)
    for nested in body.ops:
        if nested is not terminator and not is_pure(nested):
            visited.add(nested)
            worklist.extend(_reads(nested))
    while worklist:
        value = worklist.pop()
        if isinstance(value, BlockArgument):
            if value.block is body:
                carry(value.index)
        elif isinstance(value, OpResult) and value.op.parent is body and value.op not in visited:
            visited.add(value.op)
            worklist.extend(_reads(value.op))
    return live


def _reads(op: Operation) -> Iterator[SSAValue]:
    """The operands of `op` and of the ops nested in it."""
    for nested in op.walk():
        yield from nested.operands


def _erase_users(body: Block, dead: Iterable[SSAValue]) -> None:
    """Delete the ops of `body` that depend on `dead` values. Nothing that stays reads them."""
    doomed: list[Operation] = []
    values = set[SSAValue](dead)
    for op in body.ops:
        if not values.isdisjoint(_reads(op)):
            doomed.append(op)
            values.update(op.results)
    for op in reversed(doomed):
        body.erase_op(op)


def known_branch(op: stablehlo.IfOp | stablehlo.CaseOp, rewriter: Rewriter) -> Replacement:
    """The predicate or index is constant: the ops of the chosen branch, without the others."""
    if (values := constant_values(op.operands[0])) is None:
        return None
    if type(op) is stablehlo.IfOp:
        chosen = 0 if values[0] else 1
    else:
        chosen = values[0] if 0 <= values[0] < len(op.regions) else len(op.regions) - 1
    block = op.regions[chosen].block
    terminator = block.last_op
    assert terminator is not None
    returned = tuple(terminator.operands)
    for nested in tuple(block.ops):
        if nested is not terminator:
            nested.detach()
            rewriter.insert(nested)
    return returned


RULES: Rules = {
    stablehlo.WhileOp: (carry_less,),
    stablehlo.IfOp: (known_branch,),
    stablehlo.CaseOp: (known_branch,),
}
