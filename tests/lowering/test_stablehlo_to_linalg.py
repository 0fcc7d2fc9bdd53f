"""Every lowering to linalg, executed and compared with the reference interpreter on random inputs.

Integers and booleans must agree exactly. Floats may differ by the order of sums and by the last digits of elementary
functions: tolerances are some units in the last place of the type, times the length of the sums here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
import xdsl_xla

from .stablehlo_harness import check, function

DATA_MOVEMENT = [
    ("3x1xf32", "2x3x4xf32", "broadcast_in_dim %x, dims = [1, 2]"),
    ("3x1xf32", "1x2x3xf32", "broadcast_in_dim %x, dims = [2, 0]"),
    ("f32", "2x3xf32", "broadcast_in_dim %x, dims = []"),
    ("3x4xf32", "2x3x4xf32", "broadcast %x, sizes = [2]"),
    ("2x3x4xf32", "4x2x3xf32", "transpose %x, dims = [2, 0, 1]"),
    ("2x3x4xf32", "6x4xf32", "reshape %x"),
    ("2x3x4xf32", "8x3xf32", "reshape %x"),
    ("1x2x1xf32", "2xf32", "reshape %x"),
    ("f32", "1x1xf32", "reshape %x"),
    ("1x1xf32", "f32", "reshape %x"),
    ("4x1xf32", "1x4xf32", "reshape %x"),
    ("8x8x8xi8", "3x4x1xi8", "slice %x [1:7:2, 0:4, 5:6]"),
    ("8x8x8xi8", "3x1x8xi8", "slice %x [0:7:3, 0:1, 0:8]"),
    ("8xf32", "0xf32", "slice %x [3:3]"),
]


@pytest.mark.parametrize(("source", "target", "body"), DATA_MOVEMENT)
def test_data_movement(source: str, target: str, body: str) -> None:
    text = f"%r = stablehlo.{body} : (tensor<{source}>) -> tensor<{target}>"
    check(function(f"%x: tensor<{source}>", f"tensor<{target}>", text))


@pytest.mark.parametrize("dims", ["0", "1", "0, 1", ""])
def test_reverse(dims: str) -> None:
    tensor = "tensor<3x4xf32>"
    check(function(f"%x: {tensor}", tensor, f"%r = stablehlo.reverse %x, dims = [{dims}] : {tensor}"))


@pytest.mark.parametrize("type", ["i8", "ui32", "i64", "f32", "bf16", "f64"])
def test_iota(type: str) -> None:
    tensor = f"tensor<3x5x{type}>"
    check(function("", tensor, f"%r = stablehlo.iota dim = 1 : {tensor}"))


def test_concatenate() -> None:
    types = ("tensor<2x1xf32>", "tensor<2x0xf32>", "tensor<2x4xf32>")
    body = f"%r = stablehlo.concatenate %a, %b, %c, dim = 1 : ({', '.join(types)}) -> tensor<2x5xf32>"
    check(function("%a: {}, %b: {}, %c: {}".format(*types), "tensor<2x5xf32>", body))


def padded_size(size: int, low: int, high: int, interior: int) -> int:
    return low + high + max(0, size - 1) * interior + size


PADS = [
    pad for pad in itertools.product((0, 1, 5), (-4, -2, -1, 0, 2), (-3, 0, 1), (0, 1, 2)) if padded_size(*pad) >= 0
]


@pytest.mark.sample(25)
@pytest.mark.parametrize(("size", "low", "high", "interior"), PADS)
def test_pad(size: int, low: int, high: int, interior: int) -> None:
    padded = padded_size(size, low, high, interior)
    source, target = f"tensor<2x{size}xf32>", f"tensor<3x{padded}xf32>"
    body = (
        f"%r = stablehlo.pad %x, %v, low = [1, {low}], high = [0, {high}], interior = [0, {interior}]"
        f" : ({source}, tensor<f32>) -> {target}"
    )
    check(function(f"%x: {source}, %v: tensor<f32>", target, body))


# Contractions


@pytest.mark.parametrize("types", [("f32", "f32"), ("bf16", "bf16"), ("bf16", "f32"), ("f32", "f64")])
def test_dot_types(types: tuple[str, str]) -> None:
    source, target = types
    operands = f"tensor<3x8x{source}>, tensor<8x5x{source}>"
    body = f"%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({operands}) -> tensor<3x5x{target}>"
    x, y = operands.split(", ")
    check(function(f"%x: {x}, %y: {y}", f"tensor<3x5x{target}>", body))


@pytest.mark.parametrize("types", [("i8", "i32"), ("ui8", "ui32"), ("i1", "i1"), ("i64", "i64"), ("ui8", "ui8")])
def test_dot_of_integers(types: tuple[str, str]) -> None:
    source, target = types
    operands = f"tensor<3x8x{source}>, tensor<8x5x{source}>"
    body = f"%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({operands}) -> tensor<3x5x{target}>"
    x, y = operands.split(", ")
    check(function(f"%x: {x}, %y: {y}", f"tensor<3x5x{target}>", body))


DOTS = [
    ("2x3x4x5x6", "3x5x7x2", "batching_dims = [1] x [0], contracting_dims = [0, 3] x [3, 1]", "3x4x6x7"),
    ("4", "6", "contracting_dims = [] x []", "4x6"),
    ("4", "4", "contracting_dims = [0] x [0]", ""),
    ("3x4", "3x4", "batching_dims = [0, 1] x [0, 1], contracting_dims = [] x []", "3x4"),
    ("3x0", "0x4", "contracting_dims = [1] x [0]", "3x4"),
]


@pytest.mark.parametrize(("lhs", "rhs", "dims", "result"), DOTS)
def test_dot_dimensions(lhs: str, rhs: str, dims: str, result: str) -> None:
    target = f"tensor<{result}xf32>" if result else "tensor<f32>"
    operands = (f"tensor<{lhs}xf32>", f"tensor<{rhs}xf32>")
    body = f"%r = stablehlo.dot_general %x, %y, {dims} : ({', '.join(operands)}) -> {target}"
    check(function("%x: {}, %y: {}".format(*operands), target, body))


def convolution(
    numbers: str,
    lhs: Sequence[int],
    rhs: Sequence[int],
    result: Sequence[int],
    window: str,
    *,
    feature_groups: int = 1,
    batch_groups: int = 1,
    type: str = "f32",
) -> str:
    x, k, r = ("tensor<" + "".join(f"{d}x" for d in shape) + f"{type}>" for shape in (lhs, rhs, result))
    body = (
        f"%r = stablehlo.convolution(%x, %k) dim_numbers = {numbers}, window = {{{window}}} "
        f"{{batch_group_count = {batch_groups} : i64, feature_group_count = {feature_groups} : i64}}"
        f" : ({x}, {k}) -> {r}"
    )
    return function(f"%x: {x}, %k: {k}", r, body)


NHWC = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
CONVOLUTIONS = {
    "plain": convolution(NHWC, (2, 9, 8, 3), (3, 2, 3, 4), (2, 7, 7, 4), ""),
    "pointwise": convolution(NHWC, (2, 9, 8, 3), (1, 1, 3, 4), (2, 9, 8, 4), ""),
    "strided_pointwise": convolution(NHWC, (2, 9, 8, 3), (1, 1, 3, 4), (2, 5, 3, 4), "stride = [2, 3]"),
    "padded": convolution(NHWC, (2, 9, 8, 3), (3, 2, 3, 4), (2, 5, 8, 4), "stride = [2, 1], pad = [[1, 1], [-1, 2]]"),
    "negative": convolution(NHWC, (2, 9, 8, 3), (3, 3, 3, 4), (2, 4, 4, 4), "pad = [[-2, -1], [-1, -1]]"),
    "dilated": convolution(NHWC, (2, 9, 8, 3), (3, 2, 3, 4), (2, 5, 6, 4), "rhs_dilate = [2, 2]"),
    "transposed": convolution(
        NHWC, (2, 4, 5, 3), (3, 3, 3, 4), (2, 8, 8, 4), "pad = [[2, 1], [-1, 2]], lhs_dilate = [2, 2]"
    ),
    "reversed": convolution(
        NHWC, (2, 9, 8, 3), (3, 2, 3, 4), (2, 5, 7, 4), "rhs_dilate = [2, 1], reverse = [true, true]"
    ),
    "orders": convolution("[f, 1, b, 0]x[i, 1, o, 0]->[1, f, 0, b]", (3, 8, 2, 9), (3, 2, 4, 3), (7, 4, 7, 2), ""),
    "feature_groups": convolution(NHWC, (2, 9, 8, 6), (3, 3, 2, 9), (2, 7, 6, 9), "", feature_groups=3),
    "depthwise": convolution(NHWC, (2, 9, 8, 4), (3, 3, 1, 8), (2, 7, 6, 8), "", feature_groups=4),
    "batch_groups": convolution(NHWC, (6, 9, 8, 3), (3, 3, 3, 4), (3, 7, 6, 4), "", batch_groups=2),
    "groups_in_other_order": convolution(
        "[f, 0, b]x[o, 0, i]->[f, b, 0]", (6, 9, 2), (4, 3, 3), (4, 2, 7), "", feature_groups=2
    ),
    "no_spatial": convolution("[b, f]x[i, o]->[b, f]", (2, 3), (3, 4), (2, 4), ""),
    "three_spatial": convolution(
        "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]", (1, 4, 5, 6, 2), (2, 2, 2, 2, 3), (1, 3, 4, 5, 3), ""
    ),
    "half": convolution(NHWC, (2, 5, 5, 3), (3, 3, 3, 4), (2, 3, 3, 4), "", type="bf16"),
    "integers": convolution(NHWC, (2, 5, 5, 3), (3, 3, 3, 4), (2, 3, 3, 4), "", type="i32"),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str) -> None:
    check(CONVOLUTIONS[name])


# Reductions and windows


@pytest.mark.parametrize("dims", ["", "0", "1", "2", "0, 2", "0, 1, 2"])
@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_reduce(dims: str, op: str) -> None:
    shape = [2, 3, 4]
    kept = [size for i, size in enumerate(shape) if str(i) not in dims]
    target = "tensor<" + "".join(f"{size}x" for size in kept) + "f32>"
    body = (
        f"%r = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = [{dims}]"
        f" : (tensor<2x3x4xf32>, tensor<f32>) -> {target}"
    )
    check(function("%x: tensor<2x3x4xf32>, %i: tensor<f32>", target, body))


@pytest.mark.parametrize(
    ("type", "op"),
    [("f16", "add"), ("bf16", "multiply"), ("i8", "add"), ("ui8", "maximum"), ("i1", "and"), ("i1", "or")],
)
def test_reduce_types(type: str, op: str) -> None:
    body = (
        f"%r = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = [1]"
        f" : (tensor<5x30x{type}>, tensor<{type}>) -> tensor<5x{type}>"
    )
    check(function(f"%x: tensor<5x30x{type}>, %i: tensor<{type}>", f"tensor<5x{type}>", body))


def test_reduce_of_nothing_is_the_init_value() -> None:
    body = (
        "%r = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1]"
        " : (tensor<5x0xf32>, tensor<f32>) -> tensor<5xf32>"
    )
    check(function("%x: tensor<5x0xf32>, %i: tensor<f32>", "tensor<5xf32>", body))


def test_variadic_reduce() -> None:
    body = """
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.reduce(%x init: %low), (%y init: %zero) across dimensions = [1]
        : (tensor<4x50xf32>, tensor<4x50xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }"""
    check(function("%x: tensor<4x50xf32>, %y: tensor<4x50xi32>", "tensor<4xf32> | tensor<4xi32>", body))


def reduce_window(source: str, target: str, attributes: str, op: str, type: str = "f32") -> str:
    body = f"""
    %r = "stablehlo.reduce_window"(%x, %i) <{{{attributes}}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.{op} %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : (tensor<{source}x{type}>, tensor<{type}>) -> tensor<{target}x{type}>"""
    return function(f"%x: tensor<{source}x{type}>, %i: tensor<{type}>", f"tensor<{target}x{type}>", body)


REDUCE_WINDOWS = {
    "pooling": reduce_window(
        "2x8x9x3",
        "2x4x4x3",
        "padding = dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, "
        "window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>",
        "maximum",
    ),
    "dilated": reduce_window(
        "5x4",
        "3x4",
        "base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 3, 1>",
        "add",
    ),
    "cumulative": reduce_window(
        "3x10",
        "3x10",
        "padding = dense<[[0, 0], [9, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 10>",
        "add",
    ),
    "negative_padding": reduce_window(
        "10", "6", "padding = dense<[[-2, -1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>", "add"
    ),
    "single_elements": reduce_window(
        "10", "5", "window_dimensions = array<i64: 1>, window_strides = array<i64: 2>", "add"
    ),
    "half": reduce_window("20", "18", "window_dimensions = array<i64: 3>", "add", "bf16"),
    "integers": reduce_window("20", "18", "window_dimensions = array<i64: 3>", "maximum", "i32"),
}


@pytest.mark.parametrize("name", REDUCE_WINDOWS)
def test_reduce_window(name: str) -> None:
    check(REDUCE_WINDOWS[name])


SCANS = {
    "sum": ("add", "0.0", "f32"),
    "product": ("multiply", "1", "i8"),
    "half_sum": ("add", "0.0", "bf16"),
    "not_neutral": ("add", "1.0", "f32"),
    "maximum": ("maximum", "0xFF800000", "f32"),
    "unsigned_maximum": ("maximum", "0", "ui16"),
    "signed_minimum": ("minimum", "127", "i8"),
    "all": ("and", "true", "i1"),
    "parity": ("xor", "false", "i1"),
}


@pytest.mark.sample(20)
@pytest.mark.parametrize("name", SCANS)
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("reverse", [False, True])
def test_scan(name: str, dim: int, reverse: bool) -> None:
    """Windows that are all prefixes or all suffixes."""
    op, init, type = SCANS[name]
    shape = (4, 5, 3)
    window = [shape[d] if d == dim else 1 for d in range(3)]
    edges = [[0, 0] if d != dim else [0, shape[d] - 1] if reverse else [shape[d] - 1, 0] for d in range(3)]
    body = f"""
    %i = stablehlo.constant dense<{init}> : tensor<{type}>
    %r = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {str(window)[1:-1]}>,
      padding = dense<{edges}> : tensor<3x2xi64>}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.{op} %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : (tensor<4x5x3x{type}>, tensor<{type}>) -> tensor<4x5x3x{type}>"""
    check(function(f"%x: tensor<4x5x3x{type}>", f"tensor<4x5x3x{type}>", body))


def running_sum(shape: Sequence[int], dim: int, reverse: bool, init: str = "0.0", type: str = "f32") -> str:
    tensor = f"tensor<{'x'.join(map(str, shape))}x{type}>"
    rank, count = len(shape), shape[dim]
    window = [count if d == dim else 1 for d in range(rank)]
    edges = [[0, 0] if d != dim else [0, count - 1] if reverse else [count - 1, 0] for d in range(rank)]
    body = f"""
    %i = stablehlo.constant dense<{init}> : tensor<{type}>
    %r = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {str(window)[1:-1]}>,
      padding = dense<{edges}> : tensor<{rank}x2xi64>}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.add %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : ({tensor}, tensor<{type}>) -> {tensor}"""
    return function(f"%x: {tensor}", tensor, body)


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "dim"),
    [((16,), 0), ((17,), 0), ((32,), 0), ((2, 33), 1), ((2, 100, 3), 1), ((2, 32, 3), 1), ((33, 7), 0), ((64, 2), 0)],
)
def test_long_running_sums(shape: Sequence[int], dim: int, reverse: bool, type: str) -> None:
    """Of whole chains and of others."""
    check(running_sum(shape, dim, reverse, type=type))


@pytest.mark.parametrize("shape", [(1000,), (1000, 3)])
def test_running_sums_are_as_close_as_rounding_some_chains(shape: Sequence[int]) -> None:
    """The root of the mean square, in units of the last place; one chain of 1,000 is some 5 off."""
    rng = np.random.default_rng(0)
    run = xdsl_xla.compile(running_sum(shape, 0, False))
    errors: list[float] = []
    for _ in range(20):
        x = rng.random(shape, dtype=np.float32)
        exact = np.cumsum(x.astype(np.float64), axis=0)
        result = np.asarray(run(x)[0])
        errors.append(float(np.mean(((result - exact) / exact) ** 2)))
    assert np.sqrt(np.mean(errors)) * 2**24 < 0.9


@pytest.mark.parametrize("shape", [(100,), (100, 2)])
def test_running_sums_of_infinities_and_zeros(shape: Sequence[int]) -> None:
    inf, run = float("inf"), xdsl_xla.compile(running_sum(shape, 0, False, "-0.0"))
    zeros = np.full(shape, -0.0, np.float32)
    assert np.signbit(np.asarray(run(zeros)[0])).all()
    x = np.ones(shape, np.float32)
    x[40], x[77] = inf, -inf
    result = np.asarray(run(x)[0]).reshape(100, -1)
    assert np.isfinite(result[:40]).all()
    assert (result[40:77] == inf).all()
    assert np.isnan(result[77:]).all()


@pytest.mark.parametrize(
    ("source", "attributes"),
    [
        ("4x2", "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>"),
        (
            "4x4",
            "padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, "
            "window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>",
        ),
        ("6x3", "window_dimensions = array<i64: 3, 2>"),
        ("1x1", "window_dimensions = array<i64: 8, 4>"),
    ],
)
def test_select_and_scatter(source: str, attributes: str) -> None:
    body = f"""
    %r = "stablehlo.select_and_scatter"(%x, %y, %i) <{{{attributes}}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}, {{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}) : (tensor<8x4xf32>, tensor<{source}xf32>, tensor<f32>) -> tensor<8x4xf32>"""
    check(function(f"%x: tensor<8x4xf32>, %y: tensor<{source}xf32>, %i: tensor<f32>", "tensor<8x4xf32>", body))


# Indexing: random indices reach beyond both ends


@pytest.mark.parametrize("type", ["i32", "ui8", "i64", "ui64"])
def test_dynamic_slices(type: str) -> None:
    index = f"tensor<{type}>"
    arguments = f"%x: tensor<5x6xf32>, %y: tensor<2x6xf32>, %i: {index}, %j: {index}"
    sliced = (
        f"%r = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3]"
        f" : (tensor<5x6xf32>, {index}, {index}) -> tensor<2x3xf32>"
    )
    updated = (
        f"%r = stablehlo.dynamic_update_slice %x, %y, %i, %j"
        f" : (tensor<5x6xf32>, tensor<2x6xf32>, {index}, {index}) -> tensor<5x6xf32>"
    )
    dtype = np.dtype(f"{'uint' if type[0] == 'u' else 'int'}{type.strip('ui')}")
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(5, 6)).astype(np.float32), rng.normal(size=(2, 6)).astype(np.float32)
    info = np.iinfo(dtype)
    for i in (info.min, 0, 1, 3, 4, info.max):
        start = np.array(i, dtype)
        check(function(arguments, "tensor<2x3xf32>", sliced), x, y, start, start)
        check(function(arguments, "tensor<5x6xf32>", updated), x, y, start, start)


GATHERS = {
    "rows": (
        "11x4xf32, 5x1xi32 -> 5x4xf32",
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1",
        "1, 4",
    ),
    "components": (
        "11x4xf32, 2x5xi32 -> 3x5xf32",
        "offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0",
        "3, 1",
    ),
    "batching": (
        "3x11xf32, 5x3xui8 -> 5x3xf32",
        "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], "
        "start_index_map = [1], index_vector_dim = 2",
        "1, 1",
    ),
    "windows": (
        "8x9xi32, 4x3x2xi64 -> 4x2x3x5xi32",
        "offset_dims = [1, 3], start_index_map = [0, 1], index_vector_dim = 2",
        "2, 5",
    ),
    "scalar_index": (
        "8x9xf32, 1xi32 -> 9xf32",
        "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]",
        "1, 9",
    ),
}


@pytest.mark.parametrize("name", GATHERS)
def test_gather(name: str) -> None:
    types, numbers, sizes = GATHERS[name]
    operands, result = types.split(" -> ")
    operand, indices = operands.split(", ")
    body = (
        f'%r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
        f"slice_sizes = array<i64: {sizes}>}}> : (tensor<{operand}>, tensor<{indices}>) -> tensor<{result}>"
    )
    check(function(f"%x: tensor<{operand}>, %i: tensor<{indices}>", f"tensor<{result}>", body))


SCATTERS = {
    "rows": (
        ("11x4", "5x1xi32", "5x4"),
        "update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
    ),
    "points": (
        ("11x4", "9x2xi32", "9"),
        "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1",
    ),
    "clipped_windows": (
        ("6x4", "3x2xi64", "3x4x2"),
        "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1",
    ),
    "columns": (
        ("4x11", "5xi32", "4x5"),
        "update_window_dims = [0], inserted_window_dims = [1], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
    ),
    "batching": (
        ("3x11", "5x3xi32", "5x3"),
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
    ),
    "unsigned": (
        ("11", "7x1xui8", "7"),
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
    ),
    "one_point": (("7", "1xi32", ""), "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"),
    "one_row": (
        ("7x4", "1xi32", "4"),
        "update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]",
    ),
    "one_window": (("7x4", "2xi32", "1x1"), "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]"),
}


@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize("op", ["add", "maximum"])
def test_scatter(name: str, op: str) -> None:
    (operand, indices, updates), numbers = SCATTERS[name]
    x, i, u = f"tensor<{operand}xf32>", f"tensor<{indices}>", f"tensor<{'x'.join([*updates.split(), 'f32'])}>"
    body = f"""
    %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.{op} %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}) : ({x}, {i}, {u}) -> {x}"""
    check(function(f"%x: {x}, %i: {i}, %u: {u}", x, body))


def test_scatter_of_several_results() -> None:
    body = """
    %r:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<
        update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %1 = stablehlo.add %a, %c : tensor<f32>
      %2 = stablehlo.multiply %b, %d : tensor<i32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
    }) : (tensor<11xf32>, tensor<11xi32>, tensor<5x1xi32>, tensor<5x3xf32>, tensor<5x3xi32>)
        -> (tensor<11xf32>, tensor<11xi32>)"""
    arguments = "%x: tensor<11xf32>, %y: tensor<11xi32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>, %v: tensor<5x3xi32>"
    check(function(arguments, "tensor<11xf32> | tensor<11xi32>", body))


# Control flow


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 7])
def test_case(index: int) -> None:
    body = """
    %r = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      %1 = stablehlo.negate %x : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %1 = stablehlo.add %x, %x : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>"""
    check(function("%i: tensor<i32>, %x: tensor<4xf32>", "tensor<4xf32>", body), np.array(index, np.int32))


def test_nested_control_flow() -> None:
    body = """
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %w:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
     cond {
      %1 = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.remainder %i, %two : tensor<i32>
      %3 = stablehlo.compare EQ, %2, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = "stablehlo.if"(%3) ({
        %5 = stablehlo.add %y, %x : tensor<4xf32>
        stablehlo.return %5 : tensor<4xf32>
      }, {
        %5 = stablehlo.negate %y : tensor<4xf32>
        stablehlo.return %5 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.return %1, %4 : tensor<i32>, tensor<4xf32>
    }
    %r = stablehlo.add %w#1, %x : tensor<4xf32>"""
    check(function("%x: tensor<4xf32>", "tensor<4xf32>", body))
