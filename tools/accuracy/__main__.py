"""`python -m xdsl_xla.tools.accuracy`: measure elementary functions and write `docs/accuracy.md`.

    python -m xdsl_xla.tools.accuracy --functions tanh,sine --types f32 --samples 1000000
    python -m xdsl_xla.tools.accuracy --sums --output docs/accuracy.md

Each function is compiled for each type, run on arguments that cover its whole range, and compared with exact results
(GNU MPFR by gmpy2: the extra `accuracy`). The document goes to `--output`, progress to stderr. The exit code is 1 if an
error is greater than the document allows or a special value is wrong, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...decisions.target import host
from ..reporting import FAILURE, SUCCESS, USAGE, guarded
from .engines import ENGINES

SAMPLES = 100_000
COMMAND = "python -m xdsl_xla.tools.accuracy"


def _list(text: str) -> list[str]:
    return [item for item in text.split(",") if item]


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--functions", type=_list, default=[], metavar="NAMES", help="names as in the table, by commas"
    )
    options.add_argument(
        "--types", type=_list, default=[], metavar="TYPES", help="f16,bf16,f32,f64,complex64,complex128"
    )
    options.add_argument("--engine", choices=[*ENGINES, "all"], default="all")
    options.add_argument("--sums", action="store_true", help="measure long sums instead, beside XLA:CPU (extra jax)")
    options.add_argument("--samples", type=int, default=SAMPLES, help=f"for each function (default {SAMPLES})")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    options.add_argument("--output", type=Path, help="the document (default: standard output)")
    options.add_argument("--quiet", action="store_true", help="no progress")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; see the module docstring."""
    options = parser().parse_args(arguments)
    if options.sums:
        return guarded(lambda: _measure_sums(options))
    try:
        importlib.import_module("gmpy2")
    except ImportError:
        print("error: gmpy2 is needed: pip install 'xdsl-xla[accuracy]'", file=sys.stderr)
        return USAGE
    return guarded(lambda: _measure(options))


def _measure(options: argparse.Namespace) -> int:
    from .real_functions import PRECISION
    from .report import document
    from .sums import section, with_section
    from .tasks import FUNCTIONS, TYPES, report_progress, run_all, tasks

    functions, types = options.functions or FUNCTIONS, options.types or TYPES
    for given, known, what in ((functions, FUNCTIONS, "function"), (types, TYPES, "type")):
        if unknown := [name for name in given if name not in known]:
            print(f"error: no {what} {unknown[0]!r}: known are {', '.join(known)}", file=sys.stderr)
            return USAGE
    engines = ENGINES if options.engine == "all" else (options.engine,)
    found = run_all(tasks(functions, types, engines), options.samples, options.seed, options.jobs)
    outcomes = list(found if options.quiet else report_progress(found))
    text = document(outcomes, _command(options), options.samples, options.seed, PRECISION, host().fma)
    if options.output is None:
        print(text, end="")
    else:
        old = options.output.read_text() if options.output.exists() else ""
        options.output.write_text(with_section(text, section(old)) if section(old) else text)
    return FAILURE if any(outcome.failed for outcome in outcomes) else SUCCESS


def _measure_sums(options: argparse.Namespace) -> int:
    from .sum_cases import UNIT
    from .sums import run

    types = options.types or list(UNIT)
    if options.functions or not set(types) <= set(UNIT):
        print(f"error: --sums takes --types of {','.join(UNIT)}, and no --functions", file=sys.stderr)
        return USAGE
    return SUCCESS if run(types, options.output, f"{COMMAND} --sums", options.quiet) else FAILURE


def _command(options: argparse.Namespace) -> str:
    """The command line that gives the same document."""
    words = [COMMAND]
    for name in ("functions", "types", "engine", "samples", "seed"):
        value: Any = getattr(options, name)
        if value != parser().get_default(name):
            words.append(f"--{name} {','.join(value) if name in ('functions', 'types') else value}")
    return " ".join([*words, "--output docs/accuracy.md"])


if __name__ == "__main__":
    sys.exit(main())
