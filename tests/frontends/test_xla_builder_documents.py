"""The examples of XLA's "Operation Semantics" pages, with the numbers that stand there."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xla_programs import add_of, max_of, run, run_on_replicas, scalars

V = np.array([[[10 * (i + 1) + 5 * j + k for k in range(3)] for j in range(2)] for i in range(4)], np.float32)
"""{ { {10, 11, 12}, {15, 16, 17} }, { {20, 21, 22}, ... } }"""
B = np.arange(12, dtype=np.float32).reshape(4, 3)


def f32(*values):
    return np.array(values, np.float32)


def equal(got, wanted) -> None:
    np.testing.assert_array_equal(got, wanted)
    assert got.shape == np.shape(wanted)


def test_all_gather() -> None:
    for result in run_on_replicas(lambda b, x: xla.all_gather(x, 0, 2), f32(1.0, 2.5), f32(3.0, 5.25)):
        equal(result, [1.0, 2.5, 3.0, 5.25])


def test_all_reduce() -> None:
    for build in (lambda b, x: xla.all_reduce(x, add_of()), lambda b, x: xla.cross_replica_sum(x)):
        for result in run_on_replicas(build, f32(1.0, 2.5), f32(3.0, 5.25)):
            equal(result, [4.0, 7.75])


def test_all_reduce_of_a_tuple() -> None:
    def build(b, x):
        return xla.all_reduce(xla.tuple(b, [x, x * 2.0]), add_of())

    for once, twice in run_on_replicas(build, f32(1.0, 2.5), f32(3.0, 5.25)):
        equal(once, [4.0, 7.75])
        equal(twice, [8.0, 15.5])


def test_all_to_all() -> None:
    """f32[4,16], split along 1 into 4 and joined along 0, is f32[16,4]."""
    operands = [np.full((4, 16), core, np.float32) + np.arange(16) / 16 for core in range(4)]
    results = run_on_replicas(lambda b, x: xla.all_to_all(x, 1, 0, 4), *(o.astype(np.float32) for o in operands))
    for core, result in enumerate(results):
        assert result.shape == (16, 4)
        for sender in range(4):
            equal(result[4 * sender : 4 * sender + 4], operands[sender][:, 4 * core : 4 * core + 4].astype(np.float32))


def test_all_to_all_of_a_tuple() -> None:
    """The array form of older pages: one array for each core."""

    def build(b, x):
        return xla.all_to_all(xla.tuple(b, [x, x + 10.0]), 0, 0, 2)

    for core, (first, second) in enumerate(run_on_replicas(build, f32(1, 2), f32(3, 4))):
        equal(first, [[1, 3], [2, 4]][core])
        equal(second, [[11, 13], [12, 14]][core])


def test_bitcast_convert_type() -> None:
    halves = run(lambda b, x: xla.bitcast_convert_type(x, xla.F16), np.arange(10, dtype=np.float32))
    assert halves.shape == (10, 2)
    equal(run(lambda b, x: xla.bitcast_convert_type(x, xla.F32), halves), np.arange(10, dtype=np.float32))
    assert run(lambda b, x: xla.bitcast_convert_type(x, xla.F16), np.float32(1)).shape == (2,)
    equal(run(lambda b, x: xla.bitcast_convert_type(x, xla.S8), np.array([0x01020304], np.int32)), [[4, 3, 2, 1]])


def test_broadcast() -> None:
    equal(run(lambda b: xla.broadcast(b.constant(2.0), [2, 3])), np.full((2, 3), 2.0))
    equal(run(lambda b, x: xla.broadcast(x, [2]), f32(1, 2)), [[1, 2], [1, 2]])


def test_broadcast_in_dim() -> None:
    equal(run(lambda b, x: xla.broadcast_in_dim(x, [2, 3], [0]), f32(1, 2)), [[1, 1, 1], [2, 2, 2]])
    equal(run(lambda b, x: xla.broadcast_in_dim(x, [2, 3], [1]), f32(1, 2, 3)), [[1, 2, 3], [1, 2, 3]])


def test_clamp() -> None:
    operand = np.array([-1, 5, 9], np.int32)
    equal(run(lambda b, x: xla.clamp(0, x, 6), operand), [0, 5, 6])


def test_collapse() -> None:
    v012 = run(lambda b, v: xla.collapse(v, [0, 1, 2]), V)
    equal(v012, [10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47])
    equal(run(lambda b, v: xla.collapse(v, [0, 1]), V), v012.reshape(8, 3))
    equal(run(lambda b, v: xla.collapse(v, [1, 2]), V), v012.reshape(4, 6))
    for wrong in ([1, 0], [0, 2]):
        with pytest.raises(xdsl_xla.XlaError, match="dimensions"):
            run(lambda b, v, wrong=wrong: xla.collapse(v, wrong), V)


def test_collective_permute() -> None:
    results = run_on_replicas(lambda b, x: xla.collective_permute(x, [(0, 1), (1, 2)]), f32(1), f32(2), f32(3))
    for result, wanted in zip(results, ([0], [1], [2]), strict=True):
        equal(result, wanted)
    for pairs in ([(0, 1), (0, 2)], [(0, 1), (2, 1)]):
        with pytest.raises(xdsl_xla.XlaError, match="source_target_pairs"):
            run(lambda b, x, pairs=pairs: xla.collective_permute(x, pairs), f32(1))


def test_concatenate() -> None:
    parts = [np.array(part, np.int32) for part in ([2, 3], [4, 5], [6, 7])]
    equal(run(lambda b, *x: xla.concat_in_dim(b, x, 0), *parts), [2, 3, 4, 5, 6, 7])
    a, b = np.array([[1, 2], [3, 4], [5, 6]], np.int32), np.array([[7, 8]], np.int32)
    equal(run(lambda builder, *x: xla.concat_in_dim(builder, x, 0), a, b), [[1, 2], [3, 4], [5, 6], [7, 8]])
    with pytest.raises(xdsl_xla.XlaError, match="operands"):
        run(lambda b, x: xla.concat_in_dim(b, [x, x], 0), np.float32(1))


def test_conditional() -> None:
    square, twice = scalars(lambda x: x * x, xla.F32), scalars(lambda x: x + x, xla.F32)
    for predicate, wanted in ((True, 9), (False, 10)):
        result = run(
            lambda b, p, x, y: xla.conditional(p, x, square, y, twice), predicate, np.float32(3), np.float32(5)
        )
        assert result == wanted
    for index, wanted in ((0, 9), (1, 6), (2, 6), (-1, 6)):
        result = run(lambda b, i, x: xla.conditional(i, [square, twice], [x, x]), np.int32(index), np.float32(3))
        assert result == wanted


def test_convert_element_type() -> None:
    a = np.array([0, 1, 2], np.int32)
    b = run(lambda builder, x: xla.convert_element_type(x, xla.F32), a)
    equal(b, f32(0, 1, 2))
    assert b.dtype == np.float32


def test_custom_call() -> None:
    """The C function of the page: z[0][0] = x[1] + y[1][0]."""

    @ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.POINTER(ctypes.c_float)))
    def myfunc(out, operands):
        x, y = operands[0], operands[1]
        assert (x[0], x[1], y[0], y[5]) == (1, 2, 10, 60)
        out[0] = x[1] + y[3]
        for index in range(1, 9):
            out[index] = 0

    xdsl_xla.custom_call("myfunc", myfunc)
    builder = xla.XlaBuilder("custom")
    x, y = builder.constant([1.0, 2.0]), builder.constant([[10.0, 20, 30], [40, 50, 60]])
    computation = builder.build(xla.custom_call(builder, "myfunc", [x, y], xla.Shape.array(xla.F32, [3, 3])))
    equal(computation(), [[42, 0, 0], [0, 0, 0], [0, 0, 0]])


def test_dot() -> None:
    vector, matrix, other = f32(1, 2), f32([1, 2], [3, 4], [5, 6]), f32([1, 0, 2], [0, 1, 3])
    assert run(lambda b, x, y: xla.dot(x, y), vector, f32(3, 4)) == 11
    equal(run(lambda b, x, y: xla.dot(x, y), matrix, vector), [5, 11, 17])
    equal(run(lambda b, x, y: x @ y, matrix, other), matrix @ other)


def test_dot_general() -> None:
    numbers = xla.DotDimensionNumbers([1], [1])
    lhs, rhs = f32([1, 2, 3], [4, 5, 6]), f32([1, 1, 1], [2, 2, 2])
    equal(run(lambda b, x, y: xla.dot_general(x, y, numbers), lhs, rhs), [[6, 12], [15, 30]])
    batch = f32([[1, 2], [3, 4]], [[5, 6], [7, 8]])
    units = f32([[1, 0], [0, 1]], [[1, 0], [0, 1]])
    numbers = xla.DotDimensionNumbers([2], [1], [0], [0])
    equal(run(lambda b, x, y: xla.dot_general(x, y, numbers), batch, units), batch)


def test_dynamic_slice() -> None:
    a = f32(0, 1, 2, 3, 4)
    equal(run(lambda b, x, s: xla.dynamic_slice(x, s, [2]), a, np.array([2], np.int32)), [2, 3])
    equal(run(lambda b, x, s: xla.dynamic_slice(x, s, [2, 2]), B, np.array([2, 1], np.int32)), [[7, 8], [10, 11]])
    equal(run(lambda b, x, i, j: xla.dynamic_slice(x, [i, j], [2, 2]), B, np.int32(9), np.int32(-3)), B[2:4, :2])


def test_dynamic_update_slice() -> None:
    a, u = f32(0, 1, 2, 3, 4), f32(5, 6)
    equal(run(lambda b, x, u, s: xla.dynamic_update_slice(x, u, s), a, u, np.array([2], np.int32)), [0, 1, 5, 6, 4])
    u = np.arange(12, 18, dtype=np.float32).reshape(3, 2)
    result = run(lambda b, x, u, s: xla.dynamic_update_slice(x, u, s), B, u, np.array([1, 1], np.int32))
    equal(result, [[0, 1, 2], [3, 12, 13], [6, 14, 15], [9, 16, 17]])


def test_gather_of_slices() -> None:
    """5 slices of shape [8,6] from a [16,11] array by indices [5,2]; and 4 times 5 of them by indices [4,5,2]."""
    operand = np.arange(16 * 11, dtype=np.float32).reshape(16, 11)
    random = np.random.default_rng(0)
    for leading, numbers in (
        ((5,), xla.GatherDimensionNumbers([1, 2], [], [0, 1], 1)),
        ((4, 5), xla.GatherDimensionNumbers([2, 3], [], [0, 1], 2)),
    ):
        indices = np.stack([random.integers(0, 9, leading), random.integers(0, 6, leading)], -1)
        result = run(lambda b, x, i, n=numbers: xla.gather(x, i, n, [8, 6]), operand, indices)
        assert result.shape == (*leading, 8, 6)
        for place in np.ndindex(leading):
            row, column = indices[place]
            equal(result[place], operand[row : row + 8, column : column + 6])


def test_gather_nd_rows() -> None:
    """Whole rows by their numbers, as tf.gather_nd takes them."""
    operand = np.arange(33, dtype=np.float32).reshape(3, 11)
    numbers = xla.GatherDimensionNumbers([2], [0], [0], 2)
    indices = np.array([[[0], [2]], [[1], [1]]], np.int32)
    equal(run(lambda b, x, i: xla.gather(x, i, numbers, [1, 11]), operand, indices), operand[indices[..., 0]])


@pytest.mark.parametrize(("size", "total", "product"), [(5, 15, 120), (6, 21, 720)])
def test_set_dimension_size(size: int, total: int, product: int) -> None:
    v = np.arange(1, 11, dtype=np.float32)
    multiply = scalars(xla.mul, xla.F32, xla.F32)

    def padded(x):
        return xla.set_dimension_size(x, size, 0)

    assert run(lambda b, x: xla.reduce(padded(x), 0.0, add_of(), [0]), v) == total
    assert run(lambda b, x: xla.reduce(padded(x), 1.0, multiply, [0]), v) == product
    assert run(lambda b, x: xla.get_dimension_size(padded(x), 0), v) == size


def test_get_tuple_element() -> None:
    def build(b, v):
        t = xla.tuple(b, [v, b.constant(5)])
        assert str(t.shape) == "(f32[10], s32[])"
        assert xla.get_tuple_element(t, 0) is t[0]
        return xla.get_tuple_element(t, 1)

    assert run(build, np.arange(10, dtype=np.float32)) == 5


def test_infeeds_ordered_by_two_loops() -> None:
    """result1 = while (condition, init) { Infeed }; result2 = while (condition, init = result1) { Infeed }."""
    state = xla.Shape.tuple_of([xla.Shape(xla.S32), xla.Shape(xla.F32), xla.Shape.token()])

    def loop(limit, init):
        builder = xla.XlaBuilder("condition")
        condition = builder.build(builder.parameter(0, state)[0] < limit)
        builder = xla.XlaBuilder("body")
        count, total, token = builder.parameter(0, state)
        data, after = xla.infeed_with_token(token, xla.Shape(xla.F32))
        body = builder.build(xla.tuple(builder, [count + 1, total * 10.0 + data, after]))
        return xla.while_(condition, body, init)

    builder = xla.XlaBuilder("program")
    init = xla.tuple(builder, [builder.constant(0), builder.constant(0.0), xla.create_token(builder)])
    executable = builder.build(loop(4, loop(2, init))[1]).compile()
    executable.environment.host.infeed.extend([(np.float32(digit),) for digit in (1, 2, 3, 4)])
    assert executable() == (1234,)


def test_iota() -> None:
    shape = xla.Shape.array(xla.S32, [4, 8])
    equal(run(lambda b: xla.iota(b, shape, 0)), np.arange(4)[:, None] + np.zeros((4, 8), int))
    equal(run(lambda b: b.iota(shape, 1)), np.zeros((4, 8), int) + np.arange(8))


def test_map() -> None:
    computation = scalars(lambda a, b, c, p: a * b + c * p, *[xla.F32] * 4)
    operands = [B, B + 1, B + 2]
    result = run(lambda b, *x: xla.map(b, x, computation, [0, 1], [b.constant(3.0)]), *operands)
    np.testing.assert_allclose(result, operands[0] * operands[1] + 3 * operands[2])


def test_reduce() -> None:
    assert run(lambda b, x: xla.reduce(x, 0.0, add_of(), [0]), f32(10, 11, 12, 13)) == 46
    array = np.broadcast_to(np.arange(1, 7, dtype=np.float32).reshape(2, 3), (4, 2, 3))
    equal(run(lambda b, x: xla.reduce(x, 0.0, add_of(), [0]), array), [[4, 8, 12], [16, 20, 24]])
    equal(run(lambda b, x: xla.reduce(x, 0.0, add_of(), [2]), array), [[6, 15]] * 4)
    equal(run(lambda b, x: xla.reduce(x, 0.0, add_of(), [0, 1]), array), [20, 28, 36])
    assert run(lambda b, x: xla.reduce_all(x, 0.0, add_of()), array) == 84


def test_variadic_reduce() -> None:
    """The greatest value and its index."""
    f = xla.XlaBuilder("argmax")
    greatest, place, value, index = (f.parameter(n, xla.Shape(t)) for n, t in enumerate((xla.F32, xla.S32) * 2))
    better = value >= greatest
    argmax = f.build(xla.select(better, xla.tuple(f, [value, index]), xla.tuple(f, [greatest, place])))
    values, indices = f32(3, 9, 2, 9, 1), np.arange(5, dtype=np.int32)
    result = run(lambda b, v, k: xla.reduce([v, k], [-np.inf, -1], argmax, [0]), values, indices)
    assert result == (9, 3)


def test_reduce_scatter() -> None:
    results = run_on_replicas(lambda b, x: xla.reduce_scatter(x, add_of(), 0, 2), f32(1.0, 2.25), f32(3.0, 5.25))
    equal(results[0], [4.0])
    equal(results[1], [7.5])


def test_reduce_window() -> None:
    matrix = np.arange(24, dtype=np.float32).reshape(4, 6)
    result = run(lambda b, x: xla.reduce_window(x, -np.inf, max_of(), [2, 3], [2, 3], xla.Padding.VALID), matrix)
    equal(result, [[8, 11], [20, 23]])
    smallest = scalars(xla.min, xla.F32, xla.F32)
    array, greatest = f32(10000, 1000, 100, 10, 1), float(np.finfo(np.float32).max)
    for padding, wanted in ((xla.Padding.VALID, [100, 1]), (xla.Padding.SAME, [1000, 10, 1])):
        equal(run(lambda b, x, p=padding: xla.reduce_window(x, greatest, smallest, [3], [2], p), array), wanted)


def test_reshape() -> None:
    v012 = V.reshape(24)
    equal(run(lambda b, v: xla.reshape(v, [0, 1, 2], [24]), V), v012)
    equal(run(lambda b, v: xla.reshape(v, [0, 1, 2], [8, 3]), V), v012.reshape(8, 3))
    v120 = [10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47]
    equal(run(lambda b, v: xla.reshape(v, [1, 2, 0], [24]), V), v120)
    equal(run(lambda b, v: xla.reshape(v, [1, 2, 0], [8, 3]), V), np.reshape(v120, (8, 3)))
    equal(run(lambda b, v: xla.reshape(v, [1, 2, 0], [2, 6, 2]), V), np.reshape(v120, (2, 6, 2)))
    equal(run(lambda b, x: xla.reshape(x, [0, 1], []), f32([5])), 5)
    equal(run(lambda b, x: xla.reshape(x, [], [1, 1]), np.float32(5)), [[5]])


def test_select() -> None:
    v1, v2 = np.array([1, 2, 3, 4], np.int32), np.array([100, 200, 300, 400], np.int32)
    predicate = np.array([True, False, False, True])
    equal(run(lambda b, p, x, y: xla.select(p, x, y), predicate, v1, v2), [1, 200, 300, 4])
    equal(run(lambda b, p, x, y: xla.select(p, x, y), np.bool_(True), v1, v2), [1, 2, 3, 4])


def test_select_and_scatter() -> None:
    """The two figures: windows side by side, and windows that overlap, where 2 and 6 meet."""
    operand = f32([7, 2, 5, 3, 10, 2], [3, 8, 9, 3, 4, 2], [1, 5, 7, 5, 6, 1], [0, 6, 2, 7, 2, 8])
    choose = scalars(xla.ge, xla.F32, xla.F32)
    side_by_side = run(
        lambda b, x, s: xla.select_and_scatter(x, choose, [2, 3], [2, 3], xla.Padding.VALID, s, 0.0, add_of()),
        operand,
        f32([2, 6], [3, 1]),
    )
    equal(side_by_side, [[0, 0, 0, 0, 6, 0], [0, 0, 2, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 1]])
    overlapping = f32([7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 10, 2])
    result = run(
        lambda b, x, s: xla.select_and_scatter(x, choose, [2, 3], [2, 2], xla.Padding.VALID, s, 0.0, add_of()),
        overlapping,
        f32([2, 6], [3, 1]),
    )
    equal(result, [[0, 0, 0, 0, 0], [0, 0, 8, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 0]])


def test_slice() -> None:
    equal(run(lambda b, x: xla.slice(x, [2], [4]), f32(0, 1, 2, 3, 4)), [2, 3])
    equal(run(lambda b, x: xla.slice(x, [2, 1], [4, 3]), B), [[7, 8], [10, 11]])
    equal(run(lambda b, x: xla.slice(x, [0, 0], [4, 3], [2, 2]), B), B[::2, ::2])


def test_sort() -> None:
    comparator = scalars(lambda a, b, *rest: a < b, xla.S32, xla.S32, xla.S32, xla.S32, xla.F32, xla.F32)
    operands = np.array([3, 1], np.int32), np.array([42, 50], np.int32), f32(3.0, 1.1)
    results = run(lambda b, *x: xla.sort(list(x), comparator), *operands)
    for result, wanted in zip(results, ([1, 3], [50, 42], f32(1.1, 3.0)), strict=True):
        equal(result, wanted)


def test_tuple_and_while() -> None:
    """1000 times a vector of 10 elements is added to an accumulator."""
    state = xla.Shape.tuple_of([xla.Shape(xla.S32), xla.Shape.array(xla.F32, [10])])
    builder = xla.XlaBuilder("condition")
    condition = builder.build(builder.parameter(0, state)[0] < 1000)
    builder = xla.XlaBuilder("body")
    current = builder.parameter(0, state)
    constant = builder.constant_literal(np.ones(10, np.float32))
    body = builder.build(xla.tuple(builder, [current[0] + 1, current[1] + constant]))

    def build(b):
        init = xla.tuple(b, [b.constant(0), b.constant_literal(np.zeros(10, np.float32))])
        return xla.while_(condition, body, init)

    count, total = run(build)
    assert count == 1000
    equal(total, np.full(10, 1000))


def test_transpose_is_a_reshape() -> None:
    permuted = run(lambda b, x: xla.transpose(x, [2, 0, 1]), V)
    equal(permuted, V.transpose(2, 0, 1))
    equal(run(lambda b, x: xla.reshape(x, [2, 0, 1], [3, 4, 2]), V), permuted)
