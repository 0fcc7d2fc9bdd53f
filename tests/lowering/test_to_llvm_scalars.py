"""`arith` and `math` through LLVM against NumPy."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .llvm_harness import run_elementwise

RNG = np.random.default_rng(0)
I32 = np.concatenate(
    [
        np.array([0, 1, -1, 7, -7, 2**31 - 1, -(2**31), 12345, -98765], np.int32),
        RNG.integers(-(2**31), 2**31, 32, dtype=np.int32),
    ]
)
DIVISORS = np.where(I32[::-1] == 0, 3, I32[::-1]).astype(np.int32)
DIVISORS[DIVISORS == -1] = 5
SHIFTS = (np.arange(len(I32)) % 32).astype(np.int32)
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 1.5, 2.5, -2.5, 3e38]
F32 = np.concatenate([np.array(SPECIAL, np.float32), RNG.normal(size=40).astype(np.float32)])
G32 = np.roll(F32, 3)


def u(array):
    return array.astype(np.uint32)


INTEGER_OPS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "minui": lambda a, b: np.minimum(u(a), u(b)).astype(np.int32),
    "maxui": lambda a, b: np.maximum(u(a), u(b)).astype(np.int32),
}

DIVISION_OPS = {
    "divsi": lambda a, b: np.trunc(a.astype(np.float64) / b).astype(np.int32),
    "divui": lambda a, b: (u(a) // u(b)).astype(np.int32),
    "remsi": np.fmod,
    "remui": lambda a, b: (u(a) % u(b)).astype(np.int32),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a.astype(np.int64) // b).astype(np.int64),
    "ceildivui": lambda a, b: (-(-u(a).astype(np.int64) // u(b))).astype(np.int32),
}

SHIFT_OPS = {
    "shli": lambda a, b: a << b,
    "shrsi": lambda a, b: a >> b,
    "shrui": lambda a, b: (u(a) >> u(b)).astype(np.int32),
}

PREDICATES = {
    "eq": np.equal,
    "ne": np.not_equal,
    "slt": np.less,
    "sle": np.less_equal,
    "sgt": np.greater,
    "sge": np.greater_equal,
    "ult": lambda a, b: u(a) < u(b),
    "ule": lambda a, b: u(a) <= u(b),
    "ugt": lambda a, b: u(a) > u(b),
    "uge": lambda a, b: u(a) >= u(b),
}

FLOAT_PREDICATES = {
    "oeq": np.equal,
    "ogt": np.greater,
    "oge": np.greater_equal,
    "olt": np.less,
    "ole": np.less_equal,
    "une": np.not_equal,
    "one": lambda a, b: (a < b) | (a > b),
    "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
    "ueq": lambda a, b: ~((a < b) | (a > b)),
    "ult": lambda a, b: ~(a >= b),
}


@pytest.mark.parametrize("name", INTEGER_OPS | DIVISION_OPS | SHIFT_OPS)
def test_integer_binary(name: str):
    reference = (INTEGER_OPS | DIVISION_OPS | SHIFT_OPS)[name]
    rhs = DIVISORS if name in DIVISION_OPS else SHIFTS if name in SHIFT_OPS else DIVISORS
    result = run_elementwise(f"%r = arith.{name} %a, %b : i32", [I32, rhs], ["i32", "i32"], "i32", np.int32)
    with np.errstate(all="ignore"):
        expected = reference(I32, rhs).astype(np.int32)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_compare_integers_to_boolean_memory(predicate: str):
    result = run_elementwise(
        f"%r = arith.cmpi {predicate}, %a, %b : i32",
        [I32, DIVISORS],
        ["i32", "i32"],
        "i1",
        np.uint8,
    )
    np.testing.assert_array_equal(result, PREDICATES[predicate](I32, DIVISORS).astype(np.uint8))


@pytest.mark.parametrize("predicate", FLOAT_PREDICATES)
def test_compare_floats(predicate: str):
    result = run_elementwise(f"%r = arith.cmpf {predicate}, %a, %b : f32", [F32, G32], ["f32", "f32"], "i1", np.uint8)
    np.testing.assert_array_equal(result, FLOAT_PREDICATES[predicate](F32, G32).astype(np.uint8))


def test_boolean_memory_is_read_as_a_truth_value():
    flags = np.arange(20) % 3 == 0
    result = run_elementwise("%t = arith.constant true\n%r = arith.xori %a, %t : i1", [flags], ["i1"], "i1", np.bool_)
    np.testing.assert_array_equal(result, ~flags)


@pytest.mark.parametrize(
    ("body", "reference"),
    [
        ("%r = arith.addf %a, %b : f32", np.add),
        ("%r = arith.subf %a, %b : f32", np.subtract),
        ("%r = arith.mulf %a, %b : f32", np.multiply),
        ("%r = arith.divf %a, %b : f32", np.divide),
        ("%r = arith.maximumf %a, %b : f32", np.maximum),
        ("%r = arith.minimumf %a, %b : f32", np.minimum),
        ("%r = arith.maxnumf %a, %b : f32", np.fmax),
        ("%r = arith.minnumf %a, %b : f32", np.fmin),
        ("%r = math.copysign %a, %b : f32", np.copysign),
    ],
)
def test_float_binary(body: str, reference):
    result = run_elementwise(body, [F32, G32], ["f32", "f32"], "f32", np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, reference(F32, G32))


@pytest.mark.parametrize(
    ("op", "reference"),
    [
        ("arith.negf", np.negative),
        ("math.absf", np.abs),
        ("math.sqrt", np.sqrt),
        ("math.floor", np.floor),
        ("math.ceil", np.ceil),
        ("math.trunc", np.trunc),
        ("math.roundeven", np.rint),
        ("math.round", lambda x: np.copysign(np.floor(np.abs(x) + np.float32(0.5)), x)),
    ],
)
def test_float_unary_is_exact(op: str, reference):
    result = run_elementwise(f"%r = {op} %a : f32", [F32], ["f32"], "f32", np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, reference(F32))


@pytest.mark.parametrize(
    ("op", "reference"),
    [
        ("exp", np.exp),
        ("exp2", np.exp2),
        ("log", np.log),
        ("log2", np.log2),
        ("log10", np.log10),
        ("sin", np.sin),
        ("cos", np.cos),
        ("tan", np.tan),
        ("sinh", np.sinh),
        ("cosh", np.cosh),
        ("tanh", np.tanh),
        ("atan", np.arctan),
        ("rsqrt", lambda x: 1 / np.sqrt(x)),
    ],
)
def test_leftover_elementary_functions(op: str, reference):
    x = np.linspace(0.1, 3, 30)
    result = run_elementwise(f"%r = math.{op} %a : f64", [x], ["f64"], "f64", np.float64)
    # libm and NumPy each promise about one unit in the last place.
    np.testing.assert_allclose(result, reference(x), rtol=4e-16, atol=4e-16)


@pytest.mark.parametrize(
    ("op", "reference"),
    [
        ("absi", np.abs),
        ("ctpop", lambda x: np.array([f"{int(v) & 0xFFFFFFFF:b}".count("1") for v in x])),
        ("ctlz", lambda x: np.array([32 - (int(v) & 0xFFFFFFFF).bit_length() for v in x])),
        (
            "cttz",
            lambda x: np.array([(int(v) & -int(v)).bit_length() - 1 if v else 32 for v in x]),
        ),
    ],
)
def test_bits_of_integers(op: str, reference):
    result = run_elementwise(f"%r = math.{op} %a : i32", [I32], ["i32"], "i32", np.int32)
    np.testing.assert_array_equal(result, reference(I32).astype(np.int32))


def test_extended_products_and_sums():
    wide = I32.astype(np.int64) * DIVISORS
    high = run_elementwise("%l, %r = arith.mulsi_extended %a, %b : i32", [I32, DIVISORS], ["i32"] * 2, "i32", np.int32)
    np.testing.assert_array_equal(high, (wide >> 32).astype(np.int32))
    high = run_elementwise("%l, %r = arith.mului_extended %a, %b : i32", [I32, DIVISORS], ["i32"] * 2, "i32", np.int32)
    unsigned = u(I32).astype(np.uint64) * u(DIVISORS)
    np.testing.assert_array_equal(high, (unsigned >> np.uint64(32)).astype(np.int32))
    carry = run_elementwise(
        "%s, %r = arith.addui_extended %a, %b : i32, i1",
        [I32, DIVISORS],
        ["i32"] * 2,
        "i1",
        np.uint8,
    )
    sums = u(I32).astype(np.uint64) + u(DIVISORS)
    np.testing.assert_array_equal(carry, (sums >> np.uint64(32)).astype(np.uint8))


def test_conversions_between_integers_and_floats():
    small = np.clip(F32[F32 == F32], -1000, 1000).astype(np.float32)
    signed = run_elementwise("%r = arith.fptosi %a : f32 to i16", [small], ["f32"], "i16", np.int16)
    np.testing.assert_array_equal(signed, small.astype(np.int16))
    magnitude = np.abs(small)
    unsigned = run_elementwise("%r = arith.fptoui %a : f32 to i32", [magnitude], ["f32"], "i32", np.uint32)
    np.testing.assert_array_equal(unsigned, magnitude.astype(np.uint32))
    floats = run_elementwise("%r = arith.uitofp %a : i32 to f64", [I32], ["i32"], "f64", np.float64)
    np.testing.assert_array_equal(floats, u(I32).astype(np.float64))
    narrow = run_elementwise("%r = arith.trunci %a : i32 to i8", [I32], ["i32"], "i8", np.int8)
    np.testing.assert_array_equal(narrow, I32.astype(np.int8))
    wide = run_elementwise("%r = arith.extsi %a : i8 to i64", [narrow], ["i8"], "i64", np.int64)
    np.testing.assert_array_equal(wide, narrow)
    zero = run_elementwise("%r = arith.extui %a : i8 to i64", [narrow], ["i8"], "i64", np.int64)
    np.testing.assert_array_equal(zero, narrow.view(np.uint8))
    indices = run_elementwise(
        "%n = arith.index_cast %a : i32 to index\n%r = arith.index_cast %n : index to i64",
        [I32],
        ["i32"],
        "i64",
        np.int64,
    )
    np.testing.assert_array_equal(indices, I32)
    bits = run_elementwise("%r = arith.bitcast %a : f32 to i32", [F32], ["f32"], "i32", np.int32)
    np.testing.assert_array_equal(bits, F32.view(np.int32))


# Every f32 whose upper half is one of these, with lower halves around the rounding points.
UPPER = np.array([0, 1, 0x7F, 0x80, 0x3F80, 0x7F7F, 0x7F80, 0x7F81, 0x7FC1, 0x8001, 0xFF80, 0xFFFF])
LOWER = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF])
EDGES = ((UPPER[:, None] << 16) | LOWER).astype(np.uint32).reshape(-1).view(np.float32)


def test_single_to_bfloat_rounds_to_nearest_even():
    result = run_elementwise("%r = arith.truncf %a : f32 to bf16", [EDGES], ["f32"], "bf16", ml_dtypes.bfloat16)
    with np.errstate(all="ignore"):
        expected = EDGES.astype(ml_dtypes.bfloat16)
    is_nan = np.isnan(EDGES)
    np.testing.assert_array_equal(np.isnan(result.astype(np.float32)), is_nan)
    np.testing.assert_array_equal(result[~is_nan].view(np.uint16), expected[~is_nan].view(np.uint16))


@pytest.mark.parametrize(("type", "dtype", "digits"), [("bf16", ml_dtypes.bfloat16, 8), ("f16", np.float16, 11)])
def test_double_to_half_rounds_once(type: str, dtype, digits: int):
    # A tie of the 16-bit format plus less than half an f32 digit: rounding twice gets it wrong.
    tie = 1 + 2.0**-digits
    tiny = 2.0**-40
    values = [tie, tie + tiny, tie - tiny, -tie - tiny, 1 + 3 * 2.0**-digits - tiny]
    values += [1e300, -1e300, np.inf, 0.0, -0.0, 2.0**-24, 2.0**-25 + 2.0**-60, 1e-310]
    x = np.array([*values, *RNG.normal(size=50)])
    result = run_elementwise(f"%r = arith.truncf %a : f64 to {type}", [x], ["f64"], type, dtype)
    expected = [_round(value, digits, dtype) for value in x]
    np.testing.assert_array_equal(result.view(np.uint16), np.array(expected, dtype).view(np.uint16))


def _round(value: float, digits: int, dtype) -> float:
    """`value` to `digits` significant digits (fewer for subnormals), ties to even, by exact arithmetic."""
    from fractions import Fraction

    if not np.isfinite(value) or value == 0:
        return value
    info = ml_dtypes.finfo(dtype)
    exponent = max(int(np.floor(np.log2(abs(value)))), int(info.minexp))
    unit = Fraction(2) ** (exponent - digits + 1)
    rounded = round(Fraction(value) / unit) * unit
    if abs(rounded) > Fraction(float(info.max)):
        return np.copysign(np.inf, value)
    return float(rounded) if rounded else np.copysign(0.0, value)


@pytest.mark.parametrize(
    ("body", "reference"),
    [
        ("%r = arith.addf %a, %b : bf16", np.add),
        ("%r = arith.mulf %a, %b : bf16", np.multiply),
        ("%r = arith.divf %a, %b : bf16", np.divide),
        ("%r = arith.maximumf %a, %b : bf16", np.maximum),
    ],
)
def test_bfloat_arithmetic_is_correctly_rounded(body: str, reference):
    with np.errstate(all="ignore"):
        a = F32.astype(ml_dtypes.bfloat16)
        b = G32.astype(ml_dtypes.bfloat16)
        expected = reference(a.astype(np.float32), b.astype(np.float32)).astype(ml_dtypes.bfloat16)
    result = run_elementwise(body, [a, b], ["bf16", "bf16"], "bf16", ml_dtypes.bfloat16)
    np.testing.assert_array_equal(result.astype(np.float32), expected.astype(np.float32))


def test_bfloat_unary_and_conversions():
    with np.errstate(all="ignore"):
        a = np.abs(F32).astype(ml_dtypes.bfloat16)
    dtype = ml_dtypes.bfloat16
    root = run_elementwise("%r = math.sqrt %a : bf16", [a], ["bf16"], "bf16", dtype)
    expected = np.sqrt(a.astype(np.float32)).astype(dtype)
    np.testing.assert_array_equal(root.astype(np.float32), expected.astype(np.float32))
    negative = run_elementwise("%r = arith.negf %a : bf16", [a], ["bf16"], "bf16", dtype)
    np.testing.assert_array_equal(negative.astype(np.float32), -a.astype(np.float32))
    wide = run_elementwise("%r = arith.extf %a : bf16 to f64", [a], ["bf16"], "f64", np.float64)
    np.testing.assert_array_equal(wide, a.astype(np.float64))
    whole = run_elementwise("%r = arith.sitofp %a : i32 to bf16", [I32], ["i32"], "bf16", dtype)
    np.testing.assert_array_equal(whole.view(np.uint16), I32.astype(dtype).view(np.uint16))


def test_half_arithmetic():
    a, b = (x[:40].astype(np.float16) for x in (RNG.normal(size=99), RNG.normal(size=99)))
    result = run_elementwise(
        "%s = arith.mulf %a, %b : f16\n%r = arith.addf %s, %a : f16",
        [a, b],
        ["f16", "f16"],
        "f16",
        np.float16,
    )
    np.testing.assert_array_equal(result, a * b + a)


@pytest.mark.parametrize(
    ("type", "dtype", "values"),
    [
        ("f32", np.float32, ["0x7FC12345", "0xFF800000", "0x80000000", "0x00000001"]),
        ("f64", np.float64, ["0x7FF8000000000123", "0x8000000000000000", "0x0000000000000001"]),
        ("f16", np.float16, ["0x7E00", "0xFC00", "0x0001"]),
        ("bf16", ml_dtypes.bfloat16, ["0x7FC1", "0xFF80", "0x0001"]),
    ],
)
def test_float_constants_are_exact(type: str, dtype, values: list[str]):
    zeros = np.zeros(1, dtype)
    for value in values:
        result = run_elementwise(f"%r = arith.constant {value} : {type}", [zeros], [type], type, dtype)
        assert result.tobytes() == int(value, 16).to_bytes(zeros.itemsize, "little")
