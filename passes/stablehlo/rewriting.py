"""What the patterns of the passes on StableHLO share: constants, reshapes, and integers of properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.dense import Number, dense_values, pack_element, splat_attribute
from ...dialects.editing import walk
from ...dialects.shared_attributes import i64_array, tensor_type
from ...ir.rewriter import Rewriter


class Census(NamedTuple):
    """What there is in an op, so that a pass which has nothing to do finds that out by one walk."""

    ops: Mapping[type[Operation], Operation]
    """By class one op of it."""
    types: Iterable[Attribute]
    """Of results, of arguments of regions, and those that functions declare."""


def census(root: Operation) -> Census:
    """What is in `root`, itself included."""
    ops: dict[type[Operation], Operation] = {}
    types: dict[int, Attribute] = {}
    for op in walk(root):
        ops[op.__class__] = op
        for result in op.results:
            type = result.type
            types[id(type)] = type
        if op.regions:
            if isinstance(op, FuncOp):
                types |= {id(type): type for type in (*op.function_type.inputs, *op.function_type.outputs)}
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        type = argument.type
                        types[id(type)] = type
    return Census(ops, types.values())


def splat(rewriter: Rewriter, type: TensorType[Attribute], value: Number | bytes) -> SSAValue:
    """A new constant all of whose elements are `value`."""
    element = value if isinstance(value, bytes) else pack_element(type.element_type, value)
    return rewriter.emit(stablehlo.ConstantOp, (), type, {"value": splat_attribute(type, element)})


def reshape(rewriter: Rewriter, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """`value` with another shape; itself if it has this shape already."""
    type = cast(TensorType[Attribute], value.type)
    if type.get_shape() == tuple(shape):
        return value
    return rewriter.emit(stablehlo.ReshapeOp, (value,), tensor_type(type.element_type, *shape))


def ints(op: Operation, name: str) -> tuple[int, ...]:
    """The values of an array or dense property of integers, each of a splat too."""
    value = op.properties[name]
    if isinstance(value, DenseIntOrFPElementsAttr):
        return tuple(dense_values(cast("DenseIntOrFPElementsAttr[Any]", value)))
    return cast(DenseArrayBase[Any], value).get_values()


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """An integer array property."""
    return i64_array(*values)


def spelled_out(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The dimensions that are not of size 1, as pairs of index and size."""
    return [(index, size) for index, size in enumerate(dims) if size != 1]
