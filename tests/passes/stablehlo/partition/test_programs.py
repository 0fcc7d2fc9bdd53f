"""Op families against one device: random meshes and shardings of all values, sizes that divide and such that do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sharded_programs import check
from xdsl_xla.decisions.model import CostModel

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.mlir"))


@pytest.mark.sample(60)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
@pytest.mark.parametrize("seed", range(12))
def test_same_as_one_device(program: Path, seed: int):
    check(program.read_text(), seed)


@pytest.mark.sample(20)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
@pytest.mark.parametrize("seed", range(6))
def test_exchanges_that_do_not_pay_here(program: Path, seed: int, decide: Callable[..., CostModel]):
    """The programs are small: as if a collective cost nothing but its bytes, and work much."""
    decide(communication={"step_bytes": 0, "flop_bytes": 10.0, "search_bytes": 0})
    check(program.read_text(), 100 + seed, share=0.9)
