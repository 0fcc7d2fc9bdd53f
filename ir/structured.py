"""Questions about `linalg.generic`: extents, kinds of iterators, contractions, reshapes of one.

Works on tensors and memrefs alike. Nothing here changes IR.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, IntegerType, MemRefType, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from ..dialects.editing import ops_of
from ..dialects.shared_attributes import cached_by_identity

RESHAPES: frozenset[type[Operation]] = frozenset({tensor.ExpandShapeOp, tensor.CollapseShapeOp})
ShapedType = TensorType[Attribute] | MemRefType[Attribute]


@cached_by_identity
def _shape(type: Attribute) -> tuple[int, ...]:
    return cast(ShapedType, type).get_shape() if isinstance(type, TensorType | MemRefType) else ()


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The static shape of a tensor or memref value; `()` for a scalar."""
    return _shape(value._type)


def element_type(value: SSAValue) -> Attribute:
    """The element type of a tensor or memref value, or the type itself of a scalar."""
    type: Attribute = value.type
    return cast(ShapedType, type).element_type if type.__class__ is TensorType or type.__class__ is MemRefType else type


def constant_index(value: SSAValue) -> int | None:
    """The number that a value of type `index` is, if an `arith.constant` says so."""
    owner = value.owner
    number = owner.properties["value"] if type(owner) is arith.ConstantOp else None
    return cast("IntegerAttr[IndexType]", number).value.data if type(number) is IntegerAttr else None


def inputs(op: GenericOp | FillOp) -> Sequence[SSAValue]:
    """`op.inputs` at the price of a slice."""
    return op._operands[: number_of_inputs(op)]


def outputs(op: GenericOp | FillOp) -> Sequence[SSAValue]:
    """`op.outputs` at the price of a slice."""
    return op._operands[number_of_inputs(op) :]


def _body(op: GenericOp) -> Block:
    """`op.body.block` without a look at the definition."""
    return cast(Block, op.regions[0]._first_block)


def number_of_inputs(op: GenericOp | FillOp) -> int:
    """The first of the segment sizes of the operands, two `i32`."""
    return _first_size(op.properties["operandSegmentSizes"])


@cached_by_identity
def _first_size(sizes: Attribute) -> int:
    return int.from_bytes(cast("DenseArrayBase[IntegerType]", sizes).data.data[:4], "little")


def indexing_maps(op: GenericOp) -> list[AffineMap]:
    """The indexing maps, inputs first, then outputs."""
    return [attr.data for attr in op.indexing_maps.data]


def iterators(op: GenericOp) -> list[bool]:
    """For each loop dimension whether it is a reduction."""
    return [it.data is not IteratorType.PARALLEL for it in op.iterator_types.data]


def is_elementwise(op: GenericOp) -> bool:
    """All iterators parallel, every output map a permutation, no output read."""
    if any(iterators(op)):
        return False
    rank = len(op.iterator_types.data)
    if any(
        len(m.results) != rank or not m.is_projected_permutation() for m in indexing_maps(op)[number_of_inputs(op) :]
    ):
        return False
    return not any(arg.first_use for arg in _body(op).args[number_of_inputs(op) :])


def loop_extents(op: GenericOp) -> tuple[int, ...]:
    """The extent of each loop dimension, read off the operands indexed by a plain dimension.

    Raises ValueError where a dimension is indexed by no operand alone: the op's verifier forbids that.
    """
    return extents_from_accesses(
        len(op.iterator_types.data),
        zip(indexing_maps(op), map(shape_of, op._operands), strict=True),
    )


def extents_from_accesses(rank: int, accesses: Iterable[tuple[AffineMap, tuple[int, ...]]]) -> tuple[int, ...]:
    """The extents of `rank` loop dimensions from pairs of indexing map and operand shape."""
    extents: list[int | None] = [None] * rank
    for indexing_map, shape in accesses:
        for expr, size in zip(indexing_map.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                extents[expr.position] = size
    if None in extents:
        raise ValueError(f"loop dimension {extents.index(None)} has no extent")
    return tuple(cast(list[int], extents))


def only_moves(op: GenericOp) -> bool:
    """Whether the elementwise `op` yields an input as it is."""
    return isinstance(_body(op).first_op, YieldOp) and is_elementwise(op)


_SELECTS: set[type[Operation]] = {IndexOp, arith.ConstantOp, arith.CmpiOp, arith.AndIOp, arith.SelectOp, YieldOp}


def is_selection(op: GenericOp) -> bool:
    """Whether `op` does nothing but select one of its operands by its indices: each is read where it is selected only,
    once loops are cut.
    """
    selects = False
    for inner in ops_of(_body(op)):
        if type(inner) not in _SELECTS:
            return False
        if isinstance(inner, arith.CmpiOp) and not isinstance(inner.lhs.type, IndexType):
            return False
        selects |= isinstance(inner, arith.SelectOp)
    return selects


def program_blocks(op: Operation) -> list[Block]:
    """The blocks of `op` and of the control flow inside it, not of structured ops."""
    blocks: list[Block] = []
    for region in op.regions:
        for block in region.blocks:
            blocks.append(block)
            for inner in ops_of(block):
                if inner.regions and not isinstance(inner, LinalgStructuredOperation):
                    blocks.extend(program_blocks(inner))
    return blocks


def is_contraction(op: GenericOp) -> bool:
    """Two inputs, one output, `out += lhs * rhs` over at least one reduction dimension that both inputs use.

    One of them is read again: along a dimension that only the other has. Without that, as in the dot product of two
    vectors or of the columns of two matrices, it is a reduction like others. Further inputs only bound the loops.
    """
    block = _body(op)
    count = number_of_inputs(op)
    if count < 2 or len(op.operands) != count + 1 or not any(iterators(op)):
        return False
    if any(argument.first_use for argument in block.args[2:count]):
        return False
    lhs, rhs = (access.used_dims() for access in indexing_maps(op)[:2])
    both = lhs & rhs
    if both == lhs | rhs or not any(reduces and d in both for d, reduces in enumerate(iterators(op))):
        return False
    terminator = cast(Operation, block.last_op)
    total = terminator.operands[0].owner if len(terminator.operands) == 1 else None
    if not isinstance(total, arith.AddfOp | arith.AddiOp | arith.OrIOp) or block.args[-1] not in total.operands:
        return False
    factors = (operand.owner for operand in total.operands)
    product = next((op for op in factors if isinstance(op, arith.MulfOp | arith.MuliOp | arith.AndIOp)), None)
    return product is not None and {_source(v) for v in product.operands} == {block.args[0], block.args[1]}


_WIDENING = {arith.ExtFOp, arith.ExtSIOp, arith.ExtUIOp}


def _source(value: SSAValue) -> SSAValue:
    """`value` before widening conversions."""
    owner = value.owner
    while type(owner) in _WIDENING:
        value = cast(Operation, owner).operands[0]
        owner = value.owner
    return value


def is_unit_reshape(op: Operation) -> bool:
    """Whether `op` is a reshape that adds or removes dimensions of size 1 only."""
    if type(op) not in RESHAPES:
        return False
    before, after = shape_of(op.operands[0]), shape_of(op.results[0])
    return [size for size in before if size != 1] == [size for size in after if size != 1]


def indices_before(op: Operation, indices: Sequence[AffineExpr]) -> tuple[AffineExpr, ...]:
    """Indices into the operand of a reshape, one that `is_unit_reshape` or joins dimensions, for `indices` into its
    result.
    """
    before = shape_of(op.operands[0])
    if is_unit_reshape(op):
        remaining = iter([i for i, size in zip(indices, shape_of(op.results[0]), strict=True) if size != 1])
        return tuple(AffineConstantExpr(0) if size == 1 else next(remaining) for size in before)
    assert isinstance(op, tensor.CollapseShapeOp)
    found: list[AffineExpr] = []
    for index, group in zip(indices, op.reassociation.data, strict=True):
        sizes = [before[dim.value.data] for dim in group.data]
        inner = prod(sizes)
        for position, size in enumerate(sizes):
            inner //= size
            expr = index // inner if inner > 1 else index
            found.append(expr % size if position and size > 1 else expr if size > 1 else AffineConstantExpr(0))
    return tuple(found)
