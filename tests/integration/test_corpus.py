"""Whole programs from JAX against the outputs XLA computed, on both engines and through text at every level."""

from __future__ import annotations

import shutil
import subprocess
from io import StringIO
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.traits import SymbolTable
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.pipelines import PIPELINES, expand
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import new_context, parse_module, verify_module
from xdsl_xla.runtime.pass_manager import parse_passes

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
DEEP = [
    "complex_arith",
    "heat_stencil",
    "lstm",
    "mlp_train_step",
    "resnet_grad",
    "transformer_block",
    "transformer_block_grad",
]
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


@pytest.mark.parametrize("name", PROGRAMS)
def test_reference(name: str) -> None:
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name)
    check(name, interpreter.run(module, "main", arrays(name, "in")))


@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.brief)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_native(name: str, threads: int) -> None:
    executable = compile(CORPUS / f"{name}.mlir", threads=threads, verify=threads == 1)
    check(name, executable(*arrays(name, "in")))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_shortest_way_down(name: str) -> None:
    executable = compile(CORPUS / f"{name}.mlir", threads=2, pipeline="xla-cpu-O0")
    check(name, executable(*arrays(name, "in")))


@pytest.mark.parametrize("name", DEEP)
def test_every_level_is_text(name: str) -> None:
    """After each pass the module is printed, read back and continued from there; the result still is right."""
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
        module = parse_module(text(module), f"{name} after {module_pass.name}", context)
    source = CORPUS / f"{name}.mlir"
    executable = compile(source, threads=2)
    expected = executable(*arrays(name, "in"))
    check(name, expected)
    assert text(module) == text(_lowered(source, context))


def _lowered(source: Path, context: Context) -> ModuleOp:
    module = parse_module(source.read_text(), source.stem, context)
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
    return module


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", DEEP)
def test_upstream_accepts_every_level(name: str) -> None:
    """From level 2 on, upstream's verifier takes each level as it is written, and in generic form after it was read
    back; only `xrt` ops and schedules are unregistered.
    """
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    seen: set[str] = set()
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
        verify_module(module)
        written = text(module)
        if "stablehlo." in written or "chlo." in written or written in seen:
            continue
        seen.add(written)
        read = parse_module(written, f"{name} after {module_pass.name}")
        assert text(read) == written
        for form in (written, text(read, generic=True)):
            command = [str(MLIR_OPT), "-o", "/dev/null"]
            if "xrt." in form or "#schedule." in form or "fourier." in form:
                command.append("--allow-unregistered-dialect")
            done = subprocess.run(command, input=form, text=True, capture_output=True, check=False)
            assert done.returncode == 0, f"after {module_pass.name}: {done.stderr[:2000]}"
    assert len(seen) >= 10


@pytest.mark.parametrize("name", ["complex_arith", "control_flow", "heat_stencil", "sorts"])
def test_a_printed_level_continues_to_the_same_code(name: str) -> None:
    """Each level, written to text and read back, becomes the same LLVM dialect as without that."""
    passes = parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)})
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    levels: dict[str, int] = {}
    for number, module_pass in enumerate(passes, 1):
        module_pass.apply(context, module)
        levels.setdefault(text(module), number)
    assert len(levels) >= 10
    for written, number in levels.items():
        context = new_context()
        read = parse_module(written, name, context)
        for module_pass in passes[number:]:
            module_pass.apply(context, read)
        assert text(read) == text(module), f"after {passes[number - 1].name}"
