"""Which options of `xla-run` go with which of its modes.

Every option is either obeyed or refused: `check_options_of_modes` raises `UsageError` for one that the mode of the
command line would drop in silence. `docs/running.md` shows the table.
"""

from __future__ import annotations

import argparse
from typing import Any

from .reporting import UsageError

RUN = "a run"
REFERENCE = "--engine reference"
TUNE = "--tune"
TESTS = "a file of executable tests"
TESTS_ON_REFERENCE = "executable tests on the reference"
COMPARE = "--compare"
CHECK_PASSES = "--check-passes"
JOB = "--transport"
SIMULATE = "--simulate"

MODES = (RUN, JOB, REFERENCE, TUNE, TESTS, TESTS_ON_REFERENCE, COMPARE, CHECK_PASSES, SIMULATE)
"""The modes: a file is compiled and run, or run with other processes, or interpreted, or tuned (and then run), and so
on."""

EVERYWHERE = ("file", "entry", "debug", "seed", "engine")
"""What goes with all of them; `--engine` is part of the mode."""

COMPILATION = frozenset((RUN, JOB, TUNE, TESTS, COMPARE, CHECK_PASSES))
"""The modes in which native code is compiled."""

ONE_PROGRAM = frozenset((RUN, JOB, REFERENCE, TUNE))
"""The modes in which one program is run with inputs of the user."""

ALL_TESTS = frozenset((TESTS, TESTS_ON_REFERENCE))

EITHER_ENGINE = frozenset((REFERENCE, TESTS_ON_REFERENCE))
"""Here options that change the speed of native code alone change nothing: a command line serves both engines."""

TAKEN_BY: dict[str, frozenset[str]] = {
    "input": ONE_PROGRAM,
    "output": ONE_PROGRAM,
    "expect": ONE_PROGRAM,
    "rtol": ONE_PROGRAM | {COMPARE, CHECK_PASSES},
    "atol": ONE_PROGRAM | {COMPARE, CHECK_PASSES},
    "split_input_file": ALL_TESTS,
    "args": ALL_TESTS,
    "skip": ALL_TESTS,
    "probe_output_dir": ALL_TESTS,
    "threads": COMPILATION | EITHER_ENGINE | {SIMULATE},
    "pipeline": COMPILATION,
    "vector_bits": COMPILATION | EITHER_ENGINE,
    "devices": frozenset((RUN, JOB)),
    "load_pass": COMPILATION | {SIMULATE},
    "cost_model": COMPILATION | EITHER_ENGINE | {SIMULATE},
    "schedules": COMPILATION - {TESTS},
    "opt_level": COMPILATION | EITHER_ENGINE,
    "denormals": COMPILATION | EITHER_ENGINE,
    "verify": COMPILATION,
    "donate": COMPILATION - {TESTS, JOB},
    "debug_info": frozenset((RUN, TUNE, COMPARE)),
    "no_cache": frozenset((RUN, JOB, TUNE)) | EITHER_ENGINE,
    "dump_dir": COMPILATION - {JOB},
    "mlir_print_debuginfo": COMPILATION - {JOB},
    "fill_elided": ONE_PROGRAM | {COMPARE, CHECK_PASSES, SIMULATE},
    "tune": frozenset((TUNE,)),
    "benchmark": ONE_PROGRAM,
    "profile": frozenset((RUN, TUNE)),
    "html": frozenset((RUN, TUNE)),
    "html_profile": frozenset((RUN, TUNE)),
    "time_passes": frozenset((RUN, TUNE, COMPARE)),
    "stats": frozenset((RUN, TUNE, COMPARE)),
    "transport": frozenset((JOB,)),
    "collective_timeout": frozenset((RUN, JOB)),
    "compare": frozenset((COMPARE,)),
    "check_passes": frozenset((CHECK_PASSES,)),
    "simulate": frozenset((SIMULATE,)),
    "machine": frozenset((SIMULATE,)),
}
"""Option to the modes that obey it. `--check-passes` verifies always, and `--dump-dir` receives what it finds."""


FOR_A_RUN = ("output", "expect", "benchmark", "profile", "html", "time_passes", "stats")
"""Options that let a program run, or be compiled, that has been tuned."""

NEEDS: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "rtol": (("expect",), ONE_PROGRAM),
    "atol": (("expect",), ONE_PROGRAM),
    "dump_dir": (FOR_A_RUN, frozenset((TUNE,))),
    "no_cache": (FOR_A_RUN, frozenset((TUNE,))),
    "mlir_print_debuginfo": (("dump_dir",), COMPILATION),
    "html_profile": (("html",), frozenset((RUN, TUNE))),
}
"""Options that mean something only together with one of others, in some modes: those let the tuned program run."""


def modes_of(args: argparse.Namespace, is_test_file: bool) -> list[str]:
    """The modes that a command line asks for, one or two. Raises `UsageError` for two that exclude each other."""
    wanted = [mode for mode, is_on in ((COMPARE, args.compare), (CHECK_PASSES, args.check_passes)) if is_on]
    if args.simulate is not None:
        if wanted or args.tune is not None or args.transport is not None or args.engine == "reference":
            raise UsageError("--simulate runs nothing: it goes with no other mode")
        return [SIMULATE]
    if args.transport is not None:
        if wanted or args.tune is not None or args.engine == "reference":
            others = wanted or ["--tune" if args.tune is not None else REFERENCE]
            raise UsageError(f"{others[0]} and --transport are two commands: give one at a time")
        return [JOB]
    if args.tune is not None:
        if wanted:
            raise UsageError(f"{wanted[0]} and --tune are two commands: give one at a time")
        wanted = [TUNE]
    if wanted and args.engine == "reference":
        reason = "is about native code" if wanted[0] == TUNE else "runs both engines"
        raise UsageError(f"{wanted[0]} {reason}, not --engine reference")
    if wanted:
        return wanted
    if is_test_file:
        return [TESTS_ON_REFERENCE if args.engine == "reference" else TESTS]
    return [REFERENCE if args.engine == "reference" else RUN]


def check_options_of_modes(args: argparse.Namespace, modes: list[str], parser: argparse.ArgumentParser) -> None:
    """Raises `UsageError` for an option that is given and that a mode does not obey."""
    for mode in modes:
        for name, taking in TAKEN_BY.items():
            if mode not in taking and _is_given(args, name, parser):
                if name in ("compare", "check_passes") and {COMPARE, CHECK_PASSES} <= set(modes):
                    continue
                others = ", ".join(m for m in MODES if m in taking)
                raise UsageError(f"{mode} does not take {option_name(name)}, which goes with {others}")
        for name, (others, where) in NEEDS.items():
            if mode in where and _is_given(args, name, parser):
                if not any(_is_given(args, other, parser) for other in others):
                    names = " or ".join(map(option_name, others))
                    raise UsageError(f"{option_name(name)} says something about {names} only")


def runs_when_tuned(args: argparse.Namespace) -> bool:
    """Whether a program is compiled and run behind `--tune`."""
    return any(getattr(args, name) not in (None, False) for name in FOR_A_RUN)


def option_name(name: str) -> str:
    """How a command line spells an attribute of its arguments."""
    return f"--{name.replace('_', '-')}"


def _is_given(args: argparse.Namespace, name: str, parser: argparse.ArgumentParser) -> bool:
    value: Any = getattr(args, name, None)
    default = parser.get_default(name)
    return value is not None and value != default and value != [] and value is not False


def table() -> str:
    """The options and modes as Markdown."""
    lines = [f"| option | {' | '.join(MODES)} |", "| --- |" + " --- |" * len(MODES)]
    for name, modes in TAKEN_BY.items():
        cells = " | ".join("yes" if mode in modes else "" for mode in MODES)
        lines.append(f"| `{option_name(name)}` | {cells} |")
    return "\n".join(lines)
