"""How matrices are factored and triangular systems solved, by generated code or by LAPACK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def _native_steps() -> Mapping[str, Mapping[str, int]]:
    steps = {
        "potrf": dict.fromkeys("sdcz", 256),
        "getrf": {"s": 96, "d": 64, "c": 32, "z": 16},
        "geqrf": {"s": 300, "d": 200, "c": 128, "z": 32},
    }
    return MappingProxyType({name: MappingProxyType(of_types) for name, of_types in steps.items()})


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

    lu_block: int = 32
    """Columns of an LU factorisation between two matrix products: each step passes over all rows of the block."""

    qr_block: int = 32
    """Columns of a QR factorisation whose reflections are applied to the rest as one: each of their steps passes
    twice over all rows of the block."""

    native_steps: Mapping[str, Mapping[str, int]] = field(default_factory=_native_steps)
    """The columns of square matrices up to which generated code factors them faster than SciPy's LAPACK, by the
    letters of element types. Twice as many columns are 1.3 to 4 times as slow as LAPACK."""

    tall_rows: int = 64
    """From how many rows on a tall matrix is factored by LAPACK, in 1.1 to 3 times less time: a step here passes
    over all rows of a block of columns. Lower: small matrices pay for the call."""

    tall: int = 4
    """How many times as many rows as columns such a matrix has. Lower: more factorisations go to LAPACK, which is
    called one matrix at a time."""

    def library_is_faster(self, routine: str, letter: str, rows: int, columns: int) -> bool:
        """Whether a factorisation is called of LAPACK; what generated code has no form of is."""
        name = "geqrf" if routine in ("orgqr", "ungqr") else routine
        if name not in self.native_steps:
            return True
        steps = min(rows, columns)
        return steps > self.native_steps[name][letter] or rows >= max(self.tall_rows, self.tall * steps)
