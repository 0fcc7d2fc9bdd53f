"""Donated arguments: results may take their memory, values stay those of the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends.hlo_text import print_hlo
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.donating_executable import DonatingExecutable
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.tensor_io import random_inputs

SQUARE = "tensor<48x48xf32>"


def program(arguments: str, results: str, body: str) -> str:
    return f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}"


def given(name: str, type: str, result: int | None = None) -> str:
    mark = "jax.buffer_donor = true" if result is None else f"tf.aliasing_output = {result} : i32"
    return f"%{name}: {type} {{{mark}}}"


STEP = program(
    f"{given('p', SQUARE, 0)}, %g: {SQUARE}, %lr: tensor<f32>",
    SQUARE,
    f"""
    %b = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> {SQUARE}
    %0 = stablehlo.multiply %b, %g : {SQUARE}
    %1 = stablehlo.subtract %p, %0 : {SQUARE}
    return %1 : {SQUARE}""",
)

DOT = f"contracting_dims = [1] x [0] : ({SQUARE}, {SQUARE}) -> {SQUARE}"

COUNTED = """
    cond {
      %limit = stablehlo.constant dense<3> : tensor<i32>
      %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>"""

PROGRAMS: dict[str, tuple[str, set[tuple[int, int]] | None]] = {
    "step": (STEP, {(0, 0)}),
    "donor": (STEP.replace("tf.aliasing_output = 0 : i32", "jax.buffer_donor = true"), {(0, 0)}),
    "operand_on_the_right": (STEP.replace("%p, %0", "%0, %p"), {(0, 0)}),
    "adam": (
        program(
            f"{given('p', SQUARE, 2)}, {given('m', SQUARE, 0)}, {given('v', SQUARE, 1)}, %g: {SQUARE}",
            f"{SQUARE}, {SQUARE}, {SQUARE}",
            f"""
    %rate = stablehlo.constant dense<0.9> : {SQUARE}
    %one = stablehlo.constant dense<1.0> : {SQUARE}
    %0 = stablehlo.multiply %m, %rate : {SQUARE}
    %m1 = stablehlo.add %0, %g : {SQUARE}
    %1 = stablehlo.multiply %g, %g : {SQUARE}
    %2 = stablehlo.multiply %v, %rate : {SQUARE}
    %v1 = stablehlo.add %2, %1 : {SQUARE}
    %3 = stablehlo.abs %v1 : {SQUARE}
    %4 = stablehlo.add %3, %one : {SQUARE}
    %5 = stablehlo.divide %m1, %4 : {SQUARE}
    %p1 = stablehlo.subtract %p, %5 : {SQUARE}
    return %m1, %v1, %p1 : {SQUARE}, {SQUARE}, {SQUARE}""",
        ),
        {(0, 2), (1, 0), (2, 1)},
    ),
    "read_by_two_results": (
        program(
            f"{given('m', SQUARE, 0)}, {given('v', SQUARE, 1)}",
            f"{SQUARE}, {SQUARE}",
            f"""
    %0 = stablehlo.sine %m : {SQUARE}
    %1 = stablehlo.reverse %m, dims = [1] : {SQUARE}
    %2 = stablehlo.add %0, %v : {SQUARE}
    %3 = stablehlo.subtract %1, %v : {SQUARE}
    return %2, %3 : {SQUARE}, {SQUARE}""",
        ),
        None,
    ),
    "all_parameters_of_a_model": (
        program(
            f"{given('p', SQUARE, 1)}, {given('q', SQUARE, 0)}, %g: {SQUARE}",
            f"{SQUARE}, {SQUARE}",
            f"""
    %0 = stablehlo.subtract %p, %g : {SQUARE}
    %1 = stablehlo.multiply %q, %g : {SQUARE}
    return %1, %0 : {SQUARE}, {SQUARE}""",
        ),
        {(0, 1), (1, 0)},
    ),
    "read_after": (
        program(
            given("p", SQUARE, 0),
            f"{SQUARE}, {SQUARE}",
            f"""
    %0 = stablehlo.add %p, %p : {SQUARE}
    %1 = stablehlo.dot_general %p, %0, {DOT}
    return %0, %1 : {SQUARE}, {SQUARE}""",
        ),
        set(),
    ),
    "read_elsewhere": (
        program(
            given("p", SQUARE, 0),
            SQUARE,
            f"""
    %0 = stablehlo.transpose %p, dims = [1, 0] : ({SQUARE}) -> {SQUARE}
    %1 = stablehlo.add %p, %0 : {SQUARE}
    return %1 : {SQUARE}""",
        ),
        set(),
    ),
    "reversed": (
        program(
            given("p", SQUARE, 0), SQUARE, f"%0 = stablehlo.reverse %p, dims = [0] : {SQUARE}\nreturn %0 : {SQUARE}"
        ),
        set(),
    ),
    "product": (
        program(given("p", SQUARE, 0), SQUARE, f"%0 = stablehlo.dot_general %p, %p, {DOT}\nreturn %0 : {SQUARE}"),
        set(),
    ),
    "product_after_the_last_reader": (
        program(
            f"{given('p', SQUARE, 0)}, %w: {SQUARE}",
            SQUARE,
            f"""
    %0 = stablehlo.dot_general %p, %w, {DOT}
    %1 = stablehlo.dot_general %0, %w, {DOT}
    return %1 : {SQUARE}""",
        ),
        {(0, 0)},
    ),
    "softmax_of_rows": (
        program(
            given("p", SQUARE, 0),
            SQUARE,
            f"""
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.reduce(%p init: %low) applies stablehlo.maximum across dimensions = [1]
      : ({SQUARE}, tensor<f32>) -> tensor<48xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<48xf32>) -> {SQUARE}
    %d = stablehlo.subtract %p, %mb : {SQUARE}
    %e = stablehlo.exponential %d : {SQUARE}
    %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : ({SQUARE}, tensor<f32>) -> tensor<48xf32>
    %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<48xf32>) -> {SQUARE}
    %r = stablehlo.divide %e, %sb : {SQUARE}
    return %r : {SQUARE}""",
        ),
        set(),
    ),
    "swapped": (
        program(
            f"{given('x', SQUARE, 0)}, {given('y', SQUARE, 1)}",
            f"{SQUARE}, {SQUARE}",
            f"return %y, %x : {SQUARE}, {SQUARE}",
        ),
        set(),
    ),
    "unchanged": (program(given("x", SQUARE, 0), SQUARE, f"return %x : {SQUARE}"), {(0, 0)}),
    "both_results_are_the_argument": (
        program(given("x", SQUARE, 1), f"{SQUARE}, {SQUARE}", f"return %x, %x : {SQUARE}, {SQUARE}"),
        {(0, 1)},
    ),
    "row_written": (
        program(
            f"{given('cache', SQUARE, 0)}, %row: tensor<1x48xf32>, %at: tensor<i32>",
            SQUARE,
            f"""
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %cache, %row, %at, %z
      : ({SQUARE}, tensor<1x48xf32>, tensor<i32>, tensor<i32>) -> {SQUARE}
    return %0 : {SQUARE}""",
        ),
        {(0, 0)},
    ),
    "loop": (
        program(
            f"{given('x', SQUARE, 0)}, %w: {SQUARE}",
            SQUARE,
            f"""
    %z = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, {SQUARE} {COUNTED}
      %0 = stablehlo.dot_general %a, %w, {DOT}
      %1 = stablehlo.add %0, %a : {SQUARE}
      stablehlo.return %next, %1 : tensor<i32>, {SQUARE}
    }}
    return %r#1 : {SQUARE}""",
        ),
        {(0, 0)},
    ),
    "loop_whose_values_change_places": (
        program(
            f"{given('x', SQUARE, 0)}, {given('y', SQUARE, 1)}, %w: {SQUARE}",
            f"{SQUARE}, {SQUARE}",
            f"""
    %z = stablehlo.constant dense<0> : tensor<i32>
    %r:3 = stablehlo.while(%i = %z, %a = %x, %b = %y) : tensor<i32>, {SQUARE}, {SQUARE} {COUNTED}
      %0 = stablehlo.dot_general %a, %w, {DOT}
      %1 = stablehlo.add %0, %b : {SQUARE}
      stablehlo.return %next, %b, %1 : tensor<i32>, {SQUARE}, {SQUARE}
    }}
    return %r#1, %r#2 : {SQUARE}, {SQUARE}""",
        ),
        {(0, 0), (1, 1)},
    ),
    "loop_and_a_reader_behind_it": (
        program(
            given("x", SQUARE, 0),
            SQUARE,
            f"""
    %z = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, {SQUARE} {COUNTED}
      %1 = stablehlo.add %a, %a : {SQUARE}
      stablehlo.return %next, %1 : tensor<i32>, {SQUARE}
    }}
    %s = stablehlo.add %r#1, %x : {SQUARE}
    return %s : {SQUARE}""",
        ),
        None,
    ),
    "branches": (
        program(
            f"{given('x', SQUARE, 0)}, %c: tensor<i1>",
            SQUARE,
            f"""
    %r = "stablehlo.if"(%c) ({{
      %0 = stablehlo.add %x, %x : {SQUARE}
      stablehlo.return %0 : {SQUARE}
    }}, {{
      %0 = stablehlo.dot_general %x, %x, {DOT}
      stablehlo.return %0 : {SQUARE}
    }}) : (tensor<i1>) -> {SQUARE}
    return %r : {SQUARE}""",
        ),
        None,
    ),
    "two_kernels_of_one_form": (
        program(
            f"{given('x', SQUARE, 0)}, %y: {SQUARE}",
            f"{SQUARE}, {SQUARE}",
            f"""
    %0 = stablehlo.dot_general %y, %y, {DOT}
    %1 = stablehlo.tanh %0 : {SQUARE}
    %2 = stablehlo.dot_general %1, %y, {DOT}
    %3 = stablehlo.tanh %x : {SQUARE}
    return %3, %2 : {SQUARE}, {SQUARE}""",
        ),
        None,
    ),
    "what_does_not_fit": (
        program(
            f"%x: tensor<4xf32> {{tf.aliasing_output = 0 : i32}}, {given('y', 'tensor<4xi32>')}, "
            f"%z: {SQUARE} {{tf.aliasing_output = 0 : i32}}, %w: {SQUARE} {{jax.buffer_donor = false}}",
            f"tensor<4xi64>, {SQUARE}",
            f"""
    %0 = stablehlo.convert %y : (tensor<4xi32>) -> tensor<4xi64>
    %1 = stablehlo.add %z, %w : {SQUARE}
    return %0, %1 : tensor<4xi64>, {SQUARE}""",
        ),
        set(),
    ),
    "other_signedness": (
        program(
            given("x", "tensor<300xui32>"),
            "tensor<300xi32>",
            """
    %0 = stablehlo.bitcast_convert %x : (tensor<300xui32>) -> tensor<300xi32>
    %1 = stablehlo.add %0, %0 : tensor<300xi32>
    return %1 : tensor<300xi32>""",
        ),
        {(0, 0)},
    ),
    "complex_numbers": (
        program(
            f"{given('x', 'tensor<300xcomplex<f32>>', 0)}, %y: tensor<300xcomplex<f32>>",
            "tensor<300xcomplex<f32>>",
            """
    %0 = stablehlo.multiply %x, %y : tensor<300xcomplex<f32>>
    return %0 : tensor<300xcomplex<f32>>""",
        ),
        {(0, 0)},
    ),
    "elements_beside_whole_vectors": (
        program(
            given("x", "tensor<7x1x4xi8>", 0),
            "tensor<7x1x4xi8>",
            """
    %0 = stablehlo.add %x, %x : tensor<7x1x4xi8>
    return %0 : tensor<7x1x4xi8>""",
        ),
        {(0, 0)},
    ),
    "bytes_of_floats_beside_whole_vectors": (
        program(
            f"{given('x', 'tensor<7x4xf8E4M3FN>', 0)}, %y: tensor<28xf8E4M3FN>",
            "tensor<7x4xf8E4M3FN>",
            """
    %0 = stablehlo.reshape %x : (tensor<7x4xf8E4M3FN>) -> tensor<28xf8E4M3FN>
    %1 = stablehlo.subtract %0, %y : tensor<28xf8E4M3FN>
    %2 = stablehlo.reshape %1 : (tensor<28xf8E4M3FN>) -> tensor<7x4xf8E4M3FN>
    return %2 : tensor<7x4xf8E4M3FN>""",
        ),
        {(0, 0)},
    ),
}
"""The program, and which results are in the memory of which arguments; None where that is left open."""


def inputs_of(executable: xdsl_xla.Executable) -> list[np.ndarray]:
    return random_inputs(executable.signature.inputs, 1)


def expected(text: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
    with np.errstate(all="ignore"):
        return list(interpreter.run(parse_module(text), "main", [array.copy() for array in inputs]))


def assert_close(got: Any, wanted: Any) -> None:
    for a, b in zip(got, wanted, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


@pytest.mark.sample(20)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str, pipeline: str) -> None:
    text, pairs = PROGRAMS[name]
    for threads in (1, 3) if pipeline == "xla-cpu" else (1,):
        executable = xdsl_xla.compile(text, donate=True, pipeline=pipeline, threads=threads)
        donated = executable.donated if isinstance(executable, DonatingExecutable) else ()
        if pairs is not None and pipeline == "xla-cpu":
            assert set(donated) == pairs
        inputs = inputs_of(executable)
        before = [array.copy() for array in inputs]
        wanted = expected(text, inputs)
        results = executable(*inputs)
        assert_close(results, wanted)
        for number, (array, copy) in enumerate(zip(inputs, before, strict=True)):
            taken = [result for argument, result in donated if argument == number]
            if taken:
                assert np.shares_memory(array, results[taken[0]])
            else:
                np.testing.assert_array_equal(array, copy)
                assert not any(np.shares_memory(array, result) for result in results)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_given_away_unless_asked(name: str) -> None:
    text, _ = PROGRAMS[name]
    executable = xdsl_xla.compile(text, threads=1)
    assert not isinstance(executable, DonatingExecutable)
    inputs = inputs_of(executable)
    before = [array.copy() for array in inputs]
    assert_close(executable(*inputs), expected(text, before))
    for array, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def step() -> tuple[xdsl_xla.Executable, np.ndarray, np.ndarray, np.ndarray]:
    executable = xdsl_xla.compile(STEP, donate=True, threads=1)
    return executable, *inputs_of(executable)[:2], np.float32(0.5)


def test_a_training_loop_stays_in_its_memory() -> None:
    executable, p, g, lr = step()
    wanted, q = p - 8 * np.float32(0.5) * g, p
    for _ in range(8):
        (q,) = executable(q, g, lr)
        assert q is p
    np.testing.assert_allclose(q, wanted, rtol=1e-5, atol=1e-5)


def test_statistics_count_the_memory_once() -> None:
    own = xdsl_xla.compile(STEP, threads=1).statistics
    shared = step()[0].statistics
    assert shared.output_bytes == 0 and own.output_bytes == 48 * 48 * 4
    assert shared.peak_bytes == own.peak_bytes - own.output_bytes


def test_what_cannot_be_written_stays_as_it_is() -> None:
    executable, p, g, lr = step()
    wanted = p - lr * g
    read_only = p.copy()
    read_only.flags.writeable = False
    strided = np.repeat(p, 2, axis=1)[:, ::2]
    storage = np.empty(p.nbytes + 64, np.uint8)
    unaligned = storage[1 - storage.ctypes.data % 16 + 16 :][: p.nbytes].view(np.float32).reshape(p.shape)
    unaligned[...] = p
    assert unaligned.ctypes.data % 16 == 1
    for array in (read_only, strided, unaligned, p.astype(">f4")):
        (result,) = executable(array, g, lr)
        np.testing.assert_array_equal(result, wanted)
        np.testing.assert_array_equal(np.asarray(array, np.float32), p)
        assert not np.shares_memory(result, array)
    (result,) = executable(p.tolist(), g, lr)
    np.testing.assert_array_equal(result, wanted)


def test_an_array_passed_twice_is_copied() -> None:
    executable, p, _, lr = step()
    before = p.copy()
    for other in (p, p[:], p.view()):
        (result,) = executable(p, other, lr)
        np.testing.assert_array_equal(result, before - lr * before)
        np.testing.assert_array_equal(p, before)


def test_two_donors_of_one_memory() -> None:
    executable = xdsl_xla.compile(PROGRAMS["all_parameters_of_a_model"][0], donate=True, threads=1)
    p, _, g = inputs_of(executable)
    before = p.copy()
    q, r = executable(p, p, g)
    np.testing.assert_array_equal(q, before * g)
    np.testing.assert_array_equal(r, before - g)
    assert not np.shares_memory(q, r)


def test_a_view_is_written_through() -> None:
    executable, p, g, lr = step()
    whole = np.stack([p, p])
    (result,) = executable(whole[1], g, lr)
    assert np.shares_memory(result, whole)
    np.testing.assert_array_equal(whole, [p, p - lr * g])


def test_wrong_arguments() -> None:
    executable, p, g, lr = step()
    before = p.copy()
    with pytest.raises(xdsl_xla.ArgumentError, match="takes 3 arguments"):
        executable(p, g)
    with pytest.raises(xdsl_xla.ArgumentError, match="argument 1"):
        executable(p, g[1:], lr)
    np.testing.assert_array_equal(p, before)


def test_aliases_of_hlo_text() -> None:
    text = print_hlo(parse_module(STEP))
    assert "input_output_alias" in text
    executable = xdsl_xla.compile(text.encode(), donate=True, threads=1)
    assert isinstance(executable, DonatingExecutable) and executable.donated == ((0, 0),)


@pytest.mark.usefixtures("cache")
def test_from_the_cache() -> None:
    for hit in (False, True):
        executable = xdsl_xla.compile(STEP, donate=True, threads=1, cache=True)
        assert executable.is_from_cache is hit
        _, p, g, lr = step()
        wanted = p - lr * g
        assert executable(p, g, lr)[0] is p
        np.testing.assert_array_equal(p, wanted)
    assert not xdsl_xla.compile(STEP, threads=1, cache=True).is_from_cache
