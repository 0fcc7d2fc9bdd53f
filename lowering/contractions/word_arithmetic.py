"""Arithmetic on words, as the instruction of a contraction does it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import vector
from xdsl.dialects.builtin import StringAttr, VectorType, i32
from xdsl.ir import SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import vector_type
from ...dialects.xrt import DotOp
from ...ir.affine_builder import AffineBuilder
from .analysis import Words


@dataclass(frozen=True)
class WordArithmetic:
    """Appends where `builder` stands."""

    builder: AffineBuilder
    words: Words

    def add_products(self, left: SSAValue, right: SSAValue, before: SSAValue) -> SSAValue:
        """`before` with the products of words of the left and the right operand added."""
        factors = [right, left] if self.words.rhs_first else [left, right]
        properties = {"instruction": StringAttr(self.words.dot.name)}
        return self.builder.add(new_op(DotOp, [*factors, before], [before.type], properties))

    def broadcast(self, word: SSAValue, type: VectorType) -> SSAValue:
        """The vector of `type` that holds `word`, a short vector, again and again."""
        builder, lanes = self.builder, type.element_count() // self.words.dot.group
        bits = builder.add(new_op(vector.BitcastOp, [word], [vector_type(i32, 1)]))
        equal = builder.add(new_op(vector.BroadcastOp, [bits], [vector_type(i32, lanes)]))
        return builder.add(new_op(vector.BitcastOp, [equal], [type]))
