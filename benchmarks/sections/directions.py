"""How compile time grows with programs that grow in one direction each (`growing_programs.py`), by processor time.

Processor time is that of all threads of a process. Each compilation is in a fresh process, after that of a program of a
few parts, which imports the compiler. The least of some repetitions counts: what else runs on the machine makes a
compilation slower, never faster.
"""

from __future__ import annotations

import json
import subprocess
import sys

from ..figures import growth_exponent
from ..growing_programs import PROGRAMS, Program
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

FEW = 4
"""Parts of the program that is compiled first."""

SHARES = (4, 2, 1)
"""By which the largest number of parts is divided."""

REPETITIONS = 3

LARGEST = {
    "layers": 1200,
    "attention_layers": 480,
    "elementwise_chain": 12000,
    "additions": 16000,
    "elementwise_constants": 560,
    "outputs": 8000,
    "running_outputs": 8000,
    "arguments": 3000,
    "summed_arguments": 2000,
    "reshapes": 60000,
    "transposes_and_reshapes": 4000,
    "updates": 2800,
    "scatters": 2600,
    "scans": 560,
    "carried_values": 2240,
    "nested_loops": 240,
    "gathers": 2400,
    "gathered_rows": 1600,
    "calls": 2000,
    "calls_in_calls": 4000,
    "reductions": 1200,
    "reductions_of_one": 1600,
    "convolutions": 600,
    "conditionals": 1200,
    "branches": 1600,
    "constants": 3600,
    "large_constants": 2400,
}
"""Parts of the largest program: some three seconds of compiling, and as many loops in each other as may be."""

QUICK = ("layers", "reshapes")
QUICK_SHARE = 8
"""By which numbers of parts are divided where it has to be quick."""

SCRIPT = """
import json, sys, time
import xdsl_xla
from xdsl_xla.benchmarks.growing_programs import named
program, few, count, threads = named(sys.argv[1]), *map(int, sys.argv[2:])
xdsl_xla.compile(program(few), threads=threads)
text = program(count)
start = time.process_time()
xdsl_xla.compile(text, threads=threads)
print(json.dumps(time.process_time() - start))
"""

COLUMNS = (
    Column("program", "program"),
    Column("direction", "direction"),
    Column("parts", "parts"),
    *(Column(f"seconds_{share}", "all" if share == 1 else f"1/{share}", ".2f") for share in reversed(SHARES)),
    Column("exponent", "exponent", ".2f"),
)


def measure(settings: Settings) -> Result:
    """The exponent of each program's compile time, of three sizes."""
    table = Table("directions", "Processor time of compiling growing programs, seconds", COLUMNS)
    printer = TablePrinter(table)
    for direction, programs in PROGRAMS.items():
        for program in programs:
            if not settings.quick or program.__name__ in QUICK:
                printer.add(_row(direction, program, settings))
    exponents = table.values("exponent")
    return Result([printer.finish({"largest exponent": max(exponents)})])


def _row(direction: str, program: Program, settings: Settings) -> dict[str, str | float | int | None]:
    largest = LARGEST[program.__name__] // (QUICK_SHARE if settings.quick else 1)
    sizes = [largest // share for share in SHARES]
    times = [float("inf")] * len(sizes)
    for _ in range(1 if settings.quick else REPETITIONS):
        for number, size in enumerate(sizes):
            times[number] = min(times[number], compile_seconds(program, size, settings.threads))
    return {
        "program": program.__name__,
        "direction": direction,
        "parts": str(largest),
        **{f"seconds_{share}": seconds for share, seconds in zip(SHARES, times, strict=True)},
        "exponent": growth_exponent(sizes, times),
    }


def compile_seconds(program: Program, count: int, threads: int) -> float:
    """The processor time of one compilation in a fresh process."""
    command = [sys.executable, "-c", SCRIPT, program.__name__, *map(str, (FEW, count, threads))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(done.stdout))
