"""The text of schedules: what is printed reads back the same, and what is wrong is named where it stands."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl_xla.dialects.schedule import KernelAttr, Schedule
from xdsl_xla.dialects.schedule.syntax import text_of_index
from xdsl_xla.dialects.schedule.tree import Compute, Digit, Index, Loop, Tree, counted, variable


def read(text: str) -> Tree:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Schedule)
    attribute = Parser(context, f"#schedule.kernel<{{{text}}}>").parse_attribute()
    assert isinstance(attribute, KernelAttr)
    again = Parser(context, str(attribute)).parse_attribute()
    assert again == attribute
    return attribute.data


def test_a_tile() -> None:
    tree = read("parallel i = 0 to 1024 by 64 { for j = 0 to 64 { compute exp at (i + j, 3) } }")
    at = Index((Digit("i"), Digit("j"))), Index((), 3)
    inner = Loop("for", (counted("j", 64),), (Compute("exp", at),))
    assert tree == Tree((Loop("parallel", (counted("i", 1024, 64),), (inner,)),))


def test_every_word() -> None:
    tree = read(
        """start sum from fill
        parallel c = 0 to 100 by 16, q = 0 to 3 {
          keep exp
          for i = c to min(c + 16, 100) { compute exp at (i) unroll u = 2 to 4 { compute sum at (u, q) } }
          transpose 8 a = 0 to 64, b = 0 to 64 { compute copy at (a, b) }
        }
        compute last at ()"""
    )
    assert [type(node).__name__ for node, _ in tree.walk()] == (
        ["Start", "Loop", "Keep", "Loop", "Compute", "Loop", "Compute", "Loop", "Compute", "Compute"]
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i", 10),
        ("i + j * 4 - 3", 7 + 20),
        ("- j", -5),
        ("i floordiv 4", 2),
        ("i mod 4", 2),
        ("(i floordiv 2) mod 3", 2),
        ("i mod 4 * 2", 4),
        ("(i + j) floordiv 4", 3),
        ("(i + j * 2) mod 16 + 1", 5),
        ("2 * 3", 6),
        ("i * 0", 0),
    ],
)
def test_indices(text: str, value: int) -> None:
    (loop,) = read(f"for i = 0 to 16, j = 0 to 16 {{ compute op at ({text}) }}").nodes
    assert isinstance(loop, Loop)
    (node,) = loop.body
    assert isinstance(node, Compute)
    assert node.at[0].value({"i": 10, "j": 5}) == value


def test_indices_as_text() -> None:
    assert text_of_index(Index()) == "0"
    assert text_of_index(Index((Digit("i", 2), Digit("j", -1)), -3)) == "i * 2 + j * -1 - 3"
    assert text_of_index(variable("i")) == "i"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("keeq exp", "expected one of compute, start"),
        ("for i = 0 to 8 by 0 { }", "expected a positive number"),
        ("for i = 0 { }", "Expected 'to'|expected to"),
        ("compute exp at i", "'\\(' expected|Expected '\\('"),
        ("for i = 0 to 8 { compute exp at (i)", "expected one of compute"),
        ("start sum fill", "from"),
    ],
)
def test_what_is_no_schedule(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        read(text + "\n")


def test_a_node_in_the_place_of_another() -> None:
    tree = read("for i = 0 to 4 { compute a at (i) compute b at (i) }")
    (loop,) = tree.nodes
    assert isinstance(loop, Loop)
    first, second = loop.body
    assert tree.replaced(first, ()) == read("for i = 0 to 4 { compute b at (i) }")
    assert tree.replaced(second, (first, first)) == read(
        "for i = 0 to 4 { compute a at (i) compute a at (i) compute a at (i) }"
    )
