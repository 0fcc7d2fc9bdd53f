"""The C interface as a caller meets it: what it checks, what it says, what it needs, what it shows to the linker."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.runtime.ahead_of_time import feature_checks, layout
from xdsl_xla.runtime.ahead_of_time.header import header_text
from xdsl_xla.runtime.ahead_of_time.layout import Status
from xdsl_xla.runtime.ahead_of_time.library import PUBLIC
from xdsl_xla.runtime.ahead_of_time.linking import link
from xdsl_xla.runtime.ahead_of_time.wheel_runtime import Library, Model, ModelError, _buffers, _dtype, _Options
from xdsl_xla.runtime.element_types import EXTENSIONS, NATIVE, dtype_named
from xdsl_xla.runtime.target_machines import host_processor

from .building import CC, build, command, large, library_of, needs_compilers
from .building import run as run_driver

pytestmark = needs_compilers

ADD = """
func.func @main(%x: tensor<4xf32>, %y: tensor<2x2xi32>) -> (tensor<4xf32>, tensor<2x2xi32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.negate %y : tensor<2x2xi32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xi32>
}"""

ENDLESS = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %low = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.compare GE, %i, %low : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.and %i, %one : tensor<i32>
      %3 = stablehlo.xor %2, %one : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }
  return %0 : tensor<i32>
}"""

MAIN = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {"


def call_of(target: str, version: int, config: str = "") -> str:
    return f"""{MAIN}
      %0 = stablehlo.custom_call @{target}(%x) {{api_version = {version} : i32, backend_config = "{config}"}}
        : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""


def loaded(source: str, folder: Path, **options: Any) -> Library:
    path = folder / "libmodel.so"
    link(library_of(source, **options), path)
    return Library(path, "model")


def buffers(*arrays: np.ndarray) -> Any:
    return _buffers(arrays)


def options(**fields: Any) -> Any:
    return ctypes.byref(_Options(ctypes.sizeof(_Options), **fields))


def created(library: Library, given: Any = None) -> Any:
    context = ctypes.c_void_p()
    library.check(library.create(given, ctypes.byref(context)))
    return context


def aligned(count: int, dtype: Any, shift: int = 0) -> np.ndarray:
    storage = np.zeros(count * np.dtype(dtype).itemsize + 128, np.uint8)
    start = -storage.ctypes.data % 64 + shift
    return storage[start : start + count * np.dtype(dtype).itemsize].view(dtype)


@pytest.fixture(scope="module")
def add(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return loaded(ADD, tmp_path_factory.mktemp("add"))


def failure(action: Callable[[], object]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        action()
    return caught.value


def run(library: Library, context: Any, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
    library.check(library.run(context, buffers(*inputs), len(inputs), buffers(*outputs), len(outputs)))


def test_checks_of_buffers(add: Library) -> None:
    x, y, out0, out1 = aligned(4, "f4"), aligned(4, "i4"), aligned(4, "f4"), aligned(4, "i4")
    x[:], y[:] = [1, 2, 3, 4], [1, 2, 3, 4]
    context = created(add)
    run(add, context, [x, y], [out0, out1])
    assert out0.tolist() == [2, 4, 6, 8] and out1.tolist() == [-1, -2, -3, -4]
    cases = [
        ([x], [out0, out1], Status.ARGUMENT, "input: expected a table of 2, got one of 1"),
        ([x, y], [out0], Status.ARGUMENT, "output: expected a table of 2, got one of 1"),
        ([x[:3], y], [out0, out1], Status.SIZE, "input 0 ('x'): expected 16 bytes, got 12"),
        ([x, y], [out0, aligned(5, "i4")], Status.SIZE, "output 1 ('result1'): expected 16 bytes, got 20"),
        ([x, aligned(4, "i4", 4)], [out0, out1], Status.ALIGNMENT, "input 1 ('y'): no multiple of 16"),
        ([x, y], [out0, x.view("i4")], Status.OVERLAP, "output 1 shares memory with input 0"),
        ([x, y], [out0, out0.view("i4")], Status.OVERLAP, "output 1 shares memory with output 0"),
    ]
    for inputs, outputs, status, message in cases:
        error = failure(lambda inputs=inputs, outputs=outputs: run(add, context, inputs, outputs))
        assert (error.status, str(error)[: len(message)]) == (status, message)
    null = (ctypes.c_size_t * 4)(0, 16, y.ctypes.data, 16)
    assert add.run(context, null, 2, buffers(out0, out1), 2) == Status.ARGUMENT
    assert add.error_message() == b"input 0 ('x'): a null pointer"
    assert add.run(context, None, 2, buffers(out0, out1), 2) == Status.ARGUMENT
    assert add.run(None, buffers(x, y), 2, buffers(out0, out1), 2) == Status.ARGUMENT
    add.destroy(context)
    add.destroy(None)


def test_checks_of_options(add: Library) -> None:
    wrong_version = _Options(ctypes.sizeof(_Options) - 8)
    assert failure(lambda: created(add, ctypes.byref(wrong_version))).status == Status.VERSION
    assert "another version" in str(failure(lambda: created(add, ctypes.byref(wrong_version))))
    assert failure(lambda: created(add, options(threads=4097))).status == Status.ARGUMENT
    assert failure(lambda: created(add, options(threads=-1))).status == Status.ARGUMENT
    assert failure(lambda: created(add, options(num_functions=1))).status == Status.ARGUMENT
    assert add.create(None, None) == Status.ARGUMENT
    info = type(add.info)(8)
    assert add.get_info(ctypes.byref(info)) == Status.VERSION
    assert add.get_info(None) == Status.ARGUMENT


def test_the_structures_of_the_header(tmp_path: Path) -> None:
    """They lie as the code takes them."""
    fields = {
        "xla_options": {
            **{name: value for name, value in vars(layout).items() if name.startswith("OPTION_")},
            "": layout.OPTIONS_BYTES,
        },
        "xla_tensor": {"SIZE": layout.TENSOR_SIZE, "DONATED": layout.TENSOR_DONATED, "": layout.TENSOR_BYTES},
        "xla_buffer": {"SIZE": 8, "": layout.BUFFER_BYTES},
        "xla_info": {"": layout.INFO_BYTES},
    }
    lines = ['#include "model.h"']
    for structure, offsets in fields.items():
        for name, offset in offsets.items():
            field = name.removeprefix("OPTION_").lower()
            place = f"offsetof({structure}, {field})" if field else f"sizeof({structure})"
            lines.append(f'_Static_assert({place} == {offset}, "{structure} {field}");')
    (tmp_path / "model.h").write_text(header_text(library_of(ADD).tables))
    (tmp_path / "offsets.c").write_text("\n".join([*lines, "int main(void) { return 0; }"]))
    assert CC is not None and len(lines) > 12
    command([CC, "-std=c11", "-fsyntax-only", "offsets.c"], tmp_path)


def test_all_element_types_have_numpy_types() -> None:
    for name in (*NATIVE, *EXTENSIONS):
        assert _dtype(name) == dtype_named(name)


def test_info_and_messages(add: Library) -> None:
    assert (add.info.name, add.info.abi_version) == (b"model", 1)
    assert [str(spec) for spec in (*add.inputs, *add.outputs)] == ["tensor<4xf32>", "tensor<2x2xi32>"] * 2
    assert add.functions == []
    message = add._library.model_status_message
    message.restype = ctypes.c_char_p
    assert message(0) == b"success" and message(99) == b"an unknown status" and message(-1) == b"an unknown status"
    assert len({message(status) for status in Status}) == len(Status)


def test_only_the_interface_is_exported(tmp_path: Path) -> None:
    loaded(ADD, tmp_path)
    listed = command(["nm", "-D", "--defined-only", "libmodel.so"], tmp_path)
    assert sorted(line.split()[-1] for line in listed.splitlines()) == sorted(f"model_{name}" for name in PUBLIC)


def test_arena_of_the_caller(tmp_path: Path) -> None:
    library = loaded(f"{MAIN}\n{SORTED}", tmp_path, threads=1)
    size = library.info.arena_size
    assert size > 0
    memory = aligned(size + 64, "u1")
    for fields, status in (
        ({"arena": memory.ctypes.data, "arena_size": size - 1}, Status.SIZE),
        ({"arena": memory.ctypes.data + 32, "arena_size": size}, Status.ALIGNMENT),
    ):
        assert failure(lambda fields=fields: created(library, options(**fields))).status == status
    context = created(library, options(arena=memory.ctypes.data, arena_size=size))
    x, out = aligned(4, "f4"), aligned(4, "f4")
    x[:] = [1, 2, 3, 4]
    memory[size:] = 7
    run(library, context, [x], [out])
    assert (memory[size:] == 7).all()
    np.testing.assert_array_equal(out, xdsl_xla.compile(f"{MAIN}\n{SORTED}", threads=1)(x)[0])
    library.destroy(context)


SORTED = """
  %sorted = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = stablehlo.reshape %sorted : (tensor<4xf32>) -> tensor<2x2xf32>
  %p = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = stablehlo.dot_general %p, %b, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = stablehlo.reshape %q : (tensor<2x2xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""


def test_stop(tmp_path: Path) -> None:
    """Of the run with the memory of the context, and of one beside it; the context runs again afterwards."""
    model = Model(loaded(ENDLESS, tmp_path))
    statuses: list[int] = []
    threads = [
        threading.Thread(target=lambda: statuses.append(failure(lambda: model(np.int32(1))).status)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        model.stop()
        time.sleep(0.01)
    assert statuses == [Status.STOPPED] * 2
    assert model(np.int32(-1))[0] == -1


def test_a_context_whose_arena_is_taken(tmp_path: Path) -> None:
    library = loaded(ENDLESS, tmp_path)
    memory = aligned(library.info.arena_size + 64, "u1")
    context = created(library, options(arena=memory.ctypes.data, arena_size=memory.nbytes))
    x, out, other = aligned(1, "i4"), aligned(1, "i4"), aligned(1, "i4")
    x[:] = 1
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(library.run(context, buffers(x), 1, buffers(out), 1)))
    thread.start()
    busy = library.run(context, buffers(aligned(1, "i4") - 1), 1, buffers(other), 1)
    while busy != Status.BUSY and thread.is_alive():
        busy = library.run(context, buffers(aligned(1, "i4") - 1), 1, buffers(other), 1)
    assert busy == Status.BUSY
    while thread.is_alive():
        library.stop(context)
    assert statuses == [Status.STOPPED]


def test_large_constants(tmp_path: Path) -> None:
    """They are in the library, or in a file that belongs to it."""
    x = np.ones((300, 40), np.float32)
    wanted = xdsl_xla.compile(large())(x)
    linked = loaded(large(), tmp_path)
    assert linked.info.constants_size > 48000
    for got, expected in zip(Model(linked)(x), wanted, strict=True):
        np.testing.assert_array_equal(got, expected)
    apart = library_of(large(), "apart", constants_in_file=True)
    link(apart, tmp_path / "libapart.so")
    assert (tmp_path / "libapart.so").stat().st_size < (tmp_path / "libmodel.so").stat().st_size - 48000
    library = Library(tmp_path / "libapart.so", "apart")
    assert apart.constants_file is not None
    file = aligned(len(apart.constants_file), "u1")
    file[:] = np.frombuffer(apart.constants_file, np.uint8)
    given = {"constants": file.ctypes.data, "constants_size": file.nbytes}
    context = created(library, options(**given))
    out, other = aligned(12000, "f4"), aligned(700, "i8")
    run(library, context, [x], [out, other])
    assert out.tobytes() == wanted[0].tobytes() and other.tobytes() == wanted[1].tobytes()
    library.destroy(context)
    assert failure(lambda: created(library)).status == Status.ARGUMENT
    assert failure(lambda: created(library, options(**{**given, "constants_size": 9}))).status == Status.SIZE
    unaligned = {**given, "constants": file.ctypes.data + 16}
    assert failure(lambda: created(library, options(**unaligned))).status == Status.ALIGNMENT
    file[40] ^= 1
    assert "not the" in str(failure(lambda: created(library, options(**given))))


C_TARGETS = """\
#include <stddef.h>
#include "custom_call_status.h"
void twice(void *out, void **in) {
  for (int i = 0; i < 4; ++i) ((float *)out)[i] = 2 * ((float *)in[0])[i];
}
void checked(void *out, void **in, XlaCustomCallStatus *status) {
  twice(out, in);
  if (((float *)in[0])[0] < 0) XlaCustomCallStatusSetFailure(status, "negative: no", 8);
}
void told(void *out, void **in, const char *opaque, size_t length, XlaCustomCallStatus *status) {
  (void)status;
  for (int i = 0; i < 4; ++i) ((float *)out)[i] = ((float *)in[0])[i] + (float)length + (float)opaque[0];
}
"""


def test_custom_calls(tmp_path: Path) -> None:
    """Of C functions: registered with a context, or linked; those that report failures, and those with a string."""
    (tmp_path / "targets.c").write_text(C_TARGETS)
    include = Path(xdsl_xla.__file__).parent / "runtime"
    assert CC is not None
    command([CC, "-shared", "-fPIC", f"-I{include}", "targets.c", "-o", "libtargets.so"], tmp_path)
    targets = ctypes.CDLL(str(tmp_path / "libtargets.so"))
    x = np.array([1, 2, 3, 4], np.float32)
    library = loaded(call_of("twice", 1), tmp_path, custom_calls=["twice"])
    assert library.functions == ["twice"]
    assert "the function 'twice'" in str(failure(lambda: Model(library)))
    assert failure(lambda: Model(library)).status == Status.FUNCTION
    assert Model(library, functions={"twice": targets.twice})(x)[0].tolist() == [2, 4, 6, 8]
    link(
        library_of(call_of("twice", 1), "linked", custom_calls=["twice"]),
        tmp_path / "liblinked.so",
        libraries=["targets"],
        compiler=f"{CC} -L{tmp_path} -Wl,-rpath,{tmp_path}",
    )
    assert Model(Library(tmp_path / "liblinked.so", "linked"))(x)[0].tolist() == [2, 4, 6, 8]
    path = tmp_path / "libchecked.so"
    link(library_of(call_of("checked", 2), "checked_call", custom_calls=["checked"]), path)
    checked = Model(Library(path, "checked_call"), functions={"checked": targets.checked})
    assert checked(x)[0].tolist() == [2, 4, 6, 8]
    error = failure(lambda: checked(-x))
    assert (error.status, str(error)) == (Status.PROGRAM, "custom call target @checked failed: negative")
    assert checked(x)[0].tolist() == [2, 4, 6, 8]
    path = tmp_path / "libtold.so"
    link(library_of(call_of("told", 3, "abc"), "told_call", custom_calls=["told"]), path)
    told = Model(Library(path, "told_call"), functions={"told": targets.told})
    assert told(x)[0].tolist() == [101, 102, 103, 104]


def test_random_numbers(tmp_path: Path) -> None:
    """Those of an executable with the same seed, call by call."""
    source = """func.func @main() -> tensor<5xf32> {
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %s = stablehlo.constant dense<5> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<5xf32>
      return %0 : tensor<5xf32>
    }"""
    executable, library = xdsl_xla.compile(source, seed=-3), loaded(source, tmp_path)
    model = Model(library, seed=-3)
    for _ in range(3):
        np.testing.assert_array_equal(model()[0], executable()[0])
    assert (Model(library, seed=4)()[0] != Model(library, seed=5)()[0]).any()


def test_a_broken_rule_of_shapes(tmp_path: Path) -> None:
    """The message is that of an executable."""
    source = """func.func @main(%x: tensor<6xi32>, %s: tensor<2xi64>) -> tensor<2x3xi32> {
      %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x3xi32>
      return %0 : tensor<2x3xi32>
    }"""
    x = np.arange(6, dtype=np.int32)
    executable, model = xdsl_xla.compile(source), Model(loaded(source, tmp_path))
    assert model(x, np.int64([2, 3]))[0].tolist() == [[0, 1, 2], [3, 4, 5]]
    for shape in ([2, 2], [-2, -3], [3, 2]):
        with pytest.raises(xdsl_xla.XlaError) as wanted:
            executable(x, np.int64(shape))
        error = failure(lambda shape=shape: model(x, np.int64(shape)))
        assert (error.status, str(error)) == (Status.PROGRAM, str(wanted.value))
    assert model(x, np.int64([2, 3]))[0].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_sizes_of_bounded_dimensions(tmp_path: Path) -> None:
    """They are numbers beside the padded tensor."""
    source = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
      %0 = stablehlo.set_dimension_size %x, %n, dim = 0
        : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
      return %0 : tensor<?xf32, #stablehlo.bounds<4>>
    }"""
    x = np.arange(4, dtype=np.float32)
    values, size = Model(loaded(source, tmp_path))(x, np.int32(3))
    assert size == 3
    np.testing.assert_array_equal(values[:3], xdsl_xla.compile(source)(x, np.int32(3))[0])


def test_donation(tmp_path: Path) -> None:
    source = """func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    library = loaded(source, tmp_path, donate=True)
    assert library.outputs[0].donated == 0
    context, x = created(library), aligned(4, "f4")
    x[:] = 1
    run(library, context, [x], [x])
    assert x.tolist() == [2, 2, 2, 2]
    error = failure(lambda: run(library, context, [x], [aligned(4, "f4")]))
    assert str(error) == "output 0 takes the memory of input 0: both must be the same buffer"
    assert Model(library)(x)[0].tolist() == [4, 4, 4, 4] and x.tolist() == [2, 2, 2, 2]


def test_one_context_for_many_threads(tmp_path: Path) -> None:
    source = """func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
        : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
        : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = stablehlo.exponential %1 : tensor<64x64xf32>
      return %2 : tensor<64x64xf32>
    }"""
    library = loaded(source, tmp_path, threads=2)
    model, random = Model(library), np.random.default_rng(0)
    inputs = [random.normal(size=(64, 64)).astype(np.float32) for _ in range(4)]
    wanted = [model(x)[0].tobytes() for x in inputs]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(50):
            if model(inputs[number])[0].tobytes() != wanted[number]:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_another_cpu_is_an_error(tmp_path: Path) -> None:
    """The library notices before it runs an instruction that this CPU has not."""
    host = host_processor()
    if not host.triple.startswith("x86_64"):
        pytest.skip("features of x86-64")
    lacking = [
        feature
        for table in feature_checks.X86.values()
        for feature in table
        if f"+{feature}" not in host.features.split(",")
    ]
    if not lacking:
        pytest.skip("this CPU has all of them")
    library = loaded(ADD, tmp_path, features=f"+{lacking[-1]}")
    error = failure(lambda: Model(library))
    assert (error.status, str(error)) == (
        Status.PROCESSOR,
        f"the library was compiled for a CPU with {lacking[-1]}, which this one has not",
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (call_of("python_only", 4), "custom call target @python_only is carried out by Python"),
        (
            call_of("nobody_knows", 1),
            "@nobody_knows is not known; if it is a C function, say so: --custom-call nobody_",
        ),
        (
            """func.func @main(%t: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
              %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
              return %0#0, %0#1 : tensor<f32>, !stablehlo.token
            }""",
            "op stablehlo.infeed is carried out by Python",
        ),
    ],
)
def test_what_needs_python_is_refused(source: str, message: str) -> None:
    @xdsl_xla.custom_call("python_only")
    def _(x: np.ndarray) -> np.ndarray:
        return x

    with pytest.raises(xdsl_xla.UnsupportedError, match=message) as caught:
        library_of(source)
    assert caught.value.location is not None and caught.value.location.startswith("<text>:")


def test_valgrind_finds_nothing(tmp_path: Path) -> None:
    """The C driver, with code that valgrind knows."""
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    library = library_of(ADD, cpu="x86-64" if host_processor().triple.startswith("x86_64") else "generic", threads=1)
    drivers = build(library, tmp_path)
    tool = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", str(drivers["C"])]
    inputs = [np.arange(4, dtype=np.float32), np.arange(4, dtype=np.int32)]
    results = run_driver(tool, library, inputs, tmp_path, 1)
    assert results == [(2 * inputs[0]).tobytes(), (-inputs[1]).tobytes()]


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    """The C driver with GCC's address and undefined-behaviour sanitizers."""
    flags = ["-fsanitize=address,undefined"]
    probe = subprocess.run(
        [CC or "cc", *flags, "-x", "c", "-", "-o", "probe"],
        input="int main(void){return 0;}",
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=False,
    )
    if probe.returncode:
        pytest.skip("no sanitizers")
    library = library_of(f"{MAIN}\n{SORTED}", threads=1)
    drivers = build(library, tmp_path, flags=flags)
    x = np.array([3, 1, 2, 4], np.float32)
    wanted = xdsl_xla.compile(f"{MAIN}\n{SORTED}", threads=1)(x)[0].tobytes()
    assert run_driver([str(drivers["C"])], library, [x], tmp_path, 1) == [wanted]
