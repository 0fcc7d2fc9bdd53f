"""What locations say."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute
from xdsl_xla.dialects.source_lines import NOWHERE, Frame, Origin, origin_of
from xdsl_xla.runtime.mlir_text import parse_module

STACK = 'callsite("g"("model.py":9:8) at callsite("f"("model.py":14:17) at "<module>"("model.py":20:1)))'
FRAMES = (Frame("g", "model.py", 9, 8), Frame("f", "model.py", 14, 17), Frame("<module>", "model.py", 20, 1))


def parsed(location: str) -> Attribute:
    return parse_module(f"module {{}} loc({location})").location


@pytest.mark.parametrize(
    ("location", "origin"),
    [
        ('"a.mlir":3:5', Origin(None, (), Frame(None, "a.mlir", 3, 5))),
        (f'"jit(f)/exp"({STACK})', Origin("jit(f)/exp", FRAMES, None)),
        (STACK, Origin(None, FRAMES, None)),
        ('"jit(f)/exp"("model.py":9:8)', Origin("jit(f)/exp", (Frame(None, "model.py", 9, 8),), None)),
        ('"jit(f)"("<module>"("model.py":9:8))', Origin("jit(f)", (Frame("<module>", "model.py", 9, 8),), None)),
        ('"x"', Origin("x", (), None)),
        (r'"\E6\97\A5.mlir":3:5', Origin(None, (), Frame(None, "日.mlir", 3, 5))),
        (r'"\E6\97\A5"("\E6\97\A5.py":9:8)', Origin("日", (Frame(None, "日.py", 9, 8),), None)),
        (r'"\FF"', Origin("\ufffd", (), None)),
        ('fused["a.mlir":3:5, "b.mlir":4:1]', Origin(None, (), Frame(None, "a.mlir", 3, 5))),
        ('fused[unknown, "b.mlir":4:1]', Origin(None, (), Frame(None, "b.mlir", 4, 1))),
        (
            f'fused<"in text">["jit(f)/exp"({STACK}), "a.mlir":3:5]',
            Origin("jit(f)/exp", FRAMES, Frame(None, "a.mlir", 3, 5)),
        ),
        (
            'fused<"in text">["user.py":7:3, "a.mlir":3:5]',
            Origin(None, (Frame(None, "user.py", 7, 3),), Frame(None, "a.mlir", 3, 5)),
        ),
    ],
)
def test_origins(location: str, origin: Origin) -> None:
    assert origin_of(parsed(location)) == origin


def test_the_line_to_name_is_the_user_s() -> None:
    assert str(origin_of(parsed(f'fused<"in text">["exp"({STACK}), "a.mlir":3:5]')).line) == "model.py:9"
    assert str(origin_of(parsed('"a.mlir":3:5')).line) == "a.mlir:3"
    assert NOWHERE.line is None


def test_nothing_is_said() -> None:
    assert origin_of(UnknownLoc()) == NOWHERE
    assert origin_of(parsed("fused[unknown]")) == NOWHERE
