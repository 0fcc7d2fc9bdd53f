"""How soon a program is ready in a fresh process that finds it in the persistent cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from .. import suite
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

QUICK = ("softmax", "transformer_grad")
STARTS = 3

SCRIPT = """
import json, sys, time
start = time.perf_counter()
import xdsl_xla
compile = xdsl_xla.compile
imported = time.perf_counter()
executables = [compile(path, threads=int(sys.argv[1])) for path in sys.argv[2:]]
ready = time.perf_counter()
found = all(executable.is_from_cache for executable in executables)
print(json.dumps([imported - start, ready - imported, found]))
"""

COLUMNS = (
    Column("program", "program"),
    Column("import_seconds", "import ms", ".0f", 1e3),
    Column("warm_seconds", "warm ms", ".1f", 1e3),
)


class Start(NamedTuple):
    """Of one process: seconds for the import, and from then until all programs could be called."""

    import_seconds: float
    ready_seconds: float
    from_cache: bool


def measure(settings: Settings) -> Result:
    """Medians of some starts of each program, after a process that fills a cache of its own with all of them."""
    table = Table("warm", f"Start of a fresh process, medians of {STARTS}", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    names = settings.chosen(suite.names(), QUICK)
    with tempfile.TemporaryDirectory() as folder:
        _start(names, settings.threads, folder)
        for name in names:
            starts = [_start([name], settings.threads, folder) for _ in range(STARTS)]
            if not all(start.from_cache for start in starts):
                failures.append(f"{name}: was not found in the cache")
            printer.add(
                {
                    "program": name,
                    "import_seconds": median(start.import_seconds for start in starts),
                    "warm_seconds": median(start.ready_seconds for start in starts),
                }
            )
    return Result([printer.finish({"largest, warm (ms)": max(table.values("warm_seconds")) * 1e3})], failures)


def _start(programs: Sequence[str], threads: int, folder: str) -> Start:
    """One process that compiles the programs, with the cache in `folder`."""
    environment = {**os.environ, "XDSL_XLA_CACHE": "1", "XDSL_XLA_CACHE_DIR": folder}
    paths = [str(suite.PROGRAMS / f"{name}.mlir") for name in programs]
    command = [sys.executable, "-c", SCRIPT, str(threads), *paths]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Start(*json.loads(done.stdout))
