"""Tests compile what they run: none is served from the compile cache but those that turn it on."""

import os
from collections.abc import Iterator

import pytest
from xdsl_xla.reference import interpreter, lapack, lapack_library
from xdsl_xla.reference.custom_calls import TARGETS

os.environ["XDSL_XLA_CACHE"] = "0"


@pytest.fixture(autouse=True)
def optimized(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM optimises the programs of tests, which take few steps, as it does large ones; not those marked `brief`."""
    if "brief" not in request.keywords:
        monkeypatch.setattr("xdsl_xla.decisions.cost_model.BRIEF_STEPS", 0)


@pytest.fixture(autouse=True)
def registered_targets() -> Iterator[None]:
    """What a test registers for custom calls, other tests do not find."""
    assert interpreter and lapack and lapack_library  # which register targets when they are imported
    before = dict(TARGETS)
    yield
    TARGETS.clear()
    TARGETS.update(before)
