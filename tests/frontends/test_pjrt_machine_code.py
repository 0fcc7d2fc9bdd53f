"""Buffers, events and memory of the plugin for PJRT, as machine code has them, without a client."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.dispatch import Dispatch
from xdsl_xla.frontends.pjrt import buffers, c_api, compile_options, plugin
from xdsl_xla.frontends.pjrt.calls import PjrtError
from xdsl_xla.frontends.pjrt.client import client
from xdsl_xla.frontends.pjrt.executables import Handle, Program, describe_loaded
from xdsl_xla.frontends.pjrt.forgetting import forget_dead
from xdsl_xla.frontends.pjrt.machine import machine
from xdsl_xla.frontends.pjrt.machine_code.function import Function, i64
from xdsl_xla.frontends.pjrt.machine_code.layout import DELETED, PENDING, USE
from xdsl_xla.frontends.pjrt.objects import OBJECTS, STATIC, live

F32 = 11
LARGE = Dispatch().recycled_bytes
SHARED = Dispatch().shared_bytes


@pytest.fixture(autouse=True)
def table() -> Any:
    return plugin.api()


def call(name: str, **fields: Any) -> Any:
    """Call a function of the table; its struct. Raises `RuntimeError` for an error."""
    struct: Any = c_api.FUNCTIONS[name]()
    struct.struct_size = ctypes.sizeof(struct)
    for field, value in fields.items():
        setattr(struct, field, value)
    address = getattr(plugin.api(), name)
    error = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address)(ctypes.addressof(struct))
    if error:
        text: Any = c_api.FUNCTIONS["Error_Message"](error=error)
        text.struct_size = ctypes.sizeof(text)
        read = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(plugin.api().Error_Message)
        read(ctypes.addressof(text))
        raise RuntimeError(ctypes.string_at(text.message, text.message_size).decode())
    return struct


def struct_of(address: int) -> Any:
    return OBJECTS["Buffer"].from_address(address)


def state(address: int) -> int:
    return struct_of(address).count


def from_host(array: np.ndarray, semantics: int = 0, strides: tuple[int, ...] | None = None) -> Any:
    dims = (ctypes.c_int64 * array.ndim)(*array.shape)
    steps = (ctypes.c_int64 * array.ndim)(*(array.strides if strides is None else strides))
    return call(
        "Client_BufferFromHostBuffer",
        data=array.ctypes.data,
        type=F32,
        dims=ctypes.addressof(dims),
        num_dims=array.ndim,
        byte_strides=ctypes.addressof(steps),
        num_byte_strides=array.ndim,
        host_buffer_semantics=semantics,
        device=client().devices[0].address,
    )


def to_host(buffer: int, like: np.ndarray) -> np.ndarray:
    target = np.empty_like(like)
    call("Buffer_ToHostBuffer", src=buffer, dst=target.ctypes.data, dst_size=target.nbytes)
    return target


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).random(shape, np.float32)


@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (300, 7), (1, 1, 5)])
def test_arrays_come_and_go(shape: tuple[int, ...]) -> None:
    array = random(*shape)
    made = from_host(array)
    assert state(made.buffer) == 0
    assert struct_of(made.buffer).Buffer_OnDeviceSizeInBytes_on_device_size_in_bytes == array.nbytes
    assert call("Event_IsReady", event=made.done_with_host_buffer).is_ready
    np.testing.assert_array_equal(to_host(made.buffer, array), array)
    call("Buffer_Destroy", buffer=made.buffer)


def test_an_array_that_is_not_dense_is_copied_in_its_order() -> None:
    array = random(6, 8)[::2, ::-1]
    made = from_host(array)
    np.testing.assert_array_equal(to_host(made.buffer, np.ascontiguousarray(array)), array)
    call("Buffer_Destroy", buffer=made.buffer)


def test_the_client_hears_when_its_memory_is_free() -> None:
    storage = random(SHARED // 4 + 16)
    array = storage[(-storage.ctypes.data % 64) // 4 :][: SHARED // 4]
    made = from_host(array, semantics=2)
    assert struct_of(made.buffer).Buffer_UnsafePointer_buffer_pointer == array.ctypes.data
    heard: list[int | None] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    def told(error: int | None, argument: int | None) -> None:
        assert error is None
        heard.append(argument)

    function = ctypes.cast(told, ctypes.c_void_p).value
    call("Event_OnReady", event=made.done_with_host_buffer, callback=function, user_arg=7)
    assert not call("Event_IsReady", event=made.done_with_host_buffer).is_ready
    call("Buffer_Destroy", buffer=made.buffer)
    assert heard == [7]
    call("Event_Await", event=made.done_with_host_buffer)
    call("Event_OnReady", event=made.done_with_host_buffer, callback=function, user_arg=8)
    assert heard == [7, 8]
    call("Event_Destroy", event=made.done_with_host_buffer)


def test_a_buffer_that_is_used_outlives_its_end() -> None:
    array = random(500)
    buffer = from_host(array).buffer
    call("Buffer_IncreaseExternalReferenceCount", buffer=buffer)
    call("Buffer_Delete", buffer=buffer)
    assert state(buffer) == USE | DELETED
    assert call("Buffer_IsDeleted", buffer=buffer).is_deleted
    pointer = struct_of(buffer).Buffer_UnsafePointer_buffer_pointer
    np.testing.assert_array_equal(np.ctypeslib.as_array((ctypes.c_float * 500).from_address(pointer)), array)
    with pytest.raises(RuntimeError, match="deleted or donated"):
        to_host(buffer, array)
    call("Buffer_DecreaseExternalReferenceCount", buffer=buffer)
    assert state(buffer) == DELETED
    call("Buffer_Destroy", buffer=buffer)


def test_only_what_nobody_else_uses_is_donated() -> None:
    buffer = from_host(random(4)).buffer
    assert machine.acquire(buffer)
    assert machine.acquire(buffer)
    assert not machine.donate(buffer)
    machine.drop(buffer, USE)
    struct_of(buffer).count |= PENDING
    assert machine.donate(buffer), "the program that writes it is no obstacle"
    assert state(buffer) == USE | PENDING | DELETED
    assert not machine.acquire(buffer)
    machine.drop(buffer, PENDING)
    machine.drop(buffer, USE)
    machine.destroy(buffer)


def test_large_memory_is_used_again() -> None:
    first = buffers.empty_buffer((LARGE // 4,), np.dtype(np.float32), 0)
    place = struct_of(first).Buffer_UnsafePointer_buffer_pointer
    machine.destroy(first)
    second = buffers.empty_buffer((LARGE // 4,), np.dtype(np.float32), 0)
    assert struct_of(second).Buffer_UnsafePointer_buffer_pointer == place
    assert place % 64 == 0
    machine.destroy(second)


def test_arrays_of_python_are_forgotten_with_their_buffers() -> None:
    array = random(5)
    array.flags.writeable = False
    before, buffer = len(live), buffers.buffer_of(array, 0)
    assert len(live) == before + 1
    assert struct_of(buffer).is_constant
    with buffers.used(buffer) as seen:
        np.testing.assert_array_equal(seen, array)
        assert not seen.flags.writeable
    machine.destroy(buffer)
    forget_dead()
    assert len(live) == before


def test_memory_of_others_is_given_back() -> None:
    array, freed = random(8), list[tuple[Any, Any]]()

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    def told(data: int | None, argument: int | None) -> None:
        freed.append((data, argument))

    dims = (ctypes.c_int64 * 1)(8)
    buffer = call(
        "Client_CreateViewOfDeviceBuffer",
        device_buffer_ptr=array.ctypes.data,
        dims=ctypes.addressof(dims),
        num_dims=1,
        element_type=F32,
        device=client().devices[0].address,
        on_delete_callback=ctypes.cast(told, ctypes.c_void_p).value,
        on_delete_callback_arg=3,
    ).buffer
    np.testing.assert_array_equal(to_host(buffer, array), array)
    assert freed == []
    call("Buffer_Delete", buffer=buffer)
    assert freed == [(array.ctypes.data, 3)]
    call("Buffer_Destroy", buffer=buffer)
    assert len(freed) == 1


def loaded(text: str, **options: Any) -> Handle:
    made = Program(xdsl_xla.compile(text, **options), compile_options.read(b""), b"", b"")
    return Handle(made, describe_loaded(made))


def execute(program: Handle, *arguments: int, results: int = 1) -> list[int]:
    """Call a program; its results."""
    options: Any = c_api.STRUCTS["ExecuteOptions"]()
    inputs = (ctypes.c_size_t * max(1, len(arguments)))(*arguments)
    outputs = (ctypes.c_size_t * results)()
    lists = [(ctypes.c_size_t * 1)(ctypes.addressof(each)) for each in (inputs, outputs)]
    call(
        "LoadedExecutable_Execute",
        executable=program.address,
        options=ctypes.addressof(options),
        argument_lists=ctypes.addressof(lists[0]),
        num_devices=1,
        num_args=len(arguments),
        output_lists=ctypes.addressof(lists[1]),
    )
    return list(outputs)


ADD = """
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}"""


def test_a_program_is_called_without_python() -> None:
    program = loaded(ADD)
    entered: list[Callable[..., Any]] = []
    program.program.executable = lambda *arrays: entered.append(arrays)  # type: ignore[assignment]
    a, b = random(4), random(4) + 1
    buffers_of = [from_host(each).buffer for each in (a, b)]
    first, second = execute(program, *buffers_of, results=2)
    np.testing.assert_array_equal(to_host(first, a), a + b)
    np.testing.assert_array_equal(to_host(second, a.reshape(2, 2)), (a + b).reshape(2, 2))
    assert struct_of(second).Buffer_Dimensions_num_dims == 2
    assert not entered
    assert [state(buffer) for buffer in (*buffers_of, first, second)] == [0] * 4
    for buffer in (*buffers_of, first, second):
        machine.destroy(buffer)


def test_wrong_arguments_are_named() -> None:
    program = loaded(ADD)
    right, wrong = from_host(random(4)).buffer, from_host(random(5)).buffer
    with pytest.raises(RuntimeError, match=r"argument 1 .*expected tensor<4xf32>, got tensor<5xf32>"):
        execute(program, right, wrong, results=2)
    call("Buffer_Delete", buffer=right)
    with pytest.raises(RuntimeError, match="argument 0 has been deleted"):
        execute(program, right, wrong, results=2)
    assert (state(right), state(wrong)) == (DELETED, 0)


def test_long_programs_run_beside_and_in_order() -> None:
    text = """
    func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {
      %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] :
        (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %1 = stablehlo.constant dense<3.906250e-03> : tensor<256x256xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<256x256xf32>
      return %2 : tensor<256x256xf32>
    }"""
    program = loaded(text)
    assert program.program.planned is not None
    value = np.ones((256, 256), np.float32)
    chain = [from_host(value).buffer]
    for _ in range(50):
        program.program.planned.plan.nanoseconds = 10**9
        chain += execute(program, chain[-1])
        if len(chain) > 3:
            machine.destroy(chain.pop(0))
    np.testing.assert_array_equal(to_host(chain[-1], value), value)
    for buffer in chain:
        machine.destroy(buffer)
    machine.drain()
    assert not program.is_busy


def test_a_program_is_not_forgotten_while_it_runs() -> None:
    program = loaded(ADD)
    assert program.program.planned is not None
    program.program.planned.plan.running = 1
    call("LoadedExecutable_Destroy", executable=program.address)
    forget_dead()
    assert program.address in live
    program.program.planned.plan.running = 0
    forget_dead()
    assert program.address not in live


def test_events_that_have_happened_are_never_freed() -> None:
    event = call("Buffer_ReadyEvent", buffer=from_host(random(2)).buffer).event
    for _ in range(3):
        call("Event_Destroy", event=event)
    assert OBJECTS["Event"].from_address(event).count == STATIC
    gc.collect()


def test_no_memory_is_an_error() -> None:
    with pytest.raises(MemoryError, match="bytes"):
        buffers.empty_buffer((1 << 45,), np.dtype(np.float64), 0)


def test_an_element_type_that_no_array_has_is_refused() -> None:
    with pytest.raises((PjrtError, RuntimeError), match="element type"):
        call("Client_CreateUninitializedBuffer", shape_element_type=0, device=client().devices[0].address)


def test_functions_are_written_with_their_variables_first() -> None:
    f = Function("count", "i64 limit", "i64")
    total = f.variable(i64(0))
    with f.times(f["limit"]) as number, f.when(f.compare("sgt", number, i64(2))):
        f.set(total, f.compute("add", f.get(total), number))
    f.give(f.get(total))
    lines = f.text().splitlines()
    assert lines[0] == "define internal i64 @count(i64 %limit) {"
    assert [line.endswith("= alloca i64") for line in lines[2:4]] == [True, True]
    assert lines[-2].startswith("  ret i64 ")
