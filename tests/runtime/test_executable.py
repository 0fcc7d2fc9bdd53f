"""The executable on hand-written LLVM IR: arguments, outputs, arenas, threads."""

from __future__ import annotations

import array
import threading

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.dialects.llvm_parts import Part
from xdsl_xla.errors import ArgumentError, InternalError
from xdsl_xla.runtime.buffers import ALIGNMENT, INPUT_ALIGNMENT, RECYCLED_BYTES, SMALL_BYTES
from xdsl_xla.runtime.compiled_program import CompiledProgram
from xdsl_xla.runtime.engine import NativeCode, emit_assembly, emit_object, optimize
from xdsl_xla.runtime.executable import Executable
from xdsl_xla.runtime.llvm_pipeline import Options
from xdsl_xla.runtime.signature import Signature, TensorSpec
from xdsl_xla.runtime.teams.offer import are_wanted

SCALE = """
define void @scale(ptr %inputs, ptr %outputs, ptr %arena, ptr %context) {
  %x = load ptr, ptr %inputs
  %sp = getelementptr ptr, ptr %inputs, i64 1
  %s = load ptr, ptr %sp
  %y = load ptr, ptr %outputs
  %factor = load float, ptr %s
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %loop]
  %xi = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %xi
  %w = fmul float %v, %factor
  %ai = getelementptr inbounds float, ptr %arena, i64 %i
  store float %w, ptr %ai
  %r = load float, ptr %ai
  %yi = getelementptr inbounds float, ptr %y, i64 %i
  store float %r, ptr %yi
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 6
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""
"""out[2, 3] = in0[2, 3] * in1[], through the arena."""

COPY_BYTES = """
define void @copy(ptr %inputs, ptr %outputs, ptr %arena, ptr %context) {{
  %x = load ptr, ptr %inputs
  %y = load ptr, ptr %outputs
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 {size}, i1 false)
  ret void
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def spec(name: str, dtype: object, *shape: int) -> TensorSpec:
    return TensorSpec(name, shape, np.dtype(dtype))


def load(text: str, signature: Signature, **options: int) -> Executable:
    program = CompiledProgram([emit_object(optimize([Part(text)]))], signature.entry, signature)
    return Executable(NativeCode(program.objects, [program.symbol]), program._replace(**options))


def copy_of(dtype: object, *shape: int) -> Executable:
    """The identity on one tensor."""
    tensor = spec("x", dtype, *shape)
    text = COPY_BYTES.format(size=tensor.byte_size)
    return load(text, Signature("copy", (tensor,), (spec("y", dtype, *shape),)))


@pytest.fixture(scope="module")
def scale() -> Executable:
    signature = Signature(
        "scale",
        (spec("x", np.float32, 2, 3), spec("s", np.float32)),
        (spec("y", np.float32, 2, 3),),
    )
    return load(SCALE, signature, arena_bytes=24)


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_result_is_a_new_aligned_array(scale: Executable) -> None:
    (y,) = scale(X, np.float32(2))
    np.testing.assert_array_equal(y, 2 * X)
    assert (y.shape, y.dtype) == ((2, 3), np.float32)
    assert y.ctypes.data % INPUT_ALIGNMENT == 0
    assert y.flags.c_contiguous and y.flags.writeable
    (z,) = scale(X, 3.0)
    np.testing.assert_array_equal(y, 2 * X)
    np.testing.assert_array_equal(z, 3 * X)


@pytest.mark.parametrize(
    "x",
    [
        np.asfortranarray(X),
        np.repeat(X, 2, axis=1)[:, ::2],
        X[::-1, ::-1][::-1, ::-1],
        X.astype(">f4"),
        np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32).reshape(2, 3),
        np.arange(-1, 6, dtype=np.float32)[1:].reshape(2, 3),
        X.tolist(),
        ((0, 1, 2), (3, 4, 5)),
        memoryview(X),
    ],
    ids=[
        "fortran",
        "strided",
        "negative",
        "big-endian",
        "unaligned",
        "view",
        "floats",
        "ints",
        "buffer",
    ],
)
def test_any_layout_is_accepted(scale: Executable, x: object) -> None:
    np.testing.assert_array_equal(scale(x, 2)[0], 2 * X)


@pytest.mark.parametrize("size", [1, 64, 65, 1000, 300_000])
def test_results_of_more_than_a_few_vectors_begin_at_a_cache_line(size: int) -> None:
    text = f"""
    func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
      %0 = stablehlo.add %x, %x : tensor<{size}xf32>
      return %0 : tensor<{size}xf32>
    }}"""
    executable = xdsl_xla.compile(text, threads=1)
    x = np.arange(size, dtype=np.float32)
    results = [executable(x)[0] for _ in range(5)]
    for result in results:
        np.testing.assert_array_equal(result, 2 * x)
        assert result.ctypes.data % (ALIGNMENT if result.nbytes > SMALL_BYTES else INPUT_ALIGNMENT) == 0


def test_alignment_agrees_with_generated_code() -> None:
    from xdsl_xla.lowering.to_llvm.types import BUFFER_ALIGNMENT

    assert BUFFER_ALIGNMENT == INPUT_ALIGNMENT
    assert ALIGNMENT % BUFFER_ALIGNMENT == 0


def test_foreign_arrays() -> None:
    class OnlyDLPack:
        def __dlpack__(self, **options: object) -> object:
            return X.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return X.__dlpack_device__()

    class OnlyArray:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return X

    identity = copy_of(np.float32, 2, 3)
    np.testing.assert_array_equal(identity(OnlyDLPack())[0], X)
    np.testing.assert_array_equal(identity(OnlyArray())[0], X)
    np.testing.assert_array_equal(copy_of(np.int32, 3)(array.array("i", [1, 2, 3]))[0], [1, 2, 3])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X,), r"'@scale' takes 2 arguments \(x: tensor<2x3xf32>, s: tensor<f32>\), got 1"),
        ((X, 1.0, 2.0), "takes 2 arguments .*, got 3"),
        ((X.T, 1.0), r"argument 0 \('x'\): expected tensor<2x3xf32>, got tensor<3x2xf32>"),
        ((X.astype(np.float64), 1.0), "expected tensor<2x3xf32>, got tensor<2x3xf64>"),
        ((X, np.float64(1)), r"argument 1 \('s'\): expected tensor<f32>, got tensor<f64>"),
        ((X.astype(np.int32), 1.0), "got tensor<2x3xi32>"),
        ((X, 1j), "expected tensor<f32>, got a complex of complex128"),
        ((1.0, 1.0), r"expected tensor<2x3xf32>, got a float of shape \[\]"),
        (([[1, 2, 3], [4, 5]], 1.0), "got a ragged list"),
        ((X, "one"), "expected tensor<f32>, got"),
        ((X, None), "expected tensor<f32>, got a NoneType"),
    ],
)
def test_wrong_arguments(scale: Executable, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        scale(*arguments)


def test_python_numbers_keep_their_value() -> None:
    with pytest.raises(ArgumentError, match="out of range"):
        copy_of(np.int8)(300)
    with pytest.raises(ArgumentError, match="out of range"):
        copy_of(np.uint32)(-1)
    with pytest.raises(ArgumentError, match="got a float of float64"):
        copy_of(np.int32)(1.5)
    with pytest.raises(ArgumentError, match="got a int of int64"):
        copy_of(np.bool_)(2)
    assert copy_of(np.bool_)(True)[0].item() is True
    assert copy_of(np.complex64)(1.5)[0] == 1.5
    assert copy_of(ml_dtypes.bfloat16)(2)[0] == 2
    assert copy_of(ml_dtypes.int4)(-3)[0] == -3


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int64, np.float16, ml_dtypes.bfloat16, np.complex128])
@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (2, 1, 5)])
def test_every_rank_and_size(dtype: object, shape: tuple[int, ...]) -> None:
    x = (np.arange(np.prod(shape)).reshape(shape) % 2).astype(dtype)
    (y,) = copy_of(dtype, *shape)(x)
    assert (y.dtype, y.shape) == (x.dtype, x.shape)
    np.testing.assert_array_equal(y, x)


def test_large_outputs_reuse_memory_that_is_out_of_use() -> None:
    size = RECYCLED_BYTES // 4
    identity = copy_of(np.float32, size)
    ones = np.ones(size, np.float32)
    first, second = identity(ones)[0], identity(2 * ones)[0]
    view = first[5:9].reshape(2, 2)
    address = first.ctypes.data
    del first
    third = identity(3 * ones)[0]
    assert third.ctypes.data not in (address, second.ctypes.data)
    np.testing.assert_array_equal(view, np.ones((2, 2)))
    del view
    fourth = identity(4 * ones)[0]
    assert fourth.ctypes.data == address
    assert fourth.ctypes.data % ALIGNMENT == 0
    assert [float(array[-1]) for array in (second, third, fourth)] == [2, 3, 4]


def test_no_arguments_and_no_results() -> None:
    text = "define void @nothing(ptr %i, ptr %o, ptr %a, ptr %c) { ret void }"
    assert load(text, Signature("nothing", (), ()))() == ()


def test_calls_from_many_threads(scale: Executable) -> None:
    wrong: list[float] = []

    def work(factor: float) -> None:
        for _ in range(300):
            if not np.array_equal(scale(X, factor)[0], X * np.float32(factor)):
                wrong.append(factor)

    workers = [threading.Thread(target=work, args=(float(n),)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_context_holds_threads_and_constants() -> None:
    text = """
    define void @probe(ptr %inputs, ptr %outputs, ptr %arena, ptr %context) {
      %y = load ptr, ptr %outputs
      %threads = load i64, ptr %context
      store i64 %threads, ptr %y
      %slot = getelementptr i64, ptr %context, i64 2
      %table = load ptr, ptr %slot
      %second = getelementptr ptr, ptr %table, i64 1
      %constant = load ptr, ptr %second
      %value = load i64, ptr %constant
      %y1 = getelementptr i64, ptr %y, i64 1
      store i64 %value, ptr %y1
      %address = ptrtoint ptr %constant to i64
      %y2 = getelementptr i64, ptr %y, i64 2
      store i64 %address, ptr %y2
      ret void
    }"""
    signature = Signature("probe", (), (spec("y", np.int64, 3),))
    constants = [b"", (1234).to_bytes(8, "little")]
    probe = load(text, signature, threads=2, constants=constants)
    threads, value, address = probe()[0]
    assert (threads, value, address % 64) == (2, 1234, 0)
    assert probe.statistics.constant_bytes == 8


@pytest.mark.skipif(not are_wanted(), reason="no teams here")
def test_parallel_region() -> None:
    """Generated code reaches the threads of the process through the context."""
    text = """
    define internal void @body(ptr %y, i64 %thread, i64 %threads) {
      %is_first = icmp eq i64 %thread, 0
      br i1 %is_first, label %tell, label %end
    tell:
      %threads.32 = trunc i64 %threads to i32
      %second = getelementptr i32, ptr %y, i64 1
      store i32 7, ptr %y
      store i32 %threads.32, ptr %second
      br label %end
    end:
      ret void
    }
    define void @parallel(ptr %inputs, ptr %outputs, ptr %arena, ptr %context) {
      %y = load ptr, ptr %outputs
      %process.at = getelementptr i64, ptr %context, i64 1
      %process = load ptr, ptr %process.at
      %slot = getelementptr i64, ptr %process, i64 5
      %parallel = load ptr, ptr %slot
      call void %parallel(ptr @body, ptr %y, i64 2, ptr %context, ptr null)
      ret void
    }"""
    run = load(text, Signature("parallel", (), (spec("y", np.int32, 2),)), threads=2)
    np.testing.assert_array_equal(run()[0], [7, 2])


def test_defects_of_generated_code_are_internal_errors() -> None:
    with pytest.raises(InternalError, match="LLVM rejects"):
        optimize([Part("define void @f() { ret i32 0 }")])
    missing = """
    declare void @no_such_symbol()
    define void @f() {
      call void @no_such_symbol()
      ret void
    }"""
    with pytest.raises(InternalError, match="does not link"):
        NativeCode([emit_object(optimize([Part(missing)]))], ["f"])


def test_loops_are_vectorised_from_level_2_on() -> None:
    long = SCALE.replace("%next, 6", "%next, 60000").replace("store float %w, ptr %ai", "")
    assert "x float>" in str(optimize([Part(long)]))
    assert "x float>" not in str(optimize([Part(long)], Options(opt_level=1)))
    assert "scale:" in emit_assembly(optimize([Part(SCALE)], Options(opt_level=0)), Options(opt_level=0))


def test_code_outlives_other_code(scale: Executable) -> None:
    copies = [copy_of(np.float32, n) for n in range(1, 4)]
    del copies[0]
    np.testing.assert_array_equal(copies[0](np.ones(2, np.float32))[0], [1, 1])


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (np.float32, 1e300),
        (np.float16, 70000),
        (ml_dtypes.int4, 8),
        (ml_dtypes.float8_e4m3fn, 1000.0),
        (np.float32, 10**400),
    ],
)
def test_python_numbers_out_of_range_of_every_kind_of_element(dtype: type, value: float) -> None:
    with pytest.raises(ArgumentError, match=r"argument 0 .*out of range"):
        copy_of(dtype)(value)
