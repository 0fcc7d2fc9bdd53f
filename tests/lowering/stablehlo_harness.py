"""Programs of one lowering, executed and compared with the reference interpreter on random inputs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import xdsl_xla
from xdsl.dialects.func import FuncOp
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = np.ndarray[Any, Any]
TOLERANCE = {"float64": 1e-12, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    if dtype == np.bool_:
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        low = -9 if dtype.kind == "i" else 0
        return rng.integers(low, 10, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def check(text: str, *inputs: Array) -> None:
    """The compiled `@main` of `text` gives what the reference gives; inputs left out are random."""
    module = parse_module(text)
    verify_module(module)
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    arguments = list(inputs)
    for type in main.function_type.inputs.data[len(inputs) :]:
        arguments.append(random_array(rng, *shape_and_dtype(type)))
    expected = interpreter.run(module, "main", arguments)
    results = xdsl_xla.compile(text)(*arguments)
    assert_close(results, expected)


def assert_close(results: Sequence[Array], expected: Sequence[Array]) -> None:
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        assert result.shape == wanted.shape
        assert result.dtype == wanted.dtype
        tolerance = TOLERANCE.get(wanted.dtype.name)
        if tolerance is None:
            np.testing.assert_array_equal(result, wanted)
        else:
            precise = [a.astype(np.float64) for a in (result, wanted)]
            np.testing.assert_allclose(*precise, rtol=tolerance, atol=tolerance)


def function(arguments: str, results: str, body: str) -> str:
    """A program `main`; `body` binds `%r`, or `%r:n` for n results."""
    types = results.split(" | ")
    values = ["%r"] if len(types) == 1 else [f"%r#{i}" for i in range(len(types))]
    joined = ", ".join(types)
    return f"""
    func.func @main({arguments}) -> ({joined}) {{
      {body}
      return {", ".join(values)} : {joined}
    }}"""


FLOATS = ("f64", "f32", "f16", "bf16")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
