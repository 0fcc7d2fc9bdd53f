"""Keys that are equal for ops, and for regions, that are the same computation.

Attributes are numbered: many ops have the same ones, and to find the same object again takes less time than to hash
what is equal. Attributes that are no properties say nothing about values, but for `xrt.contract`.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Hashable
from collections.abc import Set as AbstractSet
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.editing import ops_of
from ..dialects.xrt_names import CONTRACT

Key = tuple[Hashable, ...]


class Structures:
    """Makes keys, which can be compared with others that it has made."""

    def __init__(self) -> None:
        self._attributes: dict[int, int] = {}
        """By identity of an attribute its number, from 1 on, which equal ones share."""
        self._kept: list[Attribute] = []
        """These attributes: no other one may have their identity."""
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable) -> int:
        """From 1 on; equal keys have equal numbers."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def of_attribute(self, attribute: Attribute) -> int:
        """Equal attributes have equal numbers."""
        return self._attributes.get(id(attribute)) or self._new_attribute(attribute)

    def _new_attribute(self, attribute: Attribute) -> int:
        key: Hashable = attribute
        if type(attribute) is DenseIntOrFPElementsAttr:
            constant = cast("DenseIntOrFPElementsAttr[Any]", attribute)
            key = self.of_attribute(constant.type), constant.data.data
        number = self._attributes[id(cast(Attribute, attribute))] = self.number(key)
        self._kept.append(cast(Attribute, attribute))
        return number

    def of(self, op: Operation) -> Key:
        """What `op` is, but for its operands and what is in its regions."""
        known, new = self._attributes, self._new_attribute
        properties = [(name, known.get(id(value)) or new(value)) for name, value in op.properties.items()]
        types = [known.get(id(result._type)) or new(result._type) for result in op.results]
        return (op.__class__, frozenset(properties), CONTRACT in op.attributes, len(op._operands), *types)

    def of_values(self, op: Operation) -> int:
        """The number of all that `op` is, but for the values from outside that it and what is in it read."""
        return self.number((self.of(op), self.inside(op, {}, lambda _: None)) if op.regions else self.of(op))

    def inside(
        self,
        op: Operation,
        names: dict[SSAValue, int],
        outside: Callable[[SSAValue], Hashable],
        differing: AbstractSet[Operation] = frozenset(),
    ) -> Key:
        """What the regions of `op` hold. Their values are known by `names`, which are added, those of others by
        `outside`; the properties of the ops `differing` may differ.
        """
        key: list[Hashable] = []
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    names[argument] = len(names)
                    key.append(self.of_attribute(argument._type))
                for inner in ops_of(block):
                    key.append(self.of(inner) if inner not in differing else (inner.__class__, *inner.result_types))
                    key.append(tuple([names[x] if x in names else outside(x) for x in inner._operands]))
                    if inner.regions:
                        key.append(self.inside(inner, names, outside, differing))
                    for result in inner.results:
                        names[result] = len(names)
        return tuple(key)
