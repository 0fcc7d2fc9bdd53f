"""Frames: what one call of a program has for itself, and the buffers of its arguments and results.

frame *take_frame(plan *)
void give_frame(frame *)
int64_t bind(frame *, buffer **)               // 0: not these arguments, 1: they are there, 2: some are pending
int64_t make_results(frame *, device *)        // 0: there is no memory
"""

from __future__ import annotations

import ctypes

from ....lowering.to_llvm import context_layout
from ....runtime.buffers import INPUT_ALIGNMENT
from ....runtime.context import RUN_WORDS
from .buffer_code import BUFFER, POINTER, copy, lies_otherwise
from .event_code import state_of
from .function import NULL, Function, Value, i64, texts
from .layout import FAILED, PENDING, USE, WAITING, Donor, Frame, Kind, Plan, Slot
from .memory_code import round_up

CONTEXT_BYTES = (context_layout.SLOTS + 1) * context_layout.SLOT_BYTES
ARE_THERE, ARE_PENDING = 1, 2
WORD = 8


def entry_of(f: Function, table: Value, number: Value, size: int) -> Value:
    """The address of a struct in a table of them."""
    return f.at(table, f.compute("mul", number, i64(size)))


def plan_of(f: Function) -> Value:
    """That of the frame which a function has as its parameter."""
    return f.read("ptr", f["frame"], Frame.plan)


def _new_frame() -> Function:
    f = Function("new_frame", "ptr plan")
    inputs, outputs = f.read("i64", f["plan"], Plan.inputs), f.read("i64", f["plan"], Plan.outputs)
    tables = f.compute("mul", f.compute("add", inputs, outputs), i64(2 * WORD))
    head = round_up(f, f.compute("add", tables, i64(ctypes.sizeof(Frame) + CONTEXT_BYTES)))
    frame = f.call("ptr", "new_piece", f.compute("add", head, f.read("i64", f["plan"], Plan.arena_bytes)))
    with f.when(f.is_null(frame)):
        f.give(NULL)
    f.write(f["plan"], frame, Frame.plan)
    run = f.at(frame, Frame.run.offset)
    with f.times(i64(RUN_WORDS)) as word:
        f.store(i64(0), f.item(run, word))
    context = f.at(frame, Frame.end.offset)
    copy(f, context, f.read("ptr", f["plan"], Plan.context), i64(CONTEXT_BYTES))
    f.store(run, f.item(context, context_layout.FAILED))
    f.write(context, frame, Frame.context)
    table = f.at(context, CONTEXT_BYTES)
    for field, count in (("arguments", inputs), ("inputs", inputs), ("results", outputs), ("outputs", outputs)):
        f.write(table, frame, getattr(Frame, field))
        table = f.item(table, count)
    f.write(f.at(frame, head), frame, Frame.arena)
    f.give(frame)
    return f


def _take_frame() -> Function:
    f = Function("take_frame", "ptr plan")
    f.change("add", f.at(f["plan"], Plan.running.offset), i64(1))
    frame = f.variable(f.exchange(f.at(f["plan"], Plan.frame.offset), NULL))
    with f.when(f.is_null(f.get(frame))):
        f.set(frame, f.call("ptr", "new_frame", f["plan"]))
    with f.when(f.is_null(f.get(frame))):
        f.change("sub", f.at(f["plan"], Plan.running.offset), i64(1))
    f.give(f.get(frame))
    return f


def _give_frame() -> Function:
    f = Function("give_frame", "ptr frame", "void")
    plan = plan_of(f)
    is_kept = f.replace(f.at(plan, Plan.frame.offset), NULL, f["frame"])
    with f.when(f.is_null(is_kept)):
        f.call("void", "free_piece", f["frame"])
    f.change("sub", f.at(plan, Plan.running.offset), i64(1))
    f.give()
    return f


def _fits() -> Function:
    """Whether a buffer is what a program takes; 1 or 0."""
    f = Function("fits", "ptr buffer, ptr slot", "i64")
    buffer, slot = f["buffer"], f["slot"]
    type = f.convert("zext", f.read("i32", buffer, BUFFER.Buffer_ElementType_type), "i64")
    rank = f.read("i64", buffer, BUFFER.Buffer_Dimensions_num_dims)
    address = f.read("i64", buffer, POINTER)
    is_other = f.any(
        f.compare("ne", type, f.read("i64", slot, Slot.type)),
        f.compare("ne", rank, f.read("i64", slot, Slot.rank)),
        f.is_set(f.compute("and", address, i64(INPUT_ALIGNMENT - 1))),
        lies_otherwise(f, buffer),
    )
    with f.when(is_other):
        f.give(i64(0))
    dims, wanted = f.read("ptr", buffer, BUFFER.Buffer_Dimensions_dims), f.read("ptr", slot, Slot.dims)
    with f.times(rank) as dim:
        is_other = f.compare("ne", f.load("i64", f.item(dims, dim)), f.load("i64", f.item(wanted, dim)))
        with f.when(is_other):
            f.give(i64(0))
    f.give(i64(1))
    return f


def _unbind() -> Function:
    """Give back the first arguments."""
    f = Function("unbind", "ptr frame, i64 count", "void")
    arguments = f.read("ptr", f["frame"], Frame.arguments)
    with f.times(f["count"]) as number:
        f.call("void", "drop", f.load("ptr", f.item(arguments, number)), i64(USE))
    f.give()
    return f


def _bind() -> Function:
    f = Function("bind", "ptr frame, ptr buffers", "i64")
    frame, plan = f["frame"], plan_of(f)
    arguments, inputs = f.read("ptr", frame, Frame.arguments), f.read("ptr", frame, Frame.inputs)
    slots = f.read("ptr", plan, Plan.arguments)
    answer = f.variable(i64(ARE_THERE))
    with f.times(f.read("i64", plan, Plan.inputs)) as number:
        buffer = f.load("ptr", f.item(f["buffers"], number))
        with f.when(f.is_null(f.call("i64", "acquire", buffer))):
            f.call("void", "unbind", frame, number)
            f.give(i64(0))
        f.store(buffer, f.item(arguments, number))
        f.store(f.read("ptr", buffer, POINTER), f.item(inputs, number))
        fits = f.call("i64", "fits", buffer, entry_of(f, slots, number, ctypes.sizeof(Slot)))
        state = state_of(f, f.read("ptr", buffer, BUFFER.ready))
        with f.when(f.any(f.is_null(fits), f.compare("eq", state, i64(FAILED)))):
            f.call("void", "unbind", frame, f.compute("add", number, i64(1)))
            f.give(i64(0))
        with f.when(f.compare("eq", state, i64(WAITING))):
            f.set(answer, i64(ARE_PENDING))
    f.give(f.get(answer))
    return f


def _donor(f: Function, number: Value) -> tuple[Value, Value]:
    """The buffer of a donor, and whether it is overwritten."""
    donor = entry_of(f, f.read("ptr", plan_of(f), Plan.donors), number, ctypes.sizeof(Donor))
    arguments = f.read("ptr", f["frame"], Frame.arguments)
    buffer = f.load("ptr", f.item(arguments, f.read("i64", donor, Donor.argument)))
    return buffer, f.read("i64", donor, Donor.is_overwritten)


def _restore_donors() -> Function:
    f = Function("restore_donors", "ptr frame, i64 count", "void")
    with f.times(f["count"]) as number:
        f.call("void", "restore", _donor(f, number)[0])
    f.give()
    return f


def _donate_all() -> Function:
    """Delete the arguments that are given away; 0 if one must not be, and then none is."""
    f = Function("donate_all", "ptr frame", "i64")
    with f.times(f.read("i64", plan_of(f), Plan.donor_count)) as number:
        buffer, is_overwritten = _donor(f, number)
        is_constant = f.read("i64", buffer, BUFFER.is_constant)
        with f.when(f.is_set(f.compute("and", is_overwritten, is_constant))):
            f.call("void", "restore_donors", f["frame"], number)
            f.give(i64(0))
        with f.when(f.is_null(f.call("i64", "donate", buffer))):
            f.call("void", "restore_donors", f["frame"], number)
            f.give(i64(0))
    f.give(i64(1))
    return f


def _destroy_results() -> Function:
    f = Function("destroy_results", "ptr frame, i64 count", "void")
    results = f.read("ptr", f["frame"], Frame.results)
    with f.times(f["count"]) as number:
        f.call("void", "destroy", f.load("ptr", f.item(results, number)))
    f.give()
    return f


def _make_results() -> Function:
    f = Function("make_results", "ptr frame, ptr device", "i64")
    frame, plan = f["frame"], plan_of(f)
    inputs, slots = f.read("ptr", frame, Frame.inputs), f.read("ptr", plan, Plan.results)
    results, outputs = f.read("ptr", frame, Frame.results), f.read("ptr", frame, Frame.outputs)
    with f.times(f.read("i64", plan, Plan.outputs)) as number:
        slot = entry_of(f, slots, number, ctypes.sizeof(Slot))
        argument, data = f.read("i64", slot, Slot.argument), f.variable(NULL)
        with f.when(f.compare("sge", argument, i64(0))):
            f.set(data, f.load("ptr", f.item(inputs, argument)))
        facts = [f.read("i64", slot, Slot.type), f.read("ptr", slot, Slot.dims), f.read("i64", slot, Slot.rank)]
        size = f.read("i64", slot, Slot.bytes)
        buffer = f.call("ptr", "new_buffer", *facts, size, f["device"], f.get(data))
        with f.when(f.is_null(buffer)):
            f.call("void", "destroy_results", frame, number)
            f.give(i64(0))
        f.store(buffer, f.item(results, number))
        f.store(f.read("ptr", buffer, POINTER), f.item(outputs, number))
    f.give(i64(1))
    return f


def _take_over() -> Function:
    """The results own the memory of donors from now on, and are pending if there is an event."""
    f = Function("take_over", "ptr frame, ptr event", "void")
    frame, plan = f["frame"], plan_of(f)
    slots, results = f.read("ptr", plan, Plan.results), f.read("ptr", frame, Frame.results)
    arguments = f.read("ptr", frame, Frame.arguments)
    is_later = f.is_set(f["event"])
    with f.times(f.read("i64", plan, Plan.outputs)) as number:
        result = f.load("ptr", f.item(results, number))
        argument = f.read("i64", entry_of(f, slots, number, ctypes.sizeof(Slot)), Slot.argument)
        with f.when(f.compare("sge", argument, i64(0))):
            donor = f.load("ptr", f.item(arguments, argument))
            f.call("void", "move_memory", donor, result)
        with f.when(is_later):
            f.write(f["event"], result, BUFFER.ready)
            f.store_shared(i64(PENDING), f.at(result, BUFFER.count.offset))
    f.give()
    return f


def _move_memory() -> Function:
    f = Function("move_memory", "ptr donor, ptr result", "void")
    donor, result = f["donor"], f["result"]
    kind = f.read("i64", donor, BUFFER.kind)
    with f.when(f.compare("eq", kind, i64(Kind.NOTHING))):
        f.change("add", f.at(donor, BUFFER.count.offset), i64(USE))
        f.write(i64(Kind.BUFFER), result, BUFFER.kind)
        f.write(donor, result, BUFFER.owner)
        f.give()
    f.write(kind, result, BUFFER.kind)
    f.write(f.read("ptr", donor, BUFFER.owner), result, BUFFER.owner)
    f.write(i64(Kind.NOTHING), donor, BUFFER.kind)
    f.give()
    return f


def _await_arguments() -> Function:
    """Wait until all arguments are there; 0 if one will never be."""
    f = Function("await_arguments", "ptr frame", "i64")
    arguments = f.read("ptr", f["frame"], Frame.arguments)
    with f.times(f.read("i64", plan_of(f), Plan.inputs)) as number:
        event = f.read("ptr", f.load("ptr", f.item(arguments, number)), BUFFER.ready)
        f.call("void", "await", event)
        with f.when(f.compare("eq", state_of(f, event), i64(FAILED))):
            f.give(i64(0))
    f.give(i64(1))
    return f


def frame_text() -> str:
    """LLVM IR of these functions."""
    own = [_new_frame(), _take_frame(), _give_frame(), _fits(), _unbind(), _bind(), _restore_donors(), _donate_all()]
    results = [_destroy_results(), _make_results(), _take_over(), _move_memory(), _await_arguments()]
    return texts([*own, *results])
