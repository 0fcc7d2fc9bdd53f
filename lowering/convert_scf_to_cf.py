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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, scf
from xdsl.dialects.builtin import DenseIntElementsAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects import locating
from ..dialects.editing import append, drain, erase, new_block, new_op, ops_of, replace_all_uses
from ..dialects.shared_attributes import INDEX, i32_array, i64_attribute
from ..errors import UnsupportedError
from ..ir import structured
from ..ir.conversions import ConversionPass, Handlers
from ..ir.function_passes import Function, InTurn
from ..ir.index_ops import NO_WRAP

_I1 = builtin.i1
_I64 = builtin.i64
_LESS = {"predicate": i64_attribute(2)}


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

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute],
    ) -> SSAValue:
        op = new_op(op_class, operands, [type], properties)
        append(self.current, op)
        return op.results[0]

    def branch(self, target: Block, arguments: Sequence[SSAValue] = ()) -> None:
        append(self.current, new_op(cf.BranchOp, arguments, successors=[target]))

    def branch_if(self, condition: SSAValue, true: Block, false: Block, arguments: Sequence[SSAValue] = ()) -> None:
        """`arguments` are those of the first target."""
        sizes = {"operandSegmentSizes": i32_array(1, len(arguments), 0)}
        op = new_op(cf.ConditionalBranchOp, [condition, *arguments], (), sizes, successors=[true, false])
        append(self.current, op)

    def end(self) -> Sequence[SSAValue]:
        """Removes the terminator of the current block; what it passes on."""
        terminator = self.current.last_op
        assert terminator is not None
        operands = tuple(terminator.operands)
        erase(terminator)
        return operands

    def flatten_block(self, block: Block) -> None:
        """Makes the detached `block` the current one and flattens it."""
        self.start(block)
        first = next((op for op in ops_of(block) if op.__class__ in self.handlers), None)
        if first is not None:
            for op in drain(block, first):
                lower = self.handlers.get(op.__class__)
                if lower is not None:
                    if locating.is_on:
                        locating.at(op)
                    lower(self, op)
                else:
                    append(self.current, op)

    def flatten_blocks(self, region: Region, exit: Block | None = None) -> None:
        """Flattens the blocks of `region`; where `scf.yield` ends one, that goes to `exit` with its operands."""
        while region.first_block is not None:
            self.flatten_block(region.detach_block(0))
            if exit is not None and isinstance(self.current.last_op, scf.YieldOp):
                self.branch(exit, self.end())

    def finish(self, op: Operation, exit: Block, results: Sequence[SSAValue]) -> None:
        """Goes on in `exit`, where the results of `op` are these."""
        self.start(exit)
        if locating.is_on:
            locating.at(op)
        replace_all_uses(dict(zip(op.results, results, strict=True)))
        erase(op)


def _lower_for(flattener: _Flattener, op: Operation) -> None:
    lower, upper, step, *inits = op.operands
    exit_block = new_block()
    results = _flatten_loop(flattener, (lower, upper, step), inits, op.regions[0].detach_block(0), exit_block)
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
        more = flattener.emit(arith.CmpiOp, [target.args[0], upper], _I1, _LESS)
        flattener.branch_if(more, body, exit_block)
    induction = target.args[0]
    here = locating.here()
    flattener.flatten_block(body)
    locating.back(here)
    carried = flattener.end()
    following = flattener.emit(arith.AddiOp, [induction, step], induction.type, NO_WRAP)
    if not rotated:
        flattener.branch(target, [following, *carried])
        return target.args[1:]
    more = flattener.emit(arith.CmpiOp, [following, upper], _I1, _LESS)
    flattener.branch_if(more, body, exit_block, [following, *carried])
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
    block = op.body.detach_block(0)
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
    before, after = (region.detach_block(0) for region in op.regions)
    exit_block = new_block()
    flattener.branch(before, op.operands)
    flattener.flatten_block(before)
    condition, *results = flattener.end()
    flattener.branch_if(condition, after, exit_block, results)
    flattener.flatten_block(after)
    flattener.branch(before, flattener.end())
    flattener.finish(op, exit_block, results)


def _choosing(jump: Callable[[_Flattener, Any, Block], None]) -> Callable[[_Flattener, Operation], None]:
    """For ops of which one region runs: `jump` goes to it, or to the block behind the op."""

    def lower(flattener: _Flattener, op: Operation) -> None:
        continuation = new_block(op.result_types)
        jump(flattener, op, continuation)
        for region in op.regions:
            flattener.flatten_blocks(region, continuation)
        flattener.finish(op, continuation, continuation.args)

    return lower


def _if(flattener: _Flattener, op: scf.IfOp, continuation: Block) -> None:
    flattener.branch_if(op.cond, op.true_region.block, op.false_region.first_block or continuation)


def _index_switch(flattener: _Flattener, op: scf.IndexSwitchOp, continuation: Block) -> None:
    default_block, *case_blocks = [region.block for region in op.regions]
    values = tuple(op.cases.iter_values())
    if not values:
        flattener.branch(default_block)
        return
    flag = flattener.emit(arith.IndexCastOp, [op.arg], _I64, {})
    cases = DenseIntElementsAttr.from_list(VectorType(_I64, [len(values)]), values)
    properties = {
        "case_values": cast(Attribute, cases),
        "case_operand_segments": i32_array(*([0] * len(values))),
        "operandSegmentSizes": i32_array(1, 0, 0),
    }
    append(flattener.current, new_op(cf.SwitchOp, [flag], (), properties, successors=[default_block, *case_blocks]))


def _execute_region(flattener: _Flattener, op: scf.ExecuteRegionOp, continuation: Block) -> None:
    flattener.branch(op.regions[0].blocks[0])


_LOWERINGS: Handlers = {
    scf.ForOp: _lower_for,
    scf.ParallelOp: _lower_parallel,
    scf.WhileOp: _lower_while,
    scf.IfOp: _choosing(_if),
    scf.IndexSwitchOp: _choosing(_index_switch),
    scf.ExecuteRegionOp: _choosing(_execute_region),
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
