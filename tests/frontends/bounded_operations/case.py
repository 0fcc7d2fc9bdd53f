"""What a case consists of, and the arguments of most.

Each case is built on `x`, f32[<=5,4] unless it says otherwise, and compared with NumPy, or with the same operation on
an array of just that size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from xdsl_xla.frontends import xla_builder as xla

Array = np.ndarray[Any, Any]
Build = Callable[..., Any]
F32, S32, U32, U8 = xla.F32, xla.S32, xla.U32, xla.U8
SIZES = (0, 1, 3, 5)


class Case(NamedTuple):
    """An operation on arguments, some of which are cut to a size that is known only when the program runs."""

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
Z = numbers(5, 4, dtype=np.complex64)


def of(build: Build, expected: Callable[..., Any] | None, *arguments: Array, **options: Any) -> Case:
    arguments = arguments or (X,)
    cuts = options.pop("cuts", [0] * len(arguments))
    return Case(build, expected, arguments, cuts, **options)


def sums() -> Any:
    """Two sums at once."""
    builder = xla.XlaBuilder("sums")
    a, b, c, d = (builder.parameter(i, xla.Shape(F32)) for i in range(4))
    return builder.build(xla.tuple(builder, [a + c, b + d]))
