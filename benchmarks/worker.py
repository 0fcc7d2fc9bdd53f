"""Runs one section in a process of its own, so that sections see neither each other's threads nor memory.

`python -m xdsl_xla.benchmarks.worker SECTION SETTINGS FILE`: settings as JSON, the result as JSON into the file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ..errors import XlaError
from .machine import limited_to
from .sections import SECTIONS
from .sections.section import Result, Section, Settings

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

WITHOUT_CACHES = {"XDSL_XLA_CACHE": "0", "JAX_ENABLE_COMPILATION_CACHE": "false"}
"""What is compiled is compiled; the section on the cache turns ours on for the processes it starts."""


def run_section(section: Section, settings: Settings) -> Result:
    """The result of `section` from a fresh process, whose tables appear here as they grow.

    A process that crashes is a failure of the section.
    """
    if section.also_one_thread and settings.threads > 1:
        first = _in_process(section, replace(settings, threads=1))
        result = _in_process(section, settings)
        first.add(result)
        return replace(first, settings=result.settings)
    return _in_process(section, replace(settings, threads=1) if section.one_thread else settings)


def _in_process(section: Section, settings: Settings) -> Result:
    threads = settings.threads
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads)), **WITHOUT_CACHES}
    with tempfile.TemporaryDirectory() as folder, limited_to(threads):
        file = Path(folder) / "result.json"
        command = [sys.executable, "-m", __name__, section.name, json.dumps(settings.as_dict()), str(file)]
        done = subprocess.run(command, env=environment, check=False)
        if done.returncode:
            return Result([], [f"its process ended with {done.returncode}"], settings)
        return Result.from_dict(json.loads(file.read_text()))


def main(name: str, settings: str, file: str) -> None:
    """The other end of `run_section`."""
    (section,) = (section for section in SECTIONS if section.name == name)
    how = Settings.from_dict(json.loads(settings))
    try:
        result = section.measure(how)
    except XlaError as error:
        result = Result(failures=[str(error)])
    result.settings = how
    Path(file).write_text(json.dumps(result.as_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
