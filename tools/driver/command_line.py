"""Command lines as mlir-opt takes them.

Flags have one dash or two; a flag without a value may say `=true` or `=false`; passes are flags (`--cse`,
`--canonicalize='a=1 b=2'`), run in the order in which they stand. `normalized` turns such a line into one for argparse.
A flag that nobody knows is an error of one line that names similar ones.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from ...errors import similar_names
from ..reporting import USAGE

TRUTHS = {"true": True, "1": True, "false": False, "0": False}


class _Formatter(argparse.HelpFormatter):
    """Says nothing about values that hardly anyone gives."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=110)

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        return "" if action.type is boolean else super()._format_args(action, default_metavar)


class _StoreOnce(argparse._StoreAction):
    """A value that may be given once, or again as it is: neither of two would be obeyed in silence."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        if option_string is not None and isinstance(parser, CommandParser):
            first, second = map(_shown, (parser.given.setdefault(self.dest, values), values))
            if first != second:
                raise argparse.ArgumentError(self, f"given twice, with '{first}' and with '{second}'")
        super().__call__(parser, namespace, values, option_string)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class CommandParser(argparse.ArgumentParser):
    """Errors are one line, flags are not abbreviated, values are not given twice. `more_names` are flags beside those
    that were added.
    """

    def __init__(self, prog: str, description: str, **options: Any) -> None:
        options.setdefault("formatter_class", _Formatter)
        super().__init__(prog=prog, description=description, allow_abbrev=False, **options)
        self.more_names: Collection[str] = ()
        self.given: dict[str, Any] = {}
        for name in (None, "store"):
            self.register("action", name, _StoreOnce)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore
        """As `ArgumentParser`; a flag that is unknown is named before one that is missing."""
        self.given.clear()
        for argument in sys.argv[1:] if args is None else args:
            if argument == "--":
                break
            if argument.startswith("--") and argument.partition("=")[0] not in self._option_string_actions:
                self.error(f"unrecognized arguments: {argument}")
        return super().parse_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        if found := re.match(r"unrecognized arguments: (.*)", message, re.DOTALL):
            message = self._unknown(found[1].split()[0])
        sys.stderr.write(f"error: {message}; see {self.prog} --help\n")
        sys.exit(USAGE)

    def _unknown(self, argument: str) -> str:
        if not argument.startswith("-"):
            return f"one file only: '{argument}' is a second one"
        flag = argument.partition("=")[0]
        known = [name for name in self._option_string_actions if name.startswith("--")]
        known += [f"--{name}" for name in self.more_names]
        name = flag.lstrip("-")
        return f"unknown flag '{flag}'{similar_names(f'--{name}', known)}"


def boolean(text: str) -> bool:
    """`true` or `false`, as `--verify-each=false` says it."""
    if text.lower() not in TRUTHS:
        raise argparse.ArgumentTypeError(f"expected true or false, got '{text}'")
    return TRUTHS[text.lower()]


def add_flag(group: argparse._ActionsContainer, *names: str, default: bool = False, help: str) -> None:
    """A flag that may say `=true` or `=false`."""
    group.add_argument(*names, nargs="?", const=True, default=default, type=boolean, metavar="BOOL", help=help)


class PrintText(argparse.Action):
    """Print a text that is made on request, and exit."""

    def __init__(self, option_strings: list[str], dest: str, text: Callable[[], str], help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)
        self.text = text

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(self.text())
        parser.exit()


class Line(NamedTuple):
    """What stands in a command line: what argparse is to read, and passes that are flags, in order."""

    arguments: list[str]
    passes: list[str]


def normalized(arguments: Sequence[str], parser: CommandParser, passes: Collection[str]) -> Line:
    """The line in argparse's terms, and the passes in it, each with its options as a pipeline writes it."""
    line = Line([], [])
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            line.arguments.extend(["--", *rest])
        elif len(argument) < 2 or argument[0] != "-":
            line.arguments.append(argument)
        else:
            _add_flag_of_line(argument, rest, parser, passes, line)
    return line


def _add_flag_of_line(
    argument: str, rest: Iterator[str], parser: CommandParser, passes: Collection[str], line: Line
) -> None:
    dashed, equals, value = argument.partition("=")
    name = dashed.lstrip("-")
    actions = parser._option_string_actions
    flag = dashed if dashed in actions else f"--{name}"
    action = actions.get(flag)
    if action is None:
        if name in passes:
            line.passes.append(f"{name}{{{value}}}" if value else name)
        else:
            line.arguments.append(_short_option(argument, actions))
    elif action.nargs == 0:
        truth = TRUTHS.get(value.lower()) if equals else True
        if truth is None:
            line.arguments.append(f"{flag}={value}")
        elif truth:
            line.arguments.append(flag)
    elif equals:
        line.arguments.append(f"{flag}={value}")
    elif action.nargs == "?" and action.const is not None:
        line.arguments.append(f"{flag}={str(action.const).lower() if action.const is True else action.const}")
    else:
        line.arguments.append(flag)
        if action.nargs is None and (following := next(rest, None)) is not None:
            line.arguments.append(following)


def _short_option(argument: str, actions: Collection[str]) -> str:
    """An argument that is no flag of ours: a short one together with its value (`-o/tmp/x`, `-p'cse,dce'`), or a word
    with one dash, which argparse would read as such.
    """
    is_word = re.fullmatch(r"-[A-Za-z][\w-]+(=.*)?", argument, re.DOTALL) is not None
    if argument.startswith("--"):
        return argument
    return f"-{argument}" if is_word or argument[:2] not in actions else argument
