"""Tiles copied transposed: square blocks are loaded as vectors, transposed in registers and stored as vectors.

A block of `n` vectors of `n` elements is transposed in `log2 n` steps. In a step, vectors `d` apart exchange the halves
of their groups of `2 d` elements that lie off the diagonal; from `d = 1` on these are shuffles within 128 bits, then of
whole such parts, for which CPUs have instructions. Where a vector has no more than 128 bits, a step interleaves vector
`i` with vector `i + n / 2` instead: of an element's address (vector, position) in bits, it rotates the most significant
bit of each into the least significant of the other (the perfect shuffle: Stone, "Parallel processing with the perfect
shuffle", IEEE Transactions on Computers, 1971). Blocks at the edge overlap their neighbours, so there is no remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.copies import SIMPLE_BYTES
from ...decisions.model import CostModel
from ...ir.affine import ZERO, AffineSum, Division, dimension
from ...ir.vectors import vector_element_bits
from .addresses import Environment, address_of
from .loop_builder import Cursor, FunctionState
from .nest import Access, Nest


def block_side(access: Access, rows: int, columns: int, model: CostModel) -> int:
    """The side of the blocks of a tile of `rows` by `columns` elements; 0 where it is copied element by element."""
    if vector_element_bits(access.type.element_type) is None:
        return 0
    lanes = model.target.lanes(8 * access.element_bytes)
    return model.copies.transposed_side(access.element_bytes, min(lanes, rows, columns))


def in_blocks(nest: Nest) -> Nest:
    """The copy `nest` with loops over blocks: its last two dimensions are now those of a block."""
    side, tile = nest.transposed, len(nest.extents) - 2
    extents = list(nest.extents[:tile])
    starts: list[AffineSum] = []
    for extent in nest.extents[tile:]:
        count, start = -(-extent // side), ZERO
        if count > 1:
            block = dimension(len(extents))
            start = block * side
            if overlap := count * side - extent:
                start = start + AffineSum({Division(block, count - 1, False): -overlap})
            extents.append(count)
        starts.append(start)
    values = {tile + at: start + dimension(len(extents) + at) for at, start in enumerate(starts)}
    extents += [side, side]
    return nest.reindex(tuple(extents), (False,) * len(extents), values)


def emit_transposed_block(state: FunctionState, nest: Nest, env: Environment, cursor: Cursor) -> None:
    """The copy of one block, the last two dimensions of `nest`, of which the first is contiguous in the input, the
    second in the output. `env` has the values of the dimensions before.
    """
    (source,), (target,) = nest.inputs, nest.outputs
    assert isinstance(source, Access)
    type = VectorType(source.type.element_type, [nest.transposed])
    vectors: list[SSAValue] = []
    for column in range(nest.transposed):
        env[-2:] = 0, column
        load = address_of(state, source, env, cursor.add).load(type)
        cursor.add(load)
        vectors.append(load.results[0])
    for row, value in enumerate(_transpose(vectors, type, source.element_bytes, cursor.add)):
        env[-2:] = row, 0
        cursor.add(address_of(state, target, env, cursor.add).store(value))


def _transpose(
    vectors: Sequence[SSAValue],
    type: VectorType[Attribute],
    bytes_per_element: int,
    add: Callable[[Operation], None],
) -> Sequence[SSAValue]:
    """Vector `i` of the result holds element `i` of all vectors."""
    side = len(vectors)
    is_simple = side * bytes_per_element <= SIMPLE_BYTES
    return (_interleaved if is_simple else _exchanged)(vectors, type, add)


def _interleaved(
    vectors: Sequence[SSAValue], type: VectorType[Attribute], add: Callable[[Operation], None]
) -> Sequence[SSAValue]:
    side = len(vectors)
    for _ in range(side.bit_length() - 1):
        interleaved: list[SSAValue] = []
        for first, second in zip(vectors[: side // 2], vectors[side // 2 :], strict=True):
            interleaved += (_shuffle(first, second, _interleaving(side, half), type, add) for half in range(2))
        vectors = interleaved
    return vectors


def _exchanged(
    vectors: Sequence[SSAValue], type: VectorType[Attribute], add: Callable[[Operation], None]
) -> Sequence[SSAValue]:
    side = len(vectors)
    result = list(vectors)
    for distance in (1 << step for step in range(side.bit_length() - 1)):
        for row in range(side):
            if row & distance:
                continue
            first, second = result[row], result[row + distance]
            masks = _exchange(side, distance)
            result[row], result[row + distance] = (_shuffle(first, second, mask, type, add) for mask in masks)
    return result


def _shuffle(
    first: SSAValue,
    second: SSAValue,
    mask: Attribute,
    type: VectorType[Attribute],
    add: Callable[[Operation], None],
) -> SSAValue:
    op = vector.ShuffleOp.create(operands=[first, second], result_types=[type], properties={"mask": mask})
    add(op)
    return op.results[0]


@cache
def _interleaving(side: int, half: int) -> Attribute:
    """The mask that takes the lower or upper halves of two vectors in turns."""
    positions = range(half * side // 2, (half + 1) * side // 2)
    return DenseArrayBase.from_list(i64, [k + other for k in positions for other in (0, side)])


@cache
def _exchange(side: int, distance: int) -> tuple[Attribute, Attribute]:
    """The masks that make two vectors exchange elements: the second `distance` of the first vector, and of all further
    ones, for the first `distance` of the second.
    """
    lanes = range(side)
    first = [side + lane - distance if lane & distance else lane for lane in lanes]
    second = [side + lane if lane & distance else lane + distance for lane in lanes]
    return DenseArrayBase.from_list(i64, first), DenseArrayBase.from_list(i64, second)
