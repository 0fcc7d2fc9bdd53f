"""Smaller tensors: one size, wherever it occurs, becomes a lesser one; less padding.

Types, constants and the bounds of slices follow; where sizes are sums of others (pads, concatenations, windows), the
rules of StableHLO say what results they give. Whether that leaves a program is for the verifier to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    TensorType,
    TupleType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute

from ...dialects.editing import walk
from ...dialects.stablehlo.shapes import element_type_of, is_tensor
from ...passes.stablehlo.result_shapes import result_shapes
from ...passes.stablehlo.stablehlo_fold_constants import dense_attribute
from ...reference.arrays import dense_array
from .drafts import Draft
from .engine import Reducer

SIZES_IN_ATTRIBUTES = ("limit_indices", "slice_sizes", "window_dimensions", "broadcast_sizes", "fft_length")
"""Properties that hold sizes of tensors."""

EDGES = ("edge_padding_low", "edge_padding_high", "interior_padding")
"""Properties that say how much is put in between and around."""

SMALL = (1, 2, 3, 4)
"""Sizes that are tried first."""

SizeMap = Callable[[int], int]


def shrink_sizes(reducer: Reducer) -> bool:
    """Try for each size, the largest first, the small ones and its half; alone, and with its multiples."""
    if not reducer.may_change_signatures:
        return False
    changed = False
    done: set[int] = set()
    while sizes := [size for size in _sizes(reducer.best) if size not in done]:
        size = max(sizes)
        done.add(size)
        for smaller in [s for s in (*SMALL, size // 2) if 0 < s < size]:
            alone, along = _alone(size, smaller), _along(size, smaller)
            if (
                reducer.attempt(lambda draft, f=alone: _resize(draft, f))
                or reducer.attempt(lambda draft, f=along: _resize(draft, f))
                or reducer.attempt(lambda draft, f=alone: _resize(draft, f) and _follow(draft.module))
            ):
                changed = True
                break
    return changed


def shrink_padding(reducer: Reducer) -> bool:
    """Try for each op that pads to put in nothing, or one element in each place."""
    if not reducer.may_change_signatures:
        return False
    changed = False
    for number in range(len(_pads(reducer.best))):
        for most in (0, 1):
            if reducer.attempt(lambda draft, n=number, most=most: _pad_less(draft.module, n, most)):
                changed = True
                break
    return changed


def _pads(module: ModuleOp) -> list[Operation]:
    return [op for op in walk(module) if op.name == "stablehlo.pad"]


def _pad_less(module: ModuleOp, number: int, most: int) -> bool:
    op = _pads(module)[number]
    before = dict(op.properties)
    for name in EDGES:
        op.properties[name] = _sizes_of(op.properties[name], lambda n: max(-most, min(n, most)))
    return op.properties != before and _follow(module)


def _follow(module: ModuleOp) -> bool:
    """Give results the shapes that follow from operands, and functions the types of what they return; whether some are
    others.
    """
    changed = False
    for op in walk(module):
        if isinstance(op, ReturnOp) and isinstance(function := op.parent_op(), FuncOp):
            inputs = function.function_type.inputs.data
            results = [value.type for value in op.operands]
            function.properties["function_type"] = FunctionType.from_lists(inputs, results)
        shapes = result_shapes(op) if all(map(_is_static, (*op.operands, *op.results))) else None
        for result, shape in zip(op.results, shapes or (), strict=False):
            type: Attribute = TensorType(element_type_of(result), shape)
            changed |= result.type != type
            _set_type(result, type)
    return changed


def _is_static(value: SSAValue) -> bool:
    return not is_tensor(value.type) or value.type.has_static_shape()


def _alone(size: int, smaller: int) -> SizeMap:
    return lambda n: smaller if n == size else n


def _along(size: int, smaller: int) -> SizeMap:
    return lambda n: n // size * smaller if n > 0 and n % size == 0 else n


def _sizes(module: ModuleOp) -> set[int]:
    found: set[int] = set()
    for op in walk(module):
        types = [result.type for result in op.results]
        types += [arg.type for region in op.regions for block in region.blocks for arg in block.args]
        for type in types:
            if isinstance(type, TensorType | MemRefType):
                found.update(size for size in cast("TensorType[Attribute]", type).get_shape() if size > 1)
    return found


def _resize(draft: Draft, new_size: SizeMap) -> bool:
    for op in walk(draft.module):
        _resize_op(op, new_size)
        for region in op.regions:
            for block in region.blocks:
                _resize_arguments(block, new_size)
    return True


def _resize_op(op: Operation, new_size: SizeMap) -> None:
    for name, value in op.properties.items():
        op.properties[name] = _sizes_of(value, new_size) if name in SIZES_IN_ATTRIBUTES else resized(value, new_size)
    for result in op.results:
        _set_type(result, resized(result.type, new_size))


def _resize_arguments(block: Block, new_size: SizeMap) -> None:
    for argument in block.args:
        _set_type(argument, resized(argument.type, new_size))


def _set_type(value: Any, type: Attribute) -> None:
    if value.type != type:
        value._type = type


def _sizes_of(value: Attribute, new_size: SizeMap) -> Attribute:
    if isinstance(value, DenseArrayBase):
        return DenseArrayBase.from_list(i64, [new_size(int(n)) for n in cast(Sequence[int], value.get_values())])
    return value


def resized(value: Attribute, new_size: SizeMap) -> Attribute:
    """A type or constant with other sizes; constants keep their first elements."""
    match value:
        case TensorType():
            return TensorType(value.element_type, [new_size(size) for size in value.get_shape()], value.encoding)
        case MemRefType():
            shape = [new_size(size) for size in value.get_shape()]
            return MemRefType(value.element_type, shape, value.layout, value.memory_space)
        case FunctionType(inputs=inputs, outputs=outputs):
            return FunctionType.from_lists(
                [resized(type, new_size) for type in inputs.data],
                [resized(type, new_size) for type in outputs.data],
            )
        case TupleType(types=types):
            return TupleType(tuple(cast(TypeAttribute, resized(type, new_size)) for type in types.data))
        case ArrayAttr(data=data):
            return ArrayAttr([resized(item, new_size) for item in data])
        case DenseIntOrFPElementsAttr(type=TensorType() as type):
            return _resized_constant(cast("DenseIntOrFPElementsAttr[Any]", value), type, new_size)
        case _:
            return value


def _resized_constant(
    value: DenseIntOrFPElementsAttr[Any], type: TensorType[Any], new_size: SizeMap
) -> DenseIntOrFPElementsAttr[Any]:
    new_type = cast("TensorType[Attribute]", resized(type, new_size))
    if new_type == type:
        return value
    elements = dense_array(value)
    part = elements[tuple(slice(0, size) for size in new_type.get_shape())]
    return dense_attribute(new_type, np.ascontiguousarray(part))
