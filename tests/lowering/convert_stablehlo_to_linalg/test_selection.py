"""The first elements of a sort, selected natively, against NumPy's stable sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla

from ..test_sort import DTYPES, bits, comparison, order_key, values


def program(shape: tuple[int, ...], element: str, dim: int, slices: list[tuple[int, int, int]], direction: str) -> str:
    """`@main` sorts values with their indices along `dim`, and returns `(start, limit, stride)` slices of both."""
    sizes = "x".join(map(str, shape))
    types = [f"tensor<{sizes}x{element}>", f"tensor<{sizes}xi32>"]
    lines: list[str] = []
    results: list[tuple[str, str]] = []
    for number, (operand, (start, limit, stride)) in enumerate((i, s) for s in slices for i in range(2)):
        ranges = [f"{start}:{limit}:{stride}" if d == dim else f"0:{size}" for d, size in enumerate(shape)]
        sliced = [-(-(limit - start) // stride) if d == dim else size for d, size in enumerate(shape)]
        type = f"tensor<{'x'.join(map(str, sliced))}x{(element, 'i32')[operand]}>"
        lines.append(f"%s{number} = stablehlo.slice %r#{operand} [{', '.join(ranges)}] : ({types[operand]}) -> {type}")
        results.append((f"%s{number}", type))
    names, result_types = (", ".join(part) for part in zip(*results, strict=True))
    scalar = f"tensor<{element}>"
    return f"""
    func.func @main(%x: {types[0]}) -> ({result_types}) {{
      %i = stablehlo.iota dim = {dim} : {types[1]}
      %r:2 = "stablehlo.sort"(%x, %i) <{{dimension = {dim} : i64, is_stable = true}}> ({{
      ^bb0(%a: {scalar}, %b: {scalar}, %c: tensor<i32>, %d: tensor<i32>):
        %less = stablehlo.compare {direction}, %a, %b, {comparison(element)} : ({scalar}, {scalar}) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }}) : ({", ".join(types)}) -> ({", ".join(types)})
      {chr(10).join(lines)}
      return {names} : {result_types}
    }}"""


def check(x: np.ndarray[Any, Any], element: str, dim: int, slices: list[tuple[int, int, int]], direction: str) -> None:
    run = xdsl_xla.compile(program(x.shape, element, dim, slices, direction), threads=1)
    key = order_key(x)
    if direction == "GT":
        key = ~key if key.dtype.kind in "iu" else ~key.astype(np.bool_)
    order = np.argsort(key, axis=dim, kind="stable")
    wanted: list[np.ndarray[Any, Any]] = []
    for start, limit, stride in slices:
        at = tuple(slice(start, limit, stride) if d == dim else slice(None) for d in range(x.ndim))
        wanted += [np.take_along_axis(x, order, dim)[at], order[at].astype(np.int32)]
    for result, expected in zip(run(x), wanted, strict=True):
        np.testing.assert_array_equal(bits(result), bits(expected))


@pytest.fixture(autouse=True, params=[0, 256])
def longest_list(request: pytest.FixtureRequest, decide: Callable[..., object]) -> None:
    """What is selected is held in a heap, or in a sorted list."""
    decide(sorting={"sorted_list": request.param})


@pytest.mark.sample(16)
@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("element", DTYPES)
def test_element_types(element: str, direction: str) -> None:
    check(values((3, 300), DTYPES[element]), element, 1, [(0, 9, 1)], direction)


@pytest.mark.sample(20)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 31, 100])
@pytest.mark.parametrize("size", [101, 128, 1025, 5000])
def test_counts(size: int, count: int) -> None:
    check(values((2, size), np.float32, size), "f32", 1, [(0, count, 1)], "GT")


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_dimensions(dim: int) -> None:
    check(values((70, 80, 90), np.int16), "i16", dim, [(0, 5, 1)], "LT")


@pytest.mark.parametrize("order", [1, -1])
def test_every_or_no_element_is_taken(order: int) -> None:
    check(np.arange(1000, dtype=np.int32)[::order].copy(), "i32", 0, [(0, 20, 1)], "GT")


def test_equal_elements_keep_their_order() -> None:
    check(np.zeros((2, 200), np.float32), "f32", 1, [(0, 17, 1)], "GT")


@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_the_least_and_the_greatest_numbers(dtype: type[np.signedinteger[Any]], direction: str) -> None:
    limits = np.iinfo(dtype)
    x = np.full((3, 200), limits.max, dtype)
    x[1] = limits.min
    x[2, ::7] = limits.min
    check(x, f"i{limits.bits}", 1, [(0, 9, 1)], direction)


def test_several_slices() -> None:
    check(values((4, 500), np.float64), "f64", 1, [(0, 3, 1), (2, 9, 3), (5, 6, 1)], "LT")


def test_nan_is_greatest() -> None:
    x = values((200,), ml_dtypes.bfloat16)
    x[[3, 50, 170]] = np.nan
    check(x, "bf16", 0, [(0, 10, 1)], "GT")
