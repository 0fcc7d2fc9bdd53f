"""Which contractions a convolution becomes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Convolutions:
    """Numbers of convolutions."""

    short_row_bytes: int = 96
    """A row of results that is at most so long fills one and a half of the widest vectors: rows of 7 or 14 f32 waste
    half of two. Features make whole vectors, also where a transpose of the results follows: convolutions of images
    with 7 to 24 f32 a row take 0.2 to 0.8 of the time, gradients of kernels, rows of 3, 0.12 to 0.27; from 28 on
    either is as good."""

    vector_bytes: int = 64
    """The fewest bytes of features that make up for the transposition: one of the widest vectors."""

    most_phases: int = 16
    """Most contractions that a convolution of a dilated input becomes: each costs some ten milliseconds to compile."""

    def worth_features_last(self, row: int, features: int, bytes_per_element: int) -> bool:
        """Whether a convolution whose results lie in rows of `row` places computes them with `features` as the
        contiguous dimension instead, and has them transposed."""
        return (
            row * bytes_per_element <= self.short_row_bytes
            and features > row
            and features * bytes_per_element >= self.vector_bytes
        )

    def worth_separate_phases(self, contractions: int) -> bool:
        """Whether a convolution of a dilated input is as many `contractions`, which skip what the dilation inserts,
        instead of one with several times their work."""
        return contractions <= self.most_phases
