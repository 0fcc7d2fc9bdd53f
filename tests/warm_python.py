"""Python programs in processes of their own that need neither start Python nor import the compiler: they are forks of a
process that has done that, and nothing else.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def run_python(
    code: str, environment: Mapping[str, str] | None = None, timeout: float = 100
) -> subprocess.CompletedProcess[str]:
    """What `python -c code` does, with `PYTHONPATH` as here. Raises `subprocess.TimeoutExpired`."""
    environment = dict(os.environ if environment is None else environment)
    if not hasattr(os, "fork"):
        command = [sys.executable, "-c", code]
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout, check=False)
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        task = {"code": code, "environment": environment, "output": str(output), "errors": str(errors)}
        status = _ended(_server(), json.dumps(task), timeout)
        return subprocess.CompletedProcess(["python"], status, output.read_text(), errors.read_text())


def _ended(server: subprocess.Popen[str], task: str, timeout: float) -> int:
    """The exit status of the process that the server forks for a task, as `subprocess` has it."""
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(task + "\n")
    server.stdin.flush()
    process = int(server.stdout.readline())
    if not select.select([server.stdout], [], [], timeout)[0]:
        os.kill(process, signal.SIGKILL)
        server.stdout.readline()
        raise subprocess.TimeoutExpired("python", timeout)
    return int(server.stdout.readline())


@cache
def _server() -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen(
        [sys.executable, __file__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    atexit.register(_stop, server)
    return server


def _stop(server: subprocess.Popen[str]) -> None:
    assert server.stdin is not None and server.stdout is not None
    server.stdin.close()
    server.wait()
    server.stdout.close()


def serve() -> None:
    """Forks for each line of standard input; says which process that is, and how it ended."""
    import gc

    from xdsl_xla import compile  # noqa: F401
    from xdsl_xla.pipelines import PASSES, load_pass
    from xdsl_xla.tools import xla_run  # noqa: F401

    for name in PASSES:
        load_pass(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while line := sys.stdin.readline():
        process = os.fork()
        if not process:
            _run(**json.loads(line))
            return
        print(process, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


def _run(code: str, environment: dict[str, str], output: str, errors: str) -> None:
    """Become the process, which ends as any other one does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(environment)
    flags = os.O_WRONLY | os.O_CREAT
    for place, file in enumerate((os.open(os.devnull, os.O_RDONLY), os.open(output, flags), os.open(errors, flags))):
        os.dup2(file, place)
        os.close(file)
    sys.stdin = open(0)
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:], sys.path[0] = ["-c"], ""
    exec(compile(code, "<string>", "exec"), main.__dict__)


if __name__ == "__main__":
    serve()
