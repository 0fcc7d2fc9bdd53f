"""Which parts of a program that occur several times are worked through once."""

from __future__ import annotations

from dataclasses import dataclass

FUSED_READERS = 2
"""Elementwise ops that compute again what they read. A value of more of them is in memory, and a layer may end with it:
lower, and layers end where a loop would have been shared."""

STORED_COST, FUSED_COST = 1, 8
"""What it costs that a value passes from one layer to the next: one that is in memory anyway, and one that is not."""


@dataclass(frozen=True)
class Layers:
    """Numbers of layers."""

    least_ops: int = 100
    """Ops of a block that is searched for layers. Fewer: more small programs are searched, which takes about 8 us an
    op; the passes that a layer is spared take some 150 us an op."""

    least_layer: int = 8
    """Ops of a layer. Fewer: functions of little more than a call."""

    copied_elements: int = 64
    """Elements of a constant, other than one of equal elements, that each layer has for itself. More: constants that
    kernels could share, once for each layer."""
