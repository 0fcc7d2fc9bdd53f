"""`loops-outline-parallel`: parallel loops become functions over a range of iterations.

What it does: each `scf.parallel` that is not nested in another one and whose trip count is known
moves into a private function `(captures..., %lo: index, %hi: index, %thread: index)`, called by
`xrt.parallel`. Multi-dimensional loops run over the row-major linear index. With `threads=1`, and
where a trip count is unknown or below 2, and inside another parallel loop, `scf.parallel` becomes a
nest of `scf.for`. `xrt.thread_id` becomes `%thread` in an outlined body and 0 elsewhere.

It needs parallel loops without reductions. It leaves no `scf.parallel` and no `xrt.thread_id`.

    func.func private @f(%a: memref<8x4xf32>) {
      scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) {
        memref.store %x, %a[%i, %j]

becomes

    func.func private @f(%a: memref<8x4xf32>) {
      xrt.parallel @f_parallel(%a, %x) range 32 : memref<8x4xf32>, f32
    }
    func.func private @f_parallel(%a: memref<8x4xf32>, %x: f32,
                                  %lo: index, %hi: index, %thread: index) {
      scf.for %n = %lo to %hi step %c1 {
        %i = arith.divui %n, %c4
        %j = arith.remui %n, %c4
        memref.store %x, %a[%i, %j]

Captures are the values used inside and defined outside, in order of first use; constants are cloned
instead. The idea is that of the outlined regions of OpenMP compilers.

Not a pattern pass: the functions made depend on which loops are outermost and need names that are free in the module.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects import xrt
from ...dialects.editing import append, clone, erase, insert_before, new_op, ops_of, replace_uses
from ...dialects.shared_attributes import index_attribute, symbol
from ...dialects.xrt_names import INLINE_COPIES
from ...errors import UnsupportedError
from ...ir.loops import trip_counts
from ...ir.structured import constant_index

_INDEX = IndexType()
_NSW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])}


class _Emitter:
    """Inserts index arithmetic in front of `anchor`."""

    def __init__(self, anchor: Operation) -> None:
        self.anchor = anchor

    def insert(self, op: Operation) -> SSAValue:
        insert_before(op, self.anchor)
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        return self.insert(
            new_op(arith.ConstantOp, result_types=[_INDEX], properties={"value": index_attribute(value)})
        )

    def binary(self, op_type: type[Operation], left: SSAValue, right: SSAValue, no_wrap: bool = False) -> SSAValue:
        return self.insert(
            new_op(
                op_type,
                operands=[left, right],
                result_types=[_INDEX],
                properties=_NSW if no_wrap else {},
            )
        )


def _to_sequential(loop: scf.ParallelOp) -> None:
    """Replaces `loop` by a nest of `scf.for` around its body."""
    body = loop.body.block
    loop.body.detach_block(body)
    terminator = body.last_op
    assert terminator is not None
    body.detach_op(terminator)
    terminator.erase()
    append(body, new_op(scf.YieldOp))
    outer_block = loop.parent
    assert outer_block is not None

    inner_block = body
    bounds = list(zip(loop.lowerBound, loop.upperBound, loop.step, strict=True))
    nest: Operation | None = None
    for dimension in reversed(range(len(bounds))):
        if dimension < len(bounds) - 1:
            assert nest is not None
            inner_block = Block([nest, new_op(scf.YieldOp)], arg_types=[_INDEX])
            induction = body.args[dimension]
            inner_block.args[0].name_hint = induction.name_hint
            replace_uses(induction, inner_block.args[0])
        nest = new_op(
            scf.ForOp,
            operands=bounds[dimension],
            attributes=loop.attributes if dimension == 0 else {},
            location=loop.location,
            regions=[Region(inner_block)],
        )
    assert nest is not None
    for argument in body.args[:-1]:
        body.erase_arg(argument)
    insert_before(nest, loop)
    outer_block.erase_op(loop)


class _Captures:
    """What the body of a loop uses and does not define, in order of first use, with the places: op and operand number.

    Constants are apart; `thread_ids` are the `xrt.thread_id` inside.
    """

    def __init__(self, body: Region) -> None:
        self.values: dict[SSAValue, list[tuple[Operation, int]]] = {}
        self.constants: dict[SSAValue, list[tuple[Operation, int]]] = {}
        self.thread_ids: list[Operation] = []
        self._inside: set[SSAValue] = set()
        self._visit(body)

    def _visit(self, region: Region) -> None:
        inside = self._inside
        for block in region.blocks:
            inside.update(block.args)
            for op in ops_of(block):
                for number, operand in enumerate(op._operands):
                    if operand not in inside:
                        kind = self.constants if type(operand.owner) is arith.ConstantOp else self.values
                        kind.setdefault(operand, []).append((op, number))
                for inner in op.regions:
                    self._visit(inner)
                inside.update(op.results)
                if type(op) is xrt.ThreadIdOp:
                    self.thread_ids.append(op)

    @staticmethod
    def replace(places: list[tuple[Operation, int]], value: SSAValue) -> None:
        """Makes the ops at `places` use `value` there."""
        for op, number in places:
            op.operands[number] = value


def _outline(loop: scf.ParallelOp, counts: Sequence[int], name: str, function: func.FuncOp) -> None:
    """Moves `loop` into the new function `name` behind `function` and calls that."""
    captured = _Captures(loop.body)
    body = loop.body.block
    entry = _function_behind(function, loop, name, [value.type for value in captured.values])
    *arguments, low, high, thread = entry.args
    starts = [constant_index(lower) for lower in loop.lowerBound]
    strides = [constant_index(step) for step in loop.step]
    loop.body.detach_block(body)
    _call_instead(loop, counts, name, list(captured.values))
    _end_of_iteration(body)

    function_return = new_op(func.ReturnOp)
    append(entry, function_return)
    linear = body.insert_arg(_INDEX, 0)
    outside = _Emitter(function_return)
    sequential = new_op(scf.ForOp, operands=[low, high, outside.constant(1)], regions=[Region(body)])
    insert_before(sequential, function_return)
    outside.anchor = sequential

    first = body.first_op
    assert first is not None
    _recover_inductions(linear, body.args[1:], counts, starts, strides, outside, _Emitter(first))
    for argument in body.args[1:]:
        body.erase_arg(argument)
    _use_arguments(captured, arguments, thread, outside)


def _function_behind(function: func.FuncOp, loop: scf.ParallelOp, name: str, captured: Sequence[Attribute]) -> Block:
    """The empty block of a new function behind `function`: of what is captured, a range of iterations and a thread."""
    arg_types = [*captured, _INDEX, _INDEX, _INDEX]
    entry = Block(arg_types=arg_types)
    for argument, hint in zip(entry.args[-3:], ("lo", "hi", "thread"), strict=True):
        argument.name_hint = hint
    outlined = new_op(
        func.FuncOp,
        properties={
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists(arg_types, []),
            "sym_visibility": StringAttr("private"),
        },
        location=loop.location,
        regions=[Region(entry)],
    )
    if INLINE_COPIES in function.attributes:
        outlined.attributes[INLINE_COPIES] = function.attributes[INLINE_COPIES]
    block = function.parent
    assert block is not None
    block.insert_op_after(outlined, function)
    return entry


def _call_instead(loop: scf.ParallelOp, counts: Sequence[int], name: str, captures: Sequence[SSAValue]) -> None:
    """Replaces `loop`, whose body is elsewhere."""
    properties: dict[str, Attribute] = {"callee": symbol(name), "trip_count": index_attribute(prod(counts))}
    insert_before(new_op(xrt.ParallelOp, operands=captures, properties=properties, location=loop.location), loop)
    block = loop.parent
    assert block is not None
    block.erase_op(loop)


def _end_of_iteration(body: Block) -> None:
    """Ends the body of a parallel loop as that of a sequential one."""
    terminator = body.last_op
    assert terminator is not None
    body.detach_op(terminator)
    terminator.erase()
    append(body, new_op(scf.YieldOp))


def _use_arguments(captured: _Captures, arguments: Sequence[SSAValue], thread: SSAValue, outside: _Emitter) -> None:
    """What is captured is an argument now, a constant is made anew, and the thread is known."""
    for constant, places in captured.constants.items():
        assert isinstance(constant.owner, Operation)
        copy = clone(constant.owner)
        copy.results[0].name_hint = constant.name_hint
        captured.replace(places, outside.insert(copy))
    for (value, places), argument in zip(captured.values.items(), arguments, strict=True):
        argument.name_hint = value.name_hint
        captured.replace(places, argument)
    for op in captured.thread_ids:
        replace_uses(op.results[0], thread)
        op.detach()
        erase(op)


def _recover_inductions(
    linear: SSAValue,
    inductions: Sequence[SSAValue],
    counts: Sequence[int],
    starts: Sequence[int | None],
    strides: Sequence[int | None],
    outside: _Emitter,
    inside: _Emitter,
) -> None:
    """Replaces each induction variable by its value at the row-major index `linear`.

    Constants go to `outside` the loop, the rest to the start of its body (`inside`).
    """
    rest = linear
    for dimension in reversed(range(len(counts))):
        count = counts[dimension]
        if dimension == 0:
            position = rest
        elif count == 1:
            position = outside.constant(0)
        else:
            divisor = outside.constant(count)
            position = inside.binary(arith.RemUIOp, rest, divisor)
            rest = inside.binary(arith.DivUIOp, rest, divisor)
        start, stride = starts[dimension], strides[dimension]
        assert start is not None and stride is not None
        if stride != 1:
            position = inside.binary(arith.MuliOp, position, outside.constant(stride), True)
        if start != 0:
            position = inside.binary(arith.AddiOp, position, outside.constant(start), True)
        replace_uses(inductions[dimension], position)


def _find(
    function: func.FuncOp,
) -> tuple[list[scf.ParallelOp], list[scf.ParallelOp], list[Operation]]:
    """The outermost parallel loops, the nested ones, and the `xrt.thread_id` outside of both."""
    outermost: list[scf.ParallelOp] = []
    nested: list[scf.ParallelOp] = []
    thread_ids: list[Operation] = []

    def visit(region: Region, parallel: bool) -> None:
        for block in region.blocks:
            for op in ops_of(block):
                if type(op) is scf.ParallelOp:
                    if op.initVals:
                        raise UnsupportedError(
                            f"{op.name} with reductions of types "
                            f"{', '.join(map(str, op.result_types))}: only parallel loops "
                            "without results are lowered",
                            op,
                        )
                    (nested if parallel else outermost).append(op)
                    visit(op.body, True)
                    continue
                if type(op) is xrt.ThreadIdOp:
                    thread_ids.append(op)
                for inner in op.regions:
                    visit(inner, parallel)

    visit(function.body, False)
    return outermost, nested, thread_ids


@dataclass(frozen=True)
class LoopsOutlineParallelPass(ModulePass):
    """See the module docstring. `threads`: how many threads will run the program."""

    name = "loops-outline-parallel"

    threads: int = 1

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        functions = [function for function in op.ops if isinstance(function, func.FuncOp)]
        names = {function.sym_name.data for function in functions}
        for function in functions:
            self._convert_function(function, names)

    def _convert_function(self, function: func.FuncOp, names: set[str]) -> None:
        outermost, nested, thread_ids = _find(function)
        for loop in reversed(nested):
            _to_sequential(loop)
        for loop in outermost:
            counts = [count for count in trip_counts(loop) if count is not None]
            if self.threads > 1 and len(counts) == len(loop.step) and prod(counts) > 1:
                _outline(loop, counts, _unique_name(function.sym_name.data, names), function)
            else:
                _to_sequential(loop)
        _replace_thread_ids(function, [op for op in thread_ids if op.parent is not None])


def _unique_name(function_name: str, names: set[str]) -> str:
    base = name = f"{function_name}_parallel"
    number = 0
    while name in names:
        number += 1
        name = f"{base}_{number}"
    names.add(name)
    return name


def _replace_thread_ids(function: func.FuncOp, thread_ids: Sequence[Operation]) -> None:
    """Code outside of parallel loops runs as thread 0."""
    entry = function.body.first_block
    if not thread_ids or entry is None:
        return
    first = entry.first_op
    assert first is not None
    zero = _Emitter(first).constant(0)
    for op in thread_ids:
        replace_uses(op.results[0], zero)
        op.detach()
        op.erase()
