"""Associative ops: their neutral elements change nothing, and only what may be reordered is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, f32, f64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation
from xdsl_xla.ir.combiners import NEUTRAL_ELEMENTS, combiner_of
from xdsl_xla.runtime.mlir_text import parse_module

FLOATS: dict[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddfOp: np.add,
    arith.MulfOp: np.multiply,
    arith.MaximumfOp: np.maximum,
    arith.MinimumfOp: np.minimum,
}
INTEGERS: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: int.__add__,
    arith.MuliOp: int.__mul__,
    arith.AndIOp: int.__and__,
    arith.OrIOp: int.__or__,
    arith.XOrIOp: int.__xor__,
    arith.MaxSIOp: max,
    arith.MinSIOp: min,
    arith.MaxUIOp: lambda a, b: max(a % 256, b % 256),
    arith.MinUIOp: lambda a, b: min(a % 256, b % 256),
}


def test_all_are_here() -> None:
    assert NEUTRAL_ELEMENTS.keys() == {*FLOATS, *INTEGERS}


@pytest.mark.parametrize("type", [f32, f64])
@pytest.mark.parametrize("op", FLOATS)
def test_neutral_floats(op: type[Operation], type: Any) -> None:
    """Of zeros of both signs, infinities and NaN too."""
    neutral = NEUTRAL_ELEMENTS[op](type)
    assert isinstance(neutral, FloatAttr)
    values = np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan])
    got = FLOATS[op](values, neutral.value.data)
    np.testing.assert_array_equal(got, values)
    np.testing.assert_array_equal(np.signbit(got[:-1]), np.signbit(values[:-1]))


@pytest.mark.parametrize("op", INTEGERS)
def test_neutral_integers(op: type[Operation]) -> None:
    neutral = NEUTRAL_ELEMENTS[op](IntegerType(8))
    assert isinstance(neutral, IntegerAttr)
    for value in range(-128, 128):
        assert (INTEGERS[op](value, neutral.value.data) - value) % 256 == 0


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("%r = arith.addf %a, %o fastmath<reassoc> : f32", "arith.addf"),
        ("%r = arith.mulf %o, %a fastmath<reassoc> : f32", "arith.mulf"),
        ("%r = arith.maximumf %a, %o : f32", "arith.maximumf"),
        ("%s = arith.mulf %a, %a : f32\n%r = arith.minimumf %s, %o : f32", "arith.minimumf"),
        ("%r = arith.addf %a, %o : f32", None),
        ("%r = arith.subf %o, %a : f32", None),
        ("%r = arith.addf %o, %o fastmath<reassoc> : f32", None),
        ("%s = arith.mulf %o, %a : f32\n%r = arith.maximumf %s, %o : f32", None),
        ("%r = arith.maximumf %a, %a : f32", None),
    ],
)
def test_what_may_be_reordered(body: str, found: str | None) -> None:
    module = parse_module(f"""
    func.func @main(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {{
      %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
        iterator_types = ["reduction"]}} ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {{
      ^bb0(%a: f32, %o: f32):
        {body}
        linalg.yield %r : f32
      }} -> tensor<f32>
      return %0 : tensor<f32>
    }}""")
    (generic,) = [op for op in module.walk() if isinstance(op, GenericOp)]
    block = generic.body.block
    assert block.last_op is not None
    op = combiner_of(block, block.args[1], block.last_op.operands[0])
    assert (op and op.name) == found
