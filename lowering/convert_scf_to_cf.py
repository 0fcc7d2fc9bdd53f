"""`convert-scf-to-cf`: structured control flow becomes branches.

What it does: replaces `scf.for`, `scf.while`, `scf.if`, `scf.index_switch`, `scf.execute_region`
and `scf.parallel` (as sequential loops) by blocks that end in `cf.br`, `cf.cond_br` and
`cf.switch`. It needs nothing beyond valid IR and leaves no op of the scf dialect; every other op
stays as it is, in order.

    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %init) -> (f32) {
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }

with bounds that are constants, lower below upper, or the upper one a constant more than the lower, becomes the rotated
loop that LLVM's loop passes work on:

      cf.br ^body(%c0, %init : index, f32)
    ^body(%i: index, %a: f32):
      %b = arith.addf %a, %x : f32
      %next = arith.addi %i, %c1 overflow<nsw> : index
      %more = arith.cmpi slt, %next, %c8 : index
      cf.cond_br %more, ^body(%next, %b : index, f32), ^exit
    ^exit:                                              // %r is %b

Otherwise a header tests `%i < %ub` first, in front of the body. Results need no block arguments:
what the only predecessor of the exit computes is visible there.

How: one walk that appends finished blocks to a list. An op moves at most once for each block it
stands in (to the continuation of the structured op before it), so the cost is linear at any
nesting depth; splitting blocks, as MLIR's SCFToControlFlow does, would move the tail of a block
once per structured op in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, scf
from xdsl.dialects.builtin import DenseIntElementsAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.editing import append, become, drain, erase, insert_before, new_block, new_op, ops_of, replace_all_uses
from ..dialects.shared_attributes import INDEX, i32_array, i64_attribute
from ..errors import UnsupportedError
from ..ir import structured
from ..ir.conversions import ConversionPass, Handlers
from ..ir.function_passes import Function, InTurn

_I1 = builtin.i1
_I64 = builtin.i64
_LESS = {"predicate": i64_attribute(2)}
_NSW = {"overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])}


def _runs_at_least_once(lower: SSAValue, upper: SSAValue) -> bool:
    """Whether that is certain; indices are far from the end of their range."""
    low, high = structured.constant_index(lower), structured.constant_index(upper)
    if low is not None and high is not None:
        return low < high
    if not isinstance(upper.owner, arith.AddiOp):
        return False
    start, distance = upper.owner.operands
    return start is lower and (structured.constant_index(distance) or 0) > 0


class _Flattener:
    """Appends the blocks of one region to `blocks`; `current` is the block that ops go to next, `handlers` flatten an
    op by its class. An op that is flattened is in no block.
    """

    def __init__(self, handlers: Handlers) -> None:
        self.handlers = handlers
        self.blocks: list[Block] = []
        self.current = new_block()

    def start(self, block: Block) -> None:
        self.blocks.append(block)
        self.current = block

    def branch(self, target: Block, arguments: Sequence[SSAValue] = ()) -> None:
        append(self.current, new_op(cf.BranchOp, arguments, successors=[target]))

    def branch_if(self, condition: SSAValue, true: Block, false: Block) -> None:
        sizes = {"operandSegmentSizes": i32_array(1, 0, 0)}
        append(self.current, new_op(cf.ConditionalBranchOp, [condition], (), sizes, successors=[true, false]))

    def flatten_block(self, block: Block) -> Operation:
        """Makes the detached `block` the current one, flattens it, returns its terminator."""
        self.start(block)
        first = next((op for op in ops_of(block) if op.__class__ in self.handlers), None)
        if first is not None:
            for op in drain(block, first):
                lower = self.handlers.get(op.__class__)
                if lower is not None:
                    lower(self, op)
                else:
                    append(self.current, op)
        terminator = self.current.last_op
        assert terminator is not None
        return terminator

    def flatten_blocks(self, region: Region, exit: Block | None = None) -> None:
        """Flattens the blocks of `region`; where `scf.yield` ends one, that goes to `exit` with its operands."""
        blocks = list(region.blocks)
        for block in blocks:
            region.detach_block(block)
        for block in blocks:
            terminator = self.flatten_block(block)
            if exit is not None and isinstance(terminator, scf.YieldOp):
                _become_branch(terminator, exit, terminator.operands)

    def finish(self, op: Operation, exit: Block, results: Sequence[SSAValue]) -> None:
        """Goes on in `exit`, where the results of `op` are these."""
        self.start(exit)
        replace_all_uses(dict(zip(op.results, results, strict=True)))
        erase(op)


def _become_branch(terminator: Operation, target: Block, arguments: Sequence[SSAValue]) -> None:
    become(terminator, cf.BranchOp, {}, tuple(arguments))
    terminator.successors = [target]


def _become_branch_if(
    terminator: Operation, condition: SSAValue, true: Block, false: Block, arguments: Sequence[SSAValue]
) -> None:
    """`arguments` are those of the first target."""
    sizes = {"operandSegmentSizes": i32_array(1, len(arguments), 0)}
    become(terminator, cf.ConditionalBranchOp, sizes, [condition, *arguments])
    terminator.successors = [true, false]


def _only_block(region: Region) -> Block:
    """The only block of `region`, taken out of it."""
    block = region.block
    region.detach_block(block)
    return block


def _less(left: SSAValue, right: SSAValue) -> arith.CmpiOp:
    return new_op(arith.CmpiOp, [left, right], [_I1], _LESS)


def _lower_for(flattener: _Flattener, op: Operation) -> None:
    lower, upper, step, *inits = op.operands
    exit_block = new_block()
    results = _flatten_loop(flattener, (lower, upper, step), inits, _only_block(op.regions[0]), exit_block)
    flattener.finish(op, exit_block, results)


def _flatten_loop(
    flattener: _Flattener, bounds: Sequence[SSAValue], inits: Sequence[SSAValue], body: Block, exit_block: Block
) -> Sequence[SSAValue]:
    """A counting loop around `body` (arguments: induction variable, carried values); returns the final ones."""
    lower, upper, step = bounds
    rotated = _runs_at_least_once(lower, upper)
    target = body if rotated else new_block(body.arg_types)
    flattener.branch(target, [lower, *inits])
    if not rotated:
        flattener.start(target)
        replace_all_uses(dict(zip(body.args, target.args, strict=True)))
        for argument in body.args:
            body.erase_arg(argument)
        compare = _less(target.args[0], upper)
        append(target, compare)
        flattener.branch_if(compare.result, body, exit_block)
    induction = target.args[0]
    terminator = flattener.flatten_block(body)
    carried = tuple(terminator.operands)
    advance = new_op(arith.AddiOp, [induction, step], [induction.type], _NSW)
    insert_before(advance, terminator)
    following = [advance.result, *carried]
    if not rotated:
        _become_branch(terminator, target, following)
        return target.args[1:]
    compare = _less(advance.result, upper)
    insert_before(compare, terminator)
    _become_branch_if(terminator, compare.result, body, exit_block, following)
    return carried


def _lower_parallel(flattener: _Flattener, op: Operation) -> None:
    """A nest of sequential loops."""
    assert isinstance(op, scf.ParallelOp)
    if op.initVals:
        raise UnsupportedError(
            f"{op.name} with reductions of types {', '.join(map(str, op.result_types))}: "
            "only parallel loops without results are lowered",
            op,
        )
    block = _only_block(op.body)
    bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
    for dimension in range(len(bounds) - 1, 0, -1):
        outer = new_block([INDEX] * dimension)
        replace_all_uses(dict(zip(block.args, outer.args, strict=False)))
        for argument in block.args[:-1]:
            block.erase_arg(argument)
        append(outer, new_op(scf.ForOp, bounds[dimension], regions=[Region(block)]))
        append(outer, new_op(scf.YieldOp))
        block = outer
    exit_block = new_block()
    _flatten_loop(flattener, bounds[0], (), block, exit_block)
    flattener.finish(op, exit_block, ())


def _lower_while(flattener: _Flattener, op: Operation) -> None:
    before, after = map(_only_block, op.regions)
    exit_block = new_block()
    flattener.branch(before, op.operands)
    terminator = flattener.flatten_block(before)
    condition, *results = terminator.operands
    _become_branch_if(terminator, condition, after, exit_block, results)
    terminator = flattener.flatten_block(after)
    _become_branch(terminator, before, terminator.operands)
    flattener.finish(op, exit_block, results)


def _lower_if(flattener: _Flattener, op: Operation) -> None:
    true_region, false_region = op.regions
    continuation = new_block(op.result_types)
    flattener.branch_if(op.operands[0], true_region.block, false_region.first_block or continuation)
    for region in op.regions:
        flattener.flatten_blocks(region, continuation)
    flattener.finish(op, continuation, continuation.args)


def _lower_index_switch(flattener: _Flattener, op: Operation) -> None:
    assert isinstance(op, scf.IndexSwitchOp)
    continuation = new_block(op.result_types)
    default_block, *case_blocks = [region.block for region in op.regions]
    values = tuple(op.cases.iter_values())
    if values:
        flag = new_op(arith.IndexCastOp, [op.arg], [_I64])
        cases = DenseIntElementsAttr.from_list(VectorType(_I64, [len(values)]), values)
        properties = {
            "case_values": cast(Attribute, cases),
            "case_operand_segments": i32_array(*([0] * len(values))),
            "operandSegmentSizes": i32_array(1, 0, 0),
        }
        append(flattener.current, flag)
        switch = new_op(cf.SwitchOp, flag.results, (), properties, successors=[default_block, *case_blocks])
        append(flattener.current, switch)
    else:
        flattener.branch(default_block)
    for region in op.regions:
        flattener.flatten_blocks(region, continuation)
    flattener.finish(op, continuation, continuation.args)


def _lower_execute_region(flattener: _Flattener, op: Operation) -> None:
    continuation = new_block(op.result_types)
    flattener.branch(op.regions[0].blocks[0])
    flattener.flatten_blocks(op.regions[0], continuation)
    flattener.finish(op, continuation, continuation.args)


_LOWERINGS: Handlers = {
    scf.ForOp: _lower_for,
    scf.ParallelOp: _lower_parallel,
    scf.WhileOp: _lower_while,
    scf.IfOp: _lower_if,
    scf.IndexSwitchOp: _lower_index_switch,
    scf.ExecuteRegionOp: _lower_execute_region,
}


class ConvertScfToCfPass(InTurn, ConversionPass):
    """See the module docstring."""

    name = "convert-scf-to-cf"

    HANDLERS = _LOWERINGS

    def through(self, ctx: Context, module: builtin.ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        handlers = self.handlers()
        for function in functions:
            if isinstance(function, func.FuncOp) and any(
                op.__class__ in handlers for block in function.body.blocks for op in ops_of(block)
            ):
                flattener = _Flattener(handlers)
                flattener.flatten_blocks(function.body)
                function.body.add_block(flattener.blocks)
            yield function
