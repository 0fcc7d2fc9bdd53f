"""What a schedule may do with a kernel: the rules of `ir/schedules.py` on a softmax."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl_xla.dialects.schedule import KernelAttr, Schedule
from xdsl_xla.dialects.schedule.tree import Tree
from xdsl_xla.ir.affine import dimension
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.ir.schedule_order import Facts, Touch
from xdsl_xla.ir.schedule_points import Box, boxes_of, union_volume
from xdsl_xla.ir.schedules import check

ROWS, COLUMNS = 64, 96


def tree(text: str) -> Tree:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Schedule)
    attribute = Parser(context, f"#schedule.kernel<{{{text}}}>").parse_attribute()
    assert isinstance(attribute, KernelAttr)
    return attribute.data


def row(buffer: str, writes: bool = False) -> Touch:
    i = dimension(0)
    return Touch(buffer, (i,), i, writes)


def element(buffer: str, writes: bool = False) -> Touch:
    i, j = dimension(0), dimension(1)
    return Touch(buffer, (i, j), i * COLUMNS + j, writes)


BOTH = (ROWS, COLUMNS)
SOFTMAX = [
    Facts("fill", (ROWS,), (False,), (row("m", True),), is_fill=True),
    Facts("max", BOTH, (False, True), (element("x"), row("m"), row("m", True))),
    Facts("exp", BOTH, (False, False), (element("x"), row("m"), element("e", True))),
    Facts("fill_1", (ROWS,), (False,), (row("s", True),), is_fill=True),
    Facts("sum", BOTH, (False, True), (element("e"), row("s"), row("s", True))),
    Facts("div", BOTH, (False, False), (element("e"), row("s"), element("out", True))),
]
PRIVATE = {"max": "m", "exp": "e", "sum": "s"}
START = "start max from fill start sum from fill_1 "


def verify(text: str) -> None:
    check(tree(text), SOFTMAX, PRIVATE)


@pytest.mark.parametrize(
    "text",
    [
        """parallel i = 0 to 64 { keep exp
             for j = 0 to 96 { compute max at (i, j) }
             for j = 0 to 96 { compute exp at (i, j) compute sum at (i, j) }
             for j = 0 to 96 { compute div at (i, j) } }""",
        """parallel i0 = 0 to 64 by 8 { keep exp for i1 = 0 to 8 {
             for j = 0 to 96 by 16 { unroll u = 0 to 16 { compute max at (i0 + i1, j + u) } }
             for j = 0 to 96 { compute exp at (i0 + i1, j) compute sum at (i0 + i1, j) }
             for j = 0 to 96 { compute div at (i0 + i1, j) } } }""",
        """for i = 0 to 64 { for j = 0 to 96 { compute max at (i, j) } }
           for j = 0 to 96 { for i = 0 to 64 { compute exp at (i, j) compute sum at (i, j) } }
           parallel m = 0 to 6144 by 64 { for q = 0 to 64 { compute div at ((m + q) floordiv 96, (m + q) mod 96) } }""",
        """parallel c = 0 to 64 by 10 { for i = c to min(c + 10, 64) {
             for j = 0 to 96 { compute max at (i, j) } } }
           for m = 0 to 6000 { compute exp at (m floordiv 96, m mod 96) compute sum at (m floordiv 96, m mod 96) }
           for m = 6000 to 6144 { compute exp at (m floordiv 96, m mod 96) compute sum at (m floordiv 96, m mod 96) }
           for i = 0 to 64 { for j = 0 to 96 { compute div at (i, j) } }""",
        """for i = 0 to 64 { for j = 0 to 96 { compute max at (i, j) } }
           for i = 0 to 64 by 2 { for j = 0 to 96 { compute exp at (i, j) } }
           for i = 0 to 64 by 2 { for j = 0 to 96 { compute exp at (i + 1, j) } }
           for i = 0 to 64 { for j = 0 to 96 { compute sum at (i, j) } }
           for i = 0 to 64 { for j = 0 to 96 by 24 { for k = 0 to 23 { compute div at (i, j + k) } } }
           for i = 0 to 64 { for j = 0 to 96 by 24 { compute div at (i, j + 23) } }""",
    ],
)
def test_legal(text: str) -> None:
    verify(START + text)


ROW = """parallel i = 0 to 64 { keep exp
  for j = 0 to 96 { compute max at (i, j) }
  for j = 0 to 96 { compute exp at (i, j) compute sum at (i, j) }
  for j = 0 to 96 { compute div at (i, j) } }"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("i = 0 to 64", "i = 0 to 63", "96 of the 6144 points of 'max' are not computed"),
        ("i = 0 to 64", "i = 0 to 65", "dimension 0 goes from 0 to 64, not from 0 to 65"),
        ("max at (i, j)", "max at (j, i)", "dimension 0 goes from 0 to 64, not from 0 to 96"),
        ("max at (i, j)", "max at (i, 0)", "the loop 'j' around it would compute it several times"),
        ("max at (i, j)", "max at (i, k)", "there is no loop 'k' around it"),
        ("max at (i, j)", "max at (i, j, 0)", "max has 2 dimensions, not 3"),
        ("max at (i, j)", "max at (i, j * 2)", "not every index once"),
        ("compute max", "compute maximum", "the kernel has no op 'maximum'; it has fill, max"),
        ("compute max at (i, j)", "compute max at (i, j) compute max at (i, j)", "points that another line computes"),
        ("for j = 0 to 96 { compute div at (i, j) }", "", "6144 of the 6144 points of 'div' are not computed"),
        (
            "parallel i = 0 to 64 { keep exp\n  for j",
            "for i = 0 to 64 { keep exp\n  parallel j",
            "'max' writes the same elements",
        ),
        ("compute exp at (i, j) compute sum", "compute sum at (i, j) compute exp", "needs what 'exp' does"),
        ("keep exp", "keep div", "writes no buffer that only this kernel uses"),
        ("keep exp", "keep exp keep exp", "it is kept already"),
        ("for j = 0 to 96 { compute max", "for j = 0 to 96 by 5 { compute max", "the last step of the loop 'j' is 1"),
        ("j = 0 to 96 { compute max", "i = 0 to 96 { compute max", "there is a loop 'i' around it"),
        ("parallel i = 0 to 64", "parallel i = c to min(c + 8, 64)", "the ends of a loop"),
    ],
)
def test_illegal(old: str, new: str, message: str) -> None:
    assert old in ROW
    verify(START + ROW)
    with pytest.raises(ScheduleError, match=message):
        verify(START + ROW.replace(old, new, 1))


def test_values_needed_before_they_are_complete() -> None:
    text = ROW.replace("compute exp at (i, j)", "").replace("max at (i, j)", "max at (i, j) compute exp at (i, j)")
    with pytest.raises(ScheduleError, match=r"the loop 'j' is around it and 'max', .* in different trips"):
        verify(START + text)


def test_a_fill_is_computed_or_started_from() -> None:
    with pytest.raises(ScheduleError, match="64 of the 64 points of 'fill_1' are not computed"):
        verify(START.replace("start sum from fill_1", "") + ROW)
    with pytest.raises(ScheduleError, match="'exp' is no fill of the kernel"):
        verify(START.replace("from fill_1", "from exp") + ROW)


def test_values_outside_of_the_loops_they_are_kept_in() -> None:
    outside = ROW.replace("for j = 0 to 96 { compute div at (i, j) } }", "}") + (
        "for i = 0 to 64 { for j = 0 to 96 { compute div at (i, j) } }"
    )
    verify(START + outside.replace("keep exp", ""))
    with pytest.raises(ScheduleError, match="'exp' is kept in loops that it is not in"):
        verify(START + outside)


def test_a_padded_tensor() -> None:
    """A fill leaves out what a copy overwrites, and nothing else."""
    i, j = dimension(0), dimension(1)
    fill = Facts("fill", (10, 10), (False, False), (Touch("p", (i, j), i * 10 + j, True),), is_fill=True)
    into = Touch("p", (i + 1, j + 1), (i + 1) * 10 + (j + 1), True)
    copy = Facts("copy", (8, 8), (False, False), (Touch("x", (i, j), i * 8 + j, False), into))
    edges = """for i = 0 to 1 { for j = 0 to 10 { compute fill at (i * 9, j) } }
      for i = 0 to 1 { for j = 0 to 10 { compute fill at (i + 9, j) } }
      for i = 1 to 9 { compute fill at (i, 0) compute fill at (i, 9) }
      for i = 0 to 8 { for j = 0 to 8 { compute copy at (i, j) } }"""
    check(tree(edges), [fill, copy], {})
    with pytest.raises(ScheduleError, match="74 of the 100 points"):
        check(tree(edges.replace("compute fill at (i, 9)", "").replace("i = 1 to 9", "i = 3 to 9")), [fill, copy], {})


def boxes(text: str, extents: tuple[int, ...]) -> list[Box]:
    from xdsl_xla.dialects.schedule.tree import Compute

    ((node, loops),) = [(node, loops) for node, loops in tree(text).walk() if isinstance(node, Compute)]
    return boxes_of(node, loops, extents)


def test_boxes() -> None:
    assert boxes("for m = 0 to 24 { compute c at (m floordiv 6, m mod 6) }", (4, 6)) == [((0, 4), (0, 6))]
    parts = boxes("for m = 4 to 20 { compute c at (m floordiv 6, m mod 6) }", (4, 6))
    assert parts == [((0, 1), (4, 6)), ((1, 3), (0, 6)), ((3, 4), (0, 2))]
    inside = boxes("for m = 7 to 9 { compute c at (m floordiv 6, m mod 6) }", (4, 6))
    assert inside == [((1, 2), (1, 3))]
    three = boxes("for m = 0 to 24 { compute c at (m floordiv 12, (m floordiv 4) mod 3, m mod 4) }", (2, 3, 4))
    assert three == [((0, 2), (0, 3), (0, 4))]


def test_boxes_of_quotients_in_sums() -> None:
    """A loop of which the quotient and the remainder are used is two loops; a quotient may start later."""
    both = boxes("for i = 0 to 4 { for m = 0 to 12 { compute c at (i * 4 + m floordiv 3, m mod 3) } }", (16, 3))
    assert both == [((0, 16), (0, 3))]
    later = boxes("for m = 0 to 12 { compute c at (m floordiv 6 + 2, m mod 6) }", (4, 6))
    assert later == [((2, 4), (0, 6))]


def test_blocks_tell_their_trips() -> None:
    """Two loops through one block: what the second reads has to be of the same block."""
    first = Facts("a", (10,), (False,), (Touch("x", (dimension(0),), dimension(0), True),))
    same = Facts("b", (10,), (False,), (Touch("x", (dimension(0),), dimension(0), False),))
    reverse = dimension(0) * -1 + 9
    other = Facts("b", (10,), (False,), (Touch("x", (reverse,), reverse, False),))
    text = """for c = 0 to 10 by 4 { for i = c to min(c + 4, 10) { compute a at (i) }
      for j = c to min(c + 4, 10) { compute b at (j) } }"""
    check(tree(text), [first, same], {})
    with pytest.raises(ScheduleError, match="the loop 'c' is around it and 'a'"):
        check(tree(text), [first, other], {})


def test_a_fill_under_every_second_element() -> None:
    """What lies between the elements that are written is not overwritten."""
    i = dimension(0)
    fill = Facts("fill", (9,), (False,), (Touch("p", (i,), i, True),), is_fill=True)
    copy = Facts("copy", (5,), (False,), (Touch("p", (i * 2,), i * 2, True),))
    with pytest.raises(ScheduleError, match="9 of the 9 points of 'fill' are not computed"):
        check(tree("for i = 0 to 5 { compute copy at (i) }"), [fill, copy], {})


def test_union_volume() -> None:
    assert union_volume([]) == 0
    assert union_volume([()]) == 1
    assert union_volume([((0, 2),), ((1, 3),)]) == 3
    assert union_volume([((0, 2), (0, 2)), ((1, 3), (1, 3))]) == 7


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("start max from fill_1 start sum from fill ", "'max' adds nothing to what 'fill_1' writes"),
        ("start exp from fill start sum from fill_1 ", "'exp' adds nothing to what 'fill' writes"),
    ],
)
def test_a_start_from_what_is_not_its_own(start: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        verify(start + ROW)


def test_a_start_behind_another_reader() -> None:
    """Of two ops that add to one buffer the first one starts from the fill; of a part of it, none."""
    fill, first = SOFTMAX[0], SOFTMAX[1]
    second = Facts("again", BOTH, (False, True), first.touches)
    loops = "for i = 0 to 64 { for j = 0 to 96 { compute max at (i, j) } } " + (
        "for i = 0 to 64 { for j = 0 to 96 { compute again at (i, j) } }"
    )
    check(tree("start max from fill " + loops), [fill, first, second], {})
    with pytest.raises(ScheduleError, match="'again' is not the first"):
        check(tree("start again from fill " + loops), [fill, first, second], {})
    part = Facts("max", (32, 96), (False, True), first.touches)
    with pytest.raises(ScheduleError, match="does not add to all"):
        check(
            tree("start max from fill for i = 0 to 32 { for j = 0 to 96 { compute max at (i, j) } }"), [fill, part], {}
        )
