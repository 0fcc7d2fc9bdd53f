"""The extension for profilers: `jax.profiler.trace` has a plane for each device, with the programs that ran there.

A profiler begins before it starts: it is made when a session of XLA's profiler begins, and told when to start and stop.
One at a time has the log of the process; a second one gets nothing. Source of the interface: openxla/xla,
xla/backends/profiler/plugin/profiler_c_api.h and xla/pjrt/c/pjrt_c_api_profiler_extension.h.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

from ...runtime.function_addresses import function_address
from .c_api import Extension
from .calls import Code, described
from .run_log import log, now
from .xspace import xspace

EXTENSION_PROFILER = 1
"""The number of the extension."""

_STRUCTS: dict[str, tuple[tuple[str, Any], ...]] = {
    "error_destroy": (("priv", ctypes.c_void_p), ("error", ctypes.c_void_p)),
    "error_message": (
        ("priv", ctypes.c_void_p),
        ("error", ctypes.c_void_p),
        ("message", ctypes.c_void_p),
        ("message_size", ctypes.c_size_t),
    ),
    "error_get_code": (("priv", ctypes.c_void_p), ("error", ctypes.c_void_p), ("code", ctypes.c_int32)),
    "create": (("options", ctypes.c_void_p), ("options_size", ctypes.c_size_t), ("profiler", ctypes.c_void_p)),
    "destroy": (("profiler", ctypes.c_void_p),),
    "start": (("profiler", ctypes.c_void_p),),
    "stop": (("profiler", ctypes.c_void_p),),
    "collect_data": (
        ("profiler", ctypes.c_void_p),
        ("buffer", ctypes.c_void_p),
        ("buffer_size_in_bytes", ctypes.c_size_t),
    ),
}
"""The functions of a profiler in the order of its table, and what the struct of each has behind its size."""


class ProfilerApi(ctypes.Structure):
    """The table of functions of a profiler."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("priv", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in _STRUCTS),
    )


class ProfilerExtension(ctypes.Structure):
    """That for profilers."""

    _fields_ = (("base", Extension), ("profiler_api", ctypes.c_void_p), ("traceme_context_id", ctypes.c_int64))


class Profiler:
    """A session: what ran between its start and its stop."""

    _current: Profiler | None = None

    def __init__(self) -> None:
        self._start = self._epoch = 0
        self.data = ctypes.create_string_buffer(0)

    def start(self) -> None:
        """Note what runs from now on, unless another one does."""
        if Profiler._current is None:
            Profiler._current = self
            self._start, self._epoch = now(), time.time_ns()
            log.begin()

    def stop(self) -> None:
        """Note nothing any more."""
        if Profiler._current is self:
            Profiler._current = None
            message = xspace(log.end(), self._start, self._epoch)
            self.data = ctypes.create_string_buffer(message, len(message))


_profilers: dict[int, Profiler] = {}
_last_error = ["", Code.INTERNAL]
_text: list[Any] = []
_THE_ERROR = 1


def _create(arguments: Any) -> None:
    profiler = Profiler()
    _profilers[id(profiler)] = profiler
    arguments.profiler = id(profiler)


def _destroy(arguments: Any) -> None:
    profiler = _profilers.pop(arguments.profiler, None)
    if profiler is not None:
        profiler.stop()


def _collect(arguments: Any) -> None:
    data = _profilers[arguments.profiler].data
    arguments.buffer_size_in_bytes = len(data)
    if arguments.buffer:
        ctypes.memmove(arguments.buffer, data, len(data))
    else:
        arguments.buffer = ctypes.addressof(data)


def _message(arguments: Any) -> None:
    _text[:] = [ctypes.create_string_buffer(str(_last_error[0]).encode())]
    arguments.message, arguments.message_size = ctypes.addressof(_text[0]), len(_text[0]) - 1


def _code(arguments: Any) -> None:
    arguments.code = int(_last_error[1])


FUNCTIONS: dict[str, Callable[[Any], None]] = {
    "error_destroy": lambda arguments: None,
    "error_message": _message,
    "error_get_code": _code,
    "create": _create,
    "destroy": _destroy,
    "start": lambda arguments: _profilers[arguments.profiler].start(),
    "stop": lambda arguments: _profilers[arguments.profiler].stop(),
    "collect_data": _collect,
}
"""What they do; an error is the last one."""


def _entry(name: str) -> Callable[[int], int | None]:
    struct: Any = type(name, (ctypes.Structure,), {"_fields_": [("struct_size", ctypes.c_size_t), *_STRUCTS[name]]})

    def call(address: int) -> int | None:
        try:
            FUNCTIONS[name](struct.from_address(address))
        except Exception as error:
            _last_error[:] = reversed(described(error))
            return _THE_ERROR
        return None

    return call


_ENTRY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def extension(keep: Callable[[Any], Any]) -> Any:
    """The extension; what it points to lives as long as `keep` has it live."""
    table: Any = keep(ProfilerApi())
    table.struct_size = ctypes.sizeof(table)
    for name in _STRUCTS:
        setattr(table, name, function_address(keep(_ENTRY(_entry(name)))))
    made: Any = keep(ProfilerExtension())
    made.base.struct_size, made.base.type = ctypes.sizeof(made), EXTENSION_PROFILER
    made.profiler_api = ctypes.addressof(table)
    return made
