"""Which values are computed where they are read."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.fusion import Fusion

FUSION = Fusion()


@pytest.mark.parametrize(
    ("operations", "full_inputs", "readers", "recomputation", "fused"),
    [
        (0, 1, 5, 100.0, True),
        (0, 2, 1, 9.0, True),
        (0, 2, 2, 1.0, False),
        (50, 3, 1, 1.0, True),
        (50, 3, 2, 1.0, False),
        (6, 1, 4, 1.0, True),
        (7, 1, 2, 1.0, False),
        (6, 2, 2, 1.0, False),
        (2, 1, 1, 8.0, True),
        (3, 1, 1, 8.0, False),
        (2, 2, 1, 8.0, False),
    ],
)
def test_values_in_their_readers(
    operations: int, full_inputs: int, readers: int, recomputation: float, fused: bool
) -> None:
    """Movement moves, one reader computes nothing twice, several want what is cheap, a broadcast the cheapest."""
    assert FUSION.worth_computing_in_readers(operations, full_inputs, readers, recomputation) is fused


@pytest.mark.parametrize(
    ("tensors", "in_last_dimension", "readers", "selected"),
    [(1, False, 9, True), (2, True, 9, True), (2, False, 1, True), (2, False, 2, False)],
)
def test_readers_that_select_parts(tensors: int, in_last_dimension: bool, readers: int, selected: bool) -> None:
    assert FUSION.worth_selecting_parts(tensors, in_last_dimension, readers) is selected
