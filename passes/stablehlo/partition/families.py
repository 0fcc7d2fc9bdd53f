"""Which handler partitions which op. A family of ops is a file with a table; this one joins them."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.stablehlo.traits import Elementwise
from .by_rule import BY_RULE, by_rule
from .constants import CONSTANTS
from .contraction import CONTRACTIONS
from .control_flow import CONTROL_FLOW
from .convolution import CONVOLUTIONS
from .dynamic_slices import DYNAMIC_SLICES
from .effects import EFFECTS
from .elementwise import elementwise
from .indexed import INDEXED
from .movement import MOVEMENT
from .processes import PROCESSES
from .reduction import REDUCTIONS
from .scattered_windows import SCATTERED_WINDOWS
from .sharding import SHARDING
from .site import Handler
from .transforms import TRANSFORMS
from .whole import whole

HANDLERS: dict[type[Operation], Handler] = {
    **BY_RULE,
    **CONSTANTS,
    **CONTRACTIONS,
    **CONTROL_FLOW,
    **CONVOLUTIONS,
    **DYNAMIC_SLICES,
    **EFFECTS,
    **INDEXED,
    **MOVEMENT,
    **PROCESSES,
    **REDUCTIONS,
    **SCATTERED_WINDOWS,
    **TRANSFORMS,
}


def handler_of(op: Operation) -> Handler:
    """The handler of an op: that of its family, or the one for ops that work element by element, or the last resort."""
    found = HANDLERS.get(type(op))
    if found is None:
        found = HANDLERS[type(op)] = SHARDING.get(op.name) or _by_kind(op)
    return found


def _by_kind(op: Operation) -> Handler:
    """What is known of ops without a handler of their own; those of chlo have no properties that hold shapes."""
    if op.has_trait(Elementwise):
        return elementwise
    return by_rule if op.name.startswith("chlo.") else whole
