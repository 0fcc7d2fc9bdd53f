"""Runs of programs as the message that profilers of XLA collect, `tensorflow.profiler.XSpace`.

Source: openxla/xla, third_party/tsl/tsl/profiler/protobuf/xplane.proto, whose messages give each field its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from .client import PLATFORM
from .messages import bytes_field, number_field
from .run_log import Run

PLANE = "/device:CUSTOM:{platform}:{device}"
"""The name of the plane of a device that viewers have no rules of their own for."""

LINE = "programs"

_PLANES = 1
_PLANE_ID, _PLANE_NAME, _LINES, _EVENT_NAMES = 1, 2, 3, 4
_LINE_ID, _LINE_NAME, _LINE_START, _EVENTS = 1, 2, 3, 4
_EVENT_NAME, _OFFSET, _DURATION = 1, 2, 3
_KEY, _VALUE = 1, 2
_NAME_ID, _NAME = 1, 2

PICOSECONDS = 1000
"""In a nanosecond."""


def xspace(runs: Iterable[Run], start: int, epoch: int) -> bytes:
    """A plane for each device. The clock of the runs was `start` when it was `epoch`, in nanoseconds since 1970."""
    ordered = sorted(runs, key=lambda run: (run.device, run.start))
    planes = (_plane(device, list(group), start, epoch) for device, group in groupby(ordered, lambda run: run.device))
    return b"".join(bytes_field(_PLANES, plane) for plane in planes)


def name_of(program: bytes) -> str:
    """The name of the module, or that of its entry function."""
    from ...runtime.entry import select_entry
    from ...runtime.formats import read_program

    module = read_program(program, "<jax>")
    return module.sym_name.data if module.sym_name else select_entry(module).sym_name.data


def _plane(device: int, runs: Sequence[Run], start: int, epoch: int) -> bytes:
    numbers = {program: number for number, program in enumerate(dict.fromkeys(run.program for run in runs), 1)}
    line = [
        number_field(_LINE_ID, 1),
        bytes_field(_LINE_NAME, LINE.encode()),
        number_field(_LINE_START, epoch),
        *(bytes_field(_EVENTS, _event(run, numbers[run.program], start)) for run in runs),
    ]
    names = (
        number_field(_KEY, number)
        + bytes_field(_VALUE, number_field(_NAME_ID, number) + bytes_field(_NAME, name_of(program).encode()))
        for program, number in numbers.items()
    )
    plane = [
        number_field(_PLANE_ID, device + 1),
        bytes_field(_PLANE_NAME, PLANE.format(platform=PLATFORM, device=device).encode()),
        bytes_field(_LINES, b"".join(line)),
        *(bytes_field(_EVENT_NAMES, name) for name in names),
    ]
    return b"".join(plane)


def _event(run: Run, name: int, start: int) -> bytes:
    offset, duration = max(run.start - start, 0) * PICOSECONDS, run.nanoseconds * PICOSECONDS
    return number_field(_EVENT_NAME, name) + number_field(_OFFSET, offset) + number_field(_DURATION, duration)
