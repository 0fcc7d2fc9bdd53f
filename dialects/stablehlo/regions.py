"""Checks on the regions of operations that compute with a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, Region

from ..shared_attributes import tensor_type
from .element_types import is_promotable
from .shapes import compatible_types, is_tensor, show, violation


def scalar(element_type: Attribute) -> TensorType[Attribute]:
    """The type of one element: a tensor of rank 0."""
    return tensor_type(element_type)


def entry_block(op: Operation, constraint: str, region: Region, name: str) -> Block:
    """The only block of a region."""
    block = region.blocks.first
    if block is None or block is not region.blocks.last:
        violation(op, constraint, f"expected one block in {name}")
    return block


def single_op(region: Region) -> Operation | None:
    """The op of a computation `(a, b) -> op(a, b)` on two arguments in any order."""
    block = region.first_block
    if block is None or block.next_block is not None or (first := block.first_op) is None:
        return None
    last = first.next_op
    if len(block.args) != 2 or len(first.operands) != 2:
        return None
    if last is None or last.name != "stablehlo.return" or tuple(last.operands) != tuple(first.results):
        return None
    return first if set(first.operands) == set(block.args) else None


def returned_types(op: Operation, constraint: str, block: Block, name: str) -> Sequence[Attribute]:
    """The operand types of the `stablehlo.return` that ends the block."""
    last = block.last_op
    if last is None or last.name != "stablehlo.return":
        violation(op, constraint, f"expected stablehlo.return at the end of {name}")
    return last.operand_types


def verify_signature(
    op: Operation,
    constraint: str,
    region: Region,
    name: str,
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
) -> None:
    """The region takes `inputs` and returns `outputs`, dynamic dimensions aside."""
    block = entry_block(op, constraint, region, name)
    arguments = [arg.type for arg in block.args]
    if len(arguments) != len(inputs) or not all(map(compatible_types, arguments, inputs)):
        violation(op, constraint, f"expected {name} to take {show(inputs)}, got {show(arguments)}")
    returned = returned_types(op, constraint, block, name)
    if len(returned) != len(outputs) or not all(map(compatible_types, returned, outputs)):
        violation(op, constraint, f"expected {name} to return {show(outputs)}, got {show(returned)}")


class ReducerConstraints(NamedTuple):
    """The names of the constraints on a function that combines elements."""

    signature: str
    results: str


def verify_reducer(
    op: Operation,
    constraints: ReducerConstraints,
    region: Region,
    name: str,
    input_elements: Sequence[Attribute],
    result_elements: Sequence[Attribute],
) -> None:
    """A function of N accumulators and N values to N accumulators, all of rank 0. The element types of inputs can be
    promoted to those of the accumulators, which are those of the results."""
    signature, count = constraints.signature, len(input_elements)
    block = entry_block(op, signature, region, name)
    arguments = [arg.type for arg in block.args]
    if len(arguments) != 2 * count:
        violation(op, signature, f"expected {2 * count} arguments of {name}, got {len(arguments)}")
    accumulators = arguments[:count]
    for type, element in zip(accumulators, input_elements, strict=True):
        if not is_tensor(type) or type.get_shape() != ():
            violation(op, signature, f"expected {name} to take tensors of rank 0, got {show(arguments)}")
        if not is_promotable(element, type.element_type):
            violation(op, signature, f"{name} takes {type}, which {element} cannot be promoted to")
    returned = returned_types(op, signature, block, name)
    if len(returned) != count or not all(map(compatible_types, returned, accumulators)):
        violation(op, signature, f"expected {name} to return {show(accumulators)}, got {show(returned)}")
    for index, argument in enumerate(arguments[count:], count):
        expected = accumulators[index - count]
        if not compatible_types(argument, expected):
            violation(op, signature, f"expected {name} argument {index} of type {expected}, got {argument}")
    for type, element in zip(accumulators, result_elements, strict=True):
        if not compatible_types(type, scalar(element)):
            violation(
                op, constraints.results, f"expected result elements as {name} returns them, {type}, got {element}"
            )
