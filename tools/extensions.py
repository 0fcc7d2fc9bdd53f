"""What others define, on the command line of `xla-opt`: `--load-pass`, `--list-extensions`, `--new-pass`, `-t NAME`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from xdsl.universe import XDSL_UNIVERSE
from xdsl.utils.target import Target

from ..errors import XlaError
from ..pipelines import PASSES, PIPELINES
from ..runtime.extensions.definitions import Definition, Definitions, loaded
from ..runtime.extensions.entry_points import COST_MODELS, SCHEDULES, plugins
from ..runtime.extensions.installed import installed
from ..runtime.program_context import DIALECTS
from .compile_options import LOAD_PASS_HELP
from .reporting import UsageError
from .targets import TARGETS


class TargetsByName(dict[str, Any]):
    """Factories of targets; for a name that is not there, those of files and of installed packages are asked."""

    def __init__(self, known: Mapping[str, Any], definitions: Callable[[], Definitions]) -> None:
        super().__init__(known)
        self._definitions = definitions

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._of_others(name) is not None

    def __missing__(self, name: str) -> Callable[[], type[Target]]:
        definition = self._of_others(name)
        if definition is None:
            raise KeyError(name)

        def load() -> type[Target]:
            found = loaded("target", name, definition)
            if not isinstance(found, type) or not issubclass(found, Target):
                raise XlaError(f"target '{name}' of {definition.origin} is no class of Target but {found!r:.200}")
            return found

        return load

    def _of_others(self, name: object) -> Definition | None:
        for definitions in (self._definitions(), installed().definitions):
            if (found := definitions.targets.get(cast(str, name))) is not None:
                return found
        return None


class _ListExtensions(argparse.Action):
    """Print what each installed package defines, with what is wrong with it, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print("\n".join(listed()))
        parser.exit()


def listed() -> Iterator[str]:
    """What installed packages define, a line for each name; then what is not there because of an error."""
    found, problems = installed()
    named = zip(("pass", "dialect", "pipeline", "target"), found.tables(), _KNOWN, strict=True)
    lines = [
        f"{kind:10} {name:30} {definition.origin}{_overruled(name, known)}"
        for kind, table, known in named
        for name, definition in sorted(table.items())
    ]
    for plugin in plugins():
        if plugin.group in _KINDS:
            lines.append(f"{_KINDS[plugin.group]:10} {plugin.name:30} {plugin}")
    yield from lines or ["no installed package defines anything for the compiler"]
    for problem in problems:
        yield f"error: {problem}"


_KINDS = {COST_MODELS: "cost model", SCHEDULES: "schedules"}

_KNOWN = (
    {*PASSES, *XDSL_UNIVERSE.all_passes, *PIPELINES},
    {*DIALECTS, *XDSL_UNIVERSE.all_dialects},
    {*PASSES, *XDSL_UNIVERSE.all_passes, *PIPELINES},
    {*TARGETS, *XDSL_UNIVERSE.all_targets},
)
"""The names that stand for something of this package or of xDSL, whatever others define."""


def _overruled(name: str, known: set[str]) -> str:
    return ": not used, the name is taken" if name in known else ""


def write_new_pass(args: argparse.Namespace) -> bool:
    """Write the package that `--new-pass` asks for; whether it does. Raises `UsageError`."""
    if args.new_pass is None:
        if args.directory is not None:
            raise UsageError("--directory is for --new-pass")
        return False
    from .new_pass import write_package

    print(write_package(args.new_pass, None if args.directory is None else Path(args.directory)))
    return True


def add_extension_arguments(parser: argparse.ArgumentParser) -> None:
    """The options about what others define."""
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help=LOAD_PASS_HELP)
    parser.add_argument(
        "--list-extensions",
        nargs=0,
        action=_ListExtensions,
        help="print what installed packages define for the compiler, and exit",
    )
    parser.add_argument(
        "--new-pass",
        metavar="NAME",
        help="write a package with a pass of this name, its FileCheck test and a README, and exit",
    )
    parser.add_argument("--directory", metavar="DIR", help="where --new-pass writes, if not in a folder NAME here")
