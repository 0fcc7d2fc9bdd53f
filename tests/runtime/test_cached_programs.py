"""The compile cache by kinds of programs: what is found again is the same program."""

from __future__ import annotations

import sys

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.reference import lapack_addresses
from xdsl_xla.reference.custom_calls import TARGETS

X = np.float32([1, 2, 3])

pytestmark = pytest.mark.usefixtures("cache")


MIXED = """
func.func @main(%x: tensor<2xbf16>, %t: tuple<tensor<i4>, !stablehlo.token>, %b: tensor<?xi32, #stablehlo.bounds<4>>)
    -> (tensor<2xbf16>, tuple<tensor<i4>, !stablehlo.token>, tensor<?xi32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.add %x, %x : tensor<2xbf16>
  %1 = stablehlo.add %b, %b : tensor<?xi32, #stablehlo.bounds<4>>
  return %0, %t, %1
    : tensor<2xbf16>, tuple<tensor<i4>, !stablehlo.token>, tensor<?xi32, #stablehlo.bounds<4>>
}"""


def test_tuples_bounds_and_narrow_types() -> None:
    for hit in (False, True):
        executable = xdsl_xla.compile(MIXED)
        assert executable.is_from_cache is hit
        x, (i, token), b = executable(
            np.ones(2, ml_dtypes.bfloat16), (np.array(3, ml_dtypes.int4), None), np.arange(3, dtype=np.int32)
        )
        assert x.dtype == ml_dtypes.bfloat16 and x.tolist() == [2, 2]
        assert int(i) == 3 and repr(token) == "token"
        np.testing.assert_array_equal(b, [0, 2, 4])


def test_large_constants() -> None:
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    text = f"""
    func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {{
      %c = stablehlo.constant dense<"0x{values.tobytes().hex()}"> : tensor<1000xf32>
      %0 = stablehlo.add %x, %c : tensor<1000xf32>
      return %0 : tensor<1000xf32>
    }}"""
    for hit in (False, True):
        executable = xdsl_xla.compile(text)
        assert executable.is_from_cache is hit
        assert executable.statistics.constant_bytes == 4000
        np.testing.assert_array_equal(executable(np.zeros(1000, np.float32))[0], values)


CALL = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @cached_target(%x) {backend_config = {by = 3.0 : f32}, api_version = 4 : i32}
    : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


def test_call_targets_are_found_when_the_program_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError):
        xdsl_xla.compile(CALL)
    monkeypatch.setitem(TARGETS, "cached_target", None)

    def times(x: np.ndarray, by: float) -> np.ndarray:
        return x * np.float32(by)

    xdsl_xla.custom_call("cached_target")(times)
    assert not xdsl_xla.compile(CALL).is_from_cache
    executable = xdsl_xla.compile(CALL)
    assert executable.is_from_cache
    xdsl_xla.custom_call("cached_target")(lambda x, by: x - by)
    np.testing.assert_array_equal(executable(X)[0], 3 * X)
    other = xdsl_xla.compile(CALL)
    assert other.is_from_cache  # it calls whatever has the name
    np.testing.assert_array_equal(other(X)[0], X - 3)
    del TARGETS["cached_target"]
    with pytest.raises(UnsupportedError, match="cached_target"):
        xdsl_xla.compile(CALL)
    TARGETS["cached_target"] = None  # for monkeypatch to restore


def test_a_target_of_another_kind_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    marker = CALL.replace("@cached_target", "@Sharding").replace("{by = 3.0 : f32}", "{}")
    assert not xdsl_xla.compile(marker).is_from_cache
    assert xdsl_xla.compile(marker).is_from_cache
    monkeypatch.setitem(TARGETS, "Sharding", TARGETS["Sharding"])
    xdsl_xla.custom_call("Sharding")(lambda x: -x)
    executable = xdsl_xla.compile(marker)
    assert not executable.is_from_cache
    np.testing.assert_array_equal(executable(X)[0], -X)


def test_routines_of_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that calls them is good as long as there is one."""
    text = """
    func.func @main(%a: tensor<2x2xf64>) -> tensor<2xf64> {
      %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8, uplo = 76 : ui8}}
        : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<i32>)
      return %0#1 : tensor<2xf64>
    }"""
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    for hit in (False, True):
        executable = xdsl_xla.compile(text)
        assert executable.is_from_cache is hit
        for _ in range(10):
            np.testing.assert_allclose(executable(matrix)[0], [1, 3])
        other = executable.with_environment(executable.environment)
        np.testing.assert_allclose(other(matrix)[0], [1, 3])
    monkeypatch.setitem(sys.modules, "scipy", None)  # as if it were not installed
    lapack_addresses.is_there.cache_clear()
    try:
        executable = xdsl_xla.compile(text)
        assert not executable.is_from_cache
        np.testing.assert_allclose(executable(matrix)[0], [1, 3])
    finally:
        lapack_addresses.is_there.cache_clear()


def test_ops_on_the_surroundings() -> None:
    text = """
    func.func @main(%t: !stablehlo.token) -> (tensor<2xi32>, !stablehlo.token) {
      %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
      return %0#0, %0#1 : tensor<2xi32>, !stablehlo.token
    }"""
    for hit in (False, True):
        executable = xdsl_xla.compile(text)
        assert executable.is_from_cache is hit
        executable.environment.host.infeed.append((np.int32([4, 5]),))
        np.testing.assert_array_equal(executable(None)[0], [4, 5])
        with pytest.raises(Exception, match="infeed"):
            executable(None)
