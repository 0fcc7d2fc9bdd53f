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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, i8
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating, xrt
from ...dialects.editing import erase, insert_before, new_op, replace_uses, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import function_type, i32_array, i64_attribute, memref_type
from ...dialects.xrt_names import ENTRY, THREAD_SCRATCH_BYTES, THREADS
from ...ir import structured
from ...ir.function_passes import Function, FunctionPass
from ...ir.index_ops import index_constant, index_op
from ...ir.loops import outermost_around
from ...ir.views import VIEWS
from .arena_placement import ALIGNMENT, LiveRange, place, round_up

PRIVATE_ALIGNMENT = 128
"""Slices of different threads keep two lines apart: adjacent-line prefetch shares pairs."""

_NEED_MEMORY: frozenset[type[Operation]] = frozenset({memref.AllocOp, func.CallOp})


class _Scratch(NamedTuple):
    """The memory that a function takes from its callers, and how much of it each thread has for itself."""

    size: int
    slice_bytes: int


def _bytes(value: SSAValue) -> int:
    return prod(structured.shape_of(value)) * element_bytes(structured.element_type(value))


def _replace(op: memref.AllocOp, new: memref.ViewOp | memref.AllocaOp) -> None:
    """Puts `new` in the place of the allocation `op`."""
    new.location = op.location
    insert_before(new, op)
    replace_uses(op.memref, new.results[0])
    erase(op)


def _allocate(call: func.CallOp, scratch: _Scratch) -> memref.AllocOp:
    """Allocates what `call` passes as `scratch`."""
    buffer = new_op(memref.AllocOp, (), (memref_type(i8, scratch.size),), {"operandSegmentSizes": i32_array(0, 0)})
    insert_before(buffer, call)
    call.operands = [*call.operands, buffer.memref]
    return buffer


def _assign(function: func.FuncOp, scratch: Mapping[str, _Scratch], threads: int, model: CostModel) -> _Scratch | None:
    """Makes views of a new argument of what `function` allocates, and of the `scratch` of those that it calls. None if
    there is nothing.
    """
    is_entry = ENTRY in function.attributes
    locating.at(function)
    ops = list(walk(function))
    own: dict[memref.AllocOp, Operation] = {}
    passed: dict[memref.AllocOp, Operation] = {}
    for op in [op for op in ops if type(op) in _NEED_MEMORY]:
        if isinstance(op, func.CallOp):
            if (needed := scratch.get(op.callee.string_value())) is not None:
                passed[_allocate(op, needed)] = op
            continue
        assert isinstance(op, memref.AllocOp)
        if op.memref.first_use is None:
            erase(op)
        elif is_entry and _bytes(op.memref) <= model.memory.scalar_bytes:
            _replace(op, new_op(memref.AllocaOp, (), (op.memref.type,), op.properties))
        else:
            own[op] = op
    if not own and not passed:
        return None
    shared: dict[memref.AllocOp, LiveRange] = {}
    private: dict[affine.ParallelOp, list[memref.AllocOp]] = {}
    numbers = {op: number for number, op in enumerate(ops)}
    for op, first in (*own.items(), *passed.items()):
        if (loop := outermost_around(op, affine.ParallelOp)) is None:
            shared[op] = live_range(op.memref, numbers[first], numbers)
        else:
            private.setdefault(loop, []).append(op)
    shared_bytes = round_up(place(list(shared.values())), ALIGNMENT if is_entry else PRIVATE_ALIGNMENT)
    slices = {
        loop: round_up(sum(round_up(_bytes(op.memref), ALIGNMENT) for op in ops), PRIVATE_ALIGNMENT)
        for loop, ops in private.items()
    }
    slice_bytes = max(slices.values(), default=0)
    size = shared_bytes + threads * slice_bytes
    block = function.body.block
    memory = block.insert_arg(memref_type(i8, size), len(block.args))
    memory.name_hint = "arena" if is_entry else "scratch"
    function.properties["function_type"] = function_type(tuple(block.arg_types), tuple(function.function_type.outputs))
    for op, live in shared.items():
        _view(memory, index_constant(live.offset, cast(Operation, block.first_op)), op)
    for loop, ops in private.items():
        _take_slice(loop, ops, memory, shared_bytes, slices[loop])
    return _Scratch(size, slice_bytes)


def _view(memory: SSAValue, offset: SSAValue, op: memref.AllocOp) -> None:
    """Replaces the allocation `op` by a view of `memory` at `offset`."""
    _replace(op, new_op(memref.ViewOp, (memory, offset), (op.memref.type,)))


def _take_slice(
    loop: affine.ParallelOp, ops: list[memref.AllocOp], memory: SSAValue, base: int, slice_bytes: int
) -> None:
    """Replaces the allocations `ops` in `loop` by views of the part of `memory` that the thread has behind `base`."""
    anchor = cast(Operation, loop.body.block.first_op)
    thread = index_op(xrt.ThreadIdOp, (), anchor)
    start = index_op(arith.MuliOp, (thread, index_constant(slice_bytes, anchor)), anchor)
    offsets: list[SSAValue] = []
    for op in ops:
        offsets.append(index_op(arith.AddiOp, (start, index_constant(base, anchor)), anchor))
        base += round_up(_bytes(op.memref), ALIGNMENT)
    for op, offset in zip(ops, offsets, strict=True):
        _view(memory, offset, op)


def _last_number(op: Operation, numbers: Mapping[Operation, int]) -> int:
    """The number of the last op in `op`."""
    for region in reversed(op.regions):
        if region.last_block is not None and region.last_block.last_op is not None:
            return _last_number(region.last_block.last_op, numbers)
    return numbers[op]


def live_range(value: SSAValue, start: int, numbers: Mapping[Operation, int]) -> LiveRange:
    """From number `start`, the definition of `value`, to its last reader; a reader in a loop the value is defined
    outside of keeps it alive to the end of that loop. A loop that carries a pointer to it may give it back as any
    result.
    """
    block = cast(Operation, value.owner).parent
    end = start
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            op: Operation | None = use.operation
            while op is not None and op.parent is not block:
                op = op.parent_op()
            if op is not None:
                end = max(end, _last_number(op, numbers))
            if type(use.operation) in VIEWS:
                pending.extend(use.operation.results)
            elif isinstance(use.operation, scf.WhileOp):
                pending.extend(r for r in use.operation.results if isinstance(r.type, MemRefType))
    return LiveRange(_bytes(value), start, end)


@dataclass(frozen=True)
class MemrefAssignArenaPass(FunctionPass):
    """See the module's docstring."""

    name = "memref-assign-arena"

    threads: int = 1

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        model, threads = cost_model_of(ctx), max(1, self.threads)
        scratch: dict[str, _Scratch] = {}
        for function in functions:
            if isinstance(function, func.FuncOp) and function.body.first_block is not None:
                needed = _assign(function, scratch, threads, model)
                slice_bytes = max((of_kernel.slice_bytes for of_kernel in scratch.values()), default=0)
                if ENTRY not in function.attributes:
                    scratch |= {function.sym_name.data: needed} if needed else {}
                elif slice_bytes:
                    function.attributes[THREAD_SCRATCH_BYTES] = i64_attribute(slice_bytes)
                    function.attributes[THREADS] = i64_attribute(threads)
            yield function
