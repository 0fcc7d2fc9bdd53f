"""A profile as a table for a terminal."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping
from typing import NamedTuple

from ...decisions.profiling import RECORD_SECONDS, SHORTEST_CALL, SHOWN_SHARE
from ...runtime.profiles import Measurement, Profile
from .lines import by_line
from .machine import Machine
from .predictions import Prediction

SHORTEST_TIME = 1e-9
"""In seconds: what was not measured to take any time took this."""

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
    for_operations = prediction.work * (2 if prediction.doubles else 1) / machine.operations_per_second
    return Roof(for_bytes, level.name) if for_bytes > for_operations else Roof(for_operations, "operations")


def table(profile: Profile, predicted: Mapping[str, Prediction], machine: Machine, name: str) -> str:
    """By kernel, then by line."""
    per_run = profile.seconds_per_run
    measuring = sum(each.calls for each in profile.sites) * RECORD_SECONDS / profile.seconds if profile.seconds else 0.0
    note = f", of which measuring takes about {measuring:.0%}" if measuring > SHOWN_SHARE else ""
    lines = [
        f"@{name}: {_time(per_run)} a run{note}, {profile.runs} runs, {profile.threads} threads",
        f"this machine: {machine.operations_per_second / 1e9:.0f} GFLOP/s of f32; GB/s "
        + ", ".join(f"{level.name} {level.bytes_per_second / 1e9:.0f}" for level in machine.levels),
        "",
        f"{'kernel':28}{'calls':>7}{'a run':>11}{'share':>7}{'fastest':>11}{'GB/s':>8}{'GFLOP/s':>9}{'roof':>6}"
        f"  {'bound':11}line",
    ]
    rows = list(profile.kernels.items())
    fastest = profile.fastest
    lines += [
        _short_row(kernel, each.calls, each.seconds, profile)
        + _rates(each, fastest.get(kernel), predicted.get(kernel), machine)
        for kernel, each in rows[:MOST_ROWS]
    ]
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


def _rates(each: Measurement, fastest: float | None, prediction: Prediction | None, machine: Machine) -> str:
    """What the fastest call of a kernel has done, beside what it could have."""
    line = _end_of(each.site.line, 20)
    if not each.calls:
        return f"{'':47}{line}"
    if fastest is None or fastest < SHORTEST_CALL:
        fastest = each.seconds / each.calls
    if prediction is None:
        return f"{_time(fastest):>11}{'':36}{line}"
    fastest = max(fastest, SHORTEST_TIME)
    roof = roof_of(prediction, machine)
    rates = f"{prediction.bytes / fastest / 1e9:8.1f}{prediction.operations / fastest / 1e9:9.1f}"
    return f"{_time(fastest):>11}{rates}{roof.seconds / fastest:6.0%}  {roof.bound:11}{line}"


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
    """What follows the folder at hand in a path, and the last part of one that is too long for its column."""
    text = text.removeprefix(os.getcwd() + os.sep)
    if len(text) <= width:
        return text
    name = os.path.basename(text)
    return name if len(name) <= width else f"...{name[3 - width :]}"
