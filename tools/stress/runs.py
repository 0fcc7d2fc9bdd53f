"""The runs of a subject: on devices of this process, or of a job of MPI of which this is one process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...runtime.devices.mpi.library import mpi_library
from ...runtime.devices.mpi.run import local_devices, run_on_mpi
from ..reporting import describe
from .subject import Parts, Subject


class Outcome(NamedTuple):
    """Of the runs of a program."""

    runs: int
    seconds: float
    problem: str | None
    """Of the last run, if something is wrong with it."""


Runner = Callable[[Subject, float], dict[int, Parts]]
"""The results of the devices that are here, by number; the other argument is the time limit of an exchange."""


def in_process(subject: Subject, timeout: float) -> dict[int, Parts]:
    """All devices are here."""
    return dict(enumerate(subject.executable.with_collective_timeout(timeout).run_sharded(subject.arguments)))


def in_job(subject: Subject, timeout: float) -> dict[int, Parts]:
    """Some devices are here, or none."""
    local = local_devices(subject.executable.local, timeout)
    if not local:
        return {}
    arguments = [subject.arguments[device] for device in local]
    results = run_on_mpi(subject.executable.local, arguments, collective_timeout=timeout)
    return dict(zip(local, results, strict=True))


def rank_in_job() -> int:
    """The number of this process in its job."""
    library = mpi_library()
    return library.rank(library.world)


def run_times(subject: Subject, run: Runner, times: int, most_seconds: float, timeout: float) -> Outcome:
    """Run a subject so many times, or for so long; until something is wrong."""
    start = time.monotonic()
    done, problem = 0, ""
    while done < times and not problem and (done == 0 or time.monotonic() - start < most_seconds):
        done += 1
        try:
            problem = "; ".join(_problems(subject, run(subject, timeout)))
        except Exception as error:
            problem = describe(error)
    return Outcome(done, time.monotonic() - start, problem or None)


def _problems(subject: Subject, results: dict[int, Parts]) -> Iterator[str]:
    for device, parts in results.items():
        yield from subject.problems(device, parts)
