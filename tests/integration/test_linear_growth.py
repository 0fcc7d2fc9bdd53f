"""Compiling a program of n times the size takes n times the work, and no deeper stack: calls of functions are counted,
not time.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from xdsl_xla.dialects.editing import discard
from xdsl_xla.dialects.faster_xdsl import faster_xdsl
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.frontends.hlo_text.printing import print_hlo
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.runtime.entry import isolate_entry, read_signature, resolve_entry
from xdsl_xla.runtime.llvm_partition import partition
from xdsl_xla.runtime.mlir_text import new_context, parse_module, verify_module
from xdsl_xla.runtime.pass_manager import parse_passes

from .growing_programs import PROGRAMS, Program

FEWEST = 0.01
"""A step that does less than this share of all work may grow faster: its sums are small and have jumps."""

STEP_EXPONENT, TOTAL_EXPONENT = 1.15, 1.1
"""n log n from 64 to 256 parts is an exponent of 1.2 at most; what is counted includes parts that do not grow."""

SIZES = {"nested loops": (6, 12, 24), "convolutions": (20, 40, 80), "layers": (20, 40, 80)}
"""How many parts the programs have; others `USUAL`. The first ones are so many that limits of kernels are reached."""

USUAL = (70, 140, 280)

MOST_FRAMES = 120
"""How much deeper the stack may get than it is in the test."""


class Work:
    """Counts the calls of Python functions and of those in C, by step."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._step = ""

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` calls."""
        if event in {"call", "c_call"}:
            self.calls[self._step] += 1

    @contextmanager
    def counted(self, step: str) -> Generator[None]:
        """Counts what is called meanwhile."""
        self._step = step
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)


class Silent:
    """A file that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)


@faster_xdsl()
def compile_in_steps(text: str, work: Work, pipeline: str = "xla-cpu") -> None:
    """All that is done to a program up to LLVM's parser."""

    def steps(name: str, action: Callable[[], Any]) -> Any:
        with work.counted(name):
            return action()

    context = new_context()
    module = steps("parse", lambda: parse_module(text, "<text>", context))
    steps("verify", lambda: verify_module(module))
    steps("print", lambda: ExactPrinter(Silent()).print_op(module))
    entry = resolve_entry(module, None)
    steps("signature", lambda: (read_signature(entry), isolate_entry(module, entry)))
    for number, each in enumerate(parse_passes(pipeline, defaults={"threads": (2,)})):
        steps(f"{number} {each.name}", lambda each=each: each.apply(context, module))
    code = steps("llvm-emit", lambda: emit(module))
    steps("llvm-partition", lambda: partition(code, 2))
    steps("discard", lambda: discard(module))


def exponents(program: Program, sizes: tuple[int, int, int]) -> tuple[float, dict[str, float]]:
    """How the whole work grows from one size to the next, and that of the steps that are much of it: what is added
    from the second to the third size, against what is added from the first to the second.
    """
    compile_in_steps(program(4), Work())
    counts: list[Counter[str]] = []
    for size in sizes:
        work = Work()
        compile_in_steps(program(size), work)
        counts.append(work.calls)
    total = [count.total() for count in counts]
    large = [step for step, calls in counts[2].items() if calls > FEWEST * total[2]]
    return _exponent(*total), {step: _exponent(*(count[step] for count in counts)) for step in large}


def _exponent(first: int, second: int, third: int) -> float:
    if third <= second:
        return 0
    return math.log2(third / second) if second <= first else math.log2((third - second) / (second - first))


ALL = [(direction, program) for direction, programs in PROGRAMS.items() for program in programs]
NAMES = [program.__name__ for _, program in ALL]


def test_there_are_fourteen_directions() -> None:
    assert len(PROGRAMS) == 14
