"""Tests compile what they run: none is served from the compile cache but those that turn it on. Schedules that searches
of the user have found, they do not see."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from xdsl_xla.decisions import model
from xdsl_xla.decisions.model import CostModel
from xdsl_xla.reference import interpreter, lapack, lapack_library
from xdsl_xla.reference.custom_calls import TARGETS

pytest_plugins = ["slow_tests"]

os.environ["XDSL_XLA_CACHE"] = "0"
os.environ["XDSL_XLA_SCHEDULES"] = ""


@pytest.fixture
def decide(monkeypatch: pytest.MonkeyPatch) -> Callable[..., CostModel]:
    """Builds a cost model with other numbers, such as `decide(sorting={"sorted_list": 4})`, and makes it what passes
    decide by during the test where they are given none."""

    def change(**parts: Mapping[str, Any]) -> CostModel:
        before = model.host_model()
        parts_changed = {part: replace(getattr(before, part), **numbers) for part, numbers in parts.items()}
        changed = replace(before, **parts_changed)
        monkeypatch.setattr(model, "host_model", lambda: changed)
        return changed

    return change


@pytest.fixture(autouse=True)
def optimized(request: pytest.FixtureRequest, decide: Callable[..., CostModel]) -> None:
    """LLVM optimises the programs of tests, which take few steps, as it does large ones; not those marked `brief`."""
    if "brief" not in request.keywords:
        decide(llvm={"brief_steps": 0})


@pytest.fixture(autouse=True)
def registered_targets() -> Iterator[None]:
    """What a test registers for custom calls, other tests do not find."""
    assert interpreter and lapack and lapack_library  # which register targets when they are imported
    before = dict(TARGETS)
    yield
    TARGETS.clear()
    TARGETS.update(before)
