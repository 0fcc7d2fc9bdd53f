"""Element types of a byte and less, native over all bit patterns against `ml_dtypes` and the reference."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.mlir_types import DTYPES

Array = Any

FLOATS = [name for name in DTYPES if name.startswith(("f4E", "f6E", "f8E"))]
INTEGERS = ["i2", "ui2", "i4", "ui4"]
WIDE = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def program(arguments: str, results: str, body: str) -> str:
    *lines, returned = body.strip().splitlines()
    nl = "\n"
    return f"func.func @main({arguments}) -> ({results}) {{{nl}{nl.join(lines)}{nl}return {returned} : {results}{nl}}}"


def run(text: str, *inputs: Array) -> tuple[list[Array], list[Array]]:
    """The results of native code and of the reference."""
    native = compile(text, threads=1, verify=True)(*inputs)
    return list(native), list(interpreter.run(parse_module(text, "narrow"), "main", list(inputs)))


def every_value(name: str) -> Array:
    bits = int(name[1]) if name[0] == "f" else int(name[-1])
    return np.arange(1 << bits, dtype=np.uint8).view(DTYPES[name])


def assert_same(result: Array, expected: Array) -> None:
    """Equal bit for bit but for the sign and payload of NaN."""
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    wide = [np.asarray(value).astype(np.float64) for value in (result, expected)]
    np.testing.assert_array_equal(*wide)
    known = ~np.isnan(wide[0])
    np.testing.assert_array_equal(*(np.signbit(value)[known] for value in wide))


def awkward(name: str) -> Array:
    """Doubles at and next to all values, halfway between them, out of range, and random ones."""
    with np.errstate(invalid="ignore"):
        values = every_value(name).astype(np.float64)
    finite = np.sort(values[np.isfinite(values)])
    halves = (finite[1:] + finite[:-1]) / 2
    end = 2 * finite[-1] - halves[-1]
    edges = np.concatenate([finite, halves, [end, -end]])
    near = [np.nextafter(edges.astype(np.float32), np.float32(side)) for side in (-np.inf, np.inf)]
    random = np.random.default_rng(0).normal(size=3000) * np.exp2(np.linspace(-20, 20, 3000))
    extreme = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e30, -1e30, 1e-30, -1e-30]
    return np.concatenate([edges, *near, random, extreme])


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FLOATS)
def test_float_conversions(name: str) -> None:
    values = every_value(name)
    for source, dtype in WIDE.items():
        with np.errstate(all="ignore"):
            operand = awkward(name).astype(dtype)
        type, narrow = f"tensor<{len(operand)}x{source}>", f"tensor<{len(operand)}x{name}>"
        all_narrow, all_wide = f"tensor<{len(values)}x{name}>", f"tensor<{len(values)}x{source}>"
        body = f"""%0 = stablehlo.convert %a : ({type}) -> {narrow}
        %1 = stablehlo.convert %b : ({all_narrow}) -> {all_wide}
        %0, %1"""
        text = program(f"%a: {type}, %b: {all_narrow}", f"{narrow}, {all_wide}", body)
        with np.errstate(all="ignore"):
            native, reference = run(text, operand, values)
            for result, expected in zip(native, reference, strict=True):
                assert_same(result, expected)
            if source == "f32" and name != "f8E8M0FNU":  # of which ml_dtypes rounds subnormal singles wrongly
                np.testing.assert_array_equal(native[0].view(np.uint8), operand.astype(DTYPES[name]).view(np.uint8))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FLOATS)
def test_float_arithmetic(name: str) -> None:
    """All pairs of values."""
    values = every_value(name)
    lhs, rhs = np.repeat(values, len(values)), np.tile(values, len(values))
    type, flags = f"tensor<{len(lhs)}x{name}>", f"tensor<{len(lhs)}xi1>"
    body = f"""
    %0 = stablehlo.add %a, %b : {type}
    %1 = stablehlo.multiply %a, %b : {type}
    %2 = stablehlo.divide %a, %b : {type}
    %3 = stablehlo.maximum %a, %b : {type}
    %4 = stablehlo.compare LT, %a, %b : ({type}, {type}) -> {flags}
    %5 = stablehlo.select %4, %a, %b : {flags}, {type}
    %6 = stablehlo.negate %a : {type}
    %0, %1, %2, %3, %4, %5, %6"""
    text = program(f"%a: {type}, %b: {type}", ", ".join([type] * 4 + [flags] + [type] * 2), body)
    with np.errstate(all="ignore"):
        for result, expected in zip(*run(text, lhs, rhs), strict=True):
            assert_same(result, expected)


@pytest.mark.parametrize("name", ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ"])
def test_float_programs(name: str) -> None:
    """Constants, bits, integers, sums and products; the accumulator is f32."""
    random = np.random.default_rng(1)
    x, y = (random.normal(size=shape).astype(DTYPES[name]) for shape in ((6, 16), (16, 5)))
    types = (
        f"tensor<6x{name}>, tensor<6x5xf32>, tensor<6x5x{name}>, tensor<3x{name}>, tensor<6x16xui8>, tensor<6x16xi32>"
    )
    body = f"""
    %zero = stablehlo.constant dense<0.0> : tensor<{name}>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x16x{name}>,
        tensor<{name}>) -> tensor<6x{name}>
    %1 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<6x16x{name}>,
        tensor<16x5x{name}>) -> tensor<6x5xf32>
    %2 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<6x16x{name}>,
        tensor<16x5x{name}>) -> tensor<6x5x{name}>
    %3 = stablehlo.constant dense<[1.0, -0.5, 3.0]> : tensor<3x{name}>
    %4 = stablehlo.bitcast_convert %x : (tensor<6x16x{name}>) -> tensor<6x16xui8>
    %5 = stablehlo.convert %x : (tensor<6x16x{name}>) -> tensor<6x16xi32>
    %0, %1, %2, %3, %4, %5"""
    native, reference = run(program(f"%x: tensor<6x16x{name}>, %y: tensor<16x5x{name}>", types, body), x, y)
    for result, expected in zip(native, reference, strict=True):
        # One rounding of a sum of f32 against one at every step or in another order.
        np.testing.assert_allclose(result.astype(np.float64), expected.astype(np.float64), rtol=0.26, atol=0.26)
    for index in (3, 4, 5):
        assert_same(native[index], reference[index])


BINARY = "add subtract multiply divide remainder maximum minimum and or xor power"


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str) -> None:
    """All pairs of values under every op, and conversions."""
    values = every_value(name)
    lhs, rhs = np.repeat(values, len(values)), np.tile(values, len(values))
    ops = [*BINARY.split(), "shift_left", "shift_right_logical", "shift_right_arithmetic"]
    type = f"tensor<{len(lhs)}x{name}>"
    targets = ["i1", "i8", "ui8", "i32", "f32"]
    lines = [f"%{op} = stablehlo.{op} %a, %b : {type}" for op in ops]
    lines += [f"%{to} = stablehlo.convert %a : ({type}) -> tensor<{len(lhs)}x{to}>" for to in targets]
    returned = ", ".join(f"%{value}" for value in (*ops, *targets))
    results = ", ".join([type] * len(ops) + [f"tensor<{len(lhs)}x{to}>" for to in targets])
    text = program(f"%a: {type}, %b: {type}", results, "\n".join([*lines, returned]))
    for result, expected in zip(*run(text, lhs, rhs), strict=True):
        np.testing.assert_array_equal(result.astype(np.int64), expected.astype(np.int64))


@pytest.mark.parametrize("name", INTEGERS)
def test_floats_to_integers(name: str) -> None:
    operand = np.array([-99, -9, -8.5, -3, -1.5, -0.5, 0, 0.5, 1.5, 3, 7.2, 15.9, 99, np.nan], np.float32)
    narrow = f"tensor<14x{name}>"
    body = f"%0 = stablehlo.convert %a : (tensor<14xf32>) -> {narrow}\n%0"
    (result,), (expected,) = run(program("%a: tensor<14xf32>", narrow, body), operand)
    np.testing.assert_array_equal(result.astype(np.int64), expected.astype(np.int64))
