"""Random StableHLO programs whose results do not depend on how floats are rounded.

`generate(seed)` is a module with one public function, the inputs to call it with and, for each op of the entry, how far
its results may be off. What is known of operands (`random_programs/known.py`) decides what they are good for: exact
values, NaN and infinities included, go wherever the result is defined bit for bit; ops that are not continuous
(comparisons, rounding to integers, sorting) take nothing else; sums, products and smooth functions also take values
that have been rounded, and pass their error on. So a difference outside the tolerance is a bug.
"""

from __future__ import annotations

from random import Random

from .random_programs import (
    bounded_sizes,
    contractions,
    conversion,
    dynamism,
    effects,
    elementwise,
    functions,
    grids,
    indexing,
    lapack,
    linear_algebra,
    movement,
    reductions,
    sorting,
    special_types,
)
from .random_programs import control_flow as flow
from .random_programs.generator import Emit, Generator, Program

TABLE: list[tuple[Emit, float]] = [
    (elementwise.integer_unary, 3), (elementwise.integer_binary, 6), (elementwise.float_unary, 4),
    (elementwise.float_binary, 7), (elementwise.neighbour, 0.5), (elementwise.guarded_quotient, 1.5),
    (elementwise.complex_arithmetic, 2.5), (elementwise.complex_parts, 1.5), (elementwise.compare, 3),
    (elementwise.is_finite, 1), (elementwise.select, 3), (elementwise.clamp, 2), (elementwise.broadcasting, 2),
    (elementwise.broadcasting_select, 0.5), (elementwise.constant_like, 0.5), (elementwise.chlo_constant, 0.3),
    (functions.smooth, 3), (functions.growing, 2), (functions.function, 2.5), (functions.binary_function, 1.5),
    (functions.complex_function, 1.5),
    (conversion.convert, 5), (conversion.bitcast, 2), (conversion.reduce_precision, 1),
    (movement.iota, 2), (movement.broadcast, 4), (movement.leading_broadcast, 0.5), (movement.reshape, 4),
    (movement.transpose, 4), (movement.reverse, 2), (movement.slice_, 4), (movement.pad, 3), (movement.concatenate, 3),
    (movement.dimension_size, 0.3), (movement.barrier, 0.7), (movement.identity_call, 0.3),
    (indexing.dynamic_slice, 2), (indexing.dynamic_update_slice, 2), (indexing.gather, 3), (indexing.scatter, 3),
    (indexing.torch_index_select, 1),
    (reductions.reduce, 5), (reductions.argmax, 1.5), (reductions.reduce_window, 3), (reductions.map_, 1),
    (reductions.select_and_scatter, 1), (sorting.sort, 2.5), (sorting.top_k, 0.7),
    (sorting.sort_without_order, 0.6),
    (contractions.dot_general, 4), (contractions.dot, 1), (contractions.einsum, 1), (contractions.unary_einsum, 0.5),
    (contractions.convolution, 2.5),
    (lapack.lapack, 1.5), (linear_algebra.fft, 0.8), (linear_algebra.cholesky, 0.4),
    (linear_algebra.triangular_solve, 0.4), (linear_algebra.batch_norm, 0.8), (linear_algebra.random_bits, 0.8),
    (special_types.quantized, 0.8), (special_types.bounded, 0.4),
    (bounded_sizes.bounded_sizes, 1.5),
    (effects.tokens, 0.2), (effects.tuples, 0.5), (effects.process_ids, 0.2), (effects.collective, 0.5),
    (effects.collective_reduction, 0.4), (effects.random_numbers, 0.4), (dynamism.shape_operands, 1.2),
    (reductions.scan, 0.7), (contractions.ragged_dot, 0.5), (functions.binary_special, 0.4),
    (flow.while_slices, 1), (flow.while_integers, 1), (flow.if_, 1), (flow.case, 1), (flow.call, 1),
]  # fmt: skip
"""Emitters and how often they are drawn, relative to others."""


ALONE = {
    effects.collective, effects.collective_reduction, effects.random_numbers, lapack.lapack, linear_algebra.cholesky,
    linear_algebra.triangular_solve,
}  # fmt: skip
"""Emitters for one process: those of its own collectives, and of matrices whose elements have their places."""

GRID_TABLE = [*grids.EMITTERS, *((emit, weight / 4) for emit, weight in TABLE if emit not in ALONE)]

GRID_PROGRAMS = 0.06
"""The share of programs that several processes run."""


def generate(seed: int) -> Program:
    """The program number `seed`."""
    kind = Random(f"kind of program {seed}")
    if kind.random() < GRID_PROGRAMS:
        return Generator(seed, GRID_TABLE, grid=kind.choice(grids.GRIDS)).program()
    return Generator(seed, TABLE).program()
