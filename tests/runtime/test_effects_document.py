"""The examples of `docs/effects.md`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[2] / "docs" / "effects.md"


def test_examples() -> None:
    """They run one after the other; each asserts what it shows."""
    namespace: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        exec(block, namespace)
