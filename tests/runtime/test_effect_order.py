"""Random programs with effects: compiled code reads, writes and draws in the order of the reference."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]

TYPE = "tensor<4xf32>"
TOKEN = "!stablehlo.token"


class Generator:
    """Lines of a function; `values` and `tokens` are what can be used where the next line goes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def block(self, values: list[str], token: str, size: int, depth: int) -> tuple[list[str], list[str], str]:
        """Lines, the values known at their end, and the last token."""
        lines: list[str] = []
        values = list(values)
        kinds = ["add", "add", "reduce", "outfeed", "outfeed", "infeed", "rng"] + ["if", "while"] * (depth > 0)
        for _ in range(size):
            kind, name = self.random.choice(kinds), self.name()
            a, b = self.random.choice(values), self.random.choice(values)
            if kind == "add":
                lines.append(f"{name} = stablehlo.{self.random.choice(['add', 'maximum'])} {a}, {b} : {TYPE}")
                values.append(name)
            elif kind == "reduce":
                lines += [
                    f"{name}s = stablehlo.reduce({a} init: %zero) applies stablehlo.maximum across dimensions = [0]"
                    f" : ({TYPE}, tensor<f32>) -> tensor<f32>",
                    f"{name} = stablehlo.broadcast_in_dim {name}s, dims = [] : (tensor<f32>) -> {TYPE}",
                ]
                values.append(name)
            elif kind == "outfeed":
                lines.append(
                    f'{name} = "stablehlo.outfeed"({a}, {token}) <{{outfeed_config = ""}}>'
                    f" : ({TYPE}, {TOKEN}) -> {TOKEN}"
                )
                token = name
            elif kind == "infeed":
                lines.append(
                    f'{name}, {name}t = "stablehlo.infeed"({token}) <{{infeed_config = ""}}>'
                    f" : ({TOKEN}) -> ({TYPE}, {TOKEN})"
                )
                values.append(name)
                token = f"{name}t"
            elif kind == "rng":
                lines.append(
                    f"{name} = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM"
                    f" : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {TYPE}"
                )
                values.append(name)
            else:
                lines += self.region(kind, name, a, values, token, depth)
                values.append(f"{name}#0")
                token = f"{name}#1"
        return lines, values, token

    def region(self, kind: str, name: str, a: str, values: list[str], token: str, depth: int) -> list[str]:
        if kind == "if":
            branches: list[str] = []
            for _ in range(2):
                lines, inner, last = self.block(values, token, 3, depth - 1)
                result = self.random.choice(inner)
                branches.append("\n".join([*lines, f"stablehlo.return {result}, {last} : {TYPE}, {TOKEN}"]))
            return [
                f"{name}x = stablehlo.slice {a} [0:1] : ({TYPE}) -> tensor<1xf32>",
                f"{name}y = stablehlo.reshape {name}x : (tensor<1xf32>) -> tensor<f32>",
                f"{name}p = stablehlo.compare LT, {name}y, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>",
                f'{name}:2 = "stablehlo.if"({name}p) ({{\n{branches[0]}\n}}, {{\n{branches[1]}\n}})'
                f" : (tensor<i1>) -> ({TYPE}, {TOKEN})",
            ]
        lines, inner, last = self.block([*values, f"{name}a"], f"{name}t", 3, depth - 1)
        body = "\n".join(lines)
        result = self.random.choice(inner)
        return [
            f"{name}:3 = stablehlo.while({name}a = {a}, {name}t = {token}, {name}i = %none)",
            f": {TYPE}, {TOKEN}, tensor<i32>",
            f"cond {{ {name}c = stablehlo.compare LT, {name}i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"stablehlo.return {name}c : tensor<i1> }} do {{\n{body}",
            f"{name}n = stablehlo.add {name}i, %once : tensor<i32>",
            f"stablehlo.return {result}, {last}, {name}n : {TYPE}, {TOKEN}, tensor<i32> }}",
        ]

    def program(self) -> str:
        lines, values, _ = self.block(["%x"], "%start", 10, 2)
        body = "\n".join(lines)
        return f"""func.func @main(%x: {TYPE}) -> ({TYPE}, {TYPE}) {{
          %start = stablehlo.create_token : {TOKEN}
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          %one = stablehlo.constant dense<1.0> : tensor<f32>
          %shape = stablehlo.constant dense<4> : tensor<1xi64>
          %none = stablehlo.constant dense<0> : tensor<i32>
          %once = stablehlo.constant dense<1> : tensor<i32>
          %two = stablehlo.constant dense<2> : tensor<i32>
          {body}
          return {values[-1]}, {values[len(values) // 2]} : {TYPE}, {TYPE}
        }}"""


def surroundings() -> tuple[Environment, list[int]]:
    """An endless infeed that notes how much has been fed out when it is read."""
    environment, seen = Environment(seed=11), list[int]()
    host = environment.host

    def supply(number: int) -> tuple[Array]:
        seen.append(len(host.outfeed))
        return (np.arange(4, dtype=np.float32) / 4 - number,)

    host.infeed.extend((lambda number=number: supply(number)) for number in range(500))
    return environment, seen


@pytest.mark.sample(4)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("seed", range(12))
def test_order(seed: int, pipeline: str) -> None:
    text = Generator(seed).program()
    x = np.array([0.5, -1, 2, 3], np.float32)
    expected_environment, expected_reads = surroundings()
    expected = run(parse_module(text), "main", [x], expected_environment)
    environment, reads = surroundings()
    results = xdsl_xla.compile(text, pipeline=pipeline, verify=True, threads=1).with_environment(environment)(x)
    assert reads == expected_reads
    got, wanted = environment.host.outfeed, expected_environment.host.outfeed
    assert [batch[0].tolist() for batch in got] == [batch[0].tolist() for batch in wanted]
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, value)
