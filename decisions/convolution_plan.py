"""Which contractions a convolution becomes: numbers in, choice out. No IR here."""

from __future__ import annotations

SHORT_ROW_BYTES = 96
VECTOR_BYTES = 64
"""A row of results that is at most so long fills one and a half of the widest vectors: rows of 7 or 14 f32 waste half
of two. Features make whole vectors, also where a transpose of the results follows: convolutions of images with 7 to 24
f32 a row take 0.2 to 0.8 of the time, gradients of kernels, rows of 3, 0.12 to 0.27; from 28 on either is as good."""


def worth_features_last(row: int, features: int, bytes_per_element: int) -> bool:
    """Whether a convolution whose results lie in rows of `row` places computes them with `features` as the contiguous
    dimension instead, and has them transposed.
    """
    return (
        row * bytes_per_element <= SHORT_ROW_BYTES and features > row and features * bytes_per_element >= VECTOR_BYTES
    )


MOST_PHASES = 16
"""Most contractions that a convolution of a dilated input becomes: each costs some ten milliseconds to compile."""


def worth_separate_phases(contractions: int) -> bool:
    """Whether a convolution of a dilated input is as many `contractions`, which skip what the dilation inserts, instead
    of one with several times their work."""
    return contractions <= MOST_PHASES
