"""Accuracy of chlo functions, decomposed and interpreted, and native.

`chlo_functions.json` has arguments, of which those of the real functions and the first `SINGLE` complex ones are
representable in single precision, and values rounded to double precision; computed with mpmath in 48 digits and more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import ChloLegalizeToStablehloPass
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.environment import Environment
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("chlo_functions.json").read_text())
SINGLE = 150
LIMITS = {"bessel_i1e": 5.0, "polygamma": 6.0}
"""Units in the last place, where they are more than four."""
NUMPY_EXCESS = 2.0
"""NumPy's own f32 functions are up to about 4 units off, where ours are within 1."""


def values(numbers: list[str]) -> Array:
    return np.array([float.fromhex(number) for number in numbers])


def both(function: str, *arguments: Array) -> list[Array]:
    """`chlo.<function>`: its decomposition interpreted, and native."""
    part = {"f": "f32", "d": "f64", "F": "complex<f32>", "D": "complex<f64>"}[arguments[0].dtype.char]
    type, names = f"tensor<{arguments[0].size}x{part}>", [f"%x{i}" for i in range(len(arguments))]
    text = f"""func.func @main({", ".join(f"{name}: {type}" for name in names)}) -> {type} {{
      %0 = chlo.{function} {", ".join(names)} : {", ".join([type] * len(names))} -> {type}
      return %0 : {type}
    }}"""
    module = parse_module(text)
    ChloLegalizeToStablehloPass().apply(Context(), module)
    with np.errstate(all="ignore"):
        (interpreted,) = interpreter.run(module, "main", arguments, Environment(denormals="preserve"))
        return [interpreted, compile(text, threads=1, denormals="preserve")(*arguments)[0]]


def assert_near(got: Array, exact: Array, limit: float) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = exact.astype(got.dtype)
        unit = np.maximum(np.spacing(np.abs(rounded)), np.finfo(got.dtype).smallest_subnormal).astype(np.float64)
        error = np.where(got == rounded, 0, np.abs(got.astype(np.float64) - exact) / unit)
    assert error.max() <= limit, (error.argmax(), got[error.argmax()], exact[error.argmax()])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", TABLE["real"])
def test_real(function: str, dtype: Any) -> None:
    entry = TABLE["real"][function]
    limit = LIMITS.get(function, 4.0)
    interpreted, native = both(function, *(values(numbers).astype(dtype) for numbers in entry["arguments"]))
    assert_near(native, values(entry["y"]), limit)
    assert_near(interpreted, values(entry["y"]), limit + (NUMPY_EXCESS if dtype is np.float32 else 0))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", [name for name in TABLE["complex"] if name != "z"])
def test_complex(function: str, dtype: Any) -> None:
    """Each part on its own: rounded in single precision, within four units in double precision."""
    count = SINGLE if dtype is np.complex64 else None
    x, y = (values(numbers)[:count] for numbers in TABLE["complex"]["z"])
    z = np.empty(x.size, dtype)
    z.real, z.imag = x, y
    for got in both(function, z):
        for part, exact in zip((got.real, got.imag), TABLE["complex"][function], strict=True):
            assert_near(part, values(exact)[:count], 0.51 if dtype is np.complex64 else 4.0)
