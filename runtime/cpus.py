"""How many CPUs this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

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
        lines = _text(str(OWN_GROUPS)).splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if not controllers:
            for group in _groups_around(f"{GROUPS}/{name.strip('/')}", str(GROUPS)):
                yield from _second_version(group)
        elif "cpu" in controllers.split(","):
            for group in _groups_around(f"{GROUPS}/cpu/{name.strip('/')}", f"{GROUPS}/cpu"):
                yield from _first_version(group)


def _groups_around(group: str, outermost: str) -> Iterator[str]:
    group = group.rstrip("/")
    while len(group) > len(outermost):
        yield group
        group = group.rpartition("/")[0]
    yield outermost


def _text(path: str) -> str:
    """What a small file says: each compilation reads some, and `Path.read_text` takes as long as a pass of ours."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16).decode()
    finally:
        os.close(file)


def _second_version(group: str) -> Iterator[int]:
    try:
        quota, period = _text(f"{group}/cpu.max").split()
        if quota != "max":
            yield -(-int(quota) // int(period))
    except (OSError, ValueError):
        return


def _first_version(group: str) -> Iterator[int]:
    try:
        quota, period = (int(_text(f"{group}/cpu.cfs_{name}_us")) for name in ("quota", "period"))
        if quota > 0:
            yield -(-quota // period)
    except (OSError, ValueError):
        return
