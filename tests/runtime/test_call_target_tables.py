"""What is lowered to a call of the runtime is what the runtime knows how to carry out."""

from __future__ import annotations

from xdsl_xla.lowering.convert_stablehlo_to_linalg.effects import EFFECTS, nothing
from xdsl_xla.runtime import call_targets


def test_every_effect_that_is_lowered_has_a_target() -> None:
    lowered = {op for op, handler in EFFECTS.items() if handler is not nothing}
    assert lowered == set(call_targets.OPS.values())
