"""Elementwise ops with reshapes between them: on one shape they compute what they did."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

SHAPES = ((24,), (4, 6), (6, 4), (2, 12), (2, 3, 4), (4, 3, 2), (2, 2, 6), (1, 24), (2, 1, 3, 4), (2, 2, 3, 2), (8, 3))

SHORT_ROWS = ((64, 4, 6), (256, 6), (64, 24), (8, 8, 4, 6), (64, 2, 12), (512, 3), (64, 4, 6, 1), (128, 2, 2, 3))
"""Rows that are joined across the dimensions around them."""


def _type(shape: tuple[int, ...], element: str = "i32") -> str:
    return f"tensor<{'x'.join(map(str, (*shape, element)))}>"


class _Program:
    """A random chain of ops on integers, with reshapes, broadcasts, reductions and gathers of slices, as text."""

    def __init__(self, seed: int, choices: tuple[tuple[int, ...], ...]) -> None:
        self.random = random.Random(seed)
        self.choices, self.size = choices, math.prod(choices[0])
        self.lines = ["%zero = stablehlo.constant dense<0> : tensor<i32>"]
        self.shapes: dict[str, tuple[int, ...]] = {
            "%x": self.random.choice(self.choices),
            "%y": self.random.choice(self.choices),
        }
        first = self.shapes.copy()
        self.results: list[str] = []
        for _ in range(self.random.randrange(4, 14)):
            self._step()
        self.results.append(list(self.shapes)[-1])
        arguments = ", ".join(f"{name}: {_type(shape)}" for name, shape in first.items())
        types = ", ".join(_type(self.shapes[name]) for name in self.results)
        body = "\n  ".join((*self.lines, f"return {', '.join(self.results)} : {types}"))
        self.text = f"func.func @main({arguments}) -> ({types}) {{\n  {body}\n}}"
        self.inputs = [np.arange(self.size, dtype=np.int32).reshape(shape) * 7 % 11 for shape in first.values()]

    def _add(self, shape: tuple[int, ...], op: str) -> str:
        name = f"%v{len(self.shapes)}"
        self.lines.append(f"{name} = {op}")
        self.shapes[name] = shape
        return name

    def _step(self) -> None:
        value = self.random.choice([name for name in self.shapes if np.prod(self.shapes[name]) == self.size])
        shape = self.shapes[value]
        kind = self.random.choice(
            ["reshape", "reshape", "negate", "add", "repeat", "reduce", "transpose", "return"]
            + ["gather"] * (self.size > 24)
        )
        if kind == "reshape":
            other = self.random.choice(self.choices)
            self._add(other, f"stablehlo.reshape {value} : ({_type(shape)}) -> {_type(other)}")
        elif kind == "negate":
            self._add(shape, f"stablehlo.negate {value} : {_type(shape)}")
        elif kind == "add":
            same = self.random.choice([name for name, other in self.shapes.items() if other == shape])
            self._add(shape, f"stablehlo.add {value}, {same} : {_type(shape)}")
        elif kind == "transpose":
            order = [*reversed(range(len(shape)))]
            moved = tuple(shape[dim] for dim in order)
            self._add(moved, f"stablehlo.transpose {value}, dims = {order} : ({_type(shape)}) -> {_type(moved)}")
        elif kind == "gather":
            self._gather(value, shape)
        elif kind == "return":
            self.results.append(value)
        else:
            self._reduce(value, shape, kind == "repeat")

    def _gather(self, value: str, shape: tuple[int, ...]) -> None:
        """Slices along the first dimension."""
        places = [self.random.randrange(shape[0]) for _ in range(shape[0])]
        indices = _type((shape[0], 1))
        self.lines.append(
            f"%i{len(self.shapes)} = stablehlo.constant dense<{[[place] for place in places]}> : {indices}"
        )
        numbers = f"offset_dims = {[*range(1, len(shape))]}, collapsed_slice_dims = [0], start_index_map = [0]"
        self._add(
            shape,
            f'"stablehlo.gather"({value}, %i{len(self.shapes)}) <{{dimension_numbers = #stablehlo.gather<{numbers}, '
            f"index_vector_dim = 1>, slice_sizes = array<i64: {', '.join(map(str, (1, *shape[1:])))}>}}>"
            f" : ({_type(shape)}, {indices}) -> {_type(shape)}",
        )

    def _reduce(self, value: str, shape: tuple[int, ...], repeats: bool) -> None:
        """The sum along some dimensions, and, if it `repeats`, what is left without it."""
        kept = sorted(self.random.sample(range(len(shape)), self.random.randrange(len(shape))))
        dims = [dim for dim in range(len(shape)) if dim not in kept]
        left = tuple(shape[dim] for dim in kept)
        total = self._add(
            left,
            f"stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = {dims}"
            f" : ({_type(shape)}, tensor<i32>) -> {_type(left)}",
        )
        if repeats:
            types = f"({_type(left)}) -> {_type(shape)}"
            repeated = self._add(shape, f"stablehlo.broadcast_in_dim {total}, dims = {kept} : {types}")
            self._add(shape, f"stablehlo.subtract {value}, {repeated} : {_type(shape)}")


BOTH = pytest.mark.parametrize("choices", [SHAPES, SHORT_ROWS], ids=["few", "short rows"])


@BOTH
@pytest.mark.parametrize("seed", range(40))
def test_values_are_the_same_on_one_shape(choices: tuple[tuple[int, ...], ...], seed: int) -> None:
    program = _Program(seed, choices)
    expected = run(parse_module(program.text), "main", program.inputs)
    module, context = parse_module(program.text), new_context()
    for name in ("stablehlo-align-shapes", "stablehlo-simplify"):
        load_pass(name)().apply(context, module)
    module.verify()
    for result, other in zip(run(module, "main", program.inputs), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), np.asarray(other))


@BOTH
@pytest.mark.parametrize("seed", range(100, 104))
def test_compiled_programs_compute_the_same(choices: tuple[tuple[int, ...], ...], seed: int) -> None:
    program = _Program(seed, choices)
    expected = run(parse_module(program.text), "main", program.inputs)
    for result, other in zip(xdsl_xla.compile(program.text, threads=1)(*program.inputs), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), np.asarray(other))
