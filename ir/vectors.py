"""Vector code: ops on vectors of several lanes, which are for no vectoriser to look at, and what vectors hold."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    DictionaryAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.element_sizes import element_bits
from ..dialects.shared_attributes import cached_by_identity
from ..dialects.xrt import LanewiseOp

_FLOATS = frozenset({BFloat16Type, Float16Type, Float32Type, Float64Type})
_INTEGER_BITS = (8, 16, 32, 64)
_NONE: Mapping[str, Attribute] = {}
_NO_OPTIONS = DictionaryAttr({})
_SCALAR_ONLY: dict[type[Operation], StringAttr] = {
    op_class: StringAttr(op_class.name)
    for op_class in (
        arith.CmpfOp,
        arith.CmpiOp,
        arith.ExtFOp,
        arith.ExtSIOp,
        arith.ExtUIOp,
        arith.FPToSIOp,
        arith.FPToUIOp,
        arith.SelectOp,
        arith.SIToFPOp,
        arith.TruncFOp,
        arith.TruncIOp,
        arith.UIToFPOp,
    )
}
"""Ops that xDSL has for scalars only, with their names."""


def on_vectors(
    op_class: type[Operation], properties: Mapping[str, Attribute] = _NONE
) -> tuple[type[Operation], Mapping[str, Attribute]]:
    """Class and properties of the op that does on each lane what an op of this class does on scalars."""
    name = _SCALAR_ONLY.get(op_class)
    if name is None:
        return op_class, properties
    return LanewiseOp, {"op": name, "options": DictionaryAttr(properties) if properties else _NO_OPTIONS}


@cached_by_identity
def vector_element_bits(type: Attribute) -> int | None:
    """The bits of an element of which CPUs have vectors; None of others."""
    is_number = type.__class__ in _FLOATS or (type.__class__ is IntegerType and element_bits(type) in _INTEGER_BITS)
    return element_bits(type) if is_number else None


def is_vector_code(ops: Iterable[Operation]) -> bool:
    """Whether one of `ops` takes or gives a vector of several lanes. What is in their regions does not count."""
    for op in ops:
        for value in op.results:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
        for value in op._operands:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
    return False


def lanes(value: SSAValue) -> int:
    """How many elements `value` has as a vector; 0 if it is none."""
    type = value._type
    return _element_count(type) if type.__class__ is VectorType else 0


@cached_by_identity
def _element_count(type: Attribute) -> int:
    return cast("VectorType[Attribute]", type).element_count()
