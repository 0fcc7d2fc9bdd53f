"""Programs in which two values could end up in one buffer although both are still read.

Each is compiled and compared with the reference, which has values only.
"""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

PRODUCT = "contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"
COUNTED = """
    cond {
      %limit = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>"""
"""A loop's condition and the start of its body: three iterations."""


def program(results: str, body: str) -> str:
    return f"func.func @main(%x: tensor<4x4xf32>) -> ({results}) {{\n{body}\n}}"


PROGRAMS = {
    "updated_view_of_a_tensor_read_later": program(
        "tensor<16xf32>, tensor<4x4xf32>",
        f"""
    %y = stablehlo.dot_general %x, %x, {PRODUCT}
    %v = stablehlo.reshape %y : (tensor<4x4xf32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %u = stablehlo.constant dense<1.0> : tensor<3xf32>
    %r = stablehlo.dynamic_update_slice %v, %u, %c : (tensor<16xf32>, tensor<3xf32>, tensor<i32>) -> tensor<16xf32>
    %s = stablehlo.dot_general %y, %x, {PRODUCT}
    return %r, %s : tensor<16xf32>, tensor<4x4xf32>""",
    ),
    "loop_over_a_view_of_a_tensor_read_later": program(
        "tensor<16xf32>, tensor<4x4xf32>",
        f"""
    %y = stablehlo.dot_general %x, %x, {PRODUCT}
    %v = stablehlo.reshape %y : (tensor<4x4xf32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %c, %a = %v) : tensor<i32>, tensor<16xf32> {COUNTED}
      %w = stablehlo.add %a, %a : tensor<16xf32>
      stablehlo.return %next, %w : tensor<i32>, tensor<16xf32>
    }}
    %s = stablehlo.dot_general %y, %x, {PRODUCT}
    return %r#1, %s : tensor<16xf32>, tensor<4x4xf32>""",
    ),
    "loop_carries_a_tensor_and_its_view": program(
        "tensor<4x4xf32>, tensor<16xf32>",
        f"""
    %y = stablehlo.dot_general %x, %x, {PRODUCT}
    %v = stablehlo.reshape %y : (tensor<4x4xf32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r:3 = stablehlo.while(%i = %c, %a = %y, %b = %v) : tensor<i32>, tensor<4x4xf32>, tensor<16xf32> {COUNTED}
      %d = stablehlo.dot_general %a, %x, {PRODUCT}
      %e = stablehlo.add %b, %b : tensor<16xf32>
      stablehlo.return %next, %d, %e : tensor<i32>, tensor<4x4xf32>, tensor<16xf32>
    }}
    %s = stablehlo.dot_general %r#1, %x, {PRODUCT}
    %t = stablehlo.negate %r#2 : tensor<16xf32>
    return %s, %t : tensor<4x4xf32>, tensor<16xf32>""",
    ),
    "carried_tensor_updated_in_place_and_read": program(
        "tensor<4x4xf32>, tensor<4x4xf32>",
        f"""
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r:3 = stablehlo.while(%i = %c, %a = %x, %b = %x) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32> {COUNTED}
      %row = stablehlo.slice %b [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
      %u = stablehlo.dynamic_update_slice %a, %row, %i, %c
        : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
      %d = stablehlo.dot_general %b, %u, {PRODUCT}
      stablehlo.return %next, %d, %u : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
    }}
    return %r#1, %r#2 : tensor<4x4xf32>, tensor<4x4xf32>""",
    ),
    "carried_tensor_starts_a_loop_and_is_carried_on": program(
        "tensor<4x4xf32>, tensor<4x4xf32>",
        f"""
    %c = stablehlo.constant dense<0> : tensor<i32>
    %y = stablehlo.negate %x : tensor<4x4xf32>
    %r:3 = stablehlo.while(%i = %c, %a = %x, %b = %y) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32> {COUNTED}
      %s:2 = stablehlo.while(%inner_i = %i, %d = %a) : tensor<i32>, tensor<4x4xf32> {COUNTED.replace("%", "%inner_")}
        stablehlo.return %inner_next, %b : tensor<i32>, tensor<4x4xf32>
      }}
      stablehlo.return %next, %s#1, %a : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
    }}
    return %r#1, %r#2 : tensor<4x4xf32>, tensor<4x4xf32>""",
    ),
    "empty_tensor_through_a_view_and_a_loop": program(
        "tensor<2x0x4xf32>, tensor<0x4xf32>",
        f"""
    %n = stablehlo.slice %x [0:0, 0:4] : (tensor<4x4xf32>) -> tensor<0x4xf32>
    %y = stablehlo.dot_general %n, %x, contracting_dims = [1] x [0]
      : (tensor<0x4xf32>, tensor<4x4xf32>) -> tensor<0x4xf32>
    %v = stablehlo.reshape %y : (tensor<0x4xf32>) -> tensor<2x0x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %c, %a = %y) : tensor<i32>, tensor<0x4xf32> {COUNTED}
      %w = stablehlo.add %a, %a : tensor<0x4xf32>
      stablehlo.return %next, %w : tensor<i32>, tensor<0x4xf32>
    }}
    return %v, %r#1 : tensor<2x0x4xf32>, tensor<0x4xf32>""",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_stay_apart(name: str) -> None:
    text = PROGRAMS[name]
    x = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
    expected = interpreter.run(parse_module(text), "main", [x])
    results = xdsl_xla.compile(text, threads=1, verify=True)(x)
    for result, wanted in zip(results, expected, strict=True):
        assert isinstance(wanted, np.ndarray)
        # Products of four terms may be summed in another order.
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)
