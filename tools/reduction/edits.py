"""The changes that a reduction tries, in order: those first that take away most."""

from __future__ import annotations

from collections.abc import Callable

from . import constants, cuts, shapes, structure
from .engine import Reducer

Strategy = Callable[[Reducer], bool]

STRATEGIES: tuple[Strategy, ...] = (
    structure.inline_calls,
    structure.drop_functions,
    cuts.return_earlier,
    cuts.cut_ops,
    cuts.drop_results,
    cuts.drop_unused_arguments,
    structure.inline_regions,
    structure.choose_successors,
    cuts.replace_inner_ops,
    cuts.replace_by_operands,
    cuts.drop_carried_values,
    constants.replace_by_constants,
    constants.simplify_constants,
    cuts.merge_arguments,
    constants.drop_attributes,
    shapes.shrink_sizes,
    shapes.shrink_padding,
)
"""Each does what it can, and says whether that was anything."""
