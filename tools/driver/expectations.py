"""What a file expects to be told about: `// expected-error @below {{text}}` and the like, as MLIR's tests say it.

    expected-(error|warning|remark|note)[-re] [@(+N|-N|above|below|unknown)] [COUNT] {{text}}

The message of the diagnostic contains the text; with `-re` each `{{...}}` inside it is a regular expression. The
diagnostic is at the line of the directive; at one N lines from it; at the last line above or the first below that holds
no directive; or nowhere (`@unknown`). Without a count it is there once or more, as in MLIR; COUNT is `2`, `2+` or
`0-1`, as in Clang. A line may hold several directives. One that is misspelt is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...diagnostics import Diagnostic, Severity

DIRECTIVE = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))? *(?P<count>\d+(?:\+|-\d+)?)? *\{\{(?P<text>.*)\}\}$"
)
"""MLIR's, and a count: up to the end of the line, so that `}}` may stand in the text."""

NEXT = re.compile(r"\}\}(?=\s*(?://)?\s*expected-(?:error|note|remark|warning))")
"""Between two directives of a line."""

MISSPELT = re.compile(
    r"//[ \t]*(?P<first>expected[-_][a-z]+.*)|//.*?(?P<later>expected[-_][a-z]+(?:[-_]re)?[^{}]{0,24}\{\{?.*)"
)
"""What was meant for a directive."""

CLASS = re.compile(r"\[:(\w+):\]")
CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z",
    "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~",
}  # fmt: skip
"""Character classes of POSIX, which LLVM's regular expressions have."""


class Count(NamedTuple):
    """How often something is expected; `most` None is without an end."""

    least: int
    most: int | None


ONCE_OR_MORE = Count(1, None)


@dataclass
class Expectation:
    """A diagnostic that is expected: where the directive stands, and where the diagnostic (None: nowhere)."""

    kind: Severity
    text: str
    directive: tuple[int, int]
    """Line and column of the directive."""
    line: int | None
    pattern: re.Pattern[str] | None = None
    count: Count = ONCE_OR_MORE
    seen: int = 0

    def is_about(self, diagnostic: Diagnostic, line: int | None) -> bool:
        """Whether place and text of the diagnostic are those expected."""
        if line != self.line:
            return False
        if self.pattern is not None:
            return self.pattern.search(diagnostic.message) is not None
        return self.text in diagnostic.message

    @property
    def is_full(self) -> bool:
        """Whether no more are expected."""
        return self.count.most is not None and self.seen >= self.count.most

    def complaint(self) -> str | None:
        """What is wrong with how often it was seen."""
        if self.seen >= self.count.least:
            return None
        if self.count == ONCE_OR_MORE:
            return f'expected {self.kind} "{self.text}" was not produced'
        wanted = "at least " if self.count.most is None else ""
        return f'expected {self.kind} "{self.text}" {wanted}{self.count.least} times, was produced {self.seen} times'


class Malformed(NamedTuple):
    """A directive that says nothing, and where it stands."""

    line: int
    message: str


def expectations(text: str, line_offset: int = 0) -> tuple[list[Expectation], list[Malformed]]:
    """The directives of a text that begins `line_offset` lines into its file."""
    found: list[Expectation] = []
    malformed: list[Malformed] = []
    below: list[Expectation] = []
    last_other = line_offset + 1
    number = line_offset
    for number, line in enumerate(text.split("\n"), line_offset + 1):
        matches = [
            (match, start + match.start() + 1)
            for start, part in _parts(line.rstrip())
            if (match := DIRECTIVE.search(part)) is not None
        ]
        if not matches:
            if misspelt := MISSPELT.search(line):
                malformed.append(
                    Malformed(number, f"not a directive: '{(misspelt['first'] or misspelt['later']).rstrip()}'")
                )
                continue
            for expectation in below:
                expectation.line = number
            below.clear()
            last_other = number
            continue
        for match, column in matches:
            try:
                expectation = _expectation(match, (number, column), last_other)
            except ValueError as error:
                malformed.append(Malformed(number, str(error)))
                continue
            if match["place"] == "below":
                below.append(expectation)
            found.append(expectation)
    for expectation in below:
        expectation.line = number
    return found, malformed


def _parts(line: str) -> Iterator[tuple[int, str]]:
    """A line with several directives, one by one, and where in the line each part begins."""
    start = 0
    for match in NEXT.finditer(line):
        yield start, line[start : match.start() + 2]
        start = match.end()
    yield start, line[start:]


def _expectation(match: re.Match[str], directive: tuple[int, int], last_other: int) -> Expectation:
    place = match["place"]
    pattern = _pattern(match["text"]) if match["regex"] else None
    line, _ = directive
    at: int | None
    match place:
        case None | "below":
            at = line
        case "above":
            at = last_other
        case "unknown":
            at = None
        case _:
            at = line + int(place)
    return Expectation(Severity(match["kind"]), match["text"], directive, at, pattern, _count(match["count"]))


def _count(text: str | None) -> Count:
    if text is None:
        return ONCE_OR_MORE
    if text.endswith("+"):
        return Count(int(text[:-1]), None)
    least, dash, most = text.partition("-")
    count = Count(int(least), int(most) if dash else int(least))
    if count.most is not None and count.most < count.least:
        raise ValueError(f"invalid range: '{text}'")
    return count


def _pattern(text: str) -> re.Pattern[str]:
    """Raises ValueError, with LLVM's words."""
    source = ""
    position = 0
    while (start := text.find("{{", position)) >= 0:
        end = text.find("}}", start + 2)
        if end < 0:
            raise ValueError("found start of regex with no end '}}'")
        source += re.escape(text[position:start])
        inner = CLASS.sub(lambda found: CLASSES.get(found[1], found[0]), text[start + 2 : end])
        try:
            re.compile(inner)
        except re.error as error:
            reason = (
                "parentheses not balanced" if "parenthes" in str(error) or "unterminated subp" in str(error) else error
            )
            raise ValueError(f"invalid regex: {reason}") from None
        source += f"(?:{inner})"
        position = end + 2
    return re.compile(source + re.escape(text[position:]))
