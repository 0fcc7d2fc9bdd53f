"""What programs say to the host, in order, and what it tells them: for comparisons of two runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects.editing import walk
from ..dialects.stablehlo.shapes import is_tensor
from ..reference.arrays import shape_and_dtype
from ..reference.environment import Batch, Host
from ..runtime.signature import TensorSpec
from .tensor_io import random_inputs


class Effect(NamedTuple):
    """Something that a program has told the host."""

    kind: str
    """`outfeed`, or `send` with its channel."""
    values: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        return f"{self.kind} of {', '.join(map(str, self.specs())) or 'nothing'}"

    def specs(self) -> list[TensorSpec]:
        """The types of the values."""
        return [TensorSpec(self.kind, value.shape, value.dtype) for value in self.values]


class Feeds(NamedTuple):
    """The types of what a program reads from the host, in the order of its ops."""

    infeed: tuple[tuple[TensorSpec, ...], ...] = ()
    channels: tuple[tuple[int, tuple[TensorSpec, ...]], ...] = ()

    @staticmethod
    def of(module: ModuleOp) -> Feeds:
        """What `infeed` and `recv` ops of the module read."""
        infeed: list[tuple[TensorSpec, ...]] = []
        channels: dict[int, tuple[TensorSpec, ...]] = {}
        for op in walk(module):
            if op.name == "stablehlo.infeed" and len(op.results) > 1:
                infeed.append(_specs(op))
            elif op.name == "stablehlo.recv":
                handle: Any = op.properties.get("channel_handle")
                channels.setdefault(handle.handle, _specs(op))
        return Feeds(tuple(infeed), tuple(channels.items()))


def _specs(op: Operation) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec("", *shape_and_dtype(result.type)) for result in op.results if is_tensor(result.type))


class _Feed(deque[Any]):
    """A queue that never ends: random values of the types in turn."""

    def __init__(self, types: Sequence[tuple[TensorSpec, ...]], seed: int) -> None:
        super().__init__()
        self._types, self._seed, self._taken = types, seed, 0

    def __bool__(self) -> bool:
        return True

    def popleft(self) -> Batch:
        specs = self._types[self._taken % len(self._types)]
        self._taken += 1
        return tuple(random_inputs(specs, self._seed + self._taken))


@dataclass
class RecordingHost(Host):
    """A host that writes down what it is told, of all kinds in one list."""

    effects: list[Effect] = field(default_factory=list[Effect])

    @staticmethod
    def with_feeds(feeds: Feeds, seed: int) -> RecordingHost:
        host = RecordingHost()
        if feeds.infeed:
            host.infeed = _Feed(feeds.infeed, seed)
        for channel, specs in feeds.channels:
            host.from_host[channel] = _Feed([specs], seed + channel)
        return host

    def write(self, values: Batch) -> None:
        self.effects.append(Effect("outfeed", tuple(np.array(value) for value in values)))

    def send(self, channel: int, values: Batch) -> None:
        self.effects.append(Effect(f"send on channel {channel}", tuple(np.array(value) for value in values)))
