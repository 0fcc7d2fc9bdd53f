"""The tool that measures functions, and on a small sample what it measures: at most 4 ulp, special values exact."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import gmpy2
import mpmath
import numpy as np
import pytest
from xdsl_xla.dialects import chlo, stablehlo
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import FUNCTIONS as CHLO_FUNCTIONS
from xdsl_xla.tools.accuracy import complex_functions, real_functions, tasks
from xdsl_xla.tools.accuracy.__main__ import main
from xdsl_xla.tools.accuracy.exact import evaluate, precision
from xdsl_xla.tools.accuracy.formats import BF16, F16, F32, F64, Exact, Format, differs, errors, is_flushed
from xdsl_xla.tools.accuracy.tasks import Task, run

DOCUMENT = Path(__file__).parents[2] / "docs" / "accuracy.md"

SAMPLES = 1200


def check(task: Task, samples: int = SAMPLES) -> None:
    outcome = run(task, samples, seed=1)
    found = outcome.measurement
    assert found is not None, outcome.reason
    assert found.wrong_count == 0, found.wrong
    assert found.worst[0] <= task.limit.ulps, f"{found.worst[0]} at {found.at}"
    assert found.samples > samples * 0.01


@pytest.mark.sample(24)
@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("function", real_functions.FUNCTIONS)
def test_native_code(function: str, type: str) -> None:
    check(Task(function, type, "native"))


@pytest.mark.parametrize("type", ["f16", "bf16"])
@pytest.mark.parametrize("function", ["tanh", "logistic", "cbrt", "power"])
def test_all_numbers_of_sixteen_bits(function: str, type: str) -> None:
    check(Task(function, type, "native"))


@pytest.mark.parametrize("type", complex_functions.FORMATS)
@pytest.mark.parametrize("function", ["logistic", "rsqrt", "sqrt", "tan", "tanh"])
def test_native_code_of_complex_functions(function: str, type: str) -> None:
    check(Task(function, type, "native"))


@pytest.mark.parametrize("type", ["f32", "f64", "complex128"])
def test_reference(type: str) -> None:
    for task in tasks.tasks(tasks.FUNCTIONS, [type], ["reference"]):
        check(task, 400)


# -- what is measured --------------------------------------------------------------------------------------------


def test_every_function_is_measured() -> None:
    """Ops with a `result_accuracy` and functions of chlo: those that are rounded."""
    measured = {f.op for f in (*real_functions.FUNCTIONS.values(), *complex_functions.FUNCTIONS.values())}
    rounded = {
        op.name
        for dialect in (stablehlo.StableHLO, chlo.CHLO)
        for op in dialect.operations
        if "result_accuracy" in op.get_irdl_definition().properties
    }
    assert len(rounded) > 10
    exact = {"chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf", "chlo.mulhi"}
    assert rounded | {op.name for op in CHLO_FUNCTIONS} - exact <= measured


def test_the_document_is_complete_and_shows_no_failure() -> None:
    rows = re.findall(r"^\| (.+?) \| (\S+) \| (native|reference) \| (.*)$", DOCUMENT.read_text(), re.MULTILINE)
    listed = {(function, type, engine) for function, type, engine, _ in rows}
    wanted = tasks.tasks(tasks.FUNCTIONS, tasks.TYPES, ("native", "reference"))
    assert {(task.function, task.type, task.engine) for task in wanted} <= listed
    assert "**" not in DOCUMENT.read_text()
    assert " wrong |" not in DOCUMENT.read_text().split("## Where")[0]


# -- errors ------------------------------------------------------------------------------------------------------


def error_of(got: float, exact: float, format: Format, rest: float = 0.0) -> float:
    values = Exact(np.array([exact]), np.array([rest]))
    return float(errors(format.of([got]), values, format)[0])


def test_units_in_the_last_place() -> None:
    assert error_of(1.0, 1.0, F32) == 0
    assert error_of(1.0 + 2.0**-23, 1.0, F32) == 1
    assert error_of(2.0, 2.0 - 2.0**-24, F32) == 0.5
    assert error_of(1.0, 1.0, F64, rest=0.25) == 0.25
    assert error_of(1.0078125, 1.0, BF16) == 1
    assert error_of(math.nan, math.nan, F16) == 0
    assert error_of(math.nan, 1.0, F16) == math.inf


def test_units_at_the_ends_of_the_range() -> None:
    """Subnormals have one unit; infinity counts as the power of two beyond the largest number."""
    assert error_of(3e-45, 1.5 * 2.0**-149, F32) == 0.5
    assert error_of(0.0, 5e-324, F64) == 1
    assert error_of(math.inf, float(np.finfo(np.float32).max), F32) == 1
    assert error_of(float(np.finfo(np.float64).max), math.inf, F64) == 1
    assert error_of(-math.inf, 1e300, F32) > 1e7


def test_flushing_explains_small_errors() -> None:
    """Of results that are not exactly zero, up to the least normal number; f16 is not flushed."""
    exact = Exact(np.array([2.0**-127, -(2.0**-127), 1.5 * 2.0**-126, 2.0**-120, 0.0, 2.0**-127]), np.zeros(6))
    got = np.array([0.0, 0.0, 2.0**-126, 0.0, -0.0, math.nan])
    np.testing.assert_array_equal(is_flushed(got, exact, F32), [True, True, True, False, False, False])
    assert not is_flushed(np.zeros(1), Exact(np.array([2.0**-15]), np.zeros(1)), F16)[0]


def test_zeros_are_told_apart() -> None:
    zero = Exact(np.array([-0.0, 0.0]), np.zeros(2))
    np.testing.assert_array_equal(differs(np.array([0.0, 0.0]), zero, F64), [True, False])


# -- exact results -----------------------------------------------------------------------------------------------

OPINIONS: dict[str, tuple[Any, list[tuple[float, ...]]]] = {
    "acosh": (mpmath.acosh, [(1.0 + 2.0**-40,), (1e300,)]),
    "bessel_i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), [(1e-9,), (-2.5,), (89.0,), (91.0,), (4e4,)]),
    "cbrt": (mpmath.cbrt, [(5.0,), (1e-310,)]),
    "cosine": (mpmath.cos, [(1e22,), (6381956970095103 * 2.0**797,)]),
    "digamma": (mpmath.digamma, [(1.4616321449683622,), (1e-20,), (300.5,)]),
    "digamma (x < 0)": (mpmath.digamma, [(-2.5,), (-0.504083008264455,)]),
    "erf_inv": (mpmath.erfinv, [(1e-12,), (-0.5,), (0.51,), (1 - 2.0**-53,)]),
    "erfc": (mpmath.erfc, [(-1.0,), (3.0,), (26.5,)]),
    "exponential": (mpmath.exp, [(-744.5,), (1e-17,), (709.7,)]),
    "exponential_minus_one": (mpmath.expm1, [(1e-17,), (-30.0,)]),
    "lgamma": (mpmath.loggamma, [(1.0 + 2.0**-50,), (2.5,), (1e100,)]),
    "log_plus_one": (mpmath.log1p, [(1e-17,), (-1 + 2.0**-53,)]),
    "logistic": (lambda x: 1 / (1 + mpmath.exp(-x)), [(-740.0,), (0.1,), (30.0,)]),
    "polygamma": (lambda n, x: mpmath.polygamma(int(n), x), [(1.0, 0.25), (2.0, 3.5), (5.0, 700.0)]),
    "power": (mpmath.power, [(1.0 + 2.0**-52, 1e18), (10.0, -320.0)]),
    "tan": (mpmath.tan, [(1.5707963267948966,), (1e300,)]),
    "zeta": (mpmath.zeta, [(1.0 + 2.0**-30, 1.0), (2.0, 0.015625), (9.5, 1000.0)]),
}
"""Functions of mpmath and arguments for them."""


@pytest.mark.parametrize("name", OPINIONS)
def test_exact_results_are_those_of_mpmath(name: str) -> None:
    other, rows = OPINIONS[name]
    operands = [np.array(column) for column in zip(*rows, strict=True)]
    found = evaluate(real_functions.FUNCTIONS[name].exact, operands)
    with mpmath.workprec(400):
        for row, value, rest in zip(rows, found.value, found.rest, strict=True):
            wanted = other(*map(mpmath.mpf, row)).real
            got = mpmath.mpf(float(value)) + mpmath.mpf(float(rest)) * mpmath.mpf(math.ulp(value))
            assert abs(got - wanted) <= mpmath.mpf(math.ulp(value)) * mpmath.mpf(2) ** -45


@pytest.mark.parametrize(
    "name, other",
    [
        ("exponential_minus_one", mpmath.expm1),
        ("log_plus_one", lambda z: mpmath.log(1 + z)),
        ("logistic", lambda z: 1 / (1 + mpmath.exp(-z))),
        ("tanh", mpmath.tanh),
        ("tan", mpmath.tan),
        ("cbrt", lambda z: z ** (mpmath.mpf(1) / 3)),
    ],
)
def test_exact_complex_results_are_those_of_mpmath(name: str, other: Any) -> None:
    function = complex_functions.FUNCTIONS[name]
    for z in (0.5 + 1e-20j, -1 + 1e-9j, 1e-17 + 3.141592653589793j, -20.5 - 7j):
        with precision():
            value = function.exact(gmpy2.mpc(z))
        with mpmath.workprec(400):
            wanted = other(mpmath.mpc(z))
            for got, part in ((value.real, wanted.real), (value.imag, wanted.imag)):
                assert abs(mpmath.mpf(str(got)) - part) <= abs(part) * mpmath.mpf(10) ** -30


# -- the command -------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "accuracy.md"
    arguments = ["--functions", "cbrt,sqrt", "--types", "f32,complex64", "--samples", "400", "--output", str(path)]
    assert main(arguments) == 0
    text = path.read_text()
    assert "--functions cbrt,sqrt --types f32,complex64 --samples 400" in text
    assert "| sqrt | 0.50 |" in text
    assert len(re.findall(r"^\| cbrt \| (?:f32|complex64) \| (?:native|flushing|reference) ", text, re.MULTILINE)) == 6
    assert "reference cbrt" in capsys.readouterr().err


def test_command_fails_where_an_error_is_too_great(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strict = real_functions.FUNCTIONS["cbrt"]._replace(limits={"f32": real_functions.Limit(0.1, "")})
    monkeypatch.setitem(real_functions.FUNCTIONS, "cbrt", strict)
    arguments = ["--functions", "cbrt", "--types", "f32", "--samples", "400", "--engine", "reference"]
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert "FAILED" in printed.err and "**0.50**" in printed.out


def test_command_names_what_it_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--functions", "sinus"]) == 2
    assert "known are abs, acos" in capsys.readouterr().err
