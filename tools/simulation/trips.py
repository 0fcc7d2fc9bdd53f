"""How often a loop runs."""

from __future__ import annotations

from dataclasses import replace

from ...decisions.model import CostModel
from ...dialects.stablehlo import WhileOp
from ...passes.stablehlo.stablehlo_unroll_loops import trip_count

MOST_TRIPS = 1_000_000
"""Up to so many are counted, a microsecond each."""


def constant_trips(op: WhileOp, model: CostModel) -> int | None:
    """The trips of a loop that counts from a constant to a constant; None for any other one."""
    patient = replace(model, loops=replace(model.loops, unrolled_trips=MOST_TRIPS))
    return trip_count(op, patient)
