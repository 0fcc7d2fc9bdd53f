"""What there is in an op, for passes that often have nothing to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ...dialects.editing import walk


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
