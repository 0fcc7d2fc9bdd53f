"""Parallel loops of a library: with OpenMP's threads, with those of the caller, and without, the same bits."""

from __future__ import annotations

import ctypes
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.runtime.ahead_of_time.layout import Status
from xdsl_xla.runtime.ahead_of_time.linking import link
from xdsl_xla.runtime.ahead_of_time.wheel_runtime import Library, Model, ModelError

from .building import library_of, needs_compilers

pytestmark = needs_compilers

SIZE = 192

SOURCE = f"""
func.func @main(%x: tensor<{SIZE}x{SIZE}xf32>) -> (tensor<{SIZE}x{SIZE}xf32>, tensor<f32>) {{
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<{SIZE}x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
    : (tensor<{SIZE}x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<{SIZE}x{SIZE}xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<{SIZE}x{SIZE}xf32>, tensor<f32>
}}"""

X = np.random.default_rng(0).normal(size=(SIZE, SIZE)).astype(np.float32)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Without libgomp, so that it runs on what is registered."""
    library = library_of(SOURCE, threads=2)
    assert any(symbol.endswith("xrt.fork") for each in library.objects for symbol in each.symbols)
    path = tmp_path_factory.mktemp("parallel") / "libmodel.so"
    link(library, path, openmp=False)
    return Library(path, "model")


def wanted() -> list[bytes]:
    return [result.tobytes() for result in xdsl_xla.compile(SOURCE, threads=2)(X)]


def results(model: Model) -> list[bytes]:
    return [result.tobytes() for result in model(X)]


def test_as_many_threads_as_asked_for(built: Library) -> None:
    assert results(Model(built)) == wanted()
    assert results(Model(built, threads=1)) == wanted()
    with pytest.raises(ModelError) as caught:
        Model(built, threads=3)
    assert (caught.value.status, str(caught.value)) == (
        Status.ARGUMENT,
        "3 threads, but the library was compiled for 1 to 2",
    )


def test_threads_of_the_caller(built: Library) -> None:
    """A runtime that runs all parts on the thread of the caller, one after the other, serves too."""
    number, calls = [0], [0]

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)
    def parallel(function: int, data: int, threads: int, flags: int) -> None:
        calls[0] += 1
        for number[0] in reversed(range(threads)):
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)(data)

    thread_number = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: number[0])
    thread_count = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 2)
    functions = {"GOMP_parallel": parallel, "omp_get_thread_num": thread_number, "omp_get_num_threads": thread_count}
    assert results(Model(built, functions=functions)) == wanted()
    assert calls[0] > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_after_a_fork(built: Library) -> None:
    """The child has none of the threads, and computes the same on one."""
    model = Model(built)
    expected = results(model)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, pickle.dumps(results(model) == expected))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pickle.loads(pipe.read()) is True
    os.waitpid(child, 0)


SINGULAR_VALUES = """
func.func @main(%a: tensor<8x4xf32>) -> tensor<4xf32> {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}}
    : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}"""


def test_routines_of_lapack(tmp_path: Path) -> None:
    """Those of SciPy are what executables call; without one the context says which is missing."""
    path = tmp_path / "libmodel.so"
    link(library_of(SINGULAR_VALUES, threads=1), path)
    found = Library(path, "model")
    assert found.functions == ["sgesdd"]
    context = ctypes.c_void_p()
    assert found.create(None, ctypes.byref(context)) == Status.FUNCTION
    assert b"'sgesdd'" in found.error_message()
    x = np.random.default_rng(0).normal(size=(8, 4)).astype(np.float32)
    assert Model(found)(x)[0].tobytes() == xdsl_xla.compile(SINGULAR_VALUES, threads=1)(x)[0].tobytes()
