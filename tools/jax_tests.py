"""Tests of JAX and of libraries on this compiler and on JAX's backend for CPUs:
`python -m xdsl_xla.tools.jax_tests FOLDER lax nn`.

    git clone --depth 1 --branch jax-v0.10.2 https://github.com/jax-ml/jax
    python -m xdsl_xla.tools.jax_tests jax lax_numpy api --cases 1
    python -m xdsl_xla.tools.jax_tests jax shard_map pmap --devices 8 --sample 50
    python -m xdsl_xla.tools.jax_tests jax pjit --devices 8 --part 2/8
    python -m xdsl_xla.tools.jax_tests jax lax_control_flow --ours-first
    python -m xdsl_xla.tools.jax_tests flax tests/linen tests/nnx --replace-cpu --sample 100

FOLDER is a checkout of JAX, or of a library, at the tag of the version that is installed. What passes on JAX's backend
is what counts: the report says how much of it passes here, and names the rest. Exit code 1 if something does not.
JAX's tests that are for some platforms take this one for that of CPUs, of which all tests are wanted here. Tests of
libraries may choose the platform `cpu` by themselves: with `--replace-cpu` that is this one. With `--ours-first` tests
that pass here are not run on JAX's backend, which takes half of the time; they count as if they passed there.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from collections.abc import Sequence
from importlib import import_module, util
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

from ..frontends.pjrt.client import DEVICES_VARIABLE, REPLACES_CPU_VARIABLE

PASSED, SKIPPED = "passed", "skipped"

NOT_COLLECTED = "collection failure"
"""What pytest says of a file that it cannot read."""

OURS, THEIRS = "xdsl_xla,cpu", "cpu"


class Comparison(NamedTuple):
    """Of the tests of a file: those that pass on JAX's backend and run here, and of them those that do not pass here,
    with why. A test that skips itself here (it names platforms) says nothing, and is counted.
    """

    name: str
    passing: int
    failures: dict[str, str]
    skipped: int

    def described(self) -> str:
        """A line, and one for each failure."""
        good = self.passing - len(self.failures)
        share = f" ({100 * good / self.passing:.1f} %)" if self.passing else ""
        left = f", {self.skipped} skipped here alone" if self.skipped else ""
        lines = [f"{self.name}: {good} of {self.passing}{share}{left}"]
        return "\n".join([*lines, *(f"  {test}: {why}" for test, why in self.failures.items())])


class NothingToCompareError(Exception):
    """No test of a file ran on JAX's backend, with why."""


SECONDS_VARIABLE, END_VARIABLE = "XDSL_XLA_TEST_SECONDS", "XDSL_XLA_TESTS_END"
"""How long a test may take, and when no more tests are to begin."""


def pytest_configure(config: Any) -> None:
    """As a plugin of pytest: have JAX's tests take what they run on for a CPU, where they run or are listed."""
    is_here = hasattr(config, "workerinput") or config.option.collectonly
    if is_here and util.find_spec("jax") is not None:
        import_module("jax._src.test_util")
        import_module("jax").config.update("jax_test_dut", "cpu")


def pytest_runtest_logreport(report: Any) -> None:
    """Stop after the time for all; what has run is reported."""
    del report
    if "PYTEST_XDIST_WORKER" not in os.environ and time.time() > float(os.environ[END_VARIABLE]):
        import_module("pytest").exit("the time is over")


def pytest_runtest_setup(item: Any) -> None:
    """End the process of a test that takes too long, which is a failure of that test alone."""
    del item
    stderr = cast("TextIO", sys.__stderr__)
    faulthandler.dump_traceback_later(float(os.environ[SECONDS_VARIABLE]), exit=True, file=stderr)


def pytest_runtest_teardown(item: Any) -> None:
    """The test is over."""
    del item
    faulthandler.cancel_dump_traceback_later()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests of files of JAX; the exit code."""
    parser = argparse.ArgumentParser("python -m xdsl_xla.tools.jax_tests", description=__doc__, usage="%(prog)s ...")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, help="a checkout of JAX")
    parser.add_argument("names", nargs="+", help="its tests: lax for tests/lax_test.py, or a path")
    parser.add_argument("--cases", type=int, default=1, help="how many cases JAX makes of a test with many (default 1)")
    parser.add_argument("--sample", type=int, help="only so many tests of a file, spread evenly")
    parser.add_argument("--part", type=_part, help="one part of a file in a row: 2/8 is the second eighth")
    parser.add_argument(
        "--devices",
        type=int,
        help="how many devices both backends have (default 1; what tests ask for with --replace-cpu)",
    )
    parser.add_argument("--replace-cpu", action="store_true", help=f"run with {REPLACES_CPU_VARIABLE}=1")
    parser.add_argument("--ours-first", action="store_true", help="run only what fails here on JAX's backend")
    parser.add_argument("--test-timeout", type=float, default=600.0, help="seconds for a test (default 600)")
    parser.add_argument("--timeout", type=float, default=3600.0, help="seconds for a file on a backend (default 3600)")
    options = parser.parse_args(arguments)
    comparisons: list[Comparison] = []
    is_complete = True
    for name in options.names:
        try:
            comparisons.append(compare(name, options))
        except NothingToCompareError as error:
            is_complete = False
            print(f"{name}: there is nothing to compare with: {error}", file=sys.stderr, flush=True)
        else:
            print(comparisons[-1].described(), flush=True)
    failures = {test: why for each in comparisons for test, why in each.failures.items()}
    if len(comparisons) > 1:
        passing, skipped = sum(each.passing for each in comparisons), sum(each.skipped for each in comparisons)
        total = Comparison("all", passing, failures, skipped)
        print(total.described().splitlines()[0])
    return 0 if is_complete and not failures else 1


def _part(text: str) -> tuple[int, int]:
    """A number and how many parts there are."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a part such as 2/8")
    return int(number), int(count)


def compare(name: str, options: argparse.Namespace) -> Comparison:
    """The tests of one file or folder on both backends."""
    file = Path("tests") / f"{name.removesuffix('_test')}_test.py"
    if not (options.folder / file).is_file():
        file = Path(name)
    if not (options.folder / file).exists():
        raise SystemExit(f"{options.folder / file}: no such file")
    with tempfile.TemporaryDirectory() as folder:
        chosen = _chosen(file, options, Path(folder))
        if options.ours_first:
            ours, theirs = _ours_first(chosen, options, Path(folder))
        else:
            theirs = _outcomes(chosen, THEIRS, options, Path(folder) / "theirs.xml")
            ours = _outcomes(chosen, OURS, options, Path(folder) / "ours.xml")
    passing = [test for test, outcome in theirs.items() if outcome == PASSED]
    found = {test: ours.get(test, "did not run") for test in passing}
    failures = {test: why for test, why in found.items() if why not in (PASSED, SKIPPED)}
    skipped = list(found.values()).count(SKIPPED)
    return Comparison(str(file), len(passing) - skipped, failures, skipped)


def _ours_first(chosen: list[str], options: argparse.Namespace, scratch: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The outcomes here, and on JAX's backend, where what passes here is taken to pass."""
    report = scratch / "ours.xml"
    ours = _outcomes(chosen, OURS, options, report)
    if not report.exists():
        return ours, _outcomes(chosen, THEIRS, options, scratch / "theirs.xml")
    places = read_places(report.read_text())
    theirs = {test: PASSED for test, outcome in ours.items() if outcome == PASSED}
    rest = [places[test] for test in ours if test not in theirs]
    if rest:
        listing = scratch / "rest"
        listing.write_text("\n".join(rest))
        theirs |= _outcomes([f"@{listing}"], THEIRS, options, scratch / "theirs.xml")
    return ours, theirs


def _environment(platforms: str, options: argparse.Namespace) -> dict[str, str]:
    replaced = options.replace_cpu and platforms == OURS
    return {
        **os.environ,
        "JAX_PLATFORMS": THEIRS if replaced else platforms,
        REPLACES_CPU_VARIABLE: str(int(replaced)),
        "JAX_NUM_GENERATED_CASES": str(options.cases),
        **devices_of(options.devices or (None if options.replace_cpu else 1)),
        SECONDS_VARIABLE: str(options.test_timeout),
    }


def devices_of(count: int | None) -> dict[str, str]:
    """What says how many devices there are; with None the tests say it (`jax_num_cpu_devices`)."""
    if count is None:
        return {DEVICES_VARIABLE: ""}
    flags = os.environ.get("XLA_FLAGS", "")
    return {
        DEVICES_VARIABLE: str(count),
        "XLA_FLAGS": f"{flags} --xla_force_host_platform_device_count={count}".strip(),
    }


_PLUGIN = "xdsl_xla.tools.jax_tests"
_PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    _PLUGIN,
    "-o",
    "addopts=",
    "-o",
    "junit_family=xunit1",
]


def _chosen(file: Path, options: argparse.Namespace, scratch: Path) -> list[str]:
    """What pytest is told to run."""
    if options.sample is None and options.part is None:
        return [str(file)]
    listing = subprocess.run(
        [*_PYTEST, "--collect-only", str(file)],
        cwd=options.folder,
        env=_environment(THEIRS, options),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    tests = [line for line in listing.stdout.splitlines() if "::" in line]
    if not tests or listing.returncode:
        raise NothingToCompareError(_end_of(listing.stdout))
    if options.part is not None:
        number, count = options.part
        tests = tests[len(tests) * (number - 1) // count : len(tests) * number // count]
    if options.sample is not None:
        size: int = min(options.sample, len(tests))
        tests = [tests[number * len(tests) // size] for number in range(size)]
    (scratch / "tests").write_text("\n".join(tests))
    return [f"@{scratch / 'tests'}"]


def _outcomes(chosen: list[str], platforms: str, options: argparse.Namespace, report: Path) -> dict[str, str]:
    """By test what became of it. A process of its own runs them, so that one that crashes is a failure like others."""
    end = time.time() + options.timeout
    log = report.with_suffix(".log")
    with log.open("w") as output:
        try:
            subprocess.run(
                [*_PYTEST, "-n", "1", "--max-worker-restart", "100", "--tb=line", f"--junitxml={report}", *chosen],
                cwd=options.folder,
                env={**_environment(platforms, options), END_VARIABLE: str(end)},
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=options.timeout + options.test_timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            report.unlink(missing_ok=True)
    if time.time() >= end:
        print(f"not at the end after {options.timeout:g} seconds on {platforms}", file=sys.stderr)
    found = read_report(report.read_text()) if report.exists() else {}
    if platforms == THEIRS and set(found.values()) <= {NOT_COLLECTED}:
        is_late = time.time() >= end
        raise NothingToCompareError(
            f"JAX's backend has not ended in {options.timeout:g} seconds" if is_late else _end_of(log.read_text())
        )
    return found


def _end_of(output: str) -> str:
    """The last lines that pytest wrote."""
    return "\n".join(["pytest ended with", *output.strip().splitlines()[-20:]])


def read_report(text: str) -> dict[str, str]:
    """By test: `PASSED`, `SKIPPED`, or the first line of what went wrong, of a report in JUnit's format."""
    found: dict[str, str] = {}
    for case in xml.fromstring(text).iter("testcase"):
        problem = next((each for each in case if each.tag in ("failure", "error")), None)
        name = f"{case.get('classname', '')}.{case.get('name')}"
        if problem is not None:
            found[name] = (problem.get("message") or "fails").strip().splitlines()[0][:200]
        elif found.get(name) in (None, PASSED):
            found[name] = SKIPPED if any(each.tag == "skipped" for each in case) else PASSED
    return found


def read_places(text: str) -> dict[str, str]:
    """By test: how pytest is told to run it, of a report in JUnit's older format."""
    found: dict[str, str] = {}
    for case in xml.fromstring(text).iter("testcase"):
        file, named = case.get("file", ""), case.get("classname", "")
        module = ".".join(Path(file).with_suffix("").parts)
        classes = named.removeprefix(module).removeprefix(".").split(".")
        found[f"{named}.{case.get('name')}"] = "::".join([file, *filter(None, classes), case.get("name", "")])
    return found


if __name__ == "__main__":
    sys.exit(main())
