"""A position in HLO text and the small things that can be read there.

White space and comments separate words and are skipped before each of them. All errors are `InvalidProgramError`
with `file:line:col`, the line and a caret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from ...errors import InvalidProgramError

SOURCE_LINE_WIDTH = 100
"""Widest excerpt of the source that an error shows."""

_BLANKS = re.compile(r"(?:\s++|//[^\n]*+)*+")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_NAME = re.compile(r"%?([A-Za-z_][\w.-]*)", re.ASCII)
_ATTRIBUTE_NAME = re.compile(r"([A-Za-z_][\w.-]*)=", re.ASCII)
_INTEGER = re.compile(r"-?[0-9]+(?![\w.])", re.ASCII)
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"|\'([^\'\\]*+(?:\\.[^\'\\]*+)*+)\'', re.DOTALL)
_BRACKET_OR_STRING = re.compile(
    r"""[()\[\]{}]|"[^"\\]*+(?:\\.[^"\\]*+)*+"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?""", re.DOTALL
)
_BRACKET_OR_DOUBLE_QUOTE = re.compile(r"""[()\[\]{}]|"[^"\\]*+(?:\\.[^"\\]*+)*+"?""", re.DOTALL)
_ATOM = re.compile(r"[^\s,()\[\]{}\"']+")
_ESCAPE = re.compile(r"\\(?:([0-7]{3})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Cursor:
    """Reads `text` from `pos` on; `filename` is what errors call it."""

    def __init__(self, text: str, filename: str, pos: int = 0, comments_end: int | None = None) -> None:
        """`comments_end` is where the last comment of the text is closed, if that is known."""
        self.text = text
        self.filename = filename
        self.pos = pos
        self._comments_end = text.rfind("*/") if comments_end is None else comments_end

    def copy(self, pos: int) -> Cursor:
        """A cursor over the same text at another position."""
        return Cursor(self.text, self.filename, pos, self._comments_end)

    def line_and_column(self, pos: int) -> tuple[int, int]:
        """Both from 1."""
        return self.text.count("\n", 0, pos) + 1, pos - (self.text.rfind("\n", 0, pos) + 1) + 1

    def error(self, message: str, pos: int | None = None) -> NoReturn:
        """Raise the error `message` about position `pos`, by default the current one."""
        pos = self.pos if pos is None else pos
        line, column = self.line_and_column(pos)
        line_end = self.text.find("\n", pos)
        line_end = len(self.text) if line_end < 0 else line_end
        start = max(pos - column + 1, pos - SOURCE_LINE_WIDTH // 2)
        excerpt = self.text[start : min(line_end, start + SOURCE_LINE_WIDTH)]
        if excerpt.strip():
            excerpt = "".join(char if char.isprintable() else "?" for char in excerpt)
            message = f"{message}\n  {excerpt}\n  {' ' * (pos - start)}^"
        raise InvalidProgramError(message, location=f"{self.filename}:{line}:{column}")

    def found(self) -> str:
        """What stands here, for messages."""
        self.skip()
        match = _NAME.match(self.text, self.pos) or _INTEGER.match(self.text, self.pos)
        if match is not None:
            return f"'{match[0][:40]}'"
        if self.text.startswith("/*", self.pos):
            return "a comment that is never closed"
        return f"'{self.text[self.pos]}'" if self.pos < len(self.text) else "the end of the text"

    def skip(self) -> None:
        """Go to the next word."""
        while True:
            match = _BLANKS.match(self.text, self.pos)
            assert match is not None
            self.pos = match.end()
            if self.pos + 2 > self._comments_end or not self.text.startswith("/*", self.pos):
                return
            self.pos = self.text.index("*/", self.pos + 2) + 2

    def at(self, mark: str) -> bool:
        """Whether `mark` comes next."""
        self.skip()
        return self.text.startswith(mark, self.pos)

    def accept(self, mark: str) -> bool:
        """Read `mark` if it comes next."""
        found = self.at(mark)
        if found:
            self.pos += len(mark)
        return found

    def expect(self, mark: str, where: str = "") -> None:
        """Read `mark`, which must come next."""
        if not self.accept(mark):
            self.error(f"expected '{mark}'{where and ' ' + where}, found {self.found()}")

    def peek_word(self) -> str:
        """The identifier that comes next, or an empty text."""
        self.skip()
        match = _IDENTIFIER.match(self.text, self.pos)
        return match[0] if match else ""

    def word(self, what: str) -> str:
        """Read an identifier."""
        word = self.peek_word()
        if not word:
            self.error(f"expected {what}, found {self.found()}")
        self.pos += len(word)
        return word

    def name(self, what: str) -> str:
        """Read a name, with or without `%`."""
        self.skip()
        match = _NAME.match(self.text, self.pos)
        if match is None:
            self.error(f"expected {what}, found {self.found()}")
        self.pos = match.end()
        return match[1]

    def attribute_name(self) -> str:
        """Read `name=`."""
        self.skip()
        match = _ATTRIBUTE_NAME.match(self.text, self.pos)
        if match is None:
            self.error(f"expected an attribute 'name=value', found {self.found()}")
        self.pos = match.end()
        return match[1]

    def at_integer(self) -> bool:
        """Whether an integer comes next."""
        self.skip()
        return _INTEGER.match(self.text, self.pos) is not None

    def integer(self, what: str = "an integer") -> int:
        """Read an integer of 64 bits."""
        self.skip()
        match = _INTEGER.match(self.text, self.pos)
        if match is None:
            self.error(f"expected {what}, found {self.found()}")
        if len(match[0]) > 20 or not -(2**63) <= (value := int(match[0])) < 2**63:
            self.error("an integer of more than 64 bits")
        self.pos = match.end()
        return value

    def string(self, what: str) -> str:
        """Read a text in quotes."""
        self.skip()
        match = _STRING.match(self.text, self.pos)
        if match is None:
            self.error(f"expected {what} in quotes, found {self.found()}")
        self.pos = match.end()
        return unescape(match[1] if match[1] is not None else match[2])

    def skip_group(self) -> None:
        """Go past the bracket that closes the one here, which must be an opening one."""
        start = self.pos
        expected: list[str] = []
        for match in self._brackets_and_strings(start):
            mark = match[0]
            if mark in _CLOSING:
                expected.append(_CLOSING[mark])
            elif mark[0] == '"':
                if len(mark) == 1 or mark[-1] != '"':
                    self.error("a text in quotes is never closed", match.start())
            else:
                if mark != expected.pop():
                    self.error(f"'{mark}' does not close '{self.text[start]}' of {self.place(start)}", match.start())
                if not expected:
                    self.pos = match.end()
                    return
        self.error(f"'{self.text[start]}' is never closed", start)

    def _brackets_and_strings(self, start: int) -> Iterator[re.Match[str]]:
        """Brackets, and texts in double quotes. Those in single quotes are passed over, and so is a single quote that
        is never closed: none behind it, up to the end of what it might have held, is closed either.
        """
        apostrophes_until = position = start
        while True:
            pattern = _BRACKET_OR_DOUBLE_QUOTE if position < apostrophes_until else _BRACKET_OR_STRING
            match = pattern.search(self.text, position)
            if match is None:
                return
            mark = match[0]
            position = match.end()
            if mark[0] != "'":
                yield match
            elif len(mark) == 1 or mark[-1] != "'":
                apostrophes_until = position
                position = match.start() + 1

    def place(self, pos: int) -> str:
        """`line 3, column 7`"""
        line, column = self.line_and_column(pos)
        return f"line {line}, column {column}"

    def skip_value(self) -> None:
        """Go past the value of an attribute: words, texts and groups without white space between them."""
        self.skip()
        text = self.text
        while self.pos < len(text):
            char = text[self.pos]
            if char in _CLOSING:
                self.skip_group()
            elif char in "\"'":
                self.string("a value")
            elif match := _ATOM.match(text, self.pos):
                self.pos = match.end()
            else:
                return


def unescape(text: str) -> str:
    """A quoted text without its escapes, which are those of C."""
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        octal, hexadecimal, char = match.groups()
        if char is not None:
            return _ESCAPED.get(char, char)
        return chr(int(octal, 8) & 0xFF if octal else int(hexadecimal, 16))

    return _ESCAPE.sub(replace, text)


def escape(text: str) -> str:
    """`text` as it stands between quotes."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
