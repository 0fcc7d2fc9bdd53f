"""Devices of one process: what they exchange, and what becomes of those that come late, never, or with other ideas."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import InvalidProgramError, ProgramTimeoutError
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import Array
from xdsl_xla.runtime.devices import workers
from xdsl_xla.runtime.grid import run_grid
from xdsl_xla.runtime.mlir_text import parse_module

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"


def all_reduce(
    type: str, devices: int, operand: str = "%x", op: str = "add", rows: list[list[int]] | None = None
) -> str:
    element = re.sub(r"^(\d+x)*", "", type)
    rows = rows or [list(range(devices))]
    groups = f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"
    return f""""stablehlo.all_reduce"({operand}) <{{replica_groups = {groups}, {CHANNEL}}}> ({{
      ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
        %s = stablehlo.{op} %a, %b : tensor<{element}>
        stablehlo.return %s : tensor<{element}>
      }}) : (tensor<{type}>) -> tensor<{type}>"""


def program(type: str, devices: int, before: str = "", operand: str = "%x", **options: Any) -> str:
    return f"""func.func @main(%x: tensor<{type}>) -> tensor<{type}> {{
      {before}
      %r = {all_reduce(type, devices, operand, **options)}
      return %r : tensor<{type}>
    }}"""


def rows(devices: int, value: Callable[[int], Array]) -> list[list[list[Array]]]:
    return [[[value(i)] for i in range(devices)]]


@pytest.mark.parametrize("devices", [2, 3, 8])
@pytest.mark.parametrize("size", [1, 5, 8192, 100_003])
def test_small_and_large_values_are_summed(devices: int, size: int) -> None:
    """Gathered whole, or reduced in parts, of which some are padded."""
    exe = xdsl_xla.compile(program(f"{size}xi32", devices), partitions=devices)
    results = run_grid(exe, rows(devices, lambda i: np.arange(size, dtype=np.int32) * (i + 1)))
    for (result,) in results[0]:
        np.testing.assert_array_equal(result, np.arange(size, dtype=np.int32) * (devices * (devices + 1) // 2))


def reference_results(text: str, arguments: list[list[list[Array]]]) -> list[Array]:
    results = interpreter.run_grid(parse_module(text), [["main"] * len(row) for row in arguments], arguments)
    return [process[0] for row in results for process in row]


_DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "ui16": np.uint16,
    "i64": np.int64,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f64": np.float64,
    "complex<f32>": np.complex64,
}


@pytest.mark.parametrize("type", _DTYPES)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_large_values_of_every_size_are_combined_in_the_order_of_the_group(type: str, order: list[int]) -> None:
    """As the reference combines them, bit for bit."""
    size = 300_007
    text = program(f"{size}x{type}", 3, op="subtract" if type != "i1" else "xor", rows=[order])
    values = rows(3, lambda i: _values(type, size, i))
    results = run_grid(xdsl_xla.compile(text, partitions=3), values)[0]
    for (result,), wanted in zip(results, reference_results(text, values), strict=True):
        assert result.tobytes() == wanted.tobytes()


def _values(type: str, size: int, seed: int) -> Array:
    low, high = (0, 2) if type == "i1" else (-8, 8)
    return np.random.default_rng(seed).integers(low, high, size).astype(_DTYPES[type])


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("devices", [2, 3])
def test_parts_of_large_values_are_scattered(devices: int, dim: int) -> None:
    shape = [6, 40_002]
    part = [size // devices if i == dim else size for i, size in enumerate(shape)]
    whole, own = (f"tensor<{a}x{b}xf32>" for a, b in (shape, part))
    text = f"""func.func @main(%x: {whole}) -> {own} {{
      %r = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = {dim} : i64, {CHANNEL},
          replica_groups = dense<[{list(range(devices))}]> : tensor<1x{devices}xi64>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : ({whole}) -> {own}
      return %r : {own}
    }}"""
    values = rows(devices, lambda i: np.random.default_rng(i).standard_normal(shape, np.float32))
    results = run_grid(xdsl_xla.compile(text, partitions=devices), values)[0]
    for (result,), wanted in zip(results, reference_results(text, values), strict=True):
        assert result.tobytes() == wanted.tobytes()


def test_a_device_that_fails_beside_a_large_reduction_leaves_no_memory_that_others_write_to() -> None:
    """One is stopped in the middle of many; results of the next runs are right."""
    size = 1 << 20
    exe = xdsl_xla.compile(program(f"{size}xi32", 2), partitions=2)
    late = xdsl_xla.compile(
        f"func.func @main(%x: tensor<{size}xi32>) -> tensor<{size}xi32> {{ return %x : tensor<{size}xi32> }}",
        partitions=2,
    )
    arguments = rows(2, lambda i: np.full(size, i + 1, np.int32))
    for _ in range(5):
        with pytest.raises(InvalidProgramError, match="cannot finish"):
            run_grid([[exe, late]], arguments)
        for (result,) in run_grid(exe, arguments)[0]:
            assert (result == 3).all()


def test_all_members_get_the_same_bits() -> None:
    exe = xdsl_xla.compile(program("50000xf32", 3), partitions=3)
    rng = np.random.default_rng(0)
    first, *others = run_grid(exe, rows(3, lambda _: rng.standard_normal(50_000, np.float32)))[0]
    for other in others:
        np.testing.assert_array_equal(other[0], first[0])


def test_a_grid_is_loaded_once() -> None:
    """Runs one after the other, and at the same time on other threads, do not disturb each other."""
    exe = xdsl_xla.compile(program("7xf32", 2), partitions=2)
    wrong: list[int] = []

    def run(start: int) -> None:
        for i in range(start, start + 20):
            results = run_grid(exe, [[[np.full(7, i + k, np.float32)] for k in range(2)]])
            wrong.extend(i for (r,) in results[0] if not (r == 2 * i + 1).all())

    threads = [threading.Thread(target=run, args=(100 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_random_delays() -> None:
    """In front of every exchange of a loop."""

    @xdsl_xla.custom_call("tests.delay")
    def delay(x: Array) -> Array:
        time.sleep(random.random() * 2e-4)
        return x

    assert delay is not None
    call = "stablehlo.custom_call @tests.delay"
    text = f"""func.func @main(%x0: tensor<4xi32>) -> tensor<4xi32> {{
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<50> : tensor<i32>
      %w:2 = stablehlo.while(%i = %c0, %x = %x0) : tensor<i32>, tensor<4xi32> cond {{
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %d = {call}(%x) : (tensor<4xi32>) -> tensor<4xi32>
        %r = {all_reduce("4xi32", 3, "%d")}
        %p = "stablehlo.collective_permute"(%r) <{{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> :
          tensor<3x2xi64>, {CHANNEL.split(", use")[0]}}}> : (tensor<4xi32>) -> tensor<4xi32>
        %j = stablehlo.add %i, %c1 : tensor<i32>
        stablehlo.return %j, %p : tensor<i32>, tensor<4xi32>
      }}
      return %w#1 : tensor<4xi32>
    }}"""
    exe = xdsl_xla.compile(text, partitions=3)
    for _ in range(3):
        results = run_grid(exe, rows(3, lambda i: np.arange(4, dtype=np.int32) + i))
        for (result,) in results[0]:
            with np.errstate(over="ignore"):
                np.testing.assert_array_equal(result, (np.arange(4, dtype=np.int32) * 3 + 3) * np.int32(_power(3, 49)))


def _power(base: int, exponent: int) -> int:
    """Modulo 2^32, signed."""
    value = pow(base, exponent, 1 << 32)
    return value - (1 << 32) * (value >> 31)


LATE = "%x2 = stablehlo.custom_call @tests.late(%x) : (tensor<4xf32>) -> tensor<4xf32>"


def test_a_late_device_is_named() -> None:
    @xdsl_xla.custom_call("tests.late")
    def late(x: Array) -> Array:
        if x[0] == 1:
            time.sleep(1.5)
        return x

    assert late is not None
    exe = xdsl_xla.compile(program("4xf32", 3, LATE, "%x2"), partitions=3, filename="late.mlir")
    start = time.monotonic()
    with pytest.raises(ProgramTimeoutError) as info:
        run_grid(exe, rows(3, lambda i: np.full(4, i, np.float32)), collective_timeout=0.4)
    assert time.monotonic() - start < 3
    text = str(info.value)
    assert "'stablehlo.all_reduce' op: process (0, " in text
    assert "has waited 0.4 seconds in stablehlo.all_reduce on channel 1; came: " in text
    assert text.endswith("did not come: (0, 1)") and text.startswith("late.mlir:3:")


def test_a_device_that_fails_ends_the_others() -> None:
    @xdsl_xla.custom_call("tests.late")
    def fail(x: Array) -> Array:
        if x[0] == 1:
            raise ValueError("no")
        return x

    assert fail is not None
    exe = xdsl_xla.compile(program("4xf32", 3, LATE, "%x2"), partitions=3)
    for _ in range(3):
        start = time.monotonic()
        with pytest.raises(ValueError, match="no"):
            run_grid(exe, rows(3, lambda i: np.full(4, i, np.float32)))
        assert time.monotonic() - start < 5


def test_programs_that_call_each_other_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python counts the calls of one thread, and each device has its own."""
    monkeypatch.setattr(workers, "MOST_NESTED", 24)

    @xdsl_xla.custom_call("tests.late")
    def run_again(x: Array) -> Array:
        return x - 1 if x[0] <= 1 else run(x - 1)

    def run(x: Array) -> Array:
        return run_grid(exe, rows(2, lambda _: x))[0][0][0]

    assert run_again is not None
    exe = xdsl_xla.compile(program("4xf32", 2, LATE, "%x2"), partitions=2)
    for _ in range(2):
        assert run(np.full(4, 3, np.float32)).tolist() == [0] * 4
        with pytest.raises(RecursionError, match="programs on several devices that call each other"):
            run(np.full(4, 1e6, np.float32))


def test_a_program_that_has_ended_is_not_waited_for() -> None:
    ends = xdsl_xla.compile(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }", partitions=2
    )
    waits = xdsl_xla.compile(program("4xf32", 2), partitions=2)
    with pytest.raises(InvalidProgramError, match=r"cannot finish: process \(0, 1\) waits for \[\(0, 0\), \(0, 1\)\]"):
        run_grid([[ends, waits]], rows(2, lambda i: np.zeros(4, np.float32)))


def test_another_computation_is_an_error() -> None:
    programs = [xdsl_xla.compile(program("4xf32", 2, op=op), partitions=2) for op in ("add", "maximum")]
    with pytest.raises(InvalidProgramError, match="with other computation"):
        run_grid([programs], rows(2, lambda i: np.zeros(4, np.float32)))


def test_groups_of_devices() -> None:
    exe = xdsl_xla.compile(program("3xi32", 4, rows=[[0, 3], [1, 2]]), partitions=4)
    results = run_grid(exe, rows(4, lambda i: np.full(3, 10**i, np.int32)))
    assert [int(r[0][0]) for r in results[0]] == [1001, 110, 110, 1001]
