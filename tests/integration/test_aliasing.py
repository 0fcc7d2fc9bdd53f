"""Inputs and outputs that are the same array, or that the program says may share memory, at both settings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import PIPELINES, Array

X = "tensor<4x3xf32>"
UPDATE = """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %u = stablehlo.constant dense<9.0> : tensor<2x2xf32>"""
DYNAMIC_UPDATE = (
    f"stablehlo.dynamic_update_slice %x, %u, %one, %one : ({X}, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> {X}"
)
SCATTER = f""""stablehlo.scatter"(%x, %at, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({X}, tensor<2x1xi32>, tensor<2x3xf32>) -> {X}"""
LOOP = f"""stablehlo.while(%k = %one, %w = %x) : tensor<i32>, {X}
  cond {{
    %limit = stablehlo.constant dense<4> : tensor<i32>
    %more = stablehlo.compare LT, %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %next = stablehlo.add %k, %one : tensor<i32>
    %sum = stablehlo.add %w, %x : {X}
    stablehlo.return %next, %sum : tensor<i32>, {X}
  }}"""
AT = """
  %at = stablehlo.constant dense<[[0], [3]]> : tensor<2x1xi32>
  %v = stablehlo.constant dense<0.5> : tensor<2x3xf32>"""

ATTRIBUTES = ["", "tf.aliasing_output = 0 : i32", "jax.buffer_donor = true", 'mhlo.sharding = "{replicated}"']

UPDATES = {
    "elementwise": f"%r = stablehlo.add %x, %x : {X}",
    "transposed": f"""%t = stablehlo.transpose %x, dims = [1, 0] : ({X}) -> tensor<3x4xf32>
  %f = stablehlo.reshape %t : (tensor<3x4xf32>) -> {X}
  %r = stablehlo.subtract %f, %x : {X}""",
    "reversed": f"%r = stablehlo.reverse %x, dims = [0, 1] : {X}",
    "dynamic_update_slice": f"{UPDATE}\n  %r = {DYNAMIC_UPDATE}",
    "scatter": f"{AT}\n  %r = {SCATTER}",
    "while": f"{UPDATE}\n  %l:2 = {LOOP}\n  %r = stablehlo.negate %l#1 : {X}",
    "sort": f"""%r = "stablehlo.sort"(%x) <{{dimension = 0 : i64}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }}) : ({X}) -> {X}""",
    "dot_general": f"""%g = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : ({X}, {X}) -> tensor<4x4xf32>
  %r = stablehlo.dot_general %g, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, {X}) -> {X}""",
    "concatenate": f"""%h = stablehlo.slice %x [2:4, 0:3] : ({X}) -> tensor<2x3xf32>
  %l = stablehlo.slice %x [0:2, 0:3] : ({X}) -> tensor<2x3xf32>
  %r = stablehlo.concatenate %h, %l, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> {X}""",
    "identity": f"%r = stablehlo.optimization_barrier %x : {X}",
}
"""`%r` from `%x`, which has its type."""


def values() -> Array:
    return np.arange(12, dtype=np.float32).reshape(4, 3) - 4


def run(text: str, pipeline: str, *inputs: Array) -> Sequence[Array]:
    """The native results, which are those of the reference, are new arrays, and have not changed the inputs."""
    copies = [value.copy() for value in inputs]
    expected = interpreter.run(parse_module(text, "aliasing"), "main", copies)
    results = xdsl_xla.compile(text, pipeline=pipeline, threads=1)(*inputs)
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)
    for value, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(value, copy)
    arrays = [*results, *inputs]
    for i in range(len(results)):
        assert not any(np.shares_memory(arrays[i], other) for other in arrays[i + 1 :])
    return results


@pytest.mark.sample(8)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", UPDATES)
def test_output_that_may_overwrite_its_input(name: str, pipeline: str) -> None:
    """The result, the input itself, and an update of the input, for all the ways to mark it; one program each."""
    for attribute in ATTRIBUTES if name in ("elementwise", "dynamic_update_slice", "identity") else ATTRIBUTES[1:3]:
        marked = f" {{{attribute}}}" if attribute else ""
        text = f"""func.func @main(%x: {X}{marked}, %unused: {X}) -> ({X}, {X}) {{
  {UPDATES[name]}
  return %r, %x : {X}, {X}
}}"""
        run(text, pipeline, values(), values())
        run(
            text.replace(f"-> ({X}, {X})", f"-> {X}").replace(f"%r, %x : {X}, {X}", f"%r : {X}"),
            pipeline,
            values(),
            values(),
        )


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", UPDATES)
def test_the_same_array_twice(name: str, pipeline: str) -> None:
    """One array for two parameters, of which one is updated while the other is still read."""
    text = f"""func.func @main(%x: {X} {{tf.aliasing_output = 0 : i32}}, %y: {X}) -> ({X}, {X}) {{
  {UPDATES[name]}
  %q = stablehlo.subtract %r, %y : {X}
  return %r, %q : {X}, {X}
}}"""
    shared = values()
    expected = interpreter.run(parse_module(text, "aliasing"), "main", [values(), values()])
    results = xdsl_xla.compile(text, pipeline=pipeline, threads=1)(shared, shared)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)
    np.testing.assert_array_equal(shared, values())


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_inputs_and_constants_as_outputs(pipeline: str) -> None:
    """An input returned twice, swapped inputs, a view of an input, a constant returned twice."""
    types = f"{X}, {X}, {X}, tensor<12xf32>, {X}, {X}, tensor<2xi32>, tensor<2xi32>"
    text = f"""func.func @main(%x: {X}, %y: {X}) -> ({types}) {{
  %flat = stablehlo.reshape %x : ({X}) -> tensor<12xf32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %s = stablehlo.add %x, %y : {X}
  return %y, %x, %x, %flat, %s, %s, %c, %c : {types}
}}"""
    run(text, pipeline, values(), values() * 2)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_overlapping_views(pipeline: str) -> None:
    """Inputs that are views of one array, dense, strided, reversed and read-only."""
    text = f"""func.func @main(%x: {X}, %y: {X}) -> {X} {{
  {UPDATE}
  %z = {DYNAMIC_UPDATE}
  %r = stablehlo.subtract %z, %y : {X}
  return %r : {X}
}}"""
    base = np.arange(40, dtype=np.float32)
    dense, shifted = base[:12].reshape(4, 3), base[5:17].reshape(4, 3)
    strided, backwards = base[:24:2].reshape(4, 3), base[11::-1].reshape(4, 3)
    fixed = dense.view()
    fixed.flags.writeable = False
    executable = xdsl_xla.compile(text, pipeline=pipeline, threads=1)
    for x, y in ((dense, shifted), (shifted, dense), (strided, dense), (backwards, strided), (fixed, fixed)):
        expected = x.copy()
        expected[1:3, 1:3] = 9
        np.testing.assert_array_equal(executable(x, y)[0], expected - y)
    np.testing.assert_array_equal(base, np.arange(40, dtype=np.float32))


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_results_as_the_next_inputs(pipeline: str) -> None:
    """What a call returned goes into the next one, as in a training loop; earlier results stay what they were."""
    parameters = f"%x: {X} {{jax.buffer_donor = true}}, %y: {X} {{tf.aliasing_output = 1 : i32}}"
    text = f"""func.func @main({parameters}) -> ({X}, {X}) {{
  %s = stablehlo.add %x, %y : {X}
  return %s, %x : {X}, {X}
}}"""
    executable = xdsl_xla.compile(text, pipeline=pipeline, threads=1)
    x, y = np.ones((4, 3), np.float32), np.zeros((4, 3), np.float32)
    history = [x]
    for _ in range(6):
        x, y = executable(x, y)
        history.append(x)
    np.testing.assert_array_equal([step[0, 0] for step in history], [1, 1, 2, 3, 5, 8, 13])
