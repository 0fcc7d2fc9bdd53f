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

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, scf
from xdsl.dialects.builtin import DenseIntElementsAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.editing import append, new_block, new_op, ops_of, replace_all_uses, replace_uses
from ..dialects.shared_attributes import i32_array, i64_attribute
from ..errors import UnsupportedError
from ..ir import structured
from ..ir.conversions import ConversionPass, Handlers
from ..ir.function_passes import Function, InTurn, functions_of

_I1 = builtin.i1
_I64 = builtin.i64
_SLT = i64_attribute(2)
_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


def _branch(target: Block, arguments: Sequence[SSAValue] = ()) -> cf.BranchOp:
    return new_op(cf.BranchOp, operands=arguments, successors=[target])


def _conditional_branch(
    condition: SSAValue,
    true_target: Block,
    false_target: Block,
    true_arguments: Sequence[SSAValue] = (),
) -> cf.ConditionalBranchOp:
    return new_op(
        cf.ConditionalBranchOp,
        operands=[condition, *true_arguments],
        successors=[true_target, false_target],
        properties={"operandSegmentSizes": i32_array(1, len(true_arguments), 0)},
    )


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
    op by its class.
    """

    def __init__(self, handlers: Handlers) -> None:
        self.handlers = handlers
        self.blocks: list[Block] = []
        self.current = new_block()

    def start(self, block: Block) -> Block:
        self.blocks.append(block)
        self.current = block
        return block

    def append(self, op: Operation) -> Operation:
        append(self.current, op)
        return op

    def flatten_block(self, block: Block) -> Operation:
        """Makes the detached `block` the current one, flattens it, returns its terminator."""
        self.start(block)
        op: Operation | None = None
        for op in tuple(ops_of(block)):
            lower = self.handlers.get(type(op))
            if lower is not None:
                op.detach()
                lower(self, op)
            elif self.current is not block:
                op.detach()
                append(self.current, op)
        assert op is not None
        return op

    def flatten_single_block(self, region: Region, make_branch: Callable[[Operation], Operation]) -> Block:
        """Flattens the only block of `region`; `make_branch` makes its new terminator."""
        block = region.block
        region.detach_block(block)
        terminator = self.flatten_block(block)
        terminator.detach()
        self.append(make_branch(terminator))
        terminator.erase()
        return block

    def flatten_region(self, region: Region) -> None:
        """Flattens all blocks of `region` in place."""
        blocks = list(region.blocks)
        if not any(type(op) in self.handlers for block in blocks for op in block.ops):
            return
        for block in blocks:
            region.detach_block(block)
        for block in blocks:
            self.flatten_block(block)
        region.add_block(self.blocks)


def _close(op: Operation, results: Sequence[SSAValue]) -> None:
    replace_all_uses(dict(zip(op.results, results, strict=True)))
    op.erase()


def _loop(
    flattener: _Flattener,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    inits: Sequence[SSAValue],
    body: Block,
    fill_body: Callable[[], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """Emits a counting loop around `body` (arguments: induction variable, carried values).

    `fill_body` flattens the body and returns the carried values of the next iteration. Returns the
    final ones.
    """
    lower, upper, step = bounds
    exit_block = new_block()
    rotated = _runs_at_least_once(lower, upper)
    if rotated:
        flattener.append(_branch(body, [lower, *inits]))
        target = body
        final: Sequence[SSAValue] = ()
    else:
        target = new_block(body.arg_types)
        flattener.append(_branch(target, [lower, *inits]))
        flattener.start(target)
        for argument, header_argument in zip(tuple(body.args), target.args, strict=True):
            replace_uses(argument, header_argument)
            body.erase_arg(argument)
        compare = _compare_less(target.args[0], upper)
        flattener.append(compare)
        flattener.append(_conditional_branch(compare.results[0], body, exit_block))
        final = target.args[1:]

    induction = target.args[0]
    carried = fill_body()
    advance = new_op(
        arith.AddiOp,
        operands=[induction, step],
        result_types=[induction.type],
        properties={"overflowFlags": _NSW},
    )
    flattener.append(advance)
    next_arguments = [advance.results[0], *carried]
    if rotated:
        compare = _compare_less(advance.results[0], upper)
        flattener.append(compare)
        flattener.append(_conditional_branch(compare.results[0], body, exit_block, next_arguments))
        final = carried
    else:
        flattener.append(_branch(target, next_arguments))
    flattener.start(exit_block)
    return final


def _compare_less(left: SSAValue, right: SSAValue) -> arith.CmpiOp:
    return new_op(arith.CmpiOp, operands=[left, right], result_types=[_I1], properties={"predicate": _SLT})


def _lower_for(flattener: _Flattener, op: Operation) -> None:
    lower, upper, step, *inits = op.operands
    region = op.regions[0]
    body = region.block
    region.detach_block(body)

    def fill_body() -> Sequence[SSAValue]:
        terminator = flattener.flatten_block(body)
        carried = tuple(terminator.operands)
        terminator.detach()
        terminator.erase()
        return carried

    _close(op, _loop(flattener, (lower, upper, step), inits, body, fill_body))


def _lower_parallel(flattener: _Flattener, op: Operation) -> None:
    assert isinstance(op, scf.ParallelOp)
    if op.initVals:
        raise UnsupportedError(
            f"{op.name} with reductions of types {', '.join(map(str, op.result_types))}: "
            "only parallel loops without results are lowered",
            op,
        )
    body = op.body.block
    op.body.detach_block(body)
    bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))

    def nest(dimension: int) -> Sequence[SSAValue]:
        loop_block = new_block([builtin.IndexType()])
        innermost = dimension == len(bounds) - 1

        def fill_body() -> Sequence[SSAValue]:
            if not innermost:
                flattener.start(loop_block)
                return nest(dimension + 1)
            terminator = flattener.flatten_block(body)
            terminator.detach()
            terminator.erase()
            return ()

        if innermost:
            return _loop(flattener, bounds[dimension], (), body, fill_body)
        outer = body.args[0]
        replace_uses(outer, loop_block.args[0])
        body.erase_arg(outer)
        return _loop(flattener, bounds[dimension], (), loop_block, fill_body)

    nest(0)
    _close(op, ())


def _lower_while(flattener: _Flattener, op: Operation) -> None:
    before = op.regions[0].block
    flattener.append(_branch(before, tuple(op.operands)))
    exit_block = new_block()
    after = op.regions[1].block
    results: list[SSAValue] = []

    def test(terminator: Operation) -> Operation:
        condition, *values = terminator.operands
        results.extend(values)
        return _conditional_branch(condition, after, exit_block, values)

    flattener.flatten_single_block(op.regions[0], test)
    flattener.flatten_single_block(op.regions[1], lambda terminator: _branch(before, tuple(terminator.operands)))
    flattener.start(exit_block)
    _close(op, results)


def _lower_if(flattener: _Flattener, op: Operation) -> None:
    true_region, false_region = op.regions
    condition = op.operands[0]
    continuation = new_block(op.result_types)
    true_block = true_region.block
    false_block = false_region.first_block or continuation
    flattener.append(_conditional_branch(condition, true_block, false_block))
    for region in (true_region, false_region):
        if region.first_block is not None:
            flattener.flatten_single_block(region, lambda terminator: _branch(continuation, tuple(terminator.operands)))
    flattener.start(continuation)
    _close(op, continuation.args)


def _lower_index_switch(flattener: _Flattener, op: Operation) -> None:
    assert isinstance(op, scf.IndexSwitchOp)
    continuation = new_block(op.result_types)
    default_block = op.default_region.block
    case_blocks = [region.block for region in op.case_regions]
    values = tuple(op.cases.iter_values())
    if values:
        flag = new_op(arith.IndexCastOp, operands=[op.arg], result_types=[_I64])
        flattener.append(flag)
        flattener.append(
            new_op(
                cf.SwitchOp,
                operands=[flag.results[0]],
                successors=[default_block, *case_blocks],
                properties={
                    "case_values": cast(
                        Attribute,
                        DenseIntElementsAttr.from_list(VectorType(_I64, [len(values)]), values),
                    ),
                    "case_operand_segments": i32_array(*([0] * len(values))),
                    "operandSegmentSizes": i32_array(1, 0, 0),
                },
            )
        )
    else:
        flattener.append(_branch(default_block))
    for region in op.regions:
        flattener.flatten_single_block(region, lambda terminator: _branch(continuation, tuple(terminator.operands)))
    flattener.start(continuation)
    _close(op, continuation.args)


def _lower_execute_region(flattener: _Flattener, op: Operation) -> None:
    continuation = new_block(op.result_types)
    region = op.regions[0]
    blocks = list(region.blocks)
    for block in blocks:
        region.detach_block(block)
    flattener.append(_branch(blocks[0]))
    for block in blocks:
        terminator = flattener.flatten_block(block)
        if isinstance(terminator, scf.YieldOp):
            terminator.detach()
            flattener.append(_branch(continuation, tuple(terminator.operands)))
            terminator.erase()
    flattener.start(continuation)
    _close(op, continuation.args)


_LOWERINGS: Handlers = {
    scf.ForOp: _lower_for,
    scf.ParallelOp: _lower_parallel,
    scf.WhileOp: _lower_while,
    scf.IfOp: _lower_if,
    scf.IndexSwitchOp: _lower_index_switch,
    scf.ExecuteRegionOp: _lower_execute_region,
}


class ConvertScfToCfPass(ConversionPass, InTurn):
    """See the module docstring."""

    name = "convert-scf-to-cf"

    HANDLERS = _LOWERINGS

    def rewrite(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for _ in self.through(ctx, op, functions_of(op)):
            pass

    def through(self, ctx: Context, module: builtin.ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        handlers = self.handlers()
        for function in functions:
            if isinstance(function, func.FuncOp):
                _Flattener(handlers).flatten_region(function.body)
            yield function
