"""Which part of a product is in registers at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

from .divisors import divides_well, vector_groups


@dataclass(frozen=True)
class RegisterTile:
    """`rows` x `columns` elements of the output in registers, with rows along row dimension `row_dim`.

    A row is `vectors` vectors of `lanes` elements, the last of which may overlap the one before.
    """

    row_dim: int
    rows: int
    vectors: int
    lanes: int
    columns: int
    alone: bool = False
    """Whether vectors are values of their own, each as wide as a register: what an instruction takes."""

    @property
    def vector_starts(self) -> list[int]:
        """Where the vectors of a row start."""
        return [min(index * self.lanes, self.columns - self.lanes) for index in range(self.vectors)]

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The vectors of a row in groups of neighbours that are one value: the first vector and how many."""
        if self.alone:
            return [(vector, 1) for vector in range(self.vectors)]
        whole = self.columns // self.lanes
        return [*vector_groups(whole), *((vector, 1) for vector in range(whole, self.vectors))]


class EpilogueForm(Enum):
    """How an epilogue is applied to a tile."""

    REGISTERS = "to each accumulator"
    ROWS = "row by row to the tile stored in the L1 cache"


def _accumulator_limit(multiply_adds: int, registers: int) -> int:
    """Most accumulators worth their code: a product that takes microseconds gets a small tile."""
    for size, accumulators in ((1 << 17, 4), (1 << 18, 8), (1 << 19, 21)):
        if multiply_adds < size:
            return accumulators
    return registers


def _shared_tiles(outer: int, panels: int, tiles: int, threads: int) -> int:
    """The tiles of `outer` products of `panels` panels and `tiles` tiles down, with those for which all but one of
    `threads` threads wait, whether they share panels or tiles."""
    if divides_well(outer * panels, threads):
        return outer * panels * tiles
    whole = -(-outer * panels // threads) * threads * tiles
    return min(whole, outer * panels * -(-tiles // threads) * threads)


@dataclass(frozen=True)
class RegisterTiles:
    """Costs of tiles."""

    step_overhead: float = 8.0
    """What loop control adds to one step of the reduction, in vector multiply-adds; as all costs of tiles it was
    fitted on an AVX-512 CPU with 1 MB of L2 cache, where tiles of 6 x 4 vectors reach 113 GFLOP/s at 1024, 8 x 3
    110, 5 x 5 111, 14 x 2 108; in a convolution with 64 channels 6 x 4 reaches 95, 4 x 4 82. Higher: larger tiles."""

    load_cost: float = 1.0
    """What loading one vector, or broadcasting one element, adds, in vector multiply-adds. Higher: squarer tiles."""

    code_cost: float = 0.0015
    """The share that each accumulator adds to the cost, for compile time. Higher: smaller tiles."""

    overlap_cost: float = 1.01
    """The factor for panels that do not divide the columns. Higher: rather narrower panels without overlap."""

    latency_chains: int = 8
    """The accumulators below which a tile waits for its additions: latency 4, two units. Higher: larger tiles."""

    streamed_vector_cost: float = 4.2
    """The least cost of a step for each vector of a panel, in vector multiply-adds: a tile that needs more than some
    30 bytes a cycle of a panel in the L2 cache waits. Higher: taller tiles."""

    maximum_rows: int = 8
    """Most rows of a tile. Those of the left operand often are a multiple of a page apart, in the same set of the L1
    cache, which has 8 ways: 4096 rows by 8 columns take three quarters of the time that tiles of 16 rows take."""

    transposed_columns: int = 4
    """What the columns of a tile are a multiple of where they are transposed while they are packed: so many at a
    time, in registers."""

    clearly_less: float = 0.995
    """The ratio of costs from which on a wider tile is chosen: it takes more of a panel from the L2 cache."""

    fewest_lanes_of_words: int = 4
    """The fewest sums of a vector for which there are instructions that do several steps at once. A fact about CPUs."""

    shared_vector_steps: int = 1500
    """The fewest vector multiply-adds of a tile whose loops are in a function that all programs share, which is
    compiled once for a process: that saves some four milliseconds of a compilation, and takes some 10 nanoseconds for
    each tile. Higher: more code for each program. Lower: calls that take a percent of the time of a tile or more."""

    shared_finished_steps: int = 6000
    """The fewest for a tile whose sums an op is applied to, which reads them from the L1 cache then: that takes a
    percent of a tile of so many. Higher: more code for each program. Lower: more such percents."""

    register_epilogue: int = 150
    """Most vector ops that an epilogue may add to a tile, written out for each of its accumulators: some
    milliseconds to compile."""

    def choose_register_tile(
        self,
        row_sizes: Sequence[int],
        columns: int,
        multiply_adds: int,
        lanes: int,
        registers: int,
        exact: bool = False,
        threads: int = 1,
        outer: int = 1,
        transposes: bool = False,
    ) -> RegisterTile | None:
        """The tile that covers the product with the least work.

        `row_sizes` are the sizes of the row dimensions (at least one); the tile lies along one of them. Edge tiles
        overlap their neighbours, so a tile is never larger than the product and the waste is what is computed twice;
        in a tile of all columns it is a part of one vector. With `exact`, tiles must divide the product; `None` if
        no sensible one does. `lanes` is that of a full register. There are `outer` such products for `threads`
        threads to share. `transposes`: columns are no neighbours in the right operand, and are transposed when it is
        packed.
        """
        limit = _accumulator_limit(multiply_adds, registers)
        total_rows = prod(row_sizes)
        best: tuple[float, RegisterTile] | None = None
        width = lanes
        while width >= 2:
            for vectors in range(1, 9):
                span = self._span(vectors, width, columns, transposes or exact)
                if span is None:
                    break
                if exact and columns % span:
                    continue
                panels = -(-columns // span)
                # No tile of this span costs less: multiplying, and loading the left operand, take as much at least.
                if best is not None and panels * total_rows * (vectors + self.load_cost) >= best[0]:
                    continue
                for dim, size in enumerate(row_sizes):
                    for rows in range(1, min(size, self.maximum_rows) + 1):
                        accumulators = rows * vectors
                        if accumulators > limit or accumulators + vectors + 1 > registers:
                            break
                        if exact and size % rows:
                            continue
                        tiles = _shared_tiles(outer * (total_rows // size), panels, -(-size // rows), threads) / outer
                        cost = tiles * self._tile_cost(rows, vectors, limit)
                        if columns % span:
                            cost *= self.overlap_cost
                        if best is None or cost < best[0] * self.clearly_less:
                            best = cost, RegisterTile(dim, rows, vectors, width, span)
            width //= 2
        if best is None:
            return None
        if exact and best[1].rows * best[1].columns < 2 * lanes:
            return None
        return best[1]

    def _span(self, vectors: int, width: int, columns: int, in_parts: bool) -> int | None:
        """The columns of a tile of so many vectors of `width`; None if there are too few columns for it.

        `in_parts`: all columns may be those of a tile only where they are a multiple of `transposed_columns`.
        """
        span = vectors * width
        if span <= columns:
            return span
        is_too_wide = columns < width or span - columns >= width
        return None if is_too_wide or (in_parts and columns % self.transposed_columns) else columns

    def _tile_cost(self, rows: int, vectors: int, limit: int) -> float:
        """Of a step of the reduction, in multiplications of a vector; `limit` is the most accumulators there may be."""
        chains = self.latency_chains if limit > 4 else 4
        step = max(rows * vectors, chains, self.streamed_vector_cost * vectors)
        step += self.load_cost * (rows + vectors) + self.step_overhead
        return step * (1 + self.code_cost * rows * vectors)

    def streamed_tile(self, rows: int, columns: int, lanes: int, registers: int) -> RegisterTile:
        """The tile of a streamed product: as few tiles side by side as there may be, then the widest."""
        tiles = -(-rows // self.maximum_rows)
        height = -(-rows // tiles)
        vectors = min(4, columns // lanes, (registers - 1) // (height + 1))
        return RegisterTile(0, height, vectors, lanes, vectors * lanes)

    def worth_sharing(self, vector_steps: int) -> bool:
        """Whether the loops of a tile of so many vector multiply-adds are to be those of a function that is called."""
        return vector_steps >= self.shared_vector_steps

    def epilogue_form(self, operations: int, accumulators: int, shared_steps: int) -> EpilogueForm:
        """How an epilogue of so many vector ops is applied to a tile of so many accumulators. `shared_steps`: for how
        many steps its loops could be in a function that all programs share, 0 if they cannot be.

        Either is better than a pass over the results: with bias and activation, products of 64 to 1024 rows take
        0.92 to 0.98 of the time, with a residual as well 0.93 to 0.96, a convolution with 64 channels 0.78.
        """
        is_shared = shared_steps * accumulators >= self.shared_finished_steps
        in_rows = is_shared or operations * accumulators > self.register_epilogue
        return EpilogueForm.ROWS if in_rows else EpilogueForm.REGISTERS
