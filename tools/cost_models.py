"""Decisions from files: what `--cost-model FILE.py:NAME` names, and `--schedules FILE`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from ..decisions.model import CostModel
from .reporting import UsageError

COST_MODEL_HELP = "what decides: a `CostModel`, or a function without parameters that returns one"
SCHEDULES_HELP = "schedules of kernels, by name, if not those of the file model.schedules beside model.mlir"


def load_cost_model(place: str | None) -> CostModel | None:
    """The model that `place` names, None for None. Raises `UsageError` where there is none."""
    if place is None:
        return None
    file, _, name = place.rpartition(":")
    path = Path(file)
    if not file or not name.isidentifier():
        raise UsageError(f"--cost-model: expected FILE.py:NAME, got '{place}'")
    if not path.is_file():
        raise UsageError(f"--cost-model: there is no file '{file}'")
    try:
        module = imported_file(path, "cost_model")
        found = getattr(module, name)
        model = found() if callable(found) else found
    except Exception as error:
        raise UsageError(f"--cost-model {place}: {type(error).__name__}: {error}") from error
    if not isinstance(model, CostModel):
        raise UsageError(f"--cost-model {place}: expected a CostModel, got {type(model).__name__}")
    return model
