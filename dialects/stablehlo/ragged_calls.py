"""The custom call that frontends write for the collective `ragged_all_to_all`."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType

from .custom_call import CustomCallOp
from .shapes import element_type_of, is_tensor, shape_of, show, violation

RAGGED_ALL_TO_ALL = "ragged_all_to_all"


def verify_ragged_all_to_all(op: CustomCallOp) -> None:
    """`(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes) -> output`: rows of one type, and four
    lists of integers of one length. Does nothing for calls of other targets.

    Source: the shape function of the instruction in XLA (`InferRaggedAllToAllShape`).
    """
    if op.call_target_name.data != RAGGED_ALL_TO_ALL:
        return
    types = show(op.operand_types)
    if len(op.operands) != 6 or len(op.results) != 1 or not all(map(is_tensor, (*op.operand_types, *op.result_types))):
        violation(op, RAGGED_ALL_TO_ALL, f"expected 6 tensors and 1 result, got {types} -> {show(op.result_types)}")
    operand, output, *lists = op.operands
    if output.type != op.results[0].type:
        violation(op, RAGGED_ALL_TO_ALL, f"expected a result of the type of output, {output.type}")
    is_same = element_type_of(operand) == element_type_of(output) and shape_of(operand)[1:] == shape_of(output)[1:]
    if not is_same or not shape_of(operand) or not shape_of(output):
        violation(op, RAGGED_ALL_TO_ALL, f"expected rows of one type, got {operand.type} and {output.type}")
    sizes = {shape_of(value) for value in lists}
    if len(sizes) > 1 or any(len(size) != 1 for size in sizes):
        violation(op, RAGGED_ALL_TO_ALL, f"expected offsets and sizes of one length, got {show(op.operand_types[2:])}")
    if not all(isinstance(element_type_of(value), IntegerType) for value in lists):
        violation(op, RAGGED_ALL_TO_ALL, f"expected offsets and sizes of integers, got {show(op.operand_types[2:])}")
