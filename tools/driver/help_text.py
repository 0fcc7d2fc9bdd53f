"""`--help`: the flags, and our passes and pipelines with a line each; `--help-all`: those of xDSL as well."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from .lists import entries, other_passes, own_passes, own_pipelines

INTRODUCTION = "passes, by level (an option of one: -p 'NAME{option=value}' or --NAME='option=value'):"


def pass_sections() -> str:
    """The passes and pipelines of this package."""
    lines = [INTRODUCTION, *entries(own_passes()), "", "pipelines (--list-pipelines shows their passes):"]
    return "\n".join([*lines, *entries(own_pipelines())])


class PrintHelp(argparse.Action):
    """Print the help and exit; `everything` is asked for the passes of others where it is given."""

    def __init__(
        self,
        option_strings: list[str],
        dest: str,
        others: Callable[[], Mapping[str, object]] | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)
        self.others = others

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(parser.format_help())
        print(pass_sections())
        if self.others is not None:
            factories = self.others()
            print("\npasses of xDSL and of installed packages:")
            print("\n".join(entries(other_passes(factories, factories))))
        else:
            print("\n--help-all and --list-passes show the passes of xDSL too.")
        parser.exit()
