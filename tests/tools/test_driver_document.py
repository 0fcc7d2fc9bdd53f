"""docs/xla_opt.md: its commands run, its tables name all flags, its list is of files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import xdsl_xla
from tool_calls import call_tool
from xdsl_xla.tools.driver.command_line import CommandParser
from xdsl_xla.tools.driver.flags import add_mlir_flags
from xdsl_xla.tools.upstream_tests.__main__ import LISTED

DOCUMENT = (Path(xdsl_xla.__file__).parent / "docs" / "xla_opt.md").read_text()
FILES = re.findall(r"```mlir\n// (\S+)\n(.*?)```", DOCUMENT, re.DOTALL)
COMMANDS = re.findall(r"^    \$ xla-opt (.*)$", DOCUMENT, re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("document")
    for name, text in FILES:
        (path / name).write_text(text)
    return path


def test_commands(folder: Path) -> None:
    assert len(COMMANDS) >= 9
    for command in COMMANDS:
        done = call_tool("xla-opt", shlex.split(command), cwd=folder)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert list((folder / "levels").rglob("*.mlir")) and (folder / "kernels.mlir").exists()


def test_tables_name_the_flags() -> None:
    named = set(re.findall(r"`(--[\w-]+)", "\n".join(re.findall(r"^\|.*\|$", DOCUMENT, re.MULTILINE))))
    parser = CommandParser("tool", "")
    add_mlir_flags(parser)
    for flag in re.findall(r"^  (--[\w-]+)", parser.format_help(), re.MULTILINE):
        assert flag in named, flag


def test_enough_of_upstreams_files_pass() -> None:
    assert len(LISTED.findall(DOCUMENT.partition("## MLIR's own tests")[2])) >= 30
