"""Nothing is converted silently: element types are the same, and numbers fit the type they are given for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xla_calls import GATHER, SCATTER, Values
from xla_programs import add_of, run, scalars

S = xla.Shape


def of_type(element_type: xla.PrimitiveType) -> Callable[[xla.XlaOp], xla.XlaOp]:
    return lambda op: xla.convert_element_type(op, element_type)


s32, f64, bf16 = of_type(xla.S32), of_type(xla.F64), of_type(xla.BF16)
SUM_S32, SUM_C64 = add_of(xla.S32), add_of(xla.C64)
NUMBERS = xla.DotDimensionNumbers([1], [0])

MIXED: dict[str, tuple[str, Callable[[Values], Any]]] = {
    "add": ("rhs", lambda v: v.f + s32(v.f)),
    "add f64": ("rhs", lambda v: v.f + f64(v.f)),
    "add bf16": ("rhs", lambda v: xla.add(v.f, bf16(v.f))),
    "compare": ("rhs", lambda v: v.f < s32(v.f)),
    "complex": ("rhs", lambda v: xla.complex(v.f, f64(v.f))),
    "dot": ("rhs", lambda v: xla.dot(s32(v.f), v.square)),
    "dot bf16": ("rhs", lambda v: xla.dot(v.f, bf16(v.square))),
    "dot result": ("preferred_element_type", lambda v: xla.dot(v.f, v.square, preferred_element_type=xla.S32)),
    "dot_general": ("rhs", lambda v: xla.dot_general(v.f, s32(v.square), NUMBERS)),
    "ragged_dot": (
        "rhs",
        lambda v: xla.ragged_dot(s32(v.square), v.groups, v.sizes, xla.DotDimensionNumbers([1], [1]), [0], [0]),
    ),
    "scaled_dot": ("lhs", lambda v: xla.scaled_dot(s32(v.f), v.square, v.scalar, v.scalar, NUMBERS, xla.F32)),
    "conv": ("rhs", lambda v: xla.conv(v.image, s32(v.kernel), [1, 1], xla.Padding.SAME)),
    "clamp min": ("min", lambda v: xla.clamp(v.index, v.f, 1.0)),
    "clamp max": ("max", lambda v: xla.clamp(0.0, v.f, v.index)),
    "select": ("on_false", lambda v: xla.select(v.p, v.f, v.i)),
    "pad": ("padding_value", lambda v: xla.pad_in_dim(v.f, v.index, 0, 1, 1)),
    "concatenate": ("operands", lambda v: xla.concatenate([v.f, v.i], 0)),
    "dynamic_update_slice": ("update", lambda v: xla.dynamic_update_slice(v.f, v.i, [0, 0])),
    "dynamic_slice": ("start_indices", lambda v: xla.dynamic_slice(v.f, [v.scalar, 0], [1, 1])),
    "reduce": ("computation", lambda v: xla.reduce(v.f, 0.0, SUM_S32, [0])),
    "reduce init": ("init_values", lambda v: xla.reduce(v.f, v.index, add_of(), [0])),
    "reduce_all": ("init_value", lambda v: xla.reduce_all(v.f, v.index, add_of())),
    "reduce_window": ("computation", lambda v: xla.reduce_window(v.f, 0.0, SUM_C64, [1, 1])),
    "select_and_scatter": (
        "source",
        lambda v: xla.select_and_scatter(
            v.f, scalars(xla.ge, xla.F32, xla.F32), [1, 1], None, xla.Padding.VALID, v.i, 0.0, add_of()
        ),
    ),
    "scatter": (
        "updates",
        lambda v: xla.scatter(v.f, v.places, s32(v.updates), add_of(), xla.ScatterDimensionNumbers(**SCATTER)),
    ),
    "gather": ("start_indices", lambda v: xla.gather(v.f, v.updates, xla.GatherDimensionNumbers(**GATHER), [1, 3])),
    "map": ("computation", lambda v: xla.map([v.f, v.i], add_of())),
    "sort": ("comparator", lambda v: xla.sort(v.i, scalars(xla.ge, xla.F32, xla.F32))),
    "all_reduce": ("computation", lambda v: xla.all_reduce(v.f, SUM_S32)),
    "all_reduce of a tuple": ("computation", lambda v: xla.all_reduce(v.pair, add_of())),
    "reduce_scatter": ("computation", lambda v: xla.reduce_scatter(v.f, SUM_S32, 0, 1)),
    "call": ("computation", lambda v: xla.call(add_of(), v.scalar, v.index)),
    "conditional": ("true_computation", lambda v: xla.conditional(v.flag, v.index, _NEG, v.scalar, _NEG)),
    "while": ("condition", lambda v: xla.while_(scalars(lambda x: x < 1.0, xla.F32), _NEG, v.index)),
    "rng_uniform": ("b", lambda v: xla.rng_uniform(v.scalar, v.index, S.array(xla.F32, [2]))),
    "batch_norm": ("scale", lambda v: xla.batch_norm_training(v.f, s32(v.row), v.row, 1e-3, 1)),
    "triangular_solve": ("b", lambda v: xla.triangular_solve(v.square, f64(v.square))),
}
_NEG = scalars(xla.neg, xla.F32)


@pytest.mark.parametrize("name", list(MIXED))
def test_mixed_element_types_are_errors(name: str) -> None:
    argument, build = MIXED[name]
    with pytest.raises(xdsl_xla.XlaError, match=rf"\b{argument}: .*") as caught:
        build(Values())
    assert "test_xla_builder_conversions.py" in str(caught.value)


UNFIT: dict[str, tuple[str, Callable[[Values], Any]]] = {
    "float for s32": ("rhs: expected numbers that fit s32, got a float", lambda v: v.i + 1.5),
    "float on the left": ("lhs: expected numbers that fit s32, got a float", lambda v: 1.5 * v.i),
    "complex for f32": ("rhs: expected numbers that fit f32, got a complex", lambda v: v.f + 1j),
    "number for pred": ("rhs: expected numbers that fit pred, got a int", lambda v: v.p & 2),
    "beyond s8": ("rhs: .* fit s8, got a value out of range, 300", lambda v: of_type(xla.S8)(v.i) + 300),
    "negative for u8": ("rhs: .* fit u8, got a value out of range, -1", lambda v: of_type(xla.U8)(v.i) + -1),
    "beyond f32": ("rhs: .* fit f32, got a value out of range", lambda v: v.f + 1e300),
    "beyond f16": ("rhs: .* fit f16, got a value out of range", lambda v: of_type(xla.F16)(v.f) + 70000),
    "None": ("rhs: expected an array or numbers, got None", lambda v: v.f + None),
    "None inside": ("literal: expected numbers.*, got None", lambda v: v.builder.constant([1.0, None])),
    "None as f32": ("literal: expected numbers that fit f32, got None", lambda v: v.builder.constant(None, xla.F32)),
    "text": ("literal: expected numbers, got a str", lambda v: v.builder.constant("1")),
    "dates": ("literal: expected numbers, got a ndarray", lambda v: v.builder.constant(np.array(["2020"], "M8[Y]"))),
    "constant": ("literal: .* fit s8, got a value out of range, 300", lambda v: v.builder.constant(300, xla.S8)),
    "constant of floats": ("literal: .* fit s32, got a list of float64", lambda v: v.builder.constant([1.5], xla.S32)),
    "Python's large integer": (
        "literal: .* fit s32, got a value out of range, 1099511627776",
        lambda v: v.builder.constant(2**40),
    ),
    "clamp": ("max: expected numbers that fit s32", lambda v: xla.clamp(0, v.i, 1.5)),
    "pad": ("padding_value: expected numbers that fit s32", lambda v: xla.pad_in_dim(v.i, 0.5, 0, 1, 1)),
    "reduce": ("init_values: expected numbers that fit s32", lambda v: xla.reduce(v.i, 0.5, SUM_S32, [0])),
    "call": ("operands: expected numbers that fit s32", lambda v: v.builder.call(SUM_S32, v.index, 1.5)),
    "select": ("on_false: expected numbers that fit s32", lambda v: xla.select(v.p, v.i, 0.5)),
    "rng": ("b: expected numbers that fit s32", lambda v: xla.rng_uniform(v.index, 1.5, S.array(xla.S32, [2]))),
    "size": ("size: expected 0 to 2, got 3", lambda v: xla.set_dimension_size(v.f, 3, 0)),
}


@pytest.mark.parametrize("name", list(UNFIT))
def test_numbers_that_do_not_fit_are_errors(name: str) -> None:
    message, build = UNFIT[name]
    with pytest.raises(xdsl_xla.ArgumentError, match=message) as caught:
        build(Values())
    assert "test_xla_builder_conversions.py" in str(caught.value)


def test_numbers_that_fit() -> None:
    x = np.float32([1, 2])
    np.testing.assert_array_equal(run(lambda b, x: x + 1, x), x + 1)
    np.testing.assert_array_equal(run(lambda b, x: x * 0.1, x), x * np.float32(0.1))
    np.testing.assert_array_equal(run(lambda b, x: x + np.float64([0.1, 0.2]), x), x + np.float32([0.1, 0.2]))
    np.testing.assert_array_equal(run(lambda b, x: x & True, np.array([True, False])), [True, False])
    np.testing.assert_array_equal(run(lambda b, x: xla.add(x, (3, 4)), x), [4, 6])
    builder = xla.XlaBuilder("literals")
    assert str(builder.constant(2**63, xla.U64).shape) == "u64[]"
    assert str(builder.constant(np.int64([2**40])).shape) == "s64[1]"
    assert str(builder.constant([0, 1], xla.PRED).shape) == "pred[2]"


def test_floats_of_two_kinds_where_the_result_is_named() -> None:
    x, y = np.float32([[1, 2]]), np.float32([[3], [4]])
    got = run(lambda b, x, y: xla.dot(x, bf16(y), preferred_element_type=xla.F32), x, y)
    np.testing.assert_array_equal(got, [[11]])


def test_scalars_beside_arrays_in_a_selection() -> None:
    x = np.float32([1, -2])
    np.testing.assert_array_equal(run(lambda b, x: xla.select(x > 0.0, x, 0.0), x), [1, 0])
    np.testing.assert_array_equal(run(lambda b, x: xla.select(x > 0.0, 5.0, x), x), [5, -2])


INTEGERS = S.array(xla.S32, [2])


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_arguments_of_a_computation(engine: str) -> None:
    builder = xla.XlaBuilder("arguments")
    x = builder.parameter(0, INTEGERS, "x")
    small, both = (
        builder.parameter(1, S(xla.S8), "small"),
        builder.parameter(2, S.tuple_of([S(xla.F32), S(xla.PRED)]), "both"),
    )
    computation = builder.build(xla.tuple([x + 1, small, both[0], both[1]]))
    call = computation if engine == "native" else computation.interpret
    good = ([1, 2], 3, (1, True))
    assert [np.asarray(part).tolist() for part in call(*good)] == [[2, 3], 3, 1.0, True]
    for position, wrong, message in (
        (0, np.float32([1, 2]), r"argument 0 \('x'\): expected tensor<2xi32>, got tensor<2xf32>"),
        (0, np.int64([1, 2]), r"argument 0 \('x'\): .*got tensor<2xi64>"),
        (0, [1.5, 2], r"argument 0 \('x'\): .*got a list of float64"),
        (0, [1, None], r"argument 0 \('x'\): .*None"),
        (0, [1, 2, 3], r"argument 0 \('x'\): .*shape \[3\]"),
        (0, "ab", r"argument 0 \('x'\)"),
        (1, 300, r"argument 1 \('small'\): .*out of range, 300"),
        (1, None, r"argument 1 \('small'\): .*None"),
        (1, object(), r"argument 1 \('small'\): .*object"),
        (2, 1.0, r"argument 2 \('both'\): expected a tuple \(f32\[\], pred\[\]\), got 1.0"),
        (2, (1.0,), r"argument 2 \('both'\): expected a tuple"),
        (2, (1.0, 2), r"argument 2 \('both\[1\]'\)"),
        (2, (1e300, True), r"argument 2 \('both\[0\]'\): .*out of range"),
    ):
        arguments = [*good[:position], wrong, *good[position + 1 :]]
        with pytest.raises(xdsl_xla.ArgumentError, match=message) as caught:
            call(*arguments)
        assert "test_xla_builder_conversions.py" in str(caught.value)


def test_arguments_of_bounded_size() -> None:
    builder = xla.XlaBuilder("bounded")
    computation = builder.build(builder.parameter(0, S.array(xla.F32, [4], [True]), "x") * 2.0)
    np.testing.assert_array_equal(computation([1, 2]), [2, 4])
    np.testing.assert_array_equal(computation.interpret([1, 2]), [2, 4])
    for wrong in ([1.0] * 5, [[1.0], [2.0, 3.0]], np.int32([1]), 1.0):
        for call in (computation, computation.interpret, computation.compile()):
            with pytest.raises(xdsl_xla.ArgumentError, match="argument 0"):
                call(wrong)


def test_options_of_compile() -> None:
    computation = add_of()
    with pytest.raises(xdsl_xla.ArgumentError, match=r"compile: thread: .*did you mean threads"):
        computation.compile(thread=1)
