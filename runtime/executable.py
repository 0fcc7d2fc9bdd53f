"""A compiled program as a Python callable.

A call of a tiny program should cost microseconds, as much as a call into any native library, so
everything that does not depend on the arguments is prepared once: pointer tables and arenas are
kept in frames that calls borrow. Two threads that call at the same time borrow two frames.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError
from ..lowering.to_llvm.context_layout import CallTarget
from .arguments import READY_FLAGS, convert_argument
from .buffers import (
    INPUT_ALIGNMENT,
    RECYCLED_BYTES,
    AlignedBuffer,
    OutputPool,
    data_address,
    empty_aligned,
)
from .context import ContextTable
from .engine import NativeCode
from .signature import Signature, TensorSpec

if TYPE_CHECKING:
    from .custom_calls import CallTargetTable

_ENTRY_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Statistics:
    """What a program takes. `constant_bytes` are the constants outside the code, `object_bytes` the
    machine code with everything it carries.
    """

    threads: int = 1
    arena_bytes: int = 0
    constant_bytes: int = 0
    kernels: int = 0
    object_bytes: int = 0


class _Frame:
    """The pointer tables and the arena that one call uses."""

    __slots__ = ("arena", "inputs", "outputs", "table")

    def __init__(self, inputs: int, outputs: int, arena_bytes: int) -> None:
        self.table = (ctypes.c_void_p * (inputs + outputs))()
        self.inputs = ctypes.addressof(self.table)
        self.outputs = self.inputs + inputs * ctypes.sizeof(ctypes.c_void_p)
        self.arena = AlignedBuffer(arena_bytes)


def _pool(spec: TensorSpec) -> OutputPool | None:
    return OutputPool(spec.byte_size) if spec.byte_size >= RECYCLED_BYTES else None


def _call_target_table(targets: Sequence[CallTarget]) -> CallTargetTable | None:
    if not targets:
        return None
    from .custom_calls import CallTargetTable

    return CallTargetTable(targets)


class Executable:
    """A compiled program: `outputs = executable(*inputs)`.

    Inputs are NumPy arrays or anything that can be viewed as one; dense arrays of the declared
    type are not copied. The result is a tuple of new arrays. Calls may come from several threads
    at once.
    """

    signature: Signature
    statistics: Statistics
    timings: dict[str, float]
    """Seconds per step of the compilation, in order."""

    def __init__(
        self,
        code: NativeCode,
        signature: Signature,
        *,
        symbol: str | None = None,
        threads: int = 1,
        constants: Sequence[bytes] = (),
        call_targets: Sequence[CallTarget] = (),
        arena_bytes: int = 0,
        kernels: int = 0,
        object_bytes: int = 0,
        timings: dict[str, float] | None = None,
    ) -> None:
        """`code` holds the entry function `symbol` (that of `signature` if not given) in the form
        of level 6.
        """
        self.signature = signature
        self.timings = timings or {}
        self._code = code
        self._call_targets = _call_target_table(call_targets)
        self._context = ContextTable(threads, constants, self._call_targets.address if self._call_targets else 0)
        self._context_address = self._context.address
        self._entry = _ENTRY_TYPE(code.address(symbol or signature.entry))
        self._arena_bytes = arena_bytes
        self._frames: list[_Frame] = []
        self._pack = struct.Struct(f"{len(signature.inputs) + len(signature.outputs)}P").pack_into
        self._inputs = signature.inputs
        self._outputs = [(spec.shape, spec.dtype, spec.byte_size, _pool(spec)) for spec in signature.outputs]
        self.statistics = Statistics(threads, arena_bytes, self._context.constant_bytes, kernels, object_bytes)

    def __call__(self, *arrays: Any) -> tuple[np.ndarray, ...]:
        """Run the program. Raises `ArgumentError` for a wrong number, shape or element type of
        arguments.
        """
        inputs = self._inputs
        if len(arrays) != len(inputs):
            raise self._wrong_count(len(arrays))
        addresses: list[int] = []
        converted: list[np.ndarray] = []
        for array, spec in zip(arrays, inputs, strict=True):
            if (
                type(array) is not np.ndarray
                or array.dtype != spec[2]
                or array.shape != spec[1]
                or array.flags.num & READY_FLAGS != READY_FLAGS
            ):
                array = convert_argument(array, spec, len(addresses))
                converted.append(array)
            address = data_address(array)
            if address % INPUT_ALIGNMENT:
                array = convert_argument(array, spec, len(addresses))
                converted.append(array)
                address = data_address(array)
            addresses.append(address)
        results: list[np.ndarray] = []
        for shape, dtype, byte_size, pool in self._outputs:
            result = pool.empty(shape, dtype) if pool else empty_aligned(shape, dtype, byte_size)
            results.append(result)
            addresses.append(data_address(result))
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = _Frame(len(inputs), len(results), self._arena_bytes)
        self._pack(frame.table, 0, *addresses)
        self._entry(frame.inputs, frame.outputs, frame.arena.address, self._context_address)
        self._frames.append(frame)
        if self._call_targets is not None:
            self._call_targets.raise_failure()
        return tuple(results)

    def _wrong_count(self, count: int) -> ArgumentError:
        expected = self._inputs
        types = ", ".join(f"{spec.name}: {spec}" for spec in expected)
        return ArgumentError(f"'@{self.signature.entry}' takes {len(expected)} arguments ({types}), got {count}")

    def __repr__(self) -> str:
        inputs = ", ".join(map(str, self.signature.inputs))
        outputs = ", ".join(map(str, self.signature.outputs))
        return f"<Executable @{self.signature.entry}({inputs}) -> ({outputs})>"
