"""Concatenations, paddings, rolls and repetitions that elementwise ops and reductions read, against the reference."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import assert_close, check, random_inputs, tensor

ELEMENTS = ["f32", "f32", "f64", "i32", "i8", "i1", "bf16", "complex<f32>", "f8E4M3FN"]
SIZES = (1, 1, 2, 3, 5, 8, 9, 16, 21, 40)


@dataclass
class Program:
    """A random program on tensors of `element`, which ends with elementwise ops and reductions."""

    random: random.Random
    element: str
    arguments: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])

    def argument(self, shape: list[int]) -> str:
        name = f"%x{len(self.arguments)}"
        self.arguments.append(f"{name}: {tensor(shape, self.element)}")
        return name

    def emit(self, text: str) -> str:
        self.lines.append(f"%{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def slice(self, value: str, shape: list[int], start: list[int], limit: list[int], step: list[int]) -> str:
        sizes = [max(0, -(-(b - a) // s)) for a, b, s in zip(start, limit, step, strict=True)]
        ranges = ", ".join(f"{a}:{b}:{s}" for a, b, s in zip(start, limit, step, strict=True))
        types = f"({tensor(shape, self.element)}) -> {tensor(sizes, self.element)}"
        return self.emit(f"stablehlo.slice {value} [{ranges}] : {types}")

    def concatenate(self, parts: list[tuple[str, list[int]]], dim: int) -> tuple[str, list[int]]:
        shape = list(parts[0][1])
        shape[dim] = sum(sizes[dim] for _, sizes in parts)
        names = ", ".join(name for name, _ in parts)
        types = ", ".join(tensor(sizes, self.element) for _, sizes in parts)
        result = tensor(shape, self.element)
        return self.emit(f"stablehlo.concatenate {names}, dim = {dim} : ({types}) -> {result}"), shape

    def move(self, value: str, shape: list[int]) -> tuple[str, list[int]]:
        """A random movement of `value`."""
        draw, rank = self.random, len(shape)
        dim = draw.randrange(rank)
        kinds = ["concatenate", "pad", "roll", "slice", "reverse", "transpose", "compute", "reshape", "repeat", "tile"]
        kind = draw.choice(kinds)
        if kind == "concatenate":
            parts = [(value, shape)]
            for _ in range(draw.randint(1, 3)):
                other = list(shape)
                other[dim] = draw.choice(SIZES)
                parts.insert(draw.randrange(len(parts) + 1), (self.argument(other), other))
            return self.concatenate(parts, dim)
        if kind == "roll" and shape[dim] > 1:
            return self.roll(value, shape, dim)
        if kind == "pad" and (padded := self.pad(value, shape)):
            return padded
        if kind == "slice":
            start = [draw.randrange(n) for n in shape]
            limit = [draw.randint(a + 1, n) for a, n in zip(start, shape, strict=True)]
            step = [draw.choice([1, 1, 2]) for _ in shape]
            sizes = [-(-(b - a) // s) for a, b, s in zip(start, limit, step, strict=True)]
            return self.slice(value, shape, start, limit, step), sizes
        if kind == "reverse":
            return self.emit(f"stablehlo.reverse {value}, dims = [{dim}] : {tensor(shape, self.element)}"), shape
        if kind == "transpose":
            order = draw.sample(range(rank), rank)
            sizes = [shape[d] for d in order]
            types = f"({tensor(shape, self.element)}) -> {tensor(sizes, self.element)}"
            return self.emit(f"stablehlo.transpose {value}, dims = {order} : {types}"), sizes
        if kind == "reshape":
            sizes = [*shape[:dim], 1, *shape[dim:]] if rank < 3 else [n for n in shape if n != 1]
            if len(sizes) != rank and sizes:
                types = f"({tensor(shape, self.element)}) -> {tensor(sizes, self.element)}"
                return self.emit(f"stablehlo.reshape {value} : {types}"), sizes
        if kind in ("repeat", "tile"):
            place, count = (dim + 1, draw.choice([2, 3])) if kind == "repeat" else (dim, 2)
            repeated = [*shape[:place], count, *shape[place:]]
            sizes = [*shape[:dim], shape[dim] * count, *shape[dim + 1 :]]
            dims = [d if d < place else d + 1 for d in range(rank)]
            types = f"({tensor(shape, self.element)}) -> {tensor(repeated, self.element)}"
            value = self.emit(f"stablehlo.broadcast_in_dim {value}, dims = {dims} : {types}")
            types = f"({tensor(repeated, self.element)}) -> {tensor(sizes, self.element)}"
            return self.emit(f"stablehlo.reshape {value} : {types}"), sizes
        return self.compute(value, shape), shape

    def roll(self, value: str, shape: list[int], dim: int) -> tuple[str, list[int]]:
        shift = self.random.randint(1, shape[dim] - 1)
        zeros, ones = [0] * len(shape), [1] * len(shape)
        start, limit = list(zeros), list(shape)
        start[dim] = limit[dim] = shift
        first = [*shape[:dim], shape[dim] - shift, *shape[dim + 1 :]]
        second = [*shape[:dim], shift, *shape[dim + 1 :]]
        parts = [
            (self.slice(value, shape, start, shape, ones), first),
            (self.slice(value, shape, zeros, limit, ones), second),
        ]
        return self.concatenate(parts, dim)

    def pad(self, value: str, shape: list[int]) -> tuple[str, list[int]] | None:
        """None if nothing would be left."""
        low, high, interior = ([0] * len(shape) for _ in range(3))
        for d in range(len(shape)):
            low[d], high[d] = (self.random.choice([0, 0, 1, 2, 5, -1]) for _ in range(2))
            interior[d] = self.random.choice([0, 0, 0, 0, 0, 1])
        sizes = [a + b + n + (n - 1) * i for a, b, n, i in zip(low, high, shape, interior, strict=True)]
        if min(sizes) <= 0:
            return None
        padding = self.argument([])
        types = f"({tensor(shape, self.element)}, {tensor([], self.element)}) -> {tensor(sizes, self.element)}"
        edges = f"low = {low}, high = {high}, interior = {interior}"
        return self.emit(f"stablehlo.pad {value}, {padding}, {edges} : {types}"), sizes

    def compute(self, value: str, shape: list[int]) -> str:
        type = tensor(shape, self.element)
        op = "stablehlo.xor" if self.element == "i1" else self.random.choice(["stablehlo.add", "stablehlo.multiply"])
        if self.random.random() < 0.2 and self.element in ("f32", "f64"):
            return self.emit(f"stablehlo.tanh {value} : {type}")
        other = self.random.choice([self.argument(shape), value])
        return self.emit(f"{op} {value}, {other} : {type}")

    def reduce(self, value: str, shape: list[int]) -> tuple[str, list[int]]:
        op = {"i1": "stablehlo.or", "complex<f32>": "stablehlo.add"}.get(self.element, "stablehlo.maximum")
        if self.element in ("f32", "f64", "i32"):
            op = self.random.choice([op, "stablehlo.add"])
        dim, init = self.random.randrange(len(shape)), self.argument([])
        rest = [n for d, n in enumerate(shape) if d != dim]
        types = f"({tensor(shape, self.element)}, {tensor([], self.element)}) -> {tensor(rest, self.element)}"
        text = f"stablehlo.reduce({value} init: {init}) applies {op} across dimensions = [{dim}] : {types}"
        return self.emit(text), rest

    def text(self) -> str:
        shape = [self.random.choice(SIZES) for _ in range(self.random.randint(1, 3))]
        value = self.argument(shape)
        results: list[tuple[str, list[int]]] = []
        for _ in range(self.random.randint(1, 5)):
            value, shape = self.move(value, shape)
        sizes = list(shape)
        computed = self.compute(value, sizes)
        results.append((computed, sizes))
        for _ in range(self.random.randint(0, 2)):
            if shape:
                results.append(self.reduce(self.random.choice([value, computed]), sizes))
        types = ", ".join(tensor(sizes, self.element) for _, sizes in results)
        body = "\n".join(self.lines)
        names = ", ".join(name for name, _ in results)
        return f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"


@pytest.mark.sample(30)
@pytest.mark.parametrize("seed", range(120))
def test_random_programs(seed: int) -> None:
    draw = random.Random(seed)
    check(Program(draw, ELEMENTS[seed % len(ELEMENTS)]).text(), pipelines=("xla-cpu",))


LARGE = {
    "a stencil on a padded tensor": """
  func.func @main(%x: tensor<600x500xf32>, %zero: tensor<f32>) -> (tensor<600x500xf32>) {
    %0 = stablehlo.pad %x, %zero, low = [1, 1], high = [1, 1], interior = [0, 0]
      : (tensor<600x500xf32>, tensor<f32>) -> tensor<602x502xf32>
    %1 = stablehlo.slice %0 [0:600, 1:501] : (tensor<602x502xf32>) -> tensor<600x500xf32>
    %2 = stablehlo.slice %0 [2:602, 1:501] : (tensor<602x502xf32>) -> tensor<600x500xf32>
    %3 = stablehlo.slice %0 [1:601, 0:500] : (tensor<602x502xf32>) -> tensor<600x500xf32>
    %4 = stablehlo.slice %0 [1:601, 2:502] : (tensor<602x502xf32>) -> tensor<600x500xf32>
    %5 = stablehlo.add %1, %2 : tensor<600x500xf32>
    %6 = stablehlo.add %3, %4 : tensor<600x500xf32>
    %7 = stablehlo.add %5, %6 : tensor<600x500xf32>
    return %7 : tensor<600x500xf32>
  }""",
    "sums along and across a concatenation": """
  func.func @main(%x: tensor<700x300xf32>, %y: tensor<700x350xf32>, %zero: tensor<f32>)
      -> (tensor<700xf32>, tensor<650xf32>, tensor<f32>) {
    %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<700x300xf32>, tensor<700x350xf32>) -> tensor<700x650xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<700x650xf32>, tensor<f32>) -> tensor<700xf32>
    %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<700x650xf32>, tensor<f32>) -> tensor<650xf32>
    %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.minimum across dimensions = [0, 1]
      : (tensor<700x650xf32>, tensor<f32>) -> tensor<f32>
    return %1, %2, %3 : tensor<700xf32>, tensor<650xf32>, tensor<f32>
  }""",
    "parts one below the other, computed before": """
  func.func @main(%x: tensor<300x600xf32>, %y: tensor<400x600xf32>, %z: tensor<700x600xf32>) -> tensor<700x600xf32> {
    %0 = stablehlo.tanh %x : tensor<300x600xf32>
    %1 = stablehlo.exponential %y : tensor<400x600xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<300x600xf32>, tensor<400x600xf32>) -> tensor<700x600xf32>
    %3 = stablehlo.add %2, %z : tensor<700x600xf32>
    return %3 : tensor<700x600xf32>
  }""",
    "one long row": """
  func.func @main(%x: tensor<300001xf32>, %y: tensor<400000xf32>, %z: tensor<700001xf32>) -> tensor<700001xf32> {
    %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<300001xf32>, tensor<400000xf32>) -> tensor<700001xf32>
    %1 = stablehlo.add %0, %z : tensor<700001xf32>
    return %1 : tensor<700001xf32>
  }""",
}


@pytest.mark.parametrize("name", LARGE)
def test_threads(name: str) -> None:
    text = LARGE[name]
    inputs = random_inputs(text)
    with np.errstate(all="ignore"):
        expected = interpreter.run(parse_module(text, "program"), "main", inputs)
    for threads in (1, 2, 3, 4):
        for result, wanted in zip(xdsl_xla.compile(text, threads=threads)(*inputs), expected, strict=True):
            assert_close(result, wanted, f"{name}, {threads} threads")
