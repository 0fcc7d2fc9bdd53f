"""Programs on the last level, run where they can do no harm: each in a process of its own.

Code that a wrong pass has left may write anywhere, abort LLVM or never end. A server process reads tasks from its
standard input and forks for each of them; what the child sends back, or how it ended, is the outcome. Memory behind the
arena is watched, and so are the arguments that the program does not own.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

GUARD_BYTES = 1 << 16
"""How much memory behind the arena is watched."""

GUARD = 0xA5

PATIENCE_SECONDS = 120.0
"""After this time a program counts as one that does not end."""


class Task(NamedTuple):
    """A module on the last level as text, and how to run it."""

    text: str
    threads: int
    opt_level: int
    donate: bool
    grid: tuple[int, int]
    seed: int
    inputs: Sequence[np.ndarray]


class Outcome(NamedTuple):
    """The outputs (of all processes of a grid, one after the other), or what happened instead."""

    outputs: Sequence[np.ndarray] | None
    failure: str = ""


class IsolatedRuns:
    """The server; a context manager. It is started when the first task comes, and again when it is gone."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> IsolatedRuns:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def run(self, task: Task) -> Outcome:
        """What became of the task."""
        server = self._started()
        assert server.stdin is not None and server.stdout is not None
        try:
            _send(server.stdin, task)
            ready, _, _ = select.select([server.stdout], [], [], self._patience)
            if not ready:
                self._stop()
                return Outcome(None, f"does not end within {self._patience:g} seconds")
            return _receive(server.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            server.wait()
            self._stop()
            return Outcome(None, _ending(server.returncode))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._server is None:
            command = [sys.executable, "-c", f"from {__name__} import main; main()"]
            self._server = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return self._server

    def _stop(self) -> None:
        """End the server and its child."""
        server, self._server = self._server, None
        if server is None:
            return
        try:
            os.killpg(server.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        server.wait()
        for pipe in (server.stdin, server.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass


def _ending(status: int) -> str:
    if status >= 0:
        return f"ends the process with code {status}"
    return f"crashes: {signal.Signals(-status).name}"


def _send(pipe: BinaryIO | Any, value: object) -> None:
    data = pickle.dumps(value)
    pipe.write(len(data).to_bytes(8, "little") + data)
    pipe.flush()


def _receive(pipe: BinaryIO | Any) -> Any:
    size = pipe.read(8)
    if len(size) < 8:
        raise EOFError
    data = pipe.read(int.from_bytes(size, "little"))
    return pickle.loads(data)


# -- the server ------------------------------------------------------------------------------------------------------


def serve(tasks: BinaryIO, outcomes: BinaryIO) -> None:
    """Carry out tasks until there are no more."""
    from ..runtime import compilation

    del compilation  # imported once, for all children
    while True:
        try:
            task = _receive(tasks)
        except EOFError:
            return
        _send(outcomes, _in_child(task))


def _in_child(task: Task) -> Outcome:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with open(writing, "wb") as pipe:
            _send(pipe, outcome_of(task))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return pickle.loads(data[8:]) if code == 0 and data else Outcome(None, _ending(code))


def outcome_of(task: Task) -> Outcome:
    """Compile and run the program in this process."""
    from ..errors import InternalError, XlaError
    from ..runtime.compiler import compile

    try:
        executable = compile(
            task.text.encode(),
            filename="<lowered>",
            pipeline="",
            threads=task.threads,
            opt_level=task.opt_level,
            donate=task.donate,
            cache=False,
        )
    except (XlaError, InternalError) as error:
        return Outcome(None, f"is no program for LLVM: {error}")
    executable._arena_bytes += GUARD_BYTES  # pyright: ignore[reportPrivateUsage]
    try:
        return _run(executable, task)
    except (XlaError, InternalError) as error:
        return Outcome(None, f"fails: {error}")


def _run(executable: Any, task: Task) -> Outcome:
    from ..reference.environment import Environment
    from ..runtime.grid import run_grid
    from ..runtime.signature import tensors_of

    inputs = [np.array(array) for array in task.inputs]
    arguments = executable.signature.arguments(inputs)
    replicas, partitions = task.grid
    if (replicas, partitions) != (1, 1):
        rows = run_grid(executable, [[arguments] * partitions] * replicas, Environment(seed=task.seed))
        return Outcome([np.array(array) for row in rows for results in row for array in tensors_of(results)])
    program = executable.with_environment(Environment(seed=task.seed))
    program._frames.append(frame := program._new_frame())
    behind = frame.arena.array()[-GUARD_BYTES:]
    behind[...] = GUARD
    outputs = [np.array(array) for array in tensors_of(program(*arguments))]
    if (behind != GUARD).any():
        return Outcome(None, "writes behind its arena")
    if not task.donate:
        for number, (before, after) in enumerate(zip(task.inputs, inputs, strict=True)):
            if before.tobytes() != after.tobytes():
                return Outcome(None, f"overwrites argument {number}")
    return Outcome(outputs)


def main() -> None:
    """Serve on standard input and output; what programs print goes to standard error."""
    outcomes = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, outcomes)
