"""`rng` in compiled programs: the numbers of the reference, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import InvalidProgramError, UnsupportedError
from xdsl_xla.reference.arrays import dtype_of
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any


def program(element: str, distribution: str, shape: tuple[int, ...]) -> str:
    result = "".join(f"{n}x" for n in shape) + element
    sizes = f"[{', '.join(map(str, shape))}]" if shape else ""
    return f"""func.func @main(%a: tensor<{element}>, %b: tensor<{element}>) -> (tensor<{result}>, tensor<{result}>) {{
      %shape = stablehlo.constant dense<{sizes}> : tensor<{len(shape)}xi64>
      %0 = stablehlo.rng %a, %b, %shape, distribution = {distribution}
        : (tensor<{element}>, tensor<{element}>, tensor<{len(shape)}xi64>) -> tensor<{result}>
      %1 = stablehlo.rng %a, %b, %shape, distribution = {distribution}
        : (tensor<{element}>, tensor<{element}>, tensor<{len(shape)}xi64>) -> tensor<{result}>
      return %0, %1 : tensor<{result}>, tensor<{result}>
    }}"""


def both(text: str, seed: int, a: Array, b: Array, pipeline: str = "xla-cpu") -> list[Array]:
    """The numbers of compiled code, which are those of the reference."""
    results = xdsl_xla.compile(text, seed=seed, pipeline=pipeline)(a, b)
    expected = run(parse_module(text), "main", [a, b], Environment(seed=seed))
    for result, wanted in zip(results, expected, strict=True):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        assert result.tobytes() == np.ascontiguousarray(wanted).tobytes()
    return list(results)


FLOATS = ["f16", "bf16", "f32", "f64", "f8E5M2"]
INTEGERS = ["i1", "i4", "ui4", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"]


@pytest.mark.sample(5)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("element", FLOATS + INTEGERS)
def test_uniform(element: str, pipeline: str) -> None:
    dtype = dtype_of(parse_type(element))
    a, b = np.array(0, dtype), np.array(1 if element == "i1" else 7, dtype)
    first, second = both(program(element, "UNIFORM", (5, 11)), 3, a, b, pipeline)
    values = np.stack([first, second]).astype(np.float64)
    assert values.min() >= 0 and values.max() < float(b)
    if element != "i1":
        assert not np.array_equal(first, second)


@pytest.mark.sample(3)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("element", FLOATS)
def test_normal(element: str, pipeline: str) -> None:
    dtype = dtype_of(parse_type(element))
    both(program(element, "NORMAL", (7, 9)), 5, np.array(1, dtype), np.array(2, dtype), pipeline)


@pytest.mark.sample(6)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (1, 2, 1, 2, 1, 2, 1, 2)])
@pytest.mark.parametrize(("element", "distribution"), [("f32", "NORMAL"), ("f64", "UNIFORM"), ("i64", "UNIFORM")])
def test_shapes(element: str, distribution: str, shape: tuple[int, ...]) -> None:
    dtype = dtype_of(parse_type(element))
    both(program(element, distribution, shape), 0, np.array(0, dtype), np.array(9, dtype))


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("element", "low", "high"),
    [
        ("f32", -3e38, 3e38),
        ("f32", 1.0, 1.0),
        ("f32", 2.0, 1.0),
        ("f32", 1.0, float(np.nextafter(np.float32(1), np.float32(2)))),
        ("f32", float("nan"), 1.0),
        ("f32", 0.0, float("inf")),
        ("f64", -1.7e308, 1.7e308),
        ("i32", -(2**31), 2**31 - 1),
        ("i64", -(2**63), 2**63 - 1),
        ("ui64", 0, 2**64 - 1),
        ("i8", -128, 127),
        ("i32", 5, 5),
        ("ui8", 5, 3),
    ],
)
def test_bounds(element: str, low: float, high: float) -> None:
    """The widest, the narrowest, empty ones and those that are no numbers."""
    dtype = dtype_of(parse_type(element))
    a, b = np.array(low, dtype), np.array(high, dtype)
    for values in both(program(element, "UNIFORM", (64,)), 1, a, b):
        if low < high < float("inf"):
            assert (values >= a).all() and (values < b).all()
        elif low >= high:
            assert (values == a).all()


def test_integers_are_equally_likely() -> None:
    """Chi-squared over three numbers of 64 bits that are far apart, where a remainder of 64 bits would be biased."""
    a, b = np.int64(-(2**62)), np.int64(2**62)
    first, _ = both(program("i64", "UNIFORM", (30000,)), 0, a, b)
    counts = np.histogram(first.astype(np.float64), 3, (-(2.0**62), 2.0**62))[0]
    assert ((counts - 10000) ** 2 / 10000).sum() < 13.8  # 0.1 %


def test_normal_numbers_are_normal() -> None:
    """Moments, and the largest distance of the distribution functions (Kolmogorov and Smirnov) at 0.1 %."""
    from math import erf

    count = 20000
    for element, dtype in (("f32", np.float32), ("f64", np.float64)):
        (first, _) = both(program(element, "NORMAL", (count,)), 2, np.array(0, dtype), np.array(1, dtype))
        ordered = np.sort(first.astype(np.float64))
        exact = np.array([(1 + erf(x / 2**0.5)) / 2 for x in ordered])
        assert np.abs(exact - (np.arange(count) + 0.5) / count).max() < 1.95 / count**0.5


def test_calls_go_on_and_seeds_differ() -> None:
    text = program("f32", "UNIFORM", (4,))
    a, b = np.float32(0), np.float32(1)
    exe = xdsl_xla.compile(text, seed=1)
    first, again = exe(a, b)[0], exe(a, b)[0]
    assert not np.array_equal(first, again)
    np.testing.assert_array_equal(exe.with_environment(Environment(seed=1))(a, b)[0], first)
    assert not np.array_equal(exe.with_environment(Environment(seed=2))(a, b)[0], first)
    negative, large = (exe.with_environment(Environment(seed=s))(a, b)[0] for s in (-1, 2**64 - 1))
    np.testing.assert_array_equal(negative, large)


def test_a_loop_draws_fresh_numbers() -> None:
    text = """func.func @main(%a: tensor<f64>, %b: tensor<f64>) -> tensor<6xf64> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %six = stablehlo.constant dense<6> : tensor<i32>
      %shape = stablehlo.constant dense<1> : tensor<1xi64>
      %init = stablehlo.constant dense<0.0> : tensor<6xf64>
      %r:2 = stablehlo.while(%i = %zero, %v = %init) : tensor<i32>, tensor<6xf64>
      cond {
        %go = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %x = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
          : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<1xf64>
        %w = stablehlo.dynamic_update_slice %v, %x, %i : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> tensor<6xf64>
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %w : tensor<i32>, tensor<6xf64>
      }
      return %r#1 : tensor<6xf64>
    }"""
    (values,) = both(text, 0, np.float64(0), np.float64(1))
    assert len(set(values.tolist())) == 6


def test_types_without_random_numbers() -> None:
    text = program("complex<f32>", "UNIFORM", (2,))
    with pytest.raises(InvalidProgramError, match="i1, integer or floating-point type"):
        xdsl_xla.compile(text)
    with pytest.raises(UnsupportedError, match="random numbers of type"):
        run(parse_module(text), "main", [np.complex64(0)] * 2)


def parse_type(element: str) -> Any:
    function: Any = parse_module(f"func.func @f(%x: tensor<{element}>) {{ return }}").body.block.first_op
    return function.args[0].type.element_type
