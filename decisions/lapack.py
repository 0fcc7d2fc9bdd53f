"""Which factorisations are called of LAPACK."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lapack:
    """Where generated code and SciPy's LAPACK break even."""

    generated_rows: int = 256
    """Rows of a matrix up to which generated code finds its Cholesky factor as fast as SciPy's LAPACK; with twice as
    many it takes 2.4 times as long. Other factorisations have no generated code."""

    def library_is_faster(self, routine: str, rows: int) -> bool:
        """Whether a factorisation is called of LAPACK."""
        return routine != "potrf" or rows > self.generated_rows
