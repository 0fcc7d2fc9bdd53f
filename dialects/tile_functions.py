"""Functions that compute the sums of products of a register tile, by their names.

Such a function is the same in all programs with tiles of its form: it is told how often its loops run and how far these
move the factors. `xrt.tile` becomes a call of one, `lowering/llvm_to_text/tile_functions.py` has its text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .xrt_names import TILE

_NAME = re.compile(
    re.escape(TILE) + r"\.(f32|f64)_(\d+)x(\d+)_(\d+(?:\.\d+)*)_(\d+(?:\.\d+)*)_(\d+)_(\d+(?:\.\d+)*)?_(fma)?_(ahead)?"
)
_MOST = 64
"""Of rows, lanes, vectors and loops: names of others are none of such functions."""


class TileFunction(NamedTuple):
    """What the code of such a function depends on."""

    element: str
    """`f32` or `f64`."""
    rows: int
    lanes: int
    columns: tuple[int, ...]
    """Where in a row of the result its vectors start."""
    places: tuple[int, ...]
    """Where these are in a step of the right factor."""
    loops: int
    chains: tuple[int, ...]
    """The loops outside of which chains of additions end: their sums are added up there."""
    fma: bool
    """Whether products are added without rounding them."""
    ahead: bool
    """Whether each step fetches an element."""

    @property
    def name(self) -> str:
        """The symbol.

        >>> TileFunction("f32", 2, 16, (0, 16), (0, 16), 2, (1,), True, False).name
        'xrt.tile.f32_2x16_0.16_0.16_2_1_fma_'
        """
        columns, places, chains = (".".join(map(str, each)) for each in (self.columns, self.places, self.chains))
        flags = f"{'fma' if self.fma else ''}_{'ahead' if self.ahead else ''}"
        return f"{TILE}.{self.element}_{self.rows}x{self.lanes}_{columns}_{places}_{self.loops}_{chains}_{flags}"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The types of what it takes: the left factor, the right one and the result where the tile begins; how far
        rows are apart in the left one and in the result; for each loop how often it runs, and how far a trip moves the
        left factor and the right one; with `ahead` what the first step fetches, and how far each loop moves that.
        """
        ahead = ("ptr", *["i64"] * self.loops) if self.ahead else ()
        return ("ptr", "ptr", "ptr", *["i64"] * (2 + 3 * self.loops), *ahead)


@lru_cache(1 << 8)
def tile_function(name: str) -> TileFunction | None:
    """The function of that name; None if it is another one."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    element, rows, lanes, columns, places, loops, chains, fma, ahead = found.groups()
    function = TileFunction(
        element,
        int(rows),
        int(lanes),
        _numbers(columns),
        _numbers(places),
        int(loops),
        _numbers(chains or ""),
        fma is not None,
        ahead is not None,
    )
    sizes = (function.rows, function.lanes, len(function.columns), function.loops)
    is_one = all(0 < size <= _MOST for size in sizes) and len(function.places) == len(function.columns)
    levels = (0, *function.chains, function.loops)
    return function if is_one and all(a <= b for a, b in pairwise(levels)) else None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("."))) if text else ()
