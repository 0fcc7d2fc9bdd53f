"""Programs with bounded sizes, op by op, and how native code is compared with the reference on them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl_xla import compile
from xdsl_xla.reference.arrays import dtype_of, is_float
from xdsl_xla.reference.interpreter import find_function, run
from xdsl_xla.runtime.entry import bounded_shape
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

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
    "broadcast add of sizes 1": (
        (bounded("<5x1"), bounded("1x<3")),
        f"chlo.broadcast_add %a0, %a1 : ({bounded('<5x1')}, {bounded('1x<3')}) -> {bounded('<5x<3')}",
        bounded("<5x<3"),
    ),
    "broadcast compare of a placed operand": (
        (V, X),
        f"chlo.broadcast_compare %a0, %a1 {{broadcast_dimensions = array<i64: 0>, comparison_direction ="
        f" #chlo<comparison_direction LT>}} : ({V}, {X}) -> {bounded('<5x4', 'i1')}",
        bounded("<5x4", "i1"),
    ),
    "broadcast select": (
        (bounded("1x<5", "i1"), bounded("4x1"), S),
        f"chlo.broadcast_select %a0, %a1, %a2 : ({bounded('1x<5', 'i1')}, {bounded('4x1')}, {S}) -> {Y}",
        Y,
    ),
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
