"""Calls of programs: on the thread of the caller, or on that of the device if they take long or wait for others.

A program that takes long is one whose last runs did (`Dispatch.asynchronous_nanoseconds`). Whatever is unusual enters
Python: other arguments than the program takes, an argument that is given away while somebody else uses it, no memory.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ....decisions.dispatch import Dispatch
from ....runtime.clock import MONOTONIC
from ....runtime.run_state import STOPPED
from ..c_api import STRUCTS
from ..objects import OBJECTS
from .buffer_code import argument_of
from .event_code import HAS_FUTEX, sleep, wake
from .frame_code import ARE_PENDING, plan_of
from .function import NULL, Function, Value, i32, i64, texts
from .layout import FAILED, PENDING, READY, Frame, LoggedRun, Plan, RunLog, Worker
from .transfer_code import READY as READY_EVENT

_EXECUTE = "LoadedExecutable_Execute"
_OPTIONS: Any = STRUCTS["ExecuteOptions"]
_EXECUTABLE: Any = OBJECTS["LoadedExecutable"]
_DEVICE: Any = OBJECTS["Device"]
_NUMBERS = Dispatch()
_IS_ON, _IS_ENDING = Value("ptr", "@is_asynchronous"), Value("ptr", "@is_ending")

EXECUTE_GLOBALS = """
@is_asynchronous = internal global i64 0
@is_ending = internal global i64 0
@run_log = internal global ptr null
define ptr @run_log_address() { ret ptr @run_log }
define ptr @is_asynchronous_address() { ret ptr @is_asynchronous }
define ptr @is_ending_address() { ret ptr @is_ending }
declare i32 @clock_gettime(i32, ptr)
"""


def _now() -> Function:
    f = Function("now", "", "i64")
    if sys.platform == "win32":
        f.give(i64(0))
        return f
    f.line("%time = alloca [2 x i64]")
    time = Value("ptr", "%time")
    f.call("i32", "clock_gettime", i32(MONOTONIC), time)
    whole = f.compute("mul", f.load("i64", time), i64(1_000_000_000))
    f.give(f.compute("add", whole, f.load("i64", f.item(time, 1))))
    return f


def _run() -> Function:
    """Run the program of a frame; 0 if it was stopped."""
    f = Function("run", "ptr frame", "i64")
    frame, plan = f["frame"], plan_of(f)
    tables = [f.read("ptr", frame, getattr(Frame, name)) for name in ("inputs", "outputs", "arena", "context")]
    start = f.call("i64", "now")
    f.call("void", f.read("ptr", plan, Plan.entry), *tables)
    taken = f.compute("sub", f.call("i64", "now"), start)
    before = f.read("i64", plan, Plan.nanoseconds)
    change = f.compute("ashr", f.compute("sub", taken, before), i64(1))
    f.write(f.compute("add", before, change), plan, Plan.nanoseconds)
    _note(f, plan, start, taken)
    stopped = f.load("i64", f.item(f.at(frame, Frame.run.offset), STOPPED))
    f.give(f.convert("zext", f.is_null(stopped), "i64"))
    return f


def _note(f: Function, plan: Value, start: Value, taken: Value) -> None:
    """Put a run into the log, if there is one with a place."""
    log = f.load_shared(Value("ptr", "@run_log"), "ptr")
    with f.when(f.is_set(log)):
        number = f.change("add", f.at(log, RunLog.count.offset), i64(1))
        with f.when(f.compare("slt", number, f.read("i64", log, RunLog.capacity))):
            table = f.at(log, ctypes.sizeof(RunLog))
            run = f.at(table, f.compute("mul", number, i64(ctypes.sizeof(LoggedRun))))
            f.write(start, run, LoggedRun.start)
            f.write(taken, run, LoggedRun.nanoseconds)
            f.write(f.read("i64", plan, Plan.number), run, LoggedRun.program)


def _give_results() -> Function:
    """Hand the buffers of the results to the client."""
    f = Function("give_results", "ptr frame, ptr places", "void")
    results = f.read("ptr", f["frame"], Frame.results)
    with f.times(f.read("i64", plan_of(f), Plan.outputs)) as number:
        f.store(f.load("ptr", f.item(results, number)), f.item(f["places"], number))
    f.give()
    return f


def _call() -> Function:
    """Run a program on this thread; null or an error."""
    f = Function("call_now", "ptr frame, ptr places")
    frame, plan = f["frame"], plan_of(f)
    inputs, outputs = f.read("i64", plan, Plan.inputs), f.read("i64", plan, Plan.outputs)
    f.call("void", "take_over", frame, NULL)
    is_over = f.variable(f.call("i64", "await_arguments", frame))
    error = f.variable(f.load("ptr", Value("ptr", "@failure")))
    with f.when(f.is_set(f.get(is_over))):
        f.set(is_over, f.call("i64", "run", frame))
        with f.when(f.is_null(f.get(is_over))):
            f.set(error, f.call("ptr", "enter_Stopped", f.at(frame, Frame.run.offset)))
    with f.when(f.is_null(f.get(is_over))):
        f.call("void", "destroy_results", frame, outputs)
        f.call("void", "unbind", frame, inputs)
        f.call("void", "give_frame", frame)
        f.give(f.get(error))
    f.call("void", "give_results", frame, f["places"])
    f.call("void", "unbind", frame, inputs)
    f.call("void", "give_frame", frame)
    f.give(NULL)
    return f


def _submit() -> Function:
    """Have the thread of a device run a program."""
    f = Function("submit", "ptr worker, ptr frame", "void")
    unfinished = f.at(f["worker"], Worker.unfinished.offset)
    with f.repeat() as loop:
        count = f.load_shared(unfinished)
        loop.leave(f.compare("slt", count, i64(_NUMBERS.in_flight)))
        sleep(f, unfinished, f.convert("trunc", count, "i32"))
    f.change("add", unfinished, i64(1))
    last = f.at(f["worker"], Worker.last.offset)
    with f.repeat() as loop:
        before = f.load_shared(last, "ptr")
        f.write(before, f["frame"], Frame.next)
        loop.leave(f.replace(last, before, f["frame"]))
    signal = f.at(f["worker"], Worker.signal.offset)
    f.change("add", signal, i64(1))
    wake(f, signal)
    f.give()
    return f


def _serve() -> Function:
    """Run a program on the thread of its device."""
    f = Function("serve", "ptr worker, ptr frame", "void")
    worker, frame, plan = f["worker"], f["frame"], plan_of(f)
    is_over = f.variable(f.call("i64", "await_arguments", frame))
    run, current = f.at(frame, Frame.run.offset), f.at(worker, Worker.current.offset)
    f.exchange(current, run)
    with f.when(f.is_set(f.load_shared(_IS_ENDING))):
        f.set(is_over, i64(0))
    with f.when(f.is_set(f.get(is_over))):
        f.set(is_over, f.call("i64", "run", frame))
    with f.repeat() as loop:  # `stop_current` has it for a moment
        loop.leave(f.compare("eq", f.exchange(current, NULL), run))
    f.store(i64(0), f.item(run, STOPPED))
    results = f.read("ptr", frame, Frame.results)
    with f.times(f.read("i64", plan, Plan.outputs)) as number:
        f.call("void", "drop", f.load("ptr", f.item(results, number)), i64(PENDING))
    f.call("void", "unbind", frame, f.read("i64", plan, Plan.inputs))
    event = f.read("ptr", frame, Frame.event)
    f.call("void", "give_frame", frame)
    f.call("void", "finish", event, f.choose(f.is_set(f.get(is_over)), i64(READY), i64(FAILED)))
    unfinished = f.at(worker, Worker.unfinished.offset)
    f.change("sub", unfinished, i64(1))
    wake(f, unfinished)
    f.give()
    return f


def _work() -> Function:
    """What the thread of a device does."""
    f = Function("work", "ptr worker", exported=True)
    last, signal = (f.at(f["worker"], field.offset) for field in (Worker.last, Worker.signal))
    with f.repeat():
        heard = f.load_shared(signal)
        newest = f.variable(f.exchange(last, NULL))
        with f.when(f.is_null(f.get(newest))):
            sleep(f, signal, f.convert("trunc", heard, "i32"))
        oldest = f.variable(NULL)
        with f.repeat() as loop:
            frame = f.get(newest)
            loop.leave(f.is_null(frame))
            f.set(newest, f.read("ptr", frame, Frame.next))
            f.write(f.get(oldest), frame, Frame.next)
            f.set(oldest, frame)
        with f.repeat() as loop:
            frame = f.get(oldest)
            loop.leave(f.is_null(frame))
            f.set(oldest, f.read("ptr", frame, Frame.next))
            f.call("void", "serve", f["worker"], frame)
    f.line("unreachable")
    return f


def _stop_current() -> Function:
    """Have the program stop that runs on the thread of a device."""
    f = Function("stop_current", "ptr worker", "void", exported=True)
    current = f.at(f["worker"], Worker.current.offset)
    run = f.exchange(current, NULL)
    with f.when(f.is_set(run)):
        f.store(i64(1), f.item(run, STOPPED))
        f.store_shared(run, current)
    f.give()
    return f


def _drain() -> Function:
    """Wait until the thread of a device has nothing to do."""
    f = Function("drain", "ptr worker", "void", exported=True)
    unfinished = f.at(f["worker"], Worker.unfinished.offset)
    with f.repeat() as loop:
        count = f.load_shared(unfinished)
        loop.leave(f.is_null(count))
        sleep(f, unfinished, f.convert("trunc", count, "i32"))
    f.give()
    return f


def _execute() -> Function:
    f = Function(_EXECUTE, "ptr arguments", exported=True)
    plan = f.read("ptr", argument_of(f, _EXECUTE, "executable"), _EXECUTABLE.plan)
    f.branch(f.is_null(plan), "python")
    options = argument_of(f, _EXECUTE, "options")
    donors = f.read("i64", plan, Plan.donor_count)
    kept = f.read("i64", options, _OPTIONS.num_non_donatable_input_indices)
    is_other = f.any(
        f.compare("ne", argument_of(f, _EXECUTE, "num_devices", "i64"), i64(1)),
        f.compare("ne", argument_of(f, _EXECUTE, "num_args", "i64"), f.read("i64", plan, Plan.inputs)),
        f.compute("and", f.is_set(donors), f.is_set(kept)),
    )
    f.branch(is_other, "python")
    frame = f.call("ptr", "take_frame", plan)
    f.branch(f.is_null(frame), "python")
    inputs = f.read("i64", plan, Plan.inputs)
    buffers = f.variable(NULL)
    with f.when(f.is_set(inputs)):
        f.set(buffers, f.load("ptr", argument_of(f, _EXECUTE, "argument_lists")))
    bound = f.call("i64", "bind", frame, f.get(buffers))
    f.branch(f.is_null(bound), "give_back")
    f.branch(f.is_null(f.call("i64", "donate_all", frame)), "let_go")
    wanted = argument_of(f, _EXECUTE, "execute_device")
    device = f.choose(f.is_set(wanted), wanted, f.read("ptr", plan, Plan.device))
    f.branch(f.is_null(f.call("i64", "make_results", frame, device)), "restore")
    events, places = argument_of(f, _EXECUTE, "device_complete_events"), _first_list(f)
    if HAS_FUTEX:
        _submit_if_long(f, frame, device, bound, events, places)
    error = f.call("ptr", "call_now", frame, places)
    with f.when(f.compute("and", f.is_null(error), f.is_set(events))):
        f.store(f.load("ptr", READY_EVENT), events)
    f.give(error)
    f.line("restore:")
    f.call("void", "restore_donors", frame, donors)
    f.line("br label %let_go")
    f.line("let_go:")
    f.call("void", "unbind", frame, inputs)
    f.line("br label %give_back")
    f.line("give_back:")
    f.call("void", "give_frame", frame)
    f.line("br label %python")
    f.line("python:")
    f.give(f.call("ptr", f"enter_{_EXECUTE}", f["arguments"]))
    return f


def _first_list(f: Function) -> Value:
    """Where the results on the only device go."""
    return f.load("ptr", argument_of(f, _EXECUTE, "output_lists"))


def _submit_if_long(f: Function, frame: Value, device: Value, bound: Value, events: Value, places: Value) -> None:
    plan = f.read("ptr", frame, Frame.plan)
    is_long = f.compare("sgt", f.read("i64", plan, Plan.nanoseconds), i64(_NUMBERS.asynchronous_nanoseconds))
    is_wanted = f.any(is_long, f.compare("eq", bound, i64(ARE_PENDING)))
    with f.when(f.compute("and", is_wanted, f.is_set(f.load_shared(_IS_ON)))):
        worker = f.call("ptr", "worker_of", device)
        has_events = f.convert("zext", f.is_set(events), "i64")
        count = f.compute("add", f.read("i64", plan, Plan.outputs), f.compute("add", has_events, i64(1)))
        event = f.call("ptr", "new_event", count)
        with f.when(f.compute("and", f.is_set(worker), f.is_set(event))):
            f.call("void", "take_over", frame, event)
            f.call("void", "give_results", frame, places)
            with f.when(f.is_set(events)):
                f.store(event, events)
            f.write(event, frame, Frame.event)
            f.call("void", "submit", worker, frame)
            f.give(NULL)
        with f.when(f.is_set(event)):
            f.call("void", "free", event)


def _worker_of() -> Function:
    """The thread of a device, which begins when it is first asked for; null if there is none."""
    f = Function("worker_of", "ptr device")
    worker = f.read("ptr", f["device"], _DEVICE.worker)
    begun = f.at(worker, Worker.has_begun.offset)
    with f.when(f.replace(begun, i64(0), i64(1))):
        f.line("%thread = alloca i64")
        f.line("%all = alloca [16 x i64]")
        f.line("%old = alloca [16 x i64]")
        thread, every, old = (Value("ptr", name) for name in ("%thread", "%all", "%old"))
        f.call("i32", "sigfillset", every)
        f.call("i32", "pthread_sigmask", i32(_SIG_SETMASK), every, old)
        code = f.call("i32", "pthread_create", thread, NULL, Value("ptr", "@work"), worker)
        f.call("i32", "pthread_sigmask", i32(_SIG_SETMASK), old, NULL)
        with f.when(f.is_null(code)):
            f.call("i32", "pthread_detach", f.load("i64", thread))
        f.store_shared(f.choose(f.is_null(code), i64(2), i64(3)), begun)
    with f.when(f.compare("eq", f.load_shared(begun), i64(3))):
        f.give(NULL)
    f.give(worker)
    return f


_SIG_SETMASK = 2
"""On Linux."""

_THREAD_GLOBALS = """
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
"""


def execute_text() -> str:
    """LLVM IR of these functions."""
    threads = [_submit(), _serve(), _work(), _worker_of()] if HAS_FUTEX else []
    own = [_now(), _run(), _give_results(), _call(), _stop_current(), _drain(), _execute()]
    return EXECUTE_GLOBALS + (_THREAD_GLOBALS if HAS_FUTEX else "") + texts([*threads, *own])
