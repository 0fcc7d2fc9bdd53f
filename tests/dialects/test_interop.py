"""Text goes back and forth between this package and upstream without loss.

For every program: what upstream prints is parsed here, what is printed here upstream parses, in custom and
in generic form, and after the round trip upstream prints the program it started from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jaxlib")

from upstream import ours, upstream

ROOT = Path(__file__).parents[1]
PROGRAMS = sorted((ROOT / "corpus").glob("*.mlir")) + sorted((Path(__file__).parent / "syntax").glob("*.mlir"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("ours_generic", [False, True], ids=["ours-custom", "ours-generic"])
@pytest.mark.parametrize("upstream_generic", [False, True], ids=["upstream-custom", "upstream-generic"])
def test_round_trip(program: Path, upstream_generic: bool, ours_generic: bool) -> None:
    text = program.read_text()
    here = ours(upstream(text, generic=upstream_generic), generic=ours_generic)
    assert upstream(here) == upstream(text)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_locations_survive(program: Path) -> None:
    text = upstream(program.read_text(), locations=True)
    assert upstream(ours(text, locations=True), locations=True) == text
