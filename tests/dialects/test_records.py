"""Records with some fields changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import pytest
from xdsl_xla.dialects.records import changed


@dataclass(frozen=True)
class Box:
    width: int
    height: int = 2

    @cached_property
    def area(self) -> int:
        return self.width * self.height


def test_is_what_replace_makes() -> None:
    box = Box(3)
    assert changed(box, width=5) == replace(box, width=5) == Box(5)
    assert changed(box) == box and changed(box) is not box


def test_what_was_computed_is_computed_anew() -> None:
    box = Box(3)
    assert box.area == 6
    assert changed(box, height=4).area == 12
    assert box.area == 6


def test_what_is_no_field_is_an_error() -> None:
    with pytest.raises(TypeError, match="Box has no field area"):
        changed(Box(3), area=1)
