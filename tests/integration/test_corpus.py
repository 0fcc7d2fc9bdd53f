"""Whole programs from JAX against the outputs XLA computed, on both engines and through text at every level."""

from __future__ import annotations

import shutil
import subprocess
from io import StringIO
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.traits import SymbolTable
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.pipelines import PIPELINES, expand
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module

CORPUS = Path(__file__).parents[1] / "corpus"
PROGRAMS = sorted(path.stem for path in CORPUS.glob("*.mlir"))
TOLERANCES = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 2e-2,
    "bfloat16": 2e-2,
}
"""Relative to each element, and a tenth of it relative to the largest; 16-bit values are rounded at other places than
in XLA, twice to eight bits at worst."""
LARGE = ["complex_arith", "mlp_train_step", "resnet_grad", "sorts", "transformer_block", "transformer_block_grad"]
DEEP = ["control_flow", "heat_stencil", "lstm", *(pytest.param(each, marks=pytest.mark.slow) for each in LARGE)]
"""Programs that are checked after every single pass."""
MLIR_OPT = shutil.which("mlir-opt-22")


def arrays(name: str, prefix: str) -> list[np.ndarray]:
    """The stored arrays `in0`, ... or `out0`, ...; `bfloat16` is stored as the bits in `uint16`."""
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name)
    main = SymbolTable.lookup_symbol(module, "main")
    assert isinstance(main, FuncOp)
    types = main.function_type.inputs if prefix == "in" else main.function_type.outputs
    with np.load(CORPUS / f"{name}.npz") as data:
        return [
            data[f"{prefix}{i}"].view(dtype) if dtype == ml_dtypes.bfloat16 else data[f"{prefix}{i}"]
            for i, (_, dtype) in enumerate(map(shape_and_dtype, types))
        ]


def check(name: str, results: tuple[np.ndarray, ...]) -> None:
    expected = arrays(name, "out")
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == wanted.dtype
        if wanted.dtype.kind in "iub":
            np.testing.assert_array_equal(result, wanted)
            continue
        rtol = TOLERANCES[wanted.dtype.name]
        wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
        result, wanted = result.astype(wide), wanted.astype(wide)
        scale = float(np.max(np.abs(wanted), where=np.isfinite(wanted), initial=0.0))
        np.testing.assert_allclose(result, wanted, rtol=rtol, atol=rtol * 0.1 * scale)


def text(module: ModuleOp, generic: bool = False) -> str:
    stream = StringIO()
    ExactPrinter(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.brief)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_native(name: str, threads: int) -> None:
    executable = compile(CORPUS / f"{name}.mlir", threads=threads, verify=threads == 1)
    check(name, executable(*arrays(name, "in")))


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_shortest_way_down(name: str) -> None:
    executable = compile(CORPUS / f"{name}.mlir", threads=2, pipeline="xla-cpu-O0")
    check(name, executable(*arrays(name, "in")))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", DEEP)
def test_every_level_is_text(name: str) -> None:
    """After each pass the module is printed, read back and continued from there: the code is the same as without that.
    From level 2 on, upstream's verifier takes each level as it is written, and in generic form after it was read back;
    only `xrt` ops and schedules are unregistered.
    """
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    levels: dict[str, str] = {}
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
        verify_module(module)
        written = text(module)
        module = parse_module(written, f"{name} after {module_pass.name}", context)
        assert text(module) == written, f"after {module_pass.name}"
        if "stablehlo." not in written and "chlo." not in written and written not in levels:
            levels[written] = text(module, generic=True)
    assert len(levels) >= 10
    assert text(module) == text(_lowered(name))
    if MLIR_OPT is not None:
        _check_upstream([form for each in levels.items() for form in each])


def _lowered(name: str) -> ModuleOp:
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
    return module


def _check_upstream(forms: list[str]) -> None:
    """All of them in two processes: starting one takes longer than reading a form."""
    ours = [any(word in form for word in ("xrt.", "#schedule.", "fourier.")) for form in forms]
    for flags in ([], ["--allow-unregistered-dialect"]):
        part = "// -----\n".join(form for form, own in zip(forms, ours, strict=True) if own == bool(flags))
        command = [str(MLIR_OPT), "--split-input-file", "-o", "/dev/null", *flags]
        done = subprocess.run(command, input=part, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr[:2000]
