"""`xrt` to `llvm`: parallel loops on the OpenMP runtime the context offers, and calls of registered targets.

A call site stores the context and the captures in a frame on its stack and calls `@xrt.fork`, which
every parallel loop of the module shares. A loop has one function of its own, its task: it runs one of `parts` parts.

```
task(frame, part, parts, thread):  body(captures..., part*n/parts, (part+1)*n/parts, thread)
xrt.fork(frame, task):             one thread or no GOMP_parallel: task(frame, 0, 1, 0)
                                   else GOMP_parallel(xrt.thread, {frame, task, taken}, threads, 0)
xrt.thread({frame, task, taken}):  t = omp_get_thread_num(); count = omp_get_num_threads()
                                   for owner in t, t + 1, ... t + count - 1 (modulo count):
                                     while (k = taken[owner]++) < 4:  task(frame, 4*owner + k, 4*count, t)
```

Every thread owns four parts side by side, so that successive loops find their data in its cache; who is done with
these takes what is left of the others' (work stealing, as in Blumofe and Leiserson, "Scheduling multithreaded
computations by work stealing", 1999). Without it a thread that loses its CPU for a while, to another program or another
guest of the machine, holds up everybody.

The frame starts with the context. A call target is a function pointer in a table of the context; what it gets is
described in `context_layout`. The idea of outlined bodies that fetch captures from a struct is
that of GCC's and Clang's OpenMP lowering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...cost_model import PARTS_PER_THREAD
from ...dialects import xrt
from ...dialects.llvm_extras import AtomicRMWOp
from ...dialects.shared_attributes import i32_array, i64_attribute
from . import context_layout as slots
from .arith import Handler
from .builder import NO_SIGNED_WRAP, PREDICATES, FunctionLowering
from .func import function
from .module_tables import CallTarget
from .types import POINTER, VOID, storage

if TYPE_CHECKING:
    from .convert_to_llvm import ModuleLowering

FORK = "xrt.fork"
THREAD = "xrt.thread"
FRAME_ALIGNMENT = 64

COUNTER_STRIDE = 8
"""Distance of the counters of two threads, in numbers of 8 bytes: a cache line."""

ATOMIC_ADD = {"bin_op": i64_attribute(1), "ordering": i64_attribute(2), "alignment": i64_attribute(8)}


def parallel(op: xrt.ParallelOp, f: FunctionLowering) -> None:
    assert f.context is not None
    fields = [f.context, *(f.values[operand] for operand in op.operands)]
    frame_type = _struct(fields)
    frame = f.alloca(frame_type, 1, FRAME_ALIGNMENT)
    _store_fields(f, frame, frame_type, fields)
    task = f.module.task(op.callee.string_value(), op.trip_count.value.data, frame_type)
    f.call(FORK, (frame, f.address_of_symbol(task)))


def thread_id(op: xrt.ThreadIdOp, f: FunctionLowering) -> None:
    if f.thread is None and f.name in f.module.called_in_parallel:
        raise f.unsupported(op, "called by a parallel loop, but not told its thread")
    f.values[op.thread] = f.integer(0) if f.thread is None else f.thread


def call_target(op: xrt.CallTargetOp, f: FunctionLowering) -> None:
    table = f.context_slot(slots.CALL_TARGETS, POINTER)
    target = CallTarget(op.target.data, op.signature, op.options)
    index = f.module.call_targets.setdefault(target, len(f.module.call_targets))
    function = f.load(f.element_pointer(table, f.integer(index), i64), POINTER, 8)
    inputs, outputs = ([f.values[value] for value in group] for group in (op.inputs, op.outputs))
    out = outputs[0] if len(outputs) == 1 else _pointer_array(f, outputs)
    f.call(None, (function, out, _pointer_array(f, inputs)))


def has_failed(op: xrt.HasFailedOp, f: FunctionLowering) -> None:
    flag = f.load(f.context_slot(slots.FAILED, POINTER), i64, 8)
    f.values[op.failed] = f.emit(llvm.ICmpOp, (flag, f.integer(0)), i1, PREDICATES["ne"])


def _pointer_array(f: FunctionLowering, pointers: Sequence[SSAValue]) -> SSAValue:
    array = f.alloca(POINTER, max(1, len(pointers)), 8)
    for index, pointer in enumerate(pointers):
        f.store(pointer, f.element_pointer(array, f.integer(index), i64), 8)
    return array


def task_function(
    module: ModuleLowering, name: str, body: str, trip_count: int, frame_type: llvm.LLVMStructType
) -> llvm.FuncOp:
    """`(frame, part, parts, thread)`: calls the loop body for one of `parts` parts."""
    block = Block(arg_types=[POINTER, i64, i64, i64])
    f = FunctionLowering(module, name, block)
    frame, part, parts, thread = block.args
    context, *captures = _load_fields(f, frame, frame_type)
    total = f.integer(trip_count)
    next_part = f.emit(llvm.AddOp, (part, f.integer(1)), i64, NO_SIGNED_WRAP)
    bounds: list[SSAValue] = []
    for number in (part, next_part):
        scaled = f.emit(llvm.MulOp, (number, total), i64, NO_SIGNED_WRAP)
        bounds.append(f.emit(llvm.UDivOp, (scaled, parts), i64, {}))
    operands = [*captures, *bounds, thread]
    if body in module.needs_context:
        operands.append(context)
    f.call(body, operands)
    f.append(llvm.ReturnOp)
    f.finish()
    return function(name, [POINTER, i64, i64, i64], VOID, Region(block))


def fork_function(module: ModuleLowering) -> llvm.FuncOp:
    """`(frame, task)`: runs the task on one thread or on all."""
    entry = Block(arg_types=[POINTER, POINTER])
    serial, check, fork, start = Block(), Block(), Block(), Block()
    clear = Block(arg_types=[i64])
    f = FunctionLowering(module, FORK, entry)
    frame, task = entry.args
    f.context = f.load(frame, POINTER, 8)
    threads = f.load(_slot(f, f.context, slots.THREADS), i64, 8)
    one_thread = f.emit(llvm.ICmpOp, (threads, f.integer(1)), i1, PREDICATES["sle"])
    two_ways = {"operandSegmentSizes": i32_array(1, 0, 0)}
    f.append(llvm.CondBrOp, [one_thread], two_ways, [serial, check])

    f.start_block(serial)
    f.call(None, (task, frame, f.integer(0), f.integer(1), f.integer(0)))
    f.append(llvm.ReturnOp)

    f.start_block(check)
    gomp_parallel = f.load(_slot(f, f.context, slots.GOMP_PARALLEL), POINTER, 8)
    address = f.emit(llvm.PtrToIntOp, (gomp_parallel,), i64, {})
    absent = f.emit(llvm.ICmpOp, (address, f.integer(0)), i1, PREDICATES["eq"])
    f.append(llvm.CondBrOp, [absent], two_ways, [serial, fork])

    f.start_block(fork)
    counters = f.emit(llvm.MulOp, (threads, f.integer(COUNTER_STRIDE)), i64, NO_SIGNED_WRAP)
    memory: dict[str, Attribute] = {"elem_type": i64, "alignment": i64_attribute(FRAME_ALIGNMENT)}
    taken = f.emit(llvm.AllocaOp, (counters,), POINTER, memory)
    first = f.integer(0)
    f.append(llvm.BrOp, [first], {}, [clear])

    f.start_block(clear)
    (number,) = clear.args
    f.store(f.integer(0), _counter(f, taken, number), 8)
    following = f.emit(llvm.AddOp, (number, f.integer(1)), i64, NO_SIGNED_WRAP)
    more = f.emit(llvm.ICmpOp, (following, threads), i1, PREDICATES["slt"])
    f.append(llvm.CondBrOp, [more, following], {"operandSegmentSizes": i32_array(1, 1, 0)}, [clear, start])

    f.start_block(start)
    fields = [frame, task, taken]
    record_type = _struct(fields)
    record = f.alloca(record_type, 1, FRAME_ALIGNMENT)
    _store_fields(f, record, record_type, fields)
    count = f.emit(llvm.TruncOp, (threads,), i32, {})
    thread_main = f.address_of_symbol(THREAD)
    f.call(None, (gomp_parallel, thread_main, record, count, f.integer(0, i32)))
    f.append(llvm.ReturnOp)
    f.finish()
    return function(FORK, [POINTER, POINTER], VOID, Region([entry, check, fork, clear, start, serial]))


def thread_function(module: ModuleLowering) -> llvm.FuncOp:
    """`(record)`: what each thread of a parallel region runs."""
    entry = Block(arg_types=[POINTER])
    visit, choose, take, run, leave, end = Block(arg_types=[i64]), Block(), Block(), Block(), Block(), Block()
    f = FunctionLowering(module, THREAD, entry)
    frame, task, taken = _load_fields(f, entry.args[0], _struct_of(POINTER, POINTER, POINTER))
    context = f.load(frame, POINTER, 8)
    numbers: list[SSAValue] = []
    for slot in (slots.OMP_GET_THREAD_NUM, slots.OMP_GET_NUM_THREADS):
        query = f.load(_slot(f, context, slot), POINTER, 8)
        (number,) = f.call(None, (query,), (i32,))
        numbers.append(f.emit(llvm.ZExtOp, (number,), i64, {}))
    thread, count = numbers
    owned = f.integer(PARTS_PER_THREAD)
    parts = f.emit(llvm.MulOp, (count, owned), i64, NO_SIGNED_WRAP)
    f.append(llvm.BrOp, [f.integer(0)], {}, [visit])

    f.start_block(visit)
    (distance,) = visit.args
    visiting = f.emit(llvm.ICmpOp, (distance, count), i1, PREDICATES["slt"])
    two_ways = {"operandSegmentSizes": i32_array(1, 0, 0)}
    f.append(llvm.CondBrOp, [visiting], two_ways, [choose, end])

    f.start_block(choose)
    place = f.emit(llvm.AddOp, (thread, distance), i64, NO_SIGNED_WRAP)
    owner = f.emit(llvm.URemOp, (place, count), i64, {})
    first = f.emit(llvm.MulOp, (owner, owned), i64, NO_SIGNED_WRAP)
    counter = _counter(f, taken, owner)
    f.append(llvm.BrOp, [], {}, [take])

    f.start_block(take)
    number = f.emit(AtomicRMWOp, (counter, f.integer(1)), i64, ATOMIC_ADD)
    left = f.emit(llvm.ICmpOp, (number, owned), i1, PREDICATES["slt"])
    f.append(llvm.CondBrOp, [left], two_ways, [run, leave])

    f.start_block(run)
    part = f.emit(llvm.AddOp, (first, number), i64, NO_SIGNED_WRAP)
    f.call(None, (task, frame, part, parts, thread))
    f.append(llvm.BrOp, [], {}, [take])

    f.start_block(leave)
    further = f.emit(llvm.AddOp, (distance, f.integer(1)), i64, NO_SIGNED_WRAP)
    f.append(llvm.BrOp, [further], {}, [visit])

    f.start_block(end)
    f.append(llvm.ReturnOp)
    f.finish()
    return function(THREAD, [POINTER], VOID, Region([entry, visit, choose, take, run, leave, end]))


def _counter(f: FunctionLowering, taken: SSAValue, thread: SSAValue) -> SSAValue:
    """How many of the parts of `thread` have been taken."""
    line = f.emit(llvm.MulOp, (thread, f.integer(COUNTER_STRIDE)), i64, NO_SIGNED_WRAP)
    return f.element_pointer(taken, line, i64)


def _slot(f: FunctionLowering, context: SSAValue, slot: int) -> SSAValue:
    return f.element_pointer(context, f.integer(slot), i64)


def _struct(fields: Sequence[SSAValue]) -> llvm.LLVMStructType:
    return _struct_of(*(field.type for field in fields))


def _struct_of(*types: Attribute) -> llvm.LLVMStructType:
    return llvm.LLVMStructType.from_type_list(types)


def _store_fields(f: FunctionLowering, struct: SSAValue, type: Attribute, fields: Sequence[SSAValue]) -> None:
    for index, field in enumerate(fields):
        f.store(field, f.field_pointer(struct, type, index), _alignment(field.type))


def _load_fields(f: FunctionLowering, struct: SSAValue, type: llvm.LLVMStructType) -> list[SSAValue]:
    return [
        f.load(f.field_pointer(struct, type, index), field, _alignment(field)) for index, field in enumerate(type.types)
    ]


def _alignment(type: Attribute) -> int:
    return storage(type).alignment


HANDLERS: dict[type[Operation], Handler] = {
    xrt.CallTargetOp: call_target,
    xrt.HasFailedOp: has_failed,
    xrt.ParallelOp: parallel,
    xrt.ThreadIdOp: thread_id,
}
