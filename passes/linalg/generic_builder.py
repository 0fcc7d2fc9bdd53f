"""Generics in front of others: from their operands, and from their bodies (`GenericBuilder`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import affine, arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from ...dialects.editing import append, insert_before, new_block, new_op, new_region, replace_uses
from ...dialects.shared_attributes import i32_array, index_attribute, tensor_type
from ...ir.structured import element_type

Indices: TypeAlias = tuple[AffineExpr, ...]
"""Where a tensor is read, in terms of the loops."""


def parallel_loops(rank: int) -> ArrayAttr[IteratorTypeAttr]:
    """The kinds of loops of which none reduces."""
    return ArrayAttr([IteratorTypeAttr.parallel()] * rank)


def empty_like(value: SSAValue, shape: Sequence[int], before: Operation) -> SSAValue:
    """A destination of such elements."""
    op = new_op(tensor.EmptyOp, [], [tensor_type(element_type(value), *shape)])
    insert_before(op, before)
    return op.tensor


def insert_generic(
    before: Operation,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    maps: Sequence[AffineMap],
    iterator_types: Attribute,
    body: Region,
    like: GenericOp | None = None,
) -> GenericOp:
    """A generic on tensors in front of an op, with the other properties and the attributes of `like`."""
    properties = {
        **({} if like is None else like.properties),
        "indexing_maps": ArrayAttr(map(AffineMapAttr, maps)),
        "iterator_types": iterator_types,
        "operandSegmentSizes": i32_array(len(inputs), len(outputs)),
    }
    types, attributes = [value.type for value in outputs], {} if like is None else like.attributes
    op = new_op(GenericOp, [*inputs, *outputs], types, properties, attributes, regions=[body], location=before.location)
    insert_before(op, before)
    return op


def moved(value: SSAValue, access: AffineMap, shape: Sequence[int], before: Operation) -> SSAValue:
    """A tensor of `shape` whose elements are those of `value` where `access` says."""
    element = element_type(value)
    block = new_block((element, element))
    append(block, new_op(YieldOp, [block.args[0]]))
    rank, outputs = len(shape), [empty_like(value, shape, before)]
    maps = access, AffineMap.identity(rank)
    return insert_generic(before, [value], outputs, maps, parallel_loops(rank), new_region(block)).results[0]


class GenericBuilder:
    """The body of a generic of `rank` loops, to which ops are appended: what it reads becomes an operand, once, when it
    is first read.
    """

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.block = new_block()
        self.read: dict[tuple[SSAValue, Indices], SSAValue] = {}
        self._indices: dict[AffineExpr, SSAValue] = {}

    def add(self, op: Operation) -> SSAValue:
        """Appends `op` and returns its first result."""
        append(self.block, op)
        return op.results[0]

    def element(self, tensor: SSAValue, indices: Indices, type: Attribute) -> SSAValue:
        """`tensor[indices]`."""
        known = self.read.get((tensor, indices))
        if known is None:
            known = self.read[tensor, indices] = self.block.insert_arg(type, len(self.block.args))
        return known

    def index(self, expr: AffineExpr) -> SSAValue:
        """The value of `expr` over the loops."""
        known = self._indices.get(expr)
        if known is not None:
            return known
        if isinstance(expr, AffineDimExpr):
            op = IndexOp(expr.position)
        elif isinstance(expr, AffineConstantExpr):
            op = arith.ConstantOp(index_attribute(expr.value))
        else:
            dims = sorted(expr.used_dims())
            operands = [self.index(AffineDimExpr(d)) for d in dims]
            renumbered: list[AffineExpr] = [AffineConstantExpr(0)] * self.rank
            for position, d in enumerate(dims):
                renumbered[d] = AffineDimExpr(position)
            applied = AffineMap(len(dims), 0, (expr.replace_dims_and_symbols(renumbered, ()),))
            op = affine.ApplyOp(operands, AffineMapAttr(applied))
        known = self._indices[expr] = self.add(op)
        return known

    def finish(
        self, old: Operation, outputs: Sequence[SSAValue], stores: Sequence[AffineMap], iterator_types: Attribute
    ) -> GenericOp:
        """The generic, whose body has its terminator, in the place of `old`."""
        inputs = [tensor for tensor, _ in self.read]
        maps = [*(AffineMap(self.rank, 0, indices) for _, indices in self.read), *stores]
        like = old if isinstance(old, GenericOp) else None
        op = insert_generic(old, inputs, outputs, maps, iterator_types, Region(self.block), like)
        for before, after in zip(old.results, op.results, strict=True):
            replace_uses(before, after)
        return op
