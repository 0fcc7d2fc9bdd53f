"""Whatever is interrupted, wherever: nothing stays locked, no thread is waited for, the next call gives its values."""

from __future__ import annotations

from pathlib import Path

import pytest
from script_processes import run_script

PRELUDE = f"""
import os, sys
sys.path.append({str(Path(__file__).parent)!r})
import numpy as np
import xdsl_xla
from interrupted_calls import interruptions

RUNTIME = ("threading.py", "llvmlite/binding/ffi.py", "locks.py", "nesting.py") + tuple(
    name for name in os.listdir(os.path.join(os.path.dirname(xdsl_xla.__file__), "runtime")) if name.endswith(".py"))

sys.unraisablehook = lambda _: None  # what is raised while an object is destroyed goes no further
x = np.eye(4, dtype=np.float32)

def everywhere(call, expected, step=1, files=RUNTIME):
    assert np.array_equal(call(), expected)
    count = sum(1 for _ in interruptions(call, files, step))
    assert count > 20, count
    assert np.array_equal(call(), expected)
    print("DONE")
"""

PRODUCT = """
func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0]
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.negate %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}"""

CALLED = """
func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %1 = stablehlo.custom_call @twice(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.add %1, %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}"""

ALL_REDUCE = """
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "stablehlo.all_reduce"(%0) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}"""

SHARDED = """
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}"""


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_compilations(threads: int) -> None:
    run_script(
        PRELUDE,
        f"everywhere(lambda: xdsl_xla.compile({PRODUCT!r}, threads={threads}, cache=False)(x)[0], -x, 5)",
    )


@pytest.mark.slow
def test_compilations_that_are_kept(tmp_path: Path) -> None:
    run_script(
        PRELUDE,
        f"""
        numbers = iter(range(10**6))

        def compile():
            executable = xdsl_xla.compile({PRODUCT!r}.replace("main", f"f{{next(numbers) // 3}}"))
            return executable(x)[0]

        everywhere(compile, -x, 9)
        """,
        XDSL_XLA_CACHE="1",
        XDSL_XLA_CACHE_DIR=str(tmp_path),
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_calls(threads: int) -> None:
    run_script(
        PRELUDE,
        f"""
        executable = xdsl_xla.compile({PRODUCT!r}, threads={threads})
        everywhere(lambda: executable(x)[0], -x)
        """,
    )


def test_call_targets() -> None:
    run_script(
        PRELUDE,
        f"""
        @xdsl_xla.custom_call("twice")
        def twice(y):
            return 2 * y

        executable = xdsl_xla.compile({CALLED!r})
        everywhere(lambda: executable(x)[0], 4 * x)
        """,
    )


DEVICES = '("threading.py", "device_grid.py", "workers.py", "grid.py", "local.py", "sharding/executable.py")'


@pytest.mark.slow
def test_grids() -> None:
    run_script(
        PRELUDE,
        f"""
        executable = xdsl_xla.compile({ALL_REDUCE!r})
        everywhere(lambda: xdsl_xla.run_grid(executable, [[[x], [x]]])[0][0][0], 2 * x, files={DEVICES})
        """,
    )


@pytest.mark.slow
def test_sharded_programs() -> None:
    run_script(
        PRELUDE,
        f"""
        executable = xdsl_xla.compile({SHARDED!r}, devices=2)
        everywhere(lambda: executable(x)[0], np.ones(4), files={DEVICES})
        """,
    )
