"""Operations that treat each element for itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.xla_builder.operators import OPERATORS

from .case import S32, U8, U32, Array, Case, I, V, X, Y, Z, of


def static(name: str, *values: Array) -> Array:
    """The operation on arrays of the least of their sizes, by the reference."""
    count = min(len(value) for value in values)
    builder = xla.XlaBuilder("static")
    cuts = [value[:count] for value in values]
    operands = [builder.parameter(i, xla.Shape.of(value)) for i, value in enumerate(cuts)]
    return builder.build(OPERATORS[name].function(*operands)).interpret(*cuts)


UNARY = (
    "abs cbrt ceil cos erf exp expm1 floor is_finite log log1p logistic neg round round_nearest_even rsqrt sign sin"
    " sqrt tan tanh acos asin asinh atan atanh bessel_i1e cosh digamma erfc erf_inv is_inf is_neg_inf is_pos_inf"
    " lgamma sinh square real imag"
).split()
BINARY = "add sub mul div rem max min pow atan2 next_after complex".split()
COMPARISONS = [f"{name}{order}" for name in ("eq", "ne", "ge", "gt", "le", "lt") for order in ("", "_total_order")]
BITS = "and_ or_ xor shift_left shift_right_arithmetic shift_right_logical".split()


ELEMENTWISE: dict[str, Sequence[Case]] = {
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
            # One operand of bounded size: lhs; rhs; rhs that is broadcast; beside a scalar; beside a single row.
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
}
