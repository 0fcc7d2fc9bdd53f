"""How a random program is run, on both engines: its pipeline, its threads, its grid, and what it is given for good."""

from __future__ import annotations

import math
import threading
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..decisions.denormals import DEFAULT, FLUSH, PRESERVE, Denormals
from ..errors import UnsupportedError
from ..reference import interpreter
from ..reference.environment import Environment
from ..runtime.compiler import compile
from ..runtime.executable import Executable
from ..runtime.grid import run_grid
from ..runtime.pass_manager import parse_passes
from .builder_transcription import is_transcribable, transcribed
from .comparison import EXACT, Tolerance, compare, default_tolerance
from .differential import Subject
from .program_generator import Program
from .random_programs.known import FLUSHED

Array = np.ndarray

PIPELINES = ("xla-cpu", "xla-cpu", "xla-cpu", "xla-cpu-O0")
"""Pipelines the programs take in turn."""

DRAWN = "xla-cpu-drawn"
"""The one with random schedules, others for each program."""

MOST_THREADS = 4
"""Programs take 1 to this many threads in turn, each number with each pipeline."""

BUILDER_TURN = 3
"""Every so manieth program is said with the builder first."""

PRESERVING_TURN = 5
"""Every so manieth program preserves subnormal numbers."""

ROUNDS = 10
"""How often each program runs beside others."""


class Setting(NamedTuple):
    """How a program is compiled and called."""

    pipeline: str
    threads: int
    grid: tuple[int, int] = (1, 1)
    donates: bool = False
    builder: bool = False
    """Whether native code is compiled from what `XlaBuilder` makes of the program."""
    denormals: Denormals = DEFAULT
    """What becomes of subnormal numbers."""

    @staticmethod
    def of(seed: int, pipeline: str | None, threads: int | None) -> Setting:
        """That of program `seed`, for one process; what is given wins."""
        if pipeline == DRAWN:
            pipeline = f"{DRAWN}{{seed={seed}}}"
        turn = seed // len(PIPELINES) % MOST_THREADS
        builder = seed % BUILDER_TURN == 0
        denormals = PRESERVE if seed % PRESERVING_TURN == 0 else FLUSH
        pipeline = pipeline or PIPELINES[seed % len(PIPELINES)]
        return Setting(pipeline, threads or turn + 1, builder=builder, denormals=denormals)

    def for_program(self, program: Program) -> Setting:
        return self._replace(grid=program.grid, donates=program.donates)

    def compile(self, subject: Subject) -> Executable:
        """Raises UnsupportedError."""
        replicas, partitions = self.grid
        module, entry = subject.module, subject.signature.entry
        if self.builder and is_transcribable(module):
            module, entry = transcribed(module, entry), "main"
        return compile(
            module,
            threads=self.threads,
            pipeline=self.pipeline,
            entry=entry,
            replicas=replicas,
            partitions=partitions,
            donate=self.donates,
            denormals=self.denormals,
            cache=False,
        )


Rows = Sequence[Sequence[Sequence[Array]]]
"""Arguments or results of each process, by replica and partition."""


def native_results(executable: Executable, rows: Rows) -> list[Sequence[Array]]:
    """The results of each process; the arguments stay as they are, also where they are given away."""
    given = [[[array.copy() for array in values] for values in row] for row in rows]
    if executable.grid == (1, 1):
        return [executable(*given[0][0])]
    return [values for row in run_grid(executable, given, Environment()) for values in row]


def reference_results(subject: Subject, rows: Rows) -> list[Sequence[Array]]:
    """What the reference gives for each process; chlo is decomposed where it has no meaning of its own."""
    if len(rows) == len(rows[0]) == 1:
        return [subject.reference(rows[0][0])]
    module, names = subject.module, [[subject.signature.entry] * len(row) for row in rows]
    try:
        results = interpreter.run_grid(module, names, rows, Environment(denormals=subject.denormals))
    except UnsupportedError:
        module = module.clone()
        for module_pass in parse_passes("chlo-legalize-to-stablehlo"):
            module_pass.apply(subject.context, module)
        results = interpreter.run_grid(module, names, rows, Environment(denormals=subject.denormals))
    return [values for row in results for values in row]


_SINGLE, _DOUBLE = (float(np.finfo(dtype).smallest_normal) for dtype in (np.float32, np.float64))

_LEAST_NORMAL = {
    "bfloat16": _SINGLE,
    "float32": _SINGLE,
    "complex64": 2 * _SINGLE,
    "float64": _DOUBLE,
    "complex128": 2 * _DOUBLE,
}
"""More than flushing takes from an element of the types that are flushed, from a complex one in both of its parts."""


# -- what is wrong -----------------------------------------------------------------------------------------------


def tolerance_of(dtype: np.dtype, error: float | None, denormals: Denormals = DEFAULT) -> Tolerance:
    """None at all for results without rounding; else that of the type, with the error the result may carry if more."""
    tolerance = default_tolerance(dtype)
    if error is None or tolerance == EXACT:
        return EXACT
    if error == FLUSHED:
        return Tolerance(0, _LEAST_NORMAL.get(dtype.name, 0.0)) if denormals == FLUSH else EXACT
    return Tolerance(tolerance.relative, max(tolerance.absolute, error))


def wrong_outputs(
    subject: Subject, program: Program, errors: Sequence[float | None], setting: Setting
) -> tuple[list[str], Executable]:
    """The outputs of native code outside their tolerance, and that code."""
    executable = setting.compile(subject)
    pairs = zip(native_results(executable, program.rows), reference_results(subject, program.rows), strict=True)
    found: list[str] = []
    for process, (got, wanted) in enumerate(pairs):
        where = f" of process {process}" if setting.grid != (1, 1) else ""
        for index, (a, b, error) in enumerate(zip(got, wanted, errors, strict=True)):
            if error == math.inf:
                continue
            if mismatch := compare(a, b, tolerance_of(a.dtype, error, setting.denormals)):
                found.append(f"out{index}{where} ({subject.signature.outputs[index]}) {mismatch}")
    return found, executable


def describe_exception(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {error}"


def symptom(subject: Subject, program: Program, errors: Sequence[float | None], setting: Setting) -> str | None:
    """What is wrong with the program, None if nothing is. Raises UnsupportedError."""
    try:
        return "\n".join(wrong_outputs(subject, program, errors, setting)[0]) or None
    except UnsupportedError:
        raise
    except Exception as error:
        return describe_exception(error)


# -- beside one another ------------------------------------------------------------------------------------------


@dataclass
class Running:
    """A program that gave the right results, to be run beside others."""

    seed: int
    executable: Executable
    rows: Rows
    results: list[Sequence[Array]]

    def problem(self) -> str | None:
        """What is wrong with its results, if they are not bit for bit those of before."""
        for _ in range(ROUNDS):
            for process, (got, wanted) in enumerate(
                zip(native_results(self.executable, self.rows), self.results, strict=True)
            ):
                for index, (a, b) in enumerate(zip(got, wanted, strict=True)):
                    if a.shape != b.shape or a.tobytes() != b.tobytes():
                        return f"out{index} of process {process} differs from that of a program alone"
        return None


def run_beside(programs: Sequence[Running]) -> tuple[int, str] | None:
    """Run each program several times on a thread of its own, all at once; the seed of one that goes wrong, and how."""
    problems: list[tuple[int, str]] = []

    def run(program: Running) -> None:
        try:
            problem = program.problem()
        except Exception as error:
            problem = describe_exception(error)
        if problem is not None:
            problems.append((program.seed, problem))

    threads = [threading.Thread(target=run, args=(program,)) for program in programs for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return min(problems, default=None)
