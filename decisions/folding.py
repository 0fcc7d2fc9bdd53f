"""What is computed while a program is compiled."""

from __future__ import annotations

from dataclasses import dataclass

SMALL_ELEMENTS = 64
"""Elements up to which a result is folded even if it is larger than its operands, by the folders of ops too. Higher:
larger constants, which take longer to print, hash and load than to compute."""


@dataclass(frozen=True)
class Folding:
    """Numbers of constant folding."""

    small_elements: int = SMALL_ELEMENTS
    """The same for `stablehlo-fold-constants`."""

    folded_elements: int = 1 << 16
    """Elements up to which a result that is not a splat is folded at all: NumPy takes about a millisecond for so
    many. Higher: more time for a program that may run once."""

    def worth_folding(self, elements: int, stored_elements: int) -> bool:
        """Whether ops on constants of `stored_elements` become a constant of `elements`."""
        return elements <= self.small_elements or elements <= min(self.folded_elements, stored_elements)
