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

    func.func private @f_parallel(%a: memref<8x4xf32>, %x: f32,
                                  %lo: index, %hi: index, %thread: index) {
      scf.for %n = %lo to %hi step %c1 {
        %i = arith.divui %n, %c4
        %j = arith.remui %n, %c4
        memref.store %x, %a[%i, %j]
      }
    }
    func.func private @f(%a: memref<8x4xf32>) {
      xrt.parallel @f_parallel(%a, %x) range 32 : memref<8x4xf32>, f32

Captures are the values used inside and defined outside, in order of first use; constants are cloned
instead. The idea is that of the outlined regions of OpenMP compilers.

Not a pattern pass: the functions made depend on which loops are outermost and need names that are free in the module.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import locating, xrt
from ...dialects.editing import append, clone, erase, insert_before, new_block, new_op, ops_of, replace_uses, walk
from ...dialects.shared_attributes import INDEX, index_attribute, symbol
from ...dialects.xrt_names import INLINE_COPIES
from ...errors import UnsupportedError
from ...ir.function_passes import Function, FunctionPass, names_of
from ...ir.functions import private_function
from ...ir.index_ops import NO_WRAP, index_constant, index_op
from ...ir.loops import outermost_around, ranges_of, trip_counts


def _take_body(loop: scf.ParallelOp) -> Block:
    """The body of `loop`, which has none any more, ended as that of a sequential loop."""
    body = loop.body.block
    loop.body.detach_block(body)
    erase(cast(Operation, body.last_op))
    append(body, new_op(scf.YieldOp))
    return body


def _to_sequential(loop: scf.ParallelOp) -> None:
    """Replaces `loop` by a nest of `scf.for` around its body."""
    locating.at(loop)
    bounds = list(zip(loop.lowerBound, loop.upperBound, loop.step, strict=True))
    body = block = _take_body(loop)
    for number in reversed(range(len(bounds))):
        attributes = {} if number else loop.attributes
        nest = new_op(scf.ForOp, bounds[number], attributes=attributes, location=loop.location, regions=[Region(block)])
        if number:
            counter, block = body.args[number - 1], new_block([INDEX])
            block.args[0].name_hint = counter.name_hint
            replace_uses(counter, block.args[0])
            body.erase_arg(counter)
            append(block, nest)
            append(block, new_op(scf.YieldOp))
        else:
            insert_before(nest, loop)
    erase(loop)


class _Outlined:
    """The function that the body of a loop moves to. Its arguments are what the body uses from outside, in order of
    first use, a range of iterations and a thread.
    """

    def __init__(self) -> None:
        self.entry = Block(arg_types=[INDEX] * 3)
        for argument, hint in zip(self.entry.args, ("lo", "hi", "thread"), strict=True):
            argument.name_hint = hint
        self.captured: list[SSAValue] = []
        self.constants: list[Operation] = []
        """Copies of those outside, which are no arguments."""
        self._inside: set[SSAValue] = set(self.entry.args)
        self._stand_ins: dict[SSAValue, SSAValue] = {}

    def adopt(self, block: Block) -> None:
        """Makes the ops in `block` use what the function has."""
        inside = self._inside
        inside.update(block.args)
        for op in ops_of(block):
            for operand in op._operands:
                if operand not in inside:
                    op.operands = [value if value in inside else self._stand_in(value) for value in op._operands]
                    break
            for region in op.regions:
                for inner in region.blocks:
                    self.adopt(inner)
            inside.update(op.results)
            if type(op) is xrt.ThreadIdOp:
                replace_uses(op.results[0], self.entry.args[-1])
                erase(op)

    def _stand_in(self, value: SSAValue) -> SSAValue:
        known = self._stand_ins.get(value)
        if known is None:
            if isinstance(value.owner, arith.ConstantOp):
                self.constants.append(clone(value.owner))
                known = self.constants[-1].results[0]
            else:
                known = self.entry.insert_arg(value.type, len(self.captured))
                known.name_hint = value.name_hint
                self.captured.append(value)
            self._stand_ins[value] = known
        return known


def _outline(loop: scf.ParallelOp, counts: Sequence[int], name: str, function: func.FuncOp) -> func.FuncOp:
    """Moves `loop` into the new function `name` in front of `function`, and calls that."""
    locating.at(loop)
    ranges, body, outlined = ranges_of(loop), _take_body(loop), _Outlined()
    outlined.adopt(body)
    entry = outlined.entry
    op = private_function(
        name, entry, {key: value for key, value in function.attributes.items() if key == INLINE_COPIES}
    )
    op.location = loop.location
    insert_before(op, function)
    properties: dict[str, Attribute] = {"callee": symbol(name), "trip_count": index_attribute(prod(counts))}
    insert_before(new_op(xrt.ParallelOp, outlined.captured, (), properties, location=loop.location), loop)
    erase(loop)

    end = cast(Operation, entry.last_op)
    bounds = (*entry.args[-3:-1], index_constant(1, end))
    linear = body.insert_arg(INDEX, 0)
    sequential = new_op(scf.ForOp, bounds, regions=[Region(body)])
    insert_before(sequential, end)
    _recover_counters(linear, body.args[1:], list(zip(ranges, counts, strict=True)), sequential)
    for constant in outlined.constants:
        insert_before(constant, sequential)
    return op


def _recover_counters(
    linear: SSAValue, counters: Sequence[BlockArgument], values: Sequence[tuple[range | None, int]], outside: scf.ForOp
) -> None:
    """Replaces each of `counters` by its one of `values`, which are so many, at the row-major index `linear`.

    Constants go in front of the loop `outside`, the rest to the start of its body.
    """
    rest, body = linear, outside.body.block
    inside = cast(Operation, body.first_op)
    for counter, (taken, count) in reversed(list(zip(counters, values, strict=True))):
        assert taken is not None
        position = rest
        if counter is not counters[0]:
            divisor = index_constant(count if count > 1 else 0, outside)
            position = divisor
            if count > 1:
                position = index_op(arith.RemUIOp, (rest, divisor), inside)
                rest = index_op(arith.DivUIOp, (rest, divisor), inside)
        if taken.step != 1:
            position = index_op(arith.MuliOp, (position, index_constant(taken.step, outside)), inside, NO_WRAP)
        if taken.start:
            position = index_op(arith.AddiOp, (position, index_constant(taken.start, outside)), inside, NO_WRAP)
        replace_uses(counter, position)
        body.erase_arg(counter)


@dataclass(frozen=True)
class LoopsOutlineParallelPass(FunctionPass):
    """See the module docstring. `threads`: how many threads will run the program."""

    name = "loops-outline-parallel"

    threads: int = 1

    def through(self, ctx: Context, module: builtin.ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        return self._converted(functions, names_of(module))

    def _converted(self, functions: Iterable[Function], names: set[str]) -> Iterator[Function]:
        for function in functions:
            if isinstance(function, func.FuncOp):
                yield from self._convert_function(function, names)
            yield function

    def _convert_function(self, function: func.FuncOp, names: set[str]) -> Sequence[func.FuncOp]:
        """The new functions, which now stand in front of `function`."""
        found = [op for op in walk(function) if type(op) is scf.ParallelOp or type(op) is xrt.ThreadIdOp]
        loops = [op for op in found if isinstance(op, scf.ParallelOp)]
        for loop in loops:
            if loop.initVals:
                types = ", ".join(map(str, loop.result_types))
                raise UnsupportedError(
                    f"{loop.name} with reductions of types {types}: only parallel loops without results are lowered",
                    loop,
                )
        nested = [loop for loop in loops if outermost_around(loop, scf.ParallelOp)]
        locating.at(function)
        for loop in reversed(nested):
            _to_sequential(loop)
        outlined: list[func.FuncOp] = []
        for loop in loops:
            if loop in nested:
                continue
            counts = [count for count in trip_counts(loop) if count is not None]
            if self.threads > 1 and len(counts) == len(loop.step) and prod(counts) > 1:
                outlined.append(_outline(loop, counts, _unique_name(function.sym_name.data, names), function))
            else:
                _to_sequential(loop)
        thread_ids = [op for op in found if isinstance(op, xrt.ThreadIdOp) and op.parent is not None]
        if thread_ids:
            # Code outside of parallel loops runs as thread 0.
            zero = index_constant(0, cast(Operation, function.body.block.first_op))
            for op in thread_ids:
                replace_uses(op.results[0], zero)
                erase(op)
        return outlined


def _unique_name(function_name: str, names: set[str]) -> str:
    base = name = f"{function_name}_parallel"
    number = 0
    while name in names:
        number += 1
        name = f"{base}_{number}"
    names.add(name)
    return name
