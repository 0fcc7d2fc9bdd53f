"""How matrices are factored and triangular systems solved, by generated code or by LAPACK."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Factorizations:
    """Numbers of factorisations, and where generated code and SciPy's LAPACK break even."""

    factorization_size: int = 256
    """Rows up to which a triangular system or a Cholesky factorisation is solved row by row: a matrix of f32 then
    takes a quarter of the second-level cache, from which a row reads those before it."""

    factorization_block: int = 128
    """Rows of a larger one between two matrix products: enough for the FMA units, and few enough that what is found
    row by row stays a small part of the whole."""

    strided_factorization_size: int = 16
    """Rows up to which such a matrix is walked along its columns where that is its form; a larger one is transposed.
    With 256 rows of f32, columns take 25 times as long: every element is in another cache line, in one of few sets."""

    rows_at_once: int = 4
    """Rows subtracted from another one in one pass: it is loaded and stored once for so many loads and
    multiplications."""

    aligned_elements: int = 16
    """The pass over the right part of a row begins at a multiple of so many elements: what is aligned loads faster.
    The lanes of f32 in the widest vectors."""

    generated_rows: int = 256
    """Rows of a matrix up to which generated code finds its Cholesky factor as fast as SciPy's LAPACK; with twice as
    many it takes 2.4 times as long. Other factorisations have no generated code."""

    generated_solve_rows: int = 256
    """Rows up to which generated code solves a triangular system, as fast as SciPy's BLAS; of more it takes 2.5 to 4
    times as long."""

    def library_solves(self, rows: int) -> bool:
        """Whether a triangular system is solved by LAPACK's library."""
        return rows > self.generated_solve_rows

    def library_is_faster(self, routine: str, rows: int) -> bool:
        """Whether a factorisation is called of LAPACK."""
        return routine != "potrf" or rows > self.generated_rows
