"""Instructions that add products of neighbours: `sum[i] += a[i, 0] * b[i, 0] + ... + a[i, n - 1] * b[i, n - 1]`.

The `n` factors of a sum lie side by side in a word as wide as the sum. So a sum of products over words takes as many
instructions as one of `f32` over single elements, and does two or four steps in each.

| | factors | on CPUs with |
| --- | --- | --- |
| `vdpbf16ps` | 2 of `bf16` | AVX-512 BF16 |
| `vdpphps` | 2 of `f16` | AVX10.2 |
| `vpdpbusd` | 4 unsigned bytes with 4 signed ones | AVX-512 VNNI, AVX-VNNI |
| `vpdpbssd` | 4 signed bytes | AVX-VNNI-INT8, AVX10.2 |
| `vpdpwssd` | 2 signed integers of 16 bits | AVX-512 VNNI, AVX-VNNI |
| `sdot`, `udot` | 4 bytes, both signed or both unsigned | NEON's dot product extension |
| `usdot` | 4 unsigned bytes with 4 signed ones | NEON's i8mm |
| `bfdot` | 2 of `bf16` | NEON's BF16 |

Sums of integers are exact modulo 2^32. `vdpbf16ps` and `bfdot` take subnormal factors for zero and make no subnormal
sums, whatever the mode of the CPU is (Intel's manual, volume 2C; Arm's architecture reference manual, `BFDOT`).
Products of `bf16` are exact in `f32`; additions round to nearest, on Arm's CPUs without `FEAT_EBF16` to odd.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class DotProduct:
    """An instruction. `factors`: types of the elements of the first and the second factor, `ui8` for unsigned bytes.

    `features`: LLVM's names of the features, one of which it takes, and the widest vectors that it has there, in bits.
    `flushes`: whether subnormal numbers are zero to it in any mode.
    """

    name: str
    factors: tuple[str, str]
    sums: str
    group: int
    features: tuple[tuple[str, int], ...]
    flushes: bool = False

    def bits(self, features: Mapping[str, bool]) -> int:
        """The widest vectors for which a CPU with `features` has it; 0 where it has not."""
        return max((bits for feature, bits in self.features if features.get(feature)), default=0)


_VNNI = (("avx512vnni", 512), ("avxvnni", 256))
_INT8 = (("avx10.2-512", 512), ("avx10.2", 512), ("avxvnniint8", 256))

DOT_PRODUCTS = {
    each.name: each
    for each in (
        DotProduct("vdpbf16ps", ("bf16", "bf16"), "f32", 2, (("avx512bf16", 512),), flushes=True),
        DotProduct("vdpphps", ("f16", "f16"), "f32", 2, (("avx10.2-512", 512), ("avx10.2", 512))),
        DotProduct("vpdpbssd", ("i8", "i8"), "i32", 4, _INT8),
        DotProduct("vpdpbusd", ("ui8", "i8"), "i32", 4, _VNNI),
        DotProduct("vpdpwssd", ("i16", "i16"), "i32", 2, _VNNI),
        DotProduct("bfdot", ("bf16", "bf16"), "f32", 2, (("bf16", 128),), flushes=True),
        DotProduct("sdot", ("i8", "i8"), "i32", 4, (("dotprod", 128),)),
        DotProduct("udot", ("ui8", "ui8"), "i32", 4, (("dotprod", 128),)),
        DotProduct("usdot", ("ui8", "i8"), "i32", 4, (("i8mm", 128),)),
    )
}
"""All of them by name; of those that fit a product the first one is taken."""


def dot_products_of(features: Mapping[str, bool], vector_bits: int) -> tuple[str, ...]:
    """The instructions that a CPU with LLVM's `features` has, in vectors of `vector_bits` bits."""
    return tuple(name for name, each in DOT_PRODUCTS.items() if each.bits(features) >= vector_bits)
