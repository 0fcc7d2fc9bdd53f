"""Tests compile what they run: none is served from the compile cache but those that turn it on."""

import os

import pytest

os.environ["XDSL_XLA_CACHE"] = "0"


@pytest.fixture(autouse=True)
def optimized(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM optimises the programs of tests, which take few steps, as it does large ones; not those marked `brief`."""
    if "brief" not in request.keywords:
        monkeypatch.setattr("xdsl_xla.cost_model.BRIEF_STEPS", 0)
