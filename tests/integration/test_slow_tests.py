"""Which tests are run by default, and which by `-m slow`, by `--slow`, and by name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from warm_python import run_python

TESTS = Path(__file__).parents[1]
CASES = """
import pytest

@pytest.mark.sample(3)
@pytest.mark.parametrize("case", range(10))
def test_cases(case): pass

@pytest.mark.slow
def test_campaign(): pass

def test_other(): pass
"""


def collected(folder: Path, *arguments: str) -> list[str]:
    """The tests that pytest collects, with this project's settings."""
    (folder / "test_some.py").write_text(CASES)
    (folder / "conftest.py").write_text('pytest_plugins = ["slow_tests"]')
    settings = (TESTS / "pytest.ini").read_text()
    (folder / "pytest.ini").write_text(settings.replace("    .\n", f"    {TESTS}\n"))
    code = f"import pytest; pytest.main({['--co', '-q', '-v', '-p', 'no:cacheprovider', *arguments]})"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = run_python(f"import os; os.chdir({str(folder)!r}); {code}", environment)
    return re.findall(r"::(\S+)", done.stdout)


def test_what_is_run_when(tmp_path: Path) -> None:
    quick = collected(tmp_path, "test_some.py")
    slow = collected(tmp_path, "-m", "slow", "test_some.py")
    assert len(quick) == 4 and "test_other" in quick
    assert len(slow) == 8 and "test_campaign" in slow
    assert sorted(quick + slow) == sorted(collected(tmp_path, "--slow", "test_some.py"))
    assert collected(tmp_path, "test_some.py::test_campaign") == ["test_campaign"]
    assert len(collected(tmp_path, "test_some.py::test_cases")) == 10
