"""Evaluates snippets of MLIR on arrays with the reference interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects import func
from xdsl.traits import IsTerminator
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import Interpreter
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

ELEMENT_TYPES = {
    np.dtype(np.bool_): "i1",
    np.dtype(ml_dtypes.int4): "i4",
    np.dtype(ml_dtypes.uint4): "ui4",
    np.dtype(np.float16): "f16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.complex64): "complex<f32>",
    np.dtype(np.complex128): "complex<f64>",
    np.dtype(ml_dtypes.float8_e4m3fn): "f8E4M3FN",
    np.dtype(ml_dtypes.float8_e4m3fnuz): "f8E4M3FNUZ",
    np.dtype(ml_dtypes.float8_e5m2): "f8E5M2",
    np.dtype(ml_dtypes.float8_e8m0fnu): "f8E8M0FNU",
    np.dtype(ml_dtypes.float6_e2m3fn): "f6E2M3FN",
    np.dtype(ml_dtypes.float4_e2m1fn): "f4E2M1FN",
    **{np.dtype(f"int{width}"): f"i{width}" for width in (8, 16, 32, 64)},
    **{np.dtype(f"uint{width}"): f"ui{width}" for width in (8, 16, 32, 64)},
}


def type_of(value: Any) -> str:
    """`tensor<2x3xf32>`"""
    value = np.asarray(value)
    return f"tensor<{''.join(f'{n}x' for n in value.shape)}{ELEMENT_TYPES[value.dtype]}>"


def evaluate(
    text: str,
    *arguments: Any,
    types: Sequence[str] = (),
    results: int = 1,
    environment: Environment | None = None,
    functions: str = "",
) -> Any:
    """The results of the last op of `text`, whose operands `%a`, `%b`, ... are `arguments`.

    `types` replaces the types of arguments from the first on; a single result is not wrapped in a tuple. Subnormal
    numbers are preserved unless `environment` says otherwise.
    """
    names = [f"%{chr(ord('a') + i)}" for i in range(len(arguments))]
    declared = [*types, *(type_of(a) for a in arguments[len(types) :])]
    parameters = ", ".join(f"{name}: {type}" for name, type in zip(names, declared, strict=True))
    body = text if text.lstrip().startswith("%") or results == 0 else f"%result:{results} = {text}"
    module = parse_module(f"func.func @main({parameters}) {{\n{body}\nfunc.return }}\n{functions}", "test.mlir")
    verify_module(module)
    main = module.body.block.first_op
    assert isinstance(main, func.FuncOp)
    interpreter = Interpreter(module, environment or Environment(denormals="preserve"))
    interpreter.scope.update(zip(main.body.block.args, arguments, strict=True))
    values: tuple[Any, ...] = ()
    for op in main.body.block.ops:
        if op.has_trait(IsTerminator):
            break
        values = interpreter.evaluate(op, [interpreter.scope[operand] for operand in op.operands])
        interpreter.scope.update(zip(op.results, values, strict=True))
    return values[0] if len(values) == 1 else values


def unary(op: str, value: Any) -> np.ndarray:
    """An op whose result has the type of its operand."""
    return evaluate(f"stablehlo.{op} %a : {type_of(value)}", value)


def binary(op: str, lhs: Any, rhs: Any) -> np.ndarray:
    """An op whose operands and result have one type."""
    return evaluate(f"stablehlo.{op} %a, %b : {type_of(lhs)}", lhs, rhs)


def same(actual: Any, expected: Any) -> None:
    """Equal bits, but for the payload of NaN."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    if actual.dtype.kind == "c":
        same(actual.real, expected.real)
        same(actual.imag, expected.imag)
    elif "float" in actual.dtype.name:
        wide = actual.astype(np.float64), expected.astype(np.float64)
        np.testing.assert_array_equal(*wide)
        numbers = ~np.isnan(wide[0])
        np.testing.assert_array_equal(np.signbit(wide[0][numbers]), np.signbit(wide[1][numbers]))
    else:
        np.testing.assert_array_equal(actual.astype(object), expected.astype(object))


def close(actual: Any, expected: Any, rtol: float = 1e-6, atol: float = 0.0) -> None:
    """Equal dtype and shape, and values within rounding of the computation."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def i8(*values: Any) -> np.ndarray:
    return np.array(values, np.int8)


def u8(*values: Any) -> np.ndarray:
    return np.array(values, np.uint8)


def i32(*values: Any) -> np.ndarray:
    return np.array(values, np.int32)


def i64(*values: Any) -> np.ndarray:
    return np.array(values, np.int64)


def u32(*values: Any) -> np.ndarray:
    return np.array(values, np.uint32)


def i4(*values: Any) -> np.ndarray:
    return np.array(values, np.int8).astype(ml_dtypes.int4)


def f32(*values: Any) -> np.ndarray:
    return np.array(values, np.float32)


def f64(*values: Any) -> np.ndarray:
    return np.array(values, np.float64)


def boolean(*values: Any) -> np.ndarray:
    return np.array(values, np.bool_)


INF, NAN = float("inf"), float("nan")
