"""Which factorisations and systems are left to generated code."""

from __future__ import annotations

from xdsl_xla.decisions.factorizations import Factorizations
from xdsl_xla.decisions.model import host_model
from xdsl_xla.runtime.ahead_of_time.processors import cost_model, processor


def test_libraries_and_programs_in_a_process_factor_alike() -> None:
    """So that they give the same bits; small matrices are no reason to link a library with LAPACK."""
    assert cost_model(processor(None, None), 1) is None
    numbers = host_model().factorizations
    assert numbers == Factorizations()
    assert numbers.generated_factor_rows == numbers.generated_system_rows > 128
