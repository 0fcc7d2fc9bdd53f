"""Run FileCheck tests of llvm-project (or of a project like it) with `xla-opt` in place of `mlir-opt`.

    python -m xdsl_xla.tools.upstream_tests llvm-project/mlir/test IR/invalid-unregistered.mlir Dialect/Arith/*.mlir
    python -m xdsl_xla.tools.upstream_tests llvm-project/mlir/test --listed-in docs/xla_opt.md

The files are run as they are, by lit: `mlir-opt` is `xla-opt --mlir-print-value-names=false`, as mlir-opt calls values
by numbers, with the passes that those tests register for themselves (`passes.py`), and `FileCheck` is LLVM's where
it is installed, else the package `filecheck`. Without files all of the tree are run. A file in an `Inputs` folder is
none. Exit code 1 if a file fails.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..driver.command_line import CommandParser
from ..reporting import FAILURE, SUCCESS, UsageError, guarded

FOREIGN = re.compile(
    r"(?:RUN:|\||&&|;)\s*(?:not\s+(?:--crash\s+)?)?"
    r"(?:mlir-(?!opt\b)[\w-]+|%\w*python|%\{?mlir|toy|standalone|lli\b|spirv|irdl|llvm-|opt\b|split-file)"
    r"|REQUIRES:(?!\s*asserts\s*$)|UNSUPPORTED:",
    re.MULTILINE,
)
"""What other tools are needed for, or a build of a kind."""

LISTED = re.compile(r"`([\w./-]+\.mlir)`")
"""How a page names a file."""

CONFIG = """
import lit.formats
config.name = "upstream"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = {root!r}
config.test_exec_root = {output!r}
config.environment["PATH"] = {path!r}
config.available_features.add("asserts")
config.environment["XDSL_XLA_CACHE"] = "0"
config.substitutions.append((r"\\bmlir-opt\\b(?=[^:]|$)", {opt!r}))
config.substitutions.append((r"\\bFileCheck\\b", {filecheck!r}))
"""


LAUNCHER = """import sys
sys.path[:0] = {path!r}
from xdsl_xla.tools.upstream_tests.opt import upstream_opt
sys.exit(upstream_opt())
"""
"""Lit's own `cat` changes PYTHONPATH for what runs after it."""


class Outcome(NamedTuple):
    """A file, whether it passed, and what lit says of a failure."""

    name: str
    passed: bool
    output: str


def argument_parser() -> CommandParser:
    """The command line."""
    parser = CommandParser("python -m xdsl_xla.tools.upstream_tests", "Run upstream's tests with xla-opt.")
    parser.add_argument("tree", type=Path, help="mlir/test of a checkout of llvm-project")
    parser.add_argument("files", nargs="*", help="files or patterns relative to it (default: all)")
    parser.add_argument("--listed-in", type=Path, metavar="PAGE.md", help="run the files that a page names, `A/b.mlir`")
    parser.add_argument("--filecheck", metavar="COMMAND", help="in place of the FileCheck that is found")
    parser.add_argument("--show", action="store_true", help="print what lit says of each failure")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="files at a time (default 1)")
    return parser


def filecheck_command() -> str:
    """LLVM's FileCheck if one is installed, else that of Python."""
    return next(filter(None, map(shutil.which, ("FileCheck", "FileCheck-22", "FileCheck-19"))), None) or (
        f"{sys.executable} -m filecheck.main"
    )


def selected(tree: Path, patterns: Iterable[str]) -> list[str]:
    """The files of the tree that the patterns name, which need nothing but mlir-opt and FileCheck."""
    found: list[str] = []
    for pattern in patterns or ["**/*.mlir"]:
        paths = sorted(tree.glob(pattern))
        if not paths:
            raise UsageError(f"{tree}: there is no file '{pattern}'")
        found += [path.relative_to(tree).as_posix() for path in paths if is_runnable(path)]
    return list(dict.fromkeys(found))


def is_runnable(path: Path) -> bool:
    """Whether `xla-opt` can stand in for all that a file runs."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return "Inputs" not in path.parts and re.search(r"RUN:.*mlir-opt", text) is not None and not FOREIGN.search(text)


def run_files(tree: Path, names: Sequence[str], filecheck: str, jobs: int = 1) -> list[Outcome]:
    """Run copies of the files, in a folder whose configuration is ours; the outcome of each."""
    with tempfile.TemporaryDirectory(prefix="upstream_tests_") as folder:
        root = Path(folder, "test")
        for name in names:
            _copy(tree, name, root)
        launcher = Path(folder, "mlir_opt.py")
        launcher.write_text(LAUNCHER.format(path=[entry for entry in sys.path if entry]))
        settings = {
            "root": str(root),
            "output": str(Path(folder, "output")),
            "path": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "opt": f"{sys.executable} {launcher}",
            "filecheck": filecheck,
        }
        (root / "lit.cfg.py").write_text(CONFIG.format(**settings))
        report = Path(folder, "report.json")
        lit = [
            sys.executable,
            "-c",
            "from lit.main import main; main()",
            "-q",
            f"-j{jobs}",
            "-o",
            str(report),
            str(root),
        ]
        done = subprocess.run(lit, capture_output=True, text=True, check=False)
        if not report.exists():
            raise UsageError(f"lit did not run: {done.stderr.strip() or done.stdout.strip()}")
        tests = json.loads(report.read_text())["tests"]
    outcomes = [
        Outcome(test["name"].removeprefix("upstream :: "), test["code"] == "PASS", test["output"]) for test in tests
    ]
    return sorted(outcomes)


def _copy(tree: Path, name: str, root: Path) -> None:
    """A file as it is, with the folder of inputs beside it."""
    source, target = tree / name, root / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    inputs = source.parent / "Inputs"
    if inputs.is_dir():
        shutil.copytree(inputs, target.parent / "Inputs", dirs_exist_ok=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run it with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)

    def command() -> int:
        if not args.tree.is_dir():
            raise UsageError(f"{args.tree} is no folder")
        patterns = list(args.files)
        if args.listed_in is not None:
            patterns += LISTED.findall(args.listed_in.read_text(encoding="utf-8"))
        names = selected(args.tree, patterns)
        if not names:
            raise UsageError("none of the files can be run with xla-opt and FileCheck alone")
        outcomes = run_files(args.tree, names, args.filecheck or filecheck_command(), args.jobs)
        for outcome in outcomes:
            print(f"{'PASS' if outcome.passed else 'FAIL'}  {outcome.name}")
            if args.show and not outcome.passed:
                print(outcome.output)
        failed = sum(not outcome.passed for outcome in outcomes)
        print(f"{len(outcomes) - failed} of {len(outcomes)} files pass")
        return FAILURE if failed else SUCCESS

    return guarded(command)


if __name__ == "__main__":
    sys.exit(main())
