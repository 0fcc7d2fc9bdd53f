"""Every page of the documentation: its blocks are run, it stands in the navigation, and its links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warm_python import run_python

from .run_page import Block, blocks

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
OWN_TESTS = {
    "adding_an_op.md": "tests/integration/test_adding_an_op.py",
    "ahead_of_time.md": "tests/tools/test_xla_compile.py",
    "decisions.md": "tests/decisions/test_model.py",
    "editing.md": "tests/dialects/test_editing.py",
    "editor.md": "tests/integration/test_pages.py",
    "effects.md": "tests/runtime/test_effects_document.py",
    "extending.md": "tests/tools/test_extending_document.py",
    "fusion.md": "tests/decisions/test_fusion.py",
    "html.md": "tests/tools/html/test_document.py",
    "jax.md": "tests/frontends/test_pjrt_document.py",
    "operations.md": "tests/tools/test_operations_table.py",
    "profiling.md": "tests/tools/test_profiling_document.py",
    "python.md": "tests/integration/test_pages.py",
    "reducing.md": "tests/tools/test_reduction.py",
    "schedule.md": "tests/lowering/test_kernels_schedule.py",
    "using_the_dialect.md": "tests/dialects/test_as_a_library.py",
    "xla_opt.md": "tests/tools/test_driver_document.py",
}
"""Pages whose blocks are run by a test that also looks at what they do. All others are run here, by `run_page.py`."""
RUN_HERE = [page for page in PAGES if page.name not in OWN_TESTS]

SLOW = ("index.md", "reading_a_dump.md", "running.md", "testing.md", "tutorial.md")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def executed(page: Path) -> list[Block]:
    return [block for block in blocks(page.read_text("utf-8")) if block.is_executed and block.directive != "not"]


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page.name in SLOW else ()) for page in RUN_HERE if executed(page)],
    ids=named,
)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    if "import jax" in page.read_text("utf-8"):
        pytest.importorskip("jax")
    environment = {**os.environ, "XDSL_XLA_CACHE": "0", "XDSL_XLA_SCHEDULES": str(tmp_path / "tuned.schedules")}
    arguments = [str(Path(__file__).with_name("run_page.py")), str(page), str(tmp_path)]
    code = f"import runpy, sys; sys.argv = {arguments}; runpy.run_path(sys.argv[0], run_name='__main__')"
    done = run_python(code, environment, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.splitlines()[-1]) == len(executed(page))


@pytest.mark.parametrize("name", OWN_TESTS)
def test_pages_with_tests_of_their_own_have_them(name: str) -> None:
    assert (ROOT / "docs" / name).exists()
    assert name in (ROOT / OWN_TESTS[name]).read_text("utf-8")


def test_what_is_not_run_says_why() -> None:
    """Where blocks are run here. A fence without a language is for commands; everything else says what it is."""
    for page in RUN_HERE:
        for block in blocks(page.read_text("utf-8")):
            place = f"{named(page)}:{block.line}"
            assert block.language or block.is_commands, f"{place}: neither commands nor a language"
            if block.directive == "not":
                assert block.is_executed, f"{place}: would not be run anyway"
                assert len(block.argument.split()) >= 3, f"{place}: why not?"


def test_the_marks_of_blocks() -> None:
    text = "text\n\n    $ xla-opt a\n    more\n\n<!-- not run: it takes hours -->\n\n```python\nx\n```\n\n    list\n"
    first, second = blocks(text)
    assert (first.line, first.language, first.text, first.directive) == (3, "", "$ xla-opt a\nmore\n", "")
    assert (second.line, second.language, second.directive, second.argument) == (8, "python", "not", "it takes hours")
    assert first.is_commands and second.is_executed and not second.is_commands


def entries(item: Any) -> Iterator[str]:
    """The pages in a part of the navigation."""
    if isinstance(item, str):
        yield item
    else:
        for each in item.values() if isinstance(item, dict) else item:
            yield from entries(each)


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    found = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)
    assert sorted(found) == sorted(page.name for page in PAGES if page.parent.name == "docs")


def test_links_lead_somewhere() -> None:
    """Those between files of the repository; those within the site, and to headings, are checked by its build."""
    count = 0
    for page in [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CODE_OF_CONDUCT.md"]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if not re.match(r"[a-z]+:", target):
                count += 1
                assert (page.parent / target).exists(), f"{named(page)}: {target}"
    assert count > 50


@pytest.mark.slow
def test_the_site(tmp_path: Path) -> None:
    """Strict: a dead link, a missing heading or a page that the navigation forgets is an error."""
    pytest.importorskip("material")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "XDSL_XLA_REPOSITORY": "https://example.org/our/project"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built = {path.relative_to(tmp_path).parent.as_posix() for path in tmp_path.rglob("index.html")}
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"} <= built
    from xdsl_xla.pipelines import PASSES

    assert {f"passes/{name}" for name in PASSES} <= built
    shown = (tmp_path / "passes" / "stablehlo-expand-batch-norm" / "index.html").read_text("utf-8")
    assert "becomes" in shown and "batch_norm_inference" in shown
    ahead = (tmp_path / "ahead_of_time" / "index.html").read_text("utf-8")
    assert 'href="https://example.org/our/project/blob/main/examples/c"' in ahead
    assert not list(tmp_path.rglob("*.py"))
