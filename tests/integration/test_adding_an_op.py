"""`docs/adding_an_op.md`: what it says, done as it says, is an op."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("decisions", "dialects", "frontends", "ir", "lowering", "passes", "reference", "runtime", "tools")
PROGRAM = """
func.func @main(%x: tensor<2x3xTYPE>, %y: tensor<2x3xTYPE>) -> tensor<2x3xTYPE> {
  %0 = stablehlo.squared_distance %x, %y : tensor<2x3xTYPE>
  return %0 : tensor<2x3xTYPE>
}
"""


def edits() -> list[tuple[str, str]]:
    """The files and the code of the example, in order."""
    example = (ROOT / "docs" / "adding_an_op.md").read_text().partition("## An example")[2]
    found, file = [], ""
    for text, code in re.findall(r"(.*?)```python\n(.*?)```", example, re.DOTALL):
        named = re.findall(r"`([a-z_/]+\.py)`", text)
        file = named[0] if named else file
        found.append((file, code))
    return found


def edited(source: str, code: str) -> str:
    """`source` with `code` at its end, or where the first line of the code says."""
    place = re.match(r"# (before|in) (\w+)\n", code)
    if place is None:
        return f"{source}\n\n{code}"
    code = code[place.end() :]
    (start,) = re.finditer(rf"^{place[2]}\b.*\n", source, re.MULTILINE)
    at = start.start() if place[1] == "before" else start.end()
    return source[:at] + code + source[at:]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that has the op; the folder it is imported from."""
    folder = tmp_path_factory.mktemp("with_an_op")
    copy = folder / "xdsl_xla"
    copy.mkdir()
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.glob("*.py"):
        shutil.copy(path, copy)
    for file, code in edits():
        (copy / file).write_text(edited((copy / file).read_text(), code))
    return folder


def run(package: Path, tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(package), "XDSL_XLA_CACHE": "0"}
    command = [sys.executable, "-m", f"xdsl_xla.tools.{tool}", *arguments]
    return subprocess.run(command, cwd=package, env=environment, capture_output=True, text=True, check=False)


def program(package: Path, element: str) -> str:
    path = package / f"{element}.mlir"
    path.write_text(PROGRAM.replace("TYPE", element))
    return str(path)


def test_the_document_names_four_edits() -> None:
    assert [file for file, _ in edits()] == [
        "dialects/stablehlo/elementwise_binary.py",
        "reference/arithmetic.py",
        *["lowering/convert_stablehlo_to_linalg/elementwise.py"] * 2,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "ui16"])
def test_native_code_computes_what_the_reference_does(package: Path, element: str) -> None:
    done = run(package, "xla_run", program(package, element), "--compare", "reference")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_it_prints_parses_and_fuses(package: Path) -> None:
    file = program(package, "f32")
    text = run(package, "xla_opt", file)
    assert "stablehlo.squared_distance %" in text.stdout and ": tensor<2x3xf32>" in text.stdout
    generic = run(package, "xla_opt", file, "--print-op-generic")
    assert '"stablehlo.squared_distance"(' in generic.stdout
    loops = run(package, "xla_opt", file, "-p", "xla-cpu")
    assert "llvm.fsub" in loops.stdout and "llvm.fmul" in loops.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("element", "message"), [("i1", "stablehlo.squared_distance"), ("complex<f32>", "no scalar op")]
)
def test_what_it_does_not_take_is_an_error(package: Path, element: str, message: str) -> None:
    done = run(package, "xla_run", program(package, element))
    assert done.returncode == 1
    assert message in done.stderr and "Traceback" not in done.stderr and "internal" not in done.stderr
