"""The sides of a comparison, with the same interface: compile a program, run it on its inputs."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from .. import compile as compile_program
from ..errors import UnsupportedError
from ..runtime.executable import Executable
from .measure import Run
from .numpy_programs import NUMPY_PROGRAMS
from .suite import Program

Array = NDArray[Any]


@dataclass(frozen=True)
class Compiled:
    """A program, ready to run."""

    seconds: float
    """How long compiling it took."""
    run: Run
    """Runs it once on its inputs, to completion."""
    code: Any = None
    """What the side calls an executable."""


class Peer(Protocol):
    """A compiler to time."""

    name: str

    def compile(self, program: Program) -> Compiled:
        """Compiles `program`, from its text to code in memory."""
        ...

    def outputs(self, result: Any) -> list[Array]:
        """The result of a run as arrays."""
        ...


class Native:
    """This package."""

    name = "xdsl-xla"

    def __init__(self, threads: int):
        self.threads = threads

    def compile(self, program: Program) -> Compiled:
        start = time.perf_counter()
        executable: Executable = compile_program(program.text, threads=self.threads)
        seconds = time.perf_counter() - start
        inputs = program.inputs
        return Compiled(seconds, lambda: executable(*inputs), executable)

    def outputs(self, result: Any) -> list[Array]:
        return list(result)

    def peak_bytes(self, compiled: Compiled) -> int:
        """Arguments, results, temporaries, constants and code."""
        statistics = compiled.code.statistics
        return statistics.peak_bytes + statistics.object_bytes


class XlaCpu:
    """XLA's CPU compiler as jaxlib carries it. It takes its thread count from the process's CPU affinity."""

    name = "XLA:CPU"

    def __init__(self) -> None:
        try:
            self.jax = cast(Any, importlib.import_module("jax"))
            self._xla = cast(Any, importlib.import_module("jaxlib.xla_client"))
        except ImportError:
            raise UnsupportedError("comparing with XLA:CPU needs jax: pip install 'xdsl-xla[jax]'") from None
        self._devices: Any = tuple(self.jax.devices("cpu"))[:1]
        # Makes jaxlib load LAPACK, whose functions programs call.
        self.jax.numpy.linalg.cholesky(np.eye(2, dtype=np.float32))

    def compile(self, program: Program) -> Compiled:
        client = self._devices[0].client
        start = time.perf_counter()
        executable = client.compile_and_load(
            program.text, self._xla.DeviceList(self._devices), self._xla.CompileOptions()
        )
        seconds = time.perf_counter() - start
        buffers = [self.array(x) for x in program.inputs]

        def run() -> Any:
            results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
            arrays = [shards[0] for shards in results]
            for array in arrays:
                array.block_until_ready()
            return arrays

        return Compiled(seconds, run, executable)

    def compile_text(self, text: str) -> Callable[..., list[Array]]:
        """The program `text` as a function on arrays."""
        executable = self._devices[0].client.compile_and_load(
            text, self._xla.DeviceList(self._devices), self._xla.CompileOptions()
        )

        def run(*arguments: Array) -> list[Array]:
            results = executable.execute_sharded([self.array(x) for x in arguments])
            return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]

        return run

    def array(self, array: Array) -> Any:
        """`array` as one of JAX's, with its type (JAX would make f64 and i64 narrower)."""
        with self.jax.enable_x64(True):
            return self.jax.device_put(array, self._devices[0])

    def outputs(self, result: Any) -> list[Array]:
        return [np.asarray(x) for x in result]

    def peak_bytes(self, compiled: Compiled) -> int:
        """Arguments, results, temporaries, constants and code."""
        statistics = compiled.code.get_compiled_memory_stats()
        return (
            statistics.argument_size_in_bytes
            + statistics.output_size_in_bytes
            - statistics.alias_size_in_bytes
            + statistics.temp_size_in_bytes
            + statistics.generated_code_size_in_bytes
        )


class NumPy:
    """The function of `numpy_programs.py` that computes the same; nothing is compiled."""

    name = "NumPy"

    def has(self, program: Program) -> bool:
        return program.name in NUMPY_PROGRAMS

    def compile(self, program: Program) -> Compiled:
        function, inputs = NUMPY_PROGRAMS[program.name], program.inputs
        return Compiled(0.0, lambda: function(*inputs))

    def outputs(self, result: Any) -> list[Array]:
        return list(cast(tuple[Array, ...], result)) if isinstance(result, tuple) else [result]


class PyTorch:
    """The function of `library_programs` that computes the same with PyTorch's operators; nothing is compiled.

    Made before anything else runs in parallel: its OpenMP runtime, which this package would use too, starts as it is
    configured for it.
    """

    name = "PyTorch"

    def __init__(self, threads: int) -> None:
        try:
            self.torch = cast(Any, importlib.import_module("torch"))
        except ImportError:
            raise UnsupportedError("comparing with PyTorch needs torch: pip install torch") from None
        self.torch.set_num_threads(threads)
        self.torch.set_grad_enabled(False)

    def compile(self, function: Callable[..., Run], program: Program) -> Compiled:
        """`function` makes the run of tensors of the inputs."""
        return Compiled(0.0, function(self.torch, *map(self.tensor, program.inputs)))

    def tensor(self, array: Array) -> Any:
        """`array` as a tensor in memory of its own."""
        if array.dtype.name == "bfloat16":
            return self.torch.from_numpy(array.astype(np.float32)).to(self.torch.bfloat16)
        return self.torch.from_numpy(array.copy())

    def outputs(self, result: Any) -> list[Array]:
        tensors = list(cast("tuple[Any, ...]", result)) if isinstance(result, tuple) else [result]
        return [self._array(tensor) for tensor in tensors]

    def _array(self, tensor: Any) -> Array:
        if tensor.dtype == self.torch.bfloat16:
            return tensor.float().numpy().astype(ml_dtypes.bfloat16)
        return tensor.numpy()
