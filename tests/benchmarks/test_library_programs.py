"""Programs of libraries' kinds: what PyTorch computes is what ours computes."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from xdsl_xla.benchmarks.agreement import difference
from xdsl_xla.benchmarks.peers import Native, PyTorch
from xdsl_xla.errors import ArgumentError, UnsupportedError

pytest.importorskip("jax")
library_programs: Any = importlib.import_module("xdsl_xla.benchmarks.library_programs")

SAMPLES = [
    "batched_odd",
    "group_norm",
    "group_norm_nchw",
    "index_add",
    "solve_200",
    "transposed_conv",
    "product_bf16_1024",
]


def test_names() -> None:
    assert len(library_programs.names()) >= 25
    with pytest.raises(ArgumentError, match="no program 'nonsense'"):
        library_programs.load("nonsense")


@pytest.mark.parametrize("name", SAMPLES)
def test_pytorch_agrees(name: str) -> None:
    pytest.importorskip("torch")
    program, ours, torch = library_programs.load(name), Native(1), PyTorch(1)
    theirs = torch.outputs(torch.compile(library_programs.library_function(name), program).run())
    assert difference(ours.outputs(ours.compile(program).run()), theirs) < 1e-2


def test_pytorch_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("xdsl_xla.benchmarks.peers.importlib.import_module", missing)
    with pytest.raises(UnsupportedError, match="pip install torch"):
        PyTorch(1)
