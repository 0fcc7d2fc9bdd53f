"""Tridiagonal systems that may be singular, as JAX solves them on CPUs: `tridiagonal_solve_perturbed_ffi`.

Elimination with row exchanges, then back substitution in which a pivot too small to divide by is moved away from zero:
inverse iteration wants a finite solution of a system that is singular. Source: LAPACK's `lagtf` and `lagts`, for
complex numbers as jaxlib's `tridiagonal_solve_perturbed.h` has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array
from .custom_calls import custom_call_target
from .registry import Call


@custom_call_target("tridiagonal_solve_perturbed_ffi")
def solve_perturbed(call: Call, below: Array, diagonal: Array, above: Array, b: Array) -> Array:
    """The solution of `T x = b`. Each diagonal has n elements: `below` begins with an unused one, `above` ends so."""
    del call
    size = diagonal.shape[-1]
    if not b.size:
        return b
    if size == 1:
        upper, x = [(diagonal[..., 0], np.zeros_like(diagonal[..., 0]))], [b[..., 0, :]]
    else:
        upper, x = _eliminate(below, diagonal, above, b)
    greatest = np.max([np.abs(number) for row in upper for number in row], axis=0)
    perturbation = np.finfo(b.dtype).eps * greatest
    for row in reversed(range(size)):
        for distance, factor in enumerate(upper[row][1:], 1):
            if row + distance < size:
                x[row] = x[row] - factor[..., None] * x[row + distance]
        pivot, x[row] = _perturbed(upper[row][0], x[row], perturbation)
        x[row] = x[row] * (1 / pivot)[..., None]
    return np.stack(x, axis=-2)


def _eliminate(below: Array, diagonal: Array, above: Array, b: Array) -> tuple[list[tuple[Array, ...]], list[Array]]:
    """The rows of the upper factor, each a pivot and the two elements behind it, and the rows of `L^-1 P b`."""
    size = diagonal.shape[-1]
    none = np.zeros_like(diagonal[..., 0])
    upper: list[tuple[Array, ...]] = []
    x: list[Array] = []
    pivot, second, row = diagonal[..., 0], above[..., 0], b[..., 0, :]
    scale = np.abs(pivot) + np.abs(second)
    for k in range(1, size):
        left, middle, right, next_row = below[..., k], diagonal[..., k], above[..., k], b[..., k, :]
        if k == size - 1:
            right = none
        next_scale = np.abs(left) + np.abs(middle) + np.abs(right)
        is_exchanged = _quotient(np.abs(left), next_scale) > _quotient(np.abs(pivot), scale)
        factor = np.where(is_exchanged, _quotient(pivot, left), _quotient(left, pivot))
        kept = np.where(is_exchanged, left, pivot), np.where(is_exchanged, middle, second)
        upper.append((*kept, np.where(is_exchanged, right, none)))
        wide, is_row_exchanged = factor[..., None], is_exchanged[..., None]
        x.append(np.where(is_row_exchanged, next_row, row))
        row = np.where(is_row_exchanged, row - wide * next_row, next_row - wide * row)
        pivot = np.where(is_exchanged, second - factor * middle, middle - factor * second)
        second = np.where(is_exchanged, -factor * right, right)
        scale = np.where(is_exchanged, np.abs(pivot) + np.abs(second), next_scale)
    return [*upper, (pivot, none)], [*x, row]


def _quotient(a: Array, b: Array) -> Array:
    """0 where there is nothing to divide by: a row of zeros, or a zero that needs no elimination."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)


def _perturbed(pivot: Array, row: Array, perturbation: Array) -> tuple[Array, Array]:
    """A pivot by which a row can be divided without overflow, and the row, which is scaled where both are tiny."""
    info: Any = np.finfo(pivot.dtype)
    least: float = info.tiny
    most = 1 / least
    step: Array = np.copysign(np.maximum(perturbation, least), np.real(pivot))
    greatest: Array = np.max(np.abs(row), axis=-1)
    is_open: Array = np.abs(pivot) < 1
    while np.any(is_open):
        size: Array = np.abs(pivot)
        is_tiny = size < least
        is_moved: Array = is_open & np.where(is_tiny, (size == 0) | (greatest * least > size), greatest > size * most)
        is_scaled = is_open & is_tiny & ~is_moved
        pivot = np.where(is_moved, pivot + step, np.where(is_scaled, pivot * most, pivot))
        row = np.where(is_scaled[..., None], row * most, row)
        step = np.where(is_moved, 2 * step, step)
        is_open = is_moved & (np.abs(pivot) < 1)
    return pivot.astype(row.dtype), row
