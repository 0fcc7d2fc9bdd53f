"""The chlo ops that have a plain meaning on one value; all others are defined by their decomposition."""

from __future__ import annotations

from math import erfc as _erfc

import numpy as np

from .arrays import Array
from .elementwise import elementwise, multiply, vectorized_erf


@elementwise("chlo.square")
def square(operand: Array) -> Array:
    return multiply(operand, operand)


@elementwise("chlo.erf")
def erf(operand: Array) -> Array:
    return vectorized_erf(operand)


@elementwise("chlo.erfc")
def erfc(operand: Array) -> Array:
    values = np.array([_erfc(float(x)) for x in operand.reshape(-1)], np.float64)
    return values.reshape(operand.shape).astype(operand.dtype)
