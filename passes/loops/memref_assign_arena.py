"""`memref-assign-arena`: every `memref.alloc` becomes a view into one arena whose size is known.

Needs level 5: kernels in loops, no tensors; entry functions carry `xrt.entry`. Leaves no allocation but those of
single elements in an entry function, which become `memref.alloca`: LLVM finds registers for them. A kernel with
allocations takes one more argument, its scratch: first the buffers all threads share, then one slice per thread for
the buffers allocated inside an `affine.parallel`. A kernel that calls others, which stand in front of it, has theirs
in its own. An entry function takes the arena as its last argument; its own
buffers and the scratch of the kernels it calls are placed by live range.

    func.func @main(%x, %y) { %t = memref.alloc() : memref<256xf32>; func.call @k(%x, %t); func.call @l(%t, %y) }
to
    func.func @main(%x, %y, %arena: memref<1024xi8>) { %t = memref.view %arena[%c0][] ... }

How much of the arena is such slices, per thread and at most at any time, is the entry's attribute
`xrt.thread_scratch_bytes`, and for how many threads there are slices its `xrt.threads`, if there are any.

`arena_placement.py` finds the offsets. Option `threads`: the number of slices per kernel.

Not a pattern pass: offsets follow from the live ranges of a whole program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import FunctionType, IndexType, MemRefType, ModuleOp, i8
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import xrt
from ...dialects.editing import erase, insert_before, new_op, ops_of, replace_uses, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import i32_array, i64_attribute, index_attribute, memref_type
from ...dialects.xrt_names import ENTRY, THREAD_SCRATCH_BYTES, THREADS
from ...ir import structured
from ...ir.views import VIEWS
from .arena_placement import ALIGNMENT, LiveRange, place, round_up

PRIVATE_ALIGNMENT = 128
"""Slices of different threads keep two lines apart: adjacent-line prefetch shares pairs."""


def _bytes(value: SSAValue) -> int:
    return prod(structured.shape_of(value)) * element_bytes(structured.element_type(value))


def _view(scratch: SSAValue, offset: SSAValue, op: memref.AllocOp) -> None:
    """Replaces the allocation `op` by a view of `scratch` at `offset`."""
    view = new_op(memref.ViewOp, operands=[scratch, offset], result_types=[op.memref.type])
    view.result.name_hint = op.memref.name_hint
    assert op.parent is not None
    insert_before(view, op)
    replace_uses(op.memref, view.result)
    erase(op)


def _constant(value: int) -> arith.ConstantOp:
    return arith.ConstantOp(index_attribute(value))


def _constant_at_top(function: func.FuncOp, value: int) -> SSAValue:
    """An index constant that is available everywhere in `function`."""
    op = _constant(value)
    block = function.body.block
    assert block.first_op is not None
    insert_before(op, block.first_op)
    return op.result


def _add_argument(function: func.FuncOp, size: int) -> SSAValue:
    block = function.body.block
    argument = block.insert_arg(memref_type(i8, size), len(block.args))
    function.properties["function_type"] = FunctionType.from_lists(
        list(block.arg_types), list(function.function_type.outputs)
    )
    return argument


def _allocations(
    op: Operation, parallel: affine.ParallelOp | None = None
) -> Iterator[tuple[memref.AllocOp, affine.ParallelOp | None]]:
    """The allocations inside `op`, each with the outermost parallel loop around it."""
    for region in op.regions:
        for block in region.blocks:
            for inner in ops_of(block):
                if type(inner) is memref.AllocOp:
                    yield inner, parallel
                elif inner.regions:
                    around = inner if parallel is None and type(inner) is affine.ParallelOp else parallel
                    yield from _allocations(inner, around)


class _Kernel:
    """Scratch of one kernel function."""

    def __init__(self, function: func.FuncOp, threads: int):
        self.function = function
        self.threads = threads
        self.scratch_bytes: int | None = None
        """None of a kernel that takes no scratch; 0 if all its buffers are empty."""
        self.slice_bytes = 0
        """How much of the scratch each thread has for itself."""

    def run(self, scratch_of: Mapping[str, int]) -> None:
        """`scratch_of`: that of the kernels so far, which this one may call."""
        self._provide(scratch_of)
        shared: list[memref.AllocOp] = []
        private: dict[affine.ParallelOp, list[memref.AllocOp]] = {}
        for op, parallel in list(_allocations(self.function)):
            if op.memref.first_use is None:
                erase(op)
            elif parallel is None:
                shared.append(op)
            else:
                private.setdefault(parallel, []).append(op)
        if not shared and not private:
            return
        numbers = number_ops(self.function)
        ranges = [live_range(op.memref, numbers, _bytes(op.memref)) for op in shared]
        shared_bytes = round_up(place(ranges), PRIVATE_ALIGNMENT)
        slices = {
            loop: round_up(sum(round_up(_bytes(op.memref), ALIGNMENT) for op in ops), PRIVATE_ALIGNMENT)
            for loop, ops in private.items()
        }
        self.slice_bytes = max(slices.values(), default=0)
        self.scratch_bytes = shared_bytes + self.threads * self.slice_bytes
        scratch = _add_argument(self.function, self.scratch_bytes)
        scratch.name_hint = "scratch"
        for op, live in zip(shared, ranges, strict=True):
            _view(scratch, _constant_at_top(self.function, live.offset), op)
        for loop, ops in private.items():
            self._private(loop, ops, scratch, shared_bytes, slices[loop])

    def _provide(self, scratch_of: Mapping[str, int]) -> None:
        """Allocates the scratch of the kernels that this one calls."""
        for op in list(walk(self.function)):
            if type(op) is func.CallOp and (size := scratch_of.get(op.callee.string_value())) is not None:
                properties: dict[str, Attribute] = {"operandSegmentSizes": i32_array(0, 0)}
                buffer = new_op(memref.AllocOp, result_types=[memref_type(i8, size)], properties=properties)
                insert_before(buffer, op)
                op.operands = [*op.operands, buffer.memref]

    @staticmethod
    def _private(
        loop: affine.ParallelOp,
        ops: list[memref.AllocOp],
        scratch: SSAValue,
        base: int,
        slice_bytes: int,
    ) -> None:
        thread = new_op(xrt.ThreadIdOp, result_types=[IndexType()])
        block = loop.body.block
        offset = base
        new: list[Operation] = [thread]
        size = _constant(slice_bytes)
        start = arith.MuliOp(thread.results[0], size.result)
        new.extend((size, start))
        for op in ops:
            constant = _constant(offset)
            total = arith.AddiOp(start.result, constant.result)
            new.extend((constant, total))
            offset += round_up(_bytes(op.memref), ALIGNMENT)
            _view(scratch, total.result, op)
        assert block.first_op is not None
        block.insert_ops_before(new, block.first_op)


def number_ops(function: func.FuncOp) -> dict[Operation, tuple[int, int]]:
    """For every op its number in program order, and the number of the last op inside it."""
    numbers: dict[Operation, tuple[int, int]] = {}
    count = 0

    def visit(block: Block) -> None:
        nonlocal count
        for op in ops_of(block):
            start = count
            count += 1
            for region in op.regions:
                for inner in region.blocks:
                    visit(inner)
            numbers[op] = (start, count - 1)

    visit(function.body.block)
    return numbers


def live_range(value: SSAValue, numbers: dict[Operation, tuple[int, int]], size: int) -> LiveRange:
    """From the definition of `value` to its last reader; a reader in a loop the value is defined outside of
    keeps it alive to the end of that loop. A loop that carries a pointer to it may give it back as any result."""
    owner = value.owner
    assert isinstance(owner, Operation)
    block = owner.parent
    end = numbers[owner][1]
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            op: Operation | None = use.operation
            while op is not None and op.parent is not block:
                op = op.parent_op()
            if op is not None:
                end = max(end, numbers[op][1])
            if type(use.operation) in VIEWS:
                pending.extend(use.operation.results)
            elif isinstance(use.operation, scf.WhileOp):
                pending.extend(r for r in use.operation.results if isinstance(r.type, MemRefType))
    return LiveRange(size, numbers[owner][0], end)


def _to_stack(op: memref.AllocOp) -> None:
    """Replaces the allocation `op` by one on the stack."""
    local = memref.AllocaOp.create(result_types=[op.memref.type], properties=op.properties)
    local.memref.name_hint = op.memref.name_hint
    insert_before(local, op)
    replace_uses(op.memref, local.memref)
    erase(op)


def _assign_entry(function: func.FuncOp, scratch: dict[str, int], model: CostModel) -> None:
    """Places the buffers of an entry function and the scratch of the kernels it calls."""
    for op in list(walk(function.body)):
        if isinstance(op, memref.AllocOp) and _bytes(op.memref) <= model.memory.scalar_bytes:
            _to_stack(op)
    numbers = number_ops(function)
    ranges: list[LiveRange] = []
    buffers: list[tuple[memref.AllocOp, LiveRange]] = []
    calls: list[tuple[func.CallOp, LiveRange]] = []
    for op, (number, _) in numbers.items():
        if isinstance(op, memref.AllocOp):
            live = live_range(op.memref, numbers, _bytes(op.memref))
            buffers.append((op, live))
            ranges.append(live)
        elif isinstance(op, func.CallOp) and op.callee.string_value() in scratch:
            live = LiveRange(scratch[op.callee.string_value()], number, number)
            calls.append((op, live))
            ranges.append(live)
    if not ranges:
        return
    arena = _add_argument(function, place(ranges))
    arena.name_hint = "arena"
    for op, live in buffers:
        _view(arena, _constant_at_top(function, live.offset), op)
    for call, live in calls:
        offset = _constant_at_top(function, live.offset)
        view = new_op(memref.ViewOp, operands=[arena, offset], result_types=[memref_type(i8, live.size)])
        assert call.parent is not None
        insert_before(view, call)
        call.operands = [*call.operands, view.result]


@dataclass(frozen=True)
class MemrefAssignArenaPass(ModulePass):
    """See the module's docstring."""

    name = "memref-assign-arena"

    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks]
        scratch: dict[str, int] = {}
        slice_bytes = 0
        for function in functions:
            if ENTRY not in function.attributes:
                kernel = _Kernel(function, max(1, self.threads))
                kernel.run(scratch)
                if kernel.scratch_bytes is not None:
                    scratch[function.sym_name.data] = kernel.scratch_bytes
                slice_bytes = max(slice_bytes, kernel.slice_bytes)
        for function in functions:
            if ENTRY in function.attributes:
                _assign_entry(function, scratch, model)
                if slice_bytes:
                    function.attributes[THREAD_SCRATCH_BYTES] = i64_attribute(slice_bytes)
                    function.attributes[THREADS] = i64_attribute(max(1, self.threads))
