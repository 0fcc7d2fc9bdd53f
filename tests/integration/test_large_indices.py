"""Indices and offsets that do not fit 32 bits, sizes beyond memory, and arithmetic of bytes that overflows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl_xla.dialects.xrt_names import DENORMALS
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.pipelines import PIPELINES as NAMED_PIPELINES
from xdsl_xla.pipelines import expand
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.mlir_types import DTYPES
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

from .programs import PIPELINES, Line, check, check_each, line, program, tensor

INDEX_TYPES = ["i8", "ui8", "i32", "ui32", "i64", "ui64"]
X = "tensor<6x5xf32>"


def indices(element: str) -> list[int]:
    """The ends of the type, the neighbours of powers of 2**32 whose low bits would be in range, and small ones."""
    signed, bits = element[0] == "i", int(element.lstrip("ui"))
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    candidates = [low, high, high - 1, 2**32 + 1, 2**33, 2**40 + 2, -(2**32) + 1, 2**31, 2**63, -1, 0, 1, 2, 4, 7]
    return [value for value in dict.fromkeys(candidates) if low <= value <= high]


@pytest.mark.parametrize("element", INDEX_TYPES)
def test_slices(element: str) -> None:
    scalar = f"tensor<{element}>"
    lines = [
        line(f"stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : ({X}, {scalar}, {scalar}) -> tensor<2x3xf32>",
             "tensor<2x3xf32>"),
        line(f"stablehlo.dynamic_update_slice %x, %u, %i, %j : ({X}, tensor<2x3xf32>, {scalar}, {scalar}) -> {X}", X),
    ]  # fmt: skip
    text = program(f"%x: {X}, %u: tensor<2x3xf32>, %i: {scalar}, %j: {scalar}", lines)
    x, u = np.arange(30, dtype=np.float32).reshape(6, 5), -np.ones((2, 3), np.float32)
    dtype = np.dtype(DTYPES[element])
    values = indices(element)
    pairs = [*zip(values, reversed(values), strict=True), (values[0], values[1])]
    check_each(text, [(x, u, np.array(i, dtype), np.array(j, dtype)) for i, j in pairs])


@pytest.mark.parametrize("element", INDEX_TYPES)
def test_gather_and_scatter(element: str) -> None:
    values = indices(element)
    pairs = np.array([(a, b) for a in values for b in (0, 1, values[0], values[1])], DTYPES[element])
    at, rows = tensor(pairs.shape, element), tensor((len(pairs), 2))
    scattered, selected = tensor((len(pairs), 1, 2)), tensor((*pairs.shape, 5))
    add = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      })"""
    lines = [
        line('"stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
             "collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, "
             f"slice_sizes = array<i64: 1, 2>}}> : ({X}, {at}) -> {rows}", rows),
        line('"stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = '
             f"[1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> {add} : ({X}, {at}, {scattered})"
             f" -> {X}", X),
        line(f'"stablehlo.torch_index_select"(%x, %at) <{{dim = 0 : i64, batch_dims = 0 : i64}}> : ({X}, {at}) -> '
             f"{selected}", selected),
    ]  # fmt: skip
    operands = np.arange(30, dtype=np.float32).reshape(6, 5), pairs, np.ones((len(pairs), 1, 2), np.float32)
    check(program(f"%x: {X}, %at: {at}, %u: {scattered}", lines), *operands)


def test_case_index() -> None:
    branches = ", ".join(f"{{\n%c = stablehlo.constant dense<{n}> : tensor<i32>\nstablehlo.return %c : tensor<i32>\n}}"
                         for n in range(3))  # fmt: skip
    text = program(
        "%i: tensor<i32>", [line(f'"stablehlo.case"(%i) ({branches}) : (tensor<i32>) -> tensor<i32>', "tensor<i32>")]
    )
    check_each(text, [[np.array(index, np.int32)] for index in (-(2**31), -1, 0, 2, 3, 2**31 - 1)])


HUGE = tensor((70000, 70000), "i8")
"""4.9e9 elements: nothing here is run."""
PART, AT = tensor((2, 3), "i8"), tensor((4, 2), "i64")

MAXIMUM = """({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  })"""

HUGE_PROGRAMS: dict[str, Line] = {
    "slice": line(f"stablehlo.slice %x [69998:70000, 69997:70000] : ({HUGE}) -> {PART}", PART),
    "dynamic_slice": line(
        f"stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : ({HUGE}, tensor<i64>, tensor<i64>) -> {PART}", PART
    ),
    "dynamic_update_slice": line(
        f"stablehlo.dynamic_update_slice %x, %u, %i, %i : ({HUGE}, {PART}, tensor<i64>, tensor<i64>) -> {HUGE}", HUGE
    ),
    "gather": line(
        '"stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], '
        "start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : "
        f"({HUGE}, {AT}) -> tensor<4xi8>",
        "tensor<4xi8>",
    ),
    "scatter": line(
        '"stablehlo.scatter"(%x, %at, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = '
        f"[0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> {MAXIMUM} : "
        f"({HUGE}, {AT}, tensor<4xi8>) -> {HUGE}",
        HUGE,
    ),
    "reduce": line(
        f'"stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0, 1>}}> {MAXIMUM} : ({HUGE}, tensor<i8>) -> '
        "tensor<i8>",
        "tensor<i8>",
    ),
    "transpose": line(f"stablehlo.transpose %x, dims = [1, 0] : ({HUGE}) -> {HUGE}", HUGE),
    "reverse": line(f"stablehlo.reverse %x, dims = [1] : {HUGE}", HUGE),
    "iota": line(f"stablehlo.iota dim = 1 : {HUGE}", HUGE),
    "negate": line(f"stablehlo.negate %x : {HUGE}", HUGE),
}


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", HUGE_PROGRAMS)
def test_addresses_are_computed_in_64_bits(name: str, pipeline: str) -> None:
    """No value of 32 bits in the whole program but metadata and the masks of shuffles, which LLVM wants so, and the
    last offset of a fixed slice spelled out.
    """
    types = {"x": HUGE, "u": PART, "v": "tensor<4xi8>", "at": AT, "i": "tensor<i64>", "z": "tensor<i8>"}
    text = program(", ".join(f"%{name}: {type}" for name, type in types.items()), [HUGE_PROGRAMS[name]])
    context, module = new_context(), parse_module(text)
    for module_pass in parse_passes(expand(NAMED_PIPELINES[pipeline])):
        module_pass.apply(context, module)
        module.attributes.pop(DENORMALS, None)  # is a word of 32 bits in memory
    ir = emit(module)
    assert "getelementptr inbounds i8, ptr" in ir
    masks = r"<\d+ x i32> (?:zeroinitializer|<i32 [i\d, ]*>)"
    without_masks = re.sub(rf"^(?:declare|!).*$|{masks}", "", ir, flags=re.MULTILINE)
    assert not re.search(r"\bi32\b", without_masks)
    if name == "slice":
        assert str(69998 * 70000 + 69997) in ir


BYTES = ["i8", "ui8", "i4", "ui4", "i16"]


@pytest.mark.parametrize("element", BYTES)
def test_overflow_wraps_around(element: str) -> None:
    """Products, sums, windows, running sums, convolutions and scattered sums in the type of the elements."""
    dtype = np.dtype(DTYPES[element])
    shape = (5, 40)
    x, scalar, rows = tensor(shape, element), tensor((), element), tensor((40,), element)
    add = f"""({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %s = stablehlo.add %a, %b : {scalar}
        stablehlo.return %s : {scalar}
      }})"""
    square, sums, rows2, windows = (
        tensor((5, 5), element),
        "tensor<5x5xi32>",
        tensor((2, 40), element),
        tensor((3, 38), element),
    )
    lines = [
        *(line(f"stablehlo.{op} %x, %y : {x}", x) for op in ("add", "subtract", "multiply", "power")),
        *([line(f"stablehlo.abs %x : {x}", x)] if element[0] == "i" else []),
        line(f"stablehlo.negate %x : {x}", x),
        line(f"stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : ({x}, {x}) -> {square}", square),
        line(f"stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : ({x}, {x}) -> {sums}", sums),
        line(f'"stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> {add} : ({x}, {scalar}) -> {rows}', rows),
        line(f'"stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 1, 40>, padding = '
             f"dense<[[0, 0], [39, 0]]> : tensor<2x2xi64>}}> {add} : ({x}, {scalar}) -> {x}", x),
        line(f'"stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: 3, 3>}}> {add} : ({x}, {scalar}) -> '
             f"{windows}", windows),
        line(f'"stablehlo.scatter"(%z2, %at, %x) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims'
             f" = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> "
             f"{add} : ({rows2}, tensor<5x1xi32>, {x}) -> {rows2}", rows2),
        line(f"stablehlo.iota dim = 0 : {tensor((300,), element)}", tensor((300,), element)),
        line(f"stablehlo.convert %wide : (tensor<6xi32>) -> {tensor((6,), element)}", tensor((6,), element)),
        line(f"stablehlo.convert %float : (tensor<6xf32>) -> {tensor((6,), element)}", tensor((6,), element)),
    ]  # fmt: skip
    random = np.random.default_rng(1)
    bits = int(element.lstrip("ui"))
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if element[0] == "i" else (0, 2**bits)
    values = [random.integers(low, high, shape).astype(dtype) for _ in range(2)]
    values[0][0, :2] = [low, high - 1]
    values[1][0, :2] = [low, high - 1]
    inputs = [
        *values,
        np.zeros((), dtype),
        np.zeros((2, 40), dtype),
        np.array([[0], [1], [0], [1], [7]], np.int32),
        np.array([300, -300, 2**31 - 1, -(2**31), 128, -129], np.int32),
        np.array([300, -300, np.inf, -np.inf, np.nan, 127.9], np.float32),
    ]
    types = [x, x, scalar, tensor((2, 40), element), "tensor<5x1xi32>", "tensor<6xi32>", "tensor<6xf32>"]
    names = ["x", "y", "z", "z2", "at", "wide", "float"]
    check(program(", ".join(f"%{name}: {type}" for name, type in zip(names, types, strict=True)), lines), *inputs)
