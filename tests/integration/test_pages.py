"""What the pages on Python and on editors show."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest
from xdsl_xla.tools import xla_lsp

ROOT = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_the_page_on_python_runs() -> None:
    pytest.importorskip("jax")
    namespace: dict[str, Any] = {}
    sessions = 0
    for number, block in enumerate(blocks("python.md", "python")):
        if not block.startswith(">>>"):
            exec(block, namespace)
            continue
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        test = doctest.DocTestParser().get_doctest(block, namespace, f"block {number}", "python.md", 0)
        runner.run(test, clear_globs=False)
        namespace.update(test.globs)
        assert runner.failures == 0
        sessions += 1
    assert sessions == 2


def test_the_page_on_editors_names_the_command() -> None:
    settings, package = map(json.loads, blocks("editor.md", "json"))
    assert settings["mlir.server_path"].endswith(xla_lsp.argument_parser().prog)
    assert package["main"] == "./extension.js"
    for language in ("js", "lua", "elisp"):
        (block,) = blocks("editor.md", language)
        assert '"xla-lsp"' in block
    options = {option for action in xla_lsp.argument_parser()._actions for option in action.option_strings}
    named = set(re.findall(r"`(--[a-z]+)", (ROOT / "docs" / "editor.md").read_text()))
    assert named and named <= options
