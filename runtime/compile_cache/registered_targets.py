"""What compiled code takes for granted about the functions that its custom calls name.

Which of them exist, and whether one is this package's own, a function in Python or one in C, decides how a call is
compiled. A compiled program is good as long as all of that is as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...dialects.xrt_names import MEMBERS, RANDOM_STATE, REDUCED, ROUTINE
from ...reference.lapack_addresses import is_there

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

REGISTRY = "xdsl_xla.reference.custom_calls"
"""The module with the registry. As long as nobody has imported it, it holds this package's own functions."""

UNCHANGING = ("stablehlo.", MEMBERS, REDUCED, RANDOM_STATE)
"""How the names of targets begin that nobody can register and that need no library."""

OWN, PYTHON, NATIVE, LIBRARY, MISSING = "own", "Python", "C", "library", "missing"
"""`LIBRARY` is LAPACK's where there is one, of which compiled code calls the routines."""


def kinds_of_targets(module: ModuleOp) -> dict[str, str]:
    """The names of the custom calls in `module`, on any level, and what each of them is."""
    from ...dialects.stablehlo import CustomCallOp
    from ...dialects.xrt import CallTargetOp
    from ...lowering.to_llvm.module_tables import collect_call_targets

    names = {target.name for target in collect_call_targets(module)}
    for op in module.walk():
        if type(op) is CustomCallOp:
            names.add(op.call_target_name.data)
        elif type(op) is CallTargetOp:
            names.add(op.target.data)
    return {name: _kind(name) for name in sorted(names) if not name.startswith(UNCHANGING)}


def agree(kinds: Mapping[str, str]) -> bool:
    """Whether the targets are what they were."""
    if REGISTRY not in sys.modules:
        return all(kind == OWN or (kind == LIBRARY and is_there()) for kind in kinds.values())
    return all(_kind(name) == kind for name, kind in kinds.items())


def _kind(name: str) -> str:
    from ...reference import c_targets, checks, collectives, custom_calls, lapack, random

    del checks, collectives, random  # only register targets
    if name.startswith(ROUTINE):
        return LIBRARY if is_there() else MISSING
    target = custom_calls.TARGETS.get(name)
    if target is None:
        return MISSING
    if isinstance(target, c_targets.NativeTarget):
        return NATIVE
    if target.__module__ == lapack.__name__ and is_there():
        return LIBRARY
    return OWN if target.__module__.startswith(f"{custom_calls.__package__}.") else PYTHON
