"""Machine code with tables of lines, made when somebody reads them.

`compile(debug_info=True)` finds out which line each instruction of LLVM IR is from. LLVM takes a tenth longer where it
carries that through its passes, for code that is the same. So a program keeps its LLVM IR with lines, in files too, and
code with tables is made of it when `perf` or `gdb` are told of the program; at once where they are to be.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from ..dialects.llvm_parts import Part
from .compiled_program import CompiledProgram
from .engine import compile_objects
from .llvm_pipeline import Options, lines_only
from .threads import default_threads


def are_wanted_now() -> bool:
    """Whether whoever loads a program in this process tells `perf` or `gdb` of it (`perf.py`)."""
    return bool(os.environ.get("XDSL_XLA_PERF"))


def with_lines(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts that LLVM makes code with tables of."""
    lines_only()
    return (part.with_lines() for part in parts)


def noted(parts: Iterable[Part], into: list[Part]) -> Iterator[Part]:
    """The parts as they come, which `into` receives with lines."""
    for part in parts:
        into.append(part.with_lines())
        yield part


def located_objects(program: CompiledProgram) -> Sequence[bytes]:
    """The objects of a program with tables of lines, if these are known."""
    if program.located is None:
        return program.objects
    lines_only()
    return compile_objects(program.located.parts, Options(program.located.opt_level), default_threads())
