"""`docs/semantics.md` names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "semantics.md"
ROWS = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ") and "---" not in line]
CASES = [row for row in ROWS if not row.startswith("| case ")]


@pytest.mark.parametrize("row", CASES, ids=lambda row: row.split("|")[1].strip())
def test_each_row_names_its_test(row: str) -> None:
    match = re.search(r"\| `(\w+\.py)::(\w+)` \|$", row)
    assert match is not None, row
    assert any(f"def {match[2]}(" in file.read_text() for file in HERE.parent.rglob(match[1]))
