"""Gathers and scatters of rows of tables that are larger than the cache, which look some rows ahead."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla

ELEMENTS = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i8": np.int8}


def _shape(*sizes: int) -> str:
    return "".join(f"{size}x" for size in sizes)


def _gather(rows: int, row: Sequence[int], indices: Sequence[int], element: str) -> str:
    batch, rank = len(indices), len(row)
    offsets = list(range(batch, batch + rank))
    table, taken = f"tensor<{_shape(rows, *row)}{element}>", f"tensor<{_shape(*indices, *row)}{element}>"
    places = f"tensor<{_shape(*indices)}i32>"
    numbers = (
        f"#stablehlo.gather<offset_dims = {offsets}, collapsed_slice_dims = [0], start_index_map = [0], "
        f"index_vector_dim = {batch}>"
    )
    sizes = "array<i64: " + ", ".join(map(str, (1, *row))) + ">"
    return f"""func.func @main(%table: {table}, %places: {places}) -> {taken} {{
  %0 = "stablehlo.gather"(%table, %places) <{{dimension_numbers = {numbers}, slice_sizes = {sizes}}}>
    : ({table}, {places}) -> {taken}
  return %0 : {taken}
}}"""


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("rows", "row", "indices", "element"),
    [
        (40_000, (16,), (3000,), "f32"),
        (9_001, (50,), (1001,), "f32"),
        (6_000, (128,), (2500,), "f32"),
        (900, (4, 130), (301, 3), "f64"),
        (3_000, (1500,), (2, 400), "bf16"),
        (5_000, (333,), (4000,), "i8"),
    ],
)
def test_gather(rows: int, row: Sequence[int], indices: Sequence[int], element: str, threads: int) -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(-100, 100, (rows, *row)).astype(ELEMENTS[element])
    places = rng.integers(-3, rows + 3, indices).astype(np.int32)
    executable = xdsl_xla.compile(_gather(rows, row, indices, element), threads=threads)
    (taken,) = executable(table, places)
    np.testing.assert_array_equal(taken, table[np.clip(places, 0, rows - 1)])


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_scatter_add(threads: int) -> None:
    rows, columns, updates = 5000, 100, 3000
    table_type, update_type = f"tensor<{rows}x{columns}xf32>", f"tensor<{updates}x{columns}xf32>"
    numbers = (
        "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    )
    text = f"""func.func @main(%t: {table_type}, %i: tensor<{updates}xi32>, %u: {update_type}) -> {table_type} {{
  %0 = "stablehlo.scatter"(%t, %i, %u) <{{scatter_dimension_numbers = {numbers}}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) : ({table_type}, tensor<{updates}xi32>, {update_type}) -> {table_type}
  return %0 : {table_type}
}}"""
    rng = np.random.default_rng(0)
    table = rng.integers(-100, 100, (rows, columns)).astype(np.float32)
    values = rng.integers(-100, 100, (updates, columns)).astype(np.float32)
    places = rng.integers(-300, rows + 300, updates).astype(np.int32)
    (result,) = xdsl_xla.compile(text, threads=threads)(table, places, values)
    inside = (places >= 0) & (places < rows)
    np.add.at(table, places[inside], values[inside])
    np.testing.assert_array_equal(result, table)
