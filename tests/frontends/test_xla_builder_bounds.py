"""Every operation of the builder on arrays of bounded size: what is behind the last element that counts never counts.

Each case is built on `x`, f32[<=5,4] unless it says otherwise, and compared with NumPy, or with the same operation on
an array of just that size, natively and by the reference. What cannot be had of bounded size is an error that names the
operation, the operand and the dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from xdsl_xla.errors import XlaError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.xla_builder.core import OPERATORS

Array = np.ndarray[Any, Any]
Build = Callable[..., Any]
F32, S32, U32, PRED, C64, U8 = xla.F32, xla.S32, xla.U32, xla.PRED, xla.C64, xla.U8
SIZES = (0, 1, 3, 5)


def scalars(function: Build, *types: Any) -> Any:
    builder = xla.XlaBuilder("f")
    return builder.build(function(*(builder.parameter(i, xla.Shape(type)) for i, type in enumerate(types))))


def add_of(type: Any = F32) -> Any:
    return scalars(xla.add, type, type)


class Case(NamedTuple):
    """An operation on arguments of which all that have `bound` in `dims` are cut there."""

    build: Build
    expected: Callable[..., Any] | None
    """What NumPy makes of the cut arguments; None: what the operation gives for arrays of just that size."""
    arguments: Sequence[Array]
    cuts: Sequence[int | None]
    """The dimension in which an argument is cut, if it is."""
    sizes: Sequence[int] = SIZES
    shape: str | None = None
    """Of the result."""


def numbers(*shape: int, low: float = 0.25, high: float = 0.75, dtype: Any = np.float32, seed: int = 0) -> Array:
    values = np.random.default_rng(seed).uniform(low, high, shape)
    return (values + 1j * values[::-1]).astype(dtype) if np.dtype(dtype).kind == "c" else values.astype(dtype)


X, Y, V = numbers(5, 4), numbers(5, 4, seed=1), numbers(5, seed=2)
I = numbers(5, 4, low=1, high=7, dtype=np.int32)


def of(build: Build, expected: Callable[..., Any] | None, *arguments: Array, **options: Any) -> Case:
    arguments = arguments or (X,)
    cuts = options.pop("cuts", [0] * len(arguments))
    return Case(build, expected, arguments, cuts, **options)


def window(axis_sums: Array, width: int, stride: int, low: int, high: int) -> Array:
    padded = np.pad(axis_sums, [(low, high), *[(0, 0)] * (axis_sums.ndim - 1)])
    count = max(0, (len(padded) - width) // stride + 1) if len(padded) else 0
    rows = [padded[i * stride : i * stride + width].sum(0) for i in range(count)]
    return np.array(rows, np.float32).reshape(count, *axis_sums.shape[1:])


def cut(value: Array, dim: int | None, size: int) -> Array:
    return value if dim is None else value[tuple(slice(size if d == dim else None) for d in range(value.ndim))]


def static(name: str, *values: Array) -> Array:
    """The operation on arrays of the least of their sizes, by the reference."""
    count = min(len(value) for value in values)
    builder = xla.XlaBuilder("static")
    cuts = [value[:count] for value in values]
    operands = [builder.parameter(i, xla.Shape.of(value)) for i, value in enumerate(cuts)]
    return builder.build(OPERATORS[name].function(*operands)).interpret(*cuts)


def interior(x: Array, value: float) -> Array:
    spread = np.full(max(0, 2 * len(x) - 1), value, x.dtype)
    spread[::2] = x
    return spread


def sums() -> Any:
    """Two sums at once."""
    builder = xla.XlaBuilder("sums")
    a, b, c, d = (builder.parameter(i, xla.Shape(F32)) for i in range(4))
    return builder.build(xla.tuple(builder, [a + c, b + d]))


def scattered(x: Array, source: Array) -> Array:
    result = np.zeros_like(x)
    for i in range(len(x) // 2):
        result[2 * i + (x[2 * i + 1] > x[2 * i])] = source[i]
    return result


def scatter_rows(x: Array, rows: Any, updates: Array) -> Array:
    result = x.copy()
    for row, update in zip(rows, updates, strict=False):
        if row < len(x):
            result[row] += update
    return result


def correlate(rows: Array, kernel: Array) -> Array:
    """Rows against a kernel, where it fits."""
    count = max(0, rows.shape[1] - len(kernel) + 1)
    return np.array([[row[i : i + len(kernel)] @ kernel for i in range(count)] for row in rows]).reshape(-1, count)


def normalised(x: Array) -> tuple[Array, Array, Array]:
    mean, variance = x.mean(0), x.var(0)
    return (x - mean) / np.sqrt(variance + np.float32(0.5)) * 2 + 1, mean, variance


def gradients(b: Any, x: Any, y: Any) -> Any:
    scale, mean, variance = (b.constant(np.full(4, value, np.float32)) for value in (2, 0.4, 0.3))
    return xla.batch_norm_grad(x, scale, mean, variance, y, 0.5, 1).elements


def doubled(is_bounded: bool) -> Any:
    builder = xla.XlaBuilder("double")
    x = builder.parameter(0, xla.Shape.array(F32, [5, 4], [is_bounded, False]))
    return builder.build(x + x)


def loop() -> tuple[Any, Any]:
    """Doubles an array three times."""
    shape = xla.Shape.tuple_of([xla.Shape(S32), xla.Shape.array(F32, [5, 4], [True, False])])
    condition, body = xla.XlaBuilder("condition"), xla.XlaBuilder("body")
    c, v = condition.parameter(0, shape), body.parameter(0, shape)
    return condition.build(xla.lt(c[0], 3)), body.build(xla.tuple(body, [v[0] + 1, v[1] + v[1]]))


UNARY = (
    "abs cbrt ceil cos erf exp expm1 floor is_finite log log1p logistic neg round round_nearest_even rsqrt sign sin"
    " sqrt tan tanh acos asin asinh atan atanh bessel_i1e cosh digamma erfc erf_inv is_inf is_neg_inf is_pos_inf"
    " lgamma sinh square real imag"
).split()
BINARY = "add sub mul div rem max min pow atan2 next_after complex".split()
COMPARISONS = [f"{name}{order}" for name in ("eq", "ne", "ge", "gt", "le", "lt") for order in ("", "_total_order")]
BITS = "and_ or_ xor shift_left shift_right_arithmetic shift_right_logical".split()
Z = numbers(5, 4, dtype=np.complex64)

CASES: dict[str, Sequence[Case]] = {
    **{name: [of(lambda b, x, name=name: OPERATORS[name].function(x), None)] for name in UNARY},
    **{
        name: [of(lambda b, x, name=name: OPERATORS[name].function(x), None, I)]
        for name in ("clz", "not_", "population_count")
    },
    "logical_not": [of(lambda b, x: xla.logical_not(x), np.logical_not, X > 0, shape="<=5,4")],
    "logical_and": [of(lambda b, x, y: xla.logical_and(x, y), np.logical_and, X > 0, Y > 0, shape="<=5,4")],
    "logical_or": [of(lambda b, x, y: xla.logical_or(x, y), np.logical_or, X > 0, Y > 0, shape="<=5,4")],
    "full_like": [of(lambda b, x: xla.full_like(x, 3.0), lambda x: np.full_like(x, 3), shape="<=5,4")],
    "zeros_like": [of(lambda b, x: xla.zeros_like(x), np.zeros_like, shape="<=5,4")],
    "ones_like": [of(lambda b, x: xla.ones_like(x), np.ones_like, shape="<=5,4")],
    "scalar_like": [of(lambda b, x: xla.scalar_like(x, 3.0), lambda x: np.float32(3), shape="")],
    "acosh": [of(lambda b, x: xla.acosh(x), None, X + 1)],
    "conj": [of(lambda b, x: xla.conj(x), None, Z)],
    **{
        name: [
            of(lambda b, x, y, name=name: OPERATORS[name].function(x, y), None, X, Y, shape="<=5,4"),
            # The bounded one first, last; placed in the other; a scalar.
            of(
                lambda b, x, y, n=name: OPERATORS[n].function(x, y),
                lambda *a, n=name: static(n, *a),
                X,
                Y,
                cuts=[0, None],
            ),
            of(
                lambda b, x, y, n=name: OPERATORS[n].function(x, y),
                lambda *a, n=name: static(n, *a),
                X,
                Y,
                cuts=[None, 0],
            ),
            of(
                lambda b, x, v, n=name: OPERATORS[n].function(x, v, [0]),
                lambda x, v, n=name: static(n, x, np.repeat(v[:, None], 4, 1)),
                X,
                V,
                cuts=[None, 0],
                shape="<=5,4",
            ),
            of(
                lambda b, x, n=name: OPERATORS[n].function(0.5, x), lambda x, n=name: static(n, np.full_like(x, 0.5), x)
            ),
            of(
                lambda b, x, y, n=name: OPERATORS[n].function(x, y),
                lambda x, y, n=name: static(n, x, np.broadcast_to(y, x.shape)),
                X,
                Y[:1],
                cuts=[0, None],
                shape="<=5,4",
            ),
        ]
        for name in (*BINARY, *COMPARISONS)
    },
    **{name: [of(lambda b, x, y, n=name: OPERATORS[n].function(x, y), None, I, I[::-1])] for name in BITS},
    "compare": [of(lambda b, x, y: xla.compare(x, y, xla.ComparisonDirection.LT), np.less, X, Y)],
    "clamp": [
        of(lambda b, x: xla.clamp(0.3, x, 0.6), lambda x: np.clip(x, np.float32(0.3), np.float32(0.6))),
        of(
            lambda b, x, y: xla.clamp(y, x, 0.6),
            lambda x, y: np.clip(x, y[: len(x)], np.float32(0.6)),
            X,
            Y * 0.5,
            cuts=[0, None],
        ),
        of(
            lambda b, x, y: xla.clamp(0.1, x, y),
            lambda x, y: np.clip(x[: len(y)], np.float32(0.1), y),
            X,
            Y,
            cuts=[None, 0],
        ),
    ],
    "select": [
        of(lambda b, x, y: xla.select(xla.lt(x, y), x, y), np.minimum, X, Y, shape="<=5,4"),
        of(
            lambda b, p, x: xla.select(xla.lt(p, 0.5), x, b.constant(np.full((5, 4), 7, np.float32))),
            lambda p, x: np.where(p[: len(x)] < 0.5, x, 7),
            X,
            Y,
            cuts=[None, 0],
        ),
        of(
            lambda b, p, x: xla.select(xla.lt(p, 0.5), x, b.constant(np.full((5, 4), 7, np.float32))),
            lambda p, x: np.where(p < 0.5, x[: len(p)], 7),
            X,
            Y,
            cuts=[0, None],
        ),
        of(lambda b, x, y: xla.select(b.constant(True), x, y), lambda x, y: x[: len(y)], X, Y, cuts=[None, 0]),
    ],
    "convert_element_type": [of(lambda b, x: xla.convert_element_type(x, S32), lambda x: x.astype(np.int32), X * 9)],
    "bitcast_convert_type": [
        of(lambda b, x: xla.bitcast_convert_type(x, U32), lambda x: x.view(np.uint32)),
        of(lambda b, x: xla.bitcast_convert_type(x, U8), lambda x: x.view(np.uint8).reshape(-1, 4, 4), shape="<=5,4,4"),
    ],
    "reduce_precision": [
        of(
            lambda b, x: xla.reduce_precision(x, exponent_bits=5, mantissa_bits=10),
            lambda x: x.astype(np.float16).astype(np.float32),
        )
    ],
    "broadcast": [
        of(lambda b, x: xla.broadcast(x, [3]), lambda x: np.broadcast_to(x, (3, *x.shape)), shape="3,<=5,4"),
        # The sum of a broadcast of 2 of 4 elements.
        of(lambda b, x: xla.reduce_all(xla.broadcast(x, [3]), 0.0, add_of()), lambda x: 3 * x.sum(), V, shape=""),
    ],
    "broadcast_in_dim": [
        of(
            lambda b, x: xla.broadcast_in_dim(x, [4, 5, 3], [1, 0]),
            lambda x: np.repeat(x.T[:, :, None], 3, 2),
            shape="4,<=5,3",
        )
    ],
    "reshape": [
        of(lambda b, x: xla.reshape(x, [20]), lambda x: x.reshape(-1), shape="<=20"),
        of(lambda b, x: xla.reshape(x, [1, 5, 2, 2]), lambda x: x.reshape(1, -1, 2, 2), shape="1,<=5,2,2"),
        of(lambda b, x: xla.reshape(x, [20]), lambda x: x.reshape(-1), X.T.copy(), cuts=[1], shape="<=20"),
        of(lambda b, x: xla.reshape(x, [1, 0], [20]), lambda x: x.T.reshape(-1), shape="<=20"),
        of(
            lambda b, x: xla.reshape(x, [4, 20]),
            lambda x: x.reshape(4, -1),
            numbers(2, 2, 5, 4),
            cuts=[2],
            shape="4,<=20",
        ),
        of(lambda b, x: xla.reshape(x, []), lambda x: x.reshape(()), V[:1], sizes=[1], shape=""),
    ],
    "collapse": [
        of(lambda b, x: xla.collapse(x, [0, 1]), lambda x: x.reshape(-1), shape="<=20"),
        of(lambda b, x: xla.reduce_all(xla.collapse(x, [0, 1]), 0.0, add_of()), lambda x: x.sum()),
    ],
    "transpose": [of(lambda b, x: xla.transpose(x, [1, 0]), np.transpose, shape="4,<=5")],
    "rev": [of(lambda b, x: xla.rev(x, [0, 1]), lambda x: x[::-1, ::-1], shape="<=5,4")],
    "concatenate": [
        of(lambda b, x, y: xla.concatenate(b, [x, y], 0), lambda x, y: np.concatenate([x, y]), X, Y, cuts=[0, None])
    ],
    "concat_in_dim": [
        of(
            lambda b, x, y: xla.concat_in_dim(b, [x, y, x], 0),
            lambda x, y: np.concatenate([x, y, x]),
            X,
            Y,
            cuts=[0, None],
            shape="<=15,4",
        ),
        of(
            lambda b, x, y: xla.concat_in_dim(b, [x, y], 1),
            lambda x, y: np.concatenate([x[: len(y)], y], 1),
            X,
            Y,
            cuts=[None, 0],
            shape="<=5,8",
        ),
    ],
    "slice": [
        of(lambda b, x: xla.slice(x, [0, 1], [5, 4], [1, 2]), lambda x: x[:, 1::2], shape="<=5,2"),
        of(lambda b, x: xla.slice(x, [1, 0], [5, 4], [2, 1]), lambda x: x[1:5:2], shape="<=2,4"),
        of(lambda b, x: xla.slice(x, [2, 0], [3, 4]), lambda x: x[2:3], shape="<=1,4"),
    ],
    "slice_in_dim": [of(lambda b, x: xla.slice_in_dim(x, 1, 3, 1, 0), lambda x: x[1:3], shape="<=2,4")],
    "dynamic_slice": [
        of(lambda b, x: xla.dynamic_slice(x, [0, 2], [5, 2]), lambda x: x[:, 2:], shape="<=5,2"),
        of(lambda b, x: xla.dynamic_slice(x, [4, 0], [1, 4]), lambda x: x[-1:], sizes=[1, 3, 5], shape="1,4"),
        of(lambda b, x: xla.dynamic_slice(x, [1, 0], [2, 4]), lambda x: x[1:3], sizes=[3, 5], shape="2,4"),
    ],
    "dynamic_update_slice": [
        of(
            lambda b, x: xla.dynamic_update_slice(x, xla.slice(b.constant(np.float32(Y)), [0, 0], [1, 4]), [4, 0]),
            lambda x: np.concatenate([x[:-1], Y[:1]]),
            sizes=[1, 3, 5],
            shape="<=5,4",
        ),
        of(
            lambda b, x, y: xla.dynamic_update_slice(x, y, [0, 0]),
            lambda x, y: np.concatenate([y, x[len(y) :]]),
            X,
            Y,
            cuts=[None, 0],
            shape="5,4",
        ),
        of(
            lambda b, x, y: xla.dynamic_update_slice(x, y, [0, 0]),
            lambda x, y: y[: len(x)],
            X,
            Y,
            cuts=[0, None],
            shape="<=5,4",
        ),
    ],
    "pad": [
        of(
            lambda b, x: xla.pad(x, 9.0, xla.PaddingConfig.of([(1, 2, 0), (0, 1, 0)])),
            lambda x: np.pad(x, ((1, 2), (0, 1)), constant_values=9),
            shape="<=8,5",
        ),
        of(lambda b, x: xla.pad(x, 9.0, xla.PaddingConfig.of([(0, 0, 1)])), lambda x: interior(x, 9), V, shape="<=9"),
    ],
    "pad_in_dim": [
        of(lambda b, x: xla.pad_in_dim(x, 0.0, 0, 1, 1), lambda x: np.pad(x, ((1, 1), (0, 0))), shape="<=7,4")
    ],
    "get_dimension_size": [of(lambda b, x: xla.get_dimension_size(x, 0), lambda x: np.int32(len(x)), shape="")],
    "set_dimension_size": [of(lambda b, x: xla.set_dimension_size(x, 2, 1), lambda x: x[:, :2], shape="<=5,<=4")],
    "dynamic_reshape": [
        of(
            lambda b, x: xla.dynamic_reshape(
                x, [xla.mul(xla.get_dimension_size(x, 0), 2), b.constant(2)], [10, 2], [True, False]
            ),
            lambda x: x.reshape(-1, 2),
            shape="<=10,2",
        )
    ],
    "tuple": [of(lambda b, x: xla.tuple(b, [x])[0], lambda x: x, shape="<=5,4")],
    "get_tuple_element": [of(lambda b, x: xla.get_tuple_element(xla.tuple(b, [x]), 0), lambda x: x, shape="<=5,4")],
    "optimization_barrier": [of(lambda b, x: xla.optimization_barrier(x), lambda x: x, shape="<=5,4")],
    "reduce": [
        of(lambda b, x: xla.reduce(x, 0.0, add_of(), [0]), lambda x: x.sum(0), shape="4"),
        of(lambda b, x: xla.reduce(x, 0.0, add_of(), [1]), lambda x: x.sum(1), shape="<=5"),
        of(
            lambda b, x, y: xla.reduce((x, y), (0.0, 0.0), sums(), [0])[1],
            lambda x, y: y[: len(x)].sum(0),
            X,
            Y,
            cuts=[0, None],
            shape="4",
        ),
    ],
    "reduce_all": [of(lambda b, x: xla.reduce_all(x, 0.0, add_of()), lambda x: x.sum(), shape="")],
    "reduce_window": [
        of(
            lambda b, x: xla.reduce_window(x, 0.0, add_of(), [2, 1], [2, 1]),
            lambda x: window(x, 2, 2, 0, 0),
            shape="<=2,4",
        ),
        of(
            lambda b, x: xla.reduce_window(x, 0.0, add_of(), [3, 1], [1, 1], xla.Padding.SAME),
            lambda x: window(x, 3, 1, 1, 1),
            shape="<=5,4",
        ),
    ],
    "reduce_window_with_general_padding": [
        of(
            lambda b, x: xla.reduce_window_with_general_padding(
                x, 0.0, add_of(), [2, 1], [1, 1], [1, 1], [1, 1], [(1, 0), (0, 0)]
            ),
            lambda x: window(x, 2, 1, 1, 0),
            shape="<=5,4",
        )
    ],
    "select_and_scatter": [
        of(
            lambda b, x, s: xla.select_and_scatter(
                x, scalars(xla.ge, F32, F32), [2], [2], xla.Padding.VALID, s, 0.0, add_of()
            ),
            lambda x, s: scattered(x, s),
            V,
            Y[:2, 0].copy(),
            cuts=[0, None],
            shape="<=5",
        )
    ],
    "select_and_scatter_with_general_padding": [
        of(
            lambda b, x, s: xla.select_and_scatter_with_general_padding(
                x, scalars(xla.ge, F32, F32), [2], [2], [(0, 0)], s, 0.0, add_of()
            ),
            lambda x, s: scattered(x, s),
            V,
            Y[:2, 0].copy(),
            cuts=[0, None],
            shape="<=5",
        )
    ],
    "map": [
        of(
            lambda b, x, y: xla.map(b, [x, y], scalars(xla.mul, F32, F32)),
            lambda x, y: x * y[: len(x)],
            X,
            Y,
            cuts=[0, None],
            shape="<=5,4",
        ),
        of(lambda b, x: xla.reduce_all(xla.map(b, [x], scalars(xla.neg, F32)), 0.0, add_of()), lambda x: -x.sum()),
        of(lambda b, x: xla.map(b, [x], scalars(xla.add, F32, F32), None, [2.0]), lambda x: x + 2),
    ],
    "sort": [
        of(lambda b, x: xla.sort(x, None, 0), lambda x: np.sort(x, 0), shape="<=5,4"),
        of(lambda b, x: xla.sort(x, None, 1), lambda x: np.sort(x, 1), shape="<=5,4"),
        of(
            lambda b, x, y: xla.sort(x, y, 0)[1],
            lambda x, y: np.take_along_axis(y[: len(x)], np.argsort(x, 0), 0),
            X,
            Y,
            cuts=[0, None],
            shape="<=5,4",
        ),
    ],
    "top_k": [
        of(lambda b, x: xla.top_k(x, 2)[0], lambda x: -np.sort(-x, 1)[:, :2], shape="<=5,2"),
        of(lambda b, x: xla.top_k(x, 2)[0], lambda x: -np.sort(-x)[:2], V, shape="<=2"),
        of(lambda b, x: xla.top_k(x, 2)[1], lambda x: np.argsort(-x)[:2], V, shape="<=2"),
    ],
    "scatter": [
        of(
            lambda b, x, y: xla.scatter(
                x, b.constant(np.int32([[0], [4]])), y, add_of(), xla.ScatterDimensionNumbers([1], [0], [0], 1)
            ),
            lambda x, y: scatter_rows(x, [0, 4], y),
            X,
            Y[:2],
            cuts=[0, None],
            shape="<=5,4",
        ),
        of(
            lambda b, x, i, y: xla.scatter(x, i, y, add_of(), xla.ScatterDimensionNumbers([1], [0], [0], 1)),
            lambda x, i, y: scatter_rows(x, i[:, 0], y),
            X,
            np.int32([[0], [3], [3], [1], [2]]),
            Y,
            cuts=[None, 0, 0],
            shape="5,4",
        ),
    ],
    "gather": [
        of(
            lambda b, x, i: xla.gather(x, i, xla.GatherDimensionNumbers([1], [0], [0], 1), [1, 4]),
            lambda x, i: x[i[:, 0]],
            X,
            np.int32([[0], [3], [3], [1], [2]]),
            cuts=[None, 0],
            shape="<=5,4",
        ),
        of(
            lambda b, x: xla.gather(
                x, b.constant(np.int32([[1], [3]])), xla.GatherDimensionNumbers([0], [1], [1], 1), [5, 1]
            ),
            lambda x: x[:, [1, 3]],
            shape="<=5,2",
        ),
    ],
    "dot": [
        of(
            lambda b, x, y: xla.dot(xla.transpose(x, [1, 0]), y),
            lambda x, y: x.T @ y[: len(x)],
            X,
            Y,
            cuts=[0, None],
            shape="4,4",
        ),
        of(lambda b, x, y: xla.dot(x, xla.transpose(y, [1, 0])), lambda x, y: x @ y.T, X, Y, shape="<=5,<=5"),
    ],
    "dot_general": [
        of(
            lambda b, x, y: xla.dot_general(x, y, xla.DotDimensionNumbers([1], [1], [0], [0])),
            lambda x, y: (x[: len(y)] * y).sum(1),
            X,
            Y,
            cuts=[None, 0],
            shape="<=5",
        ),
        of(
            lambda b, x, y: xla.dot_general(x, y, xla.DotDimensionNumbers([0], [0]), preferred_element_type=xla.F64),
            lambda x, y: x.T.astype(np.float64) @ y,
            X,
            Y,
            shape="4,4",
        ),
    ],
    "scaled_dot": [
        of(
            lambda b, x, y: xla.scaled_dot(
                x, y, b.constant(np.float32(1)), b.constant(np.float32(2)), xla.DotDimensionNumbers([0], [0]), F32
            ),
            lambda x, y: x.T @ y * 2,
            X,
            Y,
            shape="4,4",
        )
    ],
    **{
        name: [
            of(
                build,
                lambda x, w: correlate(x[:, 0], w[0, 0])[:, None],
                numbers(5, 1, 6),
                numbers(1, 1, 3),
                cuts=[0, None],
            )
        ]
        for name, build in {
            "conv": lambda b, x, w: xla.conv(x, w, [1], xla.Padding.VALID),
            "conv_with_general_padding": lambda b, x, w: xla.conv_with_general_padding(x, w, [1], [(0, 0)]),
            "conv_with_general_dimensions": lambda b, x, w: xla.conv_with_general_dimensions(
                x, w, [1], xla.Padding.VALID, xla.default_convolution_dimension_numbers(1)
            ),
            "conv_general": lambda b, x, w: xla.conv_general(
                x, w, [1], [(0, 0)], xla.default_convolution_dimension_numbers(1)
            ),
        }.items()
    },
    "conv_general_dilated": [
        of(
            lambda b, x, w: xla.conv_general_dilated(x, w, [1], [(1, 1)]),
            lambda x, w: correlate(np.pad(x[:, 0], ((0, 0), (1, 1))), w[0, 0])[:, None],
            numbers(2, 1, 5),
            numbers(1, 1, 3),
            cuts=[2, None],
            sizes=[1, 3, 5],
            shape="2,1,<=5",
        ),
        of(
            lambda b, x, w: xla.conv_general_dilated(x, w, [1], [(0, 0)]),
            lambda x, w: np.einsum("bfs,of->bos", x, w[:, : x.shape[1], 0]),
            numbers(2, 5, 3),
            numbers(4, 5, 1),
            cuts=[1, None],
            shape="2,4,3",
        ),
        of(
            lambda b, x, w: xla.conv_general_dilated(x, w, [1], [(0, 0)], preferred_element_type=xla.F64),
            lambda x, w: np.einsum("bfs,of->bos", x, w[:, :, 0]),
            numbers(2, 4, 3),
            numbers(5, 4, 1),
            cuts=[None, 0],
            shape="2,<=5,3",
        ),
    ],
    "batch_norm_training": [
        of(
            lambda b, x, i=i: xla.batch_norm_training(
                x, b.constant(np.full(4, 2, np.float32)), b.constant(np.ones(4, np.float32)), 0.5, 1
            )[i],
            lambda x, i=i: normalised(x)[i],
            sizes=[1, 3, 5],
            shape=shape,
        )
        for i, shape in enumerate(("<=5,4", "4", "4"))
    ],
    "batch_norm_inference": [
        of(
            lambda b, x, v: xla.batch_norm_inference(x, v, v, v, v, 0.5, 1),
            lambda x, v: (x - v) / np.sqrt(v + np.float32(0.5)) * v + v,
            X,
            Y[0].copy(),
            cuts=[0, None],
            shape="<=5,4",
        ),
    ],
    "batch_norm_grad": [of(lambda b, x, y, i=i: gradients(b, x, y)[i], None, X, Y, sizes=[1, 3, 5]) for i in range(3)],
    "fft": [of(lambda b, x: xla.fft(x, xla.FftType.FFT, [4]), lambda x: np.fft.fft(x), Z, shape="<=5,4")],
    "cholesky": [
        of(
            lambda b, x: xla.cholesky(x),
            np.linalg.cholesky,
            numbers(5, 2, 2) * 0 + np.float32([[4, 1], [1, 3]]),
            shape="<=5,2,2",
        )
    ],
    "triangular_solve": [
        of(
            lambda b, a, y: xla.triangular_solve(a, y),
            lambda a, y: np.linalg.solve(np.tril(a), y),
            numbers(5, 2, 2) + np.eye(2, dtype=np.float32),
            numbers(5, 2, 3),
            shape="<=5,2,3",
        ),
    ],
    "call": [
        of(lambda b, x: xla.call(b, doubled(True), [x]), lambda x: x + x, shape="<=5,4"),
        of(lambda b, x, y: xla.call(b, doubled(True), [y]), lambda x, y: y + y, X, Y, cuts=[0, None], shape="<=5,4"),
    ],
    "composite_call": [
        of(lambda b, x: xla.composite_call(b, doubled(True), [x], "my.double"), lambda x: x + x, shape="<=5,4")
    ],
    "conditional": [
        of(
            lambda b, x, y, p=p: xla.conditional(b.constant(p), x, doubled(True), y, doubled(False)),
            lambda x, y, p=p: 2 * (x if p else y),
            X,
            Y,
            cuts=[0, None],
            shape="<=5,4",
        )
        for p in (True, False)
    ],
    "while_": [
        of(lambda b, x: xla.while_(*loop(), xla.tuple(b, [b.constant(0), x]))[1], lambda x: x * 8, shape="<=5,4"),
    ],
}

REFUSED: dict[str, Sequence[tuple[Build, str]]] = {
    "bitcast_convert_type": [
        (
            lambda b, x: xla.bitcast_convert_type(
                xla.convert_element_type(xla.transpose(xla.slice(x, [0, 0], [4, 4]), [1, 0]), U8), U32
            ),
            "operand: dimension 1 of u8.4,<=4., of bounded size, cannot be taken into elements",
        ),
    ],
    "broadcast_in_dim": [
        (
            lambda b, x: xla.broadcast_in_dim(xla.slice(x, [0, 0], [1, 4]), [3, 4], [0, 1]),
            "out_dim_size: .3, 4. does not fit f32.<=1,4.",
        )
    ],
    "add": [
        (
            lambda b, x: xla.add(xla.slice(x, [0, 0], [1, 4]), b.constant(Y)),
            "dimension 0 of f32.<=1,4., of bounded size",
        )
    ],
    "reshape": [
        (
            lambda b, x: xla.reshape(x, [2, 10]),
            "dimension 0, of bounded size, of .5, 4. becomes no one dimension of .2, 10.",
        ),
        (lambda b, x: xla.reshape(xla.reshape(x, [20]), [4, 5]), "dimension 0"),
    ],
    "fft": [
        (lambda b, x: xla.fft(xla.transpose(x, [1, 0]), xla.FftType.RFFT, [5]), "operand: dimension 1 of f32.4,<=5.")
    ],
    "cholesky": [(lambda b, x: xla.cholesky(xla.dot(x, xla.transpose(x, [1, 0]))), "a: dimension 0 of f32.<=5,<=5.")],
    "triangular_solve": [
        (lambda b, x: xla.triangular_solve(xla.dot(x, xla.transpose(x, [1, 0])), x), "a: dimension 0 of f32.<=5,<=5.")
    ],
    "conv": [
        (
            lambda b, x: xla.conv(b.constant(numbers(1, 1, 9)), xla.reshape(x, [1, 1, 20]), [1], xla.Padding.SAME),
            "rhs: dimension 2 of f32.1,1,<=20., of bounded size, cannot be a window",
        )
    ],
    "iota": [(lambda b, x: xla.iota(b, x.shape, 0), "shape: expected static sizes, got f32.<=5,4.")],
    "rng_uniform": [(lambda b, x: xla.rng_uniform(0.0, b.constant(1.0), x.shape), "shape: expected static sizes")],
    "rng_normal": [(lambda b, x: xla.rng_normal(0.0, b.constant(1.0), x.shape), "shape: expected static sizes")],
    "rng_bernoulli": [
        (
            lambda b, x: xla.rng_bernoulli(b.constant(0.5), x.shape.with_element_type(U32)),
            "shape: expected static sizes",
        )
    ],
    "rng_bit_generator": [
        (
            lambda b, x: xla.rng_bit_generator(
                xla.RandomAlgorithm.PHILOX, b.constant(np.zeros(2, np.uint64)), x.shape.with_element_type(U32)
            ),
            "shape: expected static sizes",
        )
    ],
    "scan": [
        (
            lambda b, x: xla.scan(x, b.constant(np.zeros(4, np.float32)), sums(), 0),
            "operands: dimension 0 of f32.<=5,4.",
        )
    ],
    "ragged_dot": [
        (
            lambda b, x: xla.ragged_dot(
                x,
                b.constant(numbers(2, 4, 3)),
                b.constant(np.int32([2, 3])),
                xla.DotDimensionNumbers([1], [1]),
                [0],
                [0],
            ),
            "operand 0 has dimension 0 of bounded size.*'chlo.ragged_dot'",
        )
    ],
    "all_gather": [(lambda b, x: xla.all_gather(x, 0, 1), "operand 0 has dimension 0 of bounded size")],
    "all_reduce": [(lambda b, x: xla.all_reduce(x, add_of()), "operand 0 has dimension 0.*'stablehlo.all_reduce'")],
    "cross_replica_sum": [(lambda b, x: xla.cross_replica_sum(x), "operand 0 has dimension 0")],
    "all_to_all": [(lambda b, x: xla.all_to_all(x, 1, 1, 1), "operand 0 has dimension 0")],
    "reduce_scatter": [(lambda b, x: xla.reduce_scatter(x, add_of(), 1, 1), "operand 0 has dimension 0")],
    "collective_broadcast": [(lambda b, x: xla.collective_broadcast(x, [[0]]), "operand 0 has dimension 0")],
    "collective_permute": [(lambda b, x: xla.collective_permute(x, [(0, 0)]), "operand 0 has dimension 0")],
    "ragged_all_to_all": [
        (
            lambda b, x: xla.ragged_all_to_all(
                x, *(b.constant(np.int32([0])),) * 2, x, *(b.constant(np.int32([0])),) * 2
            ),
            "operand 0 has dimension 0",
        )
    ],
    "outfeed": [(lambda b, x: xla.outfeed(x), "operand 0 has dimension 0")],
    "outfeed_with_token": [(lambda b, x: xla.outfeed_with_token(x, b.token), "operand 0 has dimension 0")],
    "infeed": [(lambda b, x: xla.infeed(b, x.shape), "result 0 has dimension 0 of bounded size")],
    "infeed_with_token": [(lambda b, x: xla.infeed_with_token(b.token, x.shape), "result 0 has dimension 0")],
    "send": [(lambda b, x: xla.send(x, xla.ChannelHandle(1)), "operand 0 has dimension 0")],
    "send_with_token": [
        (lambda b, x: xla.send_with_token(x, b.token, xla.ChannelHandle(1)), "operand 0 has dimension 0")
    ],
    "recv": [(lambda b, x: xla.recv(b, x.shape, xla.ChannelHandle(1)), "result 0 has dimension 0")],
    "recv_with_token": [
        (lambda b, x: xla.recv_with_token(b.token, x.shape, xla.ChannelHandle(1)), "result 0 has dimension 0")
    ],
    "custom_call": [
        (
            lambda b, x: xla.custom_call(b, "mine", [x], xla.Shape(F32)),
            "operand 0 has dimension 0.*'stablehlo.custom_call'",
        )
    ],
}

WITHOUT_OPERANDS = {"zero", "one", "zeros", "min_value", "max_value", *(f"constant_r{rank}" for rank in range(5))}
"""Operations that take no arrays, and give some whose sizes are known."""

WITHOUT_ARRAYS = {"create_token", "after_all", "replica_id", "partition_id", "send_done", "recv_done"}
"""Operations that neither take nor give arrays of their own."""


def bounded_program(case: Case) -> tuple[Any, str]:
    """A computation of the arguments and the size, and the shape of its result."""
    builder = xla.XlaBuilder("bounded")
    operands: list[Any] = []
    size = builder.parameter(len(case.arguments), xla.Shape(S32))
    for number, (value, dim) in enumerate(zip(case.arguments, case.cuts, strict=True)):
        operand = builder.parameter(number, xla.Shape.of(value))
        operands.append(operand if dim is None else xla.set_dimension_size(operand, size, dim))
    result = case.build(builder, *operands)
    return builder.build(result), str(result.shape).partition("[")[2].removesuffix("]")


@pytest.mark.parametrize("name", CASES)
def test_what_is_behind_the_last_element_never_counts(name: str) -> None:
    for case in CASES[name]:
        program, shape = bounded_program(case)
        assert case.shape is None or shape == case.shape
        for size in case.sizes:
            cuts = [cut(value, dim, size) for value, dim in zip(case.arguments, case.cuts, strict=True)]
            if case.expected is None:
                builder = xla.XlaBuilder("static")
                operands = [builder.parameter(i, xla.Shape.of(value)) for i, value in enumerate(cuts)]
                expected = builder.build(case.build(builder, *operands)).interpret(*cuts)
            else:
                expected = case.expected(*cuts)
            for engine in (program, program.interpret):
                got = engine(*case.arguments, np.int32(size))
                assert np.shape(got) == np.shape(expected), (engine, size)
                np.testing.assert_allclose(got, expected, rtol=2e-5, atol=1e-5, err_msg=f"{engine} {size}")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_of_bounded_size_is_an_error(name: str) -> None:
    for build, message in REFUSED[name]:
        builder = xla.XlaBuilder("refused")
        x = xla.set_dimension_size(builder.parameter(0, xla.Shape.of(X)), builder.parameter(1, xla.Shape(S32)), 0)
        with pytest.raises(XlaError, match=message) as raised:
            build(builder, x)
        assert raised.value.location is not None


def test_every_operation_has_a_case() -> None:
    assert set(OPERATORS) == {*CASES, *REFUSED, *WITHOUT_ARRAYS, *WITHOUT_OPERANDS}
