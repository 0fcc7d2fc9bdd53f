"""Debug information in LLVM IR text: which line each instruction is from.

A function of the program is a subprogram of the text that was read, at the line of the op it is named after. An
instruction is at the line of its op there; where the text says which functions of the user's program asked for the op,
these are inlined in that line, the innermost one last:

    %3 = fdiv float %1, %2, !dbg !9
    !4 = distinct !DISubprogram(name: "rows_0", file: !1, line: 9, ...)
    !7 = !DILocation(line: 12, column: 5, scope: !4)                        rows_0, model.mlir:12
    !8 = !DILocation(line: 10, column: 8, scope: !5, inlinedAt: !7)         layer, model.py:10
    !9 = !DILocation(line: 6, column: 11, scope: !6, inlinedAt: !8)         norm, model.py:6

Only tables of lines are asked for: neither types nor variables.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute

from ...dialects.source_lines import NOWHERE, Frame, Origin, origin_of
from .text_of_types import string_text

_TEXT = "<text>"
"""The file of what comes from nowhere."""


_FLAGS = ('!{i32 2, !"Debug Info Version", i32 3}', '!{i32 7, !"Dwarf Version", i32 4}')
"""Of the module: what to do where others differ, name, value. `runtime/line_tables.py` reads this version of DWARF."""


class DebugInfo:
    """The metadata of a text in LLVM IR. `node` numbers the next one."""

    def __init__(self, node: Callable[[], str]) -> None:
        self.node = node
        self.lines: dict[str, str] = {}
        """What functions share."""
        self._known: dict[str, str] = {}
        self._unit: str | None = None
        self._subprograms: dict[tuple[str, str], str] = {}

    def function(self, op: llvm.FuncOp) -> FunctionDebugInfo:
        """The subprogram that a function is."""
        origin = origin_of(op.location)
        place = origin.text or (origin.frames[-1] if origin.frames else Frame(None, _TEXT, 0, 0))
        return FunctionDebugInfo(self, self._subprogram(op.sym_name.data, place.file, place.line), origin)

    def _add(self, text: str) -> str:
        """The node that is written so."""
        node = self._known.get(text)
        if node is None:
            node = self._known[text] = self.node()
            self.lines[node] = f"{node} = {text}"
        return node

    def _file(self, file: str) -> str:
        folder, name = os.path.split(os.path.abspath(file) if os.path.exists(file) else file)
        return self._add(f"!DIFile(filename: {_quoted(name)}, directory: {_quoted(folder)})")

    def _unit_of(self, file: str) -> str:
        """The compile unit of all functions."""
        if self._unit is None:
            self._unit = self._add(
                f'distinct !DICompileUnit(language: DW_LANG_C, file: {self._file(file)}, producer: "xdsl-xla",'
                " isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)"
            )
            flags = map(self._add, _FLAGS)
            self.lines["!llvm.dbg.cu"] = f"!llvm.dbg.cu = !{{{self._unit}}}"
            self.lines["!llvm.module.flags"] = f"!llvm.module.flags = !{{{', '.join(flags)}}}"
        return self._unit

    def _subprogram(self, name: str, file: str, line: int) -> str:
        unit, where, type = self._unit_of(file), self._file(file), self._add("!DISubroutineType(types: !{})")
        return self._add(
            f"distinct !DISubprogram(name: {_quoted(name)}, scope: {where}, file: {where}, line: {line}, type: {type},"
            f" scopeLine: {line}, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: {unit})"
        )

    def user_function(self, frame: Frame, name: str | None) -> str:
        """The subprogram of a function of the user's program: where it begins is not known."""
        key = frame.function or name or "", frame.file
        if (found := self._subprograms.get(key)) is None:
            found = self._subprograms[key] = self._subprogram(*key, 0)
        return found


class FunctionDebugInfo:
    """The lines of the instructions of one function."""

    def __init__(self, debug_info: DebugInfo, subprogram: str, origin: Origin) -> None:
        self._debug_info = debug_info
        self.subprogram = subprogram
        """Its node."""
        self.ends: list[str] = []
        """What the lines of its text end with."""
        self.metadata: list[str] = []
        """Lines that it alone refers to."""
        self._location: Attribute | None = None
        """Of the instruction before."""
        self._known: dict[tuple[int, int, str, str], str] = {}
        self._nodes: dict[int, str] = {}
        self._last = self._place(origin)
        self._end = ""

    def come_to(self, lines: Sequence[str], location: Attribute) -> None:
        """The `lines` so far end with an instruction at `location`; one from nowhere is where the one before is."""
        if location is not self._location:
            self._location = location
            self._end = f", !dbg {self._node_of(location)}"
        new = len(lines) - len(self.ends)
        if new == 1:
            self.ends.append(self._end)
        else:  # with blocks behind a jump
            self.ends += ["" if line.endswith(":") else self._end for line in lines[-new:]]

    def _node_of(self, location: Attribute) -> str:
        if location.__class__ is not UnknownLoc:
            node = self._nodes.get(id(location))
            if node is None:
                origin = origin_of(location)
                node = self._nodes[id(location)] = self._last if origin == NOWHERE else self._place(origin)
            self._last = node
        return self._last

    def _place(self, origin: Origin) -> str:
        text = origin.text
        line, column = (0, 0) if text is None else (text.line, text.column)
        node = self._line(line, column, self.subprogram)
        for frame in reversed(origin.frames):
            scope = self._debug_info.user_function(frame, origin.name)
            node = self._line(frame.line, frame.column, scope, f", inlinedAt: {node}")
        return node

    def _line(self, line: int, column: int, scope: str, inlined_at: str = "") -> str:
        """A line in a subprogram."""
        key = line, column, scope, inlined_at
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._debug_info.node()
            place = f"line: {line}, column: {min(column, 0xFFFF)}, scope: {scope}{inlined_at}"
            self.metadata.append(f"{node} = !DILocation({place})")
        return node


def _quoted(text: str) -> str:
    return f'"{string_text(text.encode("utf-8", "surrogatepass"))}"'
