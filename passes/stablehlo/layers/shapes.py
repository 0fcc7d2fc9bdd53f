"""Ops as numbers: two ops have the same one if they are the same computation but for the values that they read."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.editing import ops_of, walk
from ....dialects.xrt_names import CONTRACT


class Shapes:
    """The numbers of ops, from 0 on. An attribute is hashed once, however many ops share it."""

    def __init__(self) -> None:
        self._attributes: dict[int, tuple[Attribute, int]] = {}
        """By identity, with the attribute, which has to live as long."""
        self._by_value: dict[Hashable, int] = {}
        self._shapes: dict[Hashable, int] = {}

    def of(self, op: Operation) -> int:
        """The number of `op`."""
        key = self._key(op)
        return self.number((key, self._inside(op, {})) if op.regions else key)

    def number(self, key: Hashable) -> int:
        """Equal keys have equal numbers, which no op has that is not equal."""
        return self._shapes.setdefault(key, len(self._shapes))

    def of_attribute(self, attribute: Attribute) -> int:
        """Equal attributes have equal numbers."""
        known = self._attributes.get(id(attribute))
        if known is not None:
            return known[1]
        value: Hashable = attribute
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            value = self._of_constant(cast("DenseIntOrFPElementsAttr[Any]", attribute))
        number = self._by_value.setdefault(value, len(self._by_value))
        self._attributes[id(cast(Attribute, attribute))] = attribute, number
        return number

    def _of_constant(self, constant: DenseIntOrFPElementsAttr[Any]) -> Hashable:
        return self.of_attribute(constant.type), constant.data.data

    def _key(self, op: Operation) -> Hashable:
        """What `op` is, but for its operands and regions."""
        number = self.of_attribute
        key: list[Hashable] = [
            op.__class__,
            frozenset([(name, number(value)) for name, value in op.properties.items()]),
            CONTRACT in op.attributes,
            len(op._operands),
        ]
        key += [number(result._type) for result in op.results]
        return tuple(key)

    def _inside(self, op: Operation, names: dict[SSAValue, int]) -> Hashable:
        """What the regions of `op` hold; values from outside are all the same."""
        key: list[Hashable] = []
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    names[argument] = len(names)
                    key.append(self.of_attribute(argument.type))
                for inner in block.ops:
                    key.append(
                        self._key(inner) if not inner.regions else (self._key(inner), self._inside(inner, names))
                    )
                    key.append(tuple([names.get(operand) for operand in inner._operands]))
                    for result in inner.results:
                        names[result] = len(names)
        return tuple(key)


def values_read(op: Operation) -> Iterator[SSAValue]:
    """The operands of `op`, and the values from outside that the ops in it read, each as often as they do."""
    yield from op._operands
    if not op.regions:
        return
    inside = {block: None for inner in walk(op) for region in inner.regions for block in region.blocks}
    for block in inside:
        for inner in ops_of(block):
            for operand in inner._operands:
                owner = operand.owner
                if (owner if isinstance(owner, Block) else owner.parent) not in inside:
                    yield operand
