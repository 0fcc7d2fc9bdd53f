"""A tensor of the global program, in the layouts in which the local program has it so far.

An op leaves its result as it comes, a sum of parts for instance. Whoever reads it asks for a layout; the cheapest way
from a version there is to that layout is emitted then, in the block of what the value is made by, and what is on the
way stays as a version too. So nothing is exchanged that nobody reads, a sum that is read in parts is scattered, and
what a loop reads from outside is exchanged once, in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from ....decisions.communication import Communication
from ....dialects import stablehlo
from ....dialects.element_sizes import element_bits
from ....ir.tensor_builder import Tensor
from .collectives import Emitter
from .devices import Layout
from .routes import Route, Tensors, route

Maker = Callable[[Layout], Tensor]
"""Makes a value in any layout, without what it is in another one."""

Combiner = type[Operation]
"""An associative op of two scalars."""


class Value:
    """A tensor of the global program, declared to be in the layout `wanted`; in none, where that is None."""

    def __init__(
        self, emitter: Emitter, type: TensorType[Attribute], wanted: Layout | None, costs: Communication
    ) -> None:
        self.type = type
        self.shape = type.get_shape()
        self.rank = len(self.shape)
        self.wanted = wanted
        self.combiner: Combiner = stablehlo.AddOp
        """What combines the parts of versions that are partial."""
        self.make: Maker | None = None
        self._home = None if wanted is None or wanted.partial else wanted
        """Where terms of a sum of what can be made anywhere come from: the layout that was declared first."""
        self._emitter = emitter
        self._versions: dict[Layout, Tensor] = {}
        self._tensors = Tensors(emitter.devices, self.shape, element_bits(type.element_type) / 8, costs)

    def alias(self, wanted: Layout | None) -> Value:
        """The same tensor with another declaration; what one makes the other has too."""
        other = Value(self._emitter, self.type, wanted, self._tensors.costs)
        other.combiner, other.make, other._versions = self.combiner, self.make, self._versions
        other._home = self._home or other._home
        return other

    @property
    def layouts(self) -> Iterable[Layout]:
        """Those it is there in; the first is the one it was made in."""
        return self._versions

    def add(self, layout: Layout, tensor: Tensor) -> None:
        """`tensor` is the value in `layout`."""
        self._versions[layout] = tensor

    def bytes(self, layout: Layout) -> float:
        """What each device has in `layout`."""
        return self._tensors.bytes(layout)

    def cost(self, layout: Layout) -> float:
        """What it takes to have the value in `layout`."""
        return 0 if self.make is not None and not layout.partial else self._cheapest(layout)[1].cost

    def cost_from(self, source: Layout) -> float:
        """What it takes to have what comes in `source` as it is declared."""
        return 0 if self.wanted is None else route(self._tensors, source, self.wanted).cost

    def in_layout(self, layout: Layout) -> Tensor:
        """The value in `layout`: what is to be emitted for that is."""
        found = self._versions.get(layout)
        if found is not None and not (layout.partial and self.combiner is not stablehlo.AddOp):
            return self._in_own_type(layout, found)
        if self.make is not None and not layout.partial:
            made = self._versions[layout] = self.make(layout)
            return made
        if layout.partial and self.combiner is not stablehlo.AddOp:
            return self._as_a_sum(layout)
        source, way = self._cheapest(layout)
        tensor = self._versions[source]
        for step, after in way.steps:
            tensor = self._emitter.step(step, tensor, self.shape, source, after, self.combiner)
            if not after.partial:
                tensor = self._in_own_type(after, tensor)
            self._versions.setdefault(after, tensor)
            source = after
        return self._in_own_type(layout, tensor)

    def _as_a_sum(self, layout: Layout) -> Tensor:
        """Parts of a sum, which is what others take partial values for."""
        total = Value(self._emitter, self.type, None, self._tensors.costs)
        total.add(layout.whole(), self.in_layout(layout.whole()))
        return total.in_layout(layout)

    def _in_own_type(self, layout: Layout, tensor: Tensor) -> Tensor:
        """Parts may be of wider elements, so that they are rounded once, when they have been combined."""
        if tensor.element_type == self.type.element_type:
            return tensor
        narrow = self._versions[layout] = tensor.convert(self.type.element_type)
        return narrow

    def _cheapest(self, layout: Layout) -> tuple[Layout, Route]:
        if self.make is not None:
            self.in_layout(self._home or layout.whole())
        ways = [(source, route(self._tensors, source, layout)) for source in self._versions]
        return min(ways, key=lambda way: way[1].cost)
