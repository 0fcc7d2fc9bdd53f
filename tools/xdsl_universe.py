"""What `xdsl-opt` has of this package: its passes, dialects and targets, by xDSL's entry point `xdsl.universe`.

Of two packages that define one name, xDSL refuses both, and all others with them. So a name that xDSL or another
package has is left to it here: `xdsl-opt` works as it did before this package was installed. Of xDSL's these are the
dialect `llvm`, the pass `convert-scf-to-cf` and the targets `llvm` and `mlir`. Where another package has a `stablehlo`,
passes on StableHLO see ops that are not theirs, and leave them; a warning says so. `xla-opt` has all of this package's.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from xdsl.universe import XDSL_UNIVERSE, Universe

from ..pipelines import pass_factories
from ..runtime.extensions.installed import installed
from ..runtime.program_context import DIALECTS
from .targets import TARGETS, ObjectTarget

T = TypeVar("T")


class DialectClashWarning(UserWarning):
    """Another package has a dialect of the name of one of this package."""


def xdsl_universe() -> Universe:
    """What this package has and nobody else. Warns of dialects of others that take the place of its own."""
    others, _ = installed()
    for name in DIALECTS:
        if name in others.dialects and name not in XDSL_UNIVERSE.all_dialects:
            warnings.warn(
                f"xdsl-opt takes the dialect '{name}' of {others.dialects[name].origin}, whose ops the passes of"
                " xdsl-xla do not know; xla-opt takes that of xdsl-xla",
                DialectClashWarning,
                stacklevel=2,
            )
    texts = {name: _factory(target) for name, target in TARGETS.items() if target is not ObjectTarget}
    return Universe(
        all_dialects=_without(DIALECTS, XDSL_UNIVERSE.all_dialects, others.dialects),
        all_passes=_without(pass_factories(), XDSL_UNIVERSE.all_passes, others.passes),
        all_targets=_without(texts, XDSL_UNIVERSE.all_targets, others.targets),
    )


def _factory(target: T) -> Callable[[], T]:
    return lambda: target


def _without(own: Mapping[str, T], *others: Mapping[str, Any]) -> dict[str, T]:
    return {name: each for name, each in own.items() if not any(name in table for table in others)}


UNIVERSE = xdsl_universe()
