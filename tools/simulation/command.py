"""`xla-run FILE --simulate devices=1024 --machine FILE`."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...dialects import locating
from ...runtime.compiler import Request
from ..reporting import UsageError
from .machine import read_machine
from .program import local_program, memory_of
from .report import report
from .this_machine import this_machine
from .timeline import Simulation


class Options(NamedTuple):
    """What follows `--simulate`."""

    devices: int
    trips: int | None = None
    """Of loops of which nobody knows how often they run."""


def parse_options(text: str) -> Options:
    """From `devices=1024,trips=10`. Raises `UsageError`."""
    values: dict[str, int] = {}
    for part in text.split(","):
        key, _, value = part.partition("=")
        if key not in Options._fields or not value.isdecimal() or int(value) < 1 or key in values:
            raise UsageError(f"--simulate {text}: expected devices=N or devices=N,trips=N, with N at least 1")
        values[key] = int(value)
    if "devices" not in values:
        raise UsageError(f"--simulate {text}: devices=N is missing")
    return Options(**values)


def simulate(source: bytes | ModuleOp, filename: str, options: str, machine_file: str | None, request: Request) -> str:
    """The report. Raises `ArgumentError`, and what partitioning the program raises."""
    wanted = parse_options(options)
    machine = this_machine(wanted.devices) if machine_file is None else read_machine(machine_file)
    with locating.locating():
        program = local_program(source, filename, wanted.devices, request)
        outcome = Simulation(program.module, program.grid, machine, wanted.trips).function(program.entry)
    return report(program, machine, outcome, memory_of(program, filename, request))
