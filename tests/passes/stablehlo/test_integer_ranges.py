"""Bounds on integers: ops in, the least and the greatest element out."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects import func
from xdsl_xla.passes.stablehlo.integer_ranges import Range, compare, range_of
from xdsl_xla.runtime.mlir_text import parse_module

I32: Range = (-(2**31), 2**31 - 1)
T = "tensor<5xi32>"
OPERANDS = f"""
%iota = stablehlo.iota dim = 0 : {T}
%some = stablehlo.constant dense<[7, -2, 0, 9, 3]> : {T}
%three = stablehlo.constant dense<3> : {T}
%zero = stablehlo.constant dense<0> : {T}
%large = stablehlo.constant dense<2000000000> : {T}
%bytes = stablehlo.convert %argument : (tensor<5xi8>) -> {T}
"""


def bounds(text: str) -> Range | None:
    """Those of the last value of `text`."""
    arguments = "%any: tensor<5xi32>, %argument: tensor<5xi8>, %flags: tensor<5xi1>, %floats: tensor<5xf32>"
    module = parse_module(f"func.func @main({arguments}) {{ {OPERANDS}\n{text}\nreturn }}")
    (function,) = module.ops
    assert isinstance(function, func.FuncOp)
    *_, last, _ = function.body.block.ops
    return range_of(last.results[0])


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        (f"add %iota, %some : {T}", (-2, 13)),
        (f"subtract %iota, %some : {T}", (-9, 6)),
        (f"multiply %some, %some : {T}", (-18, 81)),
        (f"maximum %any, %three : {T}", (3, I32[1])),
        (f"minimum %some, %three : {T}", (-2, 3)),
        (f"divide %iota, %three : {T}", (0, 1)),
        (f"divide %some, %three : {T}", I32),
        (f"divide %iota, %iota : {T}", I32),
        (f"remainder %iota, %three : {T}", (0, 2)),
        (f"remainder %three, %large : {T}", (0, 3)),
        (f"remainder %some, %three : {T}", I32),
        (f"and %any, %three : {T}", (0, 3)),
        (f"and %any, %some : {T}", I32),
        (f"clamp %zero, %any, %three : {T}", (0, 3)),
        (f"concatenate %iota, %some, dim = 0 : ({T}, {T}) -> tensor<10xi32>", (-2, 9)),
        (f"select %flags, %iota, %some : tensor<5xi1>, {T}", (-2, 9)),
        (f"add %large, %large : {T}", I32),
        (f"reverse %some, dims = [0] : {T}", (-2, 9)),
        (f"reshape %iota : ({T}) -> tensor<1x5xi32>", (0, 4)),
        (f"xor %iota, %three : {T}", I32),
        (f"convert %bytes : ({T}) -> tensor<5xi64>", (-128, 127)),
        (f"convert %some : ({T}) -> tensor<5xui32>", (0, 2**32 - 1)),
        ("iota dim = 1 : tensor<5x0xi32>", (0, 0)),
        ("not %flags : tensor<5xi1>", (0, 1)),
        ("negate %floats : tensor<5xf32>", None),
    ],
)
def test_rules(op: str, wanted: Range | None) -> None:
    assert bounds(f"%r = stablehlo.{op}") == wanted


def test_it_does_not_look_far() -> None:
    def chain(length: int) -> str:
        steps = [f"%{n + 1} = stablehlo.maximum %{n}, %zero : {T}" for n in range(length)]
        return "\n".join([f"%0 = stablehlo.minimum %iota, %three : {T}", *steps])

    assert bounds(chain(6)) == (0, 3)
    assert bounds(chain(12)) == (0, I32[1])


def test_large_constants_are_not_read() -> None:
    assert bounds("%r = stablehlo.constant dense<1> : tensor<4000xi32>") in ((1, 1), I32)
    values = ", ".join(str(n % 3) for n in range(4000))
    assert bounds(f"%r = stablehlo.constant dense<[{values}]> : tensor<4000xi32>") == I32


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
def test_comparisons_of_ranges(direction: str) -> None:
    """What all pairs of elements agree on, and nothing else."""
    holds = {
        "EQ": int.__eq__,
        "NE": int.__ne__,
        "LT": int.__lt__,
        "LE": int.__le__,
        "GT": int.__gt__,
        "GE": int.__ge__,
    }[direction]
    ranges = [(low, high) for low in range(4) for high in range(low, 4)]
    for left, right in product(ranges, ranges):
        pairs = product(range(left[0], left[1] + 1), range(right[0], right[1] + 1))
        results = {holds(a, b) for a, b in pairs}
        assert compare(direction, left, right) == (results.pop() if len(results) == 1 else None), (left, right)
