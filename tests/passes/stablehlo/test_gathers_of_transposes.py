"""Gathers of transposes take their elements from what was transposed, the same ones."""

from __future__ import annotations

import random

import numpy as np
import pytest
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module


def tensor(shape: list[int], element: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def program(random: random.Random) -> tuple[str, list[int], list[int]]:
    """A gather of a transpose, the shapes of its operand and its indices: some dimensions in batches, some collapsed,
    offsets in between.
    """
    rank = random.randint(2, 4)
    shape = [random.randint(3, 7) for _ in range(rank)]
    order = random.sample(range(rank), rank)
    turned = [shape[dim] for dim in order]
    indexed = random.sample(range(rank), random.randint(1, rank - 1))
    batch = [dim for dim in range(rank) if dim not in indexed and random.random() < 0.4]
    sizes = [1 if dim in batch else random.choice([1, 2, 3]) for dim in range(rank)]
    collapsed = sorted(dim for dim in indexed if sizes[dim] == 1 and random.random() < 0.8)
    indices = [2, *(turned[dim] for dim in batch), len(indexed)]
    offsets = [size for dim, size in enumerate(sizes) if dim not in (*collapsed, *batch)]
    total = len(offsets) + len(indices) - 1
    places = sorted(random.sample(range(total), len(offsets)))
    rest = iter(indices[:-1])
    inner = iter(offsets)
    result = [next(inner) if place in places else next(rest) for place in range(total)]
    numbers = (
        f"offset_dims = {places}, collapsed_slice_dims = {collapsed}, operand_batching_dims = {batch}, "
        f"start_indices_batching_dims = {[*range(1, 1 + len(batch))]}, start_index_map = {indexed}, "
        f"index_vector_dim = {len(indices) - 1}"
    )
    x, i = tensor(shape), tensor(indices, "i32")
    return (
        f"""func.func @main(%x: {x}, %i: {i}) -> {tensor(result)} {{
          %t = stablehlo.transpose %x, dims = {order} : ({x}) -> {tensor(turned)}
          %0 = "stablehlo.gather"(%t, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>,
            slice_sizes = array<i64: {", ".join(map(str, sizes))}>}}> : ({tensor(turned)}, {i}) -> {tensor(result)}
          return %0 : {tensor(result)}
        }}""",
        shape,
        indices,
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_same_elements_are_taken(seed: int) -> None:
    text, shape, indices = program(random.Random(seed))
    module, generator = parse_module(text), np.random.default_rng(seed)
    verify_module(module)
    inputs = [generator.normal(size=shape).astype(np.float32), generator.integers(-1, 7, indices, dtype=np.int32)]
    before = run(module, "main", inputs)
    load_pass("stablehlo-simplify")().apply(new_context(), module)
    verify_module(module)
    (value,), (expected,) = run(module, "main", inputs), before
    np.testing.assert_array_equal(value, expected)


def test_some_of_them_are_without_the_transpose() -> None:
    moved = 0
    for seed in range(40):
        module = parse_module(program(random.Random(seed))[0])
        load_pass("stablehlo-simplify")().apply(new_context(), module)
        gathers = [op for op in module.walk() if op.name == "stablehlo.gather"]
        moved += any("stablehlo.transpose" not in str(op.operands[0].owner) for op in gathers)
    assert moved > 10
