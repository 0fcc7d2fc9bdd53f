"""The context: what generated code asks of the process that runs it.

Generated code looks up no symbols. The last argument of an entry function points to an array of
8-byte slots that the runtime fills (`runtime/context.py`); the constants below number them.

Constants of more than `INLINE_CONSTANT_BYTES` bytes are not part of the code: LLVM takes seconds
for a megabyte. Their `llvm.mlir.global` carries the attribute `xrt.constant_index`, the text
emitter leaves it out, and code loads the pointer at that index of the table in slot `CONSTANTS`.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.llvm import GlobalOp

from .types import is_integer

THREADS = 0
"""How many threads a parallel loop may use (i64)."""
GOMP_PARALLEL = 1
"""`void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)`, or null."""
OMP_GET_THREAD_NUM = 2
"""`int omp_get_thread_num(void)`; only read where `GOMP_PARALLEL` is not null."""
OMP_GET_NUM_THREADS = 3
"""`int omp_get_num_threads(void)`; only read where `GOMP_PARALLEL` is not null."""
CONSTANTS = 4
"""Pointer to the table of pointers to large constants, in the order of `collect_large_constants`."""
CALL_TARGETS = 5
"""Pointer to the table of pointers to call targets, in the order of the module's `xrt.call_targets`."""
FAILED = 6
"""Pointer to an i64 that is not 0 after a call target has failed in this run."""
SLOTS = 7
"""How many slots there are."""
SLOT_BYTES = 8

INLINE_CONSTANT_BYTES = 1024
"""The largest constant that is emitted into the code."""
CONSTANT_ALIGNMENT = 64
"""Alignment in bytes of every constant, in code and in the table."""
CONSTANT_INDEX = "xrt.constant_index"

CALL_TARGET_TABLE = "xrt.call_targets"
"""The attribute of a module after `convert-to-llvm` that lists what `xrt.call_target` ops called.

A function `void target(void *out, void **in)`: `out` points to the only output, or to an array of pointers to the
outputs if there are none or several.
"""


class CallTarget(NamedTuple):
    """What one `xrt.call_target` calls; equal calls share an entry of the table."""

    name: str
    signature: FunctionType
    options: DictionaryAttr

    def attribute(self) -> DictionaryAttr:
        """As an entry of the module's table."""
        return DictionaryAttr({"target": StringAttr(self.name), "signature": self.signature, "options": self.options})


def collect_call_targets(module: ModuleOp) -> list[CallTarget]:
    """The call targets of a module after `convert-to-llvm`, by index in the table."""
    table = module.attributes.get(CALL_TARGET_TABLE)
    targets: list[CallTarget] = []
    for entry in cast("ArrayAttr[DictionaryAttr]", table).data if table is not None else ():
        name, signature, options = (entry.data[key] for key in ("target", "signature", "options"))
        assert isinstance(name, StringAttr) and isinstance(signature, FunctionType)
        assert isinstance(options, DictionaryAttr)
        targets.append(CallTarget(name.data, signature, options))
    return targets


def is_large_constant(op: GlobalOp) -> bool:
    """Whether the constant is reached through the table instead of being part of the code."""
    return CONSTANT_INDEX in op.attributes


def constant_bytes(value: DenseIntOrFPElementsAttr[Any]) -> bytes:
    """The constant as it lies in memory: dense, row-major, little-endian, a byte for each `i1`.

    A splat that stores one element only is spelled out.
    """
    data = value.data.data
    element = value.get_element_type()
    size = prod(value.get_shape()) * element.compile_time_size
    if len(data) != size:
        data = data * (size // len(data))
    if is_integer(element) and (width := element.width.data) < 8:
        mask = (1 << width) - 1
        data = data.translate(bytes(byte & mask for byte in range(256)))
    return data


def collect_large_constants(module: ModuleOp) -> list[bytes]:
    """The bytes of the large constants of a module after `convert-to-llvm`, by index in the table."""
    table: dict[int, bytes] = {}
    for op in module.body.block.ops:
        if isinstance(op, GlobalOp) and is_large_constant(op):
            index = cast("IntegerAttr[IntegerType]", op.attributes[CONSTANT_INDEX]).value.data
            table[index] = constant_bytes(cast("DenseIntOrFPElementsAttr[Any]", op.value))
    return [table[index] for index in range(len(table))]
