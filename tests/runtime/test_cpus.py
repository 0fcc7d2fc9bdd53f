"""CPUs that a process may use: by affinity and by control groups."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from xdsl_xla.runtime import cpus


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for Linux's control groups; 8 CPUs by affinity."""
    monkeypatch.setattr(cpus, "GROUPS", tmp_path)
    monkeypatch.setattr(cpus, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_affinity(groups: Path) -> None:
    assert cpus.available_cpus() == 8


def test_second_version(groups: Path) -> None:
    write(groups / "own", "0::/pod/container\n")
    write(groups / "pod/container/cpu.max", "max 100000\n")
    assert cpus.available_cpus() == 8
    write(groups / "pod/cpu.max", "250000 100000\n")
    assert cpus.available_cpus() == 3
    write(groups / "pod/container/cpu.max", "50000 100000\n")
    assert cpus.available_cpus() == 1


def test_first_version(groups: Path) -> None:
    write(groups / "own", "5:cpu,cpuacct:/box\n3:cpuset:/\n")
    write(groups / "cpu/box/cpu.cfs_quota_us", "-1\n")
    write(groups / "cpu/box/cpu.cfs_period_us", "100000\n")
    assert cpus.available_cpus() == 8
    write(groups / "cpu/box/cpu.cfs_quota_us", "400000\n")
    assert cpus.available_cpus() == 4


def test_files_that_say_nothing(groups: Path) -> None:
    write(groups / "own", "0::/\n")
    write(groups / "cpu.max", "nonsense\n")
    assert cpus.available_cpus() == 8
