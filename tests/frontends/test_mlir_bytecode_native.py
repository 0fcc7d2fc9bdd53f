"""Bytecode with the properties of each op in a form of their own: what MLIR's bindings in jaxlib and mlir-opt write."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
import xdsl_xla
from test_mlir_bytecode import PROGRAMS, modules_of
from test_mlir_bytecode_writer import MERGED, levels_of
from test_mlir_bytecode_writer import PROGRAMS as CORPUS
from upstream import _CONTEXT, ir, printed  # pyright: ignore
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.frontends.mlir_bytecode import read_bytecode
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

MLIR_OPT = shutil.which("mlir-opt-22")
VERSIONS = (4, 5, 6)


def _written(text: str, version: int) -> bytes:
    """What jaxlib writes of a program."""
    buffer = io.BytesIO()
    with _CONTEXT, ir.Location.unknown():
        ir.Module.parse(text).operation.write_bytecode(buffer, desired_version=version)
    return buffer.getvalue()


@pytest.mark.sample(20)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_reads_what_jaxlib_writes(path: Path) -> None:
    for module in modules_of(path):
        text = printed(module)
        with _CONTEXT, ir.Location.unknown():
            wanted = str(ir.Module.parse(text))
        for version in VERSIONS:
            got = read_bytecode(_written(text, version))
            verify_module(got)
            with _CONTEXT, ir.Location.unknown():
                assert str(ir.Module.parse(printed(got))) == wanted, version


def test_a_program_of_jaxlib_runs() -> None:
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.add %x, %x : tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    (result,) = xdsl_xla.compile(_written(text, 6), cache=False)([1, 2, 3])
    assert result.tolist() == [2, 4, 6]


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt of LLVM 22")
@pytest.mark.sample(6)
@pytest.mark.parametrize("name", CORPUS)
def test_reads_what_mlir_opt_writes(name: str) -> None:
    """Of every level with ops of upstream's dialects alone."""
    levels = [text for level in levels_of(name) if not any(word in (text := MERGED.text(level)) for word in FOREIGN)]
    text = MERGED.text(ModuleOp([ModuleOp([parse_module(level)]) for level in levels]))
    for version in VERSIONS:
        command = [str(MLIR_OPT), "--emit-bytecode", f"--emit-bytecode-version={version}"]
        written = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        assert written.returncode == 0, written.stderr[:500]
        got = read_bytecode(written.stdout)
        verify_module(got)
        command = [str(MLIR_OPT), "--mlir-print-op-generic"]
        wanted, again = (
            subprocess.run(command, input=form.encode(), capture_output=True, check=False)
            for form in (text, MERGED.text(got))
        )
        assert again.returncode == 0, again.stderr[:500]
        assert again.stdout == wanted.stdout


FOREIGN = ("stablehlo.", "chlo.", "xrt.", "schedule", "check.")


def test_properties_of_an_unknown_op_are_refused() -> None:
    if MLIR_OPT is None:
        pytest.skip("needs mlir-opt of LLVM 22")
    text = "async.func @f() -> !async.token { return }"
    written = subprocess.run([MLIR_OPT, "--emit-bytecode"], input=text.encode(), capture_output=True, check=True)
    with pytest.raises(UnsupportedError, match=r"'async.func': no such op.*--emit-bytecode-version=4"):
        read_bytecode(written.stdout)
