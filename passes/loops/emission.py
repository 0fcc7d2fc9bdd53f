"""Where passes over functions put what they make: ops in front of an anchor, constants at the top of the function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dense import pack_element, splat_attribute
from ...dialects.editing import insert_before, new_op

_NONE: Mapping[str, Attribute] = {}


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
        """The result of a new op."""
        op = new_op(op_class, operands, [result_type], properties, location=self.anchor.location)
        insert_before(op, self.anchor)
        return op.results[0]

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """A constant of any kind."""
        found = self._constants.get((value, type))
        return self._add((value, type), value, type) if found is None else found

    def number(self, value: float, type: Attribute) -> SSAValue:
        """`value`, rounded to `type`, integers modulo their size; in all lanes of a vector."""
        vector = cast("VectorType[Any]", type) if isinstance(type, VectorType) else None
        element: Any = type if vector is None else vector.element_type
        data = pack_element(element, value)
        key = (element, data, None if vector is None else vector.get_shape())
        found = self._constants.get(key)
        if found is not None:
            return found
        if vector is not None:
            return self._add(key, splat_attribute(vector, data), type)
        (number,) = element.unpack(data, 1)
        return self._add(
            key, IntegerAttr(number, element) if isinstance(element, IntegerType) else FloatAttr(number, element), type
        )

    def _add(self, key: tuple[object, ...], value: Attribute, type: Attribute) -> SSAValue:
        op = new_op(arith.ConstantOp, result_types=[type], properties={"value": value})
        first = self.entry.first_op
        assert first is not None
        insert_before(op, first)
        found = self._constants[key] = op.results[0]
        return found
