"""Completion of the command line in a shell: flags, their choices, passes and pipelines, files.

    eval "$(xla-opt --print-completion bash)"

The script holds all words; nothing of Python runs while one types.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import NamedTuple

PIPELINE_FLAGS = ("-p", "--passes", "--pass-pipeline", "--pipeline", "--mlir-print-ir-before", "--mlir-print-ir-after")
"""Flags whose values are made of passes."""


class Words(NamedTuple):
    """What may stand in a command line."""

    flags: list[str]
    choices: dict[str, list[str]]
    """By flag, the values it takes."""
    passes: list[str]


def words_of(parser: argparse.ArgumentParser, passes: Iterable[str]) -> Words:
    """Those of a command: `passes` are flags too, and values of the flags that take pipelines."""
    flags: list[str] = []
    choices: dict[str, list[str]] = {}
    for action in parser._actions:
        flags += [name for name in action.option_strings if name.startswith("--")]
        for name in action.option_strings:
            if action.choices is not None:
                choices[name] = [str(choice) for choice in action.choices]
    names = sorted(passes)
    return Words(sorted([*flags, *(f"--{name}" for name in names)]), choices, names)


def completion(shell: str, command: str, words: Words) -> str:
    """The script for `bash`, `zsh` or `fish`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](command, words)


def _function(command: str) -> str:
    return "_" + command.replace("-", "_")


def _bash(command: str, words: Words) -> str:
    name = _function(command)
    cases = "".join(
        f'    {flag}) COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$current")); return;;\n'
        for flag, values in words.choices.items()
    )
    return f"""{name}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  if [[ "$current" == = ]]; then current=""
  elif [[ "$previous" == = ]]; then previous="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
  case "$previous" in
{cases}    {"|".join(PIPELINE_FLAGS)})
      local done="${{current%"${{current##*[,(]}}"}}"
      COMPREPLY=($(compgen -P "$done" -W "{" ".join(words.passes)}" -- "${{current##*[,(]}}"))
      compopt -o nospace; return;;
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "{" ".join(words.flags)}" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames
  fi
}}
complete -F {name} {command}"""


def _zsh(command: str, words: Words) -> str:
    return f"autoload -U +X bashcompinit && bashcompinit\n{_bash(command, words)}"


def _fish(command: str, words: Words) -> str:
    def option(flag: str) -> str:
        return f"complete -c {command} {f'-l {flag[2:]}' if flag.startswith('--') else f'-s {flag[1:]}'}"

    values = {**words.choices, **{flag: words.passes for flag in PIPELINE_FLAGS if flag in words.flags or flag == "-p"}}
    lines = [option(flag) for flag in words.flags if flag not in values]
    return "\n".join([*lines, *(f"{option(flag)} -x -a '{' '.join(values[flag])}'" for flag in values)])
