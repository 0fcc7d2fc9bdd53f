"""A file as `xla-opt` prints it, with its comments and blank lines.

Comments stay with the op that they stand before, or behind which they are on its line. What would be lost is a reason
not to touch a chunk: it does not parse, a comment stands where no op begins or ends, it names locations, or its text,
read back, would be another program.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.printing import ExactPrinter
from ...errors import XlaError
from ...nesting import with_deep_stack
from ...runtime.mlir_text import parse_module
from ...runtime.program_context import new_context
from .analysis import Analysis, Chunk
from .recording import OpText

_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|(//[^\n]*)')
_KEPT = re.compile(r"\bloc\(|^[ \t]*[#!]\w[\w$-]*[ \t]*=|\{-#", re.MULTILINE)
"""What the printer does not write: locations, definitions of aliases, data of resources."""


@dataclass
class _Trivia:
    """What stands before and behind an op besides the program."""

    before: list[str] = field(default_factory=list[str])
    """Comments, and empty texts for blank lines."""
    behind: str = ""
    """A comment on the line of its end."""
    after: list[str] = field(default_factory=list[str])
    """Comments between it and the brace that closes its region."""


class _CommentPrinter(ExactPrinter):
    """Prints the comments and blank lines around each op."""

    def __init__(self, stream: io.StringIO, trivia: dict[Operation, _Trivia]) -> None:
        super().__init__(stream)
        self._trivia = trivia

    def print_op(self, op: Operation) -> None:
        trivia = self._trivia.get(op)
        for line in trivia.before if trivia is not None else ():
            self.print_string(line)
            self._print_new_line()
        super().print_op(op)
        if trivia is not None and trivia.behind:
            self.print_string(f"  {trivia.behind}")
        for line in trivia.after if trivia is not None else ():
            self._print_new_line()
            self.print_string(line)


def formatted(analysis: Analysis) -> tuple[str, list[str]]:
    """The text of the file, and why chunks were left as they are, by the line they begin in."""
    parts: list[str] = []
    refusals: list[str] = []
    end = 0
    for chunk in analysis.chunks:
        parts.append(analysis.lines.text[end : chunk.start])
        end = chunk.start + len(chunk.text)
        text, refusal = _formatted_chunk(chunk)
        parts.append(text)
        if refusal:
            refusals.append(f"line {analysis.lines.place(chunk.start).line + 1}: {refusal}")
    return "".join(parts), refusals


def _formatted_chunk(chunk: Chunk) -> tuple[str, str]:
    text = chunk.text
    comments = [match for match in _COMMENT.finditer(text) if match[1]]
    if not text.strip() or (chunk.module is None and not chunk.problems):
        return text, ""
    if chunk.module is None or chunk.problems:
        return text, "it has errors"
    without_comments = _COMMENT.sub(lambda match: "" if match[1] else '""', text)
    if _KEPT.search(without_comments):
        return text, "it has locations, aliases or resources, which the printer does not write"
    module = chunk.module
    printed = with_deep_stack(lambda: _printed(chunk, module, comments))
    if [match[1].rstrip() for match in _COMMENT.finditer(printed) if match[1]] != [c[1].rstrip() for c in comments]:
        return text, "comments would be lost"
    if not _same(module, printed):
        return text, "printed and read back it is another program"
    lead = text[: len(text) - len(text.lstrip("\n"))]
    return f"{lead}{printed}\n", ""


def _printed(chunk: Chunk, module: ModuleOp, comments: Iterable[re.Match[str]]) -> str:
    trivia: dict[Operation, _Trivia] = defaultdict(_Trivia)
    by_start = sorted(chunk.ops, key=lambda text: (text.start, -text.end))
    last_lines: list[str] = []
    for comment in comments:
        _attach(chunk, by_start, comment, trivia, last_lines)
    for text in by_start:
        if _has_blank_line_before(chunk.text, text, trivia[text.op]):
            trivia[text.op].before.insert(0, "")
        if any(trivia[text.op].before) and _is_blank_line(chunk.text, chunk.text.rfind("\n", 0, text.start) + 1):
            trivia[text.op].before.append("")
    stream = io.StringIO()
    printer = _CommentPrinter(stream, dict(trivia))
    ops = [module] if module in chunk.op_texts else list(module.ops)
    for index, op in enumerate(ops):
        if index:
            stream.write("\n")
        printer.print_op(op)
    lines = [line.rstrip() for line in stream.getvalue().split("\n")]
    return "\n".join([*lines, *last_lines]).strip("\n")


def _attach(
    chunk: Chunk,
    ops: list[OpText],
    comment: re.Match[str],
    trivia: dict[Operation, _Trivia],
    last_lines: list[str],
) -> None:
    """Give a comment to the op that ends on its line, or to the next one. In the midst of an op it gets lost."""
    start = comment.start()
    line = chunk.text.rfind("\n", 0, start) + 1
    if chunk.text[line:start].strip():
        ended = [text for text in ops if line <= text.end <= start and not chunk.text[text.end : start].strip()]
        if ended:
            trivia[min(ended, key=lambda text: text.start).op].behind = comment[1].rstrip()
        return
    following = next((text for text in ops if text.start > start), None)
    around = min((text for text in ops if text.start < start < text.end), key=lambda t: t.end - t.start, default=None)
    limit = len(chunk.text) if around is None else around.end
    if following is None or following.start > limit:
        inside = [text for text in ops if text.end <= start and (around is None or text.start > around.start)]
        if around is None:
            last_lines.append(comment[1].rstrip())
        elif inside:
            trivia[max(inside, key=lambda text: (text.end, -text.start)).op].after.append(comment[1].rstrip())
    elif not chunk.text[line:start].strip():
        blank = _is_blank_line(chunk.text, line) and bool(trivia[following.op].before)
        trivia[following.op].before += ["", comment[1].rstrip()] if blank else [comment[1].rstrip()]


def _is_blank_line(text: str, line: int) -> bool:
    """Whether the line in front of the one that begins at `line` is blank."""
    return line > 0 and not text[text.rfind("\n", 0, line - 1) + 1 : line].strip()


def _has_blank_line_before(text: str, op: OpText, trivia: _Trivia) -> bool:
    """Whether a blank line stands in front of an op and its comments, and not only the beginning of the text."""
    line = text.rfind("\n", 0, op.start) + 1
    for _ in [comment for comment in trivia.before if comment]:
        line = text.rfind("\n", 0, line - 1) + 1
    return bool(text[:line].strip()) and _is_blank_line(text, line)


def _same(module: ModuleOp, text: str) -> bool:
    try:
        return module.is_structurally_equivalent(
            parse_module(text, "<formatted>", new_context(allow_unregistered=True))
        )
    except XlaError:
        return False
