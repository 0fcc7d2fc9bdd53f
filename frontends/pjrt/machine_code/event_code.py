"""Events: what is going to happen, who waits for it and whom it calls.

    event *new_event(int64_t references)
    void finish(event *, int64_t state)    // it has happened, or never will
    void await(event *)
    void drop_event(event *)               // one reference less

An event is there as long as somebody refers to it: each buffer whose values it stands for, the client, and who is to
finish it. Those that it calls are in a list, which the last address of all closes.
"""

from __future__ import annotations

import ctypes
from typing import Any

from ....runtime.futexes import FUTEX_WAIT, FUTEX_WAKE, futex
from ..c_api import FUNCTIONS
from ..objects import OBJECTS, STATIC
from .function import NULL, Function, Value, i32, i64, texts
from .layout import FAILED, WAITING, Callback

EVENT: Any = OBJECTS["Event"]
_CLOSED = Value("ptr", "inttoptr (i64 1 to ptr)")
_EVERYBODY = 0x7FFFFFFF
FAILURE = Value("ptr", "@failure")

EVENT_GLOBALS = """
@failure = internal global ptr null
define ptr @failure_address() { ret ptr @failure }
declare ptr @malloc(i64)
declare i64 @syscall(i64, ...)
declare i32 @usleep(i32)
"""

HAS_FUTEX = futex()[1] != 0


def sleep(f: Function, word: Value, value: Value) -> None:
    """Wait while the lower half of a word has a value; this may end at any time."""
    if HAS_FUTEX:
        arguments = f"i64 {futex()[1]}, {word}, i32 {FUTEX_WAIT}, {value}, ptr null, ptr null, i32 0"
        f.value("i64", f"call i64 (i64, ...) @syscall({arguments})")
    else:
        f.call("i32", "usleep", i32(50))


def wake(f: Function, word: Value) -> None:
    """Wake all who sleep at a word."""
    if HAS_FUTEX:
        arguments = f"i64 {futex()[1]}, {word}, i32 {FUTEX_WAKE}, i32 {_EVERYBODY}, ptr null, ptr null, i32 0"
        f.value("i64", f"call i64 (i64, ...) @syscall({arguments})")


def state_of(f: Function, event: Value) -> Value:
    """The state of an event."""
    return f.load_shared(f.at(event, EVENT.count.offset))


def _new_event() -> Function:
    f = Function("new_event", "i64 references")
    event = f.call("ptr", "malloc", i64(ctypes.sizeof(EVENT)))
    with f.when(f.is_null(event)):
        f.give(NULL)
    f.write(i64(WAITING), event, EVENT.count)
    f.write(f["references"], event, EVENT.references)
    f.write(NULL, event, EVENT.callbacks)
    f.give(event)
    return f


def _drop_event() -> Function:
    f = Function("drop_event", "ptr event", "void")
    with f.when(f.compare("eq", state_of(f, f["event"]), i64(STATIC))):
        f.give()
    before = f.change("sub", f.at(f["event"], EVENT.references.offset), i64(1))
    with f.when(f.compare("eq", before, i64(1))):
        f.call("void", "free", f["event"])
    f.give()
    return f


def _retain_event() -> Function:
    f = Function("retain_event", "ptr event", "void")
    with f.when(f.compare("ne", state_of(f, f["event"]), i64(STATIC))):
        f.change("add", f.at(f["event"], EVENT.references.offset), i64(1))
    f.give()
    return f


def _error_of() -> Function:
    f = Function("error_of", "ptr event")
    is_failed = f.compare("eq", state_of(f, f["event"]), i64(FAILED))
    f.give(f.choose(is_failed, f.load("ptr", FAILURE), NULL))
    return f


def _finish() -> Function:
    f = Function("finish", "ptr event, i64 state", "void")
    word = f.at(f["event"], EVENT.count.offset)
    f.store_shared(f["state"], word)
    wake(f, word)
    following = f.variable(f.exchange(f.at(f["event"], EVENT.callbacks.offset), _CLOSED))
    with f.repeat() as loop:
        callback = f.get(following)
        loop.leave(f.is_null(callback))
        f.set(following, f.read("ptr", callback, Callback.next))
        error = f.call("ptr", "error_of", f["event"])
        f.call("void", f.read("ptr", callback, Callback.function), error, f.read("ptr", callback, Callback.argument))
        f.call("void", "free", callback)
    f.call("void", "drop_event", f["event"])
    f.give()
    return f


def _await() -> Function:
    f = Function("await", "ptr event", "void")
    word = f.at(f["event"], EVENT.count.offset)
    with f.repeat() as loop:
        loop.leave(f.is_set(f.load_shared(word)))
        sleep(f, word, i32(WAITING))
    f.give()
    return f


def _functions_of_table() -> list[Function]:
    destroy = Function("Event_Destroy", "ptr arguments", exported=True)
    event = destroy.read("ptr", destroy["arguments"], _argument("Event_Destroy", "event"))
    with destroy.when(destroy.is_set(event)):
        destroy.call("void", "drop_event", event)
    destroy.give(NULL)

    ready = Function("Event_IsReady", "ptr arguments", exported=True)
    state = state_of(ready, ready.read("ptr", ready["arguments"], _argument("Event_IsReady", "event")))
    answer = ready.convert("zext", ready.is_set(state), "i8")
    ready.write(answer, ready["arguments"], _argument("Event_IsReady", "is_ready"))
    ready.give(NULL)

    error = Function("Event_Error", "ptr arguments", exported=True)
    error.give(error.call("ptr", "error_of", error.read("ptr", error["arguments"], _argument("Event_Error", "event"))))

    wait = Function("Event_Await", "ptr arguments", exported=True)
    event = wait.read("ptr", wait["arguments"], _argument("Event_Await", "event"))
    wait.call("void", "await", event)
    wait.give(wait.call("ptr", "error_of", event))
    return [destroy, ready, error, wait, _on_ready()]


def _argument(function: str, field: str) -> Any:
    return getattr(FUNCTIONS[function], field)


def _on_ready() -> Function:
    f = Function("Event_OnReady", "ptr arguments", exported=True)
    event = f.read("ptr", f["arguments"], _argument("Event_OnReady", "event"))
    function = f.read("ptr", f["arguments"], _argument("Event_OnReady", "callback"))
    argument = f.read("ptr", f["arguments"], _argument("Event_OnReady", "user_arg"))
    with f.when(f.is_null(state_of(f, event))):
        callback = f.call("ptr", "malloc", i64(ctypes.sizeof(Callback)))
        f.write(function, callback, Callback.function)
        f.write(argument, callback, Callback.argument)
        first = f.at(event, EVENT.callbacks.offset)
        with f.repeat() as loop:
            old = f.load_shared(first, "ptr")
            loop.leave(f.compare("eq", old, _CLOSED))
            f.write(old, callback, Callback.next)
            with f.when(f.replace(first, old, callback)):
                f.give(NULL)
        f.call("void", "free", callback)
    f.call("void", function, f.call("ptr", "error_of", event), argument)
    f.give(NULL)
    return f


def event_text() -> str:
    """LLVM IR of these functions."""
    own = [_new_event(), _drop_event(), _retain_event(), _error_of(), _finish(), _await()]
    return EVENT_GLOBALS + texts([*own, *_functions_of_table()])
