"""What the code generator may know about a CPU.

Nothing here is decided by a CPU's name: vector length, register count and FMA come from the feature list that LLVM
reports, caches from the operating system, so AVX-512, AVX2, SSE and NEON machines differ by numbers only.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from ..errors import XlaError
from .dot_products import DOT_PRODUCTS, dot_products_of

CACHE_LINE_BYTES = 64
"""The unit of memory traffic, and what buffers are aligned to: a larger stride uses one element of every line it
touches."""

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
"""Where Linux describes the caches of a core."""


@dataclass(frozen=True)
class Target:
    """Facts about one CPU."""

    vector_bits: int = 256
    """Width of the widest vector register."""

    vector_registers: int = 16
    """How many vector registers there are."""

    fma: bool = True
    """Whether a fused multiply-add is one instruction."""

    lane_is_scalar: bool = True
    """Whether code keeps a vector of one 64-bit lane in a general register (in NEON it is a vector register)."""

    l1_bytes: int = 32 * 1024
    """First-level data cache of one core; 32 KB is the least of today's CPUs."""

    l2_bytes: int = 1024 * 1024
    """Second-level cache of one core; by default that of AMD's server CPUs since Zen 4 and of Intel's before 2023."""

    l3_bytes: int = 32 * 1024 * 1024
    """Third-level cache that one core reaches; by default that of eight cores of AMD's."""

    cores: int = 1
    """CPUs that this process may use."""

    dot_products: tuple[str, ...] = ()
    """The instructions that add products of neighbours (`dot_products.py`), in vectors of `vector_bits` bits."""

    orders_zeros: bool = False
    """Whether it has an instruction for maxima and minima of vectors of floats that takes -0 for less than +0."""

    rounds_to_bfloat: bool = False
    """Whether it has an instruction that rounds `f32` to `bf16`. To it subnormal numbers are zeros in any mode."""

    architecture: str = field(default_factory=lambda: architecture_of(platform.machine()))
    """Its kind, as `ARCHITECTURES` calls it; empty for others. It decides how subnormal numbers are flushed."""

    def lanes(self, element_bits: int) -> int:
        """How many elements of `element_bits` bits one vector register holds (at least 1)."""
        return max(1, self.vector_bits // element_bits)


def from_features(features: dict[str, bool], triple: str) -> Target:
    """The target with LLVM's `features` (`{"avx2": True, ...}`) on the machine `triple`."""
    target = _registers(features, triple)
    return replace(target, dot_products=dot_products_of(features, target.vector_bits))


def _registers(features: dict[str, bool], triple: str) -> Target:
    kind = architecture_of(triple)
    if kind == "aarch64":
        return Target(vector_bits=128, vector_registers=32, fma=True, lane_is_scalar=False, architecture=kind)
    if features.get("avx512f"):
        orders_zeros, rounds_to_bfloat = (
            bool(features.get(name) and features.get("avx512vl")) for name in ("avx512dq", "avx512bf16")
        )
        wide = Target(vector_bits=512, vector_registers=32, fma=True, architecture=kind)
        return replace(wide, orders_zeros=orders_zeros, rounds_to_bfloat=rounds_to_bfloat)
    if features.get("avx"):
        return Target(vector_bits=256, vector_registers=16, fma=bool(features.get("fma")), architecture=kind)
    return Target(vector_bits=128, vector_registers=16, fma=bool(features.get("fma")), architecture=kind)


ARCHITECTURES = {"x86_64": ("x86_64", "amd64"), "aarch64": ("aarch64", "arm64")}
"""What libraries can be made for, and what triples call it."""


def architecture_of(triple: str) -> str:
    """That of `triple`, as `ARCHITECTURES` calls it; empty for others."""
    first = triple.partition("-")[0].lower()
    return next((name for name, spellings in ARCHITECTURES.items() if first in spellings), "")


def with_caches(target: Target, folder: Path = CACHES) -> Target:
    """`target` with the cache sizes that `folder` describes as Linux does; what it does not say stays as it is."""
    sizes: dict[str, int] = {}
    for index in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((index / name).read_text().strip() for name in ("level", "type", "size"))
            if kind != "Instruction" and level in ("1", "2", "3"):
                sizes[f"l{level}_bytes"] = _bytes(size)
        except (OSError, ValueError):
            continue
    return replace(target, **{name: size for name, size in sizes.items() if size > 0})  # pyright: ignore[reportArgumentType]


def _bytes(size: str) -> int:
    """`1024K` in bytes. Raises `ValueError`."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(size[:-1]) * units[size[-1]] if size[-1:] in units else int(size)


@cache
def host() -> Target:
    """The CPU this process runs on."""
    import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

    target = with_caches(from_features(dict(llvm.get_host_cpu_features()), llvm.get_default_triple()))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return replace(target, cores=cores)


@cache
def cpu_name(vector_bits: int = 0) -> str:
    """What LLVM calls the CPU this process runs on; where `vector_bits` is not 0, a generic one of that width."""
    import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

    return f"generic of {vector_bits} bits" if vector_bits else str(llvm.get_host_cpu_name())


def is_register_width(bits: int) -> bool:
    """Whether a vector register may have so many bits."""
    return bits >= 64 and bits.bit_count() == 1


def with_vector_bits(vector_bits: int) -> Target:
    """The host's target, or, where `vector_bits` is not 0, a generic one of that width (for reproducible tests).

    Raises `XlaError` for a width that no vector register has.
    """
    if vector_bits == 0:
        return host()
    if not is_register_width(vector_bits):
        raise XlaError(f"vectors of {vector_bits} bits: a power of two of at least 64, or 0 for this machine's")
    return Target(vector_bits=vector_bits, vector_registers=32 if vector_bits >= 512 else 16)


def with_dot_products(target: Target, names: str) -> Target:
    """`target` with the dot products that `names` has, with dots between them: `vpdpbusd.vdpbf16ps`; `none` for none.

    Raises `XlaError` for what is no such instruction.
    """
    found = () if names == "none" else tuple(names.split("."))
    for name in found:
        if name not in DOT_PRODUCTS:
            raise XlaError(f"no dot product {name!r}: there are {', '.join(DOT_PRODUCTS)}")
    return replace(target, dot_products=found)
