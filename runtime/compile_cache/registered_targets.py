"""What compiled code takes for granted about the functions that its custom calls name.

Which of them exist, and whether one is this package's own, a function in Python or one in C, decides how a call is
compiled. A compiled program is good as long as all of that is as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...reference.lapack_addresses import is_there

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

REGISTRY = "xdsl_xla.reference.custom_calls"
"""The module with the registry. As long as nobody has imported it, it holds this package's own functions."""

OWN, PYTHON, NATIVE, LIBRARY, MISSING = "own", "Python", "C", "library", "missing"
"""`LIBRARY` is LAPACK's where there is one, of which compiled code calls the routines."""


def kinds_of_targets(module: ModuleOp) -> dict[str, str]:
    """The names of the custom calls in `module`, and what each of them is."""
    from ...dialects.stablehlo import CustomCallOp

    names = {op.call_target_name.data for op in module.walk() if type(op) is CustomCallOp}
    return {name: _kind(name) for name in sorted(names)}


def agree(kinds: Mapping[str, str]) -> bool:
    """Whether the targets are what they were."""
    if REGISTRY not in sys.modules:
        return all(kind == OWN or (kind == LIBRARY and is_there()) for kind in kinds.values())
    return all(_kind(name) == kind for name, kind in kinds.items())


def _kind(name: str) -> str:
    from ...reference import c_targets, checks, collectives, custom_calls, lapack, random

    del checks, collectives, random  # only register targets
    target = custom_calls.TARGETS.get(name)
    if target is None:
        return MISSING
    if isinstance(target, c_targets.NativeTarget):
        return NATIVE
    if target.__module__ == lapack.__name__ and is_there():
        return LIBRARY
    return OWN if target.__module__.startswith(f"{custom_calls.__package__}.") else PYTHON
