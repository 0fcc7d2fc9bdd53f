"""The table of `--simulate`."""

from __future__ import annotations

from .machine import Machine
from .program import LocalProgram, Memory
from .timeline import Outcome, Row

MOST_ROWS = 40
"""Collectives that are listed, the most expensive ones first."""


def report(program: LocalProgram, machine: Machine, outcome: Outcome, memory: Memory) -> str:
    """What a run takes and what bounds it, as text."""
    grid = program.grid
    lines = [
        f"{grid.replicas} replicas x {grid.partitions} partitions on {machine.name}: {time(outcome.seconds)} a run"
    ]
    lines += _collectives(list(outcome.rows.values()))
    hidden = max(0.0, outcome.communicating - outcome.exposed)
    lines += [
        f"compute        {time(outcome.computing):>10}   {number(outcome.operations)} operations,"
        f" {size(outcome.bytes)} of memory traffic; arithmetic {time(outcome.arithmetic)},"
        f" memory {time(outcome.memory)}, starting ops {time(outcome.starting)}",
        f"communication  {time(outcome.communicating):>10}   exposed {time(outcome.exposed)}, beside computation"
        f" {time(hidden)}; latency {time(outcome.latency)}, transfer {time(outcome.transfer)}",
        f"memory         {size(memory.total):>10}   a device: arguments {size(memory.arguments)}, results"
        f" {size(memory.results)}, arena {size(memory.arena)}{_fit(memory, machine)}",
        f"bound by       {bound(outcome)}",
    ]
    return "\n".join([*lines, *(f"remark: {each}" for each in outcome.remarks)])


def bound(outcome: Outcome) -> str:
    """What takes most of the time: arithmetic, memory, starting ops, or, of what is exposed, latency or transfer."""
    whole = outcome.communicating or 1.0
    exposed = min(outcome.exposed, outcome.communicating)
    shares = {
        "arithmetic": outcome.arithmetic,
        "memory bandwidth": outcome.memory,
        "starting ops": outcome.starting,
        "latency": exposed * outcome.latency / whole,
        "network bandwidth": exposed * outcome.transfer / whole,
    }
    name = max(shares, key=lambda each: shares[each])
    if outcome.seconds == 0:
        return "nothing"
    return f"{name}, {shares[name] / outcome.seconds:.0%} of the time"


def _collectives(rows: list[Row]) -> list[str]:
    if not rows:
        return ["no collectives"]
    rows.sort(key=lambda row: -row.count * row.once)
    lines = [f"{'collective':22}{'bytes':>11}{'group':>7}{'count':>8}{'each':>11}{'all':>11}  algorithm, place"]
    for row in rows[:MOST_ROWS]:
        lines.append(
            f"{row.name:22}{size(row.bytes):>11}{row.group:>7}{row.count:>8g}{time(row.once):>11}"
            f"{time(row.once * row.count):>11}  {row.algorithm or 'nothing to do'}, {row.place}"
        )
    if len(rows) > MOST_ROWS:
        rest = rows[MOST_ROWS:]
        lines.append(f"and {len(rest)} more, {time(sum(row.once * row.count for row in rest))}")
    return lines


def _fit(memory: Memory, machine: Machine) -> str:
    if machine.memory_bytes is None:
        return ""
    fits = memory.total <= machine.memory_bytes
    return f"; {'fits' if fits else 'does not fit'} in {size(machine.memory_bytes)}"


def time(seconds: float) -> str:
    """Such as `12.3 us`."""
    if seconds < 1e-12:
        return "0 s"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}" if seconds * factor < 1000 else f"{seconds * factor:.0f} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def size(bytes: float) -> str:
    """Such as `1.5 MiB`."""
    for power, unit in enumerate(("B", "KiB", "MiB", "GiB")):
        if bytes < 1024 ** (power + 1):
            return f"{bytes / 1024**power:.4g} {unit}"
    return f"{bytes / 1024**4:.4g} TiB"


def number(count: float) -> str:
    """Such as `1.5 M`."""
    for power, unit in enumerate(("", " k", " M", " G", " T")):
        if count < 1000 ** (power + 1):
            return f"{count / 1000**power:.3g}{unit}"
    return f"{count / 1e15:.3g} P"
