"""The names that begin with `xrt.` stand in one file; the attributes among them say who writes and reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.dialects import xrt_names
from xdsl_xla.dialects.xrt_attributes import ATTRIBUTES
from xdsl_xla.pipelines import PASSES

ROOT = Path(xdsl_xla.__file__).parent
SOURCES = [
    path
    for folder in ("dialects", "ir", "reference", "passes", "lowering", "runtime", "frontends", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(xrt_names.__file__)
]
LITERAL = re.compile(r'(?<!name = )"xrt\.[\w.]*"')


def test_names_stand_in_one_file() -> None:
    assert len(SOURCES) > 300
    found = {str(path.relative_to(ROOT)): LITERAL.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_writers_and_readers_exist(name: str) -> None:
    declared = ATTRIBUTES[name]
    assert name in vars(xrt_names).values()
    assert declared.writers
    assert set(declared.writers) <= PASSES.keys()
    places = {reader for reader in declared.readers if not reader.startswith("every pass")}
    assert {place for place in places if place not in PASSES and not (ROOT / place).exists()} == set()
