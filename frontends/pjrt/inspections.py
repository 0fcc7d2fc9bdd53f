"""`jax.debug.inspect_array_sharding` on several devices: whoever asks is told how a value is spread, when a program is
compiled.

The configuration of the call that asks is the addresses of a C function and of what it is given (openxla/xla,
xla/python/inspect_sharding.h), so this is for programs of a client in this process alone.
"""

from __future__ import annotations

import ctypes

from xdsl.dialects.builtin import BytesAttr, StringAttr
from xdsl.ir import Attribute

from ...dialects.editing import walk
from ...dialects.sdy.values import meshes_of, sharding_of
from ...dialects.stablehlo import CustomCallOp
from ...dialects.stablehlo.shapes import shape_of
from ...runtime.formats import read_program
from ...runtime.sharding.splitting import Splitting
from .calls import Code, PjrtError
from .executables import INSPECTION
from .propagated_shardings import run_steps
from .shardings import sharding_bytes


class _Arguments(ctypes.Structure):
    _fields_ = (
        ("sharding", ctypes.c_char_p),
        ("sharding_size", ctypes.c_size_t),
        ("error", ctypes.c_char_p),
        ("scratch", ctypes.c_void_p),
        ("free_error", ctypes.c_void_p),
    )


class _Asked(ctypes.Structure):
    _fields_ = (("call", ctypes.c_void_p), ("data", ctypes.c_void_p))


_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Arguments))
_FREE = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Arguments))


def tell_shardings(code: bytes, devices: int) -> None:
    """Answer all such calls of a program for so many devices. Raises `PjrtError` where one that asked fails."""
    module = run_steps(read_program(code, "<jax>"))
    meshes = meshes_of(module)
    for op in walk(module):
        if isinstance(op, CustomCallOp) and op.call_target_name.data == INSPECTION:
            (value,) = op.operands
            splitting = Splitting(shape_of(value), sharding_of(value, meshes), devices)
            _tell(op.properties.get("backend_config"), sharding_bytes(splitting))


def _tell(configuration: Attribute | None, sharding: bytes) -> None:
    data = configuration.data if isinstance(configuration, StringAttr | BytesAttr) else b""
    data = data.encode() if isinstance(data, str) else data
    if len(data) != ctypes.sizeof(_Asked):
        raise PjrtError(
            Code.INVALID_ARGUMENT, f"a call of @{INSPECTION} whose configuration is no address of a function"
        )
    asked, arguments = _Asked.from_buffer_copy(data), _Arguments(sharding, len(sharding))
    _CALL(asked.call)(asked.data, ctypes.byref(arguments))
    if arguments.error:
        problem = arguments.error.decode(errors="replace")
        if arguments.free_error:
            _FREE(arguments.free_error)(ctypes.byref(arguments))
        raise PjrtError(Code.INVALID_ARGUMENT, problem)
