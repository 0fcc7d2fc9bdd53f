"""A sharded program with its arrays, and whether results of its devices are what they have to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...errors import ArgumentError
from ...runtime.compiler import compile
from ...runtime.formats import read_program
from ...runtime.sharding.executable import ShardedExecutable
from ...runtime.sharding.splitting import Splitting
from ..comparison import EXACT, Tolerance, compare, default_tolerance
from ..stored_arrays import load_arrays
from ..tensor_io import from_stored
from .meshes import can_be_resized, devices_of, resize

Parts = Sequence[np.ndarray]
"""The arguments or results of one device."""

RTOL = "rtol"
"""The array beside arguments and results that is the tolerance of an ill-conditioned program."""

DEFAULT_RTOL = 1e-5


class Subject:
    """A program on some number of devices, compiled, with the parts of each of them."""

    def __init__(self, path: str, devices: int | None, rtol: float | None) -> None:
        """`path`: NAME.mlir, beside NAME.npz with in0, ..., out0, ...; `devices`: None for as many as it is for.

        Raises `ArgumentError` where it cannot run on so many, and what compiling it raises.
        """
        self.name = Path(path).name.partition(".")[0]
        module = _on_devices(path, devices)
        self.devices = devices_of(module)
        self.executable: ShardedExecutable = compile(module, filename=path, devices=self.devices, threads=1)
        arrays = load_arrays(str(Path(path).with_name(f"{self.name}.npz")))
        self.rtol = rtol or float(arrays.get(RTOL, DEFAULT_RTOL))
        signature = self.executable.signature
        inputs = [from_stored(arrays[f"in{i}"], spec) for i, spec in enumerate(signature.inputs)]
        self._outputs = [from_stored(arrays[f"out{i}"], spec) for i, spec in enumerate(signature.outputs)]
        self.arguments = _by_device(self.executable.input_splittings, inputs, self.devices)
        self._expected = _by_device(self.executable.output_splittings, self._outputs, self.devices)
        whole = [np.ones(array.shape, np.bool_) for array in self._outputs]
        self._elements = _by_device(self.executable.output_splittings, whole, self.devices)
        self._first: dict[int, list[bytes]] = {}

    def problems(self, device: int, results: Parts) -> Iterator[str]:
        """What is wrong with the results of a device: out of tolerance, or other bits than the first time."""
        expected, masks = self._expected[device], self._elements[device]
        got = [np.asarray(part)[mask] for part, mask in zip(results, masks, strict=True)]
        bits = [elements.tobytes() for elements in got]
        first = self._first.get(device)
        if first is None:
            for index, (elements, wanted, mask) in enumerate(zip(got, expected, masks, strict=True)):
                if mismatch := compare(elements, wanted[mask], self._tolerance(index)):
                    yield f"device {device}, out{index} {mismatch}"
            self._first[device] = bits
        elif first != bits:
            others = ", ".join(f"out{i}" for i, (a, b) in enumerate(zip(first, bits, strict=True)) if a != b)
            yield f"device {device}, {others}: other bits than the first time"

    def _tolerance(self, index: int) -> Tolerance:
        """Relative to the largest element."""
        array = self._outputs[index]
        if default_tolerance(array.dtype) == EXACT:
            return EXACT
        with np.errstate(invalid="ignore"):
            size = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
        largest = float(np.max(size, initial=0, where=np.isfinite(size)))
        return Tolerance(self.rtol, self.rtol * largest)


def _on_devices(path: str, devices: int | None) -> ModuleOp:
    module = read_program(Path(path).read_bytes(), path)
    if devices is not None and devices != devices_of(module):
        if not can_be_resized(module):
            raise ArgumentError(f"{path}: is for {devices_of(module)} devices, and says so in more than its mesh")
        resize(module, devices)
    return module


def _by_device(splittings: Sequence[Splitting], arrays: Sequence[np.ndarray], devices: int) -> list[list[np.ndarray]]:
    columns = [splitting.split(array) for splitting, array in zip(splittings, arrays, strict=True)]
    return [[column[device] for column in columns] for device in range(devices)]
