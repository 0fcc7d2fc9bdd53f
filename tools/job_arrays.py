"""What a program in a job is given and what becomes of its results: arrays of each device, or whole ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..reference.processes import Terms
from ..runtime.devices.mpi.job import JobGrid
from ..runtime.signature import Signature
from .reporting import SUCCESS, UsageError
from .stored_arrays import check_output_name, save_outputs
from .tensor_io import load_inputs, random_inputs, show

if TYPE_CHECKING:  # a program from the compile cache runs without xDSL
    from ..runtime.sharding.executable import ShardedExecutable

DEVICE = "{device}"
"""In file names: the number of the device."""

Results = dict[int, list[np.ndarray]]
"""Of the devices of this process, by number."""

Check = Callable[[str, Sequence[np.ndarray]], int]
"""Compares results with a file; the exit code."""

_TERMS = Terms("results", {}, None)


class JobArrays(Protocol):
    """Arguments of the devices of this process, and what the command line wants of their results."""

    def inputs(self) -> Results:
        """The arguments by device."""
        ...

    def finish(self, results: Results) -> int:
        """Store, compare or print; the exit code. All processes call it."""
        ...


class ArraysOfDevices:
    """Each device has arrays of its own. `{device}` in a file name becomes its number."""

    def __init__(self, args: argparse.Namespace, grid: JobGrid, signature: Signature, check: Check) -> None:
        """Raises `UsageError` for one file that several devices would write."""
        self._args, self._grid, self._signature, self._check = args, grid, signature, check
        count = len(grid.processes)
        if args.output is not None and DEVICE not in args.output and count > 1:
            name = args.output.rpartition(".")
            example = f"{name[0]}{DEVICE}.{name[2]}"
            raise UsageError(f"--output {args.output}: of which of {count} devices? such as {example}")
        if args.output is not None:
            check_output_name(_of(args.output, 0), signature.outputs)

    def inputs(self) -> Results:
        """Those of `--input`, or random ones, others on each device."""
        args, specs = self._args, self._signature.inputs
        return {
            device: load_inputs([_of(name, device) for name in args.input], specs)
            if args.input
            else random_inputs(specs, args.seed + device)
            for device in self._grid.transport.devices
        }

    def finish(self, results: Results) -> int:
        """The first process prints the results of all."""
        args, status = self._args, SUCCESS
        for device, outputs in results.items():
            if args.output is not None:
                save_outputs(_of(args.output, device), outputs)
            if args.expect is not None:
                status = max(status, self._check(_of(args.expect, device), outputs))
        if args.output is args.expect is args.benchmark is None:
            self._print_all({device: _shown(outputs, self._signature) for device, outputs in results.items()})
        return status

    def _print_all(self, shown: dict[int, str]) -> None:
        for device, text in shown.items():
            self._grid.mail.send(0, ("results", device), np.frombuffer(text.encode(), np.uint8), _TERMS)
        if 0 in self._grid.transport.devices:
            for device, id in enumerate(self._grid.processes):
                _, array = self._grid.mail.receive(0, ("results", device), f"the results of process {id}", None)
                print(f"process {id}:")
                sys.stdout.write(array.tobytes().decode())


class WholeArrays:
    """A program on whole arrays (`--devices`): they are split here, and joined by the first process."""

    def __init__(self, args: argparse.Namespace, grid: JobGrid, program: ShardedExecutable, check: Check) -> None:
        self._args, self._grid, self._program, self._check = args, grid, program, check
        if args.output is not None:
            check_output_name(args.output, program.signature.outputs)

    def inputs(self) -> Results:
        """Parts of those of `--input`, or of random ones, the same in all processes."""
        specs = self._program.signature.inputs
        arrays = load_inputs(self._args.input, specs) if self._args.input else random_inputs(specs, self._args.seed)
        columns = [split.split(array) for split, array in zip(self._program.input_splittings, arrays, strict=True)]
        return {device: [column[device] for column in columns] for device in self._grid.transport.devices}

    def finish(self, results: Results) -> int:
        """The first process has the whole results."""
        args, mail = self._args, self._grid.mail
        if args.output is args.expect is None and args.benchmark is not None:
            return SUCCESS
        for device, parts in results.items():
            mail.send(0, ("results", device), tuple(parts), _TERMS)
        if 0 not in self._grid.transport.devices:
            return SUCCESS
        rows = [
            mail.receive(0, ("results", device), f"the results of process {id}", None)[1]
            for device, id in enumerate(self._grid.processes)
        ]
        splittings = enumerate(self._program.output_splittings)
        outputs = [splitting.join([row[index] for row in rows]) for index, splitting in splittings]
        if args.output is not None:
            save_outputs(args.output, outputs)
        if args.expect is not None:
            return self._check(args.expect, outputs)
        if args.output is None:
            sys.stdout.write(_shown(outputs, self._program.signature))
        return SUCCESS


def _shown(outputs: Sequence[np.ndarray], signature: Signature) -> str:
    specs = zip(outputs, signature.outputs, strict=True)
    return "".join(show(f"out{index}", array, spec) + "\n" for index, (array, spec) in enumerate(specs))


def _of(name: str, device: int) -> str:
    return name.replace(DEVICE, str(device))
