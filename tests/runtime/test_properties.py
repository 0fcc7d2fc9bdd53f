"""Properties that are computed once, by whoever asks first, without a lock."""

from __future__ import annotations

import threading
from pathlib import Path

from xdsl_xla.properties import cached_property

ROOT = Path(__file__).parents[2]


def test_it_is_computed_once() -> None:
    class Circle:
        times = 0

        @cached_property
        def area(self) -> float:
            self.times += 1
            return 3.0

    circle = Circle()
    assert [circle.area, circle.area, circle.times] == [3.0, 3.0, 1]
    assert isinstance(Circle.area, cached_property)


def test_nobody_waits_for_another_thread() -> None:
    started, done = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, waits: bool) -> None:
            self.waits = waits

        @cached_property
        def value(self) -> bool:
            started.set()
            return done.wait(60) if self.waits else True

    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(Slow(True).value))
    thread.start()
    assert started.wait(60)
    assert Slow(False).value
    done.set()
    thread.join()
    assert found == [True]


def test_all_sources_use_it() -> None:
    rooms = ("decisions", "dialects", "frontends", "ir", "lowering", "passes", "reference", "runtime", "tools")
    sources = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    assert len(sources) > 500
    of_functools = "functools.cached_property", "import cached_property, ", ", cached_property\n"
    for path in sources:
        text = path.read_text()
        assert not any(use in text for use in of_functools), path
        assert "from functools import cached_property" not in text, path
