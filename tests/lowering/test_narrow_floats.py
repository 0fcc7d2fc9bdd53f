"""Every elementwise op on floats of a byte and less, over all values or many pairs of them, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.mlir_types import DTYPES

from .test_narrow_types import FLOATS, every_value

Array = Any

FUNCTIONS = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate round_nearest_afz "
    "round_nearest_even rsqrt sign sine sqrt tan tanh"
).split()
PAIRS = "add atan2 divide maximum minimum multiply power remainder subtract".split()
FORMATS = ["e1m0", "e2m1", "e3m0", "e3m2", "e4m1", "e4m3", "e5m1", "e8m0", "e8m7"]
DIRECTIONS = ["EQ", "NE", "GE", "GT", "LE", "LT"]
TARGETS = [name for name in DTYPES if name not in ("index", "complex<f64>")]


def check(lines: list[tuple[str, str]], arguments: list[tuple[Array, str]], pipeline: str = "xla-cpu") -> None:
    """`lines` are right-hand sides and result types; operands are `%a0`, `%a1`."""
    parameters = ", ".join(f"%a{i}: {type}" for i, (_, type) in enumerate(arguments))
    results = ", ".join(type for _, type in lines)
    body = "\n".join(f"%{i} = {line}" for i, (line, _) in enumerate(lines))
    returned = ", ".join(f"%{i}" for i in range(len(lines)))
    text = f"func.func @main({parameters}) -> ({results}) {{\n{body}\nreturn {returned} : {results}\n}}"
    inputs = [value for value, _ in arguments]
    with np.errstate(all="ignore"):
        native = compile(text, threads=1, pipeline=pipeline)(*inputs)
        expected = interpreter.run(parse_module(text, "narrow"), "main", inputs)
        for (line, type), result, wanted in zip(lines, native, expected, strict=True):
            assert_same(
                result, wanted, f"{line} : {type}", signs=not type.endswith(("f6E2M3FN>", "f6E3M2FN>", "f4E2M1FN>"))
            )


def assert_same(result: Array, expected: Array, what: str, *, signs: bool) -> None:
    """Equal but for the sign and payload of NaN. Without `signs` zeros are equal: they may stand for NaN."""
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    wide = [
        np.asarray(value).astype(np.complex128 if value.dtype.kind == "c" else np.float64)
        for value in (result, expected)
    ]
    np.testing.assert_array_equal(*wide, err_msg=what)
    if signs and result.dtype.kind != "c":
        known = ~np.isnan(wide[0])
        np.testing.assert_array_equal(*(np.signbit(value)[known] for value in wide), err_msg=what)


SETTINGS = [(name, "xla-cpu") for name in FLOATS] + [(name, "xla-cpu-O0") for name in ("f8E4M3B11FNUZ", "f4E2M1FN")]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "pipeline"), SETTINGS)
def test_ops_of_one_operand(name: str, pipeline: str) -> None:
    """All values; conversion to every type."""
    values = every_value(name)
    type = f"tensor<{len(values)}x{name}>"
    lines = [(f"stablehlo.{op} %a0 : {type}", type) for op in FUNCTIONS]
    lines += [(f"stablehlo.reduce_precision %a0, format = {format} : {type}", type) for format in FORMATS]
    targets = [f"tensor<{len(values)}x{target}>" for target in TARGETS]
    lines += [(f"stablehlo.convert %a0 : ({type}) -> {target}", target) for target in targets]
    lines.append(
        (f"stablehlo.is_finite %a0 : ({type}) -> {targets[TARGETS.index('i1')]}", targets[TARGETS.index("i1")])
    )
    check(lines, [(values, type)], pipeline)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FLOATS)
def test_ops_of_two_operands(name: str) -> None:
    """Every value with a quarter of the others."""
    values = every_value(name)
    some = np.random.default_rng(3).permutation(values)[: max(16, len(values) // 4)]
    lhs, rhs = np.repeat(values, len(some)), np.tile(some, len(values))
    type, flags = f"tensor<{len(lhs)}x{name}>", f"tensor<{len(lhs)}xi1>"
    lines = [(f"stablehlo.{op} %a0, %a1 : {type}", type) for op in PAIRS]
    lines.append((f"stablehlo.clamp %a1, %a0, %a1 : {type}", type))
    lines += [
        (f"stablehlo.compare {direction}, %a0, %a1, {kind} : ({type}, {type}) -> {flags}", flags)
        for direction in DIRECTIONS
        for kind in ("FLOAT", "TOTALORDER")
    ]
    check(lines, [(lhs, type), (rhs, type)])


@pytest.mark.parametrize("name", FLOATS)
def test_conversion_of_integers(name: str) -> None:
    """Powers of two, halfway between them, and their neighbours, which a rounding to f64 on the way would lose."""
    arguments: list[tuple[Array, str]] = []
    for source in (name for name in DTYPES if name.startswith(("i", "ui")) and name not in ("i1", "index")):
        bits = int(source.lstrip("ui"))
        if bits < 8:
            integers = np.arange(1 << bits, dtype=np.uint8).astype(DTYPES[source])
        else:
            powers = np.uint64(1) << np.arange(bits, dtype=np.uint64)
            halves = powers + (powers >> np.uint64(1))
            near = np.concatenate(
                [p + np.uint64(d) for p in (powers, halves) for d in (0, 1)]
                + [powers - np.uint64(1), halves - np.uint64(1)]
            )
            unsigned = np.concatenate([near, ~near]).astype(f"u{bits // 8}")
            integers = unsigned.view(DTYPES[source])
        arguments.append((integers, f"tensor<{len(integers)}x{source}>"))
    lines: list[tuple[str, str]] = []
    for i, (integers, source) in enumerate(arguments):
        target = f"tensor<{len(integers)}x{name}>"
        lines.append((f"stablehlo.convert %a{i} : ({source}) -> {target}", target))
    check(lines, arguments)
