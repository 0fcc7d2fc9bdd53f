"""Operations that move elements, change shapes, or make tuples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xla_programs import add_of

from .case import Array, Case, V, X, Y, numbers, of


def interior(x: Array, value: float) -> Array:
    spread = np.full(max(0, 2 * len(x) - 1), value, x.dtype)
    spread[::2] = x
    return spread


MOVEMENT: dict[str, Sequence[Case]] = {
    "broadcast": [
        of(lambda b, x: xla.broadcast(x, [3]), lambda x: np.broadcast_to(x, (3, *x.shape)), shape="3,<=5,4"),
        # A reduction of the result sees no copies of what is behind the last element.
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
}
