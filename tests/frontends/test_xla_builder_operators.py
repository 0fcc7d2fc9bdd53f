"""Every operation of `XlaBuilder` that no document has an example of, against NumPy, on both engines."""

from __future__ import annotations

import math

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xla_programs import add_of, max_of, run, run_on_replicas, scalars

X = np.array([[-1.5, -0.5, 0.25], [0.5, 1.0, 2.5]], np.float32)
POSITIVE = np.abs(X) + 0.25
INNER = X / 4
INTEGERS = np.array([[-7, -2, 0], [3, 12, 100]], np.int32)
COMPLEX = (X + 1j * X[::-1]).astype(np.complex64)


def near(got, wanted, rtol=3e-6) -> None:
    np.testing.assert_allclose(got, wanted, rtol=rtol, atol=1e-6)
    assert got.shape == np.shape(wanted)


def vectorized(function):
    return lambda x: np.vectorize(function, otypes=[np.float64])(x.astype(np.float64))


UNARY = [
    (xla.abs, X, np.abs),
    (xla.cbrt, X, np.cbrt),
    (xla.ceil, X, np.ceil),
    (xla.clz, INTEGERS, lambda x: np.vectorize(lambda v: 32 - (int(v) & 0xFFFFFFFF).bit_length())(x)),
    (xla.cos, X, np.cos),
    (xla.erf, X, vectorized(math.erf)),
    (xla.exp, X, np.exp),
    (xla.expm1, X, np.expm1),
    (xla.floor, X, np.floor),
    (xla.imag, COMPLEX, np.imag),
    (xla.imag, X, np.zeros_like),
    (xla.is_finite, np.array([1, np.inf, np.nan], np.float32), np.isfinite),
    (xla.log, POSITIVE, np.log),
    (xla.log1p, POSITIVE, np.log1p),
    (xla.logistic, X, lambda x: 1 / (1 + np.exp(-x))),
    (xla.neg, X, np.negative),
    (xla.not_, INTEGERS, np.invert),
    (xla.population_count, INTEGERS, lambda x: np.vectorize(lambda v: (int(v) & 0xFFFFFFFF).bit_count())(x)),
    (xla.real, COMPLEX, np.real),
    (xla.real, X, np.copy),
    (xla.round, X, lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5)),
    (xla.round_nearest_even, X, np.round),
    (xla.rsqrt, POSITIVE, lambda x: 1 / np.sqrt(x)),
    (xla.sign, X, np.sign),
    (xla.sin, X, np.sin),
    (xla.sqrt, POSITIVE, np.sqrt),
    (xla.tan, X, np.tan),
    (xla.tanh, X, np.tanh),
    (xla.conj, COMPLEX, np.conj),
    (xla.sinh, X, np.sinh),
    (xla.cosh, X, np.cosh),
    (xla.asin, INNER, np.arcsin),
    (xla.acos, INNER, np.arccos),
    (xla.atan, X, np.arctan),
    (xla.asinh, X, np.arcsinh),
    (xla.acosh, POSITIVE + 1, np.arccosh),
    (xla.atanh, INNER, np.arctanh),
    (xla.square, X, np.square),
    (xla.erfc, X, vectorized(math.erfc)),
    (xla.lgamma, POSITIVE, vectorized(math.lgamma)),
    (xla.is_inf, np.array([1, -np.inf, np.nan], np.float32), np.isinf),
    (xla.is_pos_inf, np.array([1, -np.inf, np.inf], np.float32), np.isposinf),
    (xla.is_neg_inf, np.array([1, -np.inf, np.inf], np.float32), np.isneginf),
]


@pytest.mark.parametrize(("function", "operand", "expected"), UNARY, ids=lambda value: getattr(value, "__name__", ""))
def test_unary(function, operand, expected) -> None:
    near(run(lambda b, x: function(x), operand), expected(operand))


def test_inverses_of_special_functions() -> None:
    near(run(lambda b, x: xla.erf(xla.erf_inv(x)), INNER), INNER)
    near(run(lambda b, x: xla.digamma(x + 1.0) - xla.digamma(x), POSITIVE), 1 / POSITIVE, 1e-5)
    near(run(lambda b, x: xla.bessel_i1e(x), np.float32([0, 1])), [0, 0.20791042], 1e-5)


BINARY = [
    (xla.add, np.add),
    (xla.sub, np.subtract),
    (xla.mul, np.multiply),
    (xla.div, np.divide),
    (xla.rem, np.fmod),
    (xla.max, np.maximum),
    (xla.min, np.minimum),
    (xla.atan2, np.arctan2),
    (xla.eq, np.equal),
    (xla.ne, np.not_equal),
    (xla.ge, np.greater_equal),
    (xla.gt, np.greater),
    (xla.le, np.less_equal),
    (xla.lt, np.less),
    (xla.complex, lambda x, y: x + 1j * y),
]


@pytest.mark.parametrize(("function", "expected"), BINARY, ids=lambda value: getattr(value, "__name__", ""))
def test_binary(function, expected) -> None:
    near(run(lambda b, x, y: function(x, y), X, X[::-1] + 0.125), expected(X, X[::-1] + 0.125))
    row = np.float32([1, 2, 4])
    near(run(lambda b, x, y: function(x, y, broadcast_dimensions=[1]), X, row), expected(X, row))
    near(run(lambda b, x, y: function(x, y, broadcast_dimensions=[0]), row[:2], X), expected(row[:2, None], X))
    near(run(lambda b, x, y: function(x, y), X, row[None]), expected(X, row))
    near(run(lambda b, x: function(x, 2.0), X), expected(X, np.float32(2)))


def test_pow_and_next_after() -> None:
    near(run(lambda b, x, y: xla.pow(x, y), POSITIVE, X), POSITIVE**X)
    near(run(lambda b, x, y: xla.next_after(x, y), X, -X), np.nextafter(X, -X), 0)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (xla.and_, np.bitwise_and),
        (xla.or_, np.bitwise_or),
        (xla.xor, np.bitwise_xor),
        (xla.shift_left, np.left_shift),
        (xla.shift_right_arithmetic, np.right_shift),
        (xla.shift_right_logical, lambda x, y: (x.view(np.uint32) >> y.view(np.uint32)).view(np.int32)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bits(function, expected) -> None:
    amounts = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    np.testing.assert_array_equal(run(lambda b, x, y: function(x, y), INTEGERS, amounts), expected(INTEGERS, amounts))


def test_integer_division_and_remainder() -> None:
    divisor = np.int32(5)
    near(run(lambda b, x: x / 5, INTEGERS), np.trunc(INTEGERS / 5), 0)
    near(run(lambda b, x, y: xla.rem(x, y), INTEGERS, divisor), np.fmod(INTEGERS, 5), 0)


TOTAL = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], np.float32)
TOTAL[0] = np.copysign(np.float32(np.nan), np.float32(-1))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (xla.eq_total_order, np.equal),
        (xla.ne_total_order, np.not_equal),
        (xla.ge_total_order, np.greater_equal),
        (xla.gt_total_order, np.greater),
        (xla.le_total_order, np.less_equal),
        (xla.lt_total_order, np.less),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_total_order(function, expected) -> None:
    """-NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN."""
    places = np.arange(8)
    result = run(lambda b, x, y: function(x, y), TOTAL[:, None] + np.zeros((8, 1), np.float32), TOTAL[None])
    rows = run(lambda b, x: function(xla.broadcast_in_dim(x, [8, 8], [0]), xla.broadcast(x, [8])), TOTAL)
    np.testing.assert_array_equal(rows, expected(places[:, None], places))
    assert result.shape == (8, 8)


def test_compare_takes_a_direction() -> None:
    result = run(lambda b, x: xla.compare(x, 0.5, xla.ComparisonDirection.GE), X)
    np.testing.assert_array_equal(result, X >= 0.5)


def test_operators_of_python() -> None:
    near(run(lambda b, x: 1.0 - x * 2.0 / (x + 3.0) ** 2.0, X), 1 - X * 2 / (X + 3) ** 2)
    near(run(lambda b, x: abs(-x) % 0.75, X), np.fmod(np.abs(X), 0.75))
    near(run(lambda b, x: (((x & 7) | 8) ^ 1) << 2 >> 1, INTEGERS), (((INTEGERS & 7) | 8) ^ 1) << 2 >> 1, 0)
    near(run(lambda b, x: ~((x > -3) & (x <= 12)), INTEGERS), ~((INTEGERS > -3) & (INTEGERS <= 12)), 0)
    near(run(lambda b, x, y: x @ y, X, X.T.copy()), X @ X.T)


def test_reduce_precision() -> None:
    x = X * np.float32(1.0001)
    near(run(lambda b, x: xla.reduce_precision(x, exponent_bits=5, mantissa_bits=10), x), np.float16(x), 0)


def test_bernoulli_normal_uniform() -> None:
    shape = xla.Shape.array(xla.F32, [10000])
    uniform = run(lambda b: xla.rng_uniform(b.constant(2.0), b.constant(4.0), shape))
    assert 2 <= uniform.min() and uniform.max() < 4 and abs(uniform.mean() - 3) < 0.03
    normal = run(lambda b: xla.rng_normal(b.constant(1.0), b.constant(2.0), shape))
    assert abs(normal.mean() - 1) < 0.1 and abs(normal.std() - 2) < 0.1
    flips = run(lambda b: xla.rng_bernoulli(b.constant(0.25), shape.with_element_type(xla.U32)))
    assert flips.dtype == np.uint32 and set(flips) == {0, 1} and abs(flips.mean() - 0.25) < 0.03
    dice = run(lambda b: xla.rng_uniform(b.constant(1), b.constant(7), shape.with_element_type(xla.S32)))
    assert set(dice) == set(range(1, 7))


@pytest.mark.parametrize("algorithm", list(xla.RandomAlgorithm))
def test_rng_bit_generator(algorithm) -> None:
    state = np.array([7, 11], np.uint64)
    bits = xla.Shape.array(xla.U32, [6])
    after, numbers = run(lambda b, s: xla.rng_bit_generator(algorithm, s, bits), state)
    assert after.tolist() != state.tolist() and len(set(numbers.tolist())) == 6


def test_convolutions() -> None:
    x = np.arange(50, dtype=np.float32).reshape(1, 2, 5, 5)
    kernel = np.arange(54, dtype=np.float32).reshape(3, 2, 3, 3) / 10

    def direct(x, pads=((0, 0), (0, 0)), strides=(1, 1)):
        padded = np.pad(x, ((0, 0), (0, 0), *pads))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, :: strides[0], :: strides[1]]
        return np.einsum("bizyhw,oihw->bozy", windows, kernel)

    ones = ((1, 1), (1, 1))
    numbers = xla.ConvolutionDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2])
    last, last_kernel = x.transpose(0, 2, 3, 1), kernel.transpose(2, 3, 1, 0)
    near(run(lambda b, x, k: xla.conv(x, k, [1, 1], xla.Padding.VALID), x, kernel), direct(x), 1e-5)
    near(run(lambda b, x, k: xla.conv(x, k, [1, 1], xla.Padding.SAME), x, kernel), direct(x, ones), 1e-5)
    result = run(lambda b, x, k: xla.conv_with_general_padding(x, k, [2, 1], [(1, 1), (0, 0)]), x, kernel)
    near(result, direct(x, ((1, 1), (0, 0)), (2, 1)), 1e-5)
    result = run(
        lambda b, x, k: xla.conv_with_general_dimensions(x, k, [1, 1], xla.Padding.SAME, numbers), last, last_kernel
    )
    near(result, direct(x, ones).transpose(0, 2, 3, 1), 1e-5)
    result = run(lambda b, x, k: xla.conv_general(x, k, None, [(1, 1), (1, 1)], numbers), last, last_kernel)
    near(result, direct(x, ones).transpose(0, 2, 3, 1), 1e-5)
    spread = np.zeros((1, 2, 9, 9), np.float32)
    spread[:, :, ::2, ::2] = x
    result = run(
        lambda b, x, k: xla.conv_general_dilated(x, k, None, [(-1, 0), (0, 0)], lhs_dilation=[2, 2]), x, kernel
    )
    near(result, direct(spread[:, :, 1:]), 1e-5)
    flipped = run(
        lambda b, x, k: xla.conv_general_dilated(x, k, None, xla.Padding.VALID, window_reversal=[True, True]),
        x,
        kernel[:, :, ::-1, ::-1].copy(),
    )
    near(flipped, direct(x), 1e-5)


def test_batch_normalisation() -> None:
    x = np.random.default_rng(0).normal(2, 3, (4, 5, 3)).astype(np.float32)
    scale, offset = np.float32([1, 2, 3]), np.float32([0, 1, -1])
    mean, variance = x.mean((0, 1)), x.var((0, 1))
    wanted = (x - mean) / np.sqrt(variance + 1e-3) * scale + offset
    output, got_mean, got_variance = run(
        lambda b, *o: xla.batch_norm_training(*o, epsilon=1e-3, feature_index=2), x, scale, offset
    )
    near(output, wanted, 1e-5)
    near(got_mean, mean, 1e-5)
    near(got_variance, variance, 1e-5)
    result = run(lambda b, *o: xla.batch_norm_inference(*o, 1e-3, 2), x, scale, offset, mean, variance)
    near(result, wanted, 1e-5)
    gradient = np.random.default_rng(1).normal(size=x.shape).astype(np.float32)
    by_operand, by_scale, by_offset = run(
        lambda b, *o: xla.batch_norm_grad(*o, epsilon=1e-3, feature_index=2), x, scale, mean, variance, gradient
    )
    near(by_offset, gradient.sum((0, 1)), 1e-4)
    near(by_scale, (gradient * (x - mean) / np.sqrt(variance + 1e-3)).sum((0, 1)), 1e-4)
    centered = gradient - gradient.mean((0, 1))
    slope = (gradient * (x - mean)).mean((0, 1)) / (variance + 1e-3) * (x - mean)
    near(by_operand, scale / np.sqrt(variance + 1e-3) * (centered - slope), 1e-4)


@pytest.mark.parametrize("length", [8, 12, 7])
def test_fft(length: int) -> None:
    signal = np.sin(np.arange(2 * length, dtype=np.float32)).reshape(2, length)
    spectrum = np.fft.rfft(signal).astype(np.complex64)
    near(run(lambda b, x: xla.fft(x, xla.FftType.RFFT, [length]), signal), spectrum, 1e-4)
    near(run(lambda b, x: xla.fft(x, xla.FftType.IRFFT, [length]), spectrum), signal, 1e-4)
    whole = np.fft.fft2(signal).astype(np.complex64)
    near(run(lambda b, x: xla.fft(x, xla.FftType.FFT, [2, length]), signal.astype(np.complex64)), whole, 1e-4)
    near(run(lambda b, x: xla.fft(x, xla.FftType.IFFT, [2, length]), whole), signal.astype(np.complex64), 1e-4)


def test_cholesky_and_triangular_solve() -> None:
    root = np.tril(np.random.default_rng(0).normal(size=(2, 4, 4)) + 3 * np.eye(4)).astype(np.float32)
    matrices = root @ root.transpose(0, 2, 1)
    factor = run(lambda b, a: xla.cholesky(a, lower=True), matrices)
    near(np.tril(factor) @ np.tril(factor).transpose(0, 2, 1), matrices, 1e-4)
    right = np.random.default_rng(1).normal(size=(2, 4, 3)).astype(np.float32)
    solution = run(lambda b, a, r: xla.triangular_solve(a, r), root, right)
    near(root @ solution, right, 1e-4)
    solution = run(lambda b, a, r: xla.triangular_solve(a, r, transpose_a=xla.Transpose.TRANSPOSE), root, right)
    near(root.transpose(0, 2, 1) @ solution, right, 1e-4)


def test_movement() -> None:
    near(run(lambda b, x: xla.rev(x, [0, 1]), X), X[::-1, ::-1])
    config = xla.PaddingConfig.of([(1, -1, 0), (0, 2, 1)])
    result = run(lambda b, x: xla.pad(x, 9.0, config), X)
    near(result, [[9] * 7, [-1.5, 9, -0.5, 9, 0.25, 9, 9]])
    near(run(lambda b, x: xla.pad_in_dim(x, 0.0, 1, 1, 0), X), np.pad(X, ((0, 0), (1, 0))))
    near(run(lambda b, x: xla.slice_in_dim(x, 0, 3, 2, 1), X), X[:, ::2])
    near(run(lambda b, x: xla.optimization_barrier(xla.tuple(b, [x, x]))[1], X), X)


def test_bounded_dimensions() -> None:
    v = np.arange(6, dtype=np.float32)

    def build(b, x, n):
        short = xla.set_dimension_size(x, n, 0)
        assert str(short.shape) == "f32[<=6]"
        return xla.reduce(xla.exp(short * 0.0), 0.0, add_of(), [0])

    assert run(build, v, np.int32(4)) == 4


def test_dynamic_reshape() -> None:
    def build(b, x):
        sizes = [xla.get_dimension_size(x, 1), xla.get_dimension_size(x, 0)]
        return xla.dynamic_reshape(x, sizes, [3, 2], [False, False])

    near(run(build, X), X.reshape(3, 2))


def test_windows_with_general_padding() -> None:
    row = np.float32([1, 2, 3, 4])
    result = run(
        lambda b, x: xla.reduce_window_with_general_padding(x, 0.0, add_of(), [2], [1], [2], [2], [(1, 1)]), row
    )
    spread = np.float32([0, 1, 0, 2, 0, 3, 0, 4, 0])
    near(result, spread[:-2] + spread[2:])
    choose = scalars(xla.ge, xla.F32, xla.F32)
    result = run(
        lambda b, x, s: xla.select_and_scatter_with_general_padding(x, choose, [2], [2], [(0, 0)], s, 0.0, add_of()),
        row,
        np.float32([10, 20]),
    )
    near(result, [0, 10, 0, 20])


def test_scatter() -> None:
    numbers = xla.ScatterDimensionNumbers([1], [0], [0], 1)
    indices = np.array([[1], [0], [1], [7]], np.int32)
    updates = np.ones((4, 3), np.float32)
    result = run(lambda b, x, i, u: xla.scatter(x, i, u, add_of(), numbers), X, indices, updates)
    near(result, X + np.float32([[1], [2]]))
    both = scalars(lambda a, i, b, j: xla.tuple(a.builder, [a + b, xla.max(i, j)]), xla.F32, xla.S32, xla.F32, xla.S32)
    got = run(
        lambda b, x, n, i, u, m: xla.scatter([x, n], i, [u, m], both, numbers),
        *(X, INTEGERS, indices, updates, np.full((4, 3), 50, np.int32)),
    )
    near(got[0], X + np.float32([[1], [2]]))
    near(got[1], np.maximum(INTEGERS, 50), 0)


def test_sorts_without_a_comparator() -> None:
    keys, values = np.int32([[3, 1, 2], [9, 7, 8]]), np.float32([[0, 1, 2], [3, 4, 5]])
    near(run(lambda b, k: xla.sort(k), keys), np.sort(keys), 0)
    got_keys, got_values = run(lambda b, k, v: xla.sort(k, [v], 1), keys, values)
    near(got_keys, np.sort(keys), 0)
    near(got_values, [[1, 2, 0], [4, 5, 3]], 0)
    greatest, places = run(lambda b, k: xla.top_k(k, 2), values)
    near(greatest, [[2, 1], [5, 4]], 0)
    near(places, [[2, 1], [2, 1]], 0)


def test_scan() -> None:
    step = scalars(lambda x, total: xla.tuple(x.builder, [x + total, x + total]), xla.F32, xla.F32)
    stacked, last = run(lambda b, x: xla.scan(x, [b.constant(0.0)], step, 0), np.float32([1, 2, 3, 4]))
    near(stacked, [1, 3, 6, 10])
    assert last == 10


def test_ragged_and_scaled_dot() -> None:
    lhs, rhs = np.arange(12, dtype=np.float32).reshape(4, 3), np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    numbers = xla.DotDimensionNumbers([1], [1])
    result = run(lambda b, x, y, s: xla.ragged_dot(x, y, s, numbers, [0], [0]), lhs, rhs, np.array([1, 3], np.int32))
    near(result, np.concatenate([lhs[:1] @ rhs[0], lhs[1:] @ rhs[1]]))
    a, b_ = np.float32([[1, 2, 3, 4]]), np.float32([[1], [1], [1], [1]])
    result = run(
        lambda b, x, y, s, t: xla.scaled_dot(x, y, s, t, xla.DotDimensionNumbers([1], [0]), xla.F32),
        *(a, b_, np.float32([[10, 100]]), np.float32([[1], [2]])),
    )
    near(result, [[10 * 3 + 2 * 100 * 7]])


def test_calls() -> None:
    double = scalars(lambda x: x + x, xla.F32)
    assert run(lambda b, x: xla.call(b, double, [x]) + b.call(double, [x]), np.float32(3)) == 12
    builder = xla.XlaBuilder("seven")
    seven = builder.build(builder.constant(7.0))
    assert run(lambda b: xla.call(b, seven)) == 7
    assert run(lambda b, x: xla.composite_call(b, double, [x], "my.double"), np.float32(4)) == 8


def test_replicas() -> None:
    near(np.array(run_on_replicas(lambda b, x: xla.replica_id(b), *X)), [0, 1], 0)
    near(np.array(run_on_replicas(lambda b, x: xla.partition_id(b), *X)), [0, 0], 0)
    for result in run_on_replicas(lambda b, x: xla.collective_broadcast(x, [[1, 0]]), *X):
        near(result, X[1])
    groups = [xla.ReplicaGroup([0, 1])]
    for result in run_on_replicas(lambda b, x: xla.all_reduce(x, max_of(), groups, channel_id=3), *X):
        near(result, X.max(0))


def test_infeed_and_outfeed() -> None:
    pair = xla.Shape.tuple_of([xla.Shape(xla.F32), xla.Shape.array(xla.S32, [2])])
    builder = xla.XlaBuilder("queues")
    first = xla.infeed(builder, xla.Shape.array(xla.F32, [3]))
    number, integers = xla.infeed(builder, pair)
    assert xla.infeed(builder, xla.Shape.tuple_of([])).is_tuple
    xla.outfeed(first + number)
    token = xla.after_all(builder, [xla.create_token(builder), builder.token])
    xla.outfeed_with_token(integers, token)
    executable = builder.build(integers + 1).compile()
    host = executable.environment.host
    host.infeed.extend([(np.float32([1, 2, 3]),), (np.float32(10), np.int32([4, 5]))])
    (result,) = executable()
    near(result, [5, 6], 0)
    near(host.outfeed[0][0], [11, 12, 13])
    near(host.outfeed[1][0], [4, 5], 0)


def test_infeed_with_token_in_a_loop() -> None:
    shape = xla.Shape.tuple_of([xla.Shape(xla.S32), xla.Shape(xla.F32), xla.Shape.token()])
    builder = xla.XlaBuilder("condition")
    condition = builder.build(builder.parameter(0, shape)[0] < 3)
    builder = xla.XlaBuilder("body")
    count, total, token = builder.parameter(0, shape)
    data, after = xla.infeed_with_token(token, xla.Shape(xla.F32))
    body = builder.build(xla.tuple(builder, [count + 1, total + data, after]))
    builder = xla.XlaBuilder("program")
    init = xla.tuple(builder, [builder.constant(0), builder.constant(0.0), xla.create_token(builder)])
    executable = builder.build(xla.while_(condition, body, init)[1]).compile()
    executable.environment.host.infeed.extend([(np.float32(value),) for value in (1, 2, 4)])
    assert executable() == (7,)


def test_send_and_recv() -> None:
    """To the host and back; and a receive nobody sends to is an error, not a wait without end."""
    to_host = xla.ChannelHandle(1, xla.ChannelType.DEVICE_TO_HOST)
    from_host = xla.ChannelHandle(2, xla.ChannelType.HOST_TO_DEVICE)
    builder = xla.XlaBuilder("transfers")
    x = builder.parameter(0, xla.Shape.array(xla.F32, [3]))
    xla.send(x, to_host)
    answer = xla.recv(builder, xla.Shape.array(xla.F32, [3]), from_host)
    executable = builder.build(answer + 1.0).compile()
    executable.environment.host.callback(1, lambda values: values * 2, reply=2)
    near(executable(X[0])[0], 2 * X[0] + 1)
    builder = xla.XlaBuilder("alone")
    received = xla.recv_with_token(xla.create_token(builder), xla.Shape(xla.F32), xla.ChannelHandle(7))
    alone = builder.build(xla.recv_done(received)).compile()
    with pytest.raises(xdsl_xla.XlaError, match=r"waits|recv|channel"):
        alone()


def test_send_done() -> None:
    builder = xla.XlaBuilder("send")
    handle = xla.ChannelHandle(5, xla.ChannelType.DEVICE_TO_HOST)
    token = xla.send_with_token(builder.constant(3.0), xla.create_token(builder), handle)
    executable = builder.build(xla.tuple(builder, [xla.send_done(token), builder.constant(1)])[1]).compile()
    executable()
    assert executable.environment.host.to_host[5][0][0] == 3


def test_ragged_all_to_all() -> None:
    def build(b: xla.XlaBuilder, x: xla.XlaOp, y: xla.XlaOp) -> xla.XlaOp:
        size = b.constant(np.array([2], np.int32))
        start, target = b.constant(np.array([1], np.int32)), b.constant(np.array([3], np.int32))
        return xla.ragged_all_to_all(x, start, size, y, target, size, [[0]])

    result = run(build, np.array([1, 2, 3], np.float32), np.zeros(5, np.float32))
    np.testing.assert_array_equal(result, [0, 0, 0, 2, 3])
