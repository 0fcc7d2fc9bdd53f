"""What LLVM is to do with the functions of a program: tiers, and modules of LLVM IR that hold functions of one tier.

`llvm-choose-tiers` writes the tier of a function (`xrt.tier`), `lowering/llvm_to_text` makes parts of functions by it,
`runtime/llvm_pipeline.py` says what each tier gets.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Tier(Enum):
    """How much of LLVM a function needs."""

    PROGRAM = "program"
    """It runs once and is soon over: calls, addresses, the dispatch of parallel loops, loops over a few elements."""
    TILES = "tiles"
    """Its innermost loops are vector code that has been made ready: a code generator is all it takes."""
    VECTORS = "vectors"
    """Its innermost loops are vector code already, or it is called by loops and has none itself."""
    LOOPS = "loops"
    """It has loops over elements. Also the tier of what has none given."""


class Part(NamedTuple):
    """A module of LLVM IR."""

    text: str
    tier: Tier = Tier.LOOPS
    shared: bool = False
    """Whether it is the same in other programs, so that it is compiled once."""
    alone: bool = False
    """Whether it defines all functions of a program, but for shared ones."""
    located: str = ""
    """The text with the line that each instruction is from, if that is known."""

    def with_lines(self) -> Part:
        """This part, whose machine code is to come with a table of lines."""
        return self._replace(text=self.located, located="") if self.located else self
