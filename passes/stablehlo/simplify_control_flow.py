"""Patterns of `stablehlo-simplify` for `while`, `if` and `case`.

A value that a loop carries unchanged is captured by the loop's regions instead; a carried value
that nothing reads is dropped. A branch chosen by a constant takes the place of its `if` or `case`.
"""

from __future__ import annotations

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import stablehlo
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from .simplify_indexing import constant_values


@pattern
def carry_less(op: stablehlo.WhileOp, rewriter: Rewriter) -> Replacement:
    """Drop carried values that do not change or are not read."""
    cond, body = (region.block for region in op.regions)
    terminator = body.last_op
    assert terminator is not None
    count = len(op.operands)
    invariant = {i for i in range(count) if terminator.operands[i] is body.args[i]}
    live = _live_carried(op, rewriter) - invariant
    if len(live) == count:
        return None
    kept = sorted(live)
    terminator.operands = [terminator.operands[i] for i in kept]
    for index in reversed(range(count)):
        if index not in live:  # what is computed of a value that nothing reads is dead now, whatever it is
            for block in (cond, body):
                rewriter.replace_uses(block.args[index], op.operands[index])
                block.erase_arg(block.args[index])
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


def _live_carried(op: stablehlo.WhileOp, rewriter: Rewriter) -> set[int]:
    """The carried values that a result, the condition or an effect depends on."""
    cond, body = (region.block for region in op.regions)
    terminator = body.last_op
    assert terminator is not None
    reads = _reads(body)
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
        if nested is not terminator and not rewriter.is_pure(nested):
            visited.add(nested)
            worklist.extend(reads.get(nested, ()))
    while worklist:
        value = worklist.pop()
        if type(value) is BlockArgument:
            if value.block is body:
                carry(value.index)
        elif isinstance(value, OpResult) and value.op.parent is body and value.op not in visited:
            visited.add(value.op)
            worklist.extend(reads.get(value.op, ()))
    return live


def _reads(body: Block) -> dict[Operation, list[SSAValue]]:
    """By op of `body`, what it and the ops in it read of the values that `body` defines."""
    reads: dict[Operation, list[SSAValue]] = {}
    for value in (*body.args, *(result for op in body.ops for result in op.results)):
        for use in value.uses:
            reads.setdefault(_in_block(use.operation, body), []).append(value)
    return reads


def _in_block(op: Operation, block: Block) -> Operation:
    """The op of `block` that `op` is or is in."""
    while op.parent is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


@pattern
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
