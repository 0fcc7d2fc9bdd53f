"""The table of candidates, how they are turned off, and what the section makes of the times."""

from __future__ import annotations

import pytest
from xdsl_xla.benchmarks.__main__ import select
from xdsl_xla.benchmarks.ablation_candidates import ROOT, candidates, optional_steps, overridden
from xdsl_xla.benchmarks.sections import ablation
from xdsl_xla.benchmarks.sections.section import Settings
from xdsl_xla.decisions import cost_model
from xdsl_xla.passes.loops import loops_prefetch_rows
from xdsl_xla.pipelines import XLA_CPU


def test_every_candidate_is_there() -> None:
    everything = candidates()
    names = [candidate.name for candidate in everything]
    assert len(set(names)) == len(names)
    assert set(ablation.QUICK_CANDIDATES) <= set(names)
    for candidate in everything:
        assert candidate.values or candidate.step is not None
        assert not candidate.code or candidate.lines > 10
        assert all((ROOT / code.partition(":")[0]).exists() for code in candidate.code)
        with candidate.turned_off():
            pass


def test_optional_steps() -> None:
    steps = optional_steps()
    assert [step.step for step in steps] == [n for n, step in enumerate(XLA_CPU) if not step.required]
    for step in steps:
        assert len(step.pipeline.split(",")) == len(XLA_CPU) - 1
    assert {"stablehlo-simplify #1", "stablehlo-simplify #2"} <= {step.name for step in steps}


def test_a_decision_changes_wherever_it_is_imported() -> None:
    own = cost_model.prefetch_distance
    assert own(512, 1 << 30, 1 << 20) > 0
    with overridden({"decisions.cost_model.prefetch_distance": 0, "decisions.cost_model.SHORT_LOOP": 7}):
        assert cost_model.prefetch_distance(512, 1 << 30, 1 << 20) == 0
        assert vars(loops_prefetch_rows)["prefetch_distance"](512, 1 << 30, 1 << 20) == 0
        assert vars(loops_prefetch_rows)["SHORT_LOOP"] == 7
    assert cost_model.prefetch_distance is own and vars(loops_prefetch_rows)["prefetch_distance"] is own


def test_a_decision_comes_back_after_an_error() -> None:
    own = cost_model.SHORT_LOOP
    with pytest.raises(RuntimeError), overridden({"decisions.cost_model.SHORT_LOOP": own + 1}):
        raise RuntimeError
    assert own == cost_model.SHORT_LOOP


def test_a_table_of_ratios() -> None:
    pytest.importorskip("jax")
    names = ("softmax", "loops-vectorize", "stablehlo-unroll-loops")
    result = ablation.measure(Settings(blocks=1, programs=names))
    table, details = result.tables
    rows = {row["candidate"]: row for row in table.rows}
    assert not result.failures and list(rows) == [ablation.ON.name, "stablehlo-unroll-loops", "loops-vectorize"]
    assert rows["stablehlo-unroll-loops"]["changed"] == 0 and rows["stablehlo-unroll-loops"]["run_ratio"] == 1.0
    assert rows["loops-vectorize"]["changed"] == 1 and rows["loops-vectorize"]["largest_program"] == "softmax"
    assert all(float(str(row["compile_ratio"])) > 0 and row["needed"] == 0 for row in rows.values())
    assert {row["candidate"] for row in details.rows} == {ablation.ON.name, "loops-vectorize"}


def test_what_the_command_takes() -> None:
    sections, names = select(["ablation", "loops-vectorize", "softmax"])
    assert [section.name for section in sections] == ["ablation"] and names == ("loops-vectorize", "softmax")
