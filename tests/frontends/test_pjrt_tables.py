"""The tables of the plugin for PJRT, without a client."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from xdsl_xla.frontends.pjrt import c_api, compile_options, element_types, profiler, run_log, stubs
from xdsl_xla.frontends.pjrt.calls import Code, PjrtError
from xdsl_xla.frontends.pjrt.executables import Program
from xdsl_xla.frontends.pjrt.jax_cache import options_suffix
from xdsl_xla.frontends.pjrt.machine_code.layout import LoggedRun, RunLog
from xdsl_xla.frontends.pjrt.messages import Message, bytes_field, number_field, packed_field
from xdsl_xla.frontends.pjrt.objects import GETTER_OF
from xdsl_xla.frontends.pjrt.run_log import Log, Run, now
from xdsl_xla.frontends.pjrt.serialization import CALLBACK, deserialized, serialized
from xdsl_xla.frontends.pjrt.shardings import sharding_bytes
from xdsl_xla.frontends.pjrt.xspace import xspace
from xdsl_xla.runtime.custom_calls import custom_call
from xdsl_xla.runtime.sharding.executable import ShardedExecutable
from xdsl_xla.runtime.sharding.splitting import Splitting

SIZES = {
    "Error_Message": 40,
    "Event_OnReady": 40,
    "Client_Create": 88,
    "Client_BufferFromHostBuffer": 120,
    "Client_CreateViewOfDeviceBuffer": 112,
    "Client_Compile": 56,
    "Executable_OutputDimensions": 48,
    "Buffer_GetMemoryLayout": 104,
    "Buffer_ToHostBuffer": 56,
    "LoadedExecutable_Execute": 80,
    "LoadedExecutable_GetDeviceAssignment": 56,
}
"""Of some structs, as a C compiler lays them out for 64 bits."""


@pytest.mark.parametrize("name", SIZES)
def test_a_struct_is_as_large_as_in_c(name: str) -> None:
    assert ctypes.sizeof(c_api.FUNCTIONS[name]) == SIZES[name]


def test_the_table_has_the_functions_in_their_order() -> None:
    names = list(c_api.FUNCTIONS)
    assert len(names) == len(set(names)) == 135
    assert ctypes.sizeof(c_api.Api) == 16 + ctypes.sizeof(c_api.Version) + 8 * 135
    assert names[:3] == ["Error_Destroy", "Error_Message", "Error_GetCode"]
    assert names.index("LoadedExecutable_Execute") == 55
    assert c_api.Api.LoadedExecutable_Execute.offset == 40 + 8 * 55


def test_every_function_has_machine_code() -> None:
    text = stubs.stubs_text()
    for name in c_api.ALL_FUNCTIONS:
        assert name in stubs.WITHOUT_EFFECT or f"define ptr @{name}(" in text


def test_getters_do_not_enter_python() -> None:
    assert not set(GETTER_OF) & set(stubs.IN_PYTHON)
    assert "LoadedExecutable_Execute" in stubs.IN_PYTHON


def test_messages_are_read_as_they_are_written() -> None:
    inner = number_field(1, 300) + packed_field(2, [1, 128, 70000])
    message = Message(bytes_field(7, inner) + bytes_field(9, b"text"))
    assert message.message(7).integer(1) == 300
    assert message.message(7).integers(2) == [1, 128, 70000]
    assert message.bytes(9) == b"text"
    assert message.integer(4, 5) == 5


@pytest.mark.parametrize("data", [b"\x08", b"\x08\xff", b"\x0b"])
def test_messages_that_are_none_are_refused(data: bytes) -> None:
    with pytest.raises(PjrtError, match="protocol buffers"):
        Message(data)


def options_message(**overrides: bytes) -> bytes:
    entries = (bytes_field(1, name.encode()) + bytes_field(2, value) for name, value in overrides.items())
    return b"".join(bytes_field(7, entry) for entry in entries)


def test_options_of_the_compiler_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_OPT_LEVEL", "1")
    text = options_message(xdsl_xla_threads=number_field(3, 2), xdsl_xla_pipeline=bytes_field(1, b"xla-cpu"), xla_x=b"")
    options = compile_options.read(text)
    assert options.options == {"threads": 2, "pipeline": "xla-cpu", "opt_level": 1}
    assert (options.replicas, options.partitions, options.devices) == (1, 1, [0])


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(PjrtError, match="no compiler option xdsl_xla_speed; there are xdsl_xla_threads"):
        compile_options.read(options_message(xdsl_xla_speed=number_field(3, 2)))


def test_options_of_xla_say_nothing_and_others_are_refused() -> None:
    options = {"xla_embed_ir_in_executable": number_field(2, 1), "optimization_level": number_field(3, 1)}
    assert compile_options.read(options_message(**options)).options == {}
    with pytest.raises(PjrtError, match="No such compile option: 'invalid_key'"):
        compile_options.read(options_message(invalid_key=b""))


def test_a_yes_or_no_of_xla_is_one() -> None:
    assert compile_options.read(options_message(xla_embed_ir_in_executable=bytes_field(1, b"True"))).options == {}
    with pytest.raises(PjrtError, match="'maybe' is not a valid bool value"):
        compile_options.read(options_message(xla_embed_ir_in_executable=bytes_field(1, b"maybe")))


def flags(folder: bytes) -> bytes:
    return bytes_field(3, bytes_field(3, bytes_field(109, folder)))


def test_where_xla_dumps_to_is_where_this_compiler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    option = options_message(xla_dump_to=bytes_field(1, b"/option"))
    assert compile_options.read(flags(b"")).options == {}
    assert compile_options.read(flags(b"/flags")).options == {"dump_dir": "/flags"}
    assert compile_options.read(flags(b"/flags") + option).options == {"dump_dir": "/option"}
    monkeypatch.setenv("XDSL_XLA_DUMP_DIR", "/variable")
    assert compile_options.read(flags(b"/flags")).options == {"dump_dir": "/variable"}
    own = options_message(xdsl_xla_dump_dir=bytes_field(1, b"/own"))
    assert compile_options.read(own + option).options == {"dump_dir": "/own"}
    with pytest.raises(PjrtError, match="a dump is a folder"):
        compile_options.read(flags(b"-"))


def test_options_that_change_programs_are_in_keys_of_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert options_suffix(b"") == options_suffix(flags(b"/somewhere")) == ""
    two = options_suffix(options_message(xdsl_xla_threads=number_field(3, 2)))
    three = options_suffix(options_message(xdsl_xla_threads=number_field(3, 3)))
    assert len({"", two, three}) == 3
    monkeypatch.setenv("XDSL_XLA_THREADS", "2")
    assert options_suffix(b"") == two


def test_a_wrong_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_THREADS", "many")
    with pytest.raises(PjrtError, match="threads: 'many'"):
        compile_options.read(b"")


def test_numbers_of_element_types() -> None:
    for dtype, number in ((np.bool_, 1), (np.int8, 2), (np.float32, 11), (np.complex128, 15)):
        assert element_types.number_of(np.dtype(dtype)) == number
        assert element_types.dtype_of(number) == dtype
    for number in (0, element_types.TOKEN, 99):
        with pytest.raises(PjrtError, match="element type"):
            element_types.dtype_of(number)


MESH = Mesh((("a", 2), ("b", 3)))


@pytest.mark.parametrize(
    "axes, dims, devices, is_replicated",
    [
        ((("a",), ("b",)), [2, 3], [0, 1, 2, 3, 4, 5], False),
        ((("b",), ()), [3, 1, 2], [0, 3, 1, 4, 2, 5], True),
        ((("b", "a"), ()), [6, 1], [0, 3, 1, 4, 2, 5], False),
    ],
)
def test_shardings_name_the_devices_of_each_tile(
    axes: tuple[tuple[str, ...], ...], dims: list[int], devices: list[int], is_replicated: bool
) -> None:
    dimensions = tuple(DimensionSharding(tuple(AxisRef(name) for name in names)) for names in axes)
    message = Message(sharding_bytes(Splitting((12, 12), Sharding(MESH, dimensions), 6)))
    assert message.integer(1) == 3
    assert message.integers(3) == dims
    assert message.integers(4) == devices
    assert message.integer(6) == is_replicated


def test_shardings_name_the_devices_of_terms_that_are_still_to_be_added() -> None:
    def message(*names: str, unreduced: str) -> Message:
        dimension = DimensionSharding(tuple(AxisRef(name) for name in names))
        sharding = Sharding(MESH, (dimension,), unreduced=(AxisRef(unreduced),))
        return Message(sharding_bytes(Splitting((12,), sharding, 6)))

    split = message("a", unreduced="b")
    assert (split.integers(3), split.integers(4), split.integers(8)) == ([2, 3], [0, 1, 2, 3, 4, 5], [6])
    copied = message(unreduced="a")
    assert (copied.integers(3), copied.integers(4), copied.integers(8)) == ([1, 3, 2], [0, 3, 1, 4, 2, 5], [0, 6])


def test_what_every_device_has_all_of_is_replicated() -> None:
    assert sharding_bytes(Splitting((4,), None, 2)) == number_field(1, 0)


def test_programs_for_several_devices_are_serialized_with_their_code() -> None:
    text = """
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
        %0 = stablehlo.negate %a : tensor<4xf32>
        return %0 : tensor<4xf32>
      }"""
    program = Program(xdsl_xla.compile(text, devices=2), compile_options.read(b""), b"not compiled again", b"")
    again = deserialized(serialized(program)).executable
    assert isinstance(again, ShardedExecutable)
    assert again(np.ones(4, np.float32))[0].tolist() == [-1] * 4


def test_what_is_read_to_be_dumped_is_compiled_anew(tmp_path: Path) -> None:
    text = b"func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"
    data = serialized(Program(xdsl_xla.compile(text.decode()), compile_options.read(b""), text, b""))
    option = options_message(xdsl_xla_dump_dir=bytes_field(1, bytes(tmp_path)))
    assert deserialized(data, option).option_bytes == option
    (folder,) = tmp_path.iterdir()
    assert list(folder.iterdir())


def test_what_calls_functions_of_this_process_is_not_serialized() -> None:
    name = f"{CALLBACK}test"
    custom_call(name)(np.negative)
    text = f"""
      func.func @main(%a: tensor<f32>) -> tensor<f32> {{
        %0 = stablehlo.custom_call @{name}(%a) : (tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }}"""
    program = Program(xdsl_xla.compile(text), compile_options.read(b""), b"", b"")
    with pytest.raises(PjrtError, match="'@main' cannot be serialized: it calls functions of this process"):
        serialized(program)


def test_runs_are_known_while_the_log_is_on() -> None:
    log, place = Log(), ctypes.c_size_t()
    log.connect(ctypes.addressof(place))
    assert log.end() == []
    kept, gone = log.enter(b"kept", 0), log.enter(b"gone", 1)
    log.note(b"before", [0], now())
    log.begin()
    table = RunLog.from_address(place.value)
    runs = (LoggedRun * 3).from_address(place.value + ctypes.sizeof(RunLog))
    runs[:] = [LoggedRun(gone, 10, 5), LoggedRun(kept, 20, 6), LoggedRun(0, 0, 0)]
    table.count = 3
    log.leave(gone)
    log.note(b"python", [2, 3], 7)
    found = log.end()
    assert found[:2] == [Run(b"gone", 1, 10, 5), Run(b"kept", 0, 20, 6)]
    assert [(run.program, run.device, run.start) for run in found[2:]] == [(b"python", 2, 7), (b"python", 3, 7)]
    log.begin()
    table.count = 1 << 60
    assert log.end() == []
    assert not place.value


def test_a_profile_has_a_plane_for_each_device() -> None:
    named = b"module @jit_f { func.func @main() { return } }"
    plain = b"func.func @other() { return }"
    message = Message(xspace([Run(named, 1, 130, 9), Run(plain, 0, 110, 2), Run(named, 1, 120, 7)], 100, 5000))
    first, second = message.messages(1)
    assert [plane.bytes(2) for plane in (first, second)] == [b"/device:CUSTOM:xdsl_xla:0", b"/device:CUSTOM:xdsl_xla:1"]
    assert [plane.message(4).message(2).bytes(2) for plane in (first, second)] == [b"other", b"jit_f"]
    line = second.message(3)
    assert line.integer(3) == 5000
    assert [(event.integer(2), event.integer(3)) for event in line.messages(4)] == [(20_000, 7_000), (30_000, 9_000)]


def test_a_profiler_says_what_is_wrong() -> None:
    kept = list[object]()

    def keep(made: Any) -> Any:
        kept.append(made)
        return made

    table = profiler.ProfilerApi.from_address(profiler.extension(keep).profiler_api)
    call = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p)
    words = (ctypes.c_size_t * 5)(40, 12345)
    error = call(table.start)(words)
    assert error
    words[2] = error
    assert call(table.error_message)(words) == 0
    assert b"KeyError" in ctypes.string_at(words[3], words[4])
    assert call(table.error_get_code)(words) == 0
    assert words[3] & 0xFFFFFFFF == Code.INTERNAL


def test_one_profiler_at_a_time_has_the_log() -> None:
    first, second = profiler.Profiler(), profiler.Profiler()
    first.start()
    second.start()
    second.stop()
    assert run_log.log.is_on
    first.stop()
    assert not run_log.log.is_on
    assert (first.data.raw, second.data.raw) == (b"", b"")
