"""The exponents of growing programs come from compilations of three sizes."""

from __future__ import annotations

import pytest
from xdsl_xla.benchmarks.growing_programs import PROGRAMS, Program, named
from xdsl_xla.benchmarks.sections import directions
from xdsl_xla.benchmarks.sections.section import Settings


def test_every_program_has_a_size() -> None:
    names = [program.__name__ for programs in PROGRAMS.values() for program in programs]
    assert sorted(directions.LARGEST) == sorted(names)
    assert set(directions.QUICK) <= set(names)
    assert all(named(name).__name__ == name for name in names)


def test_a_table_of_exponents(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, int]] = []

    def seconds(program: Program, count: int, threads: int) -> float:
        compiled.append((program.__name__, count))
        return 0.001 * count**1.5

    monkeypatch.setattr(directions, "compile_seconds", seconds)
    (table,) = directions.measure(Settings(threads=2, quick=True)).tables
    sizes = {name: directions.LARGEST[name] // directions.QUICK_SHARE for name in directions.QUICK}
    assert compiled == [(name, size // share) for name, size in sizes.items() for share in (4, 2, 1)]
    assert table.values("exponent") == pytest.approx([1.5, 1.5], abs=0.01)
    assert table.figures["largest exponent"] == max(table.values("exponent"))


def test_a_compilation_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_CACHE", "0")
    assert directions.compile_seconds(named("reshapes"), 5, 1) > 0
