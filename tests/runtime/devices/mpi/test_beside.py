"""Asynchronous ops in jobs."""

from __future__ import annotations

from .conftest import Job

BESIDE = """
import time
import numpy as np
import xdsl_xla
from xdsl_xla.runtime.devices.mpi.run import local_devices

began = []

@xdsl_xla.custom_call("note")
def note(x):
    began.append(time.monotonic())
    return x

TEXT = '''
func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<6xf32>):
    %r = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    stablehlo.return %r : tensor<6xf32>
  }) : (tensor<6xf32>) -> !stablehlo.future<tensor<6xf32>>
  %n = stablehlo.custom_call @note(%x) {has_side_effect = true} : (tensor<6xf32>) -> tensor<6xf32>
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<6xf32>>) -> tensor<6xf32>
  return %d, %n : tensor<6xf32>, tensor<6xf32>
}'''
program = xdsl_xla.compile(TEXT, replicas=2, threads=1, filename="beside.mlir")
(device,) = local_devices(program)
values = np.full(6, device + 1, np.float32)

def run(limit=60.0):
    return xdsl_xla.run_on_mpi(program, [[values]], collective_timeout=limit)

"""


def test_asynchronous_ops_run_beside_the_program(script: Job) -> None:
    """What follows the start of one does not wait until the other process comes."""
    text = """
for _ in range(5):
    ((total, same),) = run()
    assert (total == 3).all() and (same == values).all()
if device:
    time.sleep(2)
start = time.monotonic()
run()
end = time.monotonic()
say("ENDED", device)
if not device:
    assert end - start > 1 and began[-1] - start < (end - start) / 2, (start, began[-1], end)
"""
    done = script(2, BESIDE + text)
    assert done.code == 0 and done.said.count("ENDED") == 2, done.output


def test_an_asynchronous_op_that_waits_in_vain_is_named(script: Job) -> None:
    text = """
if device:
    local_devices(program, 2.0)
    time.sleep(90)
try:
    run(2.0)
except Exception as error:
    say("RAISED", type(error).__name__, error)
    raise
"""
    done = script(2, BESIDE + text)
    assert "RAISED ProgramTimeoutError beside.mlir:5" in done.said or "RAISED ProgramTimeoutError" in done.said, (
        done.output
    )
    assert "has waited 2 seconds in" in done.said and "did not come: (1, 0)" in done.said, done.said
