"""Programs that are called often: machine code makes the call, Python what is unusual about one."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.runtime.buffers import ALIGNMENT, RECYCLED_BYTES, SMALL_BYTES
from xdsl_xla.runtime.executable import CALLS_IN_PYTHON, Executable
from xdsl_xla.runtime.native_call import _Caller  # pyright: ignore[reportPrivateUsage]

TYPES = {"f32": np.float32, "i8": np.int8, "complex<f64>": np.complex128, "bf16": ml_dtypes.bfloat16}
SHAPES = {"f32": (3, 4), "i8": (), "complex<f64>": (2, 1, 5), "bf16": (0, 7)}


def often_called(text: str, *arguments: Any) -> Executable:
    """The program of `text`, whose next call will be native if it can be."""
    executable = xdsl_xla.compile(text, threads=1)
    for _ in range(CALLS_IN_PYTHON):
        executable(*arguments)
    return executable


def native_call(executable: Executable) -> Any:
    """What makes its calls. CPython has it; other implementations lay objects out in their own way."""
    call = vars(executable)["_call_natively"]
    if call.__name__ == "_decline" and sys.implementation.name != "cpython":
        pytest.skip("objects are laid out in another way here")
    assert call.__name__ == "call"
    return call


def doubling(*types: str) -> str:
    """A program that doubles each argument."""
    tensors = [f"tensor<{''.join(f'{size}x' for size in SHAPES[type])}{type}>" for type in types]
    arguments = ", ".join(f"%x{i}: {tensor}" for i, tensor in enumerate(tensors))
    body = "\n".join(f"%y{i} = stablehlo.add %x{i}, %x{i} : {tensor}" for i, tensor in enumerate(tensors))
    values = ", ".join(f"%y{i}" for i in range(len(types)))
    result = ", ".join(tensors)
    return f"func.func @main({arguments}) -> ({result}) {{\n{body}\nreturn {values} : {result}\n}}"


def arrays() -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    return [generator.integers(-9, 9, SHAPES[name]).astype(dtype) for name, dtype in TYPES.items()]


def test_results() -> None:
    values = arrays()
    executable = often_called(doubling(*TYPES), *values)
    native = native_call(executable)
    calls: list[Any] = [native, executable]
    for call in calls:
        results: tuple[np.ndarray, ...] = call(*values)
        assert len(results) == len(values)
        for value, result in zip(values, results, strict=True):
            assert (result.shape, result.dtype) == (value.shape, value.dtype)
            assert result.flags.c_contiguous and result.flags.writeable and result.flags.aligned
            np.testing.assert_array_equal(result, value + value)


class Special(np.ndarray):
    pass


@pytest.mark.parametrize("position", range(len(TYPES)))
def test_what_needs_a_closer_look(position: int) -> None:
    values: list[Any] = list(arrays())
    executable = often_called(doubling(*TYPES), *values)
    native = native_call(executable)
    array = values[position]
    storage = np.zeros(array.nbytes + 17, np.uint8)
    unaligned = np.ndarray(array.shape, array.dtype, storage, (1 - storage.ctypes.data) % 16)
    strange: list[Any] = [
        None,
        3,
        array.tolist(),
        array[None],
        array.view(Special),
        np.zeros(array.shape, np.float64),
        unaligned,
        np.zeros((9, 9, 9), array.dtype),
    ]
    if array.size > 5:
        strange += [np.zeros(array.shape[::-1], array.dtype).T, array.astype(array.dtype.newbyteorder(">"))]
    for value in strange:
        values[position] = value
        assert native(*values) is None, value
    for value in (unaligned, array.astype(array.dtype.newbyteorder(">")) if array.dtype.isbuiltin == 1 else array):
        values[position] = value
        np.testing.assert_array_equal(executable(*values)[position], value + value)
    values[position] = np.zeros((9, 9, 9), array.dtype)
    with pytest.raises(xdsl_xla.ArgumentError, match=rf"argument {position} \('x{position}'\): expected tensor<"):
        executable(*values)
    with pytest.raises(xdsl_xla.ArgumentError, match="takes 4 arguments"):
        executable(*values[1:])
    assert native(*arrays(), values[0]) is None


@pytest.mark.parametrize("count", [1, SMALL_BYTES, SMALL_BYTES + 1, 4000, RECYCLED_BYTES])
def test_memory_of_results(count: int) -> None:
    """Large results are aligned, are recycled once they are gone, and none is the memory of another."""
    tensor = f"tensor<{count}xi8>"
    text = f"""func.func @main(%x: {tensor}) -> {tensor} {{
  %0 = stablehlo.add %x, %x : {tensor}
  return %0 : {tensor}
}}"""
    x = np.ones(count, np.int8)
    executable = often_called(text, x)
    native = native_call(executable)
    first, second = native(x)[0], native(x)[0]
    assert not np.may_share_memory(first, second)
    assert count <= SMALL_BYTES or first.ctypes.data % ALIGNMENT == 0
    first[:] = 7
    view = second[: count // 2 + 1]
    del second
    others = [native(x)[0] for _ in range(5)]
    assert not any(np.may_share_memory(view, other) for other in others)
    np.testing.assert_array_equal(view, 2)


def test_references() -> None:
    """Nothing is held longer than the caller holds it."""
    values = arrays()
    executable = often_called(doubling(*TYPES), *values)
    native_call(executable)
    objects = [None, *values, *(value.dtype for value in values), np.dtype(np.uint8)]

    def counts() -> list[int]:
        return [sys.getrefcount(item) for item in objects]

    before = counts()
    for _ in range(1000):
        executable(*values)
        executable(*values[:3], values[3].tolist() or values[3].copy())
    assert all(abs(after - count) < 100 for after, count in zip(counts(), before, strict=True))


def test_threads() -> None:
    """Calls at the same time do not share memory."""
    text = """func.func @main(%x: tensor<300xf32>, %n: tensor<i32>) -> tensor<300xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<300xf32>
    cond {
      %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %r = stablehlo.reverse %y, dims = [0] : tensor<300xf32>
      stablehlo.return %next, %r : tensor<i32>, tensor<300xf32>
    }
  return %0#1 : tensor<300xf32>
}"""
    steps = np.array(1001, np.int32)
    executable = often_called(text, np.zeros(300, np.float32), steps)
    native_call(executable)
    failures: list[int] = []

    def work(number: int) -> None:
        x = np.arange(300, dtype=np.float32) + 1000 * number
        for _ in range(50):
            if not np.array_equal(executable(x, steps)[0], x[::-1]):
                failures.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


@pytest.mark.parametrize(("size", "is_brief"), [(1, True), (1000, True), (10**6, False)])
def test_python_s_lock_is_kept_where_the_program_is_over_at_once(size: int, is_brief: bool) -> None:
    x = np.arange(size, dtype=np.float32)
    executable = often_called(
        f"func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{"
        f"%y = stablehlo.add %x, %x : tensor<{size}xf32>\n return %y : tensor<{size}xf32> }}",
        x,
    )
    assert vars(executable)["_brief"] is is_brief
    for array in (x, x[::-1], x + 1):
        np.testing.assert_array_equal(executable(array)[0], array + array)


def test_a_program_of_many_arguments() -> None:
    count = 20
    arguments = ", ".join(f"%x{i}: tensor<3xf32>" for i in range(count))
    sums = [f"%s{i} = stablehlo.add {f'%s{i - 1}' if i > 1 else '%x0'}, %x{i} : tensor<3xf32>" for i in range(1, count)]
    body = "\n".join(sums)
    text = f"func.func @main({arguments}) -> tensor<3xf32> {{\n{body}\nreturn %s{count - 1} : tensor<3xf32>\n}}"
    values: list[Any] = [np.arange(3, dtype=np.float32) + i for i in range(count)]
    wanted = sum(values)
    executable = often_called(text, *values)
    np.testing.assert_array_equal(native_call(executable)(*values)[0], wanted)
    values[7] = values[7].tolist()
    values[9] = np.repeat(values[9], 2)[::2]
    values[19] = values[19].astype(">f4")
    np.testing.assert_array_equal(executable(*values)[0], wanted)
    values[3] = np.zeros(4, np.float32)
    with pytest.raises(xdsl_xla.ArgumentError, match=r"argument 3 \('x3'\): expected tensor<3xf32>, got tensor<4xf32>"):
        executable(*values)


def test_no_arguments_or_results() -> None:
    constant = often_called(
        "func.func @main() -> tensor<2xf32> {\n%0 = stablehlo.constant dense<1.5> : tensor<2xf32>\n"
        "return %0 : tensor<2xf32>\n}"
    )
    np.testing.assert_array_equal(native_call(constant)()[0], 1.5)
    nothing = often_called("func.func @main(%x: tensor<2xf32>) { return }", np.zeros(2, np.float32))
    assert native_call(nothing)(np.zeros(2, np.float32)) == ()


def test_a_call_keeps_its_maker() -> None:
    """Threads that come first at once make one each; what they make outlives the maker that is not kept."""
    caller = _Caller()
    maker = weakref.ref(caller)
    call = caller.function([], [], caller.no_program, None, (0, 0, 0))
    del caller
    gc.collect()
    assert maker() is not None
    assert call() == ()
    del call
    gc.collect()
    assert maker() is None
