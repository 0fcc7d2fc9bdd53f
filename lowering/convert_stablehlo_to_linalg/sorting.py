"""`sort`: a bottom-up merge sort of every row along the sorted dimension.

A row is copied into a scratch of two halves, between which the passes alternate. The row is sorted as two runs at
once, so that two chains of dependent comparisons are in flight; a last merge of the runs writes the result. With
`m` elements in a run, pass `p` merges runs of `w = 2**p`:

    for row:
      for k: scratch[0][k] = x[row][k]
      for p in 0 .. ceil(log2(m)):
        for k in 0 .. m:                        // for each of the two runs
          i, j = where the merge of k's block stands; i + j = k + w
          take_right = j is in its run and (i is not or comparator(src[j], src[i]))
          dst[k] = src[take_right ? j : i]
      for k: result[row][k] = merge of the runs

The only branches are loops of known counts, because the outcome of a comparison of random elements cannot be predicted.
The sort is stable, takes `n log n` comparisons, and whatever the comparator answers, the result is a permutation.
Merging from the bottom up is exercise 5.2.4-16 of Knuth, "The Art of Computer Programming", volume 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from .attributes import INDEX, element_of, shape_of
from .builder import Index, Lowered, Lowering
from .regions import inline
from .scalars import compare_int, select

Indices = list[Index]


def lower_sort(ctx: Lowering, op: stablehlo.SortOp) -> Sequence[Lowered]:
    """Loops over the rows that carry the results and the scratch."""
    shape = shape_of(op.inputs[0])
    assert op.dimension is not None
    dim = op.dimension.value.data % len(shape) if shape else 0
    if not shape or shape[dim] < 2 or 0 in shape:
        return [ctx.lowered(value) for value in op.inputs]
    return _Sort(ctx, op, shape, dim).lower()


class _Sort:
    """One sort: `count` operands of `shape`, sorted together along `dim`."""

    def __init__(self, ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int):
        self.ctx, self.op = ctx, op
        self.shape, self.dim = shape, dim
        self.operands = [ctx.tensor(value) for value in op.inputs]
        self.count = len(self.operands)
        self.size = shape[dim]
        self.run = -(-self.size // 2)
        """Elements of the first run; the second has as many or one less."""
        self.compared = [any(arg.uses for arg in self._pair(op.comparator.block.args, i)) for i in range(self.count)]

    @staticmethod
    def _pair(values: Sequence[SSAValue], operand: int) -> Sequence[SSAValue]:
        """What the comparator gets of one operand."""
        return values[2 * operand : 2 * operand + 2]

    def lower(self) -> Sequence[Lowered]:
        ctx, elements = self.ctx, [element_of(operand) for operand in self.operands]
        # A merge reads one element past the second run.
        scratch = [ctx.empty(TensorType(element, (2, 2 * self.run + 1))) for element in elements]
        results = [ctx.empty(TensorType(element, self.shape)) for element in elements]
        rows: list[tuple[Index, Index]] = [(0, size) for d, size in enumerate(self.shape) if d != self.dim]

        def outermost(_: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return self._row([0] * len(rows), state)

        if all(size == 1 for _, size in rows):
            state = ctx.loop(0, 1, (*results, *scratch), outermost)
        else:
            state = ctx.loops(rows, (*results, *scratch), self._row)
        return state[: self.count]

    def _row(self, row: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Sort one row; `state` holds the results, then the scratch."""
        ctx, count = self.ctx, self.count

        def copy(k: SSAValue, scratch: Sequence[SSAValue]) -> Sequence[SSAValue]:
            elements = [ctx.extract(operand, self._at(row, k)) for operand in self.operands]
            return [ctx.insert(e, s, (0, k)) for e, s in zip(elements, scratch, strict=True)]

        scratch = ctx.loop(0, self.size, state[count:], copy)
        passes = (self.run - 1).bit_length()
        if passes:
            scratch = ctx.loop(0, passes, scratch, self._pass)
        results = self._merge_runs(row, state[:count], scratch, passes % 2)
        return (*results, *scratch)

    def _at(self, row: Sequence[Index], k: Index) -> Indices:
        return [*row[: self.dim], k, *row[self.dim :]]

    def _pass(self, number: SSAValue, scratch: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Merge pairs of neighbours of `2**number` elements, in both runs, into the other half of the scratch."""
        ctx = self.ctx
        one = ctx.index(1)
        width = ctx.scalar(arith.ShLIOp, (one, number), INDEX)
        mask = ctx.subtract(ctx.multiply(width, 2), 1)
        source = ctx.scalar(arith.AndIOp, (number, one), INDEX)
        target = ctx.scalar(arith.XOrIOp, (source, one), INDEX)

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            lefts, scratch = state[:2], state[2:]
            offset = ctx.scalar(arith.AndIOp, (k, ctx.as_index(mask)), INDEX)
            block = ctx.subtract(k, offset)
            first = compare_int(ctx, "eq", offset, ctx.index(0))
            moved: list[SSAValue] = []
            merged: list[tuple[Index, list[SSAValue]]] = []
            for begin, size, left in zip((0, self.run), (self.run, self.size - self.run), lefts, strict=True):
                middle = ctx.minimum(ctx.add(block, width), size)
                end = ctx.minimum(ctx.add(middle, width), size)
                left = select(ctx, first, ctx.as_index(block), left)
                right = ctx.subtract(ctx.add(k, middle), left)
                next_left, elements = self._take(scratch, source, begin, left, ctx.as_index(right), middle, end)
                moved.append(next_left)
                merged.append((ctx.add(k, begin), elements))
            for position, elements in merged:
                scratch = [ctx.insert(e, s, (target, position)) for e, s in zip(elements, scratch, strict=True)]
            return (*moved, *scratch)

        return ctx.loop(0, self.run, (ctx.index(0), ctx.index(0), *scratch), step)[2:]

    def _merge_runs(
        self, row: Sequence[Index], results: Sequence[SSAValue], scratch: Sequence[SSAValue], source: int
    ) -> Sequence[SSAValue]:
        """Merge the two runs into the results."""
        ctx = self.ctx

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            left = state[0]
            right = ctx.as_index(ctx.subtract(ctx.add(k, self.run), left))
            next_left, elements = self._take(scratch, source, 0, left, right, self.run, self.size)
            at = self._at(row, k)
            return (next_left, *(ctx.insert(e, r, at) for e, r in zip(elements, state[1:], strict=True)))

        return ctx.loop(0, self.size, (ctx.index(0), *results), step)[1:]

    def _take(
        self,
        scratch: Sequence[SSAValue],
        half: Index,
        begin: int,
        left: SSAValue,
        right: SSAValue,
        middle: Index,
        end: Index,
    ) -> tuple[SSAValue, list[SSAValue]]:
        """One step of a merge: the next `left`, and what stands at `left` or `right`, whichever is due.

        `left` runs up to `middle`, `right` up to `end`, both relative to `begin`. An element past the end is read but
        not taken.
        """
        ctx = self.ctx
        positions = [ctx.add(left, begin), ctx.add(right, begin)]
        heads: dict[int, list[SSAValue]] = {}
        arguments: list[SSAValue] = []
        for i, tensor in enumerate(scratch):
            if self.compared[i]:
                heads[i] = [ctx.extract(tensor, (half, position)) for position in positions]
            # An operand the comparator ignores has no uses inside it: anything of its type will do.
            pair = heads.get(i) or [ctx.constant(element_of(tensor), 0)] * 2
            arguments.extend(reversed(pair))
        (less,) = inline(ctx, self.op.comparator, arguments)
        left_over = compare_int(ctx, "sge", left, ctx.as_index(middle))
        right_left = compare_int(ctx, "slt", right, ctx.as_index(end))
        due = ctx.scalar(arith.OrIOp, (left_over, less), i1)
        take_right = ctx.scalar(arith.AndIOp, (right_left, due), i1)
        # `i1` extends to 0 or -1.
        back = ctx.scalar(arith.IndexCastOp, (take_right,), INDEX)
        next_left = ctx.as_index(ctx.add(ctx.add(left, 1), back))
        taken = select(ctx, take_right, ctx.as_index(positions[1]), ctx.as_index(positions[0]))
        elements: list[SSAValue] = []
        for i, tensor in enumerate(scratch):
            if i in heads:
                on_left, on_right = heads[i]
                elements.append(select(ctx, take_right, on_right, on_left))
            else:
                elements.append(ctx.extract(tensor, (half, taken)))
        return next_left, elements


SORTING: dict[type[Operation], Any] = {stablehlo.SortOp: lower_sort}
"""Op type to lowering."""
