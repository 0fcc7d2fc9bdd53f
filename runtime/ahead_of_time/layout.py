"""Where the fields of the C interface's structures lie, in bytes: `header.py` declares the public ones.

A context is one piece of memory: its own fields, the frame of a run, the tables of call targets, of the functions
behind them and, where constants come from a file, of constants. A run that finds the context taken gets a frame of its
own with an arena behind it.
"""

from __future__ import annotations

from enum import IntEnum

ABI_VERSION = 1
"""That of the structures below; a library and a header of different ones do not fit."""

MESSAGE_BYTES = 512
ALIGNMENT = 64
"""Of arenas and constants, in bytes."""

BUFFER_BYTES = 16
"""`xla_buffer`: data, size."""

OPTIONS_BYTES = 72
OPTION_THREADS, OPTION_ARENA, OPTION_ARENA_SIZE = 8, 16, 24
OPTION_CONSTANTS, OPTION_CONSTANTS_SIZE = 32, 40
OPTION_FUNCTIONS, OPTION_NUM_FUNCTIONS, OPTION_SEED = 48, 56, 64

INFO_BYTES = 128
TENSOR_BYTES = 48
TENSOR_SIZE, TENSOR_DONATED = 32, 40

CONTEXT_MAGIC, CONTEXT_BUSY, CONTEXT_GENERATION = 0, 8, 16
CONTEXT_ARENA, CONTEXT_PROCESS, CONTEXT_CONSTANTS, CONTEXT_TARGETS = 24, 40, 96, 104
CONTEXT_THREADS, CONTEXT_SEED, CONTEXT_STEPS, CONTEXT_FUNCTIONS, CONTEXT_LENT = 112, 120, 128, 136, 144
CONTEXT_FRAME, CONTEXT_TABLES = 192, 320

FRAME_OWNER, FRAME_GENERATION, FRAME_FAILED, FRAME_STATUS = 48, 56, 64, 72
FRAME_BYTES = 128
"""The first words of a frame are the slots of `lowering/to_llvm/context_layout.py`."""

MAGIC = 0x786C612D6D6F6431
"""In a context that has been created and not destroyed."""

CONSTANTS_MAGIC = b"xdsl-xla constants 1\n"
CONSTANTS_DIGEST_BYTES = 32
CONSTANTS_HEADER_BYTES = 64
"""Of a file with constants: magic, digest of the constants at the end of the header, constants."""


class Status(IntEnum):
    """`xla_status`."""

    SUCCESS = 0
    ARGUMENT = 1
    SIZE = 2
    ALIGNMENT = 3
    OVERLAP = 4
    VERSION = 5
    MEMORY = 6
    BUSY = 7
    STOPPED = 8
    FUNCTION = 9
    PROCESSOR = 10
    PROGRAM = 11


MEANINGS = {
    Status.SUCCESS: "success",
    Status.ARGUMENT: "an argument is missing or out of range",
    Status.SIZE: "a buffer is not of the size that the model takes",
    Status.ALIGNMENT: "an address is not aligned",
    Status.OVERLAP: "an output shares memory with another buffer",
    Status.VERSION: "library and header are of different versions",
    Status.MEMORY: "not enough memory",
    Status.BUSY: "the arena of the context is in use",
    Status.STOPPED: "the run was stopped",
    Status.FUNCTION: "a function that the model calls is missing",
    Status.PROCESSOR: "the library is for another CPU",
    Status.PROGRAM: "the program has failed",
}
