"""Data movement natively against the reference: transposes in registers, insertions written in place, index vectors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .stablehlo_harness import check

SHAPES = [(33, 17), (16, 16), (130, 70), (5, 40, 23), (64, 3, 50), (17, 33, 16), (3, 20, 5, 18)]


def tensor(shape: tuple[int, ...], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


@pytest.mark.parametrize("shape", SHAPES)
def test_transposes(shape: tuple[int, ...]) -> None:
    for permutation in itertools.permutations(range(len(shape))):
        result = tensor(tuple(shape[d] for d in permutation), "f32")
        check(f"""
          func.func @main(%x: {tensor(shape, "f32")}) -> {result} {{
            %0 = stablehlo.transpose %x, dims = {list(permutation)} : ({tensor(shape, "f32")}) -> {result}
            return %0 : {result}
          }}""")


@pytest.mark.parametrize("element", ["i1", "i4", "i8", "ui8", "i16", "f16", "bf16", "i32", "f64", "i64"])
def test_transposed_element_types(element: str) -> None:
    check(f"""
      func.func @main(%x: tensor<70x50x{element}>) -> tensor<50x70x{element}> {{
        %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<70x50x{element}>) -> tensor<50x70x{element}>
        return %0 : tensor<50x70x{element}>
      }}""")


@pytest.mark.parametrize("dims", [[0], [1], [0, 1]])
@pytest.mark.parametrize("shape", [(33, 17), (64, 64), (130, 70)])
def test_turned(shape: tuple[int, int], dims: list[int]) -> None:
    result = tensor(shape[::-1], "f32")
    check(f"""
      func.func @main(%x: {tensor(shape, "f32")}) -> {result} {{
        %0 = stablehlo.reverse %x, dims = {dims} : {tensor(shape, "f32")}
        %1 = stablehlo.transpose %0, dims = [1, 0] : ({tensor(shape, "f32")}) -> {result}
        return %1 : {result}
      }}""")


@pytest.mark.parametrize("channels", [2, 3, 10, 20, 50])
@pytest.mark.parametrize("element", ["i8", "f32", "f64"])
def test_short_rows(element: str, channels: int) -> None:
    whole, row = f"tensor<96x97x{channels}x{element}>", f"tensor<{channels}x{element}>"
    check(f"""
      func.func @main(%x: {whole}, %y: {row}) -> {whole} {{
        %0 = stablehlo.broadcast_in_dim %y, dims = [2] : ({row}) -> {whole}
        %1 = stablehlo.multiply %x, %0 : {whole}
        %2 = stablehlo.add %1, %0 : {whole}
        return %2 : {whole}
      }}""")


@pytest.mark.parametrize("element", ["complex<f32>", "f8E4M3FN"])
def test_transposed_special_types(element: str) -> None:
    text = f"""
      func.func @main(%x: tensor<70x50x{element}>) -> tensor<50x70x{element}> {{
        %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<70x50x{element}>) -> tensor<50x70x{element}>
        return %0 : tensor<50x70x{element}>
      }}"""
    dtype = interpreter.run(parse_module(_constant(element)), "main", [])[0].dtype
    x: np.ndarray[Any, Any] = np.arange(3500).reshape(70, 50).astype(np.float32).astype(dtype)
    (result,) = xdsl_xla.compile(text)(x)
    assert result.tobytes() == np.ascontiguousarray(x.T).tobytes()


def _constant(element: str) -> str:
    value = "(0.0, 0.0)" if element.startswith("complex") else "0.0"
    return f"""func.func @main() -> tensor<{element}> {{
      %0 = stablehlo.constant dense<{value}> : tensor<{element}>
      return %0 : tensor<{element}>
    }}"""


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_transpose_and_add(threads: int) -> None:
    text = """
      func.func @main(%x: tensor<700x900xf32>, %y: tensor<900x700xf32>) -> tensor<700x900xf32> {
        %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<900x700xf32>) -> tensor<700x900xf32>
        %1 = stablehlo.add %x, %0 : tensor<700x900xf32>
        return %1 : tensor<700x900xf32>
      }"""
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=shape).astype(np.float32) for shape in ((700, 900), (900, 700)))
    np.testing.assert_array_equal(xdsl_xla.compile(text, threads=threads)(x, y)[0], x + y.T)


@pytest.mark.parametrize("element", ["f32", "bf16", "i1", "i64"])
@pytest.mark.parametrize("widths", [(1, 1), (3, 1), (1, 3), (2, 2), (2, 1, 4), (1, 0, 2), (4, 5)])
def test_concatenated_columns(widths: tuple[int, ...], element: str) -> None:
    types = [f"tensor<70x{width}x{element}>" for width in widths]
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(types))
    operands = ", ".join(f"%x{i}" for i in range(len(types)))
    result = f"tensor<70x{sum(widths)}x{element}>"
    check(f"""
      func.func @main({arguments}) -> {result} {{
        %0 = stablehlo.concatenate {operands}, dim = 1 : ({", ".join(types)}) -> {result}
        return %0 : {result}
      }}""")


def test_concatenation_of_what_is_computed() -> None:
    check("""
      func.func @main(%x: tensor<20x30xf32>, %y: tensor<20x12xf32>) -> (tensor<40x72xf32>, tensor<20x30xf32>) {
        %0 = stablehlo.negate %x : tensor<20x30xf32>
        %1 = stablehlo.reverse %y, dims = [1] : tensor<20x12xf32>
        %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<20x30xf32>, tensor<20x12xf32>) -> tensor<20x42xf32>
        %3 = stablehlo.concatenate %2, %x, dim = 1 : (tensor<20x42xf32>, tensor<20x30xf32>) -> tensor<20x72xf32>
        %4 = stablehlo.exponential %3 : tensor<20x72xf32>
        %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<20x72xf32>, tensor<20x72xf32>) -> tensor<40x72xf32>
        return %5, %0 : tensor<40x72xf32>, tensor<20x30xf32>
      }""")


def test_update_of_a_slice_by_a_shifted_slice() -> None:
    check("""
      func.func @main(%x: tensor<100xf32>, %i: tensor<i32>) -> tensor<100xf32> {
        %0 = stablehlo.slice %x [0:40] : (tensor<100xf32>) -> tensor<40xf32>
        %1 = stablehlo.negate %0 : tensor<40xf32>
        %2 = stablehlo.dynamic_update_slice %x, %1, %i
          : (tensor<100xf32>, tensor<40xf32>, tensor<i32>) -> tensor<100xf32>
        return %2 : tensor<100xf32>
      }""", *(np.arange(100, dtype=np.float32), np.array(7, np.int32)))  # fmt: skip


@pytest.mark.parametrize("padding", ["[3, 0], [0, 5]", "[2, 1], [2, 2]", "[-2, 3], [4, -1]", "[0, 0], [0, 1]"])
def test_padded_edges(padding: str) -> None:
    low, high = ([int(pair.strip("[]").split(",")[k]) for pair in padding.split("], [")] for k in range(2))
    sizes = [low[0] + 300 + high[0], low[1] + 200 + high[1]]
    result = f"tensor<{sizes[0]}x{sizes[1]}xf32>"
    check(f"""
      func.func @main(%x: tensor<300x200xf32>, %v: tensor<f32>) -> {result} {{
        %0 = stablehlo.negate %x : tensor<300x200xf32>
        %1 = stablehlo.pad %0, %v, low = {low}, high = {high}, interior = [0, 0]
          : (tensor<300x200xf32>, tensor<f32>) -> {result}
        return %1 : {result}
      }}""")


INDICES = [
    np.array([[3], [-1], [7], [2**31 - 1], [0], [5]], np.int32),
    np.array([[0], [9], [10], [4], [-(2**31)], [9]], np.int32),
]
JOINED = """
        %i = stablehlo.concatenate %a, %b, dim = 1 : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>"""


def test_gather_at_joined_indices_is_clamped() -> None:
    check(f"""
      func.func @main(%a: tensor<6x1xi32>, %b: tensor<6x1xi32>, %x: tensor<8x10xf32>) -> tensor<6xf32> {{{JOINED}
        %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
          start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}>
          : (tensor<8x10xf32>, tensor<6x2xi32>) -> tensor<6xf32>
        return %0 : tensor<6xf32>
      }}""", *INDICES)  # fmt: skip


def test_scatter_at_joined_indices_drops_what_is_outside() -> None:
    check(f"""
      func.func @main(%a: tensor<6x1xi32>, %b: tensor<6x1xi32>, %x: tensor<8x10xf32>, %u: tensor<6xf32>)
          -> tensor<8x10xf32> {{{JOINED}
        %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %s = stablehlo.add %p, %q : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }}) : (tensor<8x10xf32>, tensor<6x2xi32>, tensor<6xf32>) -> tensor<8x10xf32>
        return %0 : tensor<8x10xf32>
      }}""", *INDICES)  # fmt: skip


@pytest.mark.parametrize("element", ["i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"])
def test_index_types(element: str) -> None:
    info = np.iinfo(
        np.dtype(element.replace("ui", "uint").replace("i", "int") if element[0] == "i" else f"uint{element[2:]}")
    )
    indices = np.array([info.min, 0, 1, 126, info.max, info.max - 1], info.dtype).reshape(6, 1)
    check(f"""
      func.func @main(%i: tensor<6x1x{element}>, %x: tensor<300xf32>) -> tensor<6xf32> {{
        %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}>
          : (tensor<300xf32>, tensor<6x1x{element}>) -> tensor<6xf32>
        return %0 : tensor<6xf32>
      }}""", indices)  # fmt: skip


@pytest.mark.parametrize("offset", [-3, 0, 5])
def test_index_from_iota(offset: int) -> None:
    check(f"""
      func.func @main(%x: tensor<60xf32>) -> tensor<4x16xf32> {{
        %i = stablehlo.iota dim = 0 : tensor<4x16xi32>
        %j = stablehlo.iota dim = 1 : tensor<4x16xi32>
        %k = stablehlo.constant dense<{offset}> : tensor<4x16xi32>
        %step = stablehlo.constant dense<14> : tensor<4x16xi32>
        %0 = stablehlo.multiply %i, %step : tensor<4x16xi32>
        %1 = stablehlo.add %0, %j : tensor<4x16xi32>
        %2 = stablehlo.add %1, %k : tensor<4x16xi32>
        %zero = stablehlo.constant dense<0> : tensor<4x16xi32>
        %n = stablehlo.constant dense<60> : tensor<4x16xi32>
        %3 = stablehlo.compare LT, %2, %zero : (tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi1>
        %4 = stablehlo.add %2, %n : tensor<4x16xi32>
        %5 = stablehlo.select %3, %4, %2 : tensor<4x16xi1>, tensor<4x16xi32>
        %6 = stablehlo.reshape %5 : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
        %7 = "stablehlo.gather"(%x, %6) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}}>
          : (tensor<60xf32>, tensor<4x16x1xi32>) -> tensor<4x16xf32>
        return %7 : tensor<4x16xf32>
      }}""")


LOGADDEXP = """
          %m = stablehlo.maximum %a, %b : tensor<ET>
          %d = stablehlo.subtract %a, %b : tensor<ET>
          %p = stablehlo.abs %d : tensor<ET>
          %n = stablehlo.negate %p : tensor<ET>
          %e = stablehlo.exponential %n : tensor<ET>
          %l = stablehlo.log_plus_one %e : tensor<ET>
          %s = stablehlo.add %m, %l : tensor<ET>
          %q = stablehlo.compare NE, %d, %d : (tensor<ET>, tensor<ET>) -> tensor<i1>
          %t = stablehlo.add %a, %b : tensor<ET>
          %r = stablehlo.select %q, %t, %s : tensor<i1>, tensor<ET>"""
BODIES = {
    "add": ("0.0", "%r = stablehlo.add %a, %b : tensor<ET>"),
    "mul": ("1.0", "%r = stablehlo.multiply %a, %b : tensor<ET>"),
    "max": ("0xMINUS_INF", "%r = stablehlo.maximum %a, %b : tensor<ET>"),
    "logaddexp": ("0xMINUS_INF", LOGADDEXP),
}  # fmt: skip
MINUS_INF = {"f32": "FF800000", "bf16": "FF80", "f16": "FC00", "f64": "FFF0000000000000"}


@pytest.mark.sample(32)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("element", ["f32", "bf16", "f16", "f64"])
def test_scans(element: str, body: str, dim: int, reverse: bool) -> None:
    shape = (5, 7, 9)
    check(
        _scan(element, body, shape, dim, reverse), np.random.default_rng(1).normal(size=shape).astype(_dtype(element))
    )


def _dtype(element: str) -> np.dtype[Any]:
    return interpreter.run(parse_module(_constant(element)), "main", [])[0].dtype


def _scan(element: str, body: str, shape: tuple[int, ...], dim: int, reverse: bool) -> str:
    init, ops = BODIES[body]
    type = tensor(shape, element)
    window = [size if d == dim else 1 for d, size in enumerate(shape)]
    edge = [0, shape[dim] - 1] if reverse else [shape[dim] - 1, 0]
    padding = [edge if d == dim else [0, 0] for d in range(len(shape))]
    return f"""
      func.func @main(%x: {type}) -> {type} {{
        %init = stablehlo.constant dense<{init}> : tensor<ET>
        %0 = "stablehlo.reduce_window"(%x, %init) <{{window_dimensions = array<i64: {str(window)[1:-1]}>,
          padding = dense<{padding}> : tensor<{len(shape)}x2xi64>}}> ({{
        ^bb0(%a: tensor<ET>, %b: tensor<ET>):
          {ops}
          stablehlo.return %r : tensor<ET>
        }}) : ({type}, tensor<ET>) -> {type}
        return %0 : {type}
      }}""".replace("MINUS_INF", MINUS_INF[element]).replace("ET", element)
