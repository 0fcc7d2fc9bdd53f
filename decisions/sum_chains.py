"""How the sums of a product are cut into chains of additions, for accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

EXACT_BITS = 22
"""Products of 8-bit integers are added up in f32, starting from 1.5 * 2^23: sums of at most this many bits stay between
2^23 and 2^24, where f32 holds exactly the integers and its last bits are those of the sum. A fact about f32."""


@dataclass(frozen=True)
class SumChains:
    """Numbers of the sums of products."""

    whole_steps: int = 384
    """The products up to which a reduction over one loop stays one chain of roundings. The sums take as many
    registers as a chain, so a second chain passes twice as much through LLVM. Higher: less accurate sums, faster to
    compile."""

    chain_steps: int = 256
    """The longest chain, in products, where the reduction is one loop. The error of n products in chains of c grows
    with the root of c * c / n plus the number of chains; XLA:CPU's chains are 512 long, 256 in convolutions and
    where the left operand is transposed. Lower: more accurate sums, more ends of chains."""

    chain_steps_of_loops: int = 192
    """The same where the reduction is several loops (the pixels of a kernel), whose ends come anyway."""

    fewest_chains: int = 4
    """How many chains a long reduction has at least. Higher: shorter chains of medium reductions."""

    fewest_chain_steps: int = 32
    """The steps after which a chain may end: its end costs as much as one step with every factor loaded from memory."""

    most_chains: int = 16
    """From how many chains on their sums are added up in groups: 64 chains in one row are twice as far off as 8 rows
    of 8."""

    chains_together: int = 8
    """How many chains a group has at most; their square is the chains that two levels of groups add up."""

    fewest_chunks_with_errors: int = 5
    """From how many long chunks of a reduction on their sums are added up with the errors of the additions, in some ten
    instructions for one. Lower: more accurate, slower."""

    most_chunks_without_errors: int = 64
    """The same for short chunks, where these instructions are a larger part."""

    shortest_chain: int = 64
    """The steps from which on the sums of a tile are far away when they end, and their rows can be fetched
    meanwhile."""

    def chain_limit(self, sizes: Sequence[int], product_bits: int | None) -> int:
        """The longest chain of additions of a reduction over dimensions of `sizes`.

        `product_bits` of integers that are added up as f32, `None` of floats.
        """
        if product_bits is not None:
            return 1 << EXACT_BITS - product_bits
        total = prod(sizes)
        if len(sizes) > 1:
            return max(self.fewest_chain_steps, min(self.chain_steps_of_loops, total // 2))
        if total <= self.whole_steps:
            return total
        return self.chain_steps if total <= 2 * self.chain_steps else min(self.chain_steps, total // self.fewest_chains)

    def worth_errors(self, chunks: int, steps: int) -> bool:
        """Whether the sums of `chunks` chunks of so many `steps` each are added up with the errors of the additions."""
        return (
            chunks >= self.fewest_chunks_with_errors
            if steps >= self.shortest_chain
            else chunks > self.most_chunks_without_errors
        )

    def worth_fetching_sums(self, steps: int) -> bool:
        """Whether the sums of a tile are fetched while `steps` of its products are added up; for few they are near."""
        return steps >= self.shortest_chain
