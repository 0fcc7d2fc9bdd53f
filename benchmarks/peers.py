"""The two sides of a comparison, with the same interface: compile a program, run it on its inputs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import compile as compile_program
from ..errors import UnsupportedError
from .suite import Program

Run = Callable[[], Any]


class Peer(Protocol):
    """A compiler to time."""

    name: str

    def compile(self, program: Program) -> tuple[float, Run]:
        """Compiles `program`; returns the seconds it took and a function that runs it once to completion."""
        ...

    def outputs(self, result: Any) -> list[NDArray[Any]]:
        """The result of a run as arrays."""
        ...


class Native:
    """This package."""

    name = "xdsl-xla"

    def __init__(self, threads: int):
        self.threads = threads

    def compile(self, program: Program) -> tuple[float, Run]:
        start = time.perf_counter()
        executable = compile_program(program.text, threads=self.threads)
        seconds = time.perf_counter() - start
        inputs = program.inputs
        return seconds, lambda: executable(*inputs)

    def outputs(self, result: Any) -> list[NDArray[Any]]:
        return list(result)


class XlaCpu:
    """XLA's CPU compiler as jaxlib carries it. It takes its thread count from the process's CPU affinity."""

    name = "XLA:CPU"

    def __init__(self) -> None:
        try:
            import jax
            from jaxlib import xla_client
        except ImportError:
            raise UnsupportedError("comparing with XLA:CPU needs jax: pip install 'xdsl-xla[jax]'") from None
        self._jax: Any = jax
        self._xla: Any = xla_client
        self._devices: Any = tuple(self._jax.devices("cpu"))[:1]
        # Makes jaxlib load LAPACK, whose functions programs call.
        self._jax.numpy.linalg.cholesky(np.eye(2, dtype=np.float32))

    def compile(self, program: Program) -> tuple[float, Run]:
        client = self._devices[0].client
        start = time.perf_counter()
        executable = client.compile_and_load(
            program.text, self._xla.DeviceList(self._devices), self._xla.CompileOptions()
        )
        seconds = time.perf_counter() - start
        buffers = [self._jax.device_put(x, self._devices[0]) for x in program.inputs]

        def run() -> Any:
            results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
            arrays = [shards[0] for shards in results]
            for array in arrays:
                array.block_until_ready()
            return arrays

        return seconds, run

    def outputs(self, result: Any) -> list[NDArray[Any]]:
        return [np.asarray(x) for x in result]
