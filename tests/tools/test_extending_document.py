"""`docs/extending.md`: its files, packages, commands and programs, done as it says, outside of this package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.runtime.compile_cache.key import CLOCK_STEP

DOCUMENT = (Path(xdsl_xla.__file__).parent / "docs" / "extending.md").read_text()

PIP = f"{sys.executable} -m pip install --quiet --no-build-isolation --no-deps --disable-pip-version-check"


class Reader:
    """Somebody who does what the document says, in a folder of their own, with a place to install packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "reader"
        self.folder.mkdir()
        self.site = folder / "site"
        path = os.pathsep.join([str(self.site), str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.environment = {
            **os.environ,
            "PYTHONPATH": path,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "XDSL_XLA_CACHE": "1",
            "XDSL_XLA_CACHE_DIR": str(folder / "cache"),
        }
        for name, text in re.findall(r"^```\w+\n(?:#|//) (\S+\.\w+)\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )

    def shell(self, lines: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """The commands of a block, one after the other; `pip` installs into the place for packages."""
        script = "\n".join(lines)
        script = re.sub(r"pip install (?:-e )?(\S+)", rf"{PIP} --upgrade --target '{self.site}' \1", script)
        return self.run(["bash", "-euc", script])

    def python(self, code: str) -> subprocess.CompletedProcess[str]:
        return self.run([sys.executable, "-c", code])


def blocks() -> list[list[str]]:
    """The commands of the document, block by block."""
    found: list[list[str]] = []
    for text in re.findall(r"(?:^    \$ .*\n)+", DOCUMENT, re.MULTILINE):
        found.append([line.removeprefix("    $ ") for line in text.splitlines()])
    return found


def programs() -> list[str]:
    """The blocks of Python that are no files."""
    return [text for text in re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE) if text[0] != "#"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(tmp_path_factory.mktemp("extending"))


@pytest.mark.slow
def test_the_document(reader: Reader) -> None:
    """Its commands in order, each block from the folder that the reader has begun in; then its programs."""
    outputs: dict[str, str] = {}
    for block in blocks():
        *_, last = block
        command, _, failure = last.partition("# fails: ")
        done = reader.shell([*block[:-1], command.strip()])
        assert (done.returncode == 0) != bool(failure), f"{block}\n{done.stdout}{done.stderr}"
        assert failure in done.stderr
        outputs[command.strip()] = done.stdout + done.stderr
    assert len(outputs) == 5
    timed, tests, listed, checked = (
        text for command, text in outputs.items() if "--check-passes" not in command or "geometry" in command
    )
    assert "stablehlo.multiply %x, %x" in timed and "[1. 4. 9.]" in timed and "ms  mine\n" in timed
    assert "double-to-product  stablehlo.add  `x + x` as `x * x`" in timed
    assert (reader.folder / "dumps" / "01_mine.mlir").exists()
    assert tests.count("stablehlo.add %x, %y") == 2 and "every pass keeps the values" in tests and "2 passed" in tests
    assert re.search(r"pass +join-signs +the package join-signs 0.1.0\n", listed)
    assert checked.count("stablehlo.sqrt") == 2 and "[ 5. 13.]" in checked and "ms  geometry-to-stablehlo" in checked
    assert "every pass keeps the values" in checked
    done = [reader.python(code) for code in programs() if "jax" not in code]
    assert [each.stderr for each in done] == ["", ""]
    assert [each.stdout for each in done] == ["", "(array([ 5., 13.], dtype=float32),)\n"]


def installed_join_signs(reader: Reader) -> None:
    """Make what the document has made, if only one test runs."""
    if not (reader.folder / "join-signs").exists():
        assert reader.shell(["xla-opt --new-pass join-signs", "pip install ./join-signs"]).returncode == 0


def test_a_jax_program(reader: Reader) -> None:
    pytest.importorskip("jax")
    installed_join_signs(reader)
    (code,) = [code for code in programs() if "jax" in code]
    done = reader.python(code)
    assert (done.returncode, done.stdout) == (0, "[1. 2. 3.]\n"), done.stderr


def test_what_fails_is_shown_as_the_document_says(reader: Reader) -> None:
    (shown,) = re.findall(r"```\n(bad\.py:12.*?)```", DOCUMENT, re.DOTALL)
    pattern = re.search(r"@pattern\n.*?\n\n\n", (reader.folder / "mine.py").read_text(), re.DOTALL)
    assert pattern is not None
    head = "@pattern\ndef third_operand(op: stablehlo.AddOp, rewriter: Rewriter) -> Replacement:\n"
    body = f"{head}    return op.operands[2]\n\n\n"
    text = (reader.folder / "mine.py").read_text().replace(pattern[0], body)
    text = text.replace("double_to_product", "third_operand").replace('"mine"', '"bad"', 1)
    (reader.folder / "bad.py").write_text(text)
    done = reader.run(["xla-opt", "double.mlir", "--load-pass", "bad.py", "-p", "bad"])
    assert (done.returncode, done.stderr) == (1, shown)


CACHED = """
import xdsl_xla
from sys import modules
compiled = xdsl_xla.compile("join-signs/tests/join_signs.mlir", pipeline="join-signs-xla-cpu")
print(compiled([2] * 4, [3] * 4)[0][0], compiled.is_from_cache, "join_signs" in modules)
"""


@pytest.mark.slow
def test_an_edited_pass_is_compiled_anew(reader: Reader) -> None:
    """The cache knows the files of a package, and asks for them without importing it. The tests that come with a new
    pass see that it is wrong then.
    """
    installed_join_signs(reader)
    installed = reader.site / "join_signs" / "join_signs.py"
    before = installed.read_text()
    assert [reader.python(CACHED).stdout for _ in range(2)][1] == "5.0 True False\n"
    installed.write_text(before.replace("stablehlo.AddOp, (op", "stablehlo.MulOp, (op"))
    time.sleep(2 * CLOCK_STEP / 1e9)  # a process that begins within one step of a change does not trust the file
    assert [reader.python(CACHED).stdout for _ in range(2)] == ["6.0 False True\n", "6.0 True False\n"]
    assert "2 failed" in reader.shell(["cd join-signs", "pytest"]).stdout
    installed.write_text(before)
    assert reader.python(CACHED).stdout == "5.0 False True\n"
