"""The innermost loops of a contraction: a rank-1 update of a register tile for every step of the reduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, scaled
from ...ir.structured import element_type
from ...ir.vector_arithmetic import VectorArithmetic
from .packing import load_factor
from .plan import Plan
from .word_arithmetic import WordArithmetic

INTEGERS_START, INTEGERS_START_BITS = 1.5 * 2**23, 0x4B400000
"""Where sums of integers start that are formed in f32 (`decisions/sums.EXACT_BITS`), and its bits."""

Values = Sequence[SSAValue]


class Source(NamedTuple):
    """Where a tile reads a factor."""

    flat: SSAValue
    start: Base
    steps: Sequence[int]
    """How far the loops of the tile move it."""
    apart: Sequence[int]
    """Where the elements or vectors of a step are."""
    conversion: type[Operation] | None


class MicroKernel:
    """Writes the loops of the tile of a plan where `builder` stands."""

    def __init__(self, plan: Plan, builder: AffineBuilder, arithmetic: VectorArithmetic) -> None:
        self.tile, self.sums_type = plan.tile, plan.contraction.element_type
        self.builder, self.arithmetic = builder, arithmetic
        words = plan.contraction.words
        self.words = None if words is None else WordArithmetic(builder, words)
        self.chain_type = self.tile.factor_type if words is None else self.sums_type
        """Of a chain of additions."""
        shape = plan.tile.shape
        self.starts = [shape.vector_starts[first] for first, _ in shape.groups]
        """Where the vectors of a row start."""
        self.lanes = [count * shape.lanes for _, count in shape.groups]

    def of_row(self, value: Callable[[VectorType], SSAValue], element_type: Attribute) -> list[SSAValue]:
        """The values that `value` makes for the vectors of a row; one for vectors of the same type."""
        made = {lanes: value(vector_type(element_type, lanes)) for lanes in dict.fromkeys(self.lanes)}
        return [made[lanes] for lanes in self.lanes]

    def of_tile(self, value: Callable[[VectorType], SSAValue]) -> list[SSAValue]:
        """The same for all sums of a tile."""
        return self.of_row(value, self.sums_type) * self.tile.shape.rows

    def reduce(self, lhs: Source, rhs: Source, inits: Values, panel: Terms) -> Values:
        """`inits` with all products added, by way of partial sums where chains of additions are too long.

        Each `panel` of a block fetches its share of the rows of the next tile.
        """
        tile, builder = self.tile, self.builder
        exact = self.chain_type != self.sums_type
        sizes = [dim.size for dim in tile.reduction]
        next_rows = lhs.start
        if tile.next_rows is not None and panel:
            next_rows = builder.move(lhs.start, scaled(panel, tile.next_rows.panel))
        step = partial(self._step, lhs, rhs, next_rows)

        def partial_sums(outer: Values, levels: Sequence[int], starts: Values) -> Values:
            """The sums of the loops inside `outer`, from `starts` on; those of each level are sums of the next one."""
            if not levels:
                return builder.carrying_loops(
                    sizes[len(outer) :], starts, lambda inner, values: step([*outer, *inner], values)
                )

            def add_up(inner: Values, sums: Values) -> list[SSAValue]:
                start = partial(self.arithmetic.splat, INTEGERS_START) if exact else self.arithmetic.zero
                starts = self.of_row(start, self.chain_type) * tile.shape.rows
                results = partial_sums([*outer, *inner], levels[1:], starts)
                if exact:
                    results = [self._as_integers(value) for value in results]
                return list(map(self.arithmetic.add, sums, results))

            return builder.carrying_loops(sizes[len(outer) : levels[0]], starts, add_up)

        return partial_sums([], tile.chains or ((0,) if exact else ()), inits)

    def _step(
        self, lhs: Source, rhs: Source, next_rows: Base, variables: Values, accumulators: Values
    ) -> list[SSAValue]:
        """What a step of the reduction, whose loops have `variables`, makes of the accumulators."""
        tile, builder, arithmetic = self.tile, self.builder, self.arithmetic
        if self.words is not None:
            return self._step_of_words(self.words, lhs, rhs, variables, accumulators)
        if tile.next_rows is not None:
            ahead = dict(zip(variables, tile.next_rows.steps, strict=True))
            builder.prefetch(lhs.flat, builder.move(next_rows, ahead), tile.next_rows.tile)
        left, right = (builder.move(side.start, dict(zip(variables, side.steps, strict=True))) for side in (lhs, rhs))
        vectors = [
            load_factor(builder, rhs.flat, right, start, lanes, tile.factor_type, rhs.conversion)
            for start, lanes in zip(rhs.apart, self.lanes, strict=True)
        ]
        if tile.streamed_bytes:
            size = element_bytes(element_type(rhs.flat))
            for start in range(0, tile.shape.columns, CACHE_LINE_BYTES // size):
                builder.prefetch(rhs.flat, right, start + tile.streamed_bytes // size)
        results: list[SSAValue] = []
        for row, place in enumerate(lhs.apart):
            element = load_factor(builder, lhs.flat, left, place, 0, tile.factor_type, lhs.conversion)
            factors = self.of_row(partial(arithmetic.broadcast, element), tile.factor_type)
            results += map(arithmetic.multiply_add, factors, vectors, accumulators[row * len(vectors) :])
        return results

    def _step_of_words(
        self, words: WordArithmetic, lhs: Source, rhs: Source, variables: Values, accumulators: Values
    ) -> list[SSAValue]:
        """The same for a step of words."""
        builder, group = self.builder, words.words.dot.group
        left, right = (builder.move(side.start, dict(zip(variables, side.steps, strict=True))) for side in (lhs, rhs))
        type = vector_type(self.tile.factor_type, self.tile.shape.lanes * group)
        vectors = [builder.load(rhs.flat, right, start, type) for start in rhs.apart]
        results: list[SSAValue] = []
        for row, place in enumerate(lhs.apart):
            word = builder.load(lhs.flat, left, place, vector_type(self.tile.factor_type, group))
            factor = words.broadcast(word, type)
            sums = accumulators[row * len(vectors) : (row + 1) * len(vectors)]
            results += [words.add_products(factor, *each) for each in zip(vectors, sums, strict=True)]
        return results

    def _as_integers(self, value: SSAValue) -> SSAValue:
        """What has been added to `INTEGERS_START`."""
        type = vector_type(self.sums_type, cast("VectorType[Attribute]", value.type).element_count())
        bits = self.builder.add(new_op(vector.BitcastOp, [value], [type]))
        return self.arithmetic.subtract(bits, self.arithmetic.splat(INTEGERS_START_BITS, type))
