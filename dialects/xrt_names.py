"""The names that begin with `xrt.`, but for those of ops: strings, for modules that cannot import xDSL too.

`xrt_attributes.py` declares the attributes among them and says what they mean.
"""

from __future__ import annotations

PREFIX = "xrt."
"""Also how the names of targets begin that passes call, not programs; they see all attributes."""

# attributes of functions
INTERFACE = "xrt.interface"
GLOBAL_TYPE = "xrt.global_type"
ENTRY = "xrt.entry"
NUM_INPUTS = "xrt.num_inputs"
NUM_OUTPUTS = "xrt.num_outputs"
DONATED = "xrt.donated"
THREADS = "xrt.threads"
THREAD_SCRATCH_BYTES = "xrt.thread_scratch_bytes"
BRIEF = "xrt.brief"
ARENA_BYTES = "xrt.arena_bytes"
LAYER = "xrt.layer"
KERNEL = "xrt.kernel"
ROW_DIMS = "xrt.row_dims"
SCHEDULE = "xrt.schedule"
SERIAL = "xrt.serial"
INLINE_COPIES = "xrt.inline_copies"
STREAMED = "xrt.streamed"
REPEATED = "xrt.repeated"
TIER = "xrt.tier"

# attributes of other ops
CONTRACT = "xrt.contract"
SIGNATURE = "xrt.signature"
PARAMETERS = "xrt.parameters"
BATCH = "xrt.batch"
SPACES = "xrt.spaces"
CALL_TARGET_TABLE = "xrt.call_targets"
SAFEPOINTS = "xrt.safepoints"
PROFILE = "xrt.profile"
DENORMALS = "xrt.denormals"
SAFEPOINT_CALL = "xrt.safepoint_call"
CONSTANT_INDEX = "xrt.constant_index"
UNROLL = "xrt.unroll"
LANES = "xrt.lanes"
STREAM = "xrt.stream"

# targets of custom calls
ROUTINE = "xrt.lapack."
"""How targets begin that are routines of LAPACK, called by generated code without Python in between."""
MEMBERS = "xrt.members"
PARTS = "parts"
"""An attribute of calls of `MEMBERS`: member i gets part i of the operands of all, not all of them; of calls of
`REDUCED`: part i of the result."""
REDUCED = "xrt.reduced"
PIECE = "piece"
"""An attribute of calls of `REDUCED`: the bytes of a piece that the function of the call reduces."""
RANDOM_STATE = "xrt.random_state"

# symbols
FORK = "xrt.fork"
THREAD = "xrt.thread"
MEMBER = "xrt.member"
SPEND = "xrt.spend"
FETCH = "xrt.fetch"
TILE = "xrt.tile"
"""How the names of functions begin that compute register tiles (`tile_functions.py`)."""
BODY = ".body"
"""How the name of the function ends that an entry function calls to do its work."""
TASK = ".task."
"""What stands between the name of a parallel loop's body and its number of iterations in that of its task."""

EXCHANGES = frozenset(
    (
        MEMBERS,
        REDUCED,
        "stablehlo.collective_broadcast",
        "stablehlo.collective_permute",
        "stablehlo.partition_id",
        "stablehlo.replica_id",
    )
)
"""Targets of `xrt.call_target` that devices carry out among themselves, without Python: generated code calls the
function that a closure begins with (`runtime/devices/`)."""

TARGETS = (ROUTINE, MEMBERS, REDUCED, RANDOM_STATE)
"""Targets of custom calls that passes write: `stablehlo-call-lapack` (how the names begin),
`stablehlo-expand-collectives`, `stablehlo-expand-rng`."""

SYMBOLS = (FORK, THREAD, MEMBER, SPEND, FETCH)
"""Functions that programs of level 6 share."""
