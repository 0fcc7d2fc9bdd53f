"""What an editor is told about a file: its chunks between `// -----`, what they say and what is wrong with them.

A chunk is read as far as it can be: after an error the function around it is left out, so that those behind it have
their diagnostics too. The verifier looks at chunks without such errors, and names every op that it refuses.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from ...errors import InvalidProgramError, XlaError
from ...interruptions import is_interruption
from ...nesting import with_deep_stack
from ...properties import cached_property
from ...runtime.formats import format_of
from ...runtime.program_context import new_context
from ...runtime.schedule_texts import SUFFIX
from ...runtime.verifying import verify_module
from .positions import Lines
from .recording import Name, OpText, Problem, Recording, record

SEPARATOR = re.compile(r"^[ \t]*// -----[^\n]*\n?", re.MULTILINE)

MOST_PROBLEMS = 100
"""Of a file; what comes after so many is not looked for."""

MOST_BROKEN = 20
"""Functions of a chunk that are left out one after the other, until the rest can be read."""

_FUNCTION = re.compile(r'^[ \t]*"?func\.func\b', re.MULTILINE)
_UNREGISTERED = re.compile(r"allow-unregistered-dialect")
_ALIAS = re.compile(r"^[#!]", re.MULTILINE)
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|[{}]')
_SYMBOL = re.compile(r'@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")|"(?:[^"\\\n]|\\.)*"|//[^\n]*')
"""The name of a symbol; or a text in quotes or a comment, in which there are none."""


@dataclass
class Chunk:
    """A program of a file: its text begins at `start` of the file, all other offsets are in `text`."""

    text: str
    start: int
    problems: list[Problem] = field(default_factory=list[Problem])
    names: list[Name] = field(default_factory=list[Name])
    ops: list[OpText] = field(default_factory=list[OpText])
    module: ModuleOp | None = None
    """None if not all of the text can be read."""
    recordings: list[Recording] = field(default_factory=list[Recording])

    def meaning(self, name: Name) -> object:
        """The value or block that is meant."""
        for recording in self.recordings:
            if (found := recording.value(name.meaning)) is not name.meaning:
                return found
        return name.meaning

    @cached_property
    def op_texts(self) -> dict[Operation, OpText]:
        return {text.op: text for text in self.ops}

    @cached_property
    def symbols(self) -> list[re.Match[str]]:
        """All names of symbols in the text, those in comments and quotes left out."""
        return [match for match in _SYMBOL.finditer(self.text) if match[0][0] == "@"]

    def symbol_definitions(self) -> Iterator[tuple[OpText, re.Match[str]]]:
        """The ops that have a name as a symbol, and where that stands."""
        symbols = self.symbols
        for text in self.ops:
            if (name := symbol_name(text.op)) is None:
                continue
            for index in range(bisect_left(symbols, text.name_end, key=re.Match[str].start), len(symbols)):
                match = symbols[index]
                if match.start() >= text.end:
                    break
                if match[0][1:].strip('"') == name:
                    yield text, match
                    break


def symbol_name(op: Operation) -> str | None:
    """What `op` is called as a symbol."""
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else None


@dataclass
class Analysis:
    """A file as it is now."""

    lines: Lines
    chunks: list[Chunk]

    def problems(self) -> Iterator[Problem]:
        """What is wrong, with offsets in the file."""
        for chunk in self.chunks:
            for problem in chunk.problems:
                yield Problem(problem.start + chunk.start, problem.end + chunk.start, problem.message)

    def chunk_at(self, offset: int) -> Chunk:
        """The program that the place is in."""
        return next((chunk for chunk in reversed(self.chunks) if chunk.start <= offset), self.chunks[0])


def analyze(text: str, filename: str, known: Analysis | None = None, encoding: str = "utf-16") -> Analysis:
    """Read a file again; chunks that `known` has with the same text are not. `encoding` is that of its columns."""
    before = {chunk.text: chunk for chunk in known.chunks} if known is not None else {}
    chunks: list[Chunk] = []
    for start, part in _chunks(text, filename):
        old = before.pop(part, None)
        if old is not None:
            old.start = start
        chunks.append(old or _analyzed(Chunk(part, start), filename))
    return Analysis(Lines(text, encoding), chunks)


def _chunks(text: str, filename: str) -> Iterator[tuple[int, str]]:
    start = 0
    if not _is_other_form(text, filename):
        for match in SEPARATOR.finditer(text):
            yield start, text[start : match.start()]
            start = match.end()
    yield start, text[start:]


def _is_other_form(text: str, filename: str) -> bool:
    """Whether the text is not of MLIR: HLO, or schedules."""
    return filename.endswith(SUFFIX) or format_of(text.encode("utf-8", "surrogatepass"), filename) is not None


def _analyzed(chunk: Chunk, filename: str) -> Chunk:
    """Read and verify a chunk; a defect of the reader is a problem of its first line."""
    if not chunk.text.strip():
        return chunk
    try:
        if _is_other_form(chunk.text, filename):
            _read_other_form(chunk, filename)
        elif _has_program(chunk.text):
            _read(chunk, filename)
    except Exception as error:
        if is_interruption(error):
            raise
        chunk.problems.append(Problem(0, 1, f"xla-lsp fails here: {type(error).__name__}: {error}"))
    return chunk


def _has_program(text: str) -> bool:
    """Whether there is more than comments."""
    return bool(re.sub(r"//[^\n]*", "", text).strip())


def _read(chunk: Chunk, filename: str) -> None:
    text = chunk.text
    unregistered = _UNREGISTERED.search(text) is not None
    for _ in range(MOST_BROKEN):
        recording = record(text, filename, new_context(allow_unregistered=unregistered))
        chunk.recordings.append(recording)
        problem = recording.problem
        if problem is None or recording.undefined:
            chunk.problems += sorted(recording.undefined, key=lambda each: each.start)[:MOST_PROBLEMS]
            chunk.names += recording.names
            chunk.ops += recording.ops
            break
        chunk.problems.append(problem)
        start, end = _read_so_far(text, problem.start) or (0, len(text))
        chunk.names += [name for name in recording.names if start <= name.start < end]
        chunk.ops += [op for op in recording.ops if start <= op.start < end]
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        if not _has_program(text):
            break
    if not chunk.problems:
        chunk.module = chunk.recordings[-1].module
        _verify(chunk)


def _read_so_far(text: str, position: int) -> tuple[int, int] | None:
    """The function around `position`, and what is in front of it down from the first function, which need not be read
    again, unless names for attributes and types are defined there.
    """
    broken, first = _around(text, position), _FUNCTION.search(text)
    if broken is None or first is None or _ALIAS.search(text, first.start(), broken[0]):
        return broken
    return first.start(), broken[1]


def _around(text: str, position: int) -> tuple[int, int] | None:
    """The function that is around or in front of `position`, up to its closing brace or to the next function."""
    starts = [match.start() for match in _FUNCTION.finditer(text)]
    before = [start for start in starts if start <= position]
    if not before:
        return None
    start = before[-1]
    next_start = next((other for other in starts if other > start), len(text))
    depth = 0
    for match in _BRACKET.finditer(text, start, next_start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0 and match.end() > position:
                return start, match.end()
            if depth < 0:  # that of the module around it
                return start, match.start()
    return start, next_start


def _verify(chunk: Chunk) -> None:
    module = chunk.module
    assert module is not None
    try:
        verify_module(module)
    except InvalidProgramError as error:
        found = with_deep_stack(lambda: list(_refused(module)))
        if not found:
            chunk.problems.append(_located(error, chunk.text))
        for op, message in found[:MOST_PROBLEMS]:
            text = chunk.op_texts.get(op)
            start, end = (0, 1) if text is None else (text.name_start, text.name_end)
            chunk.problems.append(Problem(start, end, f"'{op.name}' op: {message}"))


def _refused(op: Operation) -> Iterator[tuple[Operation, str]]:
    """All ops in `op`, and itself, that do not verify, and why."""
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                yield from _refused(child)
    try:
        op.verify_()
        op.verify(verify_nested_ops=False)
    except Exception as error:  # xDSL's verifiers raise any kind
        if is_interruption(error):
            raise
        yield op, " ".join(str(error).split()) or type(error).__name__


def _read_other_form(chunk: Chunk, filename: str) -> None:
    data = chunk.text.encode("utf-8", "surrogatepass")
    try:
        if filename.endswith(SUFFIX):
            from ...ir.schedule_files import parse_entries

            parse_entries(chunk.text, filename)
            return
        form = format_of(data, filename)
        assert form is not None
        verify_module(form.read(data, filename))
    except XlaError as error:
        chunk.problems.append(_located(error, chunk.text))


def _located(error: XlaError, text: str) -> Problem:
    """An error at its line and column, as long as the word there."""
    match = re.fullmatch(r".*?:(\d+):(\d+)", error.location or "", re.DOTALL)
    message = error.message.split("\n  ")[0]
    if match is None:
        return Problem(0, 1, message)
    lines = text.split("\n")
    line = min(int(match[1]), len(lines)) - 1
    start = sum(len(before) + 1 for before in lines[:line]) + int(match[2]) - 1
    word = re.compile(r"[\w.$%@#-]+").match(text, start)
    return Problem(start, start + 1 if word is None else word.end(), message)


def is_mlir(filename: str, text: str) -> bool:
    """Whether there is more to say about a file than what is wrong with it."""
    return not _is_other_form(text, PurePath(filename).name)
