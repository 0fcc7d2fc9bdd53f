"""Reductions, windows, sorts and scatters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.xla_builder.operators import OPERATORS
from xla_programs import add_of, scalars

from .case import F32, Array, Case, V, X, Y, of, sums


def window(axis_sums: Array, width: int, stride: int, low: int, high: int) -> Array:
    padded = np.pad(axis_sums, [(low, high), *[(0, 0)] * (axis_sums.ndim - 1)])
    count = max(0, (len(padded) - width) // stride + 1) if len(padded) else 0
    rows = [padded[i * stride : i * stride + width].sum(0) for i in range(count)]
    return np.array(rows, np.float32).reshape(count, *axis_sums.shape[1:])


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


REDUCTIONS: dict[str, Sequence[Case]] = {
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
    **{
        name: [
            of(
                lambda b, x, s, f=OPERATORS[name].function, padding=padding: f(
                    x, scalars(xla.ge, F32, F32), [2], [2], padding, s, 0.0, add_of()
                ),
                scattered,
                V,
                Y[:2, 0].copy(),
                cuts=[0, None],
                shape="<=5",
            )
        ]
        for name, padding in (
            ("select_and_scatter", xla.Padding.VALID),
            ("select_and_scatter_with_general_padding", [(0, 0)]),
        )
    },
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
}
