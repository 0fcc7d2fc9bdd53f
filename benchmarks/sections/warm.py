"""How soon a program is ready in a fresh process that finds it in the persistent cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
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
executable = compile(sys.argv[1], threads=int(sys.argv[2]))
ready = time.perf_counter()
print(json.dumps([imported - start, ready - imported, executable.is_from_cache]))
"""

COLUMNS = (
    Column("program", "program"),
    Column("import_seconds", "import ms", ".0f", 1e3),
    Column("cold_seconds", "cold ms", ".0f", 1e3),
    Column("warm_seconds", "warm ms", ".1f", 1e3),
)


class Start(NamedTuple):
    """Of one process: seconds for the import, and from then until the program could be called."""

    import_seconds: float
    ready_seconds: float
    from_cache: bool


def measure(settings: Settings) -> Result:
    """Medians of some starts of each program, after one that fills a cache of its own."""
    table = Table("warm", f"Start of a fresh process, medians of {STARTS}", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for name in settings.chosen(suite.names(), QUICK):
            cold, *warm = (_start(name, settings.threads, folder) for _ in range(1 + STARTS))
            if cold.from_cache or not all(start.from_cache for start in warm):
                failures.append(f"{name}: was not found in the cache")
            printer.add(
                {
                    "program": name,
                    "import_seconds": median(start.import_seconds for start in warm),
                    "cold_seconds": cold.ready_seconds,
                    "warm_seconds": median(start.ready_seconds for start in warm),
                }
            )
    return Result([printer.finish({"largest, warm (ms)": max(table.values("warm_seconds")) * 1e3})], failures)


def _start(program: str, threads: int, folder: str) -> Start:
    """One process that compiles the program, with the cache in `folder`."""
    environment = {**os.environ, "XDSL_XLA_CACHE": "1", "XDSL_XLA_CACHE_DIR": folder}
    command = [sys.executable, "-c", SCRIPT, str(suite.PROGRAMS / f"{program}.mlir"), str(threads)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Start(*json.loads(done.stdout))
