"""What tests of the compile cache share."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl_xla.runtime.compile_cache import folder, key


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test. Sources may be as new as they like."""
    directory = tmp_path / "cache"
    monkeypatch.setenv(folder.SWITCH, "1")
    monkeypatch.setenv(folder.FOLDER, str(directory))
    monkeypatch.setattr(key, "IMPORTED_AT", 2**62)
    return directory
