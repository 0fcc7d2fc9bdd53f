"""The machine that figures were measured on, and the versions of what was measured."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Generator
from importlib import metadata
from pathlib import Path
from typing import cast

from ..decisions import target

EXTENSIONS = (
    "avx2",
    "fma",
    "f16c",
    "avx512f",
    "avx512vnni",
    "avx512bf16",
    "avx512fp16",
    "amx-tile",
    "neon",
    "sve",
    "bf16",
)
"""Of the features that LLVM reports: those that programs here gain from."""

PACKAGES = ("xdsl-xla", "xdsl", "llvmlite", "numpy", "jax", "jaxlib", "torch")


def available_cpus() -> list[int]:
    """The CPUs this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextlib.contextmanager
def limited_to(cpus: int) -> Generator[None]:
    """Inside, this process and those it starts have `cpus` of its CPUs, where the system can do that.

    XLA and BLAS libraries take their thread counts from it.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:cpus])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def description() -> dict[str, str]:
    """What matters of this machine: processor, cores, vectors, caches, system, versions."""
    facts = {
        "processor": _processor(),
        "cores": str(len(available_cpus())),
        "vectors": f"{target.host().vector_bits} bits ({', '.join(_extensions())})",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    }
    return facts | {package: version for package in PACKAGES if (version := _version(package))}


def features() -> dict[str, bool]:
    """Of the processor, as LLVM names them."""
    import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

    return cast(dict[str, bool], dict(llvm.get_host_cpu_features()))


def _extensions() -> list[str]:
    there = features()
    return [name for name in EXTENSIONS if there.get(name)]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
