"""Gathers, products, convolutions, normalisation and what calls computations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl_xla.frontends import xla_builder as xla

from .case import F32, S32, Array, Case, X, Y, Z, numbers, of


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


ALGEBRA: dict[str, Sequence[Case]] = {
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
