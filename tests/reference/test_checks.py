"""The `check` and `interpreter` dialects, and files of test functions."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.errors import InvalidProgramError, UnsupportedError
from xdsl_xla.reference.checks import CheckError, ulp_difference
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import names_of_tests, run_tests
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

from .harness import INF, NAN, boolean, evaluate, f32, f64, i32, i64, same, type_of


def check(text: str, *arguments: Any, environment: Environment | None = None) -> None:
    evaluate(text, *arguments, results=0, environment=environment)


def fails(text: str, *arguments: Any, match: str) -> None:
    with pytest.raises(CheckError, match=match):
        check(text, *arguments)


def test_expect_eq() -> None:
    text = "check.expect_eq %a, %b : tensor<3xf32>"
    check(text, f32(1, -0.0, NAN), f32(1, 0.0, NAN))
    fails(text, f32(1, 2, 3), f32(1, 2.5, 4), match=r"'check.expect_eq': 2 of 3 elements differ\n  \[1\]: got 2.0")
    check("check.expect_eq %a, %b : tensor<2xi1>", boolean(True, False), boolean(True, False))
    check("check.expect_eq %a, %b : tensor<0xi32>", i32(), i32())


def test_expect_eq_const() -> None:
    check("check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi64>", i64(1, 2))
    fails("check.expect_eq_const %a, dense<7> : tensor<i32>", np.int32(8), match=r"\[\]: got 8, expected 7")


def test_expect_almost_eq() -> None:
    text = "check.expect_almost_eq %a, %b : tensor<2xf64>"
    check(text, f64(5.0, INF), f64(5.00009, INF))
    check(text, f64(1e-9, NAN), f64(-1e-9, NAN))
    fails(text, f64(5.0, 1), f64(5.001, 1), match="differ by more than 0.0001")
    fails(text, f64(INF, 1), f64(-INF, 1), match="1 of 2")
    fails(text, f64(NAN, 1), f64(0, 1), match="1 of 2")
    check("check.expect_almost_eq %a, %b, tolerance = 0.1 : tensor<1xf64>", f64(5.0), f64(5.05))


def test_expect_almost_eq_const() -> None:
    check("check.expect_almost_eq_const %a, dense<5.00005> : tensor<f64>", np.float64(5))
    check("check.expect_almost_eq_const %a, dense<5.1> : tensor<f64> {tolerance = 0.2 : f64}", np.float64(5))
    check("check.expect_almost_eq_const %a, dense<5.1> : tensor<f64>, tolerance = 0.2", np.float64(5))
    text = "check.expect_almost_eq_const %a, dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>"
    check(text, np.array([1 + 2j], np.complex64))
    fails(text, np.array([1 + 2.5j], np.complex64), match="1 of 1")


def test_expect_close() -> None:
    one = np.float32(1)
    steps = [one]
    for _ in range(5):
        steps.append(np.nextafter(steps[-1], np.float32(2)))
    text = "check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f32>, tensor<f32>"
    check(text, one, steps[3])
    fails(text, one, steps[4], match=r"differ by more than 3 ulp.*\n.*4 ulp")
    text = "check.expect_close %a, %b, max_ulp_difference = 4, min_ulp_difference = 2 : tensor<f32>, tensor<f32>"
    check(text, one, steps[2])
    fails(text, one, steps[1], match="are not 2 to 4 ulp apart")


def test_ulp_difference() -> None:
    tiny = np.float32(1e-45)
    same(ulp_difference(f32(0.0, -0.0, tiny, -tiny), f32(-0.0, tiny, -tiny, -tiny)), f64(0, 1, 2, 0))
    same(ulp_difference(f32(NAN, INF, INF, 1), f32(NAN, INF, 1, NAN)), f64(0, 0, INF, INF))
    same(ulp_difference(f64(-1.0), f64(1.0)), f64(2 * 0x3FF0000000000000))
    bf16 = ml_dtypes.bfloat16
    same(ulp_difference(np.array([1], bf16), np.array([1.0078125], bf16)), f64(1))
    same(ulp_difference(np.array([1 + 2j]), np.array([1 + 2.0000000000000004j])), f64(1))


@pytest.mark.parametrize("name", ["check.expect_eq", "check.expect_close", "check.expect_almost_eq"])
def test_custom_calls_of_the_same_names(name: str) -> None:
    text = f"stablehlo.custom_call @{name}(%a, %b) {{has_side_effect = true}} : (tensor<1xf32>, tensor<1xf32>) -> ()"
    check(text, f32(1), f32(1))
    fails(text, f32(1), f32(1.1), match=r"test\.mlir:2:1: 'check.*1 of 1")


@pytest.mark.parametrize("name", ["check.eq", "check.expect_eq", "check.almost_eq"])
def test_a_custom_call_with_a_result_gives_true(name: str) -> None:
    text = f"%0 = stablehlo.custom_call @{name}(%a, %b) : (tensor<1xf32>, tensor<1xf32>) -> tensor<i1>"
    same(evaluate(text, f32(1), f32(1)), np.array(True))
    with pytest.raises(CheckError, match="1 of 1 elements differ"):
        evaluate(text, f32(1), f32(1.1))


def test_an_error_names_place_values_and_difference() -> None:
    text = "check.expect_eq %a, %b : tensor<2x2xf32>"
    one = np.nextafter(np.float32(1), np.float32(2))
    with pytest.raises(CheckError) as caught:
        check(text, f32([1, 1], [1, one]), f32([1, 1], [1, 1]))
    assert str(caught.value) == (
        "test.mlir:2:1: 'check.expect_eq': 1 of 4 elements differ\n"
        "  [1, 1]: got 1.0000001192092896, expected 1.0 (difference 1.19e-07, 1 ulp)"
    )


def test_many_mismatches_are_cut_short() -> None:
    with pytest.raises(CheckError) as caught:
        check("check.expect_eq_const %a, dense<0> : tensor<9xi32>", np.ones(9, np.int32))
    assert "9 of 9 elements differ" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 7


TESTS = """
func.func @passes() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>
  func.return
}
func.func @fails() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>
  func.return
}
func.func @cannot() {
  %0 = stablehlo.custom_call @unknown() : () -> tensor<i32>
  func.return
}
func.func private @helper() { func.return }
func.func @takes_arguments(%a: tensor<i32>) { func.return }
"""


def test_all_test_functions_run_and_failures_are_reported() -> None:
    module = parse_module(TESTS, "tests.mlir")
    assert names_of_tests(module) == ["passes", "fails", "cannot"]
    first, second = run_tests(module)
    assert first.function == "fails"
    assert isinstance(first.error, CheckError)
    assert str(first).startswith("@fails: tests.mlir:10:3: 'check.expect_eq_const': 1 of 1 elements differ")
    assert isinstance(second.error, UnsupportedError)


PARALLEL = """
func.func @reduce(%a: tensor<i64>) -> tensor<i64> {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<i64>, %y: tensor<i64>):
      %s = stablehlo.add %x, %y : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
func.func @main() {
  %a = stablehlo.constant dense<3> : tensor<i64>
  %b = stablehlo.constant dense<4> : tensor<i64>
  %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@reduce], [@reduce]]}
    : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %r#0, dense<7> : tensor<i64>
  check.expect_eq_const %r#1, dense<7> : tensor<i64>
  func.return
}
func.func private @first() -> tensor<2xi64> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func private @second() -> tensor<2xi64> {
  %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func private @reads(%t: !stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>) {
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %0#0, %1#0 : tensor<2xi64>, tensor<2xi64>
}
func.func @infeed() {
  %t = stablehlo.after_all : !stablehlo.token
  %r:2 = "interpreter.run_parallel"(%t) {infeed = [@first, @second], programs = [[@reads]]}
    : (!stablehlo.token) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<[3, 4]> : tensor<2xi64>
  func.return
}
"""


def test_run_parallel() -> None:
    module = parse_module(PARALLEL, "parallel.mlir")
    verify_module(module)
    assert run_tests(module) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[@reduce], [@reduce]]", "[]", "programs must be rows of functions"),
        ("[[@reduce], [@reduce]]", "[[@reduce], []]", "differ in length"),
        ("[[@reduce], [@reduce]]", "[[@reduce]]", "2 operands for programs with 1 parameters"),
        ("[[@reduce], [@reduce]]", "[[@reduce], [@missing]]", "there is no function @missing"),
        ("[@first, @second]", "[]", "infeed must not be empty"),
        ("[@first, @second]", "[@reduce]", "infeed function @reduce has parameters"),
    ],
)
def test_run_parallel_is_verified(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidProgramError, match=message):
        verify_module(parse_module(PARALLEL.replace(old, new), "parallel.mlir"))


def test_probes_are_written_and_compared(tmp_path: Path) -> None:
    environment = Environment(probe_directory=tmp_path)
    for value in (f32(1, 2), f32(3, 4)):
        result = evaluate('interpreter.probe %a, probe_id = "x/y" : tensor<2xf32>', value, environment=environment)
        same(result, value)
    bf16 = np.array([1.5], ml_dtypes.bfloat16)
    evaluate('interpreter.probe %a, probe_id = "z" : tensor<1xbf16>', bf16, environment=environment)
    assert (tmp_path / "index.csv").read_text().splitlines()[0] == "x/y,tensor<2xf32>,probe1.npy"
    text = 'check.expect_serialized_eq %a, probe_id = "x/y", iter = 1 : tensor<2xf32>'
    check(text, f32(3, 4), environment=environment)
    check('check.expect_serialized_eq %a, probe_id = "z" : tensor<1xbf16>', bf16, environment=environment)
    with pytest.raises(CheckError, match="2 of 2 elements differ"):
        check('check.expect_serialized_eq %a, probe_id = "x/y" : tensor<2xf32>', f32(3, 4), environment=environment)
    with pytest.raises(CheckError, match="ran 2 times, not 3"):
        check(text.replace("iter = 1", "iter = 2"), f32(3, 4), environment=environment)
    with pytest.raises(CheckError, match="has type tensor<2xf32>, expected tensor<2xi32>"):
        check('check.expect_serialized_eq %a, probe_id = "x/y" : tensor<2xi32>', i32(3, 4), environment=environment)


def test_a_probe_without_a_directory_is_an_error() -> None:
    with pytest.raises(InvalidProgramError, match="no directory for probes"):
        evaluate('interpreter.probe %a, probe_id = "x" : tensor<1xf32>', f32(1))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.uint8(1), "tensor<ui8> {1}"),
        (boolean(True, False), "tensor<2xi1> {\n  [true, false]\n}"),
        (f32(1, -3), "tensor<2xf32> {\n  [1.000000e+00, -3.000000e+00]\n}"),
        (i64(), "tensor<0xi64> {\n  []\n}"),
        (i64([1, 2], [3, 4]), "tensor<2x2xi64> {\n  [\n    [1, 2],\n    [3, 4]\n  ]\n}"),
    ],
)
def test_print(value: Any, expected: str) -> None:
    environment = Environment()
    environment.host.output = io.StringIO()
    assert evaluate(f"interpreter.print %a : {type_of(value)}", value, results=0, environment=environment) == ()
    assert environment.host.output.getvalue() == f"%a = {expected}\n"


@pytest.mark.parametrize(
    "op",
    [
        "check.expect_eq %a, %a : tensor<2xf64>",
        "check.expect_eq_const %a, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>",
        "check.expect_almost_eq %a, %a : tensor<2xf64>",
        "check.expect_almost_eq %a, %a, tolerance = 1.000000e-01 : tensor<2xf64>",
        "check.expect_almost_eq_const %a, dense<1.000000e+00> : tensor<2xf64>, tolerance = 1.000000e-01",
        "check.expect_close %a, %a, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>",
        'check.expect_serialized_eq %a, probe_id = "p", iter = 2 : tensor<2xf64>',
        '%0 = interpreter.probe %a, probe_id = "p" : tensor<2xf64>',
        "interpreter.print %a : tensor<2xf64>",
    ],
)
def test_ops_are_printed_as_they_are_read(op: str) -> None:
    module = parse_module(f"func.func @f(%a: tensor<2xf64>) {{\n{op}\nfunc.return }}")
    verify_module(module)
    assert op in str(module)


def test_operands_of_different_types_do_not_verify() -> None:
    text = '"check.expect_eq"(%a, %b) : (tensor<1xf32>, tensor<1xf64>) -> ()'
    with pytest.raises(InvalidProgramError, match="is compared with"):
        check(text, f32(1), f64(1))
