"""The table of candidates, how they are turned off, and what the section makes of the times."""

from __future__ import annotations

import pytest
from xdsl_xla.benchmarks.__main__ import select
from xdsl_xla.benchmarks.ablation_candidates import ROOT, candidates, optional_steps, overridden, place_of
from xdsl_xla.benchmarks.sections import ablation
from xdsl_xla.benchmarks.sections.section import Settings
from xdsl_xla.decisions import parallelism
from xdsl_xla.decisions.model import cost_model_of
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


def test_a_choice_changes_wherever_it_is_made() -> None:
    own = cost_model_of(None)
    assert own.copies.short_loop != 7
    with overridden({place_of("short_loop"): 7, place_of("worth_hoisting"): False}):
        changed = cost_model_of(None)
        assert changed.copies.short_loop == 7
        assert not changed.kernels.worth_hoisting(1 << 40, 1)
    assert cost_model_of(None) is own


def test_a_name_of_a_module_changes_wherever_it_is_imported() -> None:
    own = parallelism.PARTS_PER_THREAD
    with overridden({place_of("PARTS_PER_THREAD"): own + 1}):
        assert own + 1 == parallelism.PARTS_PER_THREAD
    assert own == parallelism.PARTS_PER_THREAD


def test_a_choice_comes_back_after_an_error() -> None:
    own = cost_model_of(None)
    with pytest.raises(RuntimeError), overridden({place_of("worth_hoisting"): False}):
        raise RuntimeError
    assert cost_model_of(None) is own


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
