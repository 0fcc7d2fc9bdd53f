"""Below the llvm dialect: LLVM IR, the same optimised, and assembly, with the line that each line comes from.

LLVM is given the number of each line as debug information, and says of each instruction that it leaves which one it
comes from. What is shown is without it. Debug information does not change code: that is LLVM's promise.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...dialects.llvm_parts import Part
from ...lowering.llvm_to_text import emit
from ...lowering.llvm_to_text.instructions import INLINE
from ...lowering.llvm_to_text.parts import emit_parts
from ...lowering.llvm_to_text.text_of_types import symbol_text
from ...runtime.engine import parse
from ...runtime.llvm_pipeline import Options, optimizer
from ...runtime.target_machines import target_machine
from .printed import MOST_CHARACTERS

_DEFINITION = re.compile(r'define .*?(@(?:"[^"]*"|[\w.$-]+))\(')
_LABEL = re.compile(r"[\w.]+:")
_DEBUG = re.compile(r",? !dbg !(\d+)")
_NODE = re.compile(r"!(\d+) = ")
_LOCATION = re.compile(r"!(\d+) = (?:distinct )?!DILocation\(line: (\d+)")
_LINE_OF_DEBUG = re.compile(
    r"^!(?:llvm\.(?:dbg\.cu|module\.flags)\b|\d+ = (?:distinct )?!DI|\d+ = !{i32 \d+, !\"Debug)"
)
_LOC = re.compile(r"\s*\.loc\s+\d+\s+(\d+)")
_SECTION = re.compile(r"\s*\.(?:section|text|data|bss)\b")
_NOT_SHOWN = re.compile(r"\s*(?:\.file|\.cfi_|\.addrsig|\.ident|\.loc)|\.L(?:func_begin|func_end|tmp|debug)\w*:|\s*#\s")


class Text(NamedTuple):
    """Lines, and for each of them the lines of the text before that it comes from."""

    lines: list[str]
    sources: list[Sequence[int]]


class NativeTexts(NamedTuple):
    """The three texts, each traced to the one before, the first to the lines of the module; and the seconds that each
    took.
    """

    llvm: Text
    optimized: Text
    assembly: Text
    seconds: tuple[float, float, float]


def native_texts(module: ModuleOp, line_of: Mapping[Operation, int], model: CostModel, options: Options) -> NativeTexts:
    """What becomes of a module at level 6, whose ops stand on the lines `line_of`. Raises `XlaError`."""
    start = time.perf_counter()
    text = emit(module).split("\n")
    emitted = time.perf_counter() - start
    starts = _starts(text)
    sources: list[Sequence[int]] = [() for _ in text]
    for function in module.ops:
        if isinstance(function, llvm.FuncOp) and (line := starts.get(symbol_text(function.sym_name.data))) is not None:
            _trace_function(function, line, text, sources, line_of)
    parts = list(emit_parts(module, 1, model.llvm))
    optimized, assembly = Text([], []), Text([], [])
    optimizing = generating = 0.0
    for part in parts:
        seconds = _through_llvm(_with_lines(part, starts), part, options, optimized, assembly)
        optimizing, generating = optimizing + seconds[0], generating + seconds[1]
    shown = [line if len(line) <= MOST_CHARACTERS else f"{line[:MOST_CHARACTERS]} ..." for line in text]
    return NativeTexts(Text(shown, sources), optimized, assembly, (emitted, optimizing, generating))


def _starts(text: Sequence[str]) -> dict[str, int]:
    """By symbol the line on which its definition begins."""
    found = ((_DEFINITION.match(line), number) for number, line in enumerate(text))
    return {match[1]: number for match, number in found if match}


def _trace_function(
    function: llvm.FuncOp,
    start: int,
    text: Sequence[str],
    sources: list[Sequence[int]],
    line_of: Mapping[Operation, int],
) -> None:
    """`llvm_to_text` writes a line for each op, but for those whose text stands in others; labels, phis and the blocks
    behind a jump come in addition.
    """
    sources[start] = (line_of[function],)
    line = start + 1
    for block in function.body.blocks:
        line += 1
        while " = phi " in text[line]:
            line += 1
        for op in ops_of(block):
            if op.__class__ in INLINE:
                continue
            sources[line] = (line_of[op],)
            line += 1
        while (label := _LABEL.match(text[line])) and "." in label[0]:
            sources[line + 1] = sources[line - 1]
            line += 2


def _with_lines(part: Part, starts: Mapping[str, int]) -> str:
    """The text of `part` with debug information: each instruction is on its line of the whole text."""
    lines = part.text.split("\n")
    number = 1 + max((int(node[1]) for line in lines if (node := _NODE.match(line))), default=-1)
    unit, file, version, type = range(number, number + 4)
    nodes = [
        f"!llvm.dbg.cu = !{{!{unit}}}",
        f"!llvm.module.flags = !{{!{version}}}",
        f"!{unit} = distinct !DICompileUnit(language: DW_LANG_C, file: !{file}, emissionKind: LineTablesOnly)",
        f'!{file} = !DIFile(filename: "program.ll", directory: "/")',
        f'!{version} = !{{i32 2, !"Debug Info Version", i32 3}}',
        f"!{type} = !DISubroutineType(types: !{{}})",
    ]
    number += 4
    scope, line_number, is_inside = -1, 0, False
    for place, line in enumerate(lines):
        if match := _DEFINITION.match(line):
            is_inside = match[1] in starts
            if not is_inside:
                continue
            scope, line_number = number, starts[match[1]] + 1
            number += 1
            lines[place] = f"{line.removesuffix(' {')} !dbg !{scope} {{"
            nodes.append(
                f"!{scope} = distinct !DISubprogram(name: {_quoted(match[1])}, scope: !{file}, file: !{file},"
                f" line: {line_number}, type: !{type}, unit: !{unit}, spFlags: DISPFlagDefinition)"
            )
        elif line == "}":
            is_inside = False
        elif is_inside:
            line_number += 1
            if line.startswith("  "):
                nodes.append(f"!{number} = !DILocation(line: {line_number}, scope: !{scope})")
                lines[place] = f"{line}, !dbg !{number}"
                number += 1
    return "\n".join([*lines, *nodes, ""])


def _quoted(symbol: str) -> str:
    name = symbol.removeprefix("@")
    return name if name.startswith('"') else f'"{name}"'


def _through_llvm(text: str, part: Part, options: Options, optimized: Text, assembly: Text) -> tuple[float, float]:
    """Adds what LLVM makes of a part, as `runtime/engine.py` has it made. Seconds for optimising and for code."""
    from ...runtime.engine import llvm as binding

    start = time.perf_counter()
    module: Any = parse(text, binding.create_context())
    with target_machine(options.codegen_level(part.tier)) as machine:
        if (passes := optimizer(machine, part.tier, options)) is not None:
            passes.manager.run(module, passes.builder)
        optimizing = time.perf_counter() - start
        numbers = dict(_traced_llvm(str(module).split("\n"), optimized))
        start = time.perf_counter()
        code = machine.emit_assembly(module)
        generating = time.perf_counter() - start
        _trace_assembly(code.split("\n"), numbers, assembly)
    return optimizing, generating


def _traced_llvm(lines: Sequence[str], into: Text) -> Iterator[tuple[int, list[int]]]:
    """Adds the lines of an optimised module without debug information. By line of the text before those added."""
    locations = {match[1]: int(match[2]) - 1 for line in lines if (match := _LOCATION.match(line))}
    scopes = {
        match[1]: int(match[2]) - 1
        for line in lines
        if (match := re.match(r"!(\d+) = distinct !DISubprogram\(.*?line: (\d+)", line))
    }
    found: dict[int, list[int]] = {}
    for line in lines:
        if _LINE_OF_DEBUG.match(line):
            continue
        debug = _DEBUG.search(line)
        source = None if debug is None else locations.get(debug[1], scopes.get(debug[1]))
        if source is not None:
            found.setdefault(source, []).append(len(into.lines))
        into.sources.append(() if source is None else (source,))
        into.lines.append(_DEBUG.sub("", line))
    return iter(found.items())


def _trace_assembly(lines: Sequence[str], numbers: Mapping[int, Sequence[int]], into: Text) -> None:
    """Adds the lines of assembly that are no debug information. `numbers`: for each line of LLVM IR those of the
    optimised one, which are the sources.
    """
    source: Sequence[int] = ()
    is_debug = False
    for line in lines:
        if (location := _LOC.match(line)) is not None:
            source = numbers.get(int(location[1]) - 1, ())
            continue
        if _SECTION.match(line):
            is_debug = ".debug_" in line
        if is_debug or _NOT_SHOWN.match(line):
            continue
        is_instruction = line.startswith("\t") and not line.startswith("\t.")
        if line and not line[0].isspace() and not line.startswith("."):
            source = ()
        into.lines.append(line)
        into.sources.append(source if is_instruction else ())
