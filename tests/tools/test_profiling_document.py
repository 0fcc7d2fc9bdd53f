"""The files and commands of `docs/profiling.md`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl_xla
from tool_calls import call_tool

pytest.importorskip("jax")

DOCUMENT = Path(xdsl_xla.__file__).parent / "docs" / "profiling.md"


@pytest.mark.slow
def test_the_steps_of_the_document(tmp_path: Path) -> None:
    text = DOCUMENT.read_text()
    for name, body in re.findall(r"```\w+\n# (\S+)\n(.*?)```", text, re.DOTALL):
        # The first line, a comment with the name, counts in the lines that JAX writes down.
        (tmp_path / name).write_text(f"# {name}\n{body}")
    commands = re.findall(r"^    \$ (\S+) (.*)$", text, re.MULTILINE)
    assert [tool for tool, _ in commands] == ["python", "xla-run", "python", "xla-run", "xla-opt", "xla-opt"]
    printed: list[str] = []
    for tool, arguments in commands:
        if tool == "python":
            command = [sys.executable, *arguments.split()]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        else:
            done = call_tool(tool, arguments.split(), cwd=tmp_path, check=True)
        printed.append(done.stdout)
    table, by_python = printed[1], printed[2]
    shown = re.search(r"```\n(@main: .*?)```", text, re.DOTALL)
    assert shown is not None
    for output in (table, shown[1]):
        assert "contraction_0" in output and "rows_0" in output and "the program around them" in output
        assert {int(line) for line in re.findall(r"model\.py:(\d+) ", output)} == {7, 8, 12}
    assert "contraction_0" in by_python and "jit(model)/dot_general" in by_python
    files = set(re.findall(r"^\| `(\S+)` \|", text, re.MULTILINE))
    assert {path.name for path in (tmp_path / "profile").iterdir()} == files
    records = json.loads((tmp_path / "profile" / "records.json").read_text())
    assert {each["callee"] for each in records["sites"]} == {"contraction_0", "rows_0"}
    assert 'DISubprogram(name: "norm"' in (tmp_path / "model.ll").read_text()
