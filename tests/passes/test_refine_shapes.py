"""`stablehlo-refine-shapes` on programs that JAX exports with symbolic shapes, against JAX's results.

`dynamic_shapes/NAME.mlir` is the `jax.export` of a function of arguments of shape `(b, ...)`, without locations;
`NAME.npz` has arguments and the results of XLA:CPU for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla import compile
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import ChloLegalizeToStablehloPass
from xdsl_xla.passes.stablehlo.stablehlo_refine_shapes import StablehloRefineShapesPass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.xla_run import main as xla_run

Array = NDArray[Any]

PROGRAMS = Path(__file__).parent / "dynamic_shapes"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.mlir"))

TYPE_NAMES = {"float32": "f32", "int32": "i32"}


def stored(name: str, prefix: str) -> list[Array]:
    """Arguments (`in`) or results (`out`) of a program."""
    with np.load(PROGRAMS / f"{name}.npz") as arrays:
        return [arrays[f"{prefix}{i}"] for i in range(sum(key.startswith(prefix) for key in arrays))]


def refined(name: str, arguments: list[Array]) -> ModuleOp:
    """The program with the shapes of these arguments."""
    context = new_context()
    module = parse_module((PROGRAMS / f"{name}.mlir").read_text(), name, context)
    verify_module(module)
    shapes = ["".join(f"{size}x" for size in array.shape) for array in arguments]
    types = [f"tensor<{shape}{TYPE_NAMES[a.dtype.name]}>" for shape, a in zip(shapes, arguments, strict=True)]
    StablehloRefineShapesPass(types=",".join(types)).apply(context, module)
    ChloLegalizeToStablehloPass().apply(context, module)
    verify_module(module)
    assert not any("?" in str(value.type) for op in module.walk() for value in (*op.operands, *op.results))
    return module


def assert_close(got: Any, expected: Array) -> None:
    """Sums of fewer than 32 terms and exponentials: a few units of the last place of f32 apart."""
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", NAMES)
def test_program(name: str) -> None:
    arguments = stored(name, "in")
    results = run(refined(name, arguments), "main", arguments)
    for got, expected in zip(results, stored(name, "out"), strict=True):
        assert_close(got, expected)


@pytest.mark.parametrize("name", ["softmax", "cumsum", "dynamic_slice", "fori_loop", "loop_carrying_a_size"])
def test_native(name: str) -> None:
    arguments = stored(name, "in")
    results = compile(refined(name, arguments), threads=1)(*arguments)
    for got, expected in zip(results, stored(name, "out"), strict=True):
        assert_close(got, expected)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_xla_run_takes_the_shapes_of_its_inputs(engine: str) -> None:
    program, arrays = (str(PROGRAMS / f"mean_concatenate.{suffix}") for suffix in ("mlir", "npz"))
    assert xla_run([program, "--engine", engine, "--threads", "1", "--input", arrays, "--expect", arrays]) == 0
