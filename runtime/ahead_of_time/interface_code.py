"""The functions of the C interface around a program, as LLVM IR: contexts, checks of buffers, runs, errors.

They do for a library what `runtime/executable.py`, `runtime/context.py` and `runtime/safepoints.py` do for this
process, with nothing but the C library. docs/ahead_of_time.md says what each function promises, `layout.py` where
fields lie; the functions are in the files `interface_*.ll`, in the notation of `ir_text.py`. The code is for the
plainest CPU of its triple: it is what finds out whether the rest can run.
"""

from __future__ import annotations

from pathlib import Path

from . import layout
from .ir_text import expand
from .model_tables import ModelTables

FILES = [Path(__file__).with_name(f"interface_{part}.ll") for part in ("checks", "contexts", "runs", "information")]

TEXTS = {
    "count": "%s: expected a table of %lld, got one of %lld",
    "table": "%s: no table",
    "size": "%s %lld ('%s'): expected %lld bytes, got %lld",
    "null": "%s %lld ('%s'): a null pointer",
    "alignment": "%s %lld ('%s'): no multiple of 16 is its address %p",
    "overlap": "output %lld shares memory with %s %lld",
    "donated": "output %lld takes the memory of input %lld: both must be the same buffer",
    "context": "no context: a null pointer, or one that has been destroyed",
    "result": "no place for the context: a null pointer",
    "version": "a structure of %lld bytes, but this library takes one of %lld: its header is of another version",
    "threads": "%lld threads, but the library was compiled for 1 to %lld",
    "arena": "an arena of %lld bytes, but a run takes %lld",
    "arena_alignment": "the arena begins at %p, no multiple of 64",
    "memory": "not enough memory",
    "busy": "the context has one arena, in which another run is going on",
    "stopped": "the run was stopped",
    "functions": "no table of functions",
    "function": "the model calls the function '%s', which is neither registered nor linked",
    "processor": "the library was compiled for a CPU with %s, which this one has not",
    "no_constants": "the constants of the model are in a file, and have not been given",
    "constants": "these are not the %lld bytes of the file with the constants of this model",
    "constants_alignment": "the constants begin at %p, no multiple of 64",
    "failed": "custom call target @%s failed: %.*s",
    "input": "input",
    "output": "output",
}
"""The messages of errors, in the notation of `printf`."""


def interface_code(tables: ModelTables) -> str:
    """The functions, tables and texts for one model."""
    in_file = tables.constants_in_file
    names = {
        "n": tables.name,
        "entry": tables.entry,
        "NUM_INPUTS": len(tables.inputs),
        "NUM_OUTPUTS": len(tables.outputs),
        "NUM_BUFFERS": max(1, len(tables.inputs) + len(tables.outputs)),
        "ARENA": tables.arena_bytes,
        "ARENA_BYTES": _aligned(tables.arena_bytes),
        "MORE_BYTES": layout.FRAME_BYTES + _aligned(tables.arena_bytes),
        "CONTEXT_SIZE": _aligned(layout.CONTEXT_TABLES + 8 * (2 * len(tables.targets) + in_file)),
        "TARGET_BYTES": 8 * len(tables.targets),
        "THREADS": tables.threads,
    }
    code = "\n".join(path.read_text("utf-8") for path in FILES)
    for place, piece in tables.create_pieces().items():
        code = code.replace(f"${place}", piece)
    return expand(f"{tables.text(TEXTS)}\n{code}", names)


def _aligned(size: int) -> int:
    return size + -size % layout.ALIGNMENT
