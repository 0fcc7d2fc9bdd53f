"""Sums of floats with the errors of their additions, whatever stands for a float.

Knuth, "The Art of Computer Programming", volume 2, section 4.2.2; Ogita, Rump and Oishi, "Accurate sum and dot
product", SIAM J. Sci. Comput. 26, 2005. Each function is given the operations it consists of, so that it serves scalar
ops, ops on vectors and the arithmetic of elementary functions. The additions must be done as they stand: no fast-math.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Binary = Callable[[T, T], T]


def two_sum(a: T, b: T, add: Binary[T], subtract: Binary[T]) -> tuple[T, T]:
    """The rounded sum of two floats of any magnitudes, and what it differs by from their exact sum."""
    total = add(a, b)
    part = subtract(total, a)
    rest = subtract(total, part)
    return total, add(subtract(a, rest), subtract(b, part))


def with_error(total: T, error: T, add: Binary[T], is_nonzero: Callable[[T], T], select: Callable[[T, T, T], T]) -> T:
    """The sum of both, where there is an error: that of an infinite sum is not a number, and a zero keeps its sign.

    `is_nonzero` tells what is less or greater than 0, so not NaN; `select(condition, a, b)` is `a` where that holds.
    """
    is_error = is_nonzero(error)
    return select(is_error, add(total, error), total)
