"""Programs put together from lines, run natively at both settings and compared with the reference."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import xdsl_xla
from xdsl.dialects.func import FuncOp
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]
PIPELINES = ("xla-cpu", "xla-cpu-O0")
TOLERANCES = {
    "float64": 1e-12,
    "complex128": 1e-12,
    "float32": 3e-6,
    "complex64": 3e-6,
    "float16": 2e-3,
    "bfloat16": 2e-2,
}
"""Relative to the largest element: functions differ in their last digits, sums are formed in another order."""


class Line(NamedTuple):
    """The right-hand side of an op and its result types."""

    text: str
    types: Sequence[str]


def line(text: str, *types: str) -> Line:
    return Line(text, types)


def tensor(shape: Sequence[int], element: str = "f32") -> str:
    """`tensor<2x3xf32>`"""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(arguments: str, lines: Sequence[Line], prologue: str = "") -> str:
    """`@main` with the results of all `lines`; `prologue` binds values that they use."""
    body: list[str] = [prologue]
    values: list[str] = []
    for i, (text, types) in enumerate(lines):
        body.append(f"%r{i}:{len(types)} = {text}" if len(types) > 1 else f"%r{i} = {text}")
        values += [f"%r{i}#{j}" for j in range(len(types))] if len(types) > 1 else [f"%r{i}"]
    types = ", ".join(type for _, types in lines for type in types)
    return (
        f"func.func @main({arguments}) -> ({types}) {{\n"
        + "\n".join(body)
        + f"\nreturn {', '.join(values)} : {types}\n}}"
    )


def random_inputs(text: str) -> list[Array]:
    """Small numbers, so that integers stay exact and indices are in and out of range."""
    module = parse_module(text, "program")
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    random = np.random.default_rng(zlib.crc32(text.encode()))
    inputs: list[Array] = []
    for shape, dtype in map(shape_and_dtype, main.function_type.inputs):
        if dtype.kind == "b":
            inputs.append(random.random(shape) < 0.5)
        elif dtype.kind in "iu":
            inputs.append(random.integers(0 if dtype.kind == "u" else -3, 5, shape).astype(dtype))
        else:
            inputs.append(random.normal(size=shape).astype(dtype))
    return inputs


def check(text: str, *inputs: Array, pipelines: Sequence[str] = PIPELINES) -> None:
    """Native code gives what the reference gives; without `inputs` they are random."""
    check_each(text, [list(inputs) or random_inputs(text)], pipelines)


def check_each(text: str, cases: Sequence[Sequence[Array]], pipelines: Sequence[str] = PIPELINES) -> None:
    """`check` with several sets of inputs."""
    module = parse_module(text, "program")
    with np.errstate(all="ignore"):
        expected = [interpreter.run(module, "main", list(inputs)) for inputs in cases]
        for pipeline in pipelines:
            compiled = xdsl_xla.compile(text, pipeline=pipeline, threads=1)
            for inputs, results in zip(cases, expected, strict=True):
                for i, (result, wanted) in enumerate(zip(compiled(*inputs), results, strict=True)):
                    assert_close(result, wanted, f"result {i} on {pipeline} of\n{text}")


def assert_close(result: Array, expected: Array, what: str) -> None:
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype), what
    tolerance = TOLERANCES.get(expected.dtype.name)
    if tolerance is None:
        exact = (a if a.dtype.kind in "biu" else a.astype(np.float64) for a in (result, expected))
        np.testing.assert_array_equal(*exact, err_msg=what)
        return
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    result, expected = result.astype(wide), expected.astype(wide)
    scale = float(np.max(np.abs(expected), where=np.isfinite(expected), initial=1.0))
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance * scale, err_msg=what)
