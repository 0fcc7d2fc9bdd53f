"""Tiles copied transposed: square blocks are loaded as vectors, transposed in registers and stored as vectors.

A block of `n` vectors of `n` elements is transposed in `log2 n` steps. In a step, vectors `d` apart exchange the halves
of their groups of `2 d` elements that lie off the diagonal; from `d = 1` on these are shuffles within 128 bits, then of
whole such parts, for which CPUs have instructions. Where a vector has no more than 128 bits, a step interleaves vector
`i` with vector `i + n / 2` instead: of an element's address (vector, position) in bits, it rotates the most significant
bit of each into the least significant of the other (the perfect shuffle: Stone, "Parallel processing with the perfect
shuffle", IEEE Transactions on Computers, 1971). Blocks at the edge overlap their neighbours, so there is no remainder.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from ...decisions.copies import SIMPLE_BYTES
from ...decisions.model import CostModel
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.records import changed
from ...ir.affine import ZERO, AffineSum, Division, dimension
from ...ir.affine_builder import AffineBuilder
from ...ir.vector_arithmetic import VectorArithmetic, interleave, transposed
from ...ir.vectors import vector_element_bits
from .addresses import Environment, address_of
from .function_state import FunctionState
from .nest import Access, Nest


def is_single_copy(nest: Nest) -> bool:
    """Whether all that a nest does is to move the elements of one buffer to another."""
    return nest.body.is_copy and len(nest.inputs) == len(nest.outputs) == 1


def in_blocks(copy: Nest, model: CostModel) -> Nest | None:
    """The copy of a tile, its last two dimensions, in square blocks; None where it is copied element by element, where
    what it reads is not contiguous in the first of them, be it in reverse, or what it writes not in the second, or
    where the last block of one of them is shorter.
    """
    (source,), (target,) = copy.inputs, copy.outputs
    last = len(copy.extents) - 1
    if not isinstance(source, Access) or source.flat.stride(last - 1) not in (1, -1) or target.flat.stride(last) != 1:
        return None
    if vector_element_bits(source.type.element_type) is None or any(block.dim >= last - 1 for block in copy.blocks):
        return None
    most = min(model.target.lanes(8 * source.element_bytes), *copy.extents[-2:])
    side = model.copies.transposed_side(source.element_bytes, most, _moves_lines(copy, source, target, model))
    return changed(copy, unrolled=2, transposed=side) if side else None


def _moves_lines(copy: Nest, source: Access, target: Access, model: CostModel) -> bool:
    """Whether a copy moves more than the second-level cache holds, in rows that begin at cache lines."""
    size = prod(source.type.get_shape()) * source.element_bytes
    strides = [access.flat.stride(dim) for access in (source, target) for dim in range(len(copy.extents))]
    line = CACHE_LINE_BYTES // source.element_bytes
    lines = all(stride == 1 or (stride is not None and stride % line == 0) for stride in strides)
    return lines and 2 * size > model.target.l2_bytes


def with_loops_over_blocks(nest: Nest) -> Nest:
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


def emit_transposed_block(state: FunctionState, nest: Nest, env: Environment, cursor: AffineBuilder) -> None:
    """The copy of one block, the last two dimensions of `nest`, of which the first is contiguous in the input, the
    second in the output. `env` has the values of the dimensions before. What the input has in reverse begins with the
    last row.
    """
    (source,), (target,) = nest.inputs, nest.outputs
    assert isinstance(source, Access)
    side = nest.transposed
    type = VectorType(source.type.element_type, [side])
    rows = range(side) if source.flat.stride(len(nest.extents) - 2) == 1 else range(side - 1, -1, -1)
    vectors: list[SSAValue] = []
    for column in range(side):
        env[-2:] = rows[0], column
        vectors.append(cursor.add(address_of(state, source, env, cursor.insert).load(type)))
    arithmetic = VectorArithmetic(cursor, fma=False)
    if side * source.element_bytes > SIMPLE_BYTES:
        vectors = transposed(arithmetic, *vectors)
    else:
        for _ in range(side.bit_length() - 1):
            pairs = zip(vectors[: side // 2], vectors[side // 2 :], strict=True)
            vectors = [vector for pair in pairs for vector in interleave(arithmetic, *pair)]
    for row, vector in zip(rows, vectors, strict=True):
        env[-2:] = row, 0
        cursor.insert(address_of(state, target, env, cursor.insert).store(vector))
