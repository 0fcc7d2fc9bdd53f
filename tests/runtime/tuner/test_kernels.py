"""The kernels of programs: how often they are called, and each by itself."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl_xla.decisions.target import cpu_name
from xdsl_xla.runtime.element_types import EXTENSIONS, NATIVE
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.tuner.kernels import calls_of, isolated
from xdsl_xla.runtime.tuner.values import random_values
from xdsl_xla.runtime.verifying import verify_module

from .programs import EXP, ROWS, TRANSPOSE_ADD, bench, kernel


@pytest.mark.parametrize("name", [name for name in (*NATIVE, *EXTENSIONS) if name != "index"])
def test_every_element_type(name: str) -> None:
    """What a kernel computes by itself is what the program computes, which is that kernel."""
    program = f"""
    func.func @main(%x: tensor<24x16x{name}>) -> tensor<16x24x{name}> {{
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<24x16x{name}>) -> tensor<16x24x{name}>
      return %0 : tensor<16x24x{name}>
    }}"""
    work, found = kernel(program)
    executable = work.alone(found).executable(found.tree)
    (x,) = random_values(executable.signature.inputs, 0)
    (result,) = executable(x)
    assert result.tobytes() == x.T.tobytes()


UPDATE = """
func.func @main(%x: tensor<16x16xf32>, %n: tensor<i32>) -> tensor<16x16xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<16x16xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.slice %y [2:10, 0:16] : (tensor<16x16xf32>) -> tensor<8x16xf32>
      %e = stablehlo.exponential %s : tensor<8x16xf32>
      %u = stablehlo.dynamic_update_slice %y, %e, %one, %one
        : (tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %u : tensor<i32>, tensor<16x16xf32>
    }
  return %0#1 : tensor<16x16xf32>
}
"""


def test_what_a_kernel_updates_is_an_argument_too() -> None:
    """Each kernel by itself is a program of level 4; memory that is written in part keeps the rest."""
    work = bench(UPDATE)
    updates = [each for each in work.kernels if "update" in each.name]
    assert updates and len(work.kernels) > len(updates)
    for found in work.kernels:
        executable = work.alone(found).executable(found.tree)
        inputs = random_values(executable.signature.inputs, 0)
        (result,) = executable(*inputs)
        if found in updates:
            before = next(x for x in inputs if x.shape == result.shape)
            assert (result == before).any() and (result != before).any()


def test_calls() -> None:
    text = """
    func.func @main() {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %10 = arith.constant 10 : index
      %n = "test.op"() : () -> index
      func.call @a() : () -> ()
      scf.for %i = %0 to %10 step %1 {
        func.call @a() : () -> ()
        scf.for %j = %0 to %n step %1 {
          func.call @b() : () -> ()
        }
      }
      return
    }
    func.func private @a() {
      func.call @b() : () -> ()
      return
    }
    func.func private @b() { return }
    func.func private @unused() { return }"""
    from xdsl_xla.runtime.program_context import new_context

    module = parse_module(text, context=new_context(allow_unregistered=True))
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    assert calls_of(functions) == {"main": 1, "a": 11, "b": 11 + 160, "unused": 1}


def test_equal_kernels_are_one() -> None:
    """With the places of their ops and the names of their values the digests would differ."""
    twice = """
    func.func @main(%x: tensor<24x16xf32>, %y: tensor<24x16xf32>) -> (tensor<24x16xf32>, tensor<24x16xf32>) {
      %0 = stablehlo.exponential %x : tensor<24x16xf32>
      %1 = stablehlo.exponential %y : tensor<24x16xf32>
      return %0, %1 : tensor<24x16xf32>, tensor<24x16xf32>
    }"""
    (one,) = bench(twice).kernels
    _, alone = kernel(EXP)
    assert one.calls == 2 and alone.calls == 1
    assert one.key == alone.key and one.key[1:] == (cpu_name(), 1)
    assert kernel(EXP, threads=2)[1].key == one.key._replace(threads=2)


def test_terms_of_sums() -> None:
    assert kernel(EXP)[1].terms == 0
    assert kernel(ROWS)[1].terms == 16
    maximum = ROWS.replace("stablehlo.add", "stablehlo.maximum")
    assert kernel(maximum)[1].terms == 0


def test_others_are_named_with_the_reason() -> None:
    work = bench("""
    func.func @main(%x: tensor<64xf32>, %i: tensor<8x1xi32>, %y: tensor<8xf32>) -> (tensor<64xf32>, tensor<8xf32>) {
      %0 = "stablehlo.scatter"(%x, %i, %y) <{
        scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
      }> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<64xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<64xf32>
      %1 = stablehlo.exponential %y : tensor<8xf32>
      return %0, %1 : tensor<64xf32>, tensor<8xf32>
    }""")
    assert [found.name for found in work.kernels] == ["elementwise_0"]
    assert list(work.others.values()) == ["is no group of ops that a schedule can name"]


def test_scans_and_sorts_are_searched() -> None:
    """Their own schedules are changed, and a sum may be off by roundings of as many terms as a line has."""
    work = bench("""
    func.func @main(%x: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<64x32xf32>) -> tensor<64x32xf32>
      %1 = "stablehlo.reduce_window"(%x, %zero) <{
        window_dimensions = array<i64: 64, 1>, padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>
      }> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<64x32xf32>, tensor<f32>) -> tensor<64x32xf32>
      return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
    }""")
    found = {each.name: each for each in work.kernels}
    assert {name: each.terms for name, each in found.items()} == {"sort_0": 0, "scan_0": 64}
    text = isolated(found["sort_0"])
    assert "@main(%x0: memref<64x32xf32>, %y0: memref<64x32xf32>)" in text and "memref.copy" not in text


def test_a_kernel_by_itself() -> None:
    work, found = kernel(TRANSPOSE_ADD)
    assert found.bytes == 2 * 64 * 64 * 4
    module = parse_module(isolated(found))
    verify_module(module)
    executable = work.alone(found).executable(found.tree)
    x = np.random.default_rng(0).random((64, 64), np.float32)
    np.testing.assert_array_equal(executable(x)[0], x + x.T)
