"""Compiling a program of n times the size takes n times the work, and no deeper stack: calls of functions are counted,
not time.
"""

from __future__ import annotations

import gc
import math
import sys
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import StringIO
from types import FrameType
from typing import Any

import pytest
from xdsl_xla import compile
from xdsl_xla.benchmarks.growing_programs import PROGRAMS, Program, nested_loops
from xdsl_xla.decisions.llvm import LlvmTiers
from xdsl_xla.dialects.editing import discard
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.lowering.llvm_to_text.parts import emit_parts
from xdsl_xla.runtime.entry import open_entry
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module

FEWEST = 0.02
"""A step that does less than this share of all work may grow faster: its sums are small and have jumps."""

STEP_EXPONENT, TOTAL_EXPONENT = 1.2, 1.1

SIZES = {
    "nested loops": (40, 160),
    "convolutions": (20, 80),
    "layers": (20, 80),
    "scans": (40, 160),
    "constants": (260, 780),
    "elementwise chains": (200, 600),
}
"""How many parts the programs have; others `USUAL`: the first ones are more than a kernel has members, and those of
chains make several kernels of one form, which are compared."""

USUAL = (70, 210)

MOST_FRAMES = 250
"""How much deeper the stack may get than it is in the test."""


class Uncounted:
    """For compilations of which only is asked that they end."""

    def counted(self, step: str) -> AbstractContextManager[None]:
        return nullcontext()


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


def compile_in_steps(text: str, work: Work | Uncounted, pipeline: str = "xla-cpu") -> None:
    """All that is done to a program up to LLVM's parser."""

    def steps(name: str, action: Callable[[], Any]) -> Any:
        with work.counted(name):
            return action()

    context = new_context()
    module = steps("parse", lambda: parse_module(text, "<text>", context))
    steps("verify", lambda: verify_module(module))
    steps("print", lambda: ExactPrinter(StringIO()).print_op(module))
    steps("signature", lambda: open_entry(module))
    for number, each in enumerate(parse_passes(pipeline, defaults={"threads": (2,)})):
        steps(f"{number} {each.name}", lambda each=each: each.apply(context, module))
    steps("llvm-emit", lambda: list(emit_parts(module, 2, LlvmTiers())))
    steps("discard", lambda: discard(module))


def exponents(program: Program, sizes: tuple[int, int]) -> tuple[float, dict[str, float]]:
    """How the whole work grows from one size to the next, and that of the steps that are much of it. What a program of
    a few parts costs is not counted.
    """
    compile_in_steps(program(4), Uncounted())  # what is looked up once in the life of a process
    few, small, large = (_work(program(size)) for size in (4, *sizes))

    def exponent(of: Callable[[Counter[str]], int]) -> float:
        growth = (of(large) - of(few)) / max(1, of(small) - of(few))
        return math.log(max(1, growth)) / math.log((sizes[1] - 4) / (sizes[0] - 4))

    steps = [step for step, calls in large.items() if calls > FEWEST * large.total()]
    return exponent(lambda work: work.total()), {step: exponent(lambda work, step=step: work[step]) for step in steps}


def _work(text: str) -> Counter[str]:
    """Without what the garbage of other tests does when it is collected."""
    work = Work()
    gc.collect()
    gc.disable()
    try:
        compile_in_steps(text, work)
    finally:
        gc.enable()
    return work.calls


ALL = [(direction, program) for direction, programs in PROGRAMS.items() for program in programs]
NAMES = [program.__name__ for _, program in ALL]


def test_there_are_fourteen_directions() -> None:
    assert len(PROGRAMS) == 14


@pytest.mark.sample(1)
@pytest.mark.parametrize(("direction", "program"), ALL, ids=NAMES)
def test_no_step_grows_faster_than_the_program(direction: str, program: Program) -> None:
    total, steps = exponents(program, SIZES.get(direction, USUAL))
    assert total <= TOTAL_EXPONENT
    assert {step: exponent for step, exponent in steps.items() if exponent > STEP_EXPONENT} == {}


LONG = [program for direction, program in ALL if direction not in SIZES]


@pytest.mark.sample(2)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("program", LONG, ids=[program.__name__ for program in LONG])
def test_no_step_recurses_by_the_length_of_a_program(program: Program, pipeline: str) -> None:
    compile_in_steps(program(4), Uncounted(), pipeline)  # imports nest deeply
    limit, frame = sys.getrecursionlimit(), sys._getframe()  # pyright: ignore[reportPrivateUsage]
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + MOST_FRAMES)
    try:
        compile_in_steps(program(MOST_FRAMES + 100), Uncounted(), pipeline)
    finally:
        sys.setrecursionlimit(limit)


def test_loops_in_each_other_become_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_CACHE", "0")
    assert compile(nested_loops(240), threads=2).timings["llvm-generate-code"] > 0
