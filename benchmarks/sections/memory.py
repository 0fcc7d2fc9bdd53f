"""Peak memory of the programs against XLA:CPU's: what each compiler says, and what processes grow by."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

from .. import suite
from ..peers import Native, Peer, XlaCpu
from ..table import Column, Table, TablePrinter, Value
from .section import Result, Settings

QUICK = ("softmax", "mlp_train")
RESIDENT = ("transformer_grad", "resnet_grad")
"""Programs of which the growth of a process is measured as well: large ones, so that it shows."""

MEGABYTE = 1 / 2**20

COLUMNS = (
    Column("program", "program"),
    Column("ours_bytes", "ours MB", ".1f", MEGABYTE),
    Column("xla_bytes", "XLA MB", ".1f", MEGABYTE),
    Column("ratio", "ours/XLA", ".2f"),
    Column("ours_arena_bytes", "ours temp", ".1f", MEGABYTE),
    Column("xla_temporary_bytes", "XLA temp", ".1f", MEGABYTE),
    Column("ours_resident_bytes", "ours grows", ".1f", MEGABYTE),
    Column("xla_resident_bytes", "XLA grows", ".1f", MEGABYTE),
)


def measure(settings: Settings) -> Result:
    """Arguments, results, temporaries, constants and code, as both compilers give them.

    `grows` is how far the resident memory of a fresh process rises above what it is before the inputs are made, while
    the compiled program runs.
    """
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("memory", "Peak memory", COLUMNS)
    printer = TablePrinter(table)
    for name in settings.chosen(suite.names(), QUICK):
        program = suite.load(name)
        compiled, others = ours.compile(program), xla.compile(program)
        mine, theirs = ours.peak_bytes(compiled), xla.peak_bytes(others)
        row: dict[str, Value] = {
            "program": name,
            "ours_bytes": mine,
            "xla_bytes": theirs,
            "ratio": mine / theirs,
            "ours_arena_bytes": compiled.code.statistics.arena_bytes,
            "xla_temporary_bytes": others.code.get_compiled_memory_stats().temp_size_in_bytes,
        }
        if name in RESIDENT:
            row["ours_resident_bytes"] = _resident_growth(name, "ours", settings.threads)
            row["xla_resident_bytes"] = _resident_growth(name, "xla", settings.threads)
        printer.add(row)
    return Result([printer.finish({"largest ratio": max(table.values("ratio"))})])


def _resident_growth(program: str, side: str, threads: int) -> int | None:
    """Measured in a process of its own; None where the system does not tell."""
    if not Path("/proc/self/clear_refs").exists():
        return None
    command = [sys.executable, "-m", __name__, json.dumps({"program": program, "side": side, "threads": threads})]
    # Arrays always in pages of their own: memory that earlier work has given back must not hide growth.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def _status(field: str) -> int:
    """A field of this process's status, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def _grow(program: str, side: str, threads: int) -> int:
    """What inputs, results and temporaries of runs add to this process."""
    peer: Peer = Native(threads) if side == "ours" else XlaCpu()
    loaded = suite.load(program)
    inputs = sum(x.nbytes for x in loaded.inputs)
    run = peer.compile(loaded).run
    del loaded
    gc.collect()
    before = _status("VmRSS") - inputs
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    for _ in range(2):
        run()
    return _status("VmHWM") - before


if __name__ == "__main__":
    print(_grow(**json.loads(sys.argv[1])))
