"""Schedules in text: in a file beside a program, by the names of its kernels, and in databases of what a search found.

    // rows_0 of softmax.mlir: 2.03 ms, was 2.41 ms
    kernel "8f0c6d2a91b34e57a0d1c2b3" cpu "znver4" threads 2 {
      parallel i = 0 to 64 { ... }
    }

    kernel @elementwise_1 {
      for i = 0 to 8 { compute exp at (i) }
    }

A kernel is called by its symbol, or by a digest of what it does (`digest_of`), which is the same in any program. An
entry without `cpu` or `threads` holds for all. `as decided` in place of braces says that a search found nothing better.
What stands in braces is the language of `dialects/schedule/syntax.py`. Entries are sorted, so that version control
merges what several people add.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from ..dialects.fast_tokens import TokenParser
from ..dialects.printing import text_of_region
from ..dialects.schedule.syntax import INDENT, parse_tree, text_of
from ..dialects.schedule.tree import Tree
from ..dialects.xrt_names import ROW_DIMS
from ..errors import InvalidProgramError

COMMENT = "//"


class Key(NamedTuple):
    """What an entry is for: `@` and a symbol, or a digest; the CPU and threads, if that matters."""

    kernel: str
    cpu: str = ""
    threads: int = 0

    def __str__(self) -> str:
        name = self.kernel if self.kernel.startswith("@") else f'"{self.kernel}"'
        cpu = f' cpu "{self.cpu}"' if self.cpu else ""
        return f"kernel {name}{cpu}" + (f" threads {self.threads}" if self.threads else "")


@dataclass(frozen=True)
class Entry:
    """The schedule of a kernel; None is the one that the compiler decides."""

    key: Key
    tree: Tree | None
    comment: str = field(default="", compare=False)
    place: str = field(default="", compare=False)
    """`file:line:column`."""

    def __str__(self) -> str:
        comment = "".join(f"{COMMENT} {line}\n" for line in self.comment.splitlines())
        body = "as decided" if self.tree is None else "{\n" + text_of(self.tree, INDENT) + "}"
        return f"{comment}{self.key} {body}\n"


def text_of_entries(entries: Iterable[Entry]) -> str:
    """A file, which `parse_entries` reads back."""
    return "\n".join(map(str, sorted(entries, key=lambda entry: entry.key)))


def parse_entries(text: str, filename: str) -> dict[Key, Entry]:
    """The entries of a file. Raises `InvalidProgramError`, which says where."""
    text = text.removeprefix("\ufeff")
    found: dict[Key, Entry] = {}
    try:
        parser = TokenParser(Context(), text, filename)
        while parser.pos < len(text):
            entry = _parse_entry(parser, text)
            if entry.key in found:
                raise InvalidProgramError(f"{found[entry.key].place} has this entry already", location=entry.place)
            found[entry.key] = entry
    except ParseError as error:
        file, line, column = error.span.get_location()
        raise InvalidProgramError(" ".join(error.msg.split()), location=f"{file}:{line}:{column}") from error
    return found


def _parse_entry(parser: Parser, text: str) -> Entry:
    start = parser.pos
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    parser.parse_keyword("kernel", " at the start of an entry")
    symbol = parser.parse_optional_symbol_name()
    name = parser.parse_str_literal(": a symbol or a digest") if symbol is None else f"@{symbol.data}"
    cpu = parser.parse_str_literal() if parser.parse_optional_keyword("cpu") is not None else ""
    threads = parser.parse_optional_keyword("threads") and parser.parse_integer(False, False)
    if threads == 0:
        parser.raise_error("expected a number of threads")
    if parser.parse_optional_keyword("as") is not None:
        parser.parse_keyword("decided")
        tree = None
    else:
        tree = parse_tree(parser)
    place = f"{parser.lexer.input.name}:{line}:{column}"
    return Entry(Key(name, cpu, int(threads or 0)), tree, _comment_before(text, start), place)


def _comment_before(text: str, start: int) -> str:
    """The lines of comment right in front of `start`."""
    lines = text[: text.rfind("\n", 0, start) + 1].splitlines()
    first = len(lines)
    while first > 0 and lines[first - 1].startswith(COMMENT):
        first -= 1
    return "\n".join(line.removeprefix(COMMENT).strip() for line in lines[first:])


def digest_of(function: func.FuncOp) -> str:
    """What tells a kernel on level 4 from those that do something else, whatever it and its values are called."""
    text = f"{function.function_type} {function.attributes.get(ROW_DIMS)} {text_of_region(function.body)}"
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Schedules:
    """What a compilation has read: schedules that stand `beside` the program, and those that searches have `found`."""

    beside: Mapping[Key, Entry] = field(default_factory=dict[Key, Entry])
    found: Mapping[Key, Entry] = field(default_factory=dict[Key, Entry])

    def of(self, function: func.FuncOp, cpu: str, threads: int) -> Iterator[tuple[Entry, bool]]:
        """The entries for a kernel, the first one first, and whether it has to be obeyed."""
        digests = (
            [digest_of(function)] if any(not key.kernel.startswith("@") for key in (*self.beside, *self.found)) else []
        )
        for entries, obeyed, names in (
            (self.beside, True, [f"@{function.sym_name.data}", *digests]),
            (self.found, False, digests),
        ):
            for name in names:
                for key in (Key(name, cpu, threads), Key(name, "", threads), Key(name, cpu), Key(name)):
                    if key in entries:
                        yield entries[key], obeyed

    def check_names(self, kernels: Sequence[func.FuncOp]) -> None:
        """Raises `InvalidProgramError` if an entry beside the program names something that is not one of `kernels`;
        warns of digests that none of them has, which may be of other programs.
        """
        known = {f"@{function.sym_name.data}" for function in kernels}
        strange: list[Entry] = []
        for key, entry in self.beside.items():
            if not key.kernel.startswith("@"):
                strange.append(entry)
            elif key.kernel not in known:
                names = ", ".join(sorted(known)) or "none"
                message = f"{key.kernel} is no kernel that can have a schedule; those are {names}"
                raise InvalidProgramError(message, location=entry.place)
        digests = {digest_of(function) for function in kernels} if strange else set[str]()
        strange = [entry for entry in strange if entry.key.kernel not in digests]
        if strange:
            more = f", and {len(strange) - 1} more" if len(strange) > 1 else ""
            message = f'ignored, for no kernel of this program has the digest "{strange[0].key.kernel}"{more}'
            warnings.warn(f"{strange[0].place}: {message}", stacklevel=2)


def schedules_of(context: object) -> Schedules:
    """What the driver has put into the `Context` of xDSL, otherwise nothing."""
    return getattr(context, "schedules", None) or Schedules()
