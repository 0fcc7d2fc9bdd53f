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
import time
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from .effects import Effect, Feeds, RecordingHost

GUARD_BYTES = 1 << 16
"""How much memory behind the arena is watched."""

GUARD = 0xA5

PATIENCE_SECONDS = 120.0
"""After this time a program counts as one that does not end."""

LEAST_PATIENCE, LONGER = 20.0, 20.0
"""Once a program has ended, so many seconds, or so many times what it took, are enough."""


class Task(NamedTuple):
    """A module on the last level as text, and how to run it."""

    text: str
    threads: int
    opt_level: int
    donate: bool
    grid: tuple[int, int]
    seed: int
    rows: Sequence[Sequence[np.ndarray]]
    """The inputs of each run."""
    feeds: Feeds = Feeds()
    """What the host tells the program."""


class Run(NamedTuple):
    """The outputs (of all processes of a grid, one after the other) for one row of inputs, and what the host was told
    meanwhile.
    """

    outputs: Sequence[np.ndarray]
    effects: Sequence[Effect] = ()

    def values(self) -> list[np.ndarray]:
        """The outputs, then what the host was told."""
        return [*self.outputs, *(value for effect in self.effects for value in effect.values)]


class Outcome(NamedTuple):
    """One run for each row, or what happened instead."""

    runs: Sequence[Run] | None
    failure: str = ""


class IsolatedRuns:
    """The server; a context manager. It is started when the first task comes, and again when it is gone."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.patience = patience
        self._longest: float | None = None
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> IsolatedRuns:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def run(self, task: Task) -> Outcome:
        """What became of the task."""
        server = self._started()
        assert server.stdin is not None and server.stdout is not None
        patience, start = self._patience(), time.monotonic()
        try:
            _send(server.stdin, task)
            ready, _, _ = select.select([server.stdout], [], [], patience)
            if not ready:
                self._stop()
                return Outcome(None, f"does not end within {patience:.0f} seconds")
            outcome: Outcome = _receive(server.stdout)
            if outcome.runs is not None:
                self._longest = max(self._longest or 0.0, time.monotonic() - start)
            return outcome
        except (EOFError, OSError, pickle.UnpicklingError):
            server.wait()
            self._stop()
            return Outcome(None, ending(server.returncode))

    def hurry(self, seconds: float) -> None:
        """Parts of what has run so far take no longer than so many seconds, or three times what that took."""
        self.patience = min(self.patience, max(seconds, 3.0 * (self._longest or 0.0)))

    def _patience(self) -> float:
        """How many seconds the next task may take."""
        if self._longest is None:
            return self.patience
        return min(self.patience, max(LEAST_PATIENCE, LONGER * self._longest))

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


def ending(status: int) -> str:
    """How a process ended with an exit code, or minus the number of a signal."""
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
    is_warm = False
    while True:
        try:
            task = _receive(tasks)
        except EOFError:
            return
        if not is_warm:
            _warm_up(task)
            is_warm = True
        _send(outcomes, _in_child(task))


def _warm_up(task: Task) -> None:
    """Import once what all children need, without running anything that a wrong pass has left."""
    from ..errors import InternalError, XlaError
    from ..runtime import compilation, engine, executable, grid, loading
    from ..runtime.compiler import Request

    del engine, executable, grid, loading
    try:
        compilation.prepare(task.text.encode(), "<lowered>", Request(1, "", None, None, 0, None, None, False))
    except (XlaError, InternalError):
        pass  # the child will say so


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
    return pickle.loads(data[8:]) if code == 0 and data else Outcome(None, ending(code))


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
    runs: list[Run] = []
    for row in task.rows:
        run = _run_row(executable, task, row)
        if isinstance(run, str):
            return Outcome(None, run)
        runs.append(run)
    return Outcome(runs)


def _run_row(executable: Any, task: Task, row: Sequence[np.ndarray]) -> Run | str:
    """The run for one row of inputs, or what was wrong with it."""
    from ..reference.environment import Environment
    from ..runtime.grid import run_grid
    from ..runtime.signature import tensors_of

    inputs = [np.array(array) for array in row]
    arguments = executable.signature.arguments(inputs)
    host = RecordingHost.with_feeds(task.feeds, task.seed)
    environment = Environment(seed=task.seed, host=host)
    replicas, partitions = task.grid
    if (replicas, partitions) != (1, 1):
        rows = run_grid(executable, [[arguments] * partitions] * replicas, environment)
        return Run([np.array(array) for line in rows for results in line for array in tensors_of(results)])
    program = executable.with_environment(environment)
    program._frames.append(frame := program._new_frame())
    behind = frame.arena.array()[-GUARD_BYTES:]
    behind[...] = GUARD
    outputs = [np.array(array) for array in tensors_of(program(*arguments))]
    if (behind != GUARD).any():
        return "writes behind its arena"
    if not task.donate:
        for number, (before, after) in enumerate(zip(row, inputs, strict=True)):
            if np.asarray(before).tobytes() != after.tobytes():
                return f"overwrites argument {number}"
    return Run(outputs, host.effects)


def main() -> None:
    """Serve on standard input and output; what programs print goes to standard error."""
    outcomes = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, outcomes)
