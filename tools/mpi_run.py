"""`mpiexec -n 4 xla-run --transport mpi PROGRAM`: each process runs its share of the devices of the program.

`{device}` in a file name of `--input`, `--output` and `--expect` becomes the number of the device, replica times
partitions plus partition. Without `--input` the arguments are random, others on each device. The first process prints
the results of all.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr

import numpy as np

from ..reference.environment import Environment
from ..reference.processes import ProcessId, Terms
from ..runtime.devices.local import TIMEOUT
from ..runtime.devices.mpi.job import JobGrid, run_devices
from ..runtime.devices.mpi.run import blocks
from ..runtime.devices.mpi.transport import MpiTransport
from ..runtime.executable import Executable
from ..runtime.signature import tensors_of
from .reporting import SUCCESS, UsageError, guarded
from .stored_arrays import check_output_name, save_outputs
from .tensor_io import load_inputs, random_inputs, show

DEVICE = "{device}"
"""In file names: the number of the device."""

DEFAULT_RUNS = 20
"""Of `--benchmark` without a number."""

Check = Callable[[str, Sequence[np.ndarray]], int]
"""Compares results with a file; the exit code."""


def run_in_job(args: argparse.Namespace, load: Callable[[], Executable], check: Check) -> int:
    """Run a program with the other processes of the job and end this process, if the job has failed; the exit code.

    `load` compiles it. Errors are reported on stderr by the process that they are of.
    """
    transports: list[MpiTransport] = []

    def run() -> int:
        transport = MpiTransport(args.collective_timeout or TIMEOUT)
        transports.append(transport)
        with transport.reporting():
            executable = load()
            replicas, partitions = executable.grid
            transport.place(blocks(replicas * partitions, transport.size), partitions)
            return _run(args, JobGrid(replicas, partitions, transport), executable, check)

    said = io.StringIO()
    with redirect_stderr(said):
        status = guarded(run, debug=args.debug)
    sys.stdout.flush()
    os.write(2, said.getvalue().encode())  # at once: other processes write there too
    if transports:
        transports[0].leave(status)
    elif status:
        os._exit(status)  # MPI may be waiting for processes that do not come
    return status


def _run(args: argparse.Namespace, grid: JobGrid, executable: Executable, check: Check) -> int:
    devices, specs = list(grid.transport.devices), executable.signature.inputs
    _check_names(args, grid)
    inputs = {
        device: load_inputs([_of(name, device) for name in args.input], specs)
        if args.input
        else random_inputs(specs, args.seed + device)
        for device in devices
    }
    for device in devices:
        if args.output is not None:
            check_output_name(_of(args.output, device), executable.signature.outputs)
    host = Environment(seed=args.seed)

    def task(device: int) -> Callable[[], list[np.ndarray]]:
        program = executable.with_environment(host.of_process(grid.process(*grid.processes[device])))
        arguments = executable.signature.arguments(inputs[device])
        return lambda: list(tensors_of(program(*arguments)))

    tasks = {grid.processes[device]: task(device) for device in devices}
    agreed = {"program": _digest(args), "grid": f"{grid.replicas} replicas, {grid.partitions} partitions"}
    results = run_devices(grid, tasks, agreed)
    status, seconds = SUCCESS, list[float]()
    for _ in range(0 if args.benchmark is None else args.benchmark or DEFAULT_RUNS):
        start = time.perf_counter()
        run_devices(grid, tasks, agreed)
        seconds.append(time.perf_counter() - start)
    for id, outputs in results.items():
        status = max(status, _keep(args, grid.number(id), outputs, check))
    if seconds and grid.transport.rank == 0:
        times = f"median {statistics.median(seconds) * 1e3:.4g} ms, min {min(seconds) * 1e3:.4g} ms"
        print(f"{times} ({len(seconds)} runs on {len(grid.processes)} devices in {grid.transport.size} processes)")
    if args.output is args.expect is args.benchmark is None:
        shown = {
            id: "".join(
                show(f"out{i}", array, executable.signature.outputs[i]) + "\n" for i, array in enumerate(arrays)
            )
            for id, arrays in results.items()
        }
        _print_all(grid, shown)
    return status


def _keep(args: argparse.Namespace, device: int, outputs: Sequence[np.ndarray], check: Check) -> int:
    """Do with results what the command line says."""
    if args.output is not None and (DEVICE in args.output or device == 0):
        save_outputs(_of(args.output, device), outputs)
    return SUCCESS if args.expect is None else check(_of(args.expect, device), outputs)


def _print_all(grid: JobGrid, shown: dict[ProcessId, str]) -> None:
    """The results of all devices, by the first process."""
    terms = Terms("results", {}, None)
    for id, text in shown.items():
        grid.mail.send(0, ("results", id), np.frombuffer(text.encode(), np.uint8), terms)
    if 0 in grid.transport.devices:
        for id in grid.processes:
            _, array = grid.mail.receive(0, ("results", id), f"the results of process {id}", None)
            print(f"process {id}:")
            sys.stdout.write(array.tobytes().decode())


def _check_names(args: argparse.Namespace, grid: JobGrid) -> None:
    if args.output is not None and DEVICE not in args.output and len(grid.processes) > 1:
        name = args.output.rpartition(".")
        example = f"{name[0]}{DEVICE}.{name[2]}"
        raise UsageError(f"--output {args.output}: of which of {len(grid.processes)} devices? such as {example}")


def _of(name: str, device: int) -> str:
    return name.replace(DEVICE, str(device))


def _digest(args: argparse.Namespace) -> str:
    """What tells the program of this command line from others."""
    options = args.entry, args.pipeline, args.seed
    with open(args.file, "rb") as file:
        return f"{args.file} {hashlib.sha256(file.read() + repr(options).encode()).hexdigest()[:16]}"
