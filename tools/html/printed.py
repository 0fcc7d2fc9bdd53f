"""A module as lines of text, and the line on which each op begins."""

from __future__ import annotations

from bisect import bisect_right
from io import StringIO
from typing import IO, NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import walk
from ...dialects.printing import ExactPrinter

MOST_ELEMENTS = 32
"""Constants of more elements are printed without them, as by MLIR's `--mlir-elide-elementsattrs-if-larger`."""

MOST_CHARACTERS = 2000
"""Longer lines are cut: nobody reads them, and a table of constants would be most of the page."""


Texts = dict[int, tuple[Attribute, str]]
"""By `id` of an attribute, which stays alive here, its text: most of the time of printing goes into types."""


class Printed(NamedTuple):
    """What is shown of a module."""

    lines: list[str]
    line_of: dict[Operation, int]
    """By op, from 0; ops that are written inside others share their lines."""


class _LinePrinter(ExactPrinter):
    """Notes where ops begin, calls values by given names, and leaves out the elements of large constants."""

    most_elements = MOST_ELEMENTS

    def __init__(self, stream: IO[str], names: dict[SSAValue, str], known: Texts) -> None:
        super().__init__(stream)
        self._ssa_values.update(names)
        self.known = known
        self.starts: list[tuple[Operation, int]] = []

    def print_op(self, op: Operation) -> None:
        assert self.stream is not None
        self.starts.append((op, self.stream.tell()))
        super().print_op(op)

    def print_attribute(self, attribute: Attribute) -> None:
        known = self.known.get(id(attribute))
        if known is None:
            stream, self.stream = self.stream, StringIO()
            super().print_attribute(attribute)
            known = self.known[id(attribute)] = attribute, self.stream.getvalue()
            self.stream = stream
        self.print_string(known[1])


def printed(module: ModuleOp, names: dict[SSAValue, str], known: Texts) -> Printed:
    """The text of `module` with values called by `names`. `known` receives the texts of attributes."""
    stream = StringIO()
    printer = _LinePrinter(stream, names, known)
    printer.print_op(module)
    text = stream.getvalue()
    ends = [-1]
    while (end := text.find("\n", ends[-1] + 1)) >= 0:
        ends.append(end)
    lines = [line if len(line) <= MOST_CHARACTERS else f"{line[:MOST_CHARACTERS]} ..." for line in text.split("\n")]
    line_of = {op: bisect_right(ends, start - 1) - 1 for op, start in printer.starts}
    for op in walk(module):
        if op not in line_of:  # such as the body of a reduction that is written in short
            line_of[op] = line_of[cast(Operation, op.parent_op())]
    return Printed(lines, line_of)
