"""Functions exported by JAX run without it: `exported/NAME.jaxexport` with inputs and XLA's results in `NAME.npz`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tool_calls import call_tool
from xdsl_xla import XlaError, compile
from xdsl_xla.frontends.jax_export import is_jax_export, read_exported_module, read_jax_export
from xdsl_xla.runtime.verifying import verify_module

EXPORTED = sorted((Path(__file__).parent / "exported").glob("*.jaxexport"))
DAMAGES = 60


@pytest.mark.parametrize("path", EXPORTED, ids=lambda path: path.stem)
def test_runs_as_on_xla(path: Path) -> None:
    archive = path.with_suffix(".npz")
    result = call_tool("xla-run", [str(path), "--input", str(archive), "--expect", str(archive)])
    assert result.returncode == 0, result.stdout + result.stderr
    assert "outputs as expected" in result.stdout


def test_jax_is_not_needed() -> None:
    program = (
        f"import sys, numpy, xdsl_xla; f = xdsl_xla.compile({str(EXPORTED[1])!r});"
        "f(*[numpy.zeros(spec.shape, spec.dtype) for spec in f.signature.inputs]);"
        "sys.exit(any(name.split('.')[0] in ('jax', 'jaxlib', 'flatbuffers') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_what_the_export_says() -> None:
    path = next(path for path in EXPORTED if path.stem == "recurrent")
    exported = read_jax_export(path.read_bytes(), path.name)
    assert exported.function_name == "recurrent"
    assert exported.platforms == ("cpu",)
    assert exported.kept_arguments == (0, 1)
    assert exported.calling_convention_version >= 9
    assert [function.sym_name.data for function in exported.module.ops][:1] == ["main"]  # pyright: ignore


def _read(data: bytes) -> str:
    """What comes of reading and verifying the bytes."""
    try:
        verify_module(read_exported_module(data, "damaged"))
    except XlaError as error:
        return str(error)
    return ""


def test_text_is_no_export() -> None:
    assert not is_jax_export(b"module {}")
    assert "neither a program" in _read(b"module {}")
    with pytest.raises(XlaError, match=r"neither a program|not MLIR|ends"):
        compile(b"\x10\0\0\0ML\xefR" + bytes(40))


@pytest.mark.parametrize("path", EXPORTED, ids=lambda path: path.stem)
def test_truncated_exports_are_errors(path: Path) -> None:
    data = path.read_bytes()
    random = np.random.default_rng(len(data))
    for size in random.integers(0, len(data) - 400, DAMAGES).tolist():
        start = time.process_time()
        assert _read(data[:size]), size
        assert time.process_time() - start < 1


@pytest.mark.parametrize("path", EXPORTED, ids=lambda path: path.stem)
def test_damaged_exports_do_no_harm(path: Path) -> None:
    """Changed bytes give another program or an error that says where, soon and without a traceback."""
    original = path.read_bytes()
    random = np.random.default_rng(len(original))
    errors = 0
    for _ in range(DAMAGES):
        data = bytearray(original)
        for _ in range(int(random.integers(1, 6))):
            data[int(random.integers(len(data)))] = int(random.integers(256))
        start = time.process_time()
        errors += bool(_read(bytes(data)))
        assert time.process_time() - start < 1
    assert errors > DAMAGES // 10
