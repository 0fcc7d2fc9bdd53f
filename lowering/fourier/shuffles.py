"""Vectors whose elements change places: interleaved pairs and square transpositions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import Attribute, SSAValue

from ...ir.affine_builder import AffineBuilder


class Shuffles:
    """Appends shuffles of vectors of the type `vector` where `builder` stands."""

    def __init__(self, builder: AffineBuilder, vector: VectorType[Attribute]) -> None:
        self.builder = builder
        self.vector = vector
        self.lanes = vector.get_shape()[0]

    def _shuffle(self, a: SSAValue, b: SSAValue, places: Sequence[int]) -> SSAValue:
        """The elements of `a` and `b`, numbered one after the other, at `places`."""
        mask = DenseArrayBase.from_list(i64, list(places))
        op = vector.ShuffleOp.create(operands=[a, b], result_types=[self.vector], properties={"mask": mask})
        return self.builder.add(op)

    def deinterleave(self, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The even and the odd elements of `a` and `b`."""
        even = range(0, 2 * self.lanes, 2)
        return self._shuffle(a, b, even), self._shuffle(a, b, [place + 1 for place in even])

    def interleave(self, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Elements of `a` and `b` by turns."""
        places = [place for lane in range(self.lanes) for place in (lane, self.lanes + lane)]
        return self._shuffle(a, b, places[: self.lanes]), self._shuffle(a, b, places[self.lanes :])

    def transposed(self, rows: Sequence[SSAValue]) -> list[SSAValue]:
        """The columns of a square of `lanes` rows: its blocks off the diagonal change places, on all scales."""
        result = list(rows)
        distance = 1
        while distance < self.lanes:
            inside = [lane & distance != 0 for lane in range(self.lanes)]
            upper = [self.lanes + lane - distance if inside[lane] else lane for lane in range(self.lanes)]
            lower = [self.lanes + lane if inside[lane] else lane + distance for lane in range(self.lanes)]
            for row in range(self.lanes):
                if not inside[row]:
                    a, b = result[row], result[row + distance]
                    result[row] = self._shuffle(a, b, upper)
                    result[row + distance] = self._shuffle(a, b, lower)
            distance *= 2
        return result
