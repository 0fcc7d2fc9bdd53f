"""Native sort against NumPy: every element type, edge sizes, dimensions, several operands, all kinds of comparators."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]
DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 1025]


def comparison(element: str) -> str:
    if element[0] in "bf":
        return "TOTALORDER"
    return "UNSIGNED" if element[0] == "u" or element == "i1" else "SIGNED"


def program(types: list[str], dim: int, direction: str = "LT", body: str | None = None, stable: bool = True) -> str:
    """`@main` sorts its arguments by the first one, or by `body` on `%a0, %b0, %a1, %b1, ...`."""
    elements = [type.split("x")[-1] for type in types]
    first = f"tensor<{elements[0]}>"
    body = body or (
        f"%less = stablehlo.compare {direction}, %a0, %b0, {comparison(elements[0])} : ({first}, {first}) -> tensor<i1>"
    )
    tensors = ", ".join(f"tensor<{type}>" for type in types)
    arguments = ", ".join(f"%x{i}: tensor<{type}>" for i, type in enumerate(types))
    block = ", ".join(f"%a{i}: tensor<{e}>, %b{i}: tensor<{e}>" for i, e in enumerate(elements))
    operands = ", ".join(f"%x{i}" for i in range(len(types)))
    results = f"%r:{len(types)}" if len(types) > 1 else "%r"
    returned = ", ".join(f"%r#{i}" for i in range(len(types))) if len(types) > 1 else "%r"
    return f"""
    func.func @main({arguments}) -> ({tensors}) {{
      {results} = "stablehlo.sort"({operands}) <{{dimension = {dim} : i64, is_stable = {str(stable).lower()}}}> ({{
      ^bb0({block}):
        {body}
        stablehlo.return %less : tensor<i1>
      }}) : ({tensors}) -> ({tensors})
      return {returned} : {tensors}
    }}"""


def values(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    """Random elements with many repetitions and the extremes of the type."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        few = rng.integers(0, 7, shape).astype(dtype)
        return np.where(rng.random(shape) < 0.3, rng.integers(info.min, info.max, shape, dtype, endpoint=True), few)
    few = rng.integers(-3, 4, shape).astype(np.float64)
    some = np.where(rng.random(shape) < 0.5, rng.normal(size=shape) * 100, few)
    special = rng.choice([0.0, -0.0, np.inf, -np.inf], shape)
    return np.where(rng.random(shape) < 0.2, special, some).astype(dtype)


def order_key(x: Array) -> Array:
    """Integers in the order of TOTALORDER; anything else is its own key."""
    if x.dtype.kind in "biu":
        return x
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    limit = np.int64((1 << (8 * x.dtype.itemsize - 1)) - 1)
    return np.where(bits < 0, bits ^ limit, bits)


def bits(x: Array) -> Array:
    return x if x.dtype.kind in "biu" else x.view(f"u{x.dtype.itemsize}")


@pytest.mark.sample(6)
@pytest.mark.parametrize("element", DTYPES)
def test_element_types(element: str) -> None:
    for size in SIZES:
        x = values((size,), DTYPES[element], size)
        (result,) = xdsl_xla.compile(program([f"{size}x{element}"], 0))(x)
        order = np.argsort(order_key(x), kind="stable")
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(bits(result), bits(x[order]))


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
@pytest.mark.parametrize("shape", [(4, 5, 6), (1, 9, 1), (17, 1, 3), (2, 0, 3), (1, 1, 1), (65, 31, 70)])
def test_dimensions(shape: tuple[int, ...], dim: int) -> None:
    x = values(shape, np.float32)
    (result,) = xdsl_xla.compile(program(["x".join(map(str, shape)) + "xf32"], dim))(x)
    order = np.argsort(order_key(x), axis=dim, kind="stable")
    np.testing.assert_array_equal(bits(result), bits(np.take_along_axis(x, order, dim)))


@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("size", SIZES)
def test_equal_keys_keep_their_order(size: int, direction: str) -> None:
    """Operands the comparator ignores follow; a stable sort leaves equal keys as they came."""
    keys = values((3, size), np.int8) % 4
    numbers = np.broadcast_to(np.arange(size, dtype=np.int64), (3, size)).copy()
    other = values((3, size), np.float64)
    text = program([f"3x{size}xi8", f"3x{size}xi64", f"3x{size}xf64"], 1, direction)
    results = xdsl_xla.compile(text)(keys, numbers, other)
    order = np.argsort(keys if direction == "LT" else -keys, axis=1, kind="stable")
    for result, x in zip(results, (keys, numbers, other), strict=True):
        np.testing.assert_array_equal(result, np.take_along_axis(x, order, 1))


def test_lexicographic() -> None:
    body = """
        %lt = stablehlo.compare LT, %a1, %b1, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
        %eq = stablehlo.compare EQ, %a1, %b1, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
        %gt = stablehlo.compare GT, %a0, %b0, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
        %both = stablehlo.and %eq, %gt : tensor<i1>
        %less = stablehlo.or %lt, %both : tensor<i1>"""
    second, first = values((333,), np.uint8), values((333,), np.int16) % 5
    results = xdsl_xla.compile(program(["333xui8", "333xi16"], 0, body=body))(second, first)
    order = np.lexsort((255 - second, first))
    np.testing.assert_array_equal(results[0], second[order])
    np.testing.assert_array_equal(results[1], first[order])


NO_ORDERS = {
    "not strict": "%less = stablehlo.compare LE, %a0, %b0, FLOAT : ({0}, {0}) -> tensor<i1>",
    "symmetric": "%less = stablehlo.compare NE, %a0, %b0, FLOAT : ({0}, {0}) -> tensor<i1>",
    "blind to NaN": "%less = stablehlo.compare LT, %a0, %b0, FLOAT : ({0}, {0}) -> tensor<i1>",
    "descending, blind to NaN": "%less = stablehlo.compare GT, %a0, %b0, FLOAT : ({0}, {0}) -> tensor<i1>",
    "always": "%less = stablehlo.constant dense<true> : tensor<i1>",
    "never": "%less = stablehlo.constant dense<false> : tensor<i1>",
    "of one": "%z = stablehlo.constant dense<0.0> : {0}\n"
    "%less = stablehlo.compare LT, %a0, %z, FLOAT : ({0}, {0}) -> tensor<i1>",
    "a cycle": "%z = stablehlo.constant dense<0.3> : {0}\n%s = stablehlo.subtract %a0, %b0 : {0}\n"
    "%c = stablehlo.sine %s : {0}\n%less = stablehlo.compare LT, %c, %z, FLOAT : ({0}, {0}) -> tensor<i1>",
}
"""Comparators that are no strict weak order."""

ON_TENSORS = """
%q = stablehlo.reshape %one : (tensor<i1>) -> tensor<1xi1>
%p = stablehlo.concatenate %q, %q, dim = 0 : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
%true = stablehlo.constant dense<true> : tensor<i1>
%less = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [0]
    : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
"""
"""What makes a comparator one that is not of scalars."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("on_tensors", [False, True])
@pytest.mark.parametrize("name", NO_ORDERS)
def test_any_comparator_gives_one_permutation(name: str, on_tensors: bool) -> None:
    """Comparators that are no order lose nothing, and sort on every engine in the same way."""
    body = NO_ORDERS[name].format("tensor<f32>")
    if on_tensors:
        body = body.replace("%less", "%one") + ON_TENSORS
    for size in (1, 2, 3, 6, 7, 33) if on_tensors else (2, 3, 5, 8, 33, 257):
        x = np.stack([values((size,), np.float32, seed) for seed in range(3)])
        x[1, ::9] = np.nan
        x[2, 1::2] = np.nan
        places = np.broadcast_to(np.arange(size, dtype=np.int32), x.shape)
        text = program([f"3x{size}xf32", f"3x{size}xi32"], 1, body=body)
        native = xdsl_xla.compile(text)(x, places)
        expected = run(parse_module(text), "main", [x, places])
        for got, wanted in zip(native, cast(Any, expected), strict=True):
            np.testing.assert_array_equal(bits(np.asarray(got)), bits(wanted))
        np.testing.assert_array_equal(np.sort(native[1], 1), places)
        np.testing.assert_array_equal(bits(np.take_along_axis(x, native[1], 1)), bits(native[0]))


@pytest.mark.parametrize("dim", [0, 1])
def test_nan_under_less_is_a_permutation_along_any_dimension(dim: int) -> None:
    x = values((40, 41), np.float64)
    x[::3, ::2] = np.nan
    text = program(["40x41xf64"], dim, body=NO_ORDERS["blind to NaN"].format("tensor<f64>"))
    (native,) = xdsl_xla.compile(text)(x)
    (expected,) = cast(Any, run(parse_module(text), "main", [x]))
    np.testing.assert_array_equal(native, expected)
    np.testing.assert_array_equal(np.sort(native, dim), np.sort(x, dim))


def test_comparator_captures_and_constant_operand() -> None:
    """Sorts the constant 1, 1, ... and distances to a captured value."""
    text = """
    func.func @main(%x: tensor<50xf32>, %center: tensor<f32>) -> (tensor<50xi32>, tensor<50xf32>) {
      %one = stablehlo.constant dense<1> : tensor<50xi32>
      %r:2 = "stablehlo.sort"(%one, %x) ({
      ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>):
        %da = stablehlo.subtract %a, %center : tensor<f32>
        %db = stablehlo.subtract %b, %center : tensor<f32>
        %absa = stablehlo.abs %da : tensor<f32>
        %absb = stablehlo.abs %db : tensor<f32>
        %less = stablehlo.compare LT, %absa, %absb : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }) : (tensor<50xi32>, tensor<50xf32>) -> (tensor<50xi32>, tensor<50xf32>)
      return %r#0, %r#1 : tensor<50xi32>, tensor<50xf32>
    }"""
    x = np.random.default_rng(0).normal(size=50).astype(np.float32)
    center = np.float32(0.25)
    ones, result = xdsl_xla.compile(text)(x, center)
    np.testing.assert_array_equal(ones, np.ones(50, np.int32))
    np.testing.assert_array_equal(result, x[np.argsort(np.abs(x - center), kind="stable")])


@pytest.mark.parametrize("size", [30, 100, 5000])
def test_floats_as_jax_sorts_them(size: int) -> None:
    """All zeros are equal, all NaNs are equal and last; a number beside each element shows the order of equal ones."""
    canonical = """
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>"""
    for x in "ab":
        canonical += f"""
        %z{x} = stablehlo.compare EQ, %{x}0, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %y{x} = stablehlo.select %z{x}, %zero, %{x}0 : tensor<i1>, tensor<f32>
        %n{x} = stablehlo.compare NE, %{x}0, %{x}0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %k{x} = stablehlo.select %n{x}, %nan, %y{x} : tensor<i1>, tensor<f32>"""
    canonical += "%less = stablehlo.compare LT, %ka, %kb, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    x = values((size,), np.float32)
    x[::7], x[::11] = np.nan, -np.nan
    numbers = np.arange(size, dtype=np.int32)
    results = xdsl_xla.compile(program([f"{size}xf32", f"{size}xi32"], 0, body=canonical))(x, numbers)
    order = np.argsort(x, kind="stable")
    np.testing.assert_array_equal(results[1], order)
    np.testing.assert_array_equal(bits(results[0]), bits(x[order]))


@pytest.mark.parametrize("size", [30, 100, 2000])
def test_key_that_is_computed(size: int) -> None:
    """The distance to a captured number, descending; the comparator swaps nothing but its elements."""
    text = f"""
    func.func @main(%x: tensor<{size}xi16>, %center: tensor<i16>) -> tensor<{size}xi16> {{
      %r = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<i16>, %b: tensor<i16>):
        %da = stablehlo.subtract %a, %center : tensor<i16>
        %db = stablehlo.subtract %b, %center : tensor<i16>
        %absa = stablehlo.abs %da : tensor<i16>
        %absb = stablehlo.abs %db : tensor<i16>
        %more = stablehlo.compare GT, %absa, %absb : (tensor<i16>, tensor<i16>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }}) : (tensor<{size}xi16>) -> tensor<{size}xi16>
      return %r : tensor<{size}xi16>
    }}"""
    x = np.random.default_rng(1).integers(-500, 500, size).astype(np.int16)
    (result,) = xdsl_xla.compile(text)(x, np.int16(17))
    np.testing.assert_array_equal(result, x[np.argsort(-np.abs(x - 17), kind="stable")])


@pytest.mark.parametrize(("body", "ascending"), [("LT, %b0, %a0", False), ("GT, %b0, %a0", True)])
@pytest.mark.parametrize("size", [20, 1500])
def test_exchanged_elements(body: str, ascending: bool, size: int) -> None:
    """`b < a` sorts in descending order, `b > a` in ascending order."""
    body = f"%less = stablehlo.compare {body}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    x = values((size,), np.int32)
    numbers = np.arange(size, dtype=np.int32)
    results = xdsl_xla.compile(program([f"{size}xi32", f"{size}xi32"], 0, body=body))(x, numbers)
    wide = x.astype(np.int64)
    order = np.argsort(wide if ascending else -wide, kind="stable")
    np.testing.assert_array_equal(results[0], x[order])
    np.testing.assert_array_equal(results[1], order)


@pytest.mark.parametrize("body", ["LT, %a0, %b1", "LT, %a1, %b0"])
def test_no_key(body: str) -> None:
    """Comparators of different operands."""
    size = 1500
    body = f"%less = stablehlo.compare {body}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    x = values((size,), np.int32)
    results = xdsl_xla.compile(program([f"{size}xi32", f"{size}xi32"], 0, body=body))(
        x, np.arange(size, dtype=np.int32)
    )
    np.testing.assert_array_equal(np.sort(results[1]), np.arange(size))
    np.testing.assert_array_equal(results[0], x[results[1]])


def test_operand_is_not_changed() -> None:
    x = values((100,), np.float32)
    before = x.copy()
    xdsl_xla.compile(program(["100xf32"], 0))(x)
    np.testing.assert_array_equal(x, before)
