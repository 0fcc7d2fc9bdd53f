"""The measurements there are, what each may give, and how they are run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from ...errors import UnsupportedError
from . import complex_functions, real_functions
from .formats import REAL_FORMATS
from .measurement import Measurement, measure, measure_complex
from .real_functions import Limit

TYPES = (*REAL_FORMATS, *complex_functions.FORMATS)
FUNCTIONS = tuple(sorted({*real_functions.FUNCTIONS, *complex_functions.FUNCTIONS}))

ULPS = 4.0
"""What functions of f32, f64 and complex numbers may be off; complex ones in units of the absolute value."""

NARROW_ULPS = 1.0
"""What functions of f16 and bf16 may be off."""

COMPLEX_SHARE = 0.25
"""The part of the samples that a function of complex numbers gets, each of which takes longer."""


class Task(NamedTuple):
    """One function in one type on one engine."""

    function: str
    type: str
    engine: str

    @property
    def is_complex(self) -> bool:
        return self.type in complex_functions.FORMATS

    @property
    def limit(self) -> Limit:
        """The greatest error that is not a failure."""
        functions = complex_functions.FUNCTIONS if self.is_complex else real_functions.FUNCTIONS
        found = functions[self.function].limits.get(self.type)
        return found or Limit(NARROW_ULPS if self.type in ("f16", "bf16") else ULPS, "")


class Outcome(NamedTuple):
    """A measurement, or why there is none."""

    task: Task
    measurement: Measurement | None
    reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether the error is too great or a special value wrong."""
        found = self.measurement
        return found is not None and (found.worst[0] > self.task.limit.ulps or found.wrong_count > 0)


def tasks(functions: Iterable[str], types: Sequence[str], engines: Sequence[str]) -> list[Task]:
    """All there are of the given functions, types and engines."""
    found: list[Task] = []
    for engine in engines:
        for name in functions:
            for type in types:
                known = complex_functions.FUNCTIONS if type in complex_functions.FORMATS else real_functions.FUNCTIONS
                if name in known:
                    found.append(Task(name, type, engine))
    return found


def run(task: Task, samples: int, seed: int) -> Outcome:
    """Measures one function on about `samples` samples."""
    try:
        if task.is_complex:
            function = complex_functions.FUNCTIONS[task.function]
            count = int(samples * COMPLEX_SHARE)
            return Outcome(task, measure_complex(function, task.type, count, seed, task.engine))
        function = real_functions.FUNCTIONS[task.function]
        return Outcome(task, measure(function, REAL_FORMATS[task.type], samples, seed, task.engine))
    except UnsupportedError as error:
        return Outcome(task, None, error.message)


def run_all(work: Sequence[Task], samples: int, seed: int, jobs: int) -> Iterator[Outcome]:
    """The outcomes in the order of `work`, computed by `jobs` processes."""
    if jobs == 1:
        yield from (run(task, samples, seed) for task in work)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(run, work, [samples] * len(work), [seed] * len(work))


def report_progress(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The same, with a line on stderr for each."""
    for outcome in outcomes:
        task, found = outcome.task, outcome.measurement
        text = outcome.reason if found is None else f"{found.worst[0]:.3f} ulp at {found.at}"
        mark = "  FAILED " + "; ".join(found.wrong if found else ()) if outcome.failed else ""
        print(f"{task.engine:9} {task.function:21} {task.type:10} {text}{mark}", file=sys.stderr, flush=True)
        yield outcome
