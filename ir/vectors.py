"""Vector code: ops on vectors of several lanes, which are for no vectoriser to look at, and what vectors hold."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.element_sizes import element_bits
from ..dialects.shared_attributes import cached_by_identity
from ..dialects.vector_arith import ON_VECTORS
from ..dialects.xrt import TileOp
from ..dialects.xrt_names import TILE

_FLOATS = frozenset({BFloat16Type, Float16Type, Float32Type, Float64Type})
_INTEGER_BITS = (8, 16, 32, 64)


def on_vectors(op_class: type[Operation]) -> type[Operation]:
    """The class of the op that does on each lane what an op of this class does on scalars, with the same properties."""
    return ON_VECTORS.get(op_class, op_class)


@cached_by_identity
def vector_element_bits(type: Attribute) -> int | None:
    """The bits of an element of which CPUs have vectors; None of others."""
    is_number = type.__class__ in _FLOATS or (type.__class__ is IntegerType and element_bits(type) in _INTEGER_BITS)
    return element_bits(type) if is_number else None


def is_vector_code(ops: Iterable[Operation]) -> bool:
    """Whether one of `ops` takes or gives a vector of several lanes, computes a register tile or copies a row. What is
    in their regions does not count.
    """
    for op in ops:
        if op.__class__ in _MAY_BE_CALLS and (is_tile(op) or is_copy(op)):
            return True
        for value in op.results:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
        for value in op._operands:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
    return False


_MAY_BE_CALLS = frozenset((TileOp, memref.CopyOp, llvm.CallOp, llvm.CallIntrinsicOp))


def is_copy(op: Operation) -> bool:
    """Whether `op` copies a row: `memref.copy`, or the intrinsic that it becomes."""
    if op.__class__ is llvm.CallIntrinsicOp:
        return cast(StringAttr, op.properties["intrin"]).data.startswith("llvm.memcpy")
    return op.__class__ is memref.CopyOp


def is_tile(op: Operation) -> bool:
    """Whether `op` computes a register tile: `xrt.tile`, or the call that it becomes."""
    if op.__class__ is llvm.CallOp:
        callee = cast("SymbolRefAttr | None", op.properties.get("callee"))
        return callee is not None and callee.root_reference.data.startswith(TILE)
    return op.__class__ is TileOp


def lanes(value: SSAValue) -> int:
    """How many elements `value` has as a vector; 0 if it is none."""
    type = value._type
    return _element_count(type) if type.__class__ is VectorType else 0


@cached_by_identity
def _element_count(type: Attribute) -> int:
    return cast("VectorType[Attribute]", type).element_count()
