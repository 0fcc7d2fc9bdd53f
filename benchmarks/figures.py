"""What summarises measurements: means, slopes."""

from __future__ import annotations

import math
from collections.abc import Sequence


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean of positive numbers; NaN of none.

    >>> geometric_mean([0.5, 2.0])
    1.0
    """
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def growth_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent `e` of the power law `cost ~ size ** e` that fits best: the least-squares slope of the logarithms.

    >>> growth_exponent([1, 2, 4], [3, 12, 48])
    2.0
    """
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - mean_x) ** 2 for a in x)
