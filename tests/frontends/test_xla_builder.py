"""Builders, shapes, computations and errors of `XlaBuilder`, and the page that lists its operations."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.tools import xla_builder_table
from xla_programs import add_of, scalars

F3 = xla.Shape.array(xla.F32, [3])


def test_the_page_lists_every_row_with_its_tests() -> None:
    assert xla_builder_table.PAGE.read_text() == xla_builder_table.page()


def test_parameters_by_number_in_any_order() -> None:
    builder = xla.XlaBuilder("program")
    second = builder.parameter(1, F3, "second")
    pair = builder.parameter(0, xla.Shape.tuple_of([F3, xla.Shape(xla.S32)]), "pair")
    computation = builder.build(xla.tuple(builder, [second - pair[0], pair[1]]))
    assert str(computation.program_shape) == "((f32[3], s32[]), f32[3]) -> (f32[3], s32[])"
    difference, number = computation(([1, 2, 3], 7), [10, 20, 30])
    np.testing.assert_array_equal(difference, [9, 18, 27])
    assert number == 7


def test_the_last_operation_is_the_root() -> None:
    builder = xla.XlaBuilder("add")
    builder.add(builder.parameter(0, F3), builder.parameter(1, F3))
    np.testing.assert_array_equal(builder.build()([1, 2, 3], [1, 1, 1]), [2, 3, 4])


def test_a_parameter_may_be_the_root() -> None:
    builder = xla.XlaBuilder("second")
    y = builder.parameter(1, F3)
    builder.parameter(0, F3)
    np.testing.assert_array_equal(builder.build(y)([1, 2, 3], [4, 5, 6]), [4, 5, 6])


@pytest.mark.parametrize("element_type", [t for t in xla.PrimitiveType if t.value not in ("tuple", "token")])
def test_every_element_type(element_type: xla.PrimitiveType) -> None:
    shape = xla.Shape.array(element_type, [2, 2])
    assert xla.Shape.from_type(shape.type) == shape
    builder = xla.XlaBuilder("identity")
    x = builder.parameter(0, shape)
    other = 1 if element_type is xla.F8E8M0FNU else 0  # which has no zero
    one = builder.constant_literal([[1, other], [other, 1]], element_type)
    same = xla.select(builder.constant([[True, False], [False, True]]), one, x)
    computation = builder.build(same)
    array = np.array([[0, 1], [1, 0]]).astype(element_type.dtype)
    for result in (computation(array), *computation.interpret(array)[None]):
        np.testing.assert_array_equal(result.astype(np.complex64), [[1, 1], [1, 1]])
        assert result.dtype == element_type.dtype


def test_literals() -> None:
    builder = xla.XlaBuilder("literals")
    kinds = [builder.constant(value).shape for value in (1, 2.5, True, 1j, [[1], [2]], np.arange(2.0), (1, (2.0,)))]
    assert list(map(str, kinds)) == ["s32[]", "f32[]", "pred[]", "c64[]", "s32[2,1]", "f64[2]", "(s32[], (f32[]))"]


def test_shapes() -> None:
    bounded = xla.Shape.array(xla.F32, [3, 4], [True, False])
    assert str(bounded) == "f32[<=3,4]"
    assert xla.Shape.from_type(bounded.type) == bounded
    assert str(xla.Shape.tuple_of([bounded, xla.Shape.token()])) == "(f32[<=3,4], token[])"
    with pytest.raises(xdsl_xla.ArgumentError, match="dimensions"):
        xla.Shape.array(xla.F32, [-1])


def test_computations_that_call_computations() -> None:
    double = scalars(lambda x: x + x, xla.F32)
    builder = xla.XlaBuilder("quadruple")
    x = builder.parameter(0, xla.Shape(xla.F32))
    quadruple = builder.build(xla.call(builder, double, [xla.call(builder, double, [x])]))
    builder = xla.XlaBuilder("program")
    x = builder.parameter(0, F3)
    program = builder.build(xla.map(builder, [x], quadruple))
    np.testing.assert_array_equal(program([1, 2, 3]), [4, 8, 12])
    assert str(program.module).count("func.func private") == 1


def test_locations_are_those_of_the_caller() -> None:
    builder = xla.XlaBuilder("located")
    op = builder.parameter(0, F3) + 1.0
    assert "test_xla_builder.py" in str(op.value.owner.location)  # pyright: ignore


A = np.zeros((2, 3), np.float32)

WRONG = [
    ("all_gather_dimension", lambda b, a: xla.all_gather(a, 2, 2)),
    ("shard_count", lambda b, a: xla.all_gather(a, 0, 2, [[0, 1, 2]])),
    ("replica_groups", lambda b, a: xla.all_reduce(a, add_of(), [[0, 0]])),
    ("computation", lambda b, a: xla.all_reduce(a, scalars(xla.neg, xla.F32))),
    ("split_count", lambda b, a: xla.all_to_all(a, 1, 0, 2)),
    ("scale", lambda b, a: xla.batch_norm_training(a, b.constant([1.0]), b.constant([1.0] * 3), 1e-3, 1)),
    ("feature_index", lambda b, a: xla.batch_norm_training(a, a, a, 1e-3, 2)),
    ("new_element_type", lambda b, a: xla.bitcast_convert_type(a, xla.F64)),
    ("broadcast_sizes", lambda b, a: xla.broadcast(a, [-1])),
    ("broadcast_dimensions", lambda b, a: xla.broadcast_in_dim(a, [2, 3, 4], [0])),
    ("out_dim_size", lambda b, a: xla.broadcast_in_dim(a, [5, 3], [0, 1])),
    ("computation", lambda b, a: xla.call(b, add_of(), [a])),
    ("a", lambda b, a: xla.cholesky(a)),
    ("min", lambda b, a: xla.clamp([1.0, 2.0], a, 3.0)),
    ("operands", lambda b, a: xla.concat_in_dim(b, [], 0)),
    ("dimension", lambda b, a: xla.concat_in_dim(b, [a], 2)),
    ("pred", lambda b, a: xla.conditional(a, a, add_of(), a, add_of())),
    ("false_computation", lambda b, a: xla.conditional(b.constant(True), 1.0, scalars(xla.neg, xla.F32), a, add_of())),
    ("rhs", lambda b, a: xla.conv(a, b.constant([1.0]), [1], xla.Padding.SAME)),
    ("rhs", lambda b, a: xla.dot(a, a)),
    ("dimension_numbers", lambda b, a: xla.dot_general(a, a, xla.DotDimensionNumbers([2], [0]))),
    ("size_indices", lambda b, a: xla.dynamic_slice(a, [0, 0], [3, 3])),
    ("start_indices", lambda b, a: xla.dynamic_slice(a, [0], [1, 1])),
    ("update", lambda b, a: xla.dynamic_update_slice(b.constant([1.0]), a, [0])),
    ("rhs", lambda b, a: a + b.constant([[1, 2, 3]])),
    ("rhs", lambda b, a: xla.add(a, b.constant([[1.0, 2.0]]))),
    ("broadcast_dimensions", lambda b, a: xla.lt(a, b.constant([1.0, 2.0, 3.0]))),
    ("fft_length", lambda b, a: xla.fft(a, xla.FftType.RFFT, [1, 2, 3])),
    ("slice_sizes", lambda b, a: xla.gather(a, a, xla.GatherDimensionNumbers(), [1])),
    ("dimension", lambda b, a: xla.get_dimension_size(a, -1)),
    ("size", lambda b, a: xla.set_dimension_size(a, b.constant(1.0), 0)),
    ("index", lambda b, a: xla.tuple(b, [a])[1]),
    ("tuple_data", lambda b, a: a[0]),
    ("token", lambda b, a: xla.infeed_with_token(a, F3)),
    ("iota_dimension", lambda b, a: xla.iota(b, F3, 1)),
    ("computation", lambda b, a: xla.map(b, [a], add_of())),
    ("dimensions", lambda b, a: xla.map(b, [a], scalars(xla.neg, xla.F32), [0])),
    ("padding_config", lambda b, a: xla.pad(a, 0.0, xla.PaddingConfig.of([(1, 1)]))),
    ("init_values", lambda b, a: xla.reduce(a, [0.0, 1.0], add_of(), [0])),
    ("dimensions_to_reduce", lambda b, a: xla.reduce(a, 0.0, add_of(), [2])),
    ("exponent_bits", lambda b, a: xla.reduce_precision(a, exponent_bits=0, mantissa_bits=3)),
    ("shard_count", lambda b, a: xla.reduce_scatter(a, add_of(), 1, 2)),
    ("window_dimensions", lambda b, a: xla.reduce_window(a, 0.0, add_of(), [2], [1, 1])),
    ("padding", lambda b, a: xla.reduce_window(a, 0.0, add_of(), [2, 2], [1, 1], [(1, 1)])),
    ("new_sizes", lambda b, a: xla.reshape(a, [7])),
    ("dimensions", lambda b, a: xla.reshape(a, [0, 0], [6])),
    ("dimensions", lambda b, a: xla.rev(a, [2])),
    ("a", lambda b, a: xla.rng_uniform(b.constant(1), b.constant(2.0), F3)),
    ("mean", lambda b, a: xla.rng_bernoulli(a, F3.with_element_type(xla.U32))),
    ("initial_state", lambda b, a: xla.rng_bit_generator(xla.RandomAlgorithm.PHILOX, a, F3)),
    ("updates", lambda b, a: xla.scatter([a, a], a, a, add_of(), xla.ScatterDimensionNumbers())),
    ("pred", lambda b, a: xla.select(a, a, a)),
    ("on_false", lambda b, a: xla.select(b.constant(True), a, b.constant([1.0]))),
    ("window_strides", lambda b, a: xla.select_and_scatter(a, add_of(), [1, 1], [1], [(0, 0)] * 2, a, 0.0, add_of())),
    ("limit_indices", lambda b, a: xla.slice(a, [0, 0], [2, 4])),
    ("strides", lambda b, a: xla.slice(a, [0, 0], [2, 3], [0, 1])),
    ("comparator", lambda b, a: xla.sort(a, add_of())),
    ("dimension", lambda b, a: xla.sort(a, dimension=2)),
    ("k", lambda b, a: xla.top_k(a, 4)),
    ("permutation", lambda b, a: xla.transpose(a, [0, 0])),
    ("b", lambda b, a: xla.triangular_solve(b.constant([[1.0]]), a)),
    (
        "body",
        lambda b, a: xla.while_(
            scalars(lambda x: x < 1.0, xla.F32), scalars(lambda x: x < 1.0, xla.F32), b.constant(0.0)
        ),
    ),
    ("condition", lambda b, a: xla.while_(add_of(), add_of(), a)),
    ("rhs", lambda b, a: xla.add(a, xla.XlaBuilder("other").constant(1.0))),
    ("parameter_number", lambda b, a: b.parameter(0, F3)),
]


@pytest.mark.parametrize(("argument", "call"), WRONG, ids=[f"{i}-{name}" for i, (name, _) in enumerate(WRONG)])
def test_errors_name_the_argument_and_the_place(argument: str, call) -> None:
    builder = xla.XlaBuilder("wrong")
    a = builder.parameter(0, xla.Shape.of(A))
    with pytest.raises(xdsl_xla.XlaError, match=rf"\b{argument}: ") as caught:
        call(builder, a)
    assert "test_xla_builder.py:" in str(caught.value)


def test_errors_of_building() -> None:
    with pytest.raises(xdsl_xla.ArgumentError, match="no operation"):
        xla.XlaBuilder("empty").build()
    builder = xla.XlaBuilder("gap")
    builder.parameter(1, F3)
    with pytest.raises(xdsl_xla.ArgumentError, match=r"numbers \[1\]"):
        builder.build()
    builder = xla.XlaBuilder("twice")
    root = builder.constant(1)
    builder.build(root)
    with pytest.raises(xdsl_xla.ArgumentError, match="has been built"):
        builder.build(root)
    with pytest.raises(AttributeError, match="no_such_operation"):
        builder.no_such_operation(root)


def test_errors_of_calling() -> None:
    computation = add_of()
    with pytest.raises(xdsl_xla.ArgumentError, match=r"expected 2 .* got 1"):
        computation(1)
    builder = xla.XlaBuilder("pair")
    pair = builder.build(builder.parameter(0, xla.Shape.tuple_of([F3, F3]))[0])
    with pytest.raises(xdsl_xla.ArgumentError, match=r"argument 0 .*expected a tuple"):
        pair(([1, 2, 3],))
