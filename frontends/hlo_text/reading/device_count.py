"""How many devices a text is for that does not say so: its collectives do, by the shapes of what they take and give.

`f32[8] all-gather(f32[2] x), replica_groups={}, dimensions={0}` is an instruction for all devices, of which there are
four. XLA gets the number from whoever compiles the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..shapes import ArrayShape, Shape, TupleShape, leaves
from ..syntax import Computation, HloModule, Instruction

_GATHERING = ("all-gather", "all-gather-start")
_SCATTERING = ("reduce-scatter", "reduce-scatter-start")
_EXCHANGING = ("all-to-all", "all-to-all-start")
_SAY = ("replica_count", "num_partitions")


def count_by_shapes(hlo: HloModule) -> int:
    """The number of devices that the collectives of all devices need; 1 where the header says how many there are."""
    if any(name in hlo.attributes for name in _SAY):
        return 1
    found = [count for computation in hlo.computations.values() for count in _counts(hlo, computation)]
    return max(found, default=1)


def _counts(hlo: HloModule, computation: Computation) -> Iterator[int]:
    shapes = {instruction.name: instruction.shape for instruction in computation.instructions}
    for instruction in computation.instructions:
        if instruction.opcode in (*_GATHERING, *_SCATTERING, *_EXCHANGING) and _of_all(hlo, instruction):
            yield _count(hlo, instruction, shapes)


def _of_all(hlo: HloModule, instruction: Instruction) -> bool:
    """Whether the groups are left out, `replica_groups={}`."""
    groups = instruction.attributes.get("replica_groups")
    return groups is None or not hlo.cursor.text[groups.start : groups.end].strip("{} \n")


def _count(hlo: HloModule, instruction: Instruction, shapes: Mapping[str, Shape]) -> int:
    dimensions = instruction.attributes.get("dimensions")
    if instruction.opcode in _EXCHANGING:
        return len(instruction.operands) if dimensions is None else 1
    operand = _first_array(shapes.get(instruction.operands[0].name)) if instruction.operands else None
    result = _first_array(_result(instruction))
    if dimensions is None or operand is None or result is None or len(operand.dims) != len(result.dims):
        return 1
    dim = hlo.cursor.text[dimensions.start : dimensions.end].strip("{} \n")
    if not dim.isdecimal() or int(dim) >= len(operand.dims):
        return 1
    sizes = operand.dims[int(dim)], result.dims[int(dim)]
    small, large = sizes if instruction.opcode in _GATHERING else sizes[::-1]
    return large // small if small > 0 and large % small == 0 else 1


def _result(instruction: Instruction) -> Shape:
    """`((operands), results, context)` of a start."""
    shape = instruction.shape
    if instruction.opcode.endswith("-start") and isinstance(shape, TupleShape):
        return TupleShape(shape.elements[1:2])
    return shape


def _first_array(shape: Shape | None) -> ArrayShape | None:
    first = next(leaves(shape), None) if shape is not None else None
    return first if isinstance(first, ArrayShape) else None
