"""Programs that measure themselves."""

from __future__ import annotations

import time

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.profiling import EVENTS
from xdsl_xla.errors import ArgumentError
from xdsl_xla.runtime.profiles import seconds_per_count

LAYERS = """
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>)
      -> tensor<128x128xf32> loc("jit(f)/dot_general"("layer"("net.py":4:6)))
  %1 = stablehlo.sine %0 : tensor<128x128xf32> loc("jit(f)/sin"("layer"("net.py":5:6)))
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>)
      -> tensor<128x128xf32> loc("jit(f)/dot_general"("layer"("net.py":4:6)))
  return %2 : tensor<128x128xf32>
}
"""

LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.cosine %y : tensor<64xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<64xf32>
    }
  return %0#1 : tensor<64xf32>
}
"""

SQUARE = np.full((128, 128), 0.01, np.float32)


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_are_counted_and_their_times_add_up(threads: int) -> None:
    executable = xdsl_xla.compile(LAYERS, threads=threads, profile=True)
    start = time.perf_counter()
    profile = executable.profile(SQUARE, SQUARE, runs=20)
    elapsed = time.perf_counter() - start
    assert (profile.runs, profile.threads) == (20, executable.statistics.threads)
    assert 0 < sum(each.seconds for each in profile.sites) <= profile.seconds < elapsed
    assert all(each.calls == 20 for each in profile.sites)
    assert profile.other_seconds == pytest.approx(profile.seconds - sum(each.seconds for each in profile.sites))
    lines = {each.site.line for each in profile.sites}
    assert "net.py:4" in lines
    assert all(each.site.text.startswith("<text>:") for each in profile.sites)
    np.testing.assert_array_equal(executable(SQUARE, SQUARE), xdsl_xla.compile(LAYERS, threads=threads)(SQUARE, SQUARE))


def test_equal_kernels_are_one_with_several_sites() -> None:
    profile = xdsl_xla.compile(LAYERS, threads=1, profile=True).profile(SQUARE, SQUARE)
    assert len(profile.kernels) < len(profile.sites) or len(profile.sites) == 2
    assert sum(each.calls for each in profile.kernels.values()) == sum(each.calls for each in profile.sites)
    times = [each.seconds for each in profile.kernels.values()]
    assert times == sorted(times, reverse=True)


def test_calls_one_by_one_lie_in_their_run() -> None:
    profile = xdsl_xla.compile(LAYERS, threads=1, profile=True).profile(SQUARE, SQUARE, runs=3)
    runs = [call for call in profile.calls if not call.site.callee]
    assert len(runs) == 3
    for call in profile.calls:
        assert any(run.start <= call.start <= call.end <= run.end for run in runs)
    assert 0 < profile.fastest[""] == min(run.end - run.start for run in runs)
    starts = [call.start for call in profile.calls]
    assert starts == sorted(starts) and starts[0] == 0


def test_calls_in_loops_are_counted_and_only_the_last_ones_kept() -> None:
    trips = EVENTS + 100
    profile = xdsl_xla.compile(LOOP, threads=1, profile=True).profile(np.int32(trips), np.ones(64, np.float32))
    assert max(each.calls for each in profile.sites) == trips
    assert len(profile.calls) == EVENTS
    assert any(not call.site.callee for call in profile.calls)


def test_each_profile_begins_anew() -> None:
    executable = xdsl_xla.compile(LAYERS, threads=1, profile=True)
    first, second = (executable.profile(SQUARE, SQUARE, runs=runs) for runs in (7, 2))
    assert (first.runs, second.runs) == (7, 2)
    assert {each.calls for each in second.sites} == {2}


def test_targets_of_calls_are_measured() -> None:
    @xdsl_xla.custom_call("profiles.slow")
    def slow(x: np.ndarray) -> np.ndarray:
        time.sleep(0.02)
        return x + 1

    executable = xdsl_xla.compile(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.custom_call @profiles.slow(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}",
        profile=True,
    )
    profile = executable.profile(np.zeros(4, np.float32), runs=2)
    measured = profile.kernels["profiles.slow"]
    assert measured.calls == 2 and 0.04 <= measured.seconds < profile.seconds


def test_the_counter_counts_the_time() -> None:
    assert 1e-11 < seconds_per_count() < 1e-6


def test_wrong_uses_are_errors() -> None:
    plain, measured = xdsl_xla.compile(LAYERS), xdsl_xla.compile(LAYERS, profile=True)
    with pytest.raises(ArgumentError, match="not compiled with profile=True"):
        plain.profile(SQUARE, SQUARE)
    with pytest.raises(ArgumentError, match="runs"):
        measured.profile(SQUARE, SQUARE, runs=0)
    with pytest.raises(ArgumentError, match="takes 2 arguments"):
        measured.profile(SQUARE)
    with pytest.raises(ArgumentError, match="profile"):
        xdsl_xla.compile(LAYERS, profile=1)  # pyright: ignore[reportArgumentType]
