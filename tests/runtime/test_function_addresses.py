"""The address of a function, and nothing that keeps it."""

from __future__ import annotations

import ctypes
import gc

import numpy as np
import xdsl_xla
from xdsl_xla.runtime.function_addresses import function_address

ADD = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}"""


def test_functions_and_pointers() -> None:
    kind = ctypes.CFUNCTYPE(ctypes.c_int)
    assert function_address(kind(0x1230)) == 0x1230
    assert function_address(ctypes.c_void_p(0x4560)) == 0x4560
    assert function_address(ctypes.c_void_p()) == 0
    function = ctypes.CDLL(None).getpid
    assert function_address(function) == ctypes.cast(function, ctypes.c_void_p).value


def test_nothing_is_left_to_collect() -> None:
    def compile_and_call() -> None:
        program = xdsl_xla.compile(ADD)
        for _ in range(5):
            np.testing.assert_array_equal(program(np.ones(4, np.float32))[0], np.full(4, 2, np.float32))

    compile_and_call()
    gc.collect()
    flags = gc.get_debug()
    try:
        xdsl_xla.compile(ADD)(np.ones(4, np.float32))
        gc.collect()
        program = xdsl_xla.compile(ADD)
        entry = program.entry_point
        assert entry is not None
        gc.set_debug(gc.DEBUG_SAVEALL)
        del program, entry
        gc.collect()
        left = [each for each in gc.garbage if "CFunctionType" in type(each).__name__]
    finally:
        gc.set_debug(flags)
        gc.garbage.clear()
    assert not left
