"""Which factorisations and systems are left to generated code."""

from __future__ import annotations

from xdsl_xla.decisions.factorizations import Factorizations
from xdsl_xla.runtime.ahead_of_time.processors import cost_model, processor


def test_small_systems_are_solved_by_generated_code() -> None:
    numbers = Factorizations()
    assert numbers.generated_factor_rows < numbers.generated_system_rows


def test_libraries_are_not_linked_with_lapack_for_small_matrices() -> None:
    model = cost_model(processor(None, None), 1)
    assert model.factorizations.generated_factor_rows == model.factorizations.generated_system_rows > 128
