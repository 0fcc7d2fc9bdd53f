"""The names that begin with `xrt.`, but for those of ops: strings, for modules that cannot import xDSL too.

`xrt_attributes.py` declares the attributes among them.
"""

from __future__ import annotations

PREFIX = "xrt."
"""Also how the names of targets begin that passes call, not programs; they see all attributes."""

# attributes of functions
INTERFACE = "xrt.interface"
ENTRY = "xrt.entry"
NUM_INPUTS = "xrt.num_inputs"
NUM_OUTPUTS = "xrt.num_outputs"
DONATED = "xrt.donated"
THREADS = "xrt.threads"
THREAD_SCRATCH_BYTES = "xrt.thread_scratch_bytes"
BRIEF = "xrt.brief"
ARENA_BYTES = "xrt.arena_bytes"
KERNEL = "xrt.kernel"
ROW_DIMS = "xrt.row_dims"
SERIAL = "xrt.serial"
INLINE_COPIES = "xrt.inline_copies"
TIER = "xrt.tier"
"""How much of LLVM a function needs, see `llvm_parts.py`."""

# attributes of other ops
CONTRACT = "xrt.contract"
"""Of additions and multiplications that formulas of this package allow to be rounded once. StableHLO has no fast-math
flags, so this is the mark on level 1; from level 2 on it is the flag `fastmath<contract>` of `arith`, until
`math-expand-elementary` makes `math.fma` of both. Programs never carry it.
"""
SIGNATURE = "xrt.signature"
"""The type that a custom call had before its tuples were flattened."""
PARAMETERS = "xrt.parameters"
"""A routine's parameters, all of them addresses: of a letter (a string), of an i32, or the output of this number (an
index). The first outputs begin as copies of the inputs."""
BATCH = "xrt.batch"
"""How many matrices the outputs hold; the routine is called for one after the other."""
SPACES = "xrt.spaces"
"""How many of the last outputs are space to work in, the same for all matrices."""
CALL_TARGET_TABLE = "xrt.call_targets"
"""The list of what `xrt.call_target` ops called.

A function `void target(void *out, void **in)`: `out` points to the only output, or to an array of pointers to the
outputs if there are none or several, or if the signature has one tuple as its result.
"""
SAFEPOINTS = "xrt.safepoints"
"""Of a module that calls the function in the slot `SAFEPOINT` of the context."""
SAFEPOINT_CALL = "xrt.safepoint_call"
"""Of calls of that function: to the program it has no effects."""
CONSTANT_INDEX = "xrt.constant_index"
"""Of a global that is no part of the code: its place in the table of large constants."""
UNROLL = "xrt.unroll"
"""Of the jump back of a loop that LLVM replaces by copies of its body."""

# targets of custom calls
ROUTINE = "xrt.lapack."
"""How targets begin that are routines of LAPACK, called by generated code without Python in between."""
MEMBERS = "xrt.members"
RANDOM_STATE = "xrt.random_state"

# symbols
FORK = "xrt.fork"
THREAD = "xrt.thread"
SPEND = "xrt.spend"
FETCH = "xrt.fetch"
BODY = ".body"
"""How the name of the function ends that an entry function calls to do its work."""

TARGETS = (ROUTINE, MEMBERS, RANDOM_STATE)
"""Targets of custom calls that passes write: `stablehlo-call-lapack` (how the names begin),
`stablehlo-expand-collectives`, `stablehlo-expand-rng`."""

SYMBOLS = (FORK, THREAD, SPEND, FETCH)
"""Functions that programs of level 6 share."""
