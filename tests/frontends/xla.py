"""XLA's HLO text and its execution, from jaxlib: the oracle of the tests of HLO text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("jax")
import jax
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib import _hlo, _jax
from jaxlib.cpu import _lapack
from jaxlib.mlir import ir

_lapack.initialize()
_CONTEXT = mlir.make_ir_context()
_WITH_CONSTANTS = _hlo.HloPrintOptions()
_WITH_CONSTANTS.print_large_constants = True
_SHORT = _hlo.HloPrintOptions.short_parsable()


def _compile(stablehlo: str) -> Any:
    device = jax.devices("cpu")[0]
    with _CONTEXT, ir.Location.unknown():
        module = ir.Module.parse(stablehlo)
        return device.client.compile_and_load(module, xla_client.DeviceList((device,)), xla_client.CompileOptions())


def unoptimized(stablehlo: str) -> str:
    """The short form, as `lowered.as_text(dialect="hlo")` gives it."""
    computation = _jax.mlir.mlir_module_to_xla_computation(stablehlo, use_tuple_args=False, return_tuple=False)
    return computation.get_hlo_module().to_string(_SHORT)


def optimized(stablehlo: str) -> str:
    """The long form, as `compiled.as_text()` gives it, constants included."""
    (module,) = _compile(stablehlo).hlo_modules()
    return module.to_string(_WITH_CONSTANTS)


def parse(text: str) -> Any:
    """HLO text parsed by XLA."""
    return _hlo.hlo_module_from_text(text)


def run(text: str, arguments: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """HLO text parsed, compiled and run by XLA."""
    computation = _hlo.XlaComputation(parse(text).as_serialized_hlo_module_proto())
    executable = _compile(_jax.mlir.xla_computation_to_mlir_module(computation))
    with jax.enable_x64(True):
        buffers = [jax.device_put(argument) for argument in arguments]
    results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [np.asarray(result) for (result,) in results]
