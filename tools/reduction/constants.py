"""Constants and attributes: simpler ones, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, OptionalDef

from ...dialects import stablehlo
from ...dialects.editing import insert_before, replace_uses, walk
from ...passes.stablehlo.stablehlo_fold_constants import dense_attribute
from ...reference.arrays import dense_array, shape_and_dtype
from .cuts import is_terminator
from .drafts import Draft, entry_function, erase_with_users_gone
from .engine import Reducer

SIMPLE = (0, 1)
"""The simplest constants, the simplest first."""


# -- ops that become constants -----------------------------------------------------------------------------------


def replace_by_constants(reducer: Reducer) -> bool:
    """Ops with regions, and those in regions, by constants of zeros or ones."""
    changed = False
    for number in SIMPLE:

        def items(module: ModuleOp) -> list[Operation]:
            return [
                op
                for op in walk(module)
                if op.results and entry_function(op) is not None and not is_terminator(op) and not _is_constant(op)
                if all(isinstance(result.type, TensorType) for result in op.results)
            ]

        def edit(draft: Draft, chunk: Sequence[Operation], number: int = number) -> bool:
            for original in reversed(chunk):
                op = draft.op(original)
                if op.parent is None:
                    continue
                for result in op.results:
                    if result.first_use is not None:
                        constant = stablehlo.ConstantOp(_splat(result.type, number))
                        insert_before(constant, op)
                        replace_uses(result, constant.results[0])
                erase_with_users_gone(op)
            return True

        changed |= reducer.minimise(items, edit)
    return changed


def _is_constant(op: Operation) -> bool:
    return op.name.endswith(".constant")


def _splat(type: Attribute, number: int) -> DenseIntOrFPElementsAttr:
    """Raises what `shape_and_dtype` does for types that arrays do not have."""
    shape, dtype = shape_and_dtype(type)
    return dense_attribute(cast("TensorType[Attribute]", type), np.full(shape, number).astype(dtype))


# -- constants ---------------------------------------------------------------------------------------------------


def simplify_constants(reducer: Reducer) -> bool:
    """Constants of zeros, of ones, or of one element."""
    changed = False
    for rank in range(len(SIMPLE) + 1):

        def items(module: ModuleOp, rank: int = rank) -> list[tuple[Operation, str]]:
            return [
                (op, name)
                for op in walk(module)
                if _is_constant(op)
                for name, value in op.properties.items()
                if name == "value" and _rank(value) > rank
            ]

        def edit(draft: Draft, chunk: Sequence[tuple[Operation, str]], rank: int = rank) -> bool:
            for original, name in chunk:
                op = draft.op(original)
                op.properties[name] = _simplified(op.properties[name], rank)
            return True

        changed |= reducer.minimise(items, edit)
    return changed


def _rank(value: Attribute) -> int:
    """How simple a constant is: its place in `SIMPLE`, then those of one element, then others."""
    match value:
        case DenseIntOrFPElementsAttr():
            elements = _elements(value)
            if elements is None or elements.size == 0:
                return 0
            for place, number in enumerate(SIMPLE):
                if (elements == number).all() and not (number == 0 and _has_sign(elements)):
                    return place
            return len(SIMPLE) + (elements.tobytes() != np.full_like(elements, elements.flat[0]).tobytes())
        case IntegerAttr(value=number):
            return SIMPLE.index(number.data) if number.data in SIMPLE else len(SIMPLE)
        case FloatAttr(value=number):
            return SIMPLE.index(int(number.data)) if number.data in SIMPLE else len(SIMPLE)
        case _:
            return 0


def _has_sign(elements: Any) -> bool:
    with np.errstate(invalid="ignore"):
        return bool(elements.dtype.kind == "f" and np.signbit(elements).any())


def _elements(value: Any) -> np.ndarray[Any, Any] | None:
    try:
        return dense_array(value)
    except Exception:  # a type that arrays do not have
        return None


def _simplified(value: Attribute, rank: int) -> Attribute:
    match value:
        case DenseIntOrFPElementsAttr():
            elements = dense_array(value)
            element = SIMPLE[rank] if rank < len(SIMPLE) else elements.flat[0]
            return dense_attribute(
                cast("TensorType[Attribute]", value.type), np.full(elements.shape, element).astype(elements.dtype)
            )
        case IntegerAttr(type=type) if rank < len(SIMPLE):
            assert isinstance(type, IntegerType | IndexType)
            return IntegerAttr(SIMPLE[rank], type)
        case FloatAttr(type=type) if rank < len(SIMPLE):
            return FloatAttr(float(SIMPLE[rank]), type)
        case _:
            return value


# -- attributes --------------------------------------------------------------------------------------------------


def drop_attributes(reducer: Reducer) -> bool:
    """Attributes that ops can be without."""

    def items(module: ModuleOp) -> list[tuple[Operation, str]]:
        return [(op, name) for op in walk(module) for name in _optional_attributes(op)]

    def edit(draft: Draft, chunk: Sequence[tuple[Operation, str]]) -> bool:
        for original, name in chunk:
            op = draft.op(original)
            if op.properties.pop(name, None) is None:
                op.attributes.pop(name, None)
        return True

    return reducer.minimise(items, edit)


def _optional_attributes(op: Operation) -> list[str]:
    optional = list(op.attributes)
    if isinstance(op, IRDLOperation):
        definitions = op.get_irdl_definition().properties
        optional += [
            name
            for name in op.properties
            if isinstance(definitions.get(name), OptionalDef) and name != "sym_visibility"
        ]
    return optional
