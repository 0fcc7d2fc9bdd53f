"""Parts of axes, and lists of them."""

from __future__ import annotations

from xdsl_xla.dialects.sdy.shardings import AxisRef, Mesh
from xdsl_xla.ir.sharding_propagation.parts import (
    Part,
    agreed,
    appended,
    axis_of,
    begins_list,
    extends,
    part_of,
    truncated,
    without_overlap,
)

MESH = Mesh((("x", 8), ("y", 2)))
X, Y = Part("x", 1, 8), Part("y", 1, 2)
OUTER, MIDDLE, INNER = Part("x", 1, 2), Part("x", 2, 2), Part("x", 4, 2)


def test_whole_axes_are_written_without_numbers() -> None:
    assert part_of(AxisRef("x"), MESH) == X and axis_of(X, MESH) == AxisRef("x")
    assert part_of(AxisRef("x", 2, 2), MESH) == MIDDLE and axis_of(MIDDLE, MESH) == AxisRef("x", 2, 2)


def test_overlaps() -> None:
    assert X.overlaps(MIDDLE) and X.contains(MIDDLE) and not MIDDLE.contains(X)
    assert not OUTER.overlaps(MIDDLE) and not X.overlaps(Y)
    assert OUTER.begins(X) and not MIDDLE.begins(X) and not X.begins(OUTER)


def test_what_is_left_beside_others() -> None:
    assert without_overlap(X, [Y]) == X
    assert without_overlap(X, [INNER]) == Part("x", 1, 4)
    assert without_overlap(X, [INNER, MIDDLE]) == OUTER
    assert without_overlap(X, [OUTER]) is None
    assert without_overlap(None, [Y]) is None


def test_parts_of_different_splits_cannot_be_beside_each_other() -> None:
    assert without_overlap(Part("z", 1, 2), [Part("z", 3, 2)]) is None
    assert without_overlap(Part("z", 1, 2), [Part("z", 2, 3)]) == Part("z", 1, 2)


def test_parts_that_meet_become_one() -> None:
    assert appended([Y, OUTER], [MIDDLE, Y]) == [Y, Part("x", 1, 4), Y]
    assert appended([OUTER], [INNER]) == [OUTER, INNER]
    assert appended([], [X]) == [X]


def test_beginnings() -> None:
    assert begins_list([], [X]) and begins_list([X], [X]) and begins_list([OUTER], [X, Y])
    assert not begins_list([X, Y], [X]) and not begins_list([Y], [X, Y])
    assert extends([X, Y], [X]) and extends([X], [OUTER]) and not extends([X], [X]) and not extends([X], [Y])


def test_truncation_ends_at_the_first_loss() -> None:
    assert truncated([Y, X], lambda part, _: OUTER if part == X else part) == [Y, OUTER]
    assert truncated([X, Y], lambda part, _: OUTER if part == X else part) == [OUTER]
    assert truncated([X, Y], lambda part, size: None) == []
    sizes: list[int] = []
    truncated([X, Y], lambda part, size: sizes.append(size) or part)
    assert sizes == [1, 8]


def test_agreement() -> None:
    assert agreed([X], [X, Y], True) == ([X, Y], True)
    assert agreed([X], [X, Y], False) == ([X], False)
    assert agreed([X, Y], [X], False) == ([X, Y], False)
    assert agreed([X], [Y], True) == ([], False)
    assert agreed([OUTER], [X, Y], True) == ([X, Y], True)
    assert agreed([OUTER], [X], False) == ([OUTER], False)
    assert agreed([OUTER, Y], [X, Y], True) == ([OUTER], False)
    assert agreed([X, Y], [OUTER, Y], True) == ([OUTER], False)
    assert agreed([X], [OUTER], True) == ([X], True)
    assert agreed([OUTER], [MIDDLE], True) == ([], False)
