"""Whole models: their sizes, their texts, and that ours and XLA's results agree on small ones."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl_xla.benchmarks.agreement import difference
from xdsl_xla.benchmarks.peers import Native, XlaCpu
from xdsl_xla.benchmarks.report import Report, write_page
from xdsl_xla.benchmarks.sections.section import Result, Settings
from xdsl_xla.benchmarks.suite import Draw
from xdsl_xla.benchmarks.table import Column, Table
from xdsl_xla.errors import ArgumentError

jax: Any = pytest.importorskip("jax")
models: Any = importlib.import_module("xdsl_xla.benchmarks.models")


def parameters(name: str) -> int:
    """How many there are in the tree that is a model's first argument."""
    draws: list[Draw] = jax.tree.leaves(models.MODELS[name].arguments[0])
    return sum(int(np.prod(draw.shape)) for draw in draws)


def test_models_have_the_sizes_of_those_they_are_named_for() -> None:
    assert parameters("gpt2_forward") == parameters("gpt2_train") == 124_439_808
    assert parameters("resnet50_forward") == parameters("resnet50_gradient") == 25_557_032
    assert parameters("vision_transformer") == 22_050_664


def test_models_are_grouped_by_family() -> None:
    assert models.names()[:2] == ["gpt2_forward", "gpt2_train"] and set(models.names()) == set(models.MODELS)
    with pytest.raises(ArgumentError, match="no program 'nonsense'"):
        models.load("nonsense")


@pytest.mark.parametrize("name", ["rigid_bodies", "neural_ode", "nuts_step"])
def test_small_models_agree_with_xla(name: str) -> None:
    program = models.load(name)
    ours, xla = Native(1), XlaCpu()
    mine, theirs = ours.compile(program), xla.compile(program)
    assert difference(ours.outputs(mine.run()), xla.outputs(theirs.run())) < 1e-3
    assert ours.peak_bytes(mine) > 0 and xla.peak_bytes(theirs) > 0


def test_texts_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = importlib.import_module("xdsl_xla.benchmarks.models.__main__")
    assert command.main([str(tmp_path), "nuts_step"]) == 0
    assert "func.func public @main" in (tmp_path / "nuts_step.mlir").read_text()
    assert command.main([str(tmp_path), "nonsense"]) == 2
    assert "names among" in capsys.readouterr().err


def test_tables_of_several_numbers_of_threads_have_notes_and_charts(tmp_path: Path) -> None:
    columns = (Column("program", "model"), Column("xla_ratio", "ours/XLA", ".2f"))
    tables = [
        Table(f"models_{n}", f"Whole models, {n} threads", columns, [{"program": "a", "xla_ratio": 0.5}])
        for n in (1, 2)
    ]
    write_page(Report({}, {"models": Result(tables, [], Settings(threads=2))}), tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "(page_models_1.svg)" in text and "(page_models_2.svg)" in text
    assert text.count("weights and inputs drawn at random") == 2 and "Measured with" not in text
