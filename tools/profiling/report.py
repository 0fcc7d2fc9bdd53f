"""A profile as a table for a terminal."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping
from typing import NamedTuple

from ...runtime.profiles import Measurement, Profile
from .lines import by_line
from .machine import Machine
from .predictions import Prediction

MOST_ROWS = 25
"""Of each table; the rest is one row."""


class Roof(NamedTuple):
    """What the machine would take for a call at least."""

    seconds: float
    bound: str
    """What takes that long: `operations`, or a level of memory."""


def roof_of(prediction: Prediction, machine: Machine) -> Roof:
    """The time for its operations at full rate, or for its bytes out of the level that holds them: the longer one."""
    level = machine.level_of(prediction.bytes)
    for_bytes = prediction.bytes / level.bytes_per_second
    for_operations = prediction.operations * (2 if prediction.doubles else 1) / machine.operations_per_second
    return Roof(for_bytes, level.name) if for_bytes > for_operations else Roof(for_operations, "operations")


def table(profile: Profile, predicted: Mapping[str, Prediction], machine: Machine, name: str) -> str:
    """By kernel, then by line."""
    per_run = profile.seconds_per_run
    lines = [
        f"@{name}: {_time(per_run)} a run, {profile.runs} runs, {profile.threads} threads",
        f"this machine: {machine.operations_per_second / 1e9:.0f} GFLOP/s of f32; GB/s "
        + ", ".join(f"{level.name} {level.bytes_per_second / 1e9:.0f}" for level in machine.levels),
        "",
        f"{'kernel':28}{'calls':>7}{'a run':>11}{'share':>7}{'GB/s':>8}{'GFLOP/s':>9}{'roof':>6}  {'bound':11}line",
    ]
    rows = list(profile.kernels.items())
    lines += [_row(kernel, each, profile, predicted, machine) for kernel, each in rows[:MOST_ROWS]]
    if rest := rows[MOST_ROWS:]:
        seconds = sum(each.seconds for _, each in rest)
        lines.append(_short_row(f"{len(rest)} others", sum(each.calls for _, each in rest), seconds, profile))
    lines.append(_short_row("the program around them", profile.runs, profile.other_seconds, profile))
    lines += ["", f"{'line':36}{'a run':>11}{'share':>7}  (times of kernels, in predicted shares)"]
    found = list(by_line(profile, predicted).items())
    for key, (seconds, origin) in found[:MOST_ROWS]:
        place = origin.line
        source = "" if place is None else linecache.getline(place.file, place.line).strip()
        text = source or origin.name or ""
        lines.append(f"{_end_of(key, 35):36}{_cells(seconds, profile)}  {text[:60]}".rstrip())
    if rest := found[MOST_ROWS:]:
        lines.append(f"{f'{len(rest)} others':36}{_cells(sum(seconds for _, (seconds, _) in rest), profile)}")
    return "\n".join(lines) + "\n"


def _row(
    kernel: str, each: Measurement, profile: Profile, predicted: Mapping[str, Prediction], machine: Machine
) -> str:
    row = _short_row(kernel, each.calls, each.seconds, profile)
    prediction = predicted.get(kernel)
    if prediction is None or not each.calls or not each.seconds:
        return f"{row}{'':8}{'':9}{'':6}  {'':11}{_end_of(each.site.line, 30)}".rstrip()
    once = each.seconds / each.calls
    roof = roof_of(prediction, machine)
    rates = f"{prediction.bytes / once / 1e9:8.1f}{prediction.operations / once / 1e9:9.1f}{roof.seconds / once:6.0%}"
    return f"{row}{rates}  {roof.bound:11}{_end_of(each.site.line, 30)}".rstrip()


def _short_row(name: str, calls: int, seconds: float, profile: Profile) -> str:
    return f"{_end_of(name, 27):28}{calls // profile.runs:7}{_cells(seconds, profile)}"


def _cells(seconds: float, profile: Profile) -> str:
    share = seconds / profile.seconds if profile.seconds else 0.0
    return f"{_time(seconds / profile.runs):>11}{share:7.1%}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _end_of(text: str, width: int) -> str:
    """The last part of a path that is too long for its column."""
    if len(text) <= width:
        return text
    name = os.path.basename(text)
    return name if len(name) <= width else f"...{name[3 - width :]}"
