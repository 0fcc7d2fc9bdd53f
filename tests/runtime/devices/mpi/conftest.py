"""Jobs of MPI: skipped where there is no MPI library or no `mpiexec`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

VARIABLES = {
    # Open MPI refuses to start as root and to start more processes than there are cores.
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "XDSL_XLA_CACHE": "0",
    "XDSL_XLA_SCHEDULES": "",
}


SAYING = """
import os

def say(*words):
    with open(os.path.join(os.environ["SAID"], str(os.getpid())), "a") as file:
        file.write(" ".join(map(str, words)) + "\\n")

"""
"""What scripts begin with: `say` writes a line into a file of the process. Launchers print what processes write as it
comes, so that a line of one may begin in the middle of a line of another.
"""


class Ended(NamedTuple):
    """A job that has ended."""

    code: int
    output: str
    """What all processes have printed, on both streams."""
    seconds: float
    said: str = ""
    """The lines of `say`, those of a process after those of another."""


Job = Callable[..., Ended]


UNSEEN = """
import signal, subprocess, sys
signal.signal(signal.SIGUSR1, lambda *_: None)
subprocess.run([sys.executable, *sys.argv[1:]], close_fds=False)
"""
"""Runs a command line of Python in a child of the process that the launcher knows: launchers end a job of which they
see a process being killed. That of MPICH tells the others by a signal that one process has ended without it.
"""


@cache
def surviving() -> tuple[str, ...]:
    """The options with which the launcher leaves processes alone when another one ends."""
    command = [launcher() or "", "--version"]
    is_open_mpi = "Open MPI" in subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return ("--enable-recovery",) if is_open_mpi else ("-disable-auto-cleanup",)


def launcher() -> str | None:
    """The `mpiexec` beside this Python, or of the system."""
    own = Path(sys.prefix, "bin", "mpiexec")
    return str(own) if own.exists() else shutil.which("mpiexec")


@cache
def _missing() -> str | None:
    """Why there are no jobs here."""
    found = launcher()
    if found is None:
        return "there is no mpiexec"
    done = _run(2, ["-c", "from xdsl_xla.runtime.devices.mpi.library import mpi_library; print(mpi_library().version)"])
    return None if done.code == 0 and done.output.strip() else f"MPI does not start: {done.output[-300:]}"


def _run(
    processes: int,
    command: list[str],
    options: tuple[str, ...] = (),
    variables: Mapping[str, str] | None = None,
    timeout: float = 150,
    interrupt_after: float | None = None,
) -> Ended:
    """`interrupt_after`: seconds after which Ctrl-C is pressed where the launcher runs."""
    environment = os.environ | VARIABLES | {"PYTHONPATH": os.pathsep.join(sys.path)} | dict(variables or {})
    start = time.monotonic()
    process = subprocess.Popen(
        [launcher() or "mpiexec", *options, "-n", str(processes), sys.executable, *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=timeout)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Ended(process.returncode, output, time.monotonic() - start)


@pytest.fixture
def job() -> Job:
    """Runs a command line of Python in so many processes: `job(2, ["-m", "module"])`."""
    if (reason := _missing()) is not None:
        pytest.skip(reason)
    return _run


@pytest.fixture
def script(job: Job, tmp_path: Path) -> Job:
    """Runs a script in so many processes, which call `say`: `script(2, "code")`. `unseen`: by the launcher."""

    def run(processes: int, code: str, *arguments: str, unseen: bool = False, **options: object) -> Ended:
        path, folder = tmp_path / "script.py", Path(tempfile.mkdtemp(prefix="said", dir=tmp_path))
        path.write_text(SAYING + textwrap.dedent(code))
        command = [*(("-c", UNSEEN) if unseen else ()), str(path), *arguments]
        kept = surviving() if unseen else ()
        done = job(processes, command, kept, variables={"SAID": str(folder)}, **options)
        return done._replace(said="".join(file.read_text() for file in sorted(folder.iterdir())))

    return run
