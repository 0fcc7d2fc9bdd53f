"""Random StableHLO programs whose results do not depend on how floats are rounded.

`generate(seed)` is a module with one public function, the inputs to call it with and, for each op of the entry, how far
its results may be off. Floats start on a grid of eighths in [-4, 4]. What is known about a value (its grid, if all
elements still are on one and no rounding has happened, its magnitude, the error it may carry) follows it through the
ops. Ops that are not continuous (comparisons, rounding to integers, sorting) and those whose derivative is
unbounded get values that are exact; sums and products take any finite ones and pass the error on. So a difference
outside the tolerance is a bug.
"""

from __future__ import annotations

from collections.abc import Callable

from .random_programs.control_flow import call, case, if_, while_
from .random_programs.elementwise import (
    bitcast,
    clamp,
    compare,
    convert,
    float_binary,
    guarded,
    integer_binary,
    is_finite,
    reduce_precision,
    select,
    unary,
)
from .random_programs.movement import (
    broadcast,
    concatenate,
    dynamic_slice,
    dynamic_update_slice,
    gather,
    iota,
    pad,
    reshape,
    reverse,
    scatter,
    slice_,
    transpose,
)
from .random_programs.reductions import argmax, convolution, dot_general, reduce, reduce_window, sort
from .random_programs.values import Generator, Program

TABLE: list[tuple[Callable[[Generator], None], int]] = [
    (unary, 8), (integer_binary, 6), (float_binary, 7), (guarded, 3), (compare, 3), (is_finite, 1), (select, 3),
    (clamp, 2), (convert, 4), (bitcast, 2), (reduce_precision, 1), (iota, 2), (broadcast, 4), (reshape, 4),
    (transpose, 4), (reverse, 2), (slice_, 4), (pad, 3), (concatenate, 3), (dynamic_slice, 2),
    (dynamic_update_slice, 2), (gather, 3), (scatter, 3), (reduce, 5), (argmax, 2), (reduce_window, 3),
    (sort, 2), (dot_general, 4), (convolution, 2), (while_, 2), (if_, 1), (case, 1), (call, 1),
]  # fmt: skip


def generate(seed: int) -> Program:
    """The program number `seed`."""
    return Generator(seed, TABLE).program()
