"""Which factorisations are called of LAPACK."""

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
class Lapack:
    """Where generated code and SciPy's LAPACK break even."""

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
