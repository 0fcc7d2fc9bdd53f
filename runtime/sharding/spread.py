"""How the arguments and results of a program on whole arrays are spread over devices, as plain data."""

from __future__ import annotations

from typing import NamedTuple

from ...dialects.sdy.shardings import Sharding
from ..signature import Signature
from .splitting import Splitting


class Spread(NamedTuple):
    """What the program of one device says of the program on whole arrays."""

    devices: int
    signature: Signature
    """That of the program on whole arrays."""
    inputs: tuple[Sharding | None, ...]
    """None for an argument that every device has all of."""
    outputs: tuple[Sharding | None, ...]

    def splittings(self) -> tuple[tuple[Splitting, ...], tuple[Splitting, ...]]:
        """What splits and joins arguments, and results."""
        sides = (self.signature.inputs, self.inputs), (self.signature.outputs, self.outputs)
        inputs, outputs = (
            tuple(Splitting(spec.shape, sharding, self.devices) for spec, sharding in zip(*side, strict=True))
            for side in sides
        )
        return inputs, outputs
