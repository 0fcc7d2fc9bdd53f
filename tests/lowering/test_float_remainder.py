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
