"""Checks on the regions of operations that compute with a function."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, Region

from .shapes import compatible_types, show, violation


def scalar(element_type: Attribute) -> TensorType[Attribute]:
    """The type of one element: a tensor of rank 0."""
    return TensorType(element_type, ())


def entry_block(op: Operation, constraint: str, region: Region, name: str) -> Block:
    """The only block of a region."""
    block = region.blocks.first
    if block is None or block is not region.blocks.last:
        violation(op, constraint, f"expected one block in {name}")
    return block


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


def verify_reducer(
    op: Operation,
    constraint: str,
    region: Region,
    name: str,
    input_elements: Sequence[Attribute],
    result_elements: Sequence[Attribute],
) -> None:
    """A function of N accumulators and N values to N accumulators, all of rank 0, whose element types are those of the
    results; the types of inputs may be promoted to them."""
    count = len(input_elements)
    block = entry_block(op, constraint, region, name)
    arguments = [arg.type for arg in block.args]
    if len(arguments) != 2 * count:
        violation(op, constraint, f"expected {2 * count} arguments of {name}, got {len(arguments)}")
    returned = returned_types(op, constraint, block, name)
    accumulators = [scalar(element) for element in result_elements]
    if len(returned) != count or not all(map(compatible_types, returned, accumulators)):
        violation(op, constraint, f"expected {name} to return {show(accumulators)}, got {show(returned)}")
    for index, argument in enumerate(arguments):
        expected = accumulators[index % count]
        if not compatible_types(argument, expected):
            violation(
                op,
                constraint,
                f"expected {name} argument {index} of type {expected}, got {argument}",
            )
