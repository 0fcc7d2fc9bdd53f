"""A program that is printed after any pass goes on from there: what generated code needs is in the module."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.errors import XlaError
from xdsl_xla.pipelines import PIPELINES, XLA_CPU, expand
from xdsl_xla.runtime.compilation import prepare
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.pass_manager import run_passes
from xdsl_xla.runtime.verifying import verify_module

NETWORK = """
module {
  func.func public @main(%x: tensor<64x96xf32>, %w: tensor<96x512xf32>, %n: tensor<3xui8>) -> (
      tensor<64x512xf32> {jax.result_info = "out"}, tensor<3xui8>) {
    %big = stablehlo.constant dense<1.5> : tensor<512xf32>
    %table = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x96xf32>, tensor<96x512xf32>)
        -> tensor<64x512xf32>
    %b = stablehlo.broadcast_in_dim %big, dims = [1] : (tensor<512xf32>) -> tensor<64x512xf32>
    %1 = stablehlo.add %0, %b : tensor<64x512xf32>
    %2 = stablehlo.tanh %1 : tensor<64x512xf32>
    %3 = call @sort(%2) : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %4 = stablehlo.divide %n, %n : tensor<3xui8>
    %5 = stablehlo.subtract %4, %n : tensor<3xui8>
    %6 = stablehlo.shift_right_logical %5, %4 : tensor<3xui8>
    return %3, %6 : tensor<64x512xf32>, tensor<3xui8>
  }
  func.func private @sort(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
    %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<64x512xf32>) -> tensor<64x512xf32>
    return %0 : tensor<64x512xf32>
  }
}
"""

TUPLES = """
func.func @other(%t: tuple<tensor<4xcomplex<f32>>, tensor<2xi1>>, %token: !stablehlo.token) -> (
    tuple<tensor<4xcomplex<f32>>>, tensor<2xi1>) {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<4xcomplex<f32>>, tensor<2xi1>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xcomplex<f32>>, tensor<2xi1>>) -> tensor<2xi1>
  %2 = stablehlo.exponential %0 : tensor<4xcomplex<f32>>
  %3 = stablehlo.tuple %2 : tuple<tensor<4xcomplex<f32>>>
  %4 = stablehlo.not %1 : tensor<2xi1>
  return %3, %4 : tuple<tensor<4xcomplex<f32>>>, tensor<2xi1>
}
"""

BOUNDED = """
func.func @main(%x: tensor<?x3xf32, #stablehlo.bounds<8, ?>>) -> (
    tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<3xf32>
}
"""

CALLS = """
func.func @main(%a: tensor<2x6x6xf32>, %n: tensor<4xi32>) -> (tensor<2x6xf32>, tensor<4xi32>, tensor<4xf32>) {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}}
      : (tensor<2x6x6xf32>) -> (tensor<2x6x6xf32>, tensor<2x6xf32>, tensor<2xi32>)
  %1 = stablehlo.custom_call @every_level_double(%n) : (tensor<4xi32>) -> tensor<4xi32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[4]> : tensor<1xi64>
  %2 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0#1, %1, %2 : tensor<2x6xf32>, tensor<4xi32>, tensor<4xf32>
}
"""

DONATED = """
func.func @main(%x: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""

REFINED = """
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  %wide = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %wide, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %flat = stablehlo.constant dense<[8]> : tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %0, %flat : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


@xdsl_xla.custom_call("every_level_double")
def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


def request(threads: int, pipeline: str = "xla-cpu", **options: Any) -> Request:
    defaults = dict(entry=None, vector_bits=None, opt_level=1, replicas=None, partitions=None, donate=False)
    return Request(threads, pipeline, **{**defaults, **options})


def printed(text: str, threads: int, **options: Any) -> list[str]:
    """The program before the first pass and after each of them."""
    prepared = prepare(text, "program", request(threads, **options))
    texts = [text]

    def note(run: Any, module: Any) -> None:
        verify_module(module)
        output = io.StringIO()
        ExactPrinter(output).print_op(module)
        texts.append(output.getvalue())

    run_passes(prepared.context, prepared.module, prepared.passes, observe=note)
    return texts


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


PROGRAMS: dict[str, tuple[str, Callable[[], Sequence[Any]]]] = {
    "network": (NETWORK, lambda: [random(64, 96), random(96, 512), np.array([1, 2, 255], np.uint8)]),
    "tuples": (TUPLES, lambda: [(random(4).astype(np.complex64), np.array([True, False])), None]),
    "bounded": (BOUNDED, lambda: [random(5, 3)]),
    "calls": (CALLS, lambda: [(a := random(2, 6, 6)) + a.transpose(0, 2, 1), np.arange(4, dtype=np.int32)]),
    "donated": (DONATED, lambda: [random(1024), random(1024) + 1]),
    "refined": (REFINED, lambda: [random(4)]),
}


def flat(values: Sequence[Any]) -> list[np.ndarray]:
    return [leaf for value in values for leaf in (flat(value) if isinstance(value, tuple) else [value])]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_goes_on_from_every_level(name: str) -> None:
    text, arguments = PROGRAMS[name]
    options: dict[str, Any] = {"donate": True} if name == "donated" else {}
    whole = xdsl_xla.compile(text, threads=2, opt_level=1, cache=False, **options)
    wanted = flat(whole(*arguments()))
    texts = printed(text, 2, **options)
    assert len(texts) == len(XLA_CPU) + 1
    before = None
    for done, lowered in enumerate(texts):
        if lowered == before:
            continue
        before, rest = lowered, expand(XLA_CPU[done:])
        executable = xdsl_xla.compile(lowered, pipeline=rest, threads=2, opt_level=1, cache=False, **options)
        step = f"after {done} steps, {XLA_CPU[done - 1].spec}"
        assert executable.statistics == whole.statistics, step
        assert type(executable) is type(whole), step
        assert executable.signature == whole.signature, step
        for value, expected in zip(flat(executable(*arguments())), wanted, strict=True):
            np.testing.assert_array_equal(value, expected, step)


def test_memory_for_fewer_threads_is_used_by_as_many() -> None:
    text, arguments = PROGRAMS["network"]
    lowered = printed(text, 2)[-1]
    assert "xrt.threads = 2" in lowered
    executable = xdsl_xla.compile(lowered, pipeline="", threads=4, cache=False)
    assert executable.statistics.threads == 2
    for value, expected in zip(executable(*arguments()), xdsl_xla.compile(text)(*arguments()), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5)


def test_the_grid_is_that_of_the_module() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    texts = printed(text, 1, replicas=2)
    for done in (30, 40, len(XLA_CPU)):
        lowered, rest = texts[done], expand(XLA_CPU[done:])
        executable = xdsl_xla.compile(lowered, pipeline=rest, cache=False)
        assert executable.grid == (2, 1)
        with pytest.raises(XlaError, match="for 2 replicas and 1 partitions, not for 3 and 1"):
            xdsl_xla.compile(lowered, pipeline=rest, replicas=3, cache=False)
        x = np.ones(4, np.float32)
        results = xdsl_xla.run_grid(executable, [[[x]], [[2 * x]]])
        np.testing.assert_array_equal(results[1][0][0], 3 * x)


def test_pipelines_begin_with_what_a_program_from_outside_needs() -> None:
    for name in ("xla-cpu", "xla-cpu-O0"):
        assert [step.spec for step in PIPELINES[name][:2]] == ["stablehlo-refuse-internals", "func-note-interface"]
