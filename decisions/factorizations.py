"""How matrices are factored and triangular systems solved, by generated code or by LAPACK and BLAS."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Factorizations:
    """Numbers of Cholesky factorisations and triangular systems, and where generated code and SciPy's library break
    even."""

    generated_factor_rows: int = 256
    """Rows of a matrix up to which its Cholesky factor is found by generated code. The library takes 0.3 to 0.9 of the
    time for 4 to 256 rows of f32; but libraries of `xla-compile`, which give the same bits, need no LAPACK for so
    many."""

    generated_system_rows: int = 256
    """Rows of a triangular system up to which it is solved by generated code, in a tenth of the library's time for 4
    rows, 0.7 for 128, and in 1.3 times as much for 192. With 1024 rows it takes twice as long."""

    strided_rows: int = 16
    """Rows up to which generated code walks along the columns of such a matrix where that is its form; a larger one is
    transposed. With 256 rows of f32, columns take 25 times as long: every element is in another cache line, in one of
    few sets."""

    rows_at_once: int = 4
    """Rows subtracted from another one in one pass: it is loaded and stored once for so many loads and
    multiplications."""

    aligned_elements: int = 16
    """The pass over the right part of a row begins at a multiple of so many elements: what is aligned loads faster.
    The lanes of f32 in the widest vectors."""
