"""How many CPUs this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

GROUPS = Path("/sys/fs/cgroup")
"""Where Linux's control groups are."""

OWN_GROUPS = Path("/proc/self/cgroup")
"""Which of them this process is in."""


def available_cpus() -> int:
    """Those of its affinity, or fewer if its control groups give it less time than that; at least 1."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cpus, *_quotas()]))


def _quotas() -> Iterator[int]:
    """How many CPUs the groups of this process and those around them may use at once, on average, rounded up."""
    try:
        lines = OWN_GROUPS.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, name = line.split(":", 2)
        path = PurePosixPath(name.lstrip("/"))
        if not controllers:
            for group in (path, *path.parents):
                yield from _second_version(GROUPS / group)
        elif "cpu" in controllers.split(","):
            for group in (path, *path.parents):
                yield from _first_version(GROUPS / "cpu" / group)


def _second_version(group: Path) -> Iterator[int]:
    try:
        quota, period = (group / "cpu.max").read_text().split()
        if quota != "max":
            yield -(-int(quota) // int(period))
    except (OSError, ValueError):
        return


def _first_version(group: Path) -> Iterator[int]:
    try:
        quota, period = (int((group / f"cpu.cfs_{name}_us").read_text()) for name in ("quota", "period"))
        if quota > 0:
            yield -(-quota // period)
    except (OSError, ValueError):
        return
