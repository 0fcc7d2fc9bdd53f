"""A `linalg.generic` written from its body: what the body reads becomes an operand, once, when it is first read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from ...dialects.editing import append, insert_before, new_block, new_op, replace_uses
from ...dialects.shared_attributes import i32_array, index_attribute

Indices: TypeAlias = tuple[AffineExpr, ...]
"""Where a tensor is read, in terms of the loops."""


class GenericBuilder:
    """The body of a generic of `rank` loops, to which ops are appended."""

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
        accesses = [AffineMap(self.rank, 0, indices) for _, indices in self.read]
        op = new_op(
            GenericOp,
            operands=[*(tensor for tensor, _ in self.read), *outputs],
            result_types=old.result_types,
            properties={
                **(old.properties if isinstance(old, GenericOp) else {}),
                "indexing_maps": ArrayAttr(map(AffineMapAttr, (*accesses, *stores))),
                "iterator_types": iterator_types,
                "operandSegmentSizes": i32_array(len(self.read), len(outputs)),
            },
            attributes=old.attributes if isinstance(old, GenericOp) else {},
            regions=[Region(self.block)],
            location=old.location,
        )
        insert_before(op, old)
        for before, after in zip(old.results, op.results, strict=True):
            replace_uses(before, after)
        return op
