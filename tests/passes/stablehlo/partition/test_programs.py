"""Op families against one device: random meshes and shardings of all values, sizes that divide and such that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from sharded_programs import check

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.mlir"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
@pytest.mark.parametrize("seed", range(12))
def test_same_as_one_device(program: Path, seed: int):
    check(program.read_text(), seed)
