"""Which tests are not run by default: those marked `slow`, and most cases of those marked `sample(count)`."""

from __future__ import annotations

import gc
import zlib
from collections import defaultdict
from typing import Any

import pytest

DEFAULT = "not slow"
"""The expression of marks in `pytest.ini`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests as well as all others")


def pytest_configure(config: pytest.Config) -> None:
    """What is named is run: a test, or a lit test, which is a file."""
    named = bool(config.args) and all("::" in word or word.endswith((".mlir", ".hlo")) for word in config.args)
    if config.option.markexpr == DEFAULT and (config.option.slow or named):
        config.option.markexpr = ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Cases are drawn by their names: another one, or another order, changes hardly any."""
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") is not None:
            families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        (count,) = family[0].get_closest_marker("sample").args
        for item in sorted(family, key=_draw)[count:]:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Thousands of tests live to the end: the collector need not look at them each time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Workers get neighbours, which share what they have compiled, and the rest of those that are behind."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.option.dist == "load" else None


def _draw(item: pytest.Item) -> int:
    return zlib.crc32(item.nodeid.partition("::")[2].encode())
