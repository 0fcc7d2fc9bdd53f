"""Programs with bounded sizes as native code give what the reference interpreter gives, for every size."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import numpy as np
import pytest
from xdsl_xla import compile
from xdsl_xla.errors import ArgumentError, UnsupportedError, XlaError
from xdsl_xla.reference.arrays import dtype_of, is_float
from xdsl_xla.reference.interpreter import find_function, run
from xdsl_xla.runtime.mlir_text import parse_module, verify_module
from xdsl_xla.runtime.signature import bounded_shape

Array = np.ndarray[Any, Any]

PIPELINES = ("xla-cpu", "xla-cpu-O0")
SIZES = (0, 1, 3, 5)


def bounded(shape: str, element: str = "f32") -> str:
    """`<5x4` is `tensor<?x4xf32, #stablehlo.bounds<5, ?>>`."""
    parts = shape.split("x") if shape else []
    if not any(part.startswith("<") for part in parts):
        return f"tensor<{''.join(f'{part}x' for part in parts)}{element}>"
    sizes = "".join("?x" if part.startswith("<") else f"{part}x" for part in parts)
    bounds = ", ".join(part[1:] if part.startswith("<") else "?" for part in parts)
    return f"tensor<{sizes}{element}, #stablehlo.bounds<{bounds}>>"


X, Y = bounded("<5x4"), bounded("4x<5")
V, S = bounded("<5"), bounded("")
IX = bounded("<5x4", "i32")


def combine(op: str, type: str = S) -> str:
    return f"^bb0(%l: {type}, %r: {type}):\n    %c = stablehlo.{op} %l, %r : {type}\n    stablehlo.return %c : {type}\n"


def reduce(op: str, x: str, result: str, dims: str, scalar: str = S) -> str:
    return (
        f'"stablehlo.reduce"(%a0, %a1) <{{dimensions = array<i64: {dims}>}}> ({{\n  {combine(op, scalar)}  }}) :'
        f" ({x}, {scalar}) -> {result}"
    )


AVERAGE = f"""^bb0(%l: {S}, %r: {S}):
    %d = stablehlo.subtract %l, %r : {S}
    %h = stablehlo.multiply %d, %d : {S}
    %c = stablehlo.maximum %h, %l : {S}
    stablehlo.return %c : {S}
"""

ARGMAX = f"""^bb0(%l: {S}, %li: tensor<i32>, %r: {S}, %ri: tensor<i32>):
    %g = stablehlo.compare GT, %l, %r : ({S}, {S}) -> tensor<i1>
    %e = stablehlo.compare EQ, %l, %r : ({S}, {S}) -> tensor<i1>
    %f = stablehlo.compare LT, %li, %ri : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ef = stablehlo.and %e, %f : tensor<i1>
    %p = stablehlo.or %g, %ef : tensor<i1>
    %v = stablehlo.select %p, %l, %r : tensor<i1>, {S}
    %i = stablehlo.select %p, %li, %ri : tensor<i1>, tensor<i32>
    stablehlo.return %v, %i : {S}, tensor<i32>
"""


def window(x: str, result: str, attributes: str, op: str = "add") -> str:
    return f'"stablehlo.reduce_window"(%a0, %a1) <{{{attributes}}}> ({{\n  {combine(op)}  }}) : ({x}, {S}) -> {result}'


def sort(direction: str, dim: int) -> str:
    return (
        f'"stablehlo.sort"(%a0) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n  ^bb0(%l: {S}, %r: {S}):\n'
        f"    %c = stablehlo.compare {direction}, %l, %r : ({S}, {S}) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }}) : ({X}) -> {X}"
    )


GATHER_ROWS = (
    '"stablehlo.gather"(%a0, %a1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims ='
    " [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : "
)

SCATTER_ROWS = (
    '"stablehlo.scatter"(%a0, %a1, %a2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],'
    " inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
    f"  {combine('add')}  }}) : "
)

CASES: dict[str, tuple[Sequence[str], str, str]] = {
    # name: argument types, op on %a0, %a1, ..., result type
    "add": ((X, X), f"stablehlo.add %a0, %a1 : {X}", X),
    "compare": (
        (X, X),
        f"stablehlo.compare LT, %a0, %a1 : ({X}, {X}) -> {bounded('<5x4', 'i1')}",
        bounded("<5x4", "i1"),
    ),
    "convert": ((X,), f"stablehlo.convert %a0 : ({X}) -> {bounded('<5x4', 'i64')}", bounded("<5x4", "i64")),
    "select": (("tensor<i1>", X, X), f"stablehlo.select %a0, %a1, %a2 : tensor<i1>, {X}", X),
    "clamp": ((S, X, S), f"stablehlo.clamp %a0, %a1, %a2 : ({S}, {X}, {S}) -> {X}", X),
    "two bounds": ((bounded("<5x<3"),) * 2, f"stablehlo.multiply %a0, %a1 : {bounded('<5x<3')}", bounded("<5x<3")),
    "transpose": ((X,), f"stablehlo.transpose %a0, dims = [1, 0] : ({X}) -> {Y}", Y),
    "reverse": ((X,), f"stablehlo.reverse %a0, dims = [0, 1] : {X}", X),
    "reverse columns": ((Y,), f"stablehlo.reverse %a0, dims = [1] : {Y}", Y),
    "broadcast": (
        (V,),
        f"stablehlo.broadcast_in_dim %a0, dims = [1] : ({V}) -> {Y}",
        Y,
    ),
    "concatenate": (
        (X, bounded("<3x4"), bounded("2x4"), X),
        f"stablehlo.concatenate %a0, %a1, %a2, %a3, dim = 0 : ({X}, {bounded('<3x4')}, {bounded('2x4')}, {X}) ->"
        f" {bounded('<15x4')}",
        bounded("<15x4"),
    ),
    "concatenate beside": (
        (X, X),
        f"stablehlo.concatenate %a0, %a1, dim = 1 : ({X}, {X}) -> {bounded('<5x8')}",
        bounded("<5x8"),
    ),
    "pad": (
        (X, S),
        f"stablehlo.pad %a0, %a1, low = [2, 1], high = [1, 0], interior = [1, 2] : ({X}, {S}) -> {bounded('<12x11')}",
        bounded("<12x11"),
    ),
    "pad negative": (
        (bounded("<5x4"), S),
        f"stablehlo.pad %a0, %a1, low = [-1, 0], high = [1, 0], interior = [0, 0] : ({X}, {S}) -> {bounded('<5x4')}",
        bounded("<5x4"),
    ),
    "slice columns": ((X,), f"stablehlo.slice %a0 [0:5, 1:4:2] : ({X}) -> {bounded('<5x2')}", bounded("<5x2")),
    "slice rows": ((X,), f"stablehlo.slice %a0 [1:5:2, 0:4] : ({X}) -> {bounded('<2x4')}", bounded("<2x4")),
    "reshape split": ((X,), f"stablehlo.reshape %a0 : ({X}) -> {bounded('<5x2x2')}", bounded("<5x2x2")),
    "reshape merge": ((X,), f"stablehlo.reshape %a0 : ({X}) -> {bounded('<20')}", bounded("<20")),
    "reshape merge columns": ((Y,), f"stablehlo.reshape %a0 : ({Y}) -> {bounded('<20')}", bounded("<20")),
    "reshape columns": ((Y,), f"stablehlo.reshape %a0 : ({Y}) -> {bounded('2x2x<5')}", bounded("2x2x<5")),
    "sum of rows": ((X, S), reduce("add", X, bounded("4"), "0"), bounded("4")),
    "sum of columns": ((X, S), reduce("add", X, V, "1"), V),
    "sum": ((X, S), reduce("add", X, S, "0, 1"), S),
    "product": ((X, S), reduce("multiply", X, bounded("4"), "0"), bounded("4")),
    "maximum": ((X, S), reduce("maximum", X, bounded("4"), "0"), bounded("4")),
    "minimum of integers": (
        (IX, "tensor<i32>"),
        reduce("minimum", IX, bounded("4", "i32"), "0", "tensor<i32>"),
        bounded("4", "i32"),
    ),
    "and": (
        (IX, "tensor<i32>"),
        reduce("and", IX, bounded("4", "i32"), "0", "tensor<i32>"),
        bounded("4", "i32"),
    ),
    "sum of complex": (
        (bounded("<5x4", "complex<f32>"), "tensor<complex<f32>>"),
        reduce("add", bounded("<5x4", "complex<f32>"), bounded("4", "complex<f32>"), "0", bounded("", "complex<f32>")),
        bounded("4", "complex<f32>"),
    ),
    "sum to a wider type": (
        (bounded("<5x4", "i8"), "tensor<i8>"),
        reduce("maximum", bounded("<5x4", "i8"), bounded("4", "i32"), "0", "tensor<i32>").replace(
            f"({bounded('<5x4', 'i8')}, tensor<i32>)", f"({bounded('<5x4', 'i8')}, tensor<i8>)"
        ),
        bounded("4", "i32"),
    ),
    "subtract": ((X, S), reduce("minimum", X, S, "1, 0"), S),
    "sliding sum": (
        (X, S),
        window(
            X,
            bounded("<5x4"),
            "window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>",
        ),
        bounded("<5x4"),
    ),
    "strided maximum": (
        (X, S),
        window(
            X,
            bounded("<3x4"),
            "window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>,"
            " padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>",
            "maximum",
        ),
        bounded("<3x4"),
    ),
    "dilated": (
        (X, S),
        window(
            X,
            bounded("<8x4"),
            "window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>,"
            " window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>",
        ),
        bounded("<8x4"),
    ),
    "cumulative sum": (
        (V, S),
        window(V, V, "window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>"),
        V,
    ),
    "sort": (
        (X,),
        sort("GT", 0),
        X,
    ),
    "sort within": (
        (X,),
        sort("LT", 1),
        X,
    ),
    "product of matrices": (
        (Y, X),
        f"stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : ({Y}, {X}) -> {bounded('4x4')}",
        bounded("4x4"),
    ),
    "product with free rows": (
        (X, bounded("4x3")),
        f"stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : ({X}, {bounded('4x3')}) -> {bounded('<5x3')}",
        bounded("<5x3"),
    ),
    "batch of products": (
        (bounded("<5x2x3"), bounded("<5x3x2")),
        "stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [2] x [1] :"
        f" ({bounded('<5x2x3')}, {bounded('<5x3x2')}) -> {bounded('<5x2x2')}",
        bounded("<5x2x2"),
    ),
    "dot": ((Y, X), f"stablehlo.dot %a0, %a1 : ({Y}, {X}) -> {bounded('4x4')}", bounded("4x4")),
    "convolution": (
        (bounded("<2x<5x3"), bounded("3x3x2")),
        "stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2]],"
        " lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :"
        f" ({bounded('<2x<5x3')}, {bounded('3x3x2')}) -> {bounded('<2x<10x2')}",
        bounded("<2x<10x2"),
    ),
    "convolution of features": (
        (bounded("2x5x<3"), bounded("3x<3x2")),
        "stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}"
        " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :"
        f" ({bounded('2x5x<3')}, {bounded('3x<3x2')}) -> {bounded('2x3x2')}",
        bounded("2x3x2"),
    ),
    "gather rows": (
        (bounded("6x4"), bounded("<5x1", "i32")),
        f"{GATHER_ROWS}({bounded('6x4')}, {bounded('<5x1', 'i32')}) -> {X}",
        X,
    ),
    "dynamic update": (
        (bounded("6x4"), bounded("<3x4"), "tensor<i32>", "tensor<i32>"),
        f"stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3 : ({bounded('6x4')}, {bounded('<3x4')}, tensor<i32>,"
        f" tensor<i32>) -> {bounded('6x4')}",
        bounded("6x4"),
    ),
    "scatter": (
        (bounded("6x4"), bounded("<5x1", "i32"), X),
        f"{SCATTER_ROWS}({bounded('6x4')}, {bounded('<5x1', 'i32')}, {X}) -> {bounded('6x4')}",
        bounded("6x4"),
    ),
    "scatter into bounded": (
        (X, bounded("3x1", "i32"), bounded("3x4")),
        f"{SCATTER_ROWS}({X}, {bounded('3x1', 'i32')}, {bounded('3x4')}) -> {X}",
        X,
    ),
    "cholesky": (
        (bounded("<5x2x2"),),
        f"stablehlo.cholesky %a0, lower = true : {bounded('<5x2x2')}",
        bounded("<5x2x2"),
    ),
    "size": (
        (X,),
        f"stablehlo.get_dimension_size %a0, dim = 0 : ({X}) -> tensor<i32>",
        "tensor<i32>",
    ),
    "static size": (
        (X,),
        f"stablehlo.get_dimension_size %a0, dim = 1 : ({X}) -> tensor<i32>",
        "tensor<i32>",
    ),
    "bitcast": (
        (X,),
        f"stablehlo.bitcast_convert %a0 : ({X}) -> {bounded('<5x4x4', 'ui8')}",
        bounded("<5x4x4", "ui8"),
    ),
    "several to reduce": (
        (X, IX, S, "tensor<i32>"),
        f'"stablehlo.reduce"(%a0, %a1, %a2, %a3) <{{dimensions = array<i64: 0>}}> ({{\n  {ARGMAX}  }}) :'
        f" ({X}, {IX}, {S}, tensor<i32>) -> ({bounded('4')}, {bounded('4', 'i32')})",
        f"{bounded('4')} | {bounded('4', 'i32')}",
    ),
    "einsum": (
        (Y, X),
        f'stablehlo.einsum %a0, %a1, config = "ab,bc->ca" : ({Y}, {X}) -> {bounded("4x4")}',
        bounded("4x4"),
    ),
    "einsum of one": ((Y,), f'stablehlo.unary_einsum %a0, config = "ab->b" : ({Y}) -> {V}', V),
    "normalised": (
        (X, *(bounded("4"),) * 3, bounded("4")),
        '"stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a1) <{epsilon = 9.0 : f32, feature_index = 1 : i64}> :'
        f" ({X}, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> {X}",
        X,
    ),
    "fft": (
        (bounded("<5x4", "complex<f32>"),),
        f"stablehlo.fft %a0, type = FFT, length = [4] : ({bounded('<5x4', 'complex<f32>')}) ->"
        f" {bounded('<5x4', 'complex<f32>')}",
        bounded("<5x4", "complex<f32>"),
    ),
    "index select": (
        (X, bounded("<3", "i32")),
        f'"stablehlo.torch_index_select"(%a0, %a1) <{{dim = 0 : i64, batch_dims = 0 : i64}}> :'
        f" ({X}, {bounded('<3', 'i32')}) -> {bounded('<3x4')}",
        bounded("<3x4"),
    ),
    "select and scatter": (
        (V, bounded("<3"), S),
        '"stablehlo.select_and_scatter"(%a0, %a1, %a2) <{window_dimensions = array<i64: 3>,'
        " window_strides = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>}> ({\n"
        f"  ^bb0(%l: {S}, %r: {S}):\n    %c = stablehlo.compare GE, %l, %r : ({S}, {S}) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }}, {{\n  {combine('add')}  }}) : ({V}, {bounded('<3')}, {S}) -> {V}",
        V,
    ),
    "erf": ((X,), f"chlo.erf %a0 : {X} -> {X}", X),
    "broadcast add": ((X, S), f"chlo.broadcast_add %a0, %a1 : ({X}, {S}) -> {X}", X),
    "top k": (
        (X,),
        f"chlo.top_k(%a0, k = 2) : {X} -> ({bounded('<5x2')}, {bounded('<5x2', 'i32')})",
        f"{bounded('<5x2')} | {bounded('<5x2', 'i32')}",
    ),
    "map": (
        (X, X),
        f'"stablehlo.map"(%a0, %a1) <{{dimensions = array<i64: 0, 1>}}> ({{\n  {AVERAGE}  }}) : ({X}, {X}) -> {X}',
        X,
    ),
    "barrier": (
        (X, Y),
        f"stablehlo.optimization_barrier %a0, %a1 : {X}, {Y}",
        f"{X} | {Y}",
    ),
}


def program(inputs: Sequence[str], op: str, results: str) -> str:
    types = results.split(" | ")
    arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(inputs))
    count = f":{len(types)}" if len(types) > 1 else ""
    names = ", ".join(f"%r#{i}" for i in range(len(types))) if count else "%r"
    joined = ", ".join(types)
    return f"func.func @main({arguments}) -> ({joined}) {{\n  %r{count} = {op}\n  return {names} : {joined}\n}}"


def values(text: str, sizes: Sequence[int], rng: np.random.Generator) -> list[Array]:
    """Random arguments of `@main`; bounded dimensions have `sizes`, by their bounds."""
    found: list[Array] = []
    types = find_function(parse_module(text), "main").function_type.inputs.data
    by_bound = {bound: size for bound, size in zip((5, 3, 2), sizes, strict=True)}
    for type in types:
        tensor = cast(Any, type)
        dynamic = tensor.get_shape()
        shape = tuple(
            by_bound[bound] if size < 0 else size for size, bound in zip(dynamic, bounded_shape(tensor), strict=True)
        )
        dtype = dtype_of(tensor.element_type)
        if dtype.kind == "c":
            array = rng.normal(size=shape) + 1j * rng.normal(size=shape)
        elif is_float(dtype):
            array = rng.normal(size=shape)
        else:
            array = rng.integers(0, 7, size=shape)
        found.append(np.asarray(array).astype(dtype))
    return found


def agree(text: str, choices: Sequence[Sequence[int]], positive: bool = False) -> None:
    """Native and reference results are of equal shape and close, for all choices of sizes."""
    module = parse_module(text)
    verify_module(module)
    executables = [compile(text, pipeline=pipeline, verify=True) for pipeline in PIPELINES]
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    for sizes in choices:
        arguments = values(text, sizes, rng)
        if positive:
            arguments = [a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1], dtype=a.dtype) for a in arguments]
        expected = cast("list[Array]", list(run(module, "main", arguments)))
        for executable in executables:
            for index, (got, wanted) in enumerate(zip(executable(*arguments), expected, strict=True)):
                assert got.shape == wanted.shape, f"result {index} for sizes {sizes}"
                assert got.dtype == wanted.dtype
                if wanted.dtype.kind in "fc":
                    np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-5, err_msg=f"sizes {sizes}")
                else:
                    np.testing.assert_array_equal(got, wanted, err_msg=f"sizes {sizes}")


@pytest.mark.parametrize("name", CASES)
def test_ops(name: str) -> None:
    inputs, op, results = CASES[name]
    choices = [(five, three, 1) for five, three in zip(SIZES, (3, 0, 2, 1), strict=True)]
    if name in ("pad negative", "slice rows", "cholesky"):
        choices = choices[1:]
    if name == "index select":
        choices = choices[2:]
    if name == "select and scatter":
        choices = [(5, 3, 0), (4, 2, 0), (3, 1, 0)]
    agree(program(inputs, op, results), choices, positive=name == "cholesky")


def test_the_sum_of_what_is_left() -> None:
    """The example of XLA's operation semantics: of ten elements five are left."""
    v = bounded("<10")
    text = f"""
    func.func @main(%x: tensor<10xi32>, %n: tensor<i32>) -> (tensor<i32>, {bounded("<10", "i32")}, tensor<i32>) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %v = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> {v.replace("f32", "i32")}
      %size = stablehlo.get_dimension_size %v, dim = 0 : ({v.replace("f32", "i32")}) -> tensor<i32>
      %sum = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0]
          : ({v.replace("f32", "i32")}, tensor<i32>) -> tensor<i32>
      return %sum, %v, %size : tensor<i32>, {v.replace("f32", "i32")}, tensor<i32>
    }}"""
    for pipeline in PIPELINES:
        executable = compile(text, pipeline=pipeline)
        total, left, size = executable(np.arange(1, 11, dtype=np.int32), np.int32(5))
        assert (total, size) == (15, 5)
        np.testing.assert_array_equal(left, [1, 2, 3, 4, 5])
        assert executable(np.arange(1, 11, dtype=np.int32), np.int32(12))[2] == 10
        assert executable(np.arange(1, 11, dtype=np.int32), np.int32(-1))[2] == 0


def test_padding_that_would_poison_sums() -> None:
    """NaN behind the last element that counts."""
    text = f"""
    func.func @main(%x: tensor<5x4xf32>, %n: tensor<i32>, %y: tensor<4x5xf32>) -> ({bounded("4x4")}, {bounded("4")}) {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %a = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5x4xf32>, tensor<i32>) -> {X}
      %b = stablehlo.set_dimension_size %y, %n, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> {Y}
      %p = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : ({Y}, {X}) -> {bounded("4x4")}
      %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : ({X}, {S}) -> {bounded("4")}
      return %p, %s : {bounded("4x4")}, {bounded("4")}
    }}"""
    x, y = np.ones((5, 4), np.float32), np.ones((4, 5), np.float32)
    x[3:], y[:, 3:] = np.nan, np.inf
    for pipeline in PIPELINES:
        products, sums = compile(text, pipeline=pipeline)(x, np.int32(3), y)
        np.testing.assert_array_equal(products, np.full((4, 4), 3))
        np.testing.assert_array_equal(sums, np.full(4, 3))


CONTROL_FLOW = f"""
func.func @main(%x: {V}, %n: tensor<i32>, %p: tensor<i1>) -> ({V}, {V}, {V}, tensor<i32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %all = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, {V}
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %size = stablehlo.get_dimension_size %v, dim = 0 : ({V}) -> tensor<i32>
    %less = stablehlo.subtract %size, %one : tensor<i32>
    %r = stablehlo.reverse %v, dims = [0] : {V}
    %m = stablehlo.maximum %less, %zero : tensor<i32>
    %s = stablehlo.set_dimension_size %r, %m, dim = 0 : ({V}, tensor<i32>) -> {V}
    stablehlo.return %j, %s : tensor<i32>, {V}
  }}
  %d = "stablehlo.if"(%p) ({{
    stablehlo.return %x : {V}
  }}, {{
    %two = stablehlo.constant dense<2> : tensor<i32>
    %s = stablehlo.set_dimension_size %all, %two, dim = 0 : (tensor<5xf32>, tensor<i32>) -> {V}
    stablehlo.return %s : {V}
  }}) : (tensor<i1>) -> {V}
  %e:2 = "stablehlo.case"(%n) ({{
    %size = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
    stablehlo.return %x, %size : {V}, tensor<i32>
  }}, {{
    %f = func.call @double(%x) : ({V}) -> {V}
    stablehlo.return %f, %n : {V}, tensor<i32>
  }}) : (tensor<i32>) -> ({V}, tensor<i32>)
  return %w#1, %d, %e#0, %e#1 : {V}, {V}, {V}, tensor<i32>
}}
func.func private @double(%x: {V}) -> {V} {{
  %0 = stablehlo.add %x, %x : {V}
  return %0 : {V}
}}
"""


@pytest.mark.parametrize("inline", [True, False])
def test_control_flow(inline: bool) -> None:
    """With calls inlined, and with functions of bounded arguments."""
    pipeline = "xla-cpu" if inline else "stablehlo-expand-bounded-dynamism,xla-cpu"
    module = parse_module(CONTROL_FLOW)
    executable = compile(CONTROL_FLOW, pipeline=pipeline)
    for size, n, p in product(SIZES, (0, 1, 2), (False, True)):
        arguments = [np.arange(size, dtype=np.float32), np.int32(n), np.bool_(p)]
        expected = run(module, "main", [np.asarray(a) for a in arguments])
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_tuples_are_taken_apart() -> None:
    agree(
        f"""
        func.func @main(%x: {V}, %y: {S}) -> ({V}, {S}) {{
          %t = stablehlo.tuple %x, %y : tuple<{V}, {S}>
          %0 = stablehlo.get_tuple_element %t[0] : (tuple<{V}, {S}>) -> {V}
          %1 = stablehlo.get_tuple_element %t[1] : (tuple<{V}, {S}>) -> {S}
          return %0, %1 : {V}, {S}
        }}""",
        [(3, 0, 0)],
    )


def slices(op: str, indices: str, type: str) -> str:
    return f"""
    func.func @main(%x: {X}, %i: {indices}) -> {type} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r = {op}
      return %r : {type}
    }}"""


@pytest.mark.parametrize("start", [-5, 0, 1, 4, 100])
def test_indices_stay_within_what_counts(start: int) -> None:
    row, rows = "tensor<1x4xf32>", "tensor<2x4xf32>"
    numbers = (
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1],"
        " index_vector_dim = 1>"
    )
    texts = [
        slices(
            f"stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : ({X}, tensor<i32>, tensor<i32>) -> {row}",
            "tensor<i32>",
            row,
        ),
        slices(
            f'"stablehlo.gather"(%x, %i) <{{dimension_numbers = {numbers}, slice_sizes = array<i64: 1, 4>}}> :'
            f" ({X}, tensor<2x2xi32>) -> {rows}",
            "tensor<2x2xi32>",
            rows,
        ),
    ]
    for text in texts:
        module = parse_module(text)
        for pipeline in PIPELINES:
            executable = compile(text, pipeline=pipeline)
            for size in (1, 3, 5):
                x = np.arange(4 * size, dtype=np.float32).reshape(size, 4)
                index = np.int32(start) if "2x2" not in text else np.array([[start, 0], [1, 1]], np.int32)
                (expected,) = run(module, "main", [x, np.asarray(index)])
                np.testing.assert_array_equal(executable(x, index)[0], cast(Array, expected))


SHAPES = {
    "reshape": (
        (Y, "tensor<2xi32>"),
        f"stablehlo.dynamic_reshape %a0, %a1 : ({Y}, tensor<2xi32>) -> {bounded('<5x<4')}",
        bounded("<5x<4"),
        lambda n: np.array([n, 4], np.int32),
    ),
    "iota": (
        (Y, "tensor<2xi32>"),
        f"stablehlo.dynamic_iota %a1, dim = 0 : (tensor<2xi32>) -> {bounded('<5x<4')}",
        bounded("<5x<4"),
        lambda n: np.array([n, 4], np.int32),
    ),
    "broadcast": (
        (V, "tensor<2xi64>"),
        f"stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = [1] : ({V}, tensor<2xi64>) -> {bounded('<3x<5')}",
        bounded("<3x<5"),
        lambda n: np.array([2, n], np.int64),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_are_arguments(name: str) -> None:
    inputs, op, result, shape = SHAPES[name]
    text = program(inputs, op, result)
    module = parse_module(text)
    executable = compile(text)
    for size in SIZES:
        x = np.arange(4 * size, dtype=np.float32).reshape(4, size) if inputs[0] == Y else np.ones(size, np.float32)
        arguments = [x, shape(size)]
        (expected,) = run(module, "main", arguments)
        np.testing.assert_array_equal(executable(*arguments)[0], cast(Array, expected))


def test_slices_and_padding_by_amounts_that_are_arguments() -> None:
    vector = "tensor<1xi32>"
    text = f"""
    func.func @main(%x: {V}, %a: {vector}, %b: {vector}, %c: {vector}, %z: {S}) -> ({V}, {bounded("<16")}) {{
      %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : ({V}, {vector}, {vector}, {vector}) -> {V}
      %1 = stablehlo.dynamic_pad %x, %z, %a, %c, %c : ({V}, {S}, {vector}, {vector}, {vector}) -> {bounded("<16")}
      return %0, %1 : {V}, {bounded("<16")}
    }}"""
    module = parse_module(text)
    executable = compile(text)
    for size, start, limit, stride in ((5, 1, 4, 1), (5, 0, 5, 2), (3, 3, 3, 1), (4, 1, 4, 2)):
        bounds = [np.array([n], np.int32) for n in (start, limit, stride)]
        arguments = [np.arange(1, size + 1, dtype=np.float32), *bounds, np.float32(-1)]
        expected = run(module, "main", [np.asarray(a) for a in arguments])
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_quantised_elements() -> None:
    type, scalar = bounded("<5", "!quant.uniform<i8:f32, 0.5:3>"), "tensor<!quant.uniform<i8:f32, 0.5:3>>"
    text = f"""
    func.func @main(%x: {type}, %z: {scalar}) -> ({type}, {scalar}) {{
      %0 = stablehlo.add %x, %x : {type}
      %1 = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({{
        {combine("maximum", scalar)}
      }}) : ({type}, {scalar}) -> {scalar}
      return %0, %1 : {type}, {scalar}
    }}"""
    module = parse_module(text)
    executable = compile(text)
    for size in SIZES:
        arguments = [np.arange(-60, -60 + size, dtype=np.int8), np.asarray(np.int8(-128))]
        expected = run(module, "main", arguments)
        for got, wanted in zip(executable(*arguments), cast("tuple[Array, ...]", expected), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_arguments_must_fit_their_bounds() -> None:
    executable = compile(program((X,), f"stablehlo.negate %a0 : {X}", X))
    assert str(executable) == "<Executable @main(tensor<<=5x4xf32>) -> (tensor<<=5x4xf32>)>"
    with pytest.raises(ArgumentError, match="expected tensor<<=5x4xf32>"):
        executable(np.zeros((6, 4), np.float32))
    with pytest.raises(ArgumentError, match="expected tensor<<=5x4xf32>"):
        executable(np.zeros((5, 3), np.float32))
    with pytest.raises(ArgumentError, match="takes 1 arguments"):
        executable()
    with pytest.raises(ArgumentError, match="f64"):
        executable(np.zeros((2, 4)))
    np.testing.assert_array_equal(executable([[1, 2, 3, 4]])[0], [[-1, -2, -3, -4]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            program((X,), f"stablehlo.custom_call @f(%a0) : ({X}) -> {X}", X),
            "'stablehlo.custom_call' op: no rule for dimensions of bounded size",
        ),
        (
            program(
                (bounded("2x5x3"), bounded("<3x3x2")),
                "stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}"
                " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :"
                f" ({bounded('2x5x3')}, {bounded('<3x3x2')}) -> {bounded('2x<5x2')}",
                bounded("2x<5x2"),
            ),
            "a kernel of bounded size",
        ),
        (
            program(
                ("tensor<1xi32>",),
                "stablehlo.dynamic_iota %a0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
                "tensor<?xf32>",
            ),
            "output_shape is not computed from shapes and constants alone",
        ),
    ],
)
def test_what_cannot_be_carried_is_an_error(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message) as caught:
        compile(text)
    assert "<text>:" in str(caught.value)


def test_a_bounded_size_does_not_make_others_known() -> None:
    text = f"""
    func.func @main(%x: {V}) -> tensor<?xf32> {{
      %n = stablehlo.get_dimension_size %x, dim = 0 : ({V}) -> tensor<i32>
      %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    with pytest.raises(XlaError, match="shapes must be static"):
        compile(text)
