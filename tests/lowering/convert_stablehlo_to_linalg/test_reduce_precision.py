"""`reduce_precision` to every format: XLA, the reference, native code and constant folding agree bit for bit.

A NaN stays a NaN, whatever is left of the mantissa that tells it from infinity.
"""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla import compile
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]

NARROW = {
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E3M4": "float8_e3m4",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
}
WIDE: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
DTYPES = {**WIDE, **{name: getattr(ml_dtypes, dtype) for name, dtype in NARROW.items()}}


def edges(exponent: int, mantissa: int) -> list[int]:
    """Bits of numbers around the ends of every part of the range, of infinities and of NaNs of all kinds."""
    top, middle = (1 << exponent) - 1, (1 << exponent) // 2
    exponents = (
        range(top + 1) if exponent < 6 else {*range(4), *range(middle - 18, middle + 18), *range(top - 3, top + 1)}
    )
    half = 1 << max(mantissa - 1, 0)
    mantissas = {m % (1 << mantissa) for m in (0, 1, half - 1, half, half + 1, half // 2, 3 * half // 2, 2 * half - 1)}
    return [
        sign << (exponent + mantissa) | e << mantissa | m
        for sign, e, m in product((0, 1), exponents, sorted(mantissas))
    ]


def values(name: str) -> Array:
    """All numbers of a narrow type, otherwise those at edges and some of random bits."""
    dtype = np.dtype(DTYPES[name])
    info = cast(Any, ml_dtypes.finfo(dtype))
    unsigned = np.dtype(f"u{dtype.itemsize}")
    if name in NARROW:
        return np.arange(1 << info.bits, dtype=np.uint8).view(dtype)
    random = np.random.default_rng(0).bytes(500 * dtype.itemsize)
    return np.concatenate([np.array(edges(info.nexp, info.nmant), unsigned), np.frombuffer(random, unsigned)]).view(
        dtype
    )


def formats(name: str) -> list[tuple[int, int]]:
    info = cast(Any, ml_dtypes.finfo(DTYPES[name]))
    exponents, mantissas = range(1, info.nexp + 2), range(info.nmant + 2)
    if info.nmant > 10:
        exponents = sorted({1, 2, 5, 8, info.nexp - 1, info.nexp})
        mantissas = sorted({0, 1, 2, 7, 10, 22, 23, info.nmant - 1, info.nmant} & set(mantissas))
    return list(product(exponents, mantissas))


def program(name: str, size: int, constant: Array | None = None) -> str:
    """The argument, or a constant, in every format."""
    type, count = f"tensor<{size}x{name}>", len(formats(name))
    text = [
        f"%r{i} = stablehlo.reduce_precision %x, format = e{e}m{m} : {type}" for i, (e, m) in enumerate(formats(name))
    ]
    argument = f"%x: {type}"
    if constant is not None:
        argument = ""
        text.insert(0, f'%x = stablehlo.constant dense<"0x{constant.tobytes().hex().upper()}"> : {type}')
    results, types = ", ".join(f"%r{i}" for i in range(count)), ", ".join([type] * count)
    body = "\n".join(text)
    return f"func.func @main({argument}) -> ({types}) {{\n{body}\nreturn {results} : {types}\n}}"


def is_nan(x: Any) -> Array:
    """Signalling NaNs are no reason for a warning."""
    with np.errstate(invalid="ignore"):
        return np.isnan(x)


def equal_bits(name: str, got: Any, wanted: Any) -> None:
    """The same numbers, signs of zeros included, and NaN at the same places."""
    for format, a, b in zip(formats(name), got, wanted, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        nan = is_nan(b)
        np.testing.assert_array_equal(is_nan(a), nan, str(format))
        unsigned = f"u{a.dtype.itemsize}"
        np.testing.assert_array_equal(a.view(unsigned)[~nan], b.view(unsigned)[~nan], str(format))


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", DTYPES)
def test_engines_agree(name: str) -> None:
    x = values(name)
    text = program(name, len(x))
    expected = cast(Any, run(parse_module(text), "main", [x]))
    nan = is_nan(x)
    for result in expected:
        assert is_nan(result)[nan].all()
    equal_bits(name, compile(text)(x), expected)
    few = x[np.linspace(0, len(x) - 1, 64).astype(int)]
    folded = compile(program(name, len(few), few))()
    equal_bits(name, folded, cast(Any, run(parse_module(program(name, len(few))), "main", [few])))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", WIDE)
def test_xla_agrees(name: str) -> None:
    jax = pytest.importorskip("jax")
    x = values(name)
    expected = run(parse_module(program(name, len(x))), "main", [x])
    with jax.enable_x64(True):
        reduced = jax.jit(lambda x: [jax.lax.reduce_precision(x, e, m) for e, m in formats(name)])(x)
    equal_bits(name, [np.asarray(result) for result in reduced], expected)
