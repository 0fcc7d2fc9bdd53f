"""Every family of ops on every element type, at both settings.

Values are small and mostly zero, so that sums and products are exact in every type that has a zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl_xla.runtime.mlir_types import DTYPES

from .programs import PIPELINES, Array, Line, check, line, program, tensor

ELEMENTS = [name for name in DTYPES if name != "index"]
SHAPE = (4, 6)


def computation(op: str, element: str) -> str:
    scalar = tensor((), element)
    return f"""({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %s = stablehlo.{op} %a, %b : {scalar}
        stablehlo.return %s : {scalar}
      }})"""


def comparison(direction: str, element: str) -> str:
    scalar = tensor((), element)
    return f"""({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %s = stablehlo.compare {direction}, %a, %b : ({scalar}, {scalar}) -> tensor<i1>
        stablehlo.return %s : tensor<i1>
      }}"""


def values(element: str, shape: tuple[int, ...], seed: int) -> Array:
    """Zeros with some small numbers among them; powers of two in a type without zero."""
    random = np.random.default_rng(seed)
    dtype: Any = DTYPES[element]
    if element == "f8E8M0FNU":
        return np.exp2(random.integers(-2, 3, shape)).astype(dtype)
    choices = [0, 0, 0, 0, 0, 0, 1] if element == "f4E2M1FN" else [0, 0, 0, 1, 1, 2]
    numbers = np.array(random.choice(choices, shape), np.float64)
    if element[0] in "fbc" or (element[0] == "i" and element != "i1"):
        numbers *= random.choice([-1, 1], shape)
    if element[0] == "c":
        return (numbers + 1j * numbers.T.reshape(shape)).astype(dtype)
    return (numbers != 0) if element == "i1" else numbers.astype(dtype)


def moves(element: str) -> list[Line]:
    x, y = tensor(SHAPE, element), tensor((6, 4), element)
    part, padded = tensor((2, 3), element), tensor((6, 11), element)
    scalar, doubled = tensor((), element), tensor((8, 6), element)
    starts = "tensor<i32>, tensor<i32>"
    gather = (
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    )
    return [
        line(f"stablehlo.transpose %x, dims = [1, 0] : ({x}) -> {y}", y),
        line(f"stablehlo.reverse %x, dims = [1] : {x}", x),
        line(f"stablehlo.slice %x [1:3, 0:6:2] : ({x}) -> {part}", part),
        line(f"stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : ({x}, {starts}) -> {part}", part),
        line(f"stablehlo.dynamic_update_slice %x, %u, %i, %j : ({x}, {part}, {starts}) -> {x}", x),
        line(f"stablehlo.pad %x, %z, low = [1, 0], high = [1, 0], interior = [0, 1] : ({x}, {scalar}) -> {padded}",
             padded),
        line(f"stablehlo.concatenate %x, %x, dim = 0 : ({x}, {x}) -> {doubled}", doubled),
        line(f'"stablehlo.gather"(%x, %at) <{{dimension_numbers = {gather}, slice_sizes = array<i64: 1, 6>}}> : '
             f"({x}, tensor<3x1xi32>) -> {tensor((3, 6), element)}", tensor((3, 6), element)),
        line(f"stablehlo.select %p, %x, %v : tensor<4x6xi1>, {x}", x),
        line(f'"stablehlo.if"(%flag) ({{\nstablehlo.return %x : {x}\n}}, {{\nstablehlo.return %v : {x}\n}}) : '
             f"(tensor<i1>) -> {x}", x),
    ]  # fmt: skip


def constants(element: str) -> list[Line]:
    type = tensor((3,), element)
    number = {"f": "1.0, 2.0, 0.5", "b": "1.0, 2.0, 0.5", "c": "(1.0, 2.0), (0.5, 1.0), (2.0, 1.0)"}.get(
        element[0], "1, 0, 1"
    )
    lines = [line(f"stablehlo.constant dense<[{number}]> : {type}", type)]
    if element != "i1":
        lines.append(line(f"stablehlo.iota dim = 0 : {tensor((2,), element)}", tensor((2,), element)))
    return lines


def reductions(element: str, op: str) -> list[Line]:
    x, scalar, body = tensor(SHAPE, element), tensor((), element), computation(op, element)
    rows, windows = tensor((4,), element), tensor((3, 3), element)
    scatter = """#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims =
      [0], index_vector_dim = 1>"""
    three = tensor((3, 6), element)
    return [
        line(f'"stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 1>}}> {body} : ({x}, {scalar}) -> {rows}', rows),
        line(f'"stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0, 1>}}> {body} : '
             f"({x}, {scalar}) -> {scalar}", scalar),
        line('"stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: '
             f"1, 2>}}> {body} : ({x}, {scalar}) -> {windows}", windows),
        line(f'"stablehlo.scatter"(%x, %at, %w) <{{scatter_dimension_numbers = {scatter}}}> {body} : '
             f"({x}, tensor<3x1xi32>, {three}) -> {x}", x),
        line(f'"stablehlo.map"(%x, %v) <{{dimensions = array<i64: 0, 1>}}> {body} : ({x}, {x}) -> {x}', x),
    ]  # fmt: skip


def orders(element: str) -> list[Line]:
    x, scalar = tensor(SHAPE, element), tensor((), element)
    return [
        line(f'"stablehlo.sort"(%x) <{{dimension = 1 : i64}}> {comparison("LT", element)}) : ({x}) -> {x}', x),
        line(f'"stablehlo.sort"(%x) <{{dimension = 0 : i64}}> {comparison("GT", element)}) : ({x}) -> {x}', x),
        line('"stablehlo.select_and_scatter"(%x, %u, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = '
             f'array<i64: 2, 2>}}> {comparison("GE", element)}, {computation("maximum", element)[1:]} : '
             f"({x}, {tensor((2, 3), element)}, {scalar}) -> {x}", x),
        line(f"stablehlo.clamp %z, %x, %v : ({scalar}, {x}, {x}) -> {x}", x)
        if element != "i1"
        else line(f"stablehlo.maximum %x, %v : {x}", x),
    ]  # fmt: skip


def products(element: str) -> list[Line]:
    x, square, image = tensor(SHAPE, element), tensor((4, 4), element), tensor((1, 5, 3), element)
    lines = [
        line(f"stablehlo.dot_general %x, %v, contracting_dims = [1] x [1] : ({x}, {x}) -> {square}", square),
        line("stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
             "{pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
             f"({tensor((1, 5, 2), element)}, {tensor((2, 2, 3), element)}) -> {image}", image),
    ]  # fmt: skip
    if element[0] == "f" and element not in ("f32", "f64"):
        wide = tensor((4, 4))
        lines.append(line(f"stablehlo.dot_general %x, %v, contracting_dims = [1] x [1] : ({x}, {x}) -> {wide}", wide))
    return lines


def families(element: str) -> list[Line]:
    lines = [*moves(element), *constants(element), *(orders(element) if element[0] != "c" else [])]
    if element == "f8E8M0FNU":
        return [*lines, *reductions(element, "maximum"), *reductions(element, "minimum")]
    lines += [*products(element), *reductions(element, "add")]
    if element[0] != "c":
        lines += [*reductions(element, "maximum"), *reductions(element, "minimum")]
    if element[0] == "i" or element[0] == "u":
        lines += [*reductions(element, "and"), *reductions(element, "xor")]
    return lines


SETTINGS = [(element, PIPELINES[0]) for element in ELEMENTS]
SETTINGS += [
    (element, PIPELINES[1]) for element in ("f64", "bf16", "f8E4M3FN", "f4E2M1FN", "i4", "ui8", "i1", "complex<f32>")
]


@pytest.mark.sample(7)
@pytest.mark.parametrize(("element", "pipeline"), SETTINGS)
def test_families(element: str, pipeline: str) -> None:
    shapes = {"x": SHAPE, "v": SHAPE, "u": (2, 3), "w": (3, 6), "z": (), "image": (1, 5, 2), "kernel": (2, 2, 3)}
    types = {name: tensor(shape, element) for name, shape in shapes.items()}
    inputs = [values(element, shape, seed) for seed, shape in enumerate(shapes.values())]
    types |= {
        "i": "tensor<i32>",
        "j": "tensor<i32>",
        "at": "tensor<3x1xi32>",
        "p": "tensor<4x6xi1>",
        "flag": "tensor<i1>",
    }
    inputs += [np.array(1, np.int32), np.array(2, np.int32), np.array([[2], [0], [2]], np.int32)]
    inputs += [np.arange(24).reshape(4, 6) % 3 == 0, np.array(True)]
    text = program(", ".join(f"%{name}: {type}" for name, type in types.items()), families(element))
    check(text, *inputs, pipelines=[pipeline])
