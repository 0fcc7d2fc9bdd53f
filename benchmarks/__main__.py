"""`python -m xdsl_xla.benchmarks`: this package against XLA:CPU and NumPy, as tables, JSON, and a page with charts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import ArgumentError, XlaError
from . import suite
from .machine import available_cpus, description
from .report import Report, write_page
from .sections import SECTIONS
from .sections.section import Section, Settings
from .worker import run_section

BLOCKS, QUICK_BLOCKS = 8, 2


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    width = max(len(section.name) for section in SECTIONS) + 2
    listed = "\n".join(f"  {section.name:{width}}{section.summary}" for section in SECTIONS)
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.benchmarks",
        description="Compares this package with XLA:CPU and NumPy. Ratios are ours / theirs.",
        epilog=f"sections:\n{listed}\nprograms:\n  {', '.join(suite.names())};\n  and those of more_programs",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="sections and programs (default: all but ablation and versions)"
    )
    parser.add_argument("--threads", type=int, help="threads for all sides (default: all CPUs of this process)")
    parser.add_argument("--blocks", type=int, help=f"alternating blocks of runs a side (default {BLOCKS})")
    parser.add_argument("--against", default="", metavar="VERSION", help="a revision or a folder, for 'versions'")
    parser.add_argument("--quick", action="store_true", help="few programs, few runs: less than a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file")
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="write a page of tables, and charts beside it")
    parser.add_argument(
        "--from",
        type=Path,
        metavar="FILE",
        dest="earlier",
        help="add to the results in this JSON file (without a NAME: measure nothing, write the page)",
    )
    return parser.parse_args(arguments)


def select(names: Sequence[str]) -> tuple[list[Section], tuple[str, ...]]:
    """The sections and programs that `names` mean.

    Programs alone mean the section that times them. Raises ArgumentError for a name that is neither, and for programs
    with a section that takes none.
    """
    by_name = {section.name: section for section in SECTIONS}
    sections = [by_name[name] for name in names if name in by_name]
    programs = tuple(name for name in names if name not in by_name)
    if not programs:
        return sections or [section for section in SECTIONS if section.is_of_all], ()
    own = {name for section in sections for name in section.choices()}
    first, second = _sets([name for name in programs if name not in own])
    if not sections:
        sections = [by_name["run"]] * first + [by_name["more"]] * second
    for section in sections:
        if not section.takes_programs and not own.intersection(section.choices()).intersection(programs):
            raise ArgumentError(f"section '{section.name}' has no programs to choose from")
    return sections, programs


def _sets(programs: Sequence[str]) -> tuple[bool, bool]:
    """Whether there are programs of the first and of the second set among these."""
    others = [name for name in programs if name not in suite.names()]
    if others:
        from . import more_programs

        for name in others:
            if name not in more_programs.names():
                raise ArgumentError(f"no section or program '{name}'")
    return len(others) < len(programs), bool(others)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the sections; 0 if all results agree, 1 if a program failed, 2 for wrong arguments."""
    options = parse_arguments(arguments)
    cpus = len(available_cpus())
    threads = options.threads or cpus
    try:
        sections, programs = select(options.names) if options.names or not options.earlier else ([], ())
        if not 1 <= threads <= cpus:
            raise ArgumentError(f"--threads {threads}: this process may use {cpus} CPUs")
        if any(section.name == "versions" for section in sections) != bool(options.against):
            raise ArgumentError("section 'versions' and --against VERSION go together")
        for file in filter(None, (options.json, options.report)):
            if not file.parent.is_dir():
                raise ArgumentError(f"{file}: no such folder")
        earlier = Report.from_dict(json.loads(options.earlier.read_text())) if options.earlier else None
    except (ArgumentError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except XlaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    blocks = options.blocks or (QUICK_BLOCKS if options.quick else BLOCKS)
    settings = Settings(threads, blocks, options.quick, programs, options.against)
    report = earlier or Report(description())
    for name, fact in report.machine.items():
        print(f"{name:12}{fact}")
    print(f"{'threads':12}{threads}", flush=True)
    for section in sections:
        report.results[section.name] = run_section(section, settings)
    report.results = {s.name: report.results[s.name] for s in SECTIONS if s.name in report.results}
    if options.json:
        report.write_json(options.json)
    if options.report:
        write_page(report, options.report)
    failures = report.failures()
    if failures:
        print(f"\n{len(failures)} failed:", *failures, sep="\n  ", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
