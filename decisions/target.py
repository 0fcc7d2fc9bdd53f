"""What the code generator may know about a CPU.

Nothing here is decided by a CPU's name: vector length, register count and FMA come from the feature list that LLVM
reports, so AVX-512, AVX2, SSE and NEON machines differ by numbers only.
"""

from dataclasses import dataclass
from functools import cache

from ..errors import XlaError


@dataclass(frozen=True)
class Target:
    """Facts about one CPU.

    `vector_bits`: width of the widest vector register. `vector_registers`: how many there are.
    `fma`: whether a fused multiply-add is one instruction. `lane_is_scalar`: whether code keeps a vector of one 64-bit
    lane in a general register (in NEON it is a vector register). `l1_bytes`, `l2_bytes`: data cache of one core.
    """

    vector_bits: int = 256
    vector_registers: int = 16
    fma: bool = True
    lane_is_scalar: bool = True
    l1_bytes: int = 32 * 1024
    l2_bytes: int = 1024 * 1024

    def lanes(self, element_bits: int) -> int:
        """How many elements of `element_bits` bits one vector register holds (at least 1)."""
        return max(1, self.vector_bits // element_bits)


def from_features(features: dict[str, bool], triple: str) -> Target:
    """The target with LLVM's `features` (`{"avx2": True, ...}`) on the machine `triple`."""
    if triple.startswith(("aarch64", "arm64")):
        return Target(vector_bits=128, vector_registers=32, fma=True, lane_is_scalar=False)
    if features.get("avx512f"):
        return Target(vector_bits=512, vector_registers=32, fma=True)
    if features.get("avx"):
        return Target(vector_bits=256, vector_registers=16, fma=bool(features.get("fma")))
    return Target(vector_bits=128, vector_registers=16, fma=bool(features.get("fma")))


@cache
def host() -> Target:
    """The CPU this process runs on."""
    import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

    return from_features(dict(llvm.get_host_cpu_features()), llvm.get_default_triple())


def with_vector_bits(vector_bits: int) -> Target:
    """The host's target, or, where `vector_bits` is not 0, a generic one of that width (for reproducible tests).

    Raises `XlaError` for a width that no vector register has.
    """
    if vector_bits == 0:
        return host()
    if vector_bits < 64 or vector_bits.bit_count() != 1:
        raise XlaError(f"vectors of {vector_bits} bits: a power of two of at least 64, or 0 for this machine's")
    return Target(vector_bits=vector_bits, vector_registers=32 if vector_bits >= 512 else 16)
