"""Splitting LLVM IR text into modules that can be compiled at the same time.

The functions of a program are not inlined into each other, so they can be optimised apart. Each part defines some of
them and declares what it uses of the others; what was internal becomes `hidden`, visible to the other parts but not
beyond the library they are linked into. Constants are repeated where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_DEFINITION = re.compile(r"^define .*?^\}\n", re.MULTILINE | re.DOTALL)
_ANY_DEFINITION = re.compile(r"^\s*define ", re.MULTILINE)
_HEADER = re.compile(r"define (?:internal )?(?P<result>[^@]*)(?P<name>@(?:\"[^\"]*\"|[\w.$-]+))\((?P<parameters>.*)\)")
_PARAMETER_NAME = re.compile(r" %(?:\"[^\"]*\"|[\w.$-]+)")
_SYMBOL = re.compile(r"@(?:\"[^\"]*\"|[\w.$-]+)")
_GLOBAL = re.compile(r"^(@(?:\"[^\"]*\"|[\w.$-]+)) = (.*)\n", re.MULTILINE)


class _Function(NamedTuple):
    name: str
    text: str
    declaration: str
    lines: int


def count_blocks(text: str) -> int:
    """How many basic blocks the functions in `text` have: a measure of what LLVM has to do."""
    return text.count(":\n")


def partition(text: str, parts: int) -> list[str]:
    """`text` as at most `parts` modules of similar size; as one where it has a form that cannot be split."""
    functions = [_function(match[0]) for match in _DEFINITION.finditer(text)]
    parts = min(parts, len(functions))
    if parts < 2 or len(functions) != len(_ANY_DEFINITION.findall(text)):
        return [text]
    rest = _DEFINITION.sub("", text)
    if not all(match[2].startswith(("private ", "internal ")) for match in _GLOBAL.finditer(rest)):
        return [text]
    return [_part(group, functions, rest) for group in _balance(functions, parts)]


def _function(text: str) -> _Function:
    header = _HEADER.match(text)
    assert header is not None, text.partition("\n")[0]
    parameters = _PARAMETER_NAME.sub("", header["parameters"])
    declaration = f"declare {header['result']}{header['name']}({parameters})\n"
    return _Function(header["name"], text, declaration, text.count("\n"))


def _balance(functions: Sequence[_Function], parts: int) -> list[list[_Function]]:
    """The functions in `parts` groups: the longest first, each to the group with the fewest lines."""
    groups: list[list[_Function]] = [[] for _ in range(parts)]
    sizes = [0] * parts
    for function in sorted(functions, key=lambda function: -function.lines):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(function)
        sizes[smallest] += function.lines
    return groups


def _part(group: Sequence[_Function], functions: Sequence[_Function], rest: str) -> str:
    body = "".join(function.text.replace("define internal ", "define hidden ", 1) for function in group)
    used = set(_SYMBOL.findall(body))
    defined = {function.name for function in group}
    declarations = [
        function.declaration for function in functions if function.name in used and function.name not in defined
    ]
    constants = _GLOBAL.sub(lambda match: match[0] if match[1] in used else "", rest)
    return f"{constants}\n{''.join(declarations)}{body}"
