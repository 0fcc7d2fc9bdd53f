"""Cost models by name: of a file, of a module, or of an installed package.

policy.py:MODEL            the variable of a file
my_package.policy:MODEL    the variable of a module that can be imported
my-model                   the entry point of a package, in the group `xdsl_xla.cost_models`
"""

from __future__ import annotations

import importlib
from pathlib import Path

from ...decisions.model import CostModel
from ...errors import XlaError, similar_names
from ...interruptions import is_interruption
from ...user_code import imported_file, load_error
from .entry_points import COST_MODELS, load_entry, names


class NoCostModelError(XlaError):
    """A text that names no cost model."""


def cost_model_named(place: str) -> CostModel:
    """The model that `place` names. Raises `NoCostModelError` where there is none, and for one that cannot be made."""
    file, _, name = place.rpartition(":")
    if not file:
        value, origin = _of_package(place)
    elif not name.isidentifier():
        raise NoCostModelError(f"expected FILE.py:NAME, module:NAME or the name of a package's model, got '{place}'")
    elif Path(file).is_file():
        value, origin = _variable(vars(imported_file(file, "cost_model")), name, file), place
    elif all(part.isidentifier() for part in file.split(".")) and not file.endswith(".py"):
        value, origin = _variable(vars(_module(file)), name, f"module {file}"), place
    else:
        raise NoCostModelError(f"there is no file '{file}'")
    if callable(value):
        value = _made(value, origin)
    if not isinstance(value, CostModel):
        raise NoCostModelError(f"{origin}: expected a CostModel, got {type(value).__name__}")
    return value


def _of_package(name: str) -> tuple[object, str]:
    found = load_entry(COST_MODELS, "cost model", name)
    if found is None:
        known = names(COST_MODELS)
        raise NoCostModelError(
            f"no installed package has a cost model '{name}'{similar_names(name, known)};"
            f" expected FILE.py:NAME, module:NAME or one of: {', '.join(known) or 'none'}"
        )
    return found


def _variable(variables: dict[str, object], name: str, origin: str) -> object:
    if name not in variables:
        raise NoCostModelError(f"{origin} has no '{name}'{similar_names(name, variables)}")
    return variables[name]


def _module(name: str) -> object:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is not None and f"{name}.".startswith(f"{missing}."):
            raise NoCostModelError(f"there is no file and no module '{name}'") from None
        raise load_error(error, name) from error


def _made(function: object, origin: str) -> object:
    """What the function without parameters returns."""
    try:
        return function()  # pyright: ignore[reportCallIssue, reportUnknownVariableType]
    except XlaError:
        raise
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        raise load_error(error, origin) from error
