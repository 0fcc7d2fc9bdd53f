"""The commands of `docs/html.md`, as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import xdsl_xla
from pages import STAGES, contents_of
from xdsl_xla.tools import xla_opt, xla_run

ROOT = Path(xdsl_xla.__file__).parent
DOCUMENT = (ROOT / "docs" / "html.md").read_text()
PROGRAM = re.search(r"```mlir\n// softmax.mlir\n(.*?)```", (ROOT / "docs" / "schedule.md").read_text(), re.DOTALL)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert PROGRAM is not None
    monkeypatch.chdir(tmp_path)
    Path("softmax.mlir").write_text(PROGRAM[1])
    (profile,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    Path("seconds.json").write_text(profile)
    commands = [shlex.split(line) for line in re.findall(r"^    \$ (.*)", DOCUMENT, re.MULTILINE)]
    assert len(commands) == 4
    for name, *arguments in commands:
        assert {"xla-opt": xla_opt, "xla-run": xla_run}[name].main(arguments) == 0
    names = {path.name: len(contents_of(path.read_text())["stages"]) for path in Path().glob("*.html")}
    assert names == {"out.html": STAGES, "two_passes.html": 3}
    contents = contents_of(Path("out.html").read_text())
    assert contents["profile"].keys() <= {schedule["kernel"] for schedule in contents["schedules"]}
    (block,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    Path("out.html").unlink()
    exec(block, {})
    assert len(contents_of(Path("out.html").read_text())["stages"]) == STAGES


def test_its_keys_are_those_of_the_page() -> None:
    keys = (ROOT / "tools" / "html" / "static" / "keys.js").read_text()
    table = DOCUMENT[DOCUMENT.index("## Keys") : DOCUMENT.index("## In a notebook")]
    for key in re.findall(r"`([jkJKnNdcbt/?])`", table):
        assert re.search(rf'[\s"]{re.escape(key)}[\s",]', keys), key
