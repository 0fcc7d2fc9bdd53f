"""Where passes over functions put what they make: ops in front of an anchor, constants at the top of the function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dense import pack_element, splat_attribute
from ...dialects.editing import insert_before, new_op
from ...ir.vectors import on_vectors

_NONE: Mapping[str, Attribute] = {}
_splat = lru_cache(1 << 8)(splat_attribute)
"""Kernels have many constants in common, and an attribute is verified each time it is made."""


class Emission:
    """Puts ops in front of `anchor`, and constants, each once, at the start of the block `entry`."""

    def __init__(self, entry: Block) -> None:
        self.entry = entry
        self.anchor: Operation
        self._constants: dict[tuple[object, ...], SSAValue] = {}

    def insert(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] = _NONE,
    ) -> SSAValue:
        """The result of a new op, on vectors if it is one."""
        if result_type.__class__ is VectorType:
            op_class = on_vectors(op_class)
        op = new_op(op_class, operands, [result_type], properties, location=self.anchor.location)
        insert_before(op, self.anchor)
        return op.results[0]

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """A constant of any kind."""
        found = self._constants.get((value, type))
        return self._add((value, type), value, type) if found is None else found

    def number(self, value: float, type: Attribute) -> SSAValue:
        """`value`, rounded to `type`, integers modulo their size; in all lanes of a vector."""
        vector = cast("VectorType[Any]", type) if type.__class__ is VectorType else None
        element = cast(Any, type) if vector is None else vector.element_type
        shape = () if vector is None else vector.get_shape()
        if element.__class__ is IntegerType:
            half = 1 << (element.bitwidth - 1)
            value = (int(value) + half) % (2 * half) - half
            key = (element, shape, value)
        else:
            key = (element, shape, element.pack((value,)))
        found = self._constants.get(key)
        if found is None:
            data = pack_element(element, value)
            if vector is not None:
                attribute: Attribute = _splat(vector, data)
            else:
                (number,) = element.unpack(data, 1)
                attribute = (IntegerAttr if element.__class__ is IntegerType else FloatAttr)(number, element)
            found = self._add(key, attribute, type)
        return found

    def _add(self, key: tuple[object, ...], value: Attribute, type: Attribute) -> SSAValue:
        op = new_op(arith.ConstantOp, result_types=[type], properties={"value": value})
        first = self.entry.first_op
        assert first is not None
        insert_before(op, first)
        found = self._constants[key] = op.results[0]
        return found
