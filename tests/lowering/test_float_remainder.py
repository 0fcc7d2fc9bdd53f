"""The remainder of a division of floats, in native code, against C's `fmod`: exact for quotients of all sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla

SPECIAL = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan]


def operands(dtype: Any) -> tuple[Any, Any]:
    """Random bits: numbers of all sizes, subnormal ones, infinities and NaNs; near ones; special ones."""
    info = np.finfo(dtype)
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 1 << info.bits, (2, 3000), dtype=np.uint64)
    far = bits.astype(f"u{info.bits // 8}").view(dtype)
    near = rng.normal(size=(2, 500)).astype(dtype)
    # Quotients that are whole numbers, or just not.
    whole = (near[1] * rng.integers(1, 1 << 9, 500)).astype(dtype)
    special = [part.ravel().astype(dtype) for part in np.meshgrid(SPECIAL, SPECIAL)]
    ends = np.array([info.max, info.max, info.tiny]), np.array([info.smallest_subnormal, info.tiny, info.max])
    x = np.concatenate([far[0], near[0], whole, np.nextafter(whole, dtype(0)), special[0], ends[0].astype(dtype)])
    y = np.concatenate([far[1], near[1], near[1], near[1], special[1], ends[1].astype(dtype)])
    return x, y


@pytest.mark.parametrize(("element", "dtype"), [("f16", np.float16), ("f32", np.float32), ("f64", np.float64)])
@pytest.mark.parametrize("threads", [1, 2])
def test_is_exact(element: str, dtype: Any, threads: int) -> None:
    x, y = operands(dtype)
    type = f"tensor<{len(x)}x{element}>"
    executable = xdsl_xla.compile(
        f"""func.func @main(%x: {type}, %y: {type}) -> {type} {{
          %0 = stablehlo.remainder %x, %y : {type}
          return %0 : {type}
        }}""",
        threads=threads,
        denormals="preserve",
    )
    (result,) = executable(x, y)
    with np.errstate(all="ignore"):
        expected = np.fmod(x, y)
    np.testing.assert_array_equal(result, expected)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[known]), np.signbit(expected[known]))


@pytest.mark.parametrize(("element", "dtype"), [("f16", np.float16), ("f32", np.float32), ("f64", np.float64)])
def test_of_single_numbers_is_exact(element: str, dtype: Any) -> None:
    x, y = operands(dtype)
    whole, one = f"tensor<{len(x)}x{element}>", f"tensor<{element}>"
    executable = xdsl_xla.compile(
        f"""func.func @main(%x: {whole}, %y: {whole}) -> {whole} {{
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %next = stablehlo.constant dense<1> : tensor<i32>
          %end = stablehlo.constant dense<{len(x)}> : tensor<i32>
          %0:2 = stablehlo.while(%i = %zero, %z = %x) : tensor<i32>, {whole}
            cond {{
              %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            }} do {{
              %a1 = stablehlo.dynamic_slice %x, %i, sizes = [1] : ({whole}, tensor<i32>) -> tensor<1x{element}>
              %b1 = stablehlo.dynamic_slice %y, %i, sizes = [1] : ({whole}, tensor<i32>) -> tensor<1x{element}>
              %a = stablehlo.reshape %a1 : (tensor<1x{element}>) -> {one}
              %b = stablehlo.reshape %b1 : (tensor<1x{element}>) -> {one}
              %r = stablehlo.remainder %a, %b : {one}
              %r1 = stablehlo.reshape %r : ({one}) -> tensor<1x{element}>
              %u = stablehlo.dynamic_update_slice %z, %r1, %i : ({whole}, tensor<1x{element}>, tensor<i32>) -> {whole}
              %j = stablehlo.add %i, %next : tensor<i32>
              stablehlo.return %j, %u : tensor<i32>, {whole}
            }}
          return %0#1 : {whole}
        }}""",
        threads=1,
        denormals="preserve",
    )
    (result,) = executable(x, y)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, np.fmod(x, y))
