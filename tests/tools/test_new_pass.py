"""`xla-opt --new-pass`: names and folders that it does not take. What it writes works: `test_extending_document.py`."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from xdsl_xla.tools import xla_opt
from xdsl_xla.tools.new_pass_files import files


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Foo", "expected words of small letters and digits"),
        ("", "expected words of small letters and digits"),
        ("a--b", "expected words of small letters and digits"),
        ("../x", "expected words of small letters and digits"),
        ("json", "Python has 'json' already"),
        ("numpy", "Python has 'numpy' already"),
        ("class", "Python has 'class' already"),
        ("cse", "there is a pass or a pipeline of this name"),
        ("xla-cpu", "there is a pass or a pipeline of this name"),
    ],
)
def test_names_that_are_refused(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert xla_opt.main(["--new-pass", name]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside what is there, and never over it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "README.md").write_text("mine")
    assert xla_opt.main(["--new-pass", "turn-over", "--directory", "there"]) == 1
    assert "README.md: exists already" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["README.md"]
    assert xla_opt.main(["--new-pass", "turn-over", "--directory", "there/README.md"]) == 1
    assert "error: there/README.md" in capsys.readouterr().err
    assert xla_opt.main(["--directory", "a/b", "--new-pass", "turn-over"]) == 0
    assert "    cd a/b\n" in capsys.readouterr().out
    assert (
        xla_opt.main(["a/b/tests/turn_over.mlir", "-p", "turn-over", "--load-pass", "a/b/turn_over/turn_over.py"]) == 0
    )
    assert "stablehlo.add %x, %y" in capsys.readouterr().out
    assert xla_opt.main(["--directory", "a/b"]) == 2
    assert "--directory is for --new-pass" in capsys.readouterr().err


def test_no_placeholder_is_left() -> None:
    texts = files("turn-over", "turn_over", "TurnOverPass")
    assert [path for path, text in texts.items() if re.search(r"@[A-Z]+@", path + text)] == []
    tomllib.loads(texts["pyproject.toml"])
    for path, text in texts.items():
        if path.endswith(".py"):
            ast.parse(text)
            assert max(map(len, text.splitlines())) <= 120


def test_nothing_is_hidden_from_checkers() -> None:
    for path, text in files("turn-over", "turn_over", "TurnOverPass").items():
        assert "noqa" not in text and "type: ignore" not in text and "pyright:" not in text, path
