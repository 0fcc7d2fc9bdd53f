"""What a client wants of a compilation: a serialized `xla.CompileOptionsProto`, and the options of this compiler."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import ArgumentError
from ...runtime.variables import switched
from .calls import Code, PjrtError
from .client import client, default_devices
from .messages import Message, bytes_field, number_field, packed_field

_BUILD, _IS_PORTABLE, _OVERRIDES = 3, 4, 7
_DEBUG, _DUMP_TO = 3, 109
_REPLICAS, _PARTITIONS, _ASSIGNMENT = 4, 5, 9
_COMPUTATIONS, _IDS = 3, 1
_KEY, _VALUE = 1, 2
_STRING, _BOOL, _INTEGER, _DOUBLE = 1, 2, 3, 4

PREFIX = "xdsl_xla_"
"""How the names of options begin that are for this compiler: `compiler_options={"xdsl_xla_threads": 1}`."""

VARIABLES = "XDSL_XLA_"
"""How the variables of the environment begin that say the same for all programs."""

XLA_PREFIX = "xla_"
"""How the names of XLA's own options begin, of which only `XLA_DUMP` says something here."""

XLA_BOOLEANS = frozenset(
    f"{XLA_PREFIX}{name}"
    for name in (
        "embed_ir_in_executable dump_hlo_as_text dump_hlo_as_proto dump_hlo_as_html cpu_enable_fast_math"
        " cpu_enable_fast_min_max cpu_enable_concurrency_optimized_scheduler llvm_disable_expensive_passes"
        " hlo_profile allow_excess_precision enable_dumping"
    ).split()
)
"""Those of them that are yes or no."""

BUILD_OPTIONS = (
    "exec_time_optimization_effort",
    "memory_fitting_effort",
    "optimization_level",
    "memory_fitting_level",
)
"""Options of XLA without that prefix: how hard it tries."""

DUMP = "dump_dir"

XLA_DUMP = f"{XLA_PREFIX}dump_to"
"""The option of XLA that is for this compiler too: the folder of its dumps."""

OPTIONS: dict[str, Callable[[str], Any]] = {
    "threads": int,
    "pipeline": str,
    "opt_level": int,
    "denormals": str,
    DUMP: str,
    "cost_model": str,
    "passes": lambda text: tuple(filter(None, text.split(os.pathsep))),
    "debug_info": lambda text: switched("debug_info", text, False),
}
"""The options, which are those of `xdsl_xla.compile`, and what makes one of the text of a variable `XDSL_XLA_...`."""


IN_PROCESS = "in_process"
"""The option that names options of this process which no text can say: objects."""

_process = uuid.uuid4().hex
_kept: dict[str, dict[str, Any]] = {}


def keep(options: dict[str, Any]) -> str:
    """A name for `options` of `xdsl_xla.compile`, to be given as the option `xdsl_xla_in_process`."""
    name = f"{_process}-{len(_kept)}"
    _kept[name] = options
    return name


def _of_process(name: str) -> dict[str, Any]:
    if name not in _kept:
        raise PjrtError(Code.INVALID_ARGUMENT, f"option {PREFIX}{IN_PROCESS}: {name!r} is of another process")
    return _kept[name]


class CompileOptions(NamedTuple):
    """What is read of the message."""

    replicas: int
    partitions: int
    assignment: tuple[tuple[int, ...], ...]
    """The device that runs each replica, by partition; none of a program that may run on any device."""
    options: dict[str, Any]
    """Those of `xdsl_xla.compile`."""

    @property
    def devices(self) -> list[int]:
        """The devices in the order in which a client lists them: the partitions of the first replica, and so on."""
        return [row[replica] for replica in range(self.replicas) for row in self.assignment]


def read(data: bytes) -> CompileOptions:
    """Raises `PjrtError` for options that are none, or for devices that are not there."""
    message = Message(data)
    build = message.message(_BUILD)
    replicas, partitions = build.integer(_REPLICAS, 1) or 1, build.integer(_PARTITIONS, 1) or 1
    if message.integer(_IS_PORTABLE):
        assignment: tuple[tuple[int, ...], ...] = ()
    elif _ASSIGNMENT in build:
        rows = build.message(_ASSIGNMENT).messages(_COMPUTATIONS)
        assignment = tuple(tuple(row.integers(_IDS)) for row in rows)
    else:
        numbers = default_devices(replicas * partitions)
        assignment = tuple(tuple(numbers[partition::partitions]) for partition in range(partitions))
    for number in (number for row in assignment for number in row):
        client().device(number)
    options = {**_of_flags(build), **_of_environment(), **_overrides(message)}
    return CompileOptions(replicas, partitions, assignment, options)


def _of_flags(build: Message) -> dict[str, Any]:
    """Of the variable `XLA_FLAGS`, which a client has read."""
    return _dump_to(build.message(_DEBUG).bytes(_DUMP_TO).decode())


def _dump_to(folder: str) -> dict[str, Any]:
    if folder == "-":
        raise PjrtError(Code.INVALID_ARGUMENT, f"option {XLA_DUMP}: '-': a dump is a folder, not a text")
    return {DUMP: folder} if folder else {}


def _of_environment() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, read_text in OPTIONS.items():
        text = os.environ.get(f"{VARIABLES}{name.upper()}")
        if text:
            found[name] = _converted(name, text, read_text)
    return found


def _converted(name: str, text: str, read_text: Callable[[str], Any]) -> Any:
    try:
        return read_text(text)
    except (ValueError, ArgumentError):
        raise PjrtError(Code.INVALID_ARGUMENT, f"option {name}: {text!r}") from None


def _overrides(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in message.messages(_OVERRIDES):
        name = entry.bytes(_KEY).decode()
        if name.startswith(XLA_PREFIX) or name in BUILD_OPTIONS:
            _check(name, entry.message(_VALUE))
            if name == XLA_DUMP:
                found = {**_dump_to(entry.message(_VALUE).bytes(_STRING).decode()), **found}
            continue
        if not name.startswith(PREFIX):
            raise PjrtError(Code.INVALID_ARGUMENT, f"No such compile option: '{name}'")
        name = name.removeprefix(PREFIX)
        if name == IN_PROCESS:
            found |= _of_process(entry.message(_VALUE).bytes(_STRING).decode())
            continue
        if name not in OPTIONS:
            known = ", ".join(f"{PREFIX}{option}" for option in OPTIONS)
            raise PjrtError(Code.INVALID_ARGUMENT, f"no compiler option {PREFIX}{name}; there are {known}")
        value = entry.message(_VALUE)
        if _STRING in value:
            found[name] = _converted(name, value.bytes(_STRING).decode(), OPTIONS[name])
        elif _BOOL in value:
            found[name] = bool(value.integer(_BOOL))
        else:
            found[name] = value.double(_DOUBLE) if _DOUBLE in value else value.integer(_INTEGER)
    return found


def _check(name: str, value: Message) -> None:
    """Raises `PjrtError` for a value that XLA would not take either."""
    text = value.bytes(_STRING).decode(errors="replace")
    if name in XLA_BOOLEANS and _STRING in value and text.lower() not in ("true", "false", "1", "0"):
        problem = f"While setting option {name}, '{text}' is not a valid bool value."
        raise PjrtError(Code.INVALID_ARGUMENT, problem)


def assignment_bytes(options: CompileOptions) -> bytes:
    """An `xla.DeviceAssignmentProto`."""
    if not options.assignment:
        return b""
    rows = b"".join(bytes_field(_COMPUTATIONS, packed_field(_IDS, row)) for row in options.assignment)
    return number_field(1, options.replicas) + number_field(2, options.partitions) + rows
