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
from .indexed import INDEXED
from .movement import MOVEMENT
from .reduction import REDUCTIONS
from .scattered_windows import SCATTERED_WINDOWS
from .sharding import SHARDING
from .site import Handler
from .sorts import SORTS
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
    **REDUCTIONS,
    **SCATTERED_WINDOWS,
    **SORTS,
    **TRANSFORMS,
}


def handler_of(op: Operation) -> Handler:
    """The handler of an op: that of its family, or of its kind: ops of chlo have no properties that hold shapes."""
    found = HANDLERS.get(type(op))
    if found is None:
        has_rule = op.has_trait(Elementwise) or op.name.startswith("chlo.")
        found = HANDLERS[type(op)] = SHARDING.get(op.name) or (by_rule if has_rule else whole)
    return found
